//! Every exporter, on a reduced trace.

use std::path::Path;

use retap_formats::{EXPORTERS, Expect, Export, ExportError, export, export_file, exporter};
use retap_trace::{
    Aim, Aiming, ConfirmedRate, Crash, CrashKind, Event, Found, Frame, Header, Key, Micros, Orientation,
    Point, Seen, Selector, Signature, Size, Start, Step, SystemEvent, Target, Trace,
};

fn widget(id: &str, text: &str) -> Selector {
    Selector {
        id: Some(format!("org.retap.notes:id/{id}").into()),
        text: Some(text.into()),
        path: "3".parse().ok(),
        ..Selector::default()
    }
}

fn tap(x: i32, y: i32, widget: Selector) -> Event {
    Event::Tap(Aim { by: Aiming::Widget, ..Aim::widget(Point::new(x, y), widget) })
}

fn trace() -> Trace {
    let mut header = Header::new("org.retap.notes");
    header.screen = Some(Size { width: 1080, height: 1920 });
    header.claim = Some(ConfirmedRate { reached: 20, runs: 20, before: 325, digest: None });
    let events = [
        tap(976, 98, widget("new", "New note")),
        Event::Text { text: "it's \"$(x)\"".to_owned(), widget: Some(widget("title", "")) },
        tap(148, 1049, Selector { id_index: Some(2), ..widget("tags", "Tags") }),
        Event::key(Key::BACK),
        Event::Wait { time: Micros::from_millis(1500) },
        tap(638, 643, widget("done", "Done")),
    ];
    let mut steps: Vec<Step> = events.into_iter().map(Step::new).collect();
    let frames = vec![Frame("org.retap.notes.EditorActivity.addTag(EditorActivity.java:88)".to_owned())];
    let exception = "java.lang.IllegalStateException";
    let crash = Crash::new(CrashKind::Java, exception, "no tag", None, frames, "org.retap.notes");
    steps.last_mut().expect("steps").crash = Some(crash);
    Trace { header, steps }
}

/// Every kind of step that Appium can do, by every kind of name.
fn long_trace() -> Trace {
    let named =
        |at: i32, widget: Selector| Aim { by: Aiming::Widget, ..Aim::widget(Point::new(at, at), widget) };
    let text = |text: &str| Selector { text: Some(text.into()), ..Selector::default() };
    let desc = Selector { desc: Some("More options".into()), ..Selector::default() };
    let hint = Selector { hint: Some("Name".into()), ..Selector::default() };
    let row = Selector { id_index: Some(2), label_index: Some(0), ..widget("row", "Milk") };
    let short = trace();
    let events = [
        Event::Launch,
        Event::Tap(Aim::place(Point::new(540, 1035))),
        Event::LongTap { aim: named(10, desc), hold: Micros::from_millis(800) },
        Event::DoubleTap(named(20, text("It's \"new\""))),
        Event::Tap(named(30, text("C:\\temp"))),
        Event::Tap(named(40, row)),
        Event::Swipe {
            aim: Aim::place(Point::new(540, 1600)),
            to: Point::new(540, 300),
            over: Micros::from_millis(300),
        },
        Event::Text { text: "milk".to_owned(), widget: Some(hint) },
        Event::Text { text: String::new(), widget: None },
        Event::Rotate { to: Orientation::Landscape },
        Event::system("android.intent.action.BATTERY_LOW"),
    ];
    let mut steps: Vec<Step> = events.into_iter().map(Step::new).collect();
    for (step, activity) in steps.iter_mut().zip(["Launcher", "org.retap.notes.MainActivity"]) {
        step.before = Some(Seen { activity: activity.into(), actionable: None, layout: None, full: None });
    }
    steps.extend(short.steps);
    Trace { header: Header { start: Start::Stopped, ..short.header }, steps }
}

#[test]
fn tests_for_appium_read_well() {
    let (trace, short) = (long_trace(), trace());
    for name in ["appium", "webdriverio"] {
        let tool = exporter(name).expect("an exporter");
        let export = |trace, expect| export(tool, &Export { trace, expect, template: None }).unwrap().text;
        insta::assert_snapshot!(format!("{name}_every_step"), export(&trace, Expect::NoCrash));
        insta::assert_snapshot!(format!("{name}_crash"), export(&short, Expect::Crash));
    }
}

/// What every test of a reduced crash has, whatever the tool.
#[test]
fn each_writes_the_crash_down() {
    let trace = trace();
    for exporter in EXPORTERS {
        let exported = export(exporter, &Export { trace: &trace, expect: Expect::NoCrash, template: None });
        let exported = match exported {
            Ok(exported) => exported,
            Err(error) => {
                assert_eq!(exporter.name, "monkey", "{error}");
                assert!(error.to_string().contains("the launch"), "{error}");
                continue;
            }
        };
        let text = &exported.text;
        for part in ["IllegalStateException", "20 of 20", "325", "org.retap.notes"] {
            let plain = text.replace("**", "").replace("\\\\", "");
            assert!(plain.contains(part), "{} lacks {part}:\n{text}", exporter.name);
        }
        let named = ["id/new", "New note"].iter().any(|name| text.contains(name));
        assert!(named && text.ends_with('\n'), "{}:\n{text}", exporter.name);
        assert!(!text.contains("{{") && !text.contains("{%"), "{}:\n{text}", exporter.name);
    }
}

#[test]
fn files_are_called_as_the_tool_wants_it() {
    let trace = trace();
    let of = |name: &str, file: &str| exporter(name).expect("an exporter").file_name(Path::new(file), &trace);
    let called = |name: &str| of(name, "notes-1.reduced.trace.jsonl");
    assert_eq!(called("appium"), "test_notes_1_reduced.py");
    assert_eq!(called("webdriverio"), "notes-1.reduced.spec.ts");
    assert_eq!(called("adb"), "notes-1.reduced.adb.sh");
    assert_eq!(called("maestro"), "notes-1.reduced.maestro.yaml");
    assert_eq!(called("monkey"), "notes-1.reduced.monkey.txt");
    assert_eq!(called("text"), "notes-1.reduced.text.txt");
    assert_eq!(called("markdown"), "notes-1.reduced.markdown.md");
    // A Kotlin file has the name of its class, and a project may have both.
    for (name, class) in [("uiautomator", "UiAutomatorTest"), ("espresso", "EspressoTest")] {
        let class = format!("IllegalStateExceptionEditorActivityAddTag{class}");
        assert_eq!(called(name), format!("{class}.kt"));
        let tool = exporter(name).expect("an exporter");
        let text =
            export(tool, &Export { trace: &trace, expect: Expect::NoCrash, template: None }).unwrap().text;
        assert!(text.contains(&format!("\nclass {class} {{\n")), "{text}");
    }
    // Every reduction calls its trace the same.
    let called = |name: &str| of(name, "tag/reduced.trace.jsonl");
    assert_eq!(called("appium"), "test_illegal_state_exception_editor_activity_add_tag.py");
    assert_eq!(called("webdriverio"), "illegal_state_exception_editor_activity_add_tag.spec.ts");
    assert_eq!(called("adb"), "illegal_state_exception_editor_activity_add_tag.adb.sh");
}

/// A new exporter is a template and a line: what is particular to one stands in its line.
#[test]
fn no_exporter_is_asked_for_by_its_name() {
    let (table, facts) = (include_str!("../src/export.rs"), include_str!("../src/export/facts.rs"));
    // Steps have a text as well.
    for exporter in EXPORTERS.iter().filter(|exporter| exporter.name != "text") {
        let name = format!("\"{}\"", exporter.name);
        assert_eq!((table.matches(&name).count(), facts.matches(&name).count()), (1, 0), "{name}");
    }
}

/// Tests of several traces of an app that crash nowhere are several classes.
#[test]
fn tests_without_a_crash_are_classes_with_the_name_of_the_file() {
    let header = Header { target: Some(Target::AnyCrash), ..Header::new("org.retap.notes") };
    let trace = Trace { header, steps: vec![Step::new(tap(976, 98, widget("new", "New note")))] };
    for (name, suffix) in [("uiautomator", "UiAutomatorTest"), ("espresso", "EspressoTest")] {
        for (file, class) in [
            ("night/tag-a-note.trace.jsonl", "TagANote"),
            ("small/suite/001.trace.jsonl", "Trace001"),
            ("night/reduced.trace.jsonl", "Notes"),
        ] {
            let (tool, file) = (exporter(name).expect("an exporter"), Path::new(file));
            assert_eq!(tool.file_name(file, &trace), format!("{class}{suffix}.kt"));
            let given = Export { trace: &trace, expect: Expect::NoCrash, template: None };
            let text = export_file(tool, file, &given).unwrap().text;
            assert!(text.contains(&format!("\nclass {class}{suffix} {{\n")), "{text}");
        }
    }
}

#[test]
fn what_a_tool_cannot_express_is_refused_by_name() {
    let mut trace = trace();
    trace.steps.insert(0, Step::new(Event::system("android.intent.action.BATTERY_LOW")));
    let with = |name: &str, expect: Expect| {
        let exporter = exporter(name).expect("an exporter");
        export(exporter, &Export { trace: &trace, expect, template: None })
    };
    let refused = with("maestro", Expect::NoCrash).unwrap_err().to_string();
    assert_eq!(
        refused,
        "maestro cannot express step 1: system event BATTERY_LOW, because Maestro has no system events"
    );
    assert!(with("adb", Expect::NoCrash).unwrap().text.contains("run 'dumpsys battery unplug'"));
    let refused = with("espresso", Expect::Crash).unwrap_err().to_string();
    assert!(refused.starts_with("espresso cannot express that a crash is expected"), "{refused}");
    let quiet = Trace { steps: vec![Step::new(Event::Launch)], ..trace.clone() };
    let adb = exporter("adb").expect("an exporter");
    let none = export(adb, &Export { trace: &quiet, expect: Expect::Crash, template: None });
    assert_eq!(none, Err(ExportError::NoCrash { may_have: false }));
}

/// Espresso waits for an app that hangs, and goes on when it is done.
#[test]
fn an_app_that_hangs_is_refused_where_nothing_tells_of_it() {
    let mut recorded = trace();
    let crash = Crash::new(CrashKind::Anr, "ANR", "", None, Vec::new(), "org.retap.notes");
    recorded.steps.last_mut().expect("steps").crash = Some(crash);
    let mut signed = trace();
    signed.steps.last_mut().expect("steps").crash = None;
    signed.header.target = Some(Target::Crash(Signature("ANR@Main".into())));
    for trace in [recorded, signed] {
        let export = |name: &str| {
            let tool = exporter(name).expect("an exporter");
            export(tool, &Export { trace: &trace, expect: Expect::NoCrash, template: None })
        };
        let refused = export("espresso").unwrap_err().to_string();
        assert!(refused.starts_with("espresso cannot express that the app hangs: "), "{refused}");
        assert!(export("uiautomator").unwrap().text.contains("CRASH_MS = 15_000L"));
    }
}

/// UI Automator hears no exit codes: a test on old data would be green, and one of an event that never was.
#[test]
fn commands_of_ui_automator_are_known_to_work_by_what_they_print() {
    let start = |verb: &str| {
        let extras = [("component".to_owned(), "org.retap.notes/.Sync".to_owned())].into();
        Event::System(SystemEvent { action: format!("am:{verb}"), extras })
    };
    let mut trace = trace();
    let events = [
        Event::system("android.intent.action.BATTERY_LOW"),
        Event::system("a.b.CUSTOM"),
        Event::system("am:force-stop"),
        start("startservice"),
    ];
    trace.steps.splice(0..0, events.map(Step::new));
    let tool = exporter("uiautomator").expect("an exporter");
    let exported = export(tool, &Export { trace: &trace, expect: Expect::NoCrash, template: None }).unwrap();
    for line in [
        r#"shell("pm clear $PACKAGE", "Success")"#,
        r#"shell("dumpsys battery unplug", "")"#,
        r#"shell("am broadcast -a a.b.CUSTOM -p org.retap.notes", "Broadcast completed")"#,
        r#"shell("am force-stop org.retap.notes", "")"#,
        r#"device.executeShellCommand("am startservice -n org.retap.notes/.Sync")"#,
    ] {
        assert!(exported.text.contains(&format!("\n        {line}\n")), "{line}\n{}", exported.text);
    }
    let unheard = exported.warnings.iter().filter(|warning| warning.contains("does not hear"));
    assert_eq!(
        unheard.collect::<Vec<_>>(),
        ["UI Automator does not hear whether an activity or a service is there (step 4)"]
    );
}

/// A mended app may leave its last screen: a flow asks for the app only after a touch of one of its widgets.
#[test]
fn a_flow_whose_last_step_leaves_the_app_does_not_ask_for_it() {
    let flow = |trace: &Trace, expect| {
        let maestro = exporter("maestro").expect("an exporter");
        export(maestro, &Export { trace, expect, template: None }).unwrap().text
    };
    let mut trace = trace();
    let asked = flow(&trace, Expect::NoCrash);
    assert!(asked.contains("- assertVisible:\n    id: \"org"), "{asked}");
    let passes = "passes when it is mended and shows a widget with an id after the last step.\n";
    assert!(asked.contains(passes), "{asked}");
    let expected = flow(&trace, Expect::Crash);
    assert!(!expected.contains("assertVisible") && expected.contains("fails when it is mended.\n"));
    for event in [
        Event::key(Key::HOME),
        Event::key(Key::BACK),
        Event::Wait { time: Micros::from_millis(500) },
        tap(1, 2, Selector { text: Some("Done".into()), ..Selector::default() }),
    ] {
        trace.steps.last_mut().expect("steps").event = event;
        let text = flow(&trace, Expect::NoCrash);
        assert!(!text.contains("assertVisible") && text.contains("passes when it is mended.\n"), "{text}");
    }
}

/// No part of a step is dropped without a word.
#[test]
fn how_long_a_press_is_held_is_said_where_the_tool_cannot() {
    let save = Selector { text: Some("Save".into()), ..Selector::default() };
    let mut trace = trace();
    let aim = Aim { by: Aiming::Widget, ..Aim::widget(Point::new(1, 2), save) };
    trace.steps[2].event = Event::LongTap { aim, hold: Micros::from_millis(900) };
    let espresso = exporter("espresso").expect("an exporter");
    let exported =
        export(espresso, &Export { trace: &trace, expect: Expect::NoCrash, template: None }).unwrap();
    let warned = exported.warnings.iter().any(|warning| warning.contains("900 ms of step 3"));
    assert!(warned, "{:?}", exported.warnings);
}

#[test]
fn a_template_of_the_user_takes_the_place_of_ours() {
    let trace = trace();
    let text = exporter("text").expect("an exporter");
    let with =
        |template| export(text, &Export { trace: &trace, expect: Expect::NoCrash, template: Some(template) });
    let own = with("{{ package }}: {{ steps|length }}{{ warn('mine') }}").unwrap();
    assert_eq!((own.text.as_str(), own.warnings), ("org.retap.notes: 6", vec!["mine".to_owned()]));
    let wrong = with("{{ packag }}").unwrap_err().to_string();
    assert!(wrong.starts_with("the template for text, line 1: undefined value"), "{wrong}");
    let refused = with("{{ refuse('no way') }}").unwrap_err().to_string();
    assert_eq!(refused, "the template for text: no way");
}

/// An imported flow names widgets, and no places. No test has a place that nobody knows.
#[test]
fn a_widget_without_a_place_is_looked_for_by_its_words() {
    let save = || Aim::anywhere(Selector { words: Some("Save".into()), ..Selector::default() });
    let mut trace = trace();
    trace.steps[0].before = Some(Seen::activity("org.retap.notes.MainActivity"));
    for (position, event) in [
        Event::Tap(save()),
        Event::DoubleTap(save()),
        Event::LongTap { aim: save(), hold: Micros::from_millis(900) },
    ]
    .into_iter()
    .enumerate()
    {
        trace.steps[position + 1].event = event;
    }
    let guess = "the test takes them for text";
    for exporter in EXPORTERS {
        match export(exporter, &Export { trace: &trace, expect: Expect::NoCrash, template: None }) {
            Ok(exported) => {
                assert!(exported.text.contains("Save"), "{}:\n{}", exporter.name, exported.text);
                for nowhere in ["0,0", "(0, 0)", "at 0 0", "at 0, 0", "input tap 0 0"] {
                    assert!(
                        !exported.text.contains(nowhere),
                        "{}: {nowhere}\n{}",
                        exporter.name,
                        exported.text
                    );
                }
                let warned = exported.warnings.iter().any(|warning| warning.ends_with(guess));
                assert_eq!(
                    warned,
                    !["maestro", "text", "markdown"].contains(&exporter.name),
                    "{}",
                    exporter.name
                );
            }
            Err(error) => {
                let said = error.to_string();
                assert!(matches!(error, ExportError::Refused { .. }), "{said}");
                assert!(said.starts_with(&format!("{} cannot express step ", exporter.name)), "{said}");
            }
        }
    }
}

fn nameless() -> Selector {
    Selector { class: Some("EditText".into()), path: "3".parse().ok(), ..Selector::default() }
}

/// Monkeys record what is typed and not where. A test of it says so.
#[test]
fn typing_into_whatever_has_the_focus_is_a_warning() {
    let mut trace = trace();
    trace.steps[0].event = Event::Launch;
    trace.steps[1].event = Event::Text { text: "milk".to_owned(), widget: None };
    let says = "types into the one that has the focus (step 2)";
    for name in ["adb", "maestro", "appium", "webdriverio", "uiautomator", "espresso"] {
        let tool = exporter(name).expect("an exporter");
        let warnings = |trace: &Trace| {
            export(tool, &Export { trace, expect: Expect::NoCrash, template: None }).unwrap().warnings
        };
        assert!(warnings(&trace).iter().any(|warning| warning.ends_with(says)), "{name}");
        let named = Event::Text { text: "milk".to_owned(), widget: Some(widget("title", "")) };
        let mut other = trace.clone();
        other.steps[1].event = named;
        assert!(!warnings(&other).iter().any(|warning| warning.contains("focus")), "{name}");
    }
}

#[test]
fn refusals_say_why() {
    let pinch =
        Event::Pinch { aim: Aim::place(Point::new(1, 2)), percent: 50, over: Micros::from_millis(300) };
    let text = |text: &str| Event::Text { text: text.to_owned(), widget: Some(widget("title", "")) };
    for (tool, event, why) in [
        (
            "adb",
            text("a%sb"),
            "because the command 'input text' cannot type '%s', which it takes for a space",
        ),
        ("adb", text("a\nb"), "because the command 'input text' cannot type a line end"),
        ("adb", pinch.clone(), "because adb has no command for two fingers"),
        ("maestro", pinch.clone(), "because Maestro has no gesture of two fingers"),
        ("maestro", Event::key(Key::CALL), "because Maestro has no such key"),
        ("appium", pinch.clone(), "because Appium pinches by a part of a widget, not to a percentage"),
        ("webdriverio", pinch.clone(), "because Appium pinches by a part of a widget, not to a percentage"),
        ("uiautomator", pinch, "because UI Automator pinches widgets that it finds by a name"),
        (
            "espresso",
            Event::Rotate { to: Orientation::Landscape },
            "because Espresso does not turn the device",
        ),
    ] {
        let mut trace = trace();
        trace.steps[1].event = event;
        let tool = exporter(tool).expect("an exporter");
        let refused = export(tool, &Export { trace: &trace, expect: Expect::NoCrash, template: None });
        let said = refused.unwrap_err().to_string();
        assert!(said.ends_with(why) && said.contains(" cannot express step 2: "), "{said}");
    }
}

/// A field without a name is not whatever has the focus.
#[test]
fn what_is_typed_into_a_field_without_a_name_goes_to_no_other() {
    let mut trace = trace();
    trace.header.start = Start::Stopped;
    trace.steps[0].event = Event::Launch;
    trace.steps[0].before = Some(Seen::activity("org.retap.notes.MainActivity"));
    trace.steps[1].event = Event::Text { text: "milk".to_owned(), widget: Some(nameless()) };
    let with = |trace: &Trace, name: &str| {
        export(exporter(name).unwrap(), &Export { trace, expect: Expect::NoCrash, template: None })
    };
    for tool in ["adb", "maestro", "appium", "webdriverio", "uiautomator", "espresso", "monkey"] {
        let refused = with(&trace, tool).unwrap_err().to_string();
        let why = "because the widget has no id, description, text or hint, and its place is not known";
        assert_eq!(refused, format!("{tool} cannot express step 2: type \"milk\" into EditText 3, {why}"));
    }
    assert!(with(&trace, "text").unwrap().text.contains("into EditText 3"));
    // Where the step before it touched the field, the test does so again.
    let aim = Aim { widget: Some(nameless()), ..Aim::place(Point::new(540, 465)) };
    trace.steps.insert(1, Step::new(Event::Tap(aim)));
    for (tool, touch) in [
        ("adb", "# 3. type \"milk\" into EditText 3\nsettle\nrun input tap 540 465\n"),
        ("maestro", "into EditText 3\n- tapOn:\n    point: \"540,465\"\n- eraseText"),
        (
            "appium",
            "into EditText 3\n    settle(driver)\n    driver.tap([(540, 465)])\n    field = driver.switch_to",
        ),
        ("webdriverio", "into EditText 3\n    await settle()\n    await driver.tap({ x: 540, y: 465 })\n"),
        (
            "uiautomator",
            "into EditText 3\n        device.waitForIdle()\n        device.click(540, 465)\n        find(By.focused(true))",
        ),
    ] {
        let text = with(&trace, tool).unwrap().text;
        assert!(text.contains(touch), "{tool}:\n{text}");
    }
    for tool in ["espresso", "monkey"] {
        let refused = with(&trace, tool).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("{tool} cannot express step ")), "{refused}");
    }
    // Not where something else may be on the screen by now.
    trace.steps.insert(2, Step::new(Event::key(Key::BACK)));
    assert!(with(&trace, "adb").unwrap_err().to_string().contains("cannot express step 4: type"));
}

/// However much the test itself has typed before, and 256 characters that the app may have put there.
#[test]
fn fields_are_emptied_however_much_stands_in_them() {
    let mut trace = trace();
    trace.steps[0].event = Event::Text { text: "x".repeat(300), widget: Some(widget("title", "")) };
    for (tool, first, second) in
        [("adb", "\nerase 256\n", "\nerase 556\n"), ("maestro", "eraseText: 256\n", "eraseText: 556\n")]
    {
        let tool = exporter(tool).expect("an exporter");
        let text =
            export(tool, &Export { trace: &trace, expect: Expect::NoCrash, template: None }).unwrap().text;
        let places = (text.find(first), text.find(second));
        assert!(places.0.is_some() && places.0 < places.1, "{}:\n{text}", tool.name);
    }
}

/// A widget that a test has no way to find is said by the step, not by a line of a template.
#[test]
fn only_after_runs_on_the_simulator_is_a_keyboard_put_away() {
    let mut trace = trace();
    trace.steps.remove(0);
    for (device, hides) in [("sim:notes", true), ("simple:notes", false)] {
        trace.header.device = Some(device.to_owned());
        let flow = Export { trace: &trace, expect: Expect::NoCrash, template: None };
        let flow = export(exporter("maestro").expect("an exporter"), &flow).unwrap().text;
        assert_eq!(flow.contains("- hideKeyboard"), hides, "{device}: {flow}");
    }
}

#[test]
fn touches_that_nobody_can_find_are_refused_by_name() {
    let aim = || Aim::anywhere(nameless());
    let hold = Micros::from_millis(900);
    let to = Point::new(1, 1);
    let events = [
        Event::Tap(aim()),
        Event::DoubleTap(aim()),
        Event::LongTap { aim: aim(), hold },
        Event::Swipe { aim: aim(), to, over: hold },
        Event::Pinch { aim: aim(), percent: 50, over: hold },
    ];
    for event in events {
        let mut trace = trace();
        trace.steps[0].before = Some(Seen::activity("org.retap.notes.MainActivity"));
        trace.steps[1].event = event.clone();
        for exporter in EXPORTERS.iter().filter(|exporter| !["text", "markdown"].contains(&exporter.name)) {
            let refused =
                export(exporter, &Export { trace: &trace, expect: Expect::NoCrash, template: None });
            let said = refused.unwrap_err().to_string();
            let why = "because the widget has no id, description, text or hint, and its place is not known";
            assert_eq!(said, format!("{} cannot express step 2: {event}, {why}", exporter.name));
        }
    }
}

/// What the trace was reduced to is said, and that its test does not ask for it.
#[test]
fn a_target_that_is_no_crash_is_named() {
    let mut trace = trace();
    trace.steps.last_mut().expect("steps").crash = None;
    trace.steps[0].before = Some(Seen::activity("org.retap.notes.MainActivity"));
    trace.steps[1].event = Event::key(Key::MENU);
    for (target, words) in [
        (Target::Activity("EditorActivity".into()), "the activity EditorActivity"),
        (Target::Command("./judge".to_owned()), "cmd:./judge"),
    ] {
        trace.header.target = Some(target);
        for exporter in EXPORTERS {
            let exported =
                export(exporter, &Export { trace: &trace, expect: Expect::NoCrash, template: None }).unwrap();
            assert!(exported.text.contains(words), "{}:\n{}", exporter.name, exported.text);
            assert!(!exported.text.contains("There is no crash"), "{}", exported.text);
            let warned = exported
                .warnings
                .iter()
                .any(|said| said.contains(&format!("reach {words}; the test does not")));
            assert_eq!(warned, !["text", "markdown"].contains(&exporter.name), "{}", exporter.name);
        }
    }
}

#[test]
fn a_test_of_a_flaky_crash_says_how_often_it_passes_by_chance() {
    let mut trace = trace();
    trace.header.claim = Some(ConfirmedRate { reached: 17, runs: 20, before: 325, digest: None });
    for (expect, says) in [
        (
            Expect::NoCrash,
            "While the app crashes, fails in 17 of 20 runs and passes by chance in 3; passes when it is mended",
        ),
        (
            Expect::Crash,
            "While the app crashes, passes in 17 of 20 runs and fails by chance in 3; fails when it is mended",
        ),
    ] {
        for exporter in EXPORTERS.iter().filter(|exporter| !["text", "markdown"].contains(&exporter.name)) {
            let Ok(exported) = export(exporter, &Export { trace: &trace, expect, template: None }) else {
                continue;
            };
            assert!(exported.text.contains(says), "{}:\n{}", exporter.name, exported.text);
            let chance = exported.warnings.iter().any(|said| said.contains("by chance in 3 of 20 runs"));
            assert!(chance, "{}: {:?}", exporter.name, exported.warnings);
        }
    }
}

#[test]
fn a_crash_that_is_expected_is_not_what_should_happen() {
    let trace = trace();
    for (name, says) in [
        ("markdown", "### What is expected for now\n\nThis crash, which is known."),
        ("text", "The app crashes, as is known."),
    ] {
        let tool = exporter(name).expect("an exporter");
        let text =
            export(tool, &Export { trace: &trace, expect: Expect::Crash, template: None }).unwrap().text;
        assert!(text.contains(says) && !text.contains("should"), "{text}");
    }
}

#[test]
fn steps_by_place_say_once_of_which_screen() {
    let mut trace = trace();
    for name in ["text", "markdown"] {
        let tool = exporter(name).expect("an exporter");
        let text = |trace: &Trace| {
            export(tool, &Export { trace, expect: Expect::NoCrash, template: None }).unwrap().text
        };
        trace.steps[0].event = tap(976, 98, widget("new", "New note"));
        assert!(!text(&trace).contains("Places are"), "{}", text(&trace));
        trace.steps[0].event = Event::Tap(Aim::place(Point::new(540, 465)));
        assert_eq!(
            text(&trace).matches("Places are those of a screen of 1080x1920.").count(),
            1,
            "{}",
            text(&trace)
        );
    }
}

fn text_of(trace: &Trace, name: &str) -> String {
    let tool = exporter(name).expect("it is one");
    export(tool, &Export { trace, expect: Expect::NoCrash, template: None }).expect("it can").text
}

fn refused(trace: &Trace, name: &str) -> Option<String> {
    let tool = exporter(name).expect("an exporter");
    let exported = export(tool, &Export { trace, expect: Expect::NoCrash, template: None });
    exported.err().map(|error| error.to_string())
}

/// No log of a device tells of an error in a page: a test that reads one is green while the error is there.
#[test]
fn an_error_in_a_page_is_for_people_alone() {
    let mut trace = trace();
    let crash =
        Crash::new(CrashKind::JavaScript, "TypeError", "x is null", None, Vec::new(), "org.retap.notes");
    trace.steps.last_mut().expect("steps").crash = Some(crash);
    for exporter in EXPORTERS {
        let said = refused(&trace, exporter.name);
        if ["text", "markdown"].contains(&exporter.name) {
            assert_eq!(said, None);
        } else {
            let said = said.expect("it is refused");
            assert!(
                said.starts_with(&format!("{} cannot express the crash TypeError", exporter.name)),
                "{said}"
            );
        }
    }
    // Where only its signature is known, its name tells.
    let mut signed = trace.clone();
    signed.steps.last_mut().expect("steps").crash = None;
    signed.header.target = Some(Target::Crash(Signature("TypeError@addTag#1b4ecd8b".into())));
    assert!(
        refused(&signed, "adb").expect("it is refused").starts_with("adb cannot express the crash TypeError")
    );
    signed.header.target = Some(Target::Crash(Signature("TypeNotPresentException@addTag#1b4ecd8b".into())));
    assert_eq!(refused(&signed, "adb"), None);
    // A template of the user may know where to look.
    let adb = exporter("adb").expect("an exporter");
    let own = Export { trace: &trace, expect: Expect::NoCrash, template: Some("{{ crash.kind }}") };
    assert_eq!(export(adb, &own).unwrap().text, "javascript");
}

/// An imported flow names ids as Maestro does, and nobody has counted how many widgets have one.
#[test]
fn ids_of_imported_flows_are_those_of_the_app() {
    let row = Selector { id: Some("row".into()), words: Some("Milk".into()), ..Selector::default() };
    let mut trace = trace();
    trace.header.claim = None;
    trace.steps[0].event = Event::Tap(Aim::anywhere(row));
    for (name, finds) in [
        ("adb", "find 0 resource-id='\"org.retap.notes:id/row\"' text='\"Milk\"'"),
        ("uiautomator", r#"By.res("org.retap.notes:id/row").text("Milk")"#),
        ("espresso", r#"allOf(withId("org.retap.notes:id/row"), ViewMatchers.withText("Milk"))"#),
        ("appium", r#"resourceId("org.retap.notes:id/row").text("Milk")"#),
        ("webdriverio", r#"resourceId("org.retap.notes:id/row").text("Milk")"#),
        ("maestro", "id: \"row\"\n    text: \"Milk\""),
    ] {
        let tool = exporter(name).expect("an exporter");
        let exported =
            export(tool, &Export { trace: &trace, expect: Expect::NoCrash, template: None }).unwrap();
        let plain = exported.text.replace("='resource-id=", "=").replace("'resource-id=", "resource-id='");
        let plain = plain.replace("'text=", "text='");
        assert!(plain.contains(finds), "{name}:\n{}", exported.text);
        let warned =
            exported.warnings.iter().any(|said| said.contains("for org.retap.notes:id/row: test tags"));
        assert_eq!(warned, name != "maestro", "{name}: {:?}", exported.warnings);
    }
}

/// The place of such a swipe is the middle of the screen, wherever the widget is.
#[test]
fn a_swipe_over_a_widget_that_nobody_has_seen_is_refused() {
    let list = Selector { id: Some("org.retap.notes:id/list".into()), ..Selector::default() };
    let swipe = |widget: Selector| Event::Swipe {
        aim: Aim::widget(Point::new(540, 960), widget),
        to: Point::new(540, 192),
        over: Micros::from_millis(400),
    };
    let mut trace = trace();
    trace.header.claim = None;
    trace.steps[1].event = swipe(list.clone());
    for name in ["adb", "maestro", "appium", "webdriverio", "uiautomator"] {
        let said = refused(&trace, name).expect("it is refused");
        assert!(said.starts_with(&format!("{name} cannot express step 2: swipe ")), "{said}");
        assert!(
            said.contains("because it swipes over a widget of which the trace does not say where"),
            "{said}"
        );
    }
    assert_eq!(refused(&trace, "text"), None);
    // Nor does a reduction change that, unless it has written down where its runs have found the widget.
    trace.header.claim = crate::trace().header.claim;
    assert!(refused(&trace, "adb").is_some());
    let at = Point::new(300, 700);
    trace.steps[1].found = Some(Found { widget: Selector { path: "3".parse().ok(), ..list.clone() }, at });
    let text = text_of(&trace, "adb");
    assert!(text.contains("input swipe 300 700 300 -68 400"), "{text}");
    // Of a recorded one the place is known.
    trace.steps[1] = Step::new(swipe(Selector { path: "3".parse().ok(), ..list }));
    assert_eq!(refused(&trace, "adb"), None);
}

/// What a flow calls a widget need not be what the screen calls it: retap then goes by the id alone.
#[test]
fn a_widget_that_runs_have_found_goes_by_what_it_was() {
    let flow = Selector { id: Some("fab".into()), words: Some("Add note".into()), ..Selector::default() };
    let screen = Selector {
        id: Some("org.retap.notes:id/fab".into()),
        desc: Some("Compose".into()),
        path: "3".parse().ok(),
        ..Selector::default()
    };
    let mut trace = trace();
    trace.steps[1] = Step::new(Event::Tap(Aim::anywhere(flow.clone())));
    trace.steps[2] = Step::new(Event::Text { text: "x".to_owned(), widget: Some(flow) });
    for tool in ["adb", "appium", "webdriverio", "uiautomator", "espresso"] {
        assert!(text_of(&trace, tool).contains("Add note"), "{tool}");
    }
    let found = Found { widget: screen, at: Point::new(300, 700) };
    trace.steps[1].found = Some(found.clone());
    trace.steps[2].found = Some(found);
    for tool in ["adb", "appium", "webdriverio", "uiautomator", "espresso"] {
        let text = text_of(&trace, tool);
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with(['/', '#', '*']));
        assert!(text.contains("fab") && !code.any(|line| line.contains("Add note")), "{tool}:\n{text}");
    }
}

/// An import that nobody has run, and one of which only the header is left.
#[test]
fn what_no_run_has_shown_is_no_fact() {
    let mut trace = trace();
    trace.steps.last_mut().expect("steps").crash = None;
    trace.header.claim = None;
    trace.header.target = Some(Target::AnyCrash);
    for name in ["text", "markdown"] {
        let text = text_of(&trace, name);
        assert!(text.contains("These steps are there to reach a crash, and the trace has none"), "{text}");
    }
    let adb = exporter("adb").expect("an exporter");
    let known = export(adb, &Export { trace: &trace, expect: Expect::Crash, template: None });
    assert_eq!(known, Err(ExportError::NoCrash { may_have: true }));
    assert!(known.unwrap_err().to_string().ends_with("; reduce it first: then it has one"));
    let mut crashing = crate::trace();
    crashing.header.claim = None;
    let not_run = "Is to fail while the app crashes and to pass when it is mended, but no run has confirmed that it does.";
    assert!(text_of(&crashing, "adb").contains(not_run), "{}", text_of(&crashing, "adb"));
    trace.steps.clear();
    for exporter in EXPORTERS {
        let said = refused(&trace, exporter.name).expect("it is refused");
        assert_eq!(said, "the trace has no steps, so a test of it would prove nothing");
    }
    // What the app dies of when it is started needs none.
    trace.header.crash = crashing.crash().cloned();
    assert_eq!(refused(&trace, "adb"), None);
}

/// The name of the first activity is known as soon as the app was launched.
#[test]
fn the_monkey_launches_what_was_in_front_after_a_launch() {
    let mut trace = trace();
    trace.header.start = Start::Stopped;
    trace.steps =
        vec![Step::new(Event::key(Key::BACK)), Step::new(Event::Launch), Step::new(Event::key(Key::BACK))];
    let none = refused(&trace, "monkey").expect("it is refused");
    assert!(none.contains("does not say the name of the first activity"), "{none}");
    trace.steps[2].before = Some(Seen::activity("org.retap.notes.ListActivity"));
    assert!(
        text_of(&trace, "monkey").contains("LaunchActivity(org.retap.notes, org.retap.notes.ListActivity)")
    );
}

/// A build server that stops a script tells by its code that it was stopped.
#[test]
fn a_script_that_is_stopped_has_not_failed() {
    let mut trace = trace();
    trace.steps[1] = Step::new(Event::system("android.intent.action.BATTERY_LOW"));
    let script = text_of(&trace, "adb");
    for trap in ["trap 'exit 129' HUP", "trap 'exit 130' INT", "trap 'exit 143' TERM"] {
        assert!(script.lines().any(|line| line == trap), "{script}");
    }
}

#[test]
fn refusals_name_what_may_help() {
    let mut trace = trace();
    trace.steps[1].event = Event::system("android.intent.action.BATTERY_LOW");
    let fix = "; 'retap reduce' leaves out the steps that are not needed";
    assert!(!refused(&trace, "maestro").expect("it is refused").contains(fix));
    trace.header.claim = None;
    assert!(refused(&trace, "maestro").expect("it is refused").ends_with(fix));
    trace.steps[1].event = Event::Tap(Aim::anywhere(nameless()));
    assert!(refused(&trace, "adb").expect("it is refused").ends_with(fix));
}

/// That a touch goes by coordinates has a reason, where its widget has a name.
#[test]
fn espresso_says_that_no_run_has_confirmed_a_name() {
    let mut trace = trace();
    let named = Aim { widget: Some(widget("done", "Done")), ..Aim::place(Point::new(638, 643)) };
    trace.steps[1].event = Event::Tap(named);
    assert_eq!(
        refused(&trace, "espresso").expect("it is refused"),
        "espresso cannot express step 2: tap 'Done', which goes by coordinates, because no run has confirmed that it works \
         by that name; Espresso finds views by name"
    );
    trace.steps[1].event = Event::tap(638, 643);
    let said = refused(&trace, "espresso").expect("it is refused");
    assert!(said.ends_with("which goes by coordinates or fingers; Espresso finds views by name"), "{said}");
}

#[test]
fn steps_in_words_say_what_comes_of_them() {
    let text = |trace: &Trace, expect| {
        let tool = exporter("text").expect("an exporter");
        let text = export(tool, &Export { trace, expect, template: None }).unwrap().text;
        text.lines().last().unwrap_or_default().to_owned()
    };
    let mut trace = trace();
    assert_eq!(text(&trace, Expect::NoCrash), "The app crashes. It should go on.");
    let anr = Crash::new(CrashKind::Anr, "ANR", "", None, Vec::new(), "org.retap.notes");
    trace.steps.last_mut().expect("steps").crash = Some(anr);
    assert_eq!(text(&trace, Expect::NoCrash), "The app does not respond. It should go on.");
    assert_eq!(text(&trace, Expect::Crash), "The app does not respond, as is known.");
    // Cut, or changed by hand.
    let digest = Some(Trace { steps: Vec::new(), ..trace.clone() }.digest());
    trace.header.claim = Some(ConfirmedRate { reached: 20, runs: 20, before: 325, digest });
    let changed = |what| {
        format!(
            "The steps were changed since runs have confirmed that {what}: whether that still holds, nobody has seen."
        )
    };
    assert_eq!(text(&trace, Expect::NoCrash), changed("the app does not respond"));
    assert!(text_of(&trace, "markdown").contains("The steps were changed since runs have confirmed them"));
    let target = Some(Target::Activity("EditorActivity".into()));
    let mut reaching = Trace { header: Header { target, ..trace.header.clone() }, ..trace.clone() };
    reaching.steps.last_mut().expect("steps").crash = None;
    assert_eq!(text(&reaching, Expect::NoCrash), changed("they reach the activity EditorActivity"));
    trace.header.claim = None;
    trace.header.target = Some(Target::Activity("EditorActivity".into()));
    trace.steps.last_mut().expect("steps").crash = None;
    assert_eq!(text(&trace, Expect::NoCrash), "These steps reach the activity EditorActivity.");
}
