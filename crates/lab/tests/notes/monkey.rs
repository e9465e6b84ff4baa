//! Blind exploration with Android Monkey's mix: what it finds, and what is left of it.

use retap_explore::{Monkey, MonkeySettings};
use retap_lab::{Exploration, ExplorationSettings, Segment};
use retap_trace::{Crash, Event, Seed, Trace};

use crate::bugs::UNNAMED_TAG;
use crate::play::{Phone, SPEC};
use crate::reduce::ddmin;

/// A crash after fewer events than this is not worth a tool.
const LONG: usize = 300;

/// The first crash that took Monkey many events.
pub(crate) fn long_crash(seed: u64) -> Option<(Crash, Trace)> {
    let phone = Phone::new(SPEC);
    let mut header = phone.header();
    header.seed = Some(seed);
    let settings = ExplorationSettings { events: 200_000, ..ExplorationSettings::default() };
    let monkey = Monkey::new(MonkeySettings::default(), Seed(seed).branch("explorer", 0).dice());
    let mut exploration = Exploration::new(settings, Box::new(monkey), &*header.app.package, 1);
    let found = |exploration: &Exploration| {
        let long = exploration
            .segments()
            .iter()
            .find(|segment| segment.steps.len() >= LONG && crash_of(segment).is_some())?;
        Some((crash_of(long)?.clone(), long.steps.clone()))
    };
    // Asked after each report, so only the last leg can be new.
    let mut go_on = |exploration: &Exploration| {
        exploration
            .segments()
            .iter()
            .last()
            .is_none_or(|segment| segment.steps.len() < LONG || crash_of(segment).is_none())
    };
    exploration.virtually(vec![Box::new(phone.0)], Seed(seed), &mut go_on);
    found(&exploration).map(|(crash, steps)| (crash, Trace { header, steps }))
}

fn crash_of(segment: &Segment) -> Option<&Crash> {
    segment.steps.last().and_then(|step| step.crash.as_ref())
}

#[test]
fn what_monkey_finds_becomes_the_four_taps() {
    let mut phone = Phone::new(SPEC);
    let known: Vec<String> = UNNAMED_TAG.events().iter().map(Event::to_string).collect();
    for seed in 1..=12 {
        let (crash, trace) = long_crash(seed).unwrap_or_else(|| panic!("seed {seed}: no long crash"));
        assert_eq!(&*crash.signature.0, UNNAMED_TAG.signature, "seed {seed}");
        let events: Vec<Event> = trace.events().cloned().collect();
        let kept = ddmin(&mut phone, &events, UNNAMED_TAG.signature);
        let kept: Vec<&Event> = kept.iter().map(|&position| &events[position]).collect();
        assert_eq!(phone.words_of(kept.iter().copied()), known, "seed {seed}");
        for run in 1..=20 {
            assert!(
                phone.reaches(kept.iter().copied(), UNNAMED_TAG.signature, run),
                "seed {seed}, run {run}"
            );
        }
    }
}
