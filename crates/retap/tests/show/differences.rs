//! `retap diff`: traces, sessions and suites.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use retap_job::overview::{JobOverview, overview};
use retap_job::reduce::ReduceStatus;
use retap_show::SessionDifference;
use retap_store::{Seq, Session};
use retap_trace::{Level, Micros};
use serde_json::{Value, json};

use crate::command::{json_of, run, sample, scratch, words};
use crate::{printed, refused, tap, trace};

/// Two reductions may have the same answer, and only one of them claims it: also two that explorations have made.
#[test]
fn how_a_reduction_ended_is_compared() {
    let folder = scratch();
    let said = run(folder.path(), &["reduce", &sample("dalvik"), "--out", "red", "-q"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let explore = ["explore", "-d", "sim:dalvik", "--events", "300", "--reduce", "--out", "night", "-q"];
    let said = run(folder.path(), &explore);
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    for session in ["night", "red"] {
        let before = overview(&folder.path().join(session)).expect("a session");
        let mut after = before.clone();
        let status = match &mut after.job {
            JobOverview::Reduce(reduced) => &mut reduced.result.as_mut().expect("it is finished").status,
            JobOverview::Explore(explored) => {
                &mut explored.crashes[0].reduced.as_mut().expect("it is reduced").status
            }
            _ => panic!("another job"),
        };
        assert_eq!(*status, ReduceStatus::Reduced);
        *status = ReduceStatus::BelowTheRule;
        let differs = |after| {
            let differs = SessionDifference::of(&before, after, None, Level::Layout, None);
            differs.expect("both are of one kind")
        };
        assert!(differs(&before).is_same());
        assert!(!differs(&after).is_same(), "{session}");
        let said = differs(&after).page().plain();
        assert!(said.contains("below the rule; ") && !said.contains("in both"), "{said}");
    }
}

/// Nobody knows where the steps of a trace end that was changed since it was confirmed.
#[test]
fn a_changed_trace_is_not_said_to_end_in_a_crash() {
    let folder = scratch();
    run(folder.path(), &["reduce", &sample("notes-unnamed-tag"), "--out", "red", "-q"]);
    let whole = std::fs::read_to_string(folder.path().join("red/reduced.trace.jsonl")).expect("an answer");
    let mut lines: Vec<&str> = whole.lines().collect();
    lines.remove(2);
    std::fs::write(folder.path().join("cut.trace.jsonl"), lines.join("\n") + "\n").expect("room");
    let differs = printed(folder.path(), &["diff", "cut.trace.jsonl", "red"], 1);
    assert!(differs.contains("both are recorded to end in the same crash: "), "{differs}");
}

/// The place of a widget of which nobody knows where it was is none.
#[test]
fn a_place_that_is_not_known_is_not_told() {
    let folder = scratch();
    let tap = |at: &str, id: &str| {
        format!(r#"{{"event":{{"do":"tap","at":[{at}],"widget":{{{id}"text":"Go"}},"by":"widget"}}}}"#)
    };
    trace(folder.path(), "imported.trace.jsonl", "", [tap("0,0", "")]);
    trace(folder.path(), "recorded.trace.jsonl", "", [tap("976,98", r#""id":"a:id/go","#)]);
    let differs = printed(folder.path(), &["diff", "imported.trace.jsonl", "recorded.trace.jsonl"], 1);
    assert!(differs.contains("976,98") && !differs.contains("0,0"), "{differs}");
}

#[test]
fn what_a_reduction_has_left_out() {
    let folder = scratch();
    std::fs::copy(sample("dalvik"), folder.path().join("long.trace.jsonl")).expect("a copy");
    let said = run(folder.path(), &["reduce", "long.trace.jsonl", "--out", "short", "-q"]);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let differs = printed(folder.path(), &["diff", "long.trace.jsonl", "short/reduced.trace.jsonl"], 1);
    assert_snapshot!(differs);
    // The folder of a reduction stands for its answer.
    assert_eq!(printed(folder.path(), &["diff", "long.trace.jsonl", "short"], 1), differs);
    let data = json_of(&run(folder.path(), &["diff", "long.trace.jsonl", "short", "--json"]));
    let (kept, removed) = (&data["equal"], &data["removed"]);
    let all = [kept, removed, &data["changed"]].map(|count| count.as_u64().expect("a number"));
    assert_eq!(all.iter().sum::<u64>(), 36, "{data}");
    assert_eq!(data["steps"].as_array().map(|steps| steps.len() as u64), Some(all[1] + all[2]));
    assert_eq!(printed(folder.path(), &["diff", "-q", "long.trace.jsonl", "short"], 1), "");
}

#[test]
fn values_are_compared_word_by_word() {
    let folder = scratch();
    let typed = |text: &str| {
        format!("{{\"event\":{{\"do\":\"text\",\"text\":\"{text}\",\"widget\":{{\"hint\":\"Name\"}}}}}}")
    };
    let wait = |time: u32| format!("{{\"event\":{{\"do\":\"wait\",\"time\":{time}}}}}");
    let same = (0..12).map(|step| tap(&format!("Same {step}"), step, 1));
    let before = [typed("a long name"), wait(40_000_000), tap("Gone", 0, 1)].into_iter().chain(same.clone());
    trace(folder.path(), "a.trace.jsonl", ",\"seed\":1", before.chain([tap("Last", 0, 1)]));
    let after = [typed("a name"), wait(1_500_000)].into_iter().chain(same);
    trace(
        folder.path(),
        "b.trace.jsonl",
        ",\"seed\":2,\"note\":\"x\"",
        after.chain([tap("New", 0, 1), tap("Last", 0, 2)]),
    );
    assert_snapshot!(printed(folder.path(), &["diff", "a.trace.jsonl", "b.trace.jsonl"], 1));
    assert_eq!(printed(folder.path(), &["diff", "a.trace.jsonl", "a.trace.jsonl"], 0), "");
}

/// Times vary from one recording to the next, and are no difference.
#[test]
fn times_are_no_difference() {
    let folder = scratch();
    trace(folder.path(), "a.trace.jsonl", "", [tap("Go", 1, 1)]);
    trace(folder.path(), "b.trace.jsonl", "", [tap("Go", 99, 1)]);
    assert_eq!(printed(folder.path(), &["diff", "a.trace.jsonl", "b.trace.jsonl"], 0), "");
    trace(folder.path(), "c.trace.jsonl", "", [tap("Go", 1, 2)]);
    let states = printed(folder.path(), &["diff", "a.trace.jsonl", "c.trace.jsonl"], 1);
    assert!(
        states.contains("different states were recorded before 1 equal step, first before step 1"),
        "{states}"
    );
    assert_eq!(
        printed(folder.path(), &["diff", "a.trace.jsonl", "c.trace.jsonl", "--level", "activity"], 0),
        ""
    );
}

/// Traces whose steps read alike: nothing is the same by its words.
#[test]
fn words_that_are_alike_are_no_proof() {
    let folder = scratch();
    let delete = |id: &str, index: u32| {
        format!(
            "{{\"event\":{{\"do\":\"tap\",\"at\":[5,7],\"by\":\"widget\",\"widget\":{{\"id\":\"{id}\",\
             \"text\":\"Delete\",\"id_index\":{index}}}}}}}"
        )
    };
    let diff = |code| printed(folder.path(), &["diff", "a.trace.jsonl", "b.trace.jsonl"], code);
    trace(folder.path(), "a.trace.jsonl", "", [delete("id/a", 0)]);
    trace(folder.path(), "b.trace.jsonl", "", [delete("id/b", 3)]);
    let differs = diff(1);
    assert!(
        differs.contains("tap 'Delete', by its widget, at 5,7, id [-id/a,-]{+id/b,+} number [-0-]{+3+} with"),
        "{differs}"
    );
    assert!(differs.contains("0 steps removed, 0 added, 1 changed, 0 equal"), "{differs}");
    trace(folder.path(), "b.trace.jsonl", "", [delete("id/a", 0)]);
    assert_eq!(diff(0), "");
    let crash = |name: &str| {
        format!(
            ",\"crash\":{{\"kind\":\"java\",\"signature\":\"{name}@Main.onCreate#1\",\"exception\":\"{name}\"}}"
        )
    };
    trace(folder.path(), "a.trace.jsonl", &crash("A"), []);
    trace(folder.path(), "b.trace.jsonl", &crash("B"), []);
    let differs = diff(1);
    assert!(differs.contains("the first ends in A@Main.onCreate#1"), "{differs}");
    assert!(differs.contains("the second ends in B@Main.onCreate#1"), "{differs}");
    let detailed = |message: &str, frame: &str| {
        crash("A").replace(
            '}',
            &format!(",\"message\":\"{message}\",\"frames\":[\"a.B.c(B.java:1)\",\"{frame}\"]}}"),
        )
    };
    trace(folder.path(), "a.trace.jsonl", &detailed("no note 1", "x.Y.z"), []);
    trace(folder.path(), "b.trace.jsonl", &detailed("no note 1", "x.Y.z"), []);
    assert_eq!(diff(0), "");
    trace(folder.path(), "b.trace.jsonl", &detailed("no note 2", "x.Y.z"), []);
    let differs = diff(1);
    assert!(differs.contains("both end in the same crash: A@Main.onCreate#1"), "{differs}");
    assert!(differs.contains("message: no note [-1-]{+2+}") && !differs.contains("stack"), "{differs}");
    trace(folder.path(), "b.trace.jsonl", &detailed("no note 1", "x.Y.w"), []);
    let differs = diff(1);
    assert!(differs.contains("its stack differs:") && !differs.contains("message"), "{differs}");
    assert!(differs.contains("    a.B.c(B.java:1)\n  - x.Y.z\n  + x.Y.w"), "{differs}");
}

#[test]
fn two_explorations() {
    let folder = scratch();
    for (out, seed) in [("one", "7"), ("two", "9")] {
        let args =
            ["explore", "--device", "sim:notes", "--strategy", "aware", "--events", "1500", "--reduce", "-q"];
        run(folder.path(), &[&args[..], &["--seed", seed, "--out", out]].concat());
    }
    assert_snapshot!(printed(folder.path(), &["diff", "one", "two"], 1));
    assert_eq!(printed(folder.path(), &["diff", "one", "one"], 0), "");
}

/// Rates are compared with care: what runs can show, and what may be chance.
#[test]
fn two_measured_rates() {
    let folder = scratch();
    let sync = sample("notes-sync-conflict");
    for (out, times, seed) in [("a", "20", "1"), ("b", "20", "4")] {
        run(folder.path(), &["replay", &sync, "--times", times, "--seed", seed, "--out", out, "-q"]);
    }
    let may_be = printed(folder.path(), &["diff", "a", "b"], 1);
    assert!(
        may_be.contains("the rates: may be chance: equal rates would differ at least as much in "),
        "{may_be}"
    );
    let target = "crash:ConcurrentModificationException@Merger.keepBoth#e800c0bc";
    let dalvik = sample("dalvik");
    run(folder.path(), &["replay", &dalvik, "--to", "crash", "--out", "c", "-q"]);
    let gone = printed(folder.path(), &["diff", "a", "c"], 1);
    assert!(gone.contains(&format!("- {}", target.trim_start_matches("crash:"))), "{gone}");
    assert!(!gone.contains("the rates:"), "{gone}");
}

/// What cannot be read may differ, also from itself.
#[test]
fn what_is_damaged_is_not_the_same() {
    let folder = scratch();
    for out in ["one", "two"] {
        run(folder.path(), &["reduce", &sample("diner"), "--search", "ddmin", "--out", out, "-q"]);
    }
    assert_eq!(printed(folder.path(), &["diff", "one", "two"], 0), "");
    let answer = folder.path().join("two/reduced.trace.jsonl");
    let text = std::fs::read_to_string(&answer).expect("an answer");
    std::fs::write(&answer, &text[..text.len() - 20]).expect("a file");
    for (before, after) in [("one", "two"), ("two", "one"), ("two", "two")] {
        let differs = printed(folder.path(), &["diff", before, after], 1);
        assert!(differs.contains("could not be read: two/reduced.trace.jsonl"), "{differs}");
    }
    let data = json_of(&run(folder.path(), &["diff", "one", "two", "--json"]));
    assert_eq!((&data["same"], &data["damage_before"]), (&json!(false), &Value::Null), "{data}");
    assert_eq!(data["damage_after"].as_array().map(Vec::len), Some(1), "{data}");
}

#[test]
fn two_suites() {
    let folder = scratch();
    let splices = ["1", "2", "3"].map(|number| sample(&format!("filebrowser-splice-{number}")));
    let all: Vec<&str> = ["suite"].into_iter().chain(splices.iter().map(String::as_str)).collect();
    run(folder.path(), &[&all[..], &["--out", "all", "-q"]].concat());
    run(folder.path(), &[&all[..2], &["--out", "one", "-q"]].concat());
    assert_snapshot!(printed(folder.path(), &["diff", "all/suite", "one/suite"], 1));
    assert_eq!(printed(folder.path(), &["diff", "all/suite", "all/suite"], 0), "");
    let wrong = refused(folder.path(), &["diff", "all/suite", "one"]);
    assert!(wrong.contains("all/suite is a suite, which cannot be compared with a session"), "{wrong}");
    let wrong = refused(folder.path(), &["diff", "one", &splices[0]]);
    assert!(wrong.contains("one (the making of a suite) cannot be compared with a trace"), "{wrong}");
}

/// What was asked for, and what came of it.
#[test]
fn two_sessions_that_made_suites() {
    let folder = scratch();
    let splices = ["1", "2", "3"].map(|number| sample(&format!("filebrowser-splice-{number}")));
    let all: Vec<&str> = ["suite"].into_iter().chain(splices.iter().map(String::as_str)).collect();
    run(folder.path(), &[&all[..], &["--out", "a", "-q"]].concat());
    run(folder.path(), &[&all[..], &["--runs", "1", "--joins", "concrete", "--out", "b", "-q"]].concat());
    run(folder.path(), &[&all[..2], &["--out", "one", "-q"]].concat());
    let differs = printed(folder.path(), &["diff", "a", "b"], 1);
    for part in ["runs      - 8", "+ 1", "joins     - abstract", "+ concrete"] {
        assert!(differs.contains(part) || differs.replace("  ", " ").contains(part), "{part}: {differs}");
    }
    let differs = printed(folder.path(), &["diff", "a", "one"], 1);
    assert!(differs.contains("traces removed") || differs.contains("trace removed"), "{differs}");
    assert_eq!(printed(folder.path(), &["diff", "a", "a"], 0), "");
}

/// Two runs on a real device never take equally long; everything else that came out is compared.
#[test]
fn the_time_that_a_suite_took_is_no_difference() {
    let folder = scratch();
    let splices = ["1", "2"].map(|number| sample(&format!("filebrowser-splice-{number}")));
    for out in ["a", "b"] {
        run(folder.path(), &["suite", &splices[0], &splices[1], "--out", out, "-q"]);
    }
    assert_eq!(printed(folder.path(), &["diff", "a", "b"], 0), "");
    let ended_otherwise = |change: fn(&mut Value)| {
        let mut session = Session::open(folder.path().join("b")).expect("a session");
        let last = session.read(&["result"], Seq::START).last().expect("a result").expect("it is read");
        let mut result = last.data;
        change(&mut result);
        session.append("result", Micros::ZERO, &result).expect("it is kept");
        session.close().expect("it is kept");
    };
    ended_otherwise(|result| {
        for time in ["/device_seconds", "/before/device_seconds", "/after/device_seconds"] {
            *result.pointer_mut(time).expect("a time") = json!(1.5);
        }
    });
    assert_eq!(printed(folder.path(), &["diff", "a", "b"], 0), "");
    ended_otherwise(|result| result["cut_traces"] = json!(7));
    let differs = printed(folder.path(), &["diff", "a", "b"], 1);
    assert!(differs.contains("cut traces - ") && differs.contains("+ 7\n"), "{differs}");
}

/// Also settings that no page tells.
#[test]
fn every_setting_of_a_reduction_is_compared() {
    let folder = scratch();
    for (out, confirm) in [("a", "20"), ("b", "19")] {
        let args =
            ["reduce", &sample("diner"), "--search", "ddmin", "--confirm", confirm, "--out", out, "-q"];
        run(folder.path(), &args);
    }
    let differs = printed(folder.path(), &["diff", "a", "b"], 1);
    assert!(differs.contains("  confirm   - 20\n            + 19\n"), "{differs}");
}

/// Long traces that have nothing, and little, in common.
#[test]
fn long_traces_are_compared_in_time() {
    let folder = scratch();
    let steps = |many: u64, shift: u64| {
        (0..many).map(move |step| tap(&format!("{}", (step * step + shift) % 9973), 0, 1))
    };
    trace(folder.path(), "a.trace.jsonl", "", steps(50_000, 0));
    trace(folder.path(), "b.trace.jsonl", "", steps(50_000, 5));
    let began = Instant::now();
    let differs = printed(folder.path(), &["diff", "a.trace.jsonl", "b.trace.jsonl"], 1);
    assert!(began.elapsed() < Duration::from_mins(1), "{:?}", began.elapsed());
    assert!(differs.contains(" removed, "), "{}", differs.lines().last().unwrap_or_default());
}
