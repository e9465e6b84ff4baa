//! Blind exploration with Android Monkey's mix: what it finds, and what is left of it.

use retap_explore::{Explorer, Monkey, MonkeySettings};
use retap_lab::{Budget, EpisodeEnd, Expedition};
use retap_trace::{Crash, Event, Micros, Seed, Trace};

use crate::bugs::UNNAMED_TAG;
use crate::play::{Phone, SPEC};
use crate::reduce::ddmin;

/// A crash after fewer events than this is not worth a tool.
const LONG: usize = 300;

/// The first crash that took Monkey many events.
pub(crate) fn long_crash(seed: u64) -> Option<(Crash, Trace)> {
    let phone = Phone::new(SPEC);
    let budget = Budget { events: 200_000, time: Micros(u64::MAX) };
    let mut header = phone.header();
    header.seed = Some(seed);
    let mut expedition = Expedition::new(Box::new(phone.0), 0, Seed(seed), budget, header);
    let make =
        |seed: Seed| -> Box<dyn Explorer> { Box::new(Monkey::new(MonkeySettings::default(), seed.dice())) };
    while !expedition.over() {
        let episode = expedition.episode(&make, &mut |_| {}, &|| false).expect("the device does not fail");
        if let EpisodeEnd::Crash(crash) = episode.end
            && episode.trace.steps.len() >= LONG
        {
            return Some((*crash, episode.trace));
        }
    }
    None
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
