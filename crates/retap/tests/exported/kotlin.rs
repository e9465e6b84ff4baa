//! Kotlin tests, compiled by its compiler and run against the parts of Android in `tools`, which write down what is done.

use std::collections::BTreeSet;

use retap_formats::Expect;
use retap_trace::{Start, Trace};
use serde_json::{Value, json};

use crate::corpus::Case;
use crate::deed::{Deed, Find, Place, deeds, put_back, turns};
use crate::test_of;

pub(crate) const TESTS: &[(&str, Expect)] =
    &[("uiautomator", Expect::NoCrash), ("uiautomator", Expect::Crash), ("espresso", Expect::NoCrash)];

/// A test that is compiled with the others, in a package of its own: many are called the same.
pub(crate) struct Compiled<'a> {
    pub(crate) case: &'a Case,
    pub(crate) tool: &'static str,
    pub(crate) crash: bool,
    pub(crate) package: usize,
}

impl Compiled<'_> {
    pub(crate) fn file(&self) -> String {
        format!("{}-{}-{}", self.case.name, self.tool, self.package)
    }

    pub(crate) fn in_its_package(&self, text: &str) -> String {
        let here = format!("\npackage retap.tests.n{}\n", self.package);
        assert_eq!(text.matches("\npackage retap.tests\n").count(), 1, "{text}");
        text.replace("\npackage retap.tests\n", &here)
    }
}

/// No import that nothing makes use of: the compiler does not say so.
pub(crate) fn needs_what_it_imports(one: &Compiled<'_>, text: &str) {
    let (imports, code): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("import "));
    let code =
        code.into_iter().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let words: BTreeSet<&str> = code.split(|letter: char| !letter.is_alphanumeric()).collect();
    for import in imports {
        let name = import.rsplit('.').next().expect("a name");
        assert!(words.contains(name), "{}: nothing makes use of {import}:\n{text}", one.file());
    }
}

/// What the compiler must not take: calls that `AndroidX` does not have.
pub(crate) fn misspelt(trace: &Trace) -> Vec<String> {
    let ui = test_of(trace, "uiautomator").expect("it can");
    let view = test_of(&crate::hostile::touched_by_name(crate::hostile::PLAIN), "espresso").expect("it can");
    let wrong = |text: &str, right: &str, wrong: &str| {
        assert!(text.contains(right), "{right} is not in\n{text}");
        text.replacen(right, wrong, 1)
    };
    [
        wrong(&ui, "By.res(", "By.id("),
        wrong(&ui, "\n        device.click(", "\n        device.tap("),
        wrong(&ui, "Until.hasObject(", "Until.hasObjects("),
        wrong(&ui, ".click() ", ".press() "),
        wrong(&ui, "device.wait(", "device.await("),
        wrong(&view, "ViewActions.click()", "ViewActions.tap()"),
        wrong(&view, "ViewMatchers.withText(", "ViewMatchers.hasText("),
        wrong(&view, "ViewActions.replaceText(", "ViewActions.setText("),
    ]
    .into_iter()
    .enumerate()
    .map(|(number, text)| {
        text.replace("\npackage retap.tests\n", &format!("\npackage retap.wrong.w{number}\n"))
    })
    .collect()
}

pub(crate) fn check_misspelt(said: &Value) {
    let said: Vec<&str> = said.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    for number in 0..8 {
        let file = format!("/w{number}.kt:");
        let found =
            said.iter().any(|line| line.contains(&file) && line.contains("error: unresolved reference"));
        assert!(found, "w{number} was compiled: {said:#?}");
    }
}

pub(crate) fn check(compiled: &[Compiled<'_>], answer: &Value) {
    assert_eq!(answer["said"], json!([]), "the compiler is not content: {:#}", answer["said"]);
    let runs = answer["runs"].as_object().expect("a table");
    assert_eq!(runs.len(), compiled.len());
    for one in compiled {
        let package = format!("retap.tests.n{}.", one.package);
        let (_, run) = runs.iter().find(|(class, _)| class.starts_with(&package)).expect("it was run");
        let about = one.file();
        assert_eq!((&run["quiet"]["ran"], &run["crashed"]["ran"]), (&json!(1), &json!(1)), "{about}");
        // Espresso's dies with the app.
        let fails = |log: &str| run[log]["failures"] != json!([]);
        let right = one.crash && !is_another(&one.case.trace);
        let expected = if one.tool == "espresso" { (false, false) } else { (one.crash, !right) };
        assert_eq!(fails("quiet"), expected.0, "{about}: {run:#}");
        // A test that cannot know fails, whatever it expects.
        for blind in ["unreadable", "stuck"] {
            assert!(one.tool == "espresso" || fails(blind), "{about}, {blind}: {run:#}");
        }
        // On a phone that does not do what it is told the app has its old data, or nothing has happened to it.
        if one.tool == "uiautomator" && !one.crash {
            assert!(fails("kept"), "{about}: {run:#}");
            assert_eq!(fails("refused"), is_heard(&one.case.trace), "{about}: {run:#}");
        }
        // A log has lines, so no exception in it has line ends in its name.
        if !one.crash || !exception(&one.case.trace).contains(['\n', '\r']) {
            assert_eq!(fails("crashed"), expected.1, "{about}: {run:#}");
        }
        let (done, wanted) = match one.tool {
            "uiautomator" => {
                let after = after(&one.case.trace);
                // Also when it fails.
                for log in ["quiet", "crashed"] {
                    let deeds = run[log]["deeds"].as_array().expect("a list");
                    assert!(deeds.ends_with(&after), "{about}, {log}: {deeds:#?}");
                }
                (done(&run["quiet"]["deeds"], after.len()), uiautomator(&one.case.trace))
            }
            _ => (done(&run["quiet"]["deeds"], 0), espresso(&one.case.trace)),
        };
        assert_eq!(done, wanted, "{about}");
    }
}

/// Whether a step is a command that says whether it has worked. That an activity or a service is not there, none hears.
fn is_heard(trace: &Trace) -> bool {
    let said = |command: &String| !["am start", "am stop"].iter().any(|verb| command.starts_with(verb));
    deeds(trace).iter().any(|deed| matches!(deed, Deed::Shell(commands) if commands.iter().any(said)))
}

/// Whether what is thrown is not what the trace names.
fn is_another(trace: &Trace) -> bool {
    crate::hostile::signed().iter().any(|(signed, same)| signed == trace && !same)
}

fn exception(trace: &Trace) -> &str {
    trace.steps.iter().find_map(|step| step.crash.as_ref()).map_or("", |crash| &crash.exception)
}

/// What is done last, so that the next test finds the device as this one did.
fn after(trace: &Trace) -> Vec<Value> {
    let commands = put_back(trace).into_iter().map(|command| json!({"do": "shell", "command": command}));
    let turned = [json!({"do": "rotate", "to": "natural"}), json!({"do": "rotate", "to": "free"})];
    commands.chain(turned.into_iter().filter(|_| turns(trace))).collect()
}

/// What was done, up to the waits for a crash at the end, and so many deeds after them.
fn done(deeds: &Value, after: usize) -> Vec<Value> {
    let mut deeds = deeds.as_array().expect("a list").clone();
    deeds.truncate(deeds.len() - after);
    while deeds.last().is_some_and(|last| *last == json!({"do": "wait", "ms": 250})) {
        deeds.pop();
    }
    deeds
}

fn names(find: &Find) -> Value {
    json!(find.names)
}

fn uiautomator(trace: &Trace) -> Vec<Value> {
    let package = &trace.header.app.package;
    let shell = |command: &str| json!({"do": "shell", "command": command});
    let mut all = vec![shell("logcat -c -b crash -b main -b system"), shell(&format!("pm clear {package}"))];
    let touch = |what: &str, place: &Place, more: Value| {
        let mut one = match place {
            Place::Widget(find) => {
                json!({"do": what, "find": names(find), "index": find.index.unwrap_or(0)})
            }
            Place::At(at) => json!({"do": what, "at": [at.x, at.y]}),
        };
        one.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        one
    };
    for deed in deeds(trace) {
        match deed {
            Deed::Launch => all.push(json!({"do": "launch", "package": **package})),
            Deed::Tap(place) => all.push(touch("tap", &place, json!({}))),
            Deed::DoubleTap(place) => {
                all.extend([touch("tap", &place, json!({})), touch("tap", &place, json!({}))]);
            }
            Deed::LongTap(Place::At(at), ms) => {
                let here = json!([at.x, at.y]);
                all.push(json!({"do": "swipe", "at": here, "to": here, "steps": (ms + 2) / 5}));
            }
            Deed::LongTap(place, ms) => all.push(touch("long_tap", &place, json!({"ms": ms}))),
            Deed::Swipe(at, to, ms) => {
                let steps = ((ms + 2) / 5).max(2);
                all.push(json!({"do": "swipe", "at": [at.x, at.y], "to": [to.x, to.y], "steps": steps}));
            }
            Deed::Key(code) => all.push(json!({"do": "key", "code": code})),
            Deed::Text(find, text) => {
                let names = find.as_ref().map_or_else(|| json!({"focused": true}), names);
                let index = find.and_then(|find| find.index).unwrap_or(0);
                all.push(json!({"do": "text", "find": names, "index": index, "text": text}));
            }
            Deed::Rotate(to) => all.push(json!({"do": "rotate", "to": to})),
            Deed::Shell(commands) => all.extend(commands.iter().map(|command| shell(command))),
            Deed::Wait(ms) => all.push(json!({"do": "wait", "ms": ms})),
            Deed::Pinch(place @ Place::Widget(_), percent) => {
                let what = if percent > 100 { "pinch_open" } else { "pinch_close" };
                all.push(touch(what, &place, json!({})));
            }
            deed @ (Deed::Pinch(..) | Deed::Console(_)) => panic!("{deed:?} should have been refused"),
        }
    }
    all
}

fn espresso(trace: &Trace) -> Vec<Value> {
    // The phone has four views of every name.
    let view = |what: &str, names: Value, index: Option<u32>| {
        let fits = index.map_or_else(|| json!([0, 1, 2, 3]), |index| json!([index]));
        json!({"do": what, "find": names, "fits": fits})
    };
    let with = |mut one: Value, name: &str, value: Value| {
        one[name] = value;
        one
    };
    let mut all = Vec::new();
    for deed in deeds(trace) {
        all.push(match deed {
            Deed::Launch => json!({"do": "launch", "package": "the.app"}),
            Deed::Tap(Place::Widget(find)) => view("tap", names(&find), find.index),
            Deed::DoubleTap(Place::Widget(find)) => view("double_tap", names(&find), find.index),
            Deed::LongTap(Place::Widget(find), _) => view("long_tap", names(&find), find.index),
            Deed::Key(4) => json!({"do": "key", "code": 4}),
            Deed::Key(code) => with(view("key", json!({"root": true}), None), "code", json!(code)),
            Deed::Text(Some(find), text) => with(view("text", names(&find), find.index), "text", json!(text)),
            Deed::Text(None, text) => with(view("text", json!({"focused": true}), None), "text", json!(text)),
            Deed::Wait(ms) => json!({"do": "wait", "ms": ms}),
            deed => panic!("{deed:?} should have been refused"),
        });
    }
    // What goes wrong in another thread does so a little later.
    all.push(json!({"do": "wait", "ms": 3_000}));
    assert!(trace.header.start == Start::Launched || all.first().is_none_or(|first| first["do"] == "launch"));
    all
}
