//! `replay --expect-no-crash`: 0 only when every run was seen to go without a crash.

use crate::Checkout;
use crate::command::{json_of, words};

/// What people are told, and the exit code.
fn said(args: &[&str]) -> (Option<i32>, String, serde_json::Value) {
    let checkout = Checkout::new();
    let said = checkout.run(&[&["replay", "--expect-no-crash", "--json", "--times", "4"], args].concat());
    (said.status.code(), words(&said), json_of(&said))
}

#[test]
fn runs_without_a_crash_pass() {
    let (code, words, result) = said(&["keys.trace.jsonl"]);
    assert_eq!((code, &result["status"]), (Some(0), &"done".into()), "{words}");
    assert_eq!(result["crashes"], serde_json::json!([]));
    insta::assert_snapshot!(words);
}

#[test]
fn the_recorded_crash_is_told_from_another() {
    let (code, words, result) = said(&["notes-unnamed-tag.trace.jsonl"]);
    assert_eq!((code, &result["status"]), (Some(1), &"crashed".into()), "{words}");
    let crash = &result["crashes"][0];
    assert_eq!((&crash["runs"], &crash["recorded"]), (&4.into(), &true.into()), "{result}");
    insta::assert_snapshot!(words);

    // The same steps, recorded as if they had led to another crash.
    let checkout = Checkout::new();
    let again =
        ["replay", "notes-unnamed-tag.trace.jsonl", "--expect-no-crash", "--times", "2", "--out", "s"];
    checkout.run(&again);
    let shown = String::from_utf8(checkout.run(&["show", "s"]).stdout).expect("text");
    assert!(
        shown.contains("2 runs ended in java.lang.IllegalStateException at EditorActivity.addTag"),
        "{shown}"
    );
    let trace = checkout.read("notes-unnamed-tag.trace.jsonl");
    checkout.write("other.trace.jsonl", &trace.replace("#5cd8f2da", "#00000000"));
    let said = checkout.run(&["replay", "other.trace.jsonl", "--expect-no-crash", "--times", "2", "--json"]);
    assert_eq!(said.status.code(), Some(1), "{}", crate::command::words(&said));
    assert_eq!(json_of(&said)["crashes"][0]["recorded"], false);
    assert!(
        crate::command::words(&said).contains("2 runs ended in a crash that the trace does not record"),
        "{}",
        crate::command::words(&said)
    );
}

#[test]
fn some_of_several_runs_are_enough() {
    let (code, words, result) =
        said(&["notes-sync-conflict.trace.jsonl", "-d", "sim:notes?flaky=0.7", "--seed", "3"]);
    assert_eq!((code, &result["status"]), (Some(1), &"crashed".into()), "{words}");
    let crashed = result["crashes"][0]["runs"].as_u64().expect("a number");
    assert!((1..4).contains(&crashed), "{result}");
    insta::assert_snapshot!(words);
}

/// Of a run in which the device failed nothing is known, even when others make up for it.
#[test]
fn a_device_that_failed_is_no_pass() {
    for (device, status) in [("sim:notes?blind=1", "cut_short"), ("sim:notes?offline=0.2", "unknown")] {
        let checkout = Checkout::new();
        let args =
            ["replay", "keys.trace.jsonl", "--expect-no-crash", "--times", "6", "--json", "-d", device];
        let said = checkout.run(&args);
        assert_eq!(said.status.code(), Some(2), "{device}: {}", words(&said));
        assert_eq!(json_of(&said)["status"], status, "{device}: {}", words(&said));
    }
}

/// A run that cannot touch what the trace touches, or is elsewhere, does not meet the crash: that is no pass.
#[test]
fn runs_that_go_another_way_are_no_pass() {
    let checkout = Checkout::new();
    checkout.run(&["reduce", "notes-unnamed-tag.trace.jsonl", "--out", "red", "-q"]);
    let app = include_str!("../../../sim/apps/notes.app");
    let crashes = "if unnamed and is_new";
    assert!(app.contains(crashes), "the bug has another form");
    let mended = app.replace(crashes, "if false");
    let renamed = app.replace("button \"Tags\" id=tags", "button \"Labels\" id=labels");
    let replay = |name: &str, app: &str| {
        checkout.write(name, app);
        let device = format!("sim:./{name}");
        let args = [
            "replay",
            "red/reduced.trace.jsonl",
            "--expect-no-crash",
            "--times",
            "3",
            "--json",
            "-d",
            &device,
        ];
        let said = checkout.run(&args);
        (said.status.code(), json_of(&said), words(&said))
    };
    let (code, result, words) = replay("mended.app", &mended);
    assert_eq!((code, &result["status"]), (Some(0), &"done".into()), "{words}");
    let (code, result, words) = replay("renamed.app", &renamed);
    assert_eq!((code, &result["status"]), (Some(1), &"astray".into()), "{words}");
    assert_eq!(result["missed"][0]["without_widget"], "tap 'Tags'", "{result}");
    assert!(
        words.contains("3 runs stopped before step 2, tap 'Tags': its widget is not on the screen"),
        "{words}"
    );
    assert!(words.contains("not known: "), "{words}");
    // Without it, a run passes over what is not there and comes to the end: nobody has seen it perform all.
    let args = ["replay", "red/reduced.trace.jsonl", "--times", "2", "-d", "sim:./renamed.app"];
    let said = crate::command::words(&checkout.run(&args));
    assert!(said.contains("2 runs came to the end of all 4 steps without the target: ended in "), "{said}");
    assert!(said.contains("steps whose widget is not on the screen do nothing in such runs"), "{said}");
}

/// Every report names the step that went astray, and none of them looks as after a fix.
#[test]
fn reports_say_which_step_went_astray() {
    let checkout = Checkout::new();
    checkout.run(&["reduce", "notes-unnamed-tag.trace.jsonl", "--out", "red", "-q"]);
    let app = include_str!("../../../sim/apps/notes.app");
    checkout.write("renamed.app", &app.replace("button \"Tags\" id=tags", "button \"Labels\" id=labels"));
    let args =
        ["replay", "red/reduced.trace.jsonl", "--expect-no-crash", "--times", "3", "-d", "sim:./renamed.app"];
    let reports = ["--junit", "x.xml", "--sarif", "x.sarif"];
    let mut command = checkout.retap(&[&args[..], &reports].concat());
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", checkout.at("summary.md"));
    let said = command.output().expect("retap runs");
    assert_eq!(said.status.code(), Some(1), "{}", words(&said));
    let annotation = words(&said).lines().find(|line| line.starts_with("::error")).expect("one").to_owned();
    let missed = "3 runs stopped before step 2, tap 'Tags': its widget is not on the screen";
    for report in [annotation, checkout.read("summary.md"), checkout.read("x.xml"), checkout.read("x.sarif")]
    {
        assert!(report.replace("&apos;", "'").contains(missed), "{report}");
    }
    let (successful, notices) = invocation(&checkout);
    assert_eq!((successful, notices.len(), &notices[0]["level"]), (false, 1, &"error".into()), "{notices:?}");
    // Nor does what could not be reduced.
    let args = ["reduce", "keys.trace.jsonl", "--sarif", "x.sarif", "-q"];
    assert_eq!(checkout.run(&args).status.code(), Some(1));
    let (successful, notices) = invocation(&checkout);
    assert_eq!((successful, notices.len(), &notices[0]["level"]), (false, 1, &"error".into()), "{notices:?}");
}

/// Whether SARIF calls the run successful, and what it notifies of.
fn invocation(checkout: &Checkout) -> (bool, Vec<serde_json::Value>) {
    let log: serde_json::Value = serde_json::from_str(&checkout.read("x.sarif")).expect("JSON");
    let invocation = &log["runs"][0]["invocations"][0];
    let notices = invocation["toolExecutionNotifications"].as_array().expect("a list").clone();
    (invocation["executionSuccessful"].as_bool().expect("yes or no"), notices)
}

/// What another tool has recorded by places alone does not say where its steps led, so a run of it may be anywhere.
#[test]
fn a_trace_that_tells_nothing_of_its_way_is_no_pass() {
    let checkout = Checkout::new();
    let header = r#"{"retap":"trace","version":1,"app":{"package":"org.retap.notes"},"start":"launched","device":"sim:notes"}"#;
    let tap = r#"{"event":{"do":"tap","at":[1,1]}}"#;
    checkout.write("monkey.trace.jsonl", &format!("{header}\n{tap}\n{tap}\n"));
    let replay = |file: &str, more: &[&str]| {
        let args = [&["replay", file, "--expect-no-crash", "--times", "3", "--json"], more].concat();
        let said = checkout.run(&args);
        (said.status.code(), json_of(&said), words(&said))
    };
    let (code, result, words) = replay("monkey.trace.jsonl", &["--junit", "results.xml"]);
    assert_eq!((code, &result["status"]), (Some(1), &"astray".into()), "{words}");
    assert!(words.contains("not known: the trace does not record where its steps lead"), "{words}");
    assert!(!words.contains("not all runs were seen"), "{words}");
    assert_eq!(result["blind"], true, "{result}");
    checkout.write("one.trace.jsonl", &format!("{header}\n{tap}\n"));
    let (_, _, words) = replay("one.trace.jsonl", &[]);
    assert!(words.contains("3 runs performed the only step without a crash"), "{words}");
    assert!(checkout.read("results.xml").contains("failures=\"1\""));

    // A crash that was seen is told as ever.
    let known = checkout.read("notes-unnamed-tag.trace.jsonl");
    checkout.write("blind.trace.jsonl", &with_states(&known, |_, _| false));
    let (code, result, words) = replay("blind.trace.jsonl", &[]);
    assert_eq!((code, &result["status"]), (Some(1), &"crashed".into()), "{words}");
}

/// The trace with what was seen around these steps only, by the number of the step, from 1, and the name of the field.
fn with_states(trace: &str, keep: impl Fn(usize, &str) -> bool) -> String {
    let line = |(step, line): (usize, &str)| {
        let mut told: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for field in ["before", "after", "crash"].into_iter().filter(|field| !keep(step, field)) {
            told.as_object_mut().expect("an object").remove(field);
        }
        format!("{told}\n")
    };
    trace.lines().enumerate().map(line).collect()
}

/// What was confirmed is of the app as it was: where a run of another build goes is told by states alone. The trace has four
/// taps by place, of which the last crashes.
#[test]
fn a_confirmed_trace_passes_where_its_last_place_is_known() {
    let checkout = Checkout::new();
    checkout.run(&["reduce", "notes-unnamed-tag.trace.jsonl", "--no-values", "--out", "red", "-q"]);
    let whole = checkout.read("red/reduced.trace.jsonl");
    assert!(whole.contains(r#""claim":{"reached":20,"#) && !whole.contains(r#""by":"widget""#), "{whole}");
    assert_eq!(whole.lines().count(), 5, "{whole}");
    let app = include_str!("../../../sim/apps/notes.app");
    let mended = app.replace("if unnamed and is_new", "if false");
    checkout.write("mended.app", &mended);
    let (new, elsewhere) = ("        open EditorActivity\n", "        open SettingsActivity\n");
    checkout.write("moved.app", &mended.replacen(new, elsewhere, 1));
    let status = |app: &str, keep: &dyn Fn(usize, &str) -> bool| {
        checkout.write("some.trace.jsonl", &with_states(&whole, keep));
        let device = format!("sim:./{app}.app");
        let args = ["replay", "some.trace.jsonl", "--expect-no-crash", "--times", "2", "--json", "-d"];
        let said = checkout.run(&[&args[..], &[&device]].concat());
        (said.status.code(), json_of(&said)["status"].as_str().expect("a status").to_owned(), words(&said))
    };
    for (app, code, ended, what, keep) in [
        ("mended", 0, "done", "everything", &|_, _| true),
        ("mended", 1, "astray", "nothing", &|_, _| false),
        ("mended", 1, "astray", "the start", &|step, field| step == 1 && field == "before"),
        ("mended", 1, "astray", "what came after the crash", &|step, field| step == 4 && field != "before"),
        ("mended", 0, "done", "the last place", &|step, field| step == 4 && field == "before"),
        ("mended", 0, "done", "the same", &|step, field| step == 3 && field == "after"),
        ("moved", 1, "astray", "the last place", &|step, field| step == 4 && field == "before"),
    ] as [(&str, i32, &str, &str, &dyn Fn(usize, &str) -> bool); 7]
    {
        let (exit, status, words) = status(app, keep);
        assert_eq!((exit, &*status), (Some(code), ended), "{what} on {app}: {words}");
    }
}

/// Nobody knows that what is left of it ever crashed, so that it does not is no news.
#[test]
fn a_trace_that_was_changed_since_it_was_confirmed_is_refused() {
    let checkout = Checkout::new();
    checkout.run(&["reduce", "notes-unnamed-tag.trace.jsonl", "--out", "red", "-q"]);
    let whole = checkout.read("red/reduced.trace.jsonl");
    let lines: Vec<&str> = whole.lines().collect();
    checkout.write("cut.trace.jsonl", &(lines[..lines.len() - 1].join("\n") + "\n"));
    checkout.write("half.trace.jsonl", &whole[..whole.len() - 30]);
    let keys = checkout.read("keys.trace.jsonl");
    checkout.write("empty.trace.jsonl", &(keys.lines().next().expect("a header").to_owned() + "\n"));
    let green =
        |file: &str| checkout.run(&["replay", file, "--expect-no-crash", "--times", "2", "--junit", "x.xml"]);
    for (file, said) in [
        (
            "cut.trace.jsonl",
            "cut.trace.jsonl was changed since it was confirmed, so runs of it without a crash prove nothing",
        ),
        ("empty.trace.jsonl", "empty.trace.jsonl has no steps"),
        ("half.trace.jsonl", "what was confirmed of the whole holds no longer, so reduce it again"),
    ] {
        let refused = green(file);
        assert!(
            refused.status.code() == Some(2) && words(&refused).contains(said),
            "{file}: {}",
            words(&refused)
        );
        assert!(!words(&refused).contains("delete that line"), "{}", words(&refused));
        assert!(
            !checkout.read("x.xml").contains("failures=\"0\" errors=\"0\""),
            "{}",
            checkout.read("x.xml")
        );
    }
    assert_eq!(green("red/reduced.trace.jsonl").status.code(), Some(1), "it crashes");
    let warned = checkout.run(&["replay", "cut.trace.jsonl", "--times", "2"]);
    let said =
        "warning: cut.trace.jsonl was changed since it was confirmed: what was known of it holds no longer";
    assert!(words(&warned).contains(said), "{}", words(&warned));
    let whole = checkout.run(&["replay", "red/reduced.trace.jsonl", "--times", "2"]);
    assert!(!words(&whole).contains("was changed"), "{}", words(&whole));
}

#[test]
fn what_would_do_nothing_is_refused() {
    let checkout = Checkout::new();
    for more in [&["keys.trace.jsonl", "--to", "crash"][..], &["--suite", "small"]] {
        let said = checkout.run(&[&["replay", "--expect-no-crash"], more].concat());
        assert_eq!(said.status.code(), Some(2), "{}", words(&said));
        assert!(words(&said).contains("cannot be used with"), "{}", words(&said));
    }
}
