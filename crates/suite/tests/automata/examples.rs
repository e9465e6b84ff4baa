//! The four examples of the paper [DetReduce, section 2.3], in both modes.

use retap_suite::{Mode, SuiteReport, SuiteSettings};
use retap_trace::{Seed, Trace};

use crate::app::record;
use crate::drive::{Devices, Done, event, shrink};
use crate::table::{Table, action, events};

const MODES: [Mode; 2] = [Mode::Planned, Mode::Classic];

fn suite(app: &Table, traces: &[&str], mode: Mode) -> (Vec<Trace>, Done) {
    let traces: Vec<Trace> = traces.iter().map(|actions| record(app, events(actions), Seed(1)).0).collect();
    let done = shrink(app, &traces, SuiteSettings { mode, ..SuiteSettings::default() }, Devices::one(1));
    (traces, done)
}

/// The traces that are kept, as actions.
fn kept(traces: &[Trace], report: &SuiteReport) -> Vec<String> {
    let word =
        |steps: &[retap_suite::StepRef]| steps.iter().map(|step| action(event(traces, *step))).collect();
    report.kept.iter().map(|kept| word(&kept.steps)).collect()
}

/// A menu that opens and closes by m, with an option o in it, and folders f of which two look alike.
fn browser(open: &str, close: &str) -> Table {
    let lines = format!("0 m 1 {open}\n1 m 0 {close}\n1 o 2 10\n0 f 20 11\n20 f 21 11\n21 f 3 12");
    Table::default().with(&lines).looking_like(20, 0).looking_like(21, 0)
}

#[test]
fn a_loop_without_code_goes() {
    for mode in MODES {
        let (traces, done) = suite(&browser("", ""), &["mmmo"], mode);
        assert_eq!(kept(&traces, &done.report), ["mo"], "{mode:?}");
        assert_eq!(done.report.after.transitions, 2);
        assert!(done.report.lost.is_empty());
    }
}

#[test]
fn a_loop_with_code_of_its_own_stays() {
    for mode in MODES {
        let (traces, done) = suite(&browser("8", "9"), &["mmmo"], mode);
        assert_eq!(kept(&traces, &done.report), ["mmmo"], "{mode:?}");
    }
}

#[test]
fn folders_that_look_alike_are_all_opened() {
    for mode in MODES {
        let (traces, done) = suite(&browser("", ""), &["fff"], mode);
        assert_eq!(kept(&traces, &done.report), ["fff"], "{mode:?}");
        let tried_shorter = done.runs.iter().any(|(order, _)| order.legs.len() == 2);
        assert!(tried_shorter || mode == Mode::Planned, "only a replay can tell");
    }
}

#[test]
fn three_traces_become_one() {
    let ways = "0 a 1 1\n1 b 2 2\n2 c 3 3\n3 d 4 4\n1 d 4 4\n4 e 2 5\n3 f 5 6";
    for mode in MODES {
        let (traces, done) = suite(&Table::default().with(ways), &["abcd", "adecd", "abcf"], mode);
        let report = &done.report;
        assert_eq!(kept(&traces, report), ["abcdecf"], "{mode:?}");
        assert_eq!((report.before.traces, report.before.transitions), (3, 13));
        assert_eq!((report.after.traces, report.after.transitions), (1, 7));
        assert_eq!(report.covered_before, report.covered_after);
        assert!(report.kept[0].confirmed.reached >= SuiteSettings::default().runs);
        assert_eq!(report.kept[0].confirmed.missed, 0);
    }
}
