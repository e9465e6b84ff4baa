//! Plays events on a simulated device and notes what was seen around each.

use retap_device::Look;
use retap_lab::{Deadlines, Replay};
use retap_model::Keyer;
use retap_sim::SimDevice;
use retap_trace::{Event, Observation, Seed, Start, Step};

/// The device that a specification describes.
pub(crate) fn device(spec: &str) -> SimDevice {
    let open = SimDevice::open(spec, &|path| Err(format!("{path}: no files here")));
    open.unwrap_or_else(|error| panic!("{error}"))
}

/// Plays events from a clean start. `next` is shown each look, and chooses the event that follows it.
pub(crate) fn play(
    device: &mut SimDevice,
    start: Start,
    seed: Seed,
    mut next: impl FnMut(&Observation) -> Option<Event>,
) -> Vec<Step> {
    let mut replay = Replay::new(device, Deadlines::default(), Look::Tree);
    let mut keyer = Keyer::default();
    let mut seen = replay.begin(start, seed).expect("simulated devices do not fail unless asked to");
    let began = replay.now();
    let mut steps = Vec::new();
    while let Some(event) = next(&seen) {
        let at = replay.now().since(began);
        let before = keyer.seen(&seen);
        seen = replay.perform(&event).expect("simulated devices do not fail unless asked to");
        steps.push(Step {
            at: Some(at),
            before: Some(before),
            after: Some(keyer.seen(&seen)),
            coverage: seen.coverage.clone(),
            crash: seen.crashes.first().cloned(),
            ..Step::new(event)
        });
    }
    steps
}

/// Plays these events on a launched app.
pub(crate) fn replay<'a>(spec: &str, events: impl IntoIterator<Item = &'a Event>) -> Vec<Step> {
    let mut events = events.into_iter();
    play(&mut device(spec), Start::Launched, Seed(1), |_| events.next().cloned())
}
