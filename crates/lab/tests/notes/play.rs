//! Plays events on a phone with the app, and tells what came of them.

use retap_device::{Device as _, Look};
use retap_lab::{Deadlines, Replay};
use retap_model::Keyer;
use retap_sim::SimDevice;
use retap_trace::{AppId, Crash, Event, Header, Observation, Seed, Start, Step};

use crate::deed::{Deed, aimed};

/// The app as users ask for it.
pub(crate) const SPEC: &str = "sim:notes";

const HEALTHY: &str = "simulated devices do not fail unless asked to";

/// A phone with the app.
pub(crate) struct Phone(pub(crate) SimDevice);

impl Phone {
    pub(crate) fn new(spec: &str) -> Self {
        let device = SimDevice::open(spec, &|path| Err(format!("{path} is not needed")));
        Self(device.unwrap_or_else(|error| panic!("{error}")))
    }

    /// The header of traces that are recorded on it.
    pub(crate) fn header(&self) -> Header {
        let app = self.0.machine().program().app();
        Header {
            app: AppId { package: app.package.clone(), build: Some(app.build.to_string()) },
            start: Start::Launched,
            device: Some(SPEC.to_owned()),
            screen: Some(self.0.screen()),
            ..Header::new(app.package.clone())
        }
    }

    /// Plays events on a launched app, and waits for what comes late. The first crash, and how many events it
    /// took, ends the run.
    pub(crate) fn run<'a>(
        &mut self,
        events: impl IntoIterator<Item = &'a Event>,
        seed: u64,
    ) -> Option<(Crash, usize)> {
        let mut replay = Replay::new(&mut self.0, Deadlines::default(), Look::Activity);
        replay.begin(Start::Launched, Seed(seed)).expect(HEALTHY);
        let mut played = 0;
        for event in events {
            played += 1;
            if let Some(crash) = replay.perform(event).expect(HEALTHY).crashes.pop() {
                return Some((crash, played));
            }
        }
        replay.linger().expect(HEALTHY).crashes.pop().map(|crash| (crash, played))
    }

    /// Whether events end in this crash.
    pub(crate) fn reaches<'a>(
        &mut self,
        events: impl IntoIterator<Item = &'a Event>,
        signature: &str,
        seed: u64,
    ) -> bool {
        self.run(events, seed).is_some_and(|(crash, _)| *crash.signature.0 == *signature)
    }

    /// The events of deeds, one after the other from a launched app.
    pub(crate) fn events_of(&mut self, deeds: &[Deed]) -> Vec<Event> {
        let mut deeds = deeds.iter();
        let steps = self.record(1, |seen| deeds.next().map(|deed| deed.event(seen)));
        steps.into_iter().map(|step| step.event).collect()
    }

    /// Events in words, with the widgets that they meet when they are played alone. A trace of which they are a
    /// part may have met others at the same places.
    pub(crate) fn words_of<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) -> Vec<String> {
        let mut events = events.into_iter();
        let steps = self.record(1, |seen| events.next().map(|event| aimed(event.clone(), seen)));
        steps.iter().map(|step| step.event.to_string()).collect()
    }

    /// The screen after these events.
    pub(crate) fn look_after(&mut self, events: &[Event]) -> Observation {
        let mut replay = Replay::new(&mut self.0, Deadlines::default(), Look::Tree);
        let seen = replay.begin(Start::Launched, Seed(1)).expect(HEALTHY);
        events.iter().fold(seen, |_, event| replay.perform(event).expect(HEALTHY))
    }

    /// Plays what `next` chooses on each screen, and notes what was seen around it.
    pub(crate) fn record(
        &mut self,
        seed: u64,
        mut next: impl FnMut(&Observation) -> Option<Event>,
    ) -> Vec<Step> {
        let mut replay = Replay::new(&mut self.0, Deadlines::default(), Look::Tree);
        let mut keyer = Keyer::default();
        let mut seen = replay.begin(Start::Launched, Seed(seed)).expect(HEALTHY);
        let began = replay.now();
        let mut steps = Vec::new();
        while let Some(event) = next(&seen) {
            let (at, before) = (replay.now().since(began), keyer.seen(&seen));
            seen = replay.perform(&event).expect(HEALTHY);
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
}
