//! The trees of the 92 traces that SimplyDroid published, where their logs are at hand.

use std::fs;
use std::path::Path;

use retap_model::Hierarchy;
use retap_trace::StateKey;

/// The activity in which each event was done: that on the last line before the event's throttle line.
fn states(log: &str) -> Vec<StateKey> {
    let mut states = Vec::new();
    let mut activity = None;
    for line in log.lines().filter(|line| !line.starts_with("//")) {
        let fields: Vec<&str> = line.split(';').collect();
        let &[_, class, _, here, _] = fields.as_slice() else { panic!("not a line of a log: {line}") };
        if class == "MonkeyThrottleEvent" {
            states.push(activity.expect("a line stands before the first throttle line"));
        }
        activity = Some(StateKey::of_activity(here));
    }
    states
}

/// Parents as the golden file has them: events from 1, the root's parent is 0.
fn parents(tree: &Hierarchy) -> String {
    let parents = (0..tree.len()).map(|node| tree.parent(node).map_or(0, |parent| parent + 1).to_string());
    parents.collect::<Vec<_>>().join(" ")
}

fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Trace 42 (Dalvik Explorer, the second), with a letter for each activity.
#[test]
fn a_trace_of_ten_activities_gives_the_golden_tree() {
    let letters = "AABCCCCCCCCCCCCCCAADDDDDDDDDAAABCAEFGGGGGGGGGGGAAAAAHHHHHHAIJJJJJJJJJJJJJJJ";
    // A parent, and how many events after each other have it.
    let golden = [
        (0, 1),
        (1, 1),
        (2, 1),
        (3, 14),
        (1, 2),
        (19, 9),
        (1, 3),
        (31, 1),
        (32, 1),
        (1, 1),
        (34, 1),
        (35, 1),
        (36, 11),
        (1, 5),
        (52, 6),
        (1, 1),
        (59, 1),
        (60, 15),
    ];
    let golden: Vec<String> =
        golden.iter().flat_map(|(parent, times): &(u32, usize)| vec![parent.to_string(); *times]).collect();
    let states: Vec<StateKey> =
        letters.chars().map(|letter| StateKey::of_activity(&letter.to_string())).collect();
    let tree = Hierarchy::new(&states);
    assert_eq!(parents(&tree), golden.join(" "));
    assert_eq!((tree.len(), tree.level_of_last(), tree.deepest_level()), (75, 3, 4));
}

#[test]
fn published_traces_give_the_golden_trees() {
    let Some(data) = retap_testing::recordings("simplydroid") else { return };
    let golden = read(&data.join("hierarchy_parents.csv"));
    let (mut traces, mut not_deepest) = (0, 0);
    for line in golden.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let &[number, app, nth, events, expected] = fields.as_slice() else {
            panic!("not a golden line: {line}")
        };
        // One trace has a second recording beside it (`execute2.log`); the golden tree is that of the first.
        let log = read(&data.join("traces").join(app).join(nth).join("execute.log"));
        let tree = Hierarchy::new(&states(&log));
        assert_eq!(tree.len().to_string(), events, "trace {number}, {app} {nth}");
        assert_eq!(parents(&tree), expected.trim(), "trace {number}, {app} {nth}");
        traces += 1;
        not_deepest += usize::from(tree.level_of_last() < tree.deepest_level());
    }
    assert_eq!((traces, not_deepest), (92, 22));
}
