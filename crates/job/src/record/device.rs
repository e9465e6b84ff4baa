//! Inputs that are heard on the device: each has happened already, and is written down with what was seen before and after.
//!
//! The screen is looked at when an input is over, and again while nobody does anything, so that what is written as seen
//! before an input was seen before it. Who is quicker than the looks is recorded by places alone, and that is told.

use retap_device::{Device, DeviceError, Inputs, PersonInput};
use retap_lab::{Deadlines, Walk};
use retap_trace::{Crash, Event, Micros, Observation, Step};

use super::End;
use super::sheet::Sheet;
use super::typing::{Typed, holds, typed};
use crate::error::Result;
use crate::watch::Stop;

/// How long nobody must do anything until the device is looked at again.
const IDLE: Micros = Micros::from_millis(1_500);
/// How often the wish to stop is looked at.
const GLANCE: Micros = Micros::from_millis(100);
/// How long nothing must be heard at the end until everything was: a tap is told when it cannot become a double one any more.
const LAST: Micros = Micros::from_millis(500);

pub(super) fn follow(
    walk: &mut Walk<'_>,
    device: &mut dyn Device,
    sheet: &mut Sheet<'_>,
    stop: &Stop,
) -> Result<End> {
    let name = device.name().to_owned();
    let Some(inputs) = device.inputs() else {
        let what = "listening to a person; record it with --page".to_owned();
        return Ok(End::Failed(DeviceError::NotSupported { device: name, what }));
    };
    if let Err(error) = inputs.listen(Deadlines::default().look) {
        return Ok(End::Failed(error));
    }
    sheet.begun();
    // A look while nobody did anything, which counts if it was over before the next input began.
    let mut glance: Option<Observation> = None;
    let mut idle = Micros::ZERO;
    while !stop.asked() {
        match inputs.next_input(GLANCE) {
            Err(error) => return Ok(End::Failed(error)),
            Ok(Some(input)) => {
                idle = Micros::ZERO;
                if let Some(end) = take(walk, sheet, glance.take(), input)? {
                    return Ok(end);
                }
            }
            Ok(None) if idle < IDLE => idle += GLANCE,
            Ok(None) => {
                idle = Micros::ZERO;
                if let Some(seen) = glance.take() {
                    settle(walk, sheet, seen, None)?;
                }
                match walk.glance() {
                    // A crash is of what was done before it, whatever has begun since.
                    Ok(seen) if !seen.crashes.is_empty() => {
                        let crash = seen.crashes[0].clone();
                        settle(walk, sheet, seen, None)?;
                        return Ok(End::Crashed(Box::new(crash)));
                    }
                    Ok(seen) => glance = Some(seen),
                    Err(error) => return Ok(End::Failed(error)),
                }
            }
        }
    }
    rest(inputs, walk, sheet, glance)
}

/// What was done before the wish to stop and is yet to be heard. Who goes on after it does nothing that is recorded, and what
/// crashes then may come of that.
fn rest(
    inputs: &mut dyn Inputs,
    walk: &mut Walk<'_>,
    sheet: &mut Sheet<'_>,
    mut glance: Option<Observation>,
) -> Result<End> {
    let (mut quiet, wished) = (Micros::ZERO, walk.now());
    let mut end = End::Wanted;
    while quiet < LAST {
        match inputs.next_input(GLANCE) {
            Err(error) => return Ok(End::Failed(error)),
            Ok(None) => quiet += GLANCE,
            Ok(Some(input)) if input.pressed > wished => {
                end = End::Unwatched("somebody went on after the end".to_owned());
                break;
            }
            Ok(Some(input)) => {
                quiet = Micros::ZERO;
                if let Some(end) = take(walk, sheet, glance.take(), input)? {
                    return Ok(end);
                }
            }
        }
    }
    if let Some(seen) = glance {
        settle(walk, sheet, seen, None)?;
    }
    Ok(end)
}

/// Writes an input down, and before it what was seen while nobody did anything. Returns the end that came of it.
fn take(
    walk: &mut Walk<'_>,
    sheet: &mut Sheet<'_>,
    glance: Option<Observation>,
    input: PersonInput,
) -> Result<Option<End>> {
    if let Some(seen) = glance {
        settle(walk, sheet, seen, Some(input.pressed))?;
    }
    Ok(match hear(walk, sheet, input)? {
        Err(error) => Some(End::Failed(error)),
        Ok(crash) => crash.map(|crash| End::Crashed(Box::new(crash))),
    })
}

/// A look while nobody did anything is told to the last step.
fn settle(walk: &mut Walk<'_>, sheet: &mut Sheet<'_>, seen: Observation, next: Option<Micros>) -> Result<()> {
    let undisturbed = next.is_none_or(|pressed| seen.at <= pressed);
    if walk.amend(sheet.last(), seen, undisturbed) { sheet.changed() } else { Ok(()) }
}

/// Writes an input down. Returns the crash that came of it.
fn hear(
    walk: &mut Walk<'_>,
    sheet: &mut Sheet<'_>,
    PersonInput { pressed, deed }: PersonInput,
) -> Result<Result<Option<Crash>, DeviceError>> {
    let event = match deed {
        Ok(event) => event,
        Err(what) => {
            sheet.leave_out(what);
            return Ok(pass_over(walk));
        }
    };
    let quick = pressed < walk.seen().at;
    let tapped = event.aim().is_some();
    let mut typing = Typed::No;
    let witnessed = walk.witness(pressed, |before, after| {
        typing = typed(&event, before, after, quick);
        let mut event = event;
        if let Typed::Text(text) = &typing {
            return text.clone();
        }
        if let Some(aim) = event.aim_mut().filter(|_| !quick) {
            *aim = before.aim_at(aim.at);
        }
        event
    });
    let mut step = match witnessed {
        Ok(step) => step,
        Err(error) => return Ok(Err(error)),
    };
    let crash = step.crash.clone();
    match (typing, sheet.last().map(|last| last.event.clone())) {
        // The text of the last step has this in it.
        (Typed::Known, Some(text @ Event::Text { .. })) => sheet.type_on(Step { event: text, ..step })?,
        (Typed::Text(_), Some(last)) if goes_on(&last, &step.event, tapped) => sheet.type_on(step)?,
        _ => {
            if quick {
                sheet.blur(&mut step);
            }
            sheet.add(step)?;
        }
    }
    Ok(Ok(crash))
}

/// What came of an input that is left out belongs to no step.
fn pass_over(walk: &mut Walk<'_>) -> Result<Option<Crash>, DeviceError> {
    let seen = walk.glance()?;
    let crash = seen.crashes.first().cloned();
    walk.amend(None, seen, true);
    Ok(crash)
}

/// Whether a text takes the place of the one before it: it is of the same field, and nothing of that one is lost by it. Of a
/// key it is known that somebody typed; a tap that took something away may have been one on the app.
fn goes_on(last: &Event, event: &Event, tapped: bool) -> bool {
    let (Event::Text { text: old, widget: one }, Event::Text { text: new, widget: other }) = (last, event)
    else {
        return false;
    };
    one == other && (!tapped || holds(new, old))
}
