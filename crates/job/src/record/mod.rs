//! Recording: what a person does is written down as a trace.
//!
//! The person acts through us ([`RecordSource::Person`]: a page that shows the screen), and each input is performed as an
//! exploration performs it; or on the device itself ([`RecordSource::Device`]), and each input is heard. Either way the whole
//! trace is on disk, under its name, after every step: there is nothing to recover. A crash ends the recording.
//!
//! | file | what |
//! |---|---|
//! | `sheet` | the steps so far, and their file |
//! | `place` | the folder, which is taken before anything is recorded |
//! | `person` | inputs that come from a page |
//! | `device` | inputs that are heard on the device |
//! | `typing` | taps on a keyboard become text |
//! | `result` | what came out |

mod device;
mod person;
mod place;
mod result;
mod sheet;
mod typing;

use std::time::Duration;

use retap_device::{Device, DeviceError};
use retap_lab::{Deadlines, Walk};
use retap_trace::{Crash, Event, Observation, Seed, Start, Step};

use crate::error::Result;
use crate::watch::Stop;
use crate::{Devices, JobError};

pub use place::RecordPlace;
pub use result::{CrashCause, RecordResult, RecordStatus};
use sheet::Sheet;

/// The name of this job.
pub(crate) const COMMAND: &str = "record";
/// The file of a recording, in its folder.
pub const FILE: &str = "recorded.trace.jsonl";

/// Where inputs come from.
#[derive(Debug)]
pub enum RecordSource<'a> {
    /// A person who is shown the screen, and says what to do.
    Person(&'a mut dyn Person),
    /// The device itself, which a person has in hand.
    Device,
}

/// A person who is shown the screen.
pub trait Person: std::fmt::Debug {
    /// Shows how things are: at the start, and after each wish.
    fn show(&mut self, scene: &RecordScene<'_>);

    /// What was wished for cannot be done; the recording goes on.
    fn refuse(&mut self, why: &str);

    /// The next wish; nothing when there is none so far.
    fn wish(&mut self, wait: Duration) -> Option<Wish>;
}

/// What a person wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Do this. What is touched, or which field is typed into, is found out.
    Perform(Event),
    /// That is all.
    Done,
}

/// What a person is shown.
#[derive(Debug)]
pub struct RecordScene<'a> {
    /// What was seen last.
    pub seen: &'a Observation,
    /// The screen, as a PNG file.
    pub picture: &'a [u8],
    /// The steps so far.
    pub steps: &'a [Step],
}

/// Something that happened in a recording.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordNews<'a> {
    /// The app is started: what is done from here on is recorded.
    Begun,
    /// A step is on disk. A number that was told before means that the step has changed.
    Step {
        /// Its number, from 1.
        number: usize,
        /// The step.
        step: &'a Step,
    },
    /// Something was done that no event can express.
    LeftOut {
        /// What, in words.
        what: &'a str,
    },
    /// The recording is whole, and nobody looked for a crash that comes late.
    Unwatched {
        /// Why, in words.
        why: &'a str,
    },
}

/// How a recording came to its end.
#[derive(Debug)]
enum End {
    /// The person wanted it.
    Wanted,
    /// The same; and why nobody looked for a crash that comes late.
    Unwatched(String),
    Crashed(Box<Crash>),
    Failed(DeviceError),
}

/// Records on the first of these devices, from a fresh start of the app, until the person has done, the app crashes, the
/// device fails, or somebody asks to stop. The trace is kept in this place.
pub fn record(
    devices: &Devices,
    seed: u64,
    place: RecordPlace,
    source: RecordSource<'_>,
    news: &mut dyn FnMut(&RecordNews<'_>),
    stop: &Stop,
) -> Result<RecordResult> {
    let (mut device, mut other) = (handle(devices)?, handle(devices)?);
    let mut walk = Walk::begin(&mut *device, Deadlines::default(), Start::Launched, Seed(seed))
        .map_err(|error| JobError::Refused(format!("the app cannot be started: {error}")))?;
    let mut sheet = Sheet::new(place, devices.header.clone(), seed, news);
    let end = match walk.seen().crashes.first() {
        Some(crash) => End::Crashed(Box::new(crash.clone())),
        None => match source {
            RecordSource::Person(person) => person::follow(&mut walk, &mut *other, &mut sheet, person, stop)?,
            RecordSource::Device => device::follow(&mut walk, &mut *other, &mut sheet, stop)?,
        },
    };
    let end = if matches!(end, End::Wanted) { late(&mut walk, &mut sheet)? } else { end };
    let took = walk.elapsed();
    Ok(RecordResult { platform: devices.header.platform.clone(), ..sheet.finish(end, took) })
}

/// Who ends a recording may have seen the crash that is yet to come to us. It is waited for while the app is still busy. The
/// state after the last step stays as it was: no replay looks so late. The recording is whole whatever becomes of the device.
fn late(walk: &mut Walk<'_>, sheet: &mut Sheet<'_>) -> Result<End> {
    let seen = match walk.linger() {
        Ok(seen) => seen,
        Err(error) => return Ok(End::Unwatched(error.to_string())),
    };
    let Some(crash) = seen.crashes.first().cloned() else { return Ok(End::Wanted) };
    if walk.amend(sheet.last(), seen, false) {
        sheet.changed()?;
    }
    Ok(End::Crashed(Box::new(crash)))
}

fn handle(devices: &Devices) -> Result<Box<dyn Device>> {
    let first = devices.handles().into_iter().next();
    first.ok_or_else(|| JobError::Refused("no device is given".to_owned()))
}
