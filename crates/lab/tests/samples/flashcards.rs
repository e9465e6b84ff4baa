//! The flash cards [TimeMachine, section 3.2]: a crash behind a loop and a dead end.

use retap_explore::{Monkey, MonkeySettings};
use retap_lab::{Exploration, ExplorationSettings, SegmentEnd};
use retap_trace::{Seed, Start};

use crate::play::device;
use crate::recorder::Sample;
use crate::runs::{Runs, all, without};

const FLASHCARDS: Sample = Sample {
    name: "flashcards",
    device: "sim:flashcards",
    start: Start::Launched,
    seed: 1,
    target: None,
    note: "68 events, of which 10 matter: through the folders, down the form, to the first card",
    script: include_str!("scripts/flashcards.script"),
};

/// Import a file; Android, data, export, words.csv; a name; two swipes down the form; create; show the answer.
const ANSWER: [u32; 10] = [10, 38, 39, 41, 42, 58, 61, 63, 65, 67];

#[test]
fn ten_events_crash_it_and_no_nine_of_them() {
    let trace = FLASHCARDS.trace();
    assert!(trace.steps.len() > 60);
    let last = trace.steps.last().and_then(|step| step.crash.as_ref()).expect("the last event crashes it");
    assert_eq!(last.exception, "java.lang.ArrayIndexOutOfBoundsException");
    let mut runs = Runs::new(&trace, FLASHCARDS.device);
    assert_eq!(runs.count(&all(&trace), 20), 20);
    assert_eq!(runs.count(&ANSWER, 20), 20);
    for gone in ANSWER {
        assert!(
            !runs.reaches(&without(&ANSWER, gone)),
            "without step {gone}: {}",
            trace.steps[gone as usize].event
        );
    }
}

/// How many of so many walks of 500 random events crash the app.
fn crashes(walks: u64, aware: bool) -> usize {
    let crashed = |seed: u64| {
        let settings = ExplorationSettings { events: 500, ..ExplorationSettings::default() };
        let monkey = MonkeySettings { aware, ..MonkeySettings::default() };
        let monkey = Monkey::new(monkey, Seed(seed).branch("explorer", 0).dice());
        let mut walk = Exploration::new(settings, Box::new(monkey), "org.retap.flashcards", 1);
        let phone = Box::new(device(FLASHCARDS.device));
        let (_, ends) = walk.virtually(vec![phone], Seed(seed), &mut |_| true);
        ends.iter().any(|(_, end)| matches!(end, SegmentEnd::Crash(_)))
    };
    (0..walks).filter(|&seed| crashed(seed)).count()
}

#[test]
fn random_testing_rarely_gets_there() {
    assert_eq!(crashes(20, false), 0, "blind");
    assert!(crashes(20, true) <= 1, "aiming at widgets");
}
