//! The file browser [DetReduce, examples 2.1 to 2.4]: the states and the code of each example, and what becomes
//! of it without its loops.

use std::collections::{BTreeMap, BTreeSet};

use retap_trace::{CoverageId, Event, Level, Start, StateKey, Step, Trace};

use crate::play::replay;
use crate::recorder::Sample;

const PLAIN: &str = "sim:filebrowser";
const COVERED: &str = "sim:filebrowser?covered=1";

const SAMPLE: Sample = Sample {
    name: "",
    device: PLAIN,
    start: Start::Launched,
    seed: 1,
    target: None,
    note: "",
    script: include_str!("scripts/filebrowser-menu.script"),
};
const MENU: Sample =
    Sample { name: "filebrowser-menu", note: "a redundant loop [DetReduce, example 2.1]", ..SAMPLE };
const MENU_COVERED: Sample = Sample {
    name: "filebrowser-menu-covered",
    device: COVERED,
    note: "a loop with code of its own [DetReduce, example 2.2]",
    ..SAMPLE
};
const NESTED: Sample = Sample {
    name: "filebrowser-nested",
    note: "folders that look alike [DetReduce, example 2.3]",
    script: include_str!("scripts/filebrowser-nested.script"),
    ..SAMPLE
};
const SPLICE: [Sample; 3] = [
    Sample {
        name: "filebrowser-splice-1",
        note: "the first of three traces to splice [DetReduce, example 2.4]",
        script: include_str!("scripts/filebrowser-splice-1.script"),
        ..SAMPLE
    },
    Sample {
        name: "filebrowser-splice-2",
        note: "the second of three traces to splice [DetReduce, example 2.4]",
        script: include_str!("scripts/filebrowser-splice-2.script"),
        ..SAMPLE
    },
    Sample {
        name: "filebrowser-splice-3",
        note: "the third of three traces to splice [DetReduce, example 2.4]",
        script: include_str!("scripts/filebrowser-splice-3.script"),
        ..SAMPLE
    },
];

/// The levels at which the examples hold.
const LEVELS: [Level; 2] = [Level::Actionable, Level::Layout];

/// Gives states numbers in the order of first sight, as the paper does.
#[derive(Default)]
struct Names(Vec<StateKey>);

impl Names {
    /// The states that the steps walk through, the first one included.
    fn walk(&mut self, steps: &[Step], level: Level) -> Vec<usize> {
        let first = steps.first().and_then(|step| step.before.as_ref());
        let seen = first.into_iter().chain(steps.iter().filter_map(|step| step.after.as_ref()));
        seen.map(|seen| self.number(seen.key(level).expect("the tree was looked at"))).collect()
    }

    fn number(&mut self, key: StateKey) -> usize {
        let known = self.0.iter().position(|known| *known == key);
        known.unwrap_or_else(|| {
            self.0.push(key);
            self.0.len() - 1
        })
    }
}

fn walk(steps: &[Step], level: Level) -> Vec<usize> {
    Names::default().walk(steps, level)
}

/// The code that each step was the first to execute.
fn gains(steps: &[Step]) -> Vec<BTreeSet<CoverageId>> {
    steps.iter().map(|step| step.coverage.iter().copied().collect()).collect()
}

fn coverage(steps: &[Step]) -> BTreeSet<CoverageId> {
    gains(steps).into_iter().flatten().collect()
}

fn event(trace: &Trace, position: usize) -> &Event {
    &trace.steps[position].event
}

#[test]
fn a_loop_without_code_can_go() {
    let trace = MENU.trace();
    let [open, close, again, option] = gains(&trace.steps).try_into().expect("four events");
    assert!(open.is_empty() && close.is_empty() && again.is_empty() && !option.is_empty());
    let shorter = replay(PLAIN, trace.events().skip(2));
    assert_eq!(coverage(&shorter), coverage(&trace.steps));
    for level in LEVELS {
        assert_eq!(walk(&trace.steps, level), [0, 1, 0, 1, 2], "{level}");
        assert_eq!(walk(&shorter, level), [0, 1, 2], "{level}");
    }
}

#[test]
fn a_loop_with_code_of_its_own_must_stay() {
    let trace = MENU_COVERED.trace();
    let [open, close, again, option] = gains(&trace.steps).try_into().expect("four events");
    assert!(!open.is_empty() && !close.is_empty() && again.is_empty() && !option.is_empty());
    assert!(open.is_disjoint(&close) && open.is_disjoint(&option) && close.is_disjoint(&option));
    for level in LEVELS {
        assert_eq!(walk(&trace.steps, level), [0, 1, 0, 1, 2], "{level}");
    }
    let shorter = coverage(&replay(COVERED, trace.events().skip(2)));
    let lost: BTreeSet<_> = coverage(&trace.steps).difference(&shorter).copied().collect();
    assert_eq!(lost, close, "without the loop, the code of closing is not executed");
}

#[test]
fn folders_that_look_alike_are_not_alike() {
    let trace = NESTED.trace();
    let [first, second, third] = gains(&trace.steps).try_into().expect("three events");
    assert!(!first.is_empty() && second.is_empty() && !third.is_empty());
    for level in LEVELS {
        assert_eq!(walk(&trace.steps, level), [0, 0, 0, 1], "{level}");
    }
    assert_eq!(walk(&trace.steps, Level::Full), [0, 1, 2, 3], "the path is on the screen");
    let shorter = replay(PLAIN, trace.events().skip(1));
    assert!(coverage(&shorter).is_disjoint(&third), "two taps do not get to the pictures");
    assert_eq!(walk(&shorter, Level::Layout), [0, 0, 0]);
}

#[test]
fn three_traces_splice_to_one() {
    let traces = SPLICE.map(|sample| sample.trace());
    assert_eq!(traces.iter().map(|trace| trace.steps.len()).sum::<usize>(), 13);
    let [first, second, third] = &traces;
    let spliced = [
        event(first, 0),
        event(first, 1),
        event(first, 2),
        event(first, 3),
        event(second, 2),
        event(second, 3),
        event(third, 3),
    ];
    let spliced = replay(PLAIN, spliced);
    for level in LEVELS {
        let mut names = Names::default();
        assert_eq!(names.walk(&first.steps, level), [0, 1, 2, 3, 4], "{level}");
        assert_eq!(names.walk(&second.steps, level), [0, 1, 4, 2, 3, 4], "{level}");
        assert_eq!(names.walk(&third.steps, level), [0, 1, 2, 3, 5], "{level}");
        assert_eq!(names.walk(&spliced, level), [0, 1, 2, 3, 4, 2, 3, 5], "{level}");
    }
    let all: BTreeSet<_> = traces.iter().flat_map(|trace| coverage(&trace.steps)).collect();
    assert_eq!(coverage(&spliced), all);
}

#[test]
fn equal_letters_are_equal_events_with_equal_code() {
    let traces = SPLICE.map(|sample| sample.trace());
    let [first, second, third] = traces.each_ref().map(|trace| gains(&trace.steps));
    let code = [&first[0], &first[1], &first[2], &first[3], &second[2], &third[3]];
    let spelled =
        |word: &str| word.bytes().map(|letter| code[usize::from(letter - b'a')].clone()).collect::<Vec<_>>();
    assert_eq!(first, spelled("abcd"));
    assert_eq!(second[..4], spelled("adec"));
    assert!(second[4].is_empty(), "the second d executes nothing new");
    assert_eq!(third, spelled("abcf"));

    let together: BTreeSet<_> = code.into_iter().flatten().collect();
    assert!(code.iter().all(|set| !set.is_empty()));
    assert_eq!(code.iter().map(|set| set.len()).sum::<usize>(), together.len(), "no two letters share code");

    let mut events = BTreeMap::new();
    for (trace, word) in traces.iter().zip(["abcd", "adecd", "abcf"]) {
        assert_eq!(trace.steps.len(), word.len());
        for (event, letter) in trace.events().zip(word.chars()) {
            assert_eq!(event, *events.entry(letter).or_insert(event), "{letter}");
        }
    }
}
