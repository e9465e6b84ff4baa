use super::*;
use crate::scripted::{code, input, path, run};

fn evidence(input: &SuiteInput, forgive: u32) -> Evidence {
    Evidence::new(input.items.len(), forgive)
}

#[test]
fn runs_of_different_paths_share_what_they_have_in_common() {
    let input = input(&["0 a>1:7 b>2:8", "0 a>1:7 c>3:9"]);
    let (left, right) = (path(&input, 0), path(&input, 1));
    let mut evidence = evidence(&input, 0);
    assert_eq!(evidence.note(&input, &left, &run("0 a>1:7 b>2:8"), Purpose::Search), Noted::Whole);
    assert_eq!(evidence.note(&input, &right, &run("0 a>1:7 c>4"), Purpose::Confirm), Noted::Diverged(2));
    let shared = evidence.node(evidence.find(&left[..2]).unwrap());
    assert_eq!((shared.followed, shared.fresh, shared.diverged), (2, 0, 0));
    let failed = evidence.find(&right).unwrap();
    assert_eq!(evidence.standing(failed), Standing::Dead);
    assert_eq!(evidence.node(failed).stray, Some(StateKey(4)));
    assert_eq!((evidence.dead_prefix(&right), evidence.dead_prefix(&left)), (Some(3), None));
    assert_eq!(evidence.followed_prefix(&right).1, 2);
    assert_eq!(evidence.path(evidence.find(&left).unwrap()), left);
}

/// The app may die late after a step by which a run only passes.
#[test]
fn a_run_confirms_what_it_ends_with() {
    let input = input(&["0 a>1:7 b>2:8"]);
    let whole = path(&input, 0);
    let mut evidence = evidence(&input, 0);
    for run in ["0 a>1:7 b>2:8", "0 a>1:7 b>2:8", "0 a>1:7 b>3"] {
        evidence.note(&input, &whole, &self::run(run), Purpose::Confirm);
    }
    evidence.note(&input, &whole[..2], &run("0 a>1:7"), Purpose::Confirm);
    let fresh = [1, 2, 3].map(|length| evidence.node(evidence.find(&whole[..length]).unwrap()).fresh);
    assert_eq!(fresh, [0, 1, 2]);
}

#[test]
fn an_app_that_starts_elsewhere_is_not_followed_at_all() {
    let input = input(&["0 a>1"]);
    let mut evidence = evidence(&input, 0);
    let whole = path(&input, 0);
    assert_eq!(evidence.note(&input, &whole, &run("5 a>1"), Purpose::Search), Noted::Diverged(0));
    assert_eq!(evidence.dead_prefix(&whole), Some(1));
    let blind = Followed { start: None, ..run("0 a>1") };
    assert_eq!(evidence.note(&input, &whole, &blind, Purpose::Search), Noted::Whole, "nobody looked");
}

#[test]
fn what_proves_nothing_leaves_no_trace() {
    let input = input(&["0 a>1 b>2"]);
    let mut evidence = evidence(&input, 0);
    let whole = path(&input, 0);
    let failed = Followed { inconclusive: true, ..run("0 a>1 b>2") };
    assert_eq!(evidence.note(&input, &whole, &failed, Purpose::Confirm), Noted::Nothing);
    assert_eq!(evidence.note(&input, &whole, &run("0 a>1"), Purpose::Confirm), Noted::Nothing);
    assert_eq!(evidence.find(&whole), None);
}

#[test]
fn an_item_is_held_when_every_run_to_the_end_covered_it() {
    let input = input(&["0 a>1:7,8 b>2:9", "0 a>1:7,8 c>3"]);
    let (whole, other) = (path(&input, 0), path(&input, 1));
    let mut evidence = evidence(&input, 0);
    let held = |evidence: &Evidence, id: u32| {
        let node = evidence.find(&whole).unwrap();
        evidence.held(node).contains(&code(&input, id))
    };
    evidence.note(&input, &whole, &run("0 a>1:7 b>2:8,9"), Purpose::Search);
    assert!(held(&evidence, 7) && held(&evidence, 8) && held(&evidence, 9));
    // Executed a step earlier, it is covered all the same.
    evidence.note(&input, &whole, &run("0 a>1:7,8 b>2"), Purpose::Search);
    assert!(held(&evidence, 7) && held(&evidence, 8) && !held(&evidence, 9));
    // A run that goes elsewhere may be the one that covered it.
    evidence.note(&input, &other, &run("0 a>1:7 c>3"), Purpose::Search);
    assert!(held(&evidence, 7) && !held(&evidence, 8), "who knows which of the three it was");
}

#[test]
fn of_twenty_runs_one_may_miss_an_item() {
    let input = input(&["0 a>1:7"]);
    let whole = path(&input, 0);
    let mut evidence = evidence(&input, 0);
    let mut held = Vec::new();
    for number in 0..21 {
        let seen = if number == 3 || number == 20 { run("0 a>1") } else { run("0 a>1:7") };
        evidence.note(&input, &whole, &seen, Purpose::Confirm);
        held.push(evidence.held(evidence.find(&whole).unwrap()).contains(&code(&input, 7)));
    }
    assert_eq!(held[..3], [true; 3]);
    assert_eq!(held[3..19], [false; 16]);
    assert_eq!(held[19..], [true, false]);
}

#[test]
fn where_the_app_flakes_one_failure_is_no_proof() {
    let input = input(&["0 a>1", "0 b>2"]);
    let (varying, other) = (path(&input, 0), path(&input, 1));
    let mut evidence = evidence(&input, 0);
    evidence.note(&input, &other, &run("0 b>9"), Purpose::Search);
    assert_eq!(evidence.standing(evidence.find(&other).unwrap()), Standing::Dead);
    for text in ["0 a>1", "0 a>9"] {
        evidence.note(&input, &varying, &run(text), Purpose::Search);
    }
    assert!(evidence.flaky());
    assert_eq!(
        evidence.standing(evidence.find(&other).unwrap()),
        Standing::Doubtful,
        "it may have been chance"
    );
    let node = evidence.find(&varying).unwrap();
    assert_eq!(evidence.standing(node), Standing::Doubtful);
    assert_eq!(evidence.failed_up_to(&input, node), 1);
    evidence.note(&input, &other, &run("0 b>9"), Purpose::Search);
    evidence.note(&input, &varying, &run("0 a>9"), Purpose::Search);
    assert_eq!(evidence.standing(evidence.find(&other).unwrap()), Standing::Dead);
    assert_eq!(evidence.standing(node), Standing::Dead);
    assert_eq!(evidence.standings()[node.index()], Standing::Dead);
}

#[test]
fn an_event_that_varies_after_one_prefix_is_not_trusted_after_another() {
    let input = input(&["0 a>1 b>0 a>1"]);
    let whole = path(&input, 0);
    let mut evidence = evidence(&input, 0);
    for text in ["0 a>1 b>0 a>1", "0 a>1 b>0 a>1", "0 a>7"] {
        evidence.note(&input, &whole, &run(text), Purpose::Confirm);
    }
    let [first, last] = [2, 4].map(|length| evidence.find(&whole[..length]).unwrap());
    assert_eq!(evidence.failed_up_to(&input, first), 1);
    assert_eq!(evidence.node(last).diverged, 0);
    assert_eq!(evidence.failed_up_to(&input, last), 1);
    assert_eq!(evidence.failures_up_to(last), 1);
    assert_eq!(evidence.failing_prefix(&whole), Some(2));
}

#[test]
fn rare_failures_of_many_runs_do_not_count() {
    let input = input(&["0 a>1"]);
    let whole = path(&input, 0);
    let mut evidence = evidence(&input, 0);
    for number in 0..121 {
        let text = if number % 61 == 60 { "0 a>9" } else { "0 a>1" };
        evidence.note(&input, &whole, &run(text), Purpose::Confirm);
    }
    let node = evidence.find(&whole).unwrap();
    assert_eq!((evidence.node(node).followed, evidence.node(node).diverged), (120, 1));
    assert_eq!(evidence.failed_up_to(&input, node), 0);
    assert_eq!(evidence.standing(node), Standing::Doubtful);
}

#[test]
fn times_are_measured_where_a_path_was_run_to_its_end() {
    let input = input(&["0 a>1 b>2"]);
    let whole = path(&input, 0);
    let mut evidence = evidence(&input, 0);
    evidence.note(&input, &whole, &run("0 a>1 b>2"), Purpose::Confirm);
    evidence.note(
        &input,
        &whole,
        &Followed { took: Micros::from_secs(20), ..run("0 a>1 b>2") },
        Purpose::Confirm,
    );
    let [half, end] = [2, 3].map(|length| evidence.find(&whole[..length]).unwrap());
    assert_eq!((evidence.measured(half), evidence.measured(end)), (None, Some(Micros::from_secs(16))));
    assert_eq!((evidence.node(half).runs(), evidence.node(end).runs()), (0, 2));
    assert_eq!(evidence.covered_at(end, &[input.transition(whole[2]).mark.unwrap()]), [2]);
}

/// A run that begins in a snapshot of one whose first step was lucky.
#[test]
fn runs_from_snapshots_say_no_more_than_one_run() {
    let input = input(&["0 a>1:7 b>2:8"]);
    let whole = path(&input, 0);
    let mut evidence = evidence(&input, 0);
    let restored = Followed { recalled: Some(1), ..run("0 a>1:7 b>2:8") };
    for purpose in [Purpose::Search, Purpose::Search, Purpose::Confirm] {
        assert_eq!(evidence.note(&input, &whole, &restored, purpose), Noted::Whole);
    }
    let [first, end] = [2, 3].map(|length| evidence.find(&whole[..length]).unwrap());
    let held = |evidence: &Evidence, id| evidence.held(end).contains(&code(&input, id));
    assert_eq!(
        (evidence.node(end).followed, evidence.node(end).follows(), evidence.node(end).fresh),
        (3, 1, 0)
    );
    assert!(held(&evidence, 7) && held(&evidence, 8), "it is all there is");

    evidence.note(&input, &whole, &run("0 a>9"), Purpose::Search);
    assert!(evidence.flaky(), "it was followed and it was not");
    assert_eq!(evidence.failed_up_to(&input, end), 1);
    assert_eq!(evidence.standing(first), Standing::Doubtful);
    evidence.note(&input, &whole, &run("0 a>9"), Purpose::Search);
    assert_eq!(evidence.standing(first), Standing::Dead, "one lucky run does not outweigh two");

    // From now on clean runs tell what is covered.
    evidence.note(&input, &whole, &run("0 a>1 b>2:8"), Purpose::Confirm);
    assert!(!held(&evidence, 7) && held(&evidence, 8));
    assert_eq!((evidence.runs_to(end), evidence.covered_times(end, code(&input, 7))), (1, 0));
    assert_eq!((evidence.node(end).fresh, evidence.node(end).follows()), (1, 1));
}
