//! Goes through an app, and keeps what it found.

pub(crate) mod entries;
mod findings;
mod found;
mod growing;
mod names;
mod plan;
mod record;
mod reducing;
mod result;
pub mod time_travel;

use std::cell::RefCell;
use std::path::Path;

use retap_lab::{
    Done, DriveError, Exploration, ExplorationEnd, ExploreJournal, ExploreOrder, ExploreReport,
    ExploreWorker, Flow, Lab, Recorded, drive, recorded_orders,
};
use retap_store::Session;
use retap_trace::{Header, Micros, Seed};

use crate::devices::{Devices, Time, at_work};
use crate::error::{JobError, Result};
use crate::reduce::ReduceStatus;
use crate::watch::{JobEvent, JobProgress, Unit, Watching};
use crate::{choices, folder, kept, platform, tracefile};

pub use findings::{CrashResult, Finding, Proof};
pub use found::{Crashed, crashes_meant};
pub(crate) use names::names_in;
pub use plan::{ExplorePlan, ExploreRules, LookPolicy, MonkeyShare, PermissionAnswer};
pub use reducing::ReducedResult;
pub use result::{DeviceFailure, ExploreDetails, ExploreResult, ExploreStatus, TimeTravelResult};

use findings::Findings;
use record::{Record, recorded_events};
use reducing::CrashReducer;

/// The name of the job in its session.
pub(crate) const COMMAND: &str = "explore";

/// How an exploration ended.
enum Ending {
    Done,
    /// There is nothing more to be had of the app, for this reason.
    DoneEarly(String),
    Interrupted,
    CutShort(String),
}

/// An exploration under way.
struct ExploreJob<'a> {
    plan: &'a ExplorePlan,
    session: RefCell<Session>,
    header: Header,
    exploration: Exploration,
    devices: &'a Devices,
    findings: Findings,
    reduced: Vec<ReducedResult>,
    watching: &'a Watching<'a>,
}

/// Explores, or goes on exploring, in a folder.
pub(crate) fn run(
    plan: &ExplorePlan,
    devices: &Devices,
    folder: Option<&Path>,
    watching: &Watching<'_>,
) -> Result<ExploreResult> {
    let (mut job, workers) = ExploreJob::open(plan, devices, folder, watching)?;
    let ending = job.run(workers)?;
    job.result(ending)
}

impl<'a> ExploreJob<'a> {
    /// Opens an exploration, new or to be resumed.
    fn open(
        plan: &'a ExplorePlan,
        devices: &'a Devices,
        folder: Option<&Path>,
        watching: &'a Watching<'a>,
    ) -> Result<(Self, Vec<ExploreWorker>)> {
        if let Some(file) = &plan.start {
            devices.accept(&tracefile::read(file)?.header, &file.display(), watching)?;
        }
        let settings = plan.exploration(devices.have_snapshots())?;
        let explorer = plan.explorer(&devices.surroundings)?;
        let mut session = folder::open(folder, COMMAND, plan)?;
        platform::same(&mut session, devices.header.platform.as_deref())?;
        let recorded = recorded_events(session.dir())?;
        if recorded > 0 {
            watching.tell(&JobEvent::Resumed { done: recorded, unit: Unit::Events });
        }
        let package = devices.header.app.package.to_string();
        let seed = Seed(plan.seed).branch("devices", 0);
        let workers = ExploreWorker::fleet(&settings, seed, devices.handles());
        let (device, seed) = (Some(plan.device.clone()), Some(plan.seed));
        let job = Self {
            exploration: Exploration::new(settings, explorer, package, plan.devices),
            header: Header { device, seed, ..devices.header.clone() },
            plan,
            session: RefCell::new(session),
            devices,
            findings: Findings::new(),
            reduced: Vec::new(),
            watching,
        };
        Ok((job, workers))
    }

    /// Explores until the budget is used up, or enough was found, or something stops it.
    fn run(&mut self, workers: Vec<ExploreWorker>) -> Result<Ending> {
        let Self { plan, session, header, exploration, findings, watching, devices, .. } = self;
        let (plan, watching, devices) = (*plan, *watching, *devices);
        let folder = session.borrow().dir().to_owned();
        let mut reducer =
            CrashReducer { plan, folder: &folder, devices, watching, results: &mut self.reduced };
        let mut record = Record::new(session, header, devices.time, findings, watching)?;
        let (mut enough, mut trouble, mut told) = (false, None, 0);
        let recorded = recorded(devices.time, session)?;
        let known = recorded.len();
        let driven = {
            let mut watch = |exploration: &mut Exploration, _: &Done<ExploreOrder, ExploreReport>| -> Flow {
                let events = exploration.take_events();
                let mut written = events.into_iter().try_for_each(|event| record.add(exploration, event));
                watching.tell(&JobEvent::Progress(progress(plan, exploration, record.findings)));
                // Devices cannot explore and reduce at once.
                if devices.have_spare() && written.is_ok() {
                    written = reducer.reduce_new(&mut record);
                }
                trouble = written.err();
                enough = plan.until_crash_after.is_some_and(|least| record.findings.longest() >= least);
                told += 1;
                let known = if record.is_behind() { usize::MAX } else { known };
                if enough || trouble.is_some() { Flow::Stop } else { watching.flow(told, known) }
            };
            let lab = at_work(workers, devices.time, watching.stop());
            explore(exploration, lab, devices.time, recorded, session, &mut watch)
        };
        let end = match exploration.ended(driven) {
            Err(DriveError::Journal(error)) => {
                trouble = Some(error.into());
                ExplorationEnd::Stopped
            }
            end => end?,
        };
        if trouble.is_none() {
            trouble = complete(exploration, &end, enough, &mut record, &mut reducer).err();
        }
        if trouble.is_none() && !is_whole(&end) {
            trouble = record.pending(exploration).err();
        }
        trouble = trouble.or(record.finish(exploration).err());
        let waiting = !record.new.is_empty();
        if let Some(error) = trouble {
            return if error.is_of_the_store() { Ok(Ending::CutShort(error.in_words())) } else { Err(error) };
        }
        tell_what_could_not_be_done(exploration, &end, watching);
        let interrupted = |reduced: &ReducedResult| reduced.status == ReduceStatus::Interrupted;
        let unreduced = plan.reduce.is_some() && (waiting || self.reduced.iter().any(interrupted));
        Ok(match end {
            ExplorationEnd::NoDeviceLeft(why) => Ending::CutShort(why),
            ExplorationEnd::Stopped if !enough => Ending::Interrupted,
            _ if watching.stop().asked() && unreduced => Ending::Interrupted,
            ExplorationEnd::CrashesAtStart(why) => Ending::DoneEarly(why),
            ExplorationEnd::Stopped | ExplorationEnd::Done => Ending::Done,
        })
    }

    fn result(self, ending: Ending) -> Result<ExploreResult> {
        let (status, why) = match ending {
            Ending::Done => (ExploreStatus::Done, None),
            Ending::DoneEarly(why) => (ExploreStatus::Done, Some(why)),
            Ending::Interrupted => (ExploreStatus::CutShort, None),
            Ending::CutShort(why) => (ExploreStatus::CutShort, Some(why)),
        };
        let mut kept_in = self.session.into_inner();
        let session = kept_in.dir().to_owned();
        let cost = self.exploration.time_travel_cost();
        let result = ExploreResult {
            command: COMMAND,
            status,
            why,
            events: self.exploration.performed(),
            looks: self.exploration.looks(),
            segments: self.exploration.segments().iter().len(),
            states: self.findings.states(),
            transitions: self.findings.transitions(),
            coverage: self.exploration.covered().len(),
            coverage_total: self.devices.coverage_total,
            crashes: self.findings.results(&session),
            reduced: self.reduced,
            time_travel: TimeTravelResult::of(&cost),
            device_failures: DeviceFailure::list(self.exploration.device_failures()),
            device_seconds: self.exploration.device_time().as_secs_f64(),
            strategy: self.plan.strategy,
            devices: self.plan.devices,
            platform: self.devices.header.platform.clone(),
            seed: self.plan.seed,
            session,
            details: ExploreDetails {
                findings: self.findings.crashes().cloned().collect(),
                device_time: self.exploration.device_time(),
                cost,
            },
        };
        if result.status == ExploreStatus::Done {
            kept::keep(&mut kept_in, &result)?;
        }
        Ok(result)
    }
}

/// Writes down what is still to be written, and reduces what is still to be reduced.
fn complete(
    exploration: &mut Exploration,
    end: &ExplorationEnd,
    enough: bool,
    record: &mut Record<'_>,
    reducer: &mut CrashReducer<'_>,
) -> Result<()> {
    let events = exploration.take_events();
    events.into_iter().try_for_each(|event| record.add(exploration, event))?;
    if !enough {
        reducer.reduce_new(record)?;
    }
    if is_whole(end) {
        record.complete()?;
    }
    Ok(())
}

/// Whether it came to an end of its own, as it would another time.
const fn is_whole(end: &ExplorationEnd) -> bool {
    matches!(end, ExplorationEnd::Done | ExplorationEnd::CrashesAtStart(_))
}

/// What is told from the journal. Simulated devices repeat what they did, so with them it begins at the beginning.
fn recorded(time: Time, session: &RefCell<Session>) -> Result<Vec<Done<ExploreOrder, ExploreReport>>> {
    match time {
        Time::Virtual => Ok(Vec::new()),
        Time::Real => Ok(recorded_orders(&session.borrow())?),
    }
}

/// Drives an exploration.
fn explore(
    exploration: &mut Exploration,
    mut lab: Box<dyn Lab<ExploreOrder, ExploreReport>>,
    time: Time,
    recorded: Vec<Done<ExploreOrder, ExploreReport>>,
    session: &RefCell<Session>,
    watch: &mut dyn FnMut(&mut Exploration, &Done<ExploreOrder, ExploreReport>) -> Flow,
) -> Result<bool, DriveError> {
    if time == Time::Virtual {
        return drive(exploration, &mut *lab, &mut (), watch);
    }
    let mut journal = ExploreJournal::new(session, recorded.len());
    drive(exploration, &mut Recorded::new(lab, recorded), &mut journal, watch)
}

/// Tells what the exploration could not do.
fn tell_what_could_not_be_done(exploration: &Exploration, end: &ExplorationEnd, watching: &Watching<'_>) {
    for what in exploration.unable() {
        watching.tell(&JobEvent::Unsupported { what });
    }
    if exploration.interrupted() > 0 {
        watching.tell(&JobEvent::SegmentsCut { segments: exploration.interrupted() });
    }
    if let Some(words) = DeviceFailure::in_words(&DeviceFailure::list(exploration.device_failures())) {
        watching.tell(&JobEvent::DeviceFailed { words: &words });
    }
    for (device, why) in exploration.given_up() {
        watching.tell(&JobEvent::DeviceGivenUp { device, why });
    }
    // Where it is so on all devices, that is how it ended.
    if *end == ExplorationEnd::Done {
        for device in exploration.crashing_at_start() {
            watching.tell(&JobEvent::DeviceGivenUp { device, why: "the app crashes when it starts there" });
        }
    }
}

/// How far it is.
fn progress(plan: &ExplorePlan, exploration: &Exploration, findings: &Findings) -> JobProgress {
    let minutes = plan.minutes.map(|minutes| Micros::from_secs(minutes.saturating_mul(60)));
    JobProgress::Explore {
        events: (exploration.performed(), plan.events),
        elapsed: (exploration.elapsed(), minutes),
        states: exploration.states(),
        covered: exploration.covered().len(),
        crashes: findings.crashes().len(),
        restores: exploration.time_travel_cost().restores,
    }
}

/// Why an exploration in a folder cannot be used.
impl JobError {
    fn not_an_exploration(dir: &Path) -> Self {
        let traces = choices::traces_in(dir);
        Self::Refused(format!("{} is not the folder of an exploration{traces}", dir.display()))
    }
}
