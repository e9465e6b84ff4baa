//! What the models promise, and the arithmetic of the tables.

use retap_trace::{Dice, Seed};

use super::kept::{Done, Kept, Key};
use super::model::{App, End, Flaws, Line, Model};
use super::oracle::{self, Judge};
use super::subject::{Kind, Subject};
use super::summary::{Group, Mean};
use super::tool::Tool;
use super::variant::Variant;

/// Activities 0, 0, 0, 1, 1: event 2 leads from the first to the second, event 4 reaches the target there.
fn small(flaws: Flaws) -> Model {
    Model { app: App::Activities(vec![0, 0, 0, 1, 1]), flaws }
}

fn lines(events: &[u32]) -> Vec<Line> {
    events.iter().copied().map(Some).collect()
}

fn dice() -> Dice {
    Seed(1).dice()
}

#[track_caller]
fn assert_rate(model: &Model, lines: &[Line], rate: f64) {
    let exact = model.exact_rate(lines);
    assert!((exact - rate).abs() < 1e-12, "{exact} and not {rate}");
}

#[test]
fn a_run_ends_at_its_target() {
    let model = small(Flaws::NONE);
    let reached = |executed| End { reached: true, executed, activity: None };
    assert_eq!(model.run(&lines(&[0, 2, 4]), &mut dice()), reached(3));
    assert_eq!(model.run(&lines(&[0, 1, 2, 3, 4]), &mut dice()), reached(5));
    // Not launched; not in the activity of the last event; not to the end.
    for (events, activity) in [(&[2, 4][..], None), (&[0, 4], Some(0)), (&[0, 2], Some(1)), (&[], None)] {
        let missed = End { reached: false, executed: events.len() as u64, activity };
        assert_eq!(model.run(&lines(events), &mut dice()), missed);
        assert_rate(&model, &lines(events), 0.0);
    }
    assert_rate(&model, &lines(&[0, 2, 4]), 1.0);
}

#[test]
fn exact_rates_are_those_that_a_hand_computes() {
    let lossy = small(Variant::V1.flaws());
    assert_rate(&lossy, &lines(&[0, 2, 4]), 0.98);
    // An event that changes nothing is not lost, and a second one that leads on is a second chance.
    assert_rate(&lossy, &lines(&[0, 1, 2, 3, 4]), 0.98);
    let twice = Model { app: App::Activities(vec![0, 0, 1, 0, 1]), ..lossy };
    assert_rate(&twice, &lines(&[0, 1, 3, 4]), 1.0 - 0.02 * 0.02);
    let covered = small(Variant::V2.flaws());
    assert_rate(&covered, &lines(&[0, 2, 4]), 0.5);
    assert_rate(&covered, &lines(&[0, 1, 2, 4]), 1.0);
    let both = small(Variant::V3.flaws());
    assert_rate(&both, &lines(&[0, 2, 4]), 0.5 * 0.95);
    assert_rate(&both, &lines(&[0, 1, 2, 4]), 0.95);
}

#[test]
fn a_changed_line_does_nothing_not_even_close_a_dialog() {
    let covered = small(Variant::V2.flaws());
    assert_rate(&covered, &[Some(0), None, Some(2), Some(4)], 0.5);
    let end = small(Flaws::NONE).run(&[None, Some(0), None, Some(2), Some(4)], &mut dice());
    assert_eq!(end, End { reached: true, executed: 5, activity: None });
}

#[test]
fn measured_rates_are_the_exact_ones() {
    let walk = App::Activities(vec![0, 0, 1, 2, 1, 0, 1, 2, 2]);
    let needed = App::Needed(vec![false, true, false, true, false, false, false, false, false]);
    for variant in Variant::ALL {
        let app = if variant.is_of_traces() { walk.clone() } else { needed.clone() };
        let model = Model { app, flaws: variant.flaws() };
        for events in [&[0, 1, 2, 8][..], &[0, 1, 2, 3, 4, 5, 6, 7, 8], &[0, 1, 5, 6, 8], &[0, 3, 8]] {
            let lines = lines(events);
            let runs = 20_000;
            let run = |number: &u64| model.run(&lines, &mut Seed(7).branch("run", *number).dice()).reached;
            #[expect(clippy::cast_precision_loss, reason = "few runs")]
            let measured = (0..runs).filter(run).count() as f64 / runs as f64;
            let exact = model.exact_rate(&lines);
            assert!((measured - exact).abs() < 0.015, "{variant:?} {events:?}: {measured} and {exact}");
        }
    }
}

#[test]
fn needed_events_count_in_any_order_and_the_last_ends_the_run() {
    let model = Model { app: App::Needed(vec![false, true, false, true, false]), flaws: Flaws::NONE };
    assert_eq!(model.run(&lines(&[0, 1, 3, 4]), &mut dice()).executed, 3);
    assert_eq!(model.run(&lines(&[3, 3, 0, 1, 4]), &mut dice()).executed, 4);
    assert!(!model.run(&lines(&[0, 1, 1, 4]), &mut dice()).reached);
    let flaky = Model { flaws: Variant::P90.flaws(), ..model };
    assert_rate(&flaky, &lines(&[1, 3]), 0.9);
    assert_rate(&flaky, &lines(&[0, 1, 2, 4]), 0.0);
}

#[test]
fn a_model_survives_its_file_and_knows_its_lines() {
    let subject = Subject::list(50, 3, Seed(4));
    let model = Model { app: subject.app.clone(), flaws: Variant::P90.flaws() };
    let file = oracle::write(&model, &subject.lines, Seed(9)).unwrap();
    let judge = Judge::read(&file).unwrap();
    assert_eq!(judge.model, model);
    assert_eq!(judge.lines(subject.text().as_bytes()), (0..50).map(Some).collect::<Vec<_>>());
    // Blank lines are no events; changed lines are, and stand for none of the list.
    let candidate = format!("{}\n\n  \n{} \nTap\n{}", subject.lines[4], subject.lines[5], subject.lines[7]);
    assert_eq!(judge.lines(candidate.as_bytes()), [Some(4), None, None, Some(7)]);
}

#[test]
fn a_trace_names_the_lines_of_its_steps() {
    let subject = Subject {
        name: "small".into(),
        app: App::Activities(vec![0, 0, 1]),
        lines: ["1 LaunchActivity(a, b)", "2 Tap(1.0, 2.0, 0)", "3 DispatchPress(4)"]
            .map(String::from)
            .to_vec(),
        activities: Some(["A", "A", "B"].map(String::from).to_vec()),
    };
    let model = Model { app: subject.app.clone(), flaws: Flaws::NONE };
    let file = oracle::write(&model, &subject.lines, Seed(1)).unwrap();
    let trace = String::from_utf8(subject.trace().unwrap().unwrap()).unwrap();
    assert_eq!(Judge::read(&file).unwrap().lines(trace.as_bytes()), [Some(0), Some(1), Some(2)]);
    assert!(trace.contains(r#"{"event":{"do":"key","key":"back"},"before":{"activity":"B"}"#), "{trace}");
    assert!(Subject::list(5, 1, Seed(1)).trace().is_none());
}

#[test]
fn lists_have_as_many_needed_events_as_they_say() {
    let count = |app: &App| match app {
        App::Needed(needed) => needed.iter().filter(|&&needed| needed).count(),
        App::Activities(_) => 0,
    };
    let [one, same, other] = [1, 1, 2].map(|seed| Subject::list(500, 10, Seed(seed)));
    assert_eq!(count(&one.app), 10);
    assert_eq!((&one.app, &one.lines), (&same.app, &same.lines));
    assert_ne!(one.app, other.app);
}

#[test]
fn a_sample_of_traces_is_taken_evenly() {
    let places = |traces| Kind::all(Variant::V1, 92, traces, 0);
    assert_eq!(places(3), [Kind::Trace(0), Kind::Trace(30), Kind::Trace(61)]);
    assert_eq!(places(usize::MAX).len(), 92);
    assert_eq!(Kind::all(Variant::Det, 92, 1, 5_000).len(), 8);
}

fn done(tool: Tool, seed: u64, answer: Option<(u64, f64)>, runs: u64) -> Done {
    let key = Key { tool: tool.name().into(), model: "list-500-3".into(), variant: "p90".into(), seed };
    Done {
        key,
        version: "1".into(),
        ended: "answered".into(),
        runs,
        executed: runs * 10,
        length: answer.map(|answer| answer.0),
        changed: 0,
        rate: answer.map(|answer| answer.1),
        seconds: 0.5,
    }
}

#[test]
fn failures_count_in_shares_and_runs_but_not_in_lengths() {
    let all = [
        done(Tool::Cdd, 1, Some((4, 0.9)), 10),
        done(Tool::Cdd, 2, Some((8, 0.5)), 20),
        done(Tool::Cdd, 3, Some((1, 0.0)), 30),
        Done { ended: Done::stopped(60), ..done(Tool::Cdd, 4, None, 40) },
    ];
    let mean = Mean::of(&all.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!((mean.jobs, mean.failures, mean.stopped), (4, 2, 1));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(mean.length.unwrap(), 6.0) && near(mean.rate.unwrap(), 0.7), "{mean:?}");
    assert!(near(mean.runs, 25.0) && near(mean.executed, 250.0) && near(mean.share, 0.25), "{mean:?}");
    assert_eq!(Mean::of(&[]), None);
    let failed = Mean::of(&[&all[3]]).unwrap();
    assert_eq!((failed.length, failed.rate), (None, None));
}

#[test]
fn a_table_has_a_row_for_each_tool_that_did_anything() {
    let all = [done(Tool::Cdd, 1, Some((3, 0.9)), 50), done(Tool::Auto, 1, None, 7)];
    let group = Group::of(Variant::P90, Some(500), &[Tool::Lithium, Tool::Cdd, Tool::Auto], &all);
    assert_eq!(group.rows.iter().map(|row| row.tool).collect::<Vec<_>>(), [Tool::Cdd, Tool::Auto]);
    assert_eq!(group.rows[0].by_needed.iter().map(|part| part.needed).collect::<Vec<_>>(), [3]);
    assert_eq!(group.limits.len(), 4);
    // Lists of 5,000 events are not lists of 500.
    assert!(Group::of(Variant::P90, Some(5_000), &[Tool::Cdd], &all).rows.is_empty());
    let picture = super::plot::plot(&[group]);
    assert!(picture.contains(">cdd<") && picture.contains(">auto<") && !picture.contains(">lithium<"));
}

#[test]
fn kept_results_outlive_a_process_and_a_cut_off_line() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|seed| done(Tool::Cdd, seed, Some((3, 0.9)), 50));
    Kept::open(folder.path()).unwrap().keep(&one).unwrap();
    let file = folder.path().join("results.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}{{\"tool\":\"cd")).unwrap();
    let kept = Kept::open(folder.path()).unwrap();
    kept.keep(&two).unwrap();
    let kept = Kept::open(folder.path()).unwrap();
    assert_eq!([kept.get(&one.key), kept.get(&two.key)], [Some(one.clone()), Some(two)]);
    kept.forget(&["cdd"]);
    assert_eq!(kept.get(&one.key), None);
}
