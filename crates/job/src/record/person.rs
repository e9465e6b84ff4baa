//! Inputs that come from a page: each is performed, as an exploration performs its events.

use std::time::Duration;

use retap_device::{Device, DeviceError};
use retap_lab::{Deadlines, Walk};
use retap_trace::{Event, Observation, Point, Size};

use super::sheet::Sheet;
use super::{End, Person, RecordScene, Wish, typing};
use crate::error::Result;
use crate::watch::Stop;

/// How often the wish to stop is looked at.
const GLANCE: Duration = Duration::from_millis(100);

pub(super) fn follow(
    walk: &mut Walk<'_>,
    camera: &mut dyn Device,
    sheet: &mut Sheet<'_>,
    person: &mut dyn Person,
    stop: &Stop,
) -> Result<End> {
    sheet.begun();
    if let Err(error) = show(walk.seen(), camera, sheet, person) {
        return Ok(End::Failed(error));
    }
    while !stop.asked() {
        let event = match person.wish(GLANCE) {
            None => continue,
            Some(Wish::Done) => return Ok(End::Wanted),
            Some(Wish::Perform(event)) => event,
        };
        let event = match aimed(event, walk.seen()) {
            Ok(event) => event,
            Err(why) => {
                person.refuse(&why);
                continue;
            }
        };
        match walk.act(event) {
            Ok(step) => {
                let crash = step.crash.clone();
                sheet.add(step)?;
                if let Some(crash) = crash {
                    // The picture is of what is left of the app; without it the crash counts all the same.
                    let _ = show(walk.seen(), camera, sheet, person);
                    return Ok(End::Crashed(Box::new(crash)));
                }
            }
            Err(error @ DeviceError::NotSupported { .. }) => {
                person.refuse(&error.to_string());
                continue;
            }
            Err(error) => return Ok(End::Failed(error)),
        }
        if let Err(error) = show(walk.seen(), camera, sheet, person) {
            return Ok(End::Failed(error));
        }
    }
    Ok(End::Wanted)
}

fn show(
    seen: &Observation,
    camera: &mut dyn Device,
    sheet: &Sheet<'_>,
    person: &mut dyn Person,
) -> Result<(), DeviceError> {
    let picture = camera.screenshot(Deadlines::default().look)?;
    person.show(&RecordScene { seen, picture: &picture, steps: sheet.steps() });
    Ok(())
}

/// The same event, with the widget that it is for. What is not on the screen is refused.
fn aimed(mut event: Event, seen: &Observation) -> Result<Event, String> {
    let on_screen = |at: Point| {
        let within = |place: i32, side: u32| u32::try_from(place).is_ok_and(|place| place < side);
        if within(at.x, seen.screen.width) && within(at.y, seen.screen.height) {
            Ok(())
        } else {
            let Size { width, height } = seen.screen;
            Err(format!("{at} is not on the screen, which is {width} x {height} pixels"))
        }
    };
    if let Some(aim) = event.aim_mut() {
        on_screen(aim.at)?;
        *aim = seen.aim_at(aim.at);
    }
    match &mut event {
        Event::Swipe { to, .. } => on_screen(*to)?,
        Event::Text { widget, .. } if widget.is_none() => {
            let Some((field, _)) = typing::field(seen) else {
                return Err("no field has the focus; tap one first".to_owned());
            };
            *widget = Some(field);
        }
        _ => {}
    }
    Ok(event)
}
