//! Every importer, on recordings that have each thing it reads, and on what is wrong.

mod corpus;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use retap_formats::{
    Expect, Export, FileProblem, FilesBeside, IMPORTERS, ImportError, ImportInput, ImportOptions, Imported,
    NoFilesBeside, export, exporter, import,
};
use retap_trace::{Size, Step, Trace};

fn options() -> ImportOptions {
    ImportOptions {
        app: Some("com.example.notes".to_owned()),
        screen: Some(Size { width: 1000, height: 2000 }),
        ..ImportOptions::default()
    }
}

/// All that a user learns of an import.
fn told(imported: &Imported) -> String {
    let header = &imported.trace.header;
    let mut told = format!("{} ({})\n", imported.from, imported.because.unwrap_or("as the user says"));
    let target = header.target.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let _ = writeln!(told, "{}, {:?}, to reach {target}", header.app.package, header.start);
    for step in &imported.trace.steps {
        let at = step.at.map_or_else(String::new, |at| format!(" at {at}"));
        let before = step.before.as_ref().map_or_else(String::new, |seen| format!(" in {}", seen.activity));
        let crash = step.crash.as_ref().map_or_else(String::new, |crash| format!(": {crash}"));
        let _ = writeln!(told, "- {}{at}{before}{crash}", step.event);
    }
    for kind in &imported.skipped {
        let _ = writeln!(told, "skipped: {kind}");
    }
    for note in &imported.notes {
        let _ = writeln!(told, "note: {note}");
    }
    told
}

#[test]
fn each_reads_all_that_its_tool_writes() {
    let mut seen = Vec::new();
    for (importer, file) in corpus::CASES {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let files = corpus::files(folder);
        let input = ImportInput { name, bytes: &files[name], files: &files };
        let options = if *importer == "simplydroid" { ImportOptions::default() } else { options() };
        let imported = import(None, &input, &options).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(imported.from, *importer, "{file}");
        assert_eq!(import(Some(importer), &input, &options).unwrap().trace, imported.trace);
        insta::assert_snapshot!(file.replace(['/', '.'], "_"), told(&imported));
        seen.push(*importer);
    }
    assert!(IMPORTERS.iter().all(|importer| seen.contains(&importer.name)), "each importer has a recording");
}

#[test]
fn a_folder_of_droidbot_is_one_trace() {
    let files = corpus::files("droidbot");
    let folder = ImportInput { name: "", bytes: &[], files: &files };
    let imported = import(None, &folder, &ImportOptions::default()).unwrap();
    insta::assert_snapshot!(told(&imported));
}

#[test]
fn files_of_droidbot_that_cannot_be_read_are_counted_and_the_first_is_named() {
    let mut files = corpus::files("droidbot");
    let told = |files: &BTreeMap<String, Vec<u8>>| {
        let imported = import(None, &ImportInput { name: "", bytes: &[], files }, &options()).unwrap();
        (imported.skipped, imported.notes)
    };
    let (skipped, notes) = told(&files);
    for name in ["states/state_98.json", "states/state_99.json"] {
        files.insert(name.to_owned(), b"{\"state_str\": ".to_vec());
    }
    let (more, said) = told(&files);
    let new: Vec<String> =
        more.iter().filter(|kind| !skipped.contains(kind)).map(ToString::to_string).collect();
    assert_eq!(new, ["2 x files of 'states' that cannot be read"]);
    let new: Vec<&String> = said.iter().filter(|note| !notes.contains(note)).collect();
    assert!(
        new.len() == 1 && new[0].starts_with("states/state_98.json cannot be read: it is no JSON: "),
        "{new:?}"
    );
}

#[test]
fn folders_of_droidbot_with_too_many_files_are_refused() {
    struct Many(&'static str);
    impl FilesBeside for Many {
        fn read(&self, _: &str) -> Result<Vec<u8>, FileProblem> {
            Ok(b"{}".to_vec())
        }
        fn list(&self, folder: &str) -> Vec<String> {
            (0..=100_000).filter(|_| folder == self.0).map(|number| format!("{number}.json")).collect()
        }
    }
    for folder in ["events", "states"] {
        let input = ImportInput { name: "", bytes: &[], files: &Many(folder) };
        let refused = import(Some("droidbot"), &input, &options()).expect_err("too many").to_string();
        assert_eq!(refused, format!("there are more than 100000 files in '{folder}'; import a part of them"));
    }
}

/// A recording without what changes the app would be another one.
#[test]
fn events_of_droidbot_that_cannot_be_performed_are_refused() {
    let mut files = corpus::files("droidbot");
    for (event, why) in [
        (r#"{"event_type": "touch"}"#, "'touch' without a place"),
        (r#"{"event_type": "scroll", "direction": "UP"}"#, "'scroll' without a widget or a direction"),
        (r#"{"event_type": "set_text"}"#, "'set_text' without a text"),
        (
            r#"{"event_type": "set_text", "text": "milk", "view": {"class": "EditText"}}"#,
            "'set_text' into a field without a name or a place",
        ),
        (r#"{"event_type": "key", "name": "FLY"}"#, "'key', the key 'FLY'"),
        (r#"{"event_type": "intent", "intent": "am broadcast -a X"}"#, "'intent', 'am broadcast -a X'"),
        (r#"{"event_type": "manual"}"#, "'manual'"),
        (
            r#"{"event_type": "intent", "intent": "am force-stop com.other"}"#,
            "'intent', 'am force-stop com.other'",
        ),
        (
            r#"{"event_type": "intent", "intent": "am start -n com.example.notes/.Deep -d http://x/y"}"#,
            "'intent', 'am start -n com.example.notes/.Deep -d http://x/y'",
        ),
        (
            r#"{"event_type": "intent", "intent": "am start -S -W com.example.notes/.Main"}"#,
            "'intent', 'am start -S -W com.example.notes/.Main'",
        ),
        (
            r#"{"event_type": "intent", "intent": "am start -a VIEW -d http://x.y/z"}"#,
            "'intent', 'am start -a VIEW -d http://x.y/z'",
        ),
        (
            r#"{"event_type": "intent", "intent": "am start http://x.y/z"}"#,
            "'intent', 'am start http://x.y/z'",
        ),
        (
            r#"{"event_type": "long_touch", "x": 1, "y": 2, "duration": 2500.5}"#,
            "'long_touch', whose duration is 2500.5",
        ),
        (
            r#"{"event_type": "swipe", "start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4, "duration": "3000"}"#,
            "'swipe', whose duration is \"3000\"",
        ),
        (
            r#"{"event_type": "touch", "x": "500", "y": 2, "view": {"bounds": [[0, 0], [9, 9]]}}"#,
            "'touch', whose x is \"500\"",
        ),
        (
            r#"{"event_type": "swipe", "start_x": 1, "start_y": 2, "end_x": 3, "end_y": [4], "end_view": {"bounds": [[0, 0], [9, 9]]}}"#,
            "'swipe', whose end_y is [4]",
        ),
    ] {
        let told = format!(r#"{{"event_str": "E", "event": {event}}}"#);
        files.insert("events/event_11.json".to_owned(), told.clone().into_bytes());
        let folder = ImportInput { name: "", bytes: &[], files: &files };
        let refused = import(None, &folder, &options()).expect_err(event).to_string();
        let sentence = format!("retap cannot perform an event of the type {why}");
        assert_eq!(
            refused,
            format!("events/event_11.json: {sentence}; remove the file to import the others")
        );
        assert_eq!(refusal(Some("droidbot"), &told, &options()), sentence);
    }
}

/// Only the activity that was started first is the app's launch.
#[test]
fn intents_of_droidbot_start_and_stop_what_they_name() {
    let mut files = corpus::files("droidbot");
    for (number, intent) in [
        "am start -n com.example.notes/.SecretSettings",
        "am start com.example.notes/.MainActivity",
        "am force-stop com.example.notes",
    ]
    .iter()
    .enumerate()
    {
        let told =
            format!(r#"{{"event_str": "E", "event": {{"event_type": "intent", "intent": "{intent}"}}}}"#);
        files.insert(format!("events/event_9{number}.json"), told.into_bytes());
    }
    let folder = ImportInput { name: "", bytes: &[], files: &files };
    let trace = import(None, &folder, &options()).unwrap().trace;
    let words: Vec<String> = trace.events().map(ToString::to_string).collect();
    assert_eq!(
        words[words.len() - 3..],
        [
            "system event am:start component=com.example.notes/.SecretSettings",
            "launch the app",
            "system event am:force-stop"
        ]
    );
}

/// `DroidBot` touches a field and types into what has the focus then: a field without a name is known by its place alone.
#[test]
fn a_field_of_droidbot_without_a_name_is_touched_before_it_is_typed_into() {
    let read = |event: &str| {
        let mut files = corpus::files("droidbot");
        let state = r#"{"state_str": "s9", "foreground_activity": "com.example.notes/.Edit"}"#;
        files.insert("states/state_09.json".to_owned(), state.as_bytes().to_vec());
        let told = format!(r#"{{"start_state": "s9", "event_str": "E", "event": {event}}}"#);
        files.insert("events/event_11.json".to_owned(), told.into_bytes());
        let folder = ImportInput { name: "", bytes: &[], files: &files };
        let steps = import(None, &folder, &options()).unwrap().trace.steps;
        let seen = |step: &Step| step.before.as_ref().map(|seen| seen.activity.to_string());
        let in_state = steps.iter().filter(|step| seen(step).as_deref() == Some("com.example.notes.Edit"));
        in_state.map(|step| step.event.to_string()).collect::<Vec<_>>()
    };
    let field = r#"{"class": "EditText", "editable": true, "bounds": [[0, 100], [200, 300]]}"#;
    let typed = |more: &str| read(&format!(r#"{{"event_type": "set_text", "text": "milk", {more}}}"#));
    assert_eq!(typed(&format!(r#""view": {field}"#)), ["tap 100,200", "type \"milk\""]);
    assert_eq!(typed(r#""x": 7, "y": 8, "view": null"#), ["tap 7,8", "type \"milk\""]);
    let named = field.replace("EditText\"", "EditText\", \"resource_id\": \"a:id/title\"");
    assert_eq!(typed(&format!(r#""view": {named}"#)), ["type \"milk\" into EditText title"]);
}

#[test]
fn values_of_a_robo_script_are_what_they_mean() {
    let waits = |time: &str| {
        let script = format!(r#"[{{"eventType": "WAIT", "delayTime": {time}}}]"#);
        let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
        let trace = import(Some("robo"), &input, &options()).map_err(|error| error.to_string())?.trace;
        Ok(trace.events().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    };
    for time in ["1500", "1500.0", "\"1500\"", "\"1500.0\""] {
        assert_eq!(waits(time), Ok("wait 1.5 s".to_owned()), "{time}");
    }
    let why = "action 1: WAIT: it does not say how long; write whole milliseconds as delayTime";
    for time in ["null", "\"soon\"", "-1", "0.5", "1e99", "\"NaN\"", "[1500]"] {
        assert_eq!(waits(time), Err(why.to_owned()), "{time}");
    }
    let action = |action: &str| refusal(Some("robo"), &format!("[{action}]"), &options());
    assert_eq!(action(r#"{"eventType": "WAIT"}"#), why);
    for kind in ["VIEW_TEXT_CHANGED", "ENTER_TEXT"] {
        for text in ["", r#", "replacementText": null"#, r#", "replacementText": 5"#] {
            let said = action(&format!(
                r#"{{"eventType": "{kind}"{text}, "elementDescriptors": [{{"resourceId": "a.b:id/c"}}]}}"#
            ));
            assert_eq!(said, format!("action 1: {kind}: it has no text; add replacementText"));
        }
    }
}

/// A row that shows a text is known by it, and -1 is no position. That an action is optional is told.
#[test]
fn rows_with_a_text_and_optional_actions_of_a_robo_script_are_read() {
    let script = r#"[
        {"eventType": "VIEW_CLICKED", "optional": true,
         "elementDescriptors": [{"text": "milk", "recyclerViewChildPosition": 3}]},
        {"eventType": "VIEW_CLICKED", "optional": false,
         "elementDescriptors": [{"resourceId": "a.b:id/c", "recyclerViewChildPosition": -1, "adapterViewChildPosition": -1}]},
        {"eventType": "VIEW_SWIPED", "swipeDirection": "Up", "elementDescriptors": []}
    ]"#;
    let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
    let imported = import(Some("robo"), &input, &options()).unwrap();
    let words: Vec<String> = imported.trace.events().map(ToString::to_string).collect();
    assert_eq!(words, ["tap 'milk'", "tap widget c", "swipe up from 500,1500 to 500,500"]);
    let said: Vec<String> = imported.skipped.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["1 x the field 'optional': what is not there is not touched"]);
}

/// A shell takes quotes away, and makes of `$`, `;` and `|` other commands.
#[test]
fn commands_of_a_robo_script_that_need_a_shell_are_refused() {
    let read = |command: &str| {
        let command = command.replace('\n', "\\n").replace('"', "\\\"");
        let script = format!(r#"[{{"eventType": "ADB_SHELL_COMMAND", "command": "{command}"}}]"#);
        let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
        let trace = import(Some("robo"), &input, &options()).map_err(|error| error.to_string())?.trace;
        Ok(trace.events().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    };
    for command in [
        "input text 'hello'",
        "input text \"hello\"",
        "input text $USER",
        "input text `id`",
        "input text a;reboot",
        "input text a&",
        "input text a|b",
        "input text *",
        "input text ~",
        "input text a>b",
        "input text a\nreboot",
    ] {
        let said: String = read(command).expect_err(command);
        let command = command.replace('\n', " ");
        let why = format!("retap is no shell, which '{command}' needs; leave it out");
        assert_eq!(said, format!("action 1: ADB_SHELL_COMMAND: {why}"));
    }
    assert_eq!(read("input text a%sb+c@d.example"), Ok("type \"a b+c@d.example\"".to_owned()));
    assert_eq!(read("am force-stop __%APP_PACKAGE_NAME%__"), Ok("system event am:force-stop".to_owned()));
}

#[test]
fn actions_of_a_robo_script_that_cannot_be_performed_are_refused() {
    let action = |action: &str| {
        refusal(Some("robo"), &format!(r#"[{{"eventType": "PRESSED_BACK"}}, {action}]"#), &options())
    };
    let said: Vec<String> = [
        r#"{"eventType": "VIEW_CLICKED", "elementDescriptors": [{"textRegex": "Ye.*"}]}"#,
        r#"{"eventType": "VIEW_CLICKED", "visionText": "OK"}"#,
        r#"{"eventType": "VIEW_LONG_CLICKED", "elementDescriptors": [{"className": "Button"}]}"#,
        r#"{"eventType": "POINT_TAP"}"#,
        r#"{"eventType": "VIEW_SWIPED"}"#,
        r#"{"eventType": "VIEW_SWIPED", "swipeDirection": "Up", "elementDescriptors": [{"resourceId": "a.b:id/c"}]}"#,
        r#"{"eventType": "VIEW_SWIPED", "swipeDirection": "Up", "visionText": "OK"}"#,
        r#"{"eventType": "VIEW_CLICKED", "elementDescriptors": [{"resourceId": "a.b:id/row", "recyclerViewChildPosition": 3}]}"#,
        r#"{"eventType": "LIST_ITEM_CLICKED", "elementDescriptors": [{"resourceId": "a.b:id/list", "adapterViewChildPosition": 0}]}"#,
        r#"{"eventType": "VIEW_LONG_CLICKED", "elementDescriptors": [{"resourceId": "a.b:id/more"}, {"recyclerViewChildPosition": 2}]}"#,
        r#"{"eventType": "VIEW_CLICKED", "elementDescriptors": [{"resourceId": "a.b:id/del", "text": "Delete"}, {"recyclerViewChildPosition": 2}]}"#,
        r#"{"eventType": "VIEW_CLICKED", "elementDescriptors": [{"contentDescription": "Delete", "adapterViewChildPosition": 0}, {}, {"adapterViewChildPosition": 2}]}"#,
        r#"{"eventType": "POINT_TAP", "pointTapXCoordinate": "5", "pointTapYCoordinate": 6, "pointTapXPercent": 50, "pointTapYPercent": 25}"#,
        r#"{"eventType": "ADB_SHELL_COMMAND", "command": "svc wifi disable"}"#,
        r#"{"eventType": "FLY"}"#,
        r#"{"description": "nothing"}"#,
        r#"{"eventType": "PRESSED_BACK", "contextDescriptor": {"condition": "element_present"}}"#,
        r#"{"contextDescriptor": {"condition": "element_present"}, "actions": [{"eventType": "PRESSED_BACK"}]}"#,
        r#"{"eventType": "PRESSED_BACK", "contextDescriptor": {"elementDescriptors": []}}"#,
        r#"{"eventType": "PRESSED_BACK", "contextDescriptor": {"condition": "app_under_test_shown", "negateCondition": true}}"#,
        r#"{"eventType": "PRESSED_BACK", "contextDescriptor": {"condition": "app_under_test_shown", "visionText": "OK"}}"#,
        r#"{"crawlStage": "pre_crawl", "actions": [{"eventType": "PRESSED_BACK"}]}"#,
    ]
    .iter()
    .map(|script| action(script))
    .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    action 2: VIEW_CLICKED: the widget is named by a regular expression; name it by its id, text or description
    action 2: VIEW_CLICKED: the widget is named by what is read in a picture; name it by its id, text or description
    action 2: VIEW_LONG_CLICKED: the widget is named by class and position alone, or not at all; name it by its id, text or description
    action 2: POINT_TAP: it has no place; add pointTapXCoordinate and pointTapYCoordinate
    action 2: VIEW_SWIPED: it has no direction; add swipeDirection
    action 2: VIEW_SWIPED: it swipes over a widget, and retap swipes over the screen; leave elementDescriptors out for that
    action 2: VIEW_SWIPED: it swipes over a widget, and retap swipes over the screen; leave elementDescriptors out for that
    action 2: VIEW_CLICKED: the row is named by its position in a list; name it by its text
    action 2: LIST_ITEM_CLICKED: the row is named by its position in a list; name it by its text
    action 2: VIEW_LONG_CLICKED: it stands in a row that is named by its position in a list, where retap takes the first widget of its name; leave the position out if no other row has that name
    action 2: VIEW_CLICKED: it stands in a row that is named by its position in a list, where retap takes the first widget of its name; leave the position out if no other row has that name
    action 2: VIEW_CLICKED: it stands in a row that is named by its position in a list, where retap takes the first widget of its name; leave the position out if no other row has that name
    action 2: POINT_TAP: "5" is no coordinate; write a number
    action 2: ADB_SHELL_COMMAND: retap has no event for 'svc wifi disable'; leave it out
    action 2: FLY: retap has no such event; leave it out
    action 2: it has no eventType; leave it out
    action 2: the condition element_present is not looked at; leave it out, or what is under it
    action 2: the condition element_present is not looked at; leave it out, or what is under it
    action 2: a contextDescriptor without a condition is not looked at; leave it out, or what is under it
    action 2: negateCondition of the condition app_under_test_shown is not looked at; leave it out, or what is under it
    action 2: visionText of the condition app_under_test_shown is not looked at; leave it out, or what is under it
    action 2: the stage pre_crawl is not performed; leave its actions out
    "#);
    let percent = r#"[{"eventType": "POINT_TAP", "pointTapXPercent": 50, "pointTapYPercent": 25}]"#;
    let said = refusal(Some("robo"), percent, &ImportOptions { screen: None, ..options() });
    insta::assert_snapshot!(said, @"action 1: POINT_TAP: a place in percent, or a swipe in a direction, needs the size of the screen; add --screen WIDTHxHEIGHT");
}

/// The same steps, however they were written down.
#[test]
fn line_ends_marks_and_prefixes_change_nothing() {
    for (importer, file) in
        [("monkey", "monkey.txt"), ("monkey-log", "monkey-log.txt"), ("getevent", "getevent.txt")]
    {
        let files = corpus::files("");
        let text = String::from_utf8(files[file].clone()).unwrap();
        let read = |bytes: &[u8]| {
            let input = ImportInput { name: file, bytes, files: &files };
            import(None, &input, &options()).unwrap_or_else(|error| panic!("{file}: {error}")).trace
        };
        let plain = read(text.as_bytes());
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(read(windows.as_bytes()), plain, "{importer}");
        assert_eq!(read(text.replace('\n', "\r\r\n").as_bytes()), plain, "{importer}");
        let utf16: Vec<u8> = windows.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&utf16), plain, "{importer}");
        let noisy = text.replace('\n', "\n    D/Other(12): in between\n");
        assert_eq!(read(noisy.as_bytes()).steps, plain.steps, "{importer}");
    }
}

fn refusal(from: Option<&str>, text: &str, options: &ImportOptions) -> String {
    let input = ImportInput { name: "", bytes: text.as_bytes(), files: &NoFilesBeside };
    import(from, &input, options).map(|imported| told(&imported)).expect_err("a refusal").to_string()
}

#[test]
fn what_is_unknown_is_one_sentence_with_the_names() {
    let unknown = refusal(None, "hello", &options());
    insta::assert_snapshot!(unknown, @"retap does not know what wrote this; say it with --from: monkey, monkey-log, monkey-network, simplydroid, droidbot, maestro, getevent, robo");
    let both = "start data >>\nTap(1, 2)\n:Sending Touch (ACTION_DOWN): 0:(1.0,2.0)\n";
    insta::assert_snapshot!(refusal(None, both, &options()), @"it looks like monkey and like monkey-log; say which with --from");
    insta::assert_snapshot!(refusal(Some("monky"), both, &options()), @"--from: there is no importer 'monky'; did you mean `monkey`? there are monkey, monkey-log, monkey-network, simplydroid, droidbot, maestro, getevent and robo");
    assert!(
        refusal(Some("monkey"), "hello", &options())
            .starts_with("there is no event in it (skipped: 1 x lines that are")
    );
    insta::assert_snapshot!(refusal(None, "", &options()), @"it is empty; name a recording");
    insta::assert_snapshot!(
        refusal(None, "start data >>\nTap(1, 2)\n", &ImportOptions::default()),
        @"the recording does not say which app it is of; add --app PACKAGE"
    );
}

/// A program is no log, although a crash stands in it.
#[test]
fn exported_programs_are_refused_as_what_they_are() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/notes-unnamed-tag.trace.jsonl");
    let mut trace =
        Trace::read("sample", &std::fs::read(sample).expect("samples are part of the project")[..]).unwrap();
    trace.steps.drain(..trace.steps.len() - 1);
    let said = ["appium", "webdriverio", "uiautomator", "espresso", "adb", "markdown"].map(|tool| {
        let given = Export { trace: &trace, expect: Expect::NoCrash, template: None };
        let text = export(exporter(tool).unwrap(), &given).unwrap().text;
        refusal(None, &text, &options()).split(';').next().unwrap_or_default().to_owned()
    });
    insta::assert_snapshot!(said.join("\n"), @r"
    it is a Python program for Appium
    it is a program for WebdriverIO
    it is a program in Kotlin or Java, a test for UI Automator or Espresso
    it is a program in Kotlin or Java, a test for UI Automator or Espresso
    it is a script of a shell, or of what its first line names
    it is a bug report, with steps in words
    ");
}

#[test]
fn flows_that_cannot_be_read_are_refused_by_name() {
    let flow =
        |commands: &str| refusal(None, &format!("appId: a.b\n---\n{commands}\n"), &ImportOptions::default());
    let said: Vec<String> = [
        "- evalScript: ${1}",
        "- inputText: ${USER}",
        "- runFlow:\n    when:\n      visible: X\n    commands: [ back ]",
        "- repeat:\n    while:\n      visible: X\n    commands: [ back ]",
        "- tapOn:\n    below: X",
        "- tapOn: .*X",
        "- tapOn: ''",
        "- tapOn:\n    id: x\n    point: 50%,50%",
        "- tapOn:\n    point: middle",
        "- scroll",
        "- back\n- clearState",
        "- launchApp: c.d",
        "- inputRandomEmail",
        "- fly: away",
        "- pressKey: Any",
        "- runFlow: ../x.yaml",
        "- eraseText:\n    characters: 3",
        "- swipe:\n    direction: UP\n    speed: 40",
        "- back: { foo: 1 }",
        "- scroll:\n    optional: true\n    until: X",
        "- launchApp:\n    launchArguments: { a: 1 }",
        "- openLink: { link: 'https://x.y', browser: true }",
        "- repeat: { time: 3, commands: [ back ] }",
        "- tapOn: ab*",
        "back: true",
        "- [back]",
        "- tapOn: *x",
        "- tapOn: \"x",
        "- repeat:\n    times: 18446744073709551615\n    commands: []",
        "- repeat:\n    times: 99999\n    commands: [ back, back, back ]",
    ]
    .iter()
    .map(|commands| flow(commands))
    .collect();
    insta::assert_snapshot!(said.join("\n"));
}

/// No number and no switch of a flow becomes a default without a word.
#[test]
fn values_of_a_flow_that_cannot_be_read_are_refused() {
    for (commands, why) in [
        ("eraseText: ${n}", "${n} is a script of Maestro; write the value in its place"),
        ("eraseText: { charactersToErase: all }", "eraseText: 'all' is not a whole number"),
        ("eraseText: [3]", "a text is expected here"),
        ("extendedWaitUntil: { visible: X, timeout: '${T}' }", "${T} is a script of Maestro"),
        ("extendedWaitUntil: { visible: X, timeout: 5s }", "timeout: '5s' is not a whole number"),
        ("swipe: { start: '1,2', end: '3,4', duration: -1 }", "duration: '-1' is not a whole number"),
        ("tapOn: { text: X, repeat: 2, delay: soon }", "tapOn.delay: 'soon' is not a whole number"),
        ("tapOn: { text: X, repeat: 1.5 }", "tapOn.repeat: '1.5' is not a whole number"),
        ("repeat: { times: '${N}', commands: [ back ] }", "${N} is a script of Maestro"),
        ("setAirplaneMode: Enabld", "setAirplaneMode: 'Enabld'; write enabled or disabled"),
        ("launchApp: { clearState: '${C}' }", "${C} is a script of Maestro"),
        ("launchApp: { stopApp: no }", "launchApp.stopApp: 'no' is neither true nor false"),
    ] {
        let said = refusal(Some("maestro"), &format!("appId: a.b\n---\n- {commands}\n"), &options());
        assert!(said.starts_with("line 3: ") && said.contains(why), "{commands}: {said}");
    }
    // What is absent has the default of Maestro.
    let flow = "appId: a.b\n---\n- eraseText:\n- extendedWaitUntil: { visible: X }\n- launchApp: { stopApp: False }\n";
    let input = ImportInput { name: "", bytes: flow.as_bytes(), files: &NoFilesBeside };
    let trace = import(None, &input, &options()).unwrap().trace;
    let words: Vec<String> = trace.events().map(ToString::to_string).collect();
    assert_eq!(words, ["type \"\"", "wait 17.0 s", "launch the app"]);
}

/// What the user says of the app is not passed off as what the flow says.
#[test]
fn another_app_than_that_of_a_flow_is_told() {
    let notes = |app: &str, id: &str| {
        let flow = format!("appId: {id}\n---\n- launchApp\n- back\n");
        let input = ImportInput { name: "", bytes: flow.as_bytes(), files: &NoFilesBeside };
        let given = ImportOptions { app: Some(app.to_owned()), ..ImportOptions::default() };
        let imported = import(None, &input, &given).unwrap();
        assert_eq!(&*imported.trace.header.app.package, app);
        imported.notes.join("; ")
    };
    assert!(notes("c.d", "a.b").contains("the flow is of a.b; with --app the trace is of c.d"));
    assert!(!notes("a.b", "a.b").contains("the flow is of"));
    assert!(!notes("a.b", "${APP}").contains("the flow is of"));
}

#[test]
fn axes_of_what_has_none_are_refused() {
    let axes = ImportOptions { axes: Some(Size { width: 32767, height: 32767 }), ..options() };
    let said = refusal(None, "start data >>\nTap(1, 2)\n", &axes);
    insta::assert_snapshot!(said, @"--axes does nothing with a recording that has no axes of a touch screen; leave it out (it is read as monkey)");
}

/// A long press that became a tap would be another flow.
#[test]
fn fields_of_a_tap_that_maestro_does_not_have_are_refused() {
    for (field, why) in [
        ("longPress: true", "tapOn with longPress, which Maestro does not know; write longPressOn"),
        ("direction: UP", "tapOn by 'direction'; name the widget by its id or its text"),
    ] {
        for aim in ["id: x", "point: '1,2'"] {
            let flow = format!("appId: a.b\n---\n- tapOn:\n    {aim}\n    {field}\n");
            assert_eq!(refusal(Some("maestro"), &flow, &options()), format!("line 5: {why}"));
        }
    }
}

/// As in a Robo script. A wait for a widget goes on anyway.
#[test]
fn optional_commands_of_a_flow_are_told() {
    let flow = |commands: &str| format!("appId: a.b\n---\n{commands}\n- back\n");
    let skipped = |commands: &str| {
        let flow = flow(commands);
        let input = ImportInput { name: "", bytes: flow.as_bytes(), files: &NoFilesBeside };
        let skipped = import(None, &input, &options()).unwrap().skipped;
        skipped.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for command in [
        "tapOn: { text: X, optional: true }",
        "longPressOn: { point: '1,2', optional: true }",
        "swipe: { from: { id: x, optional: true }, direction: UP }",
        "inputText: { text: X, label: L, optional: true }",
    ] {
        let said = "1 x the field 'optional': what is not there is not touched, first in line 3";
        assert_eq!(skipped(&format!("- {command}")), [said], "{command}");
        assert_eq!(skipped(&format!("- {}", command.replace("true", "false"))), [""; 0], "{command}");
        let wrong = flow(&format!("- {}", command.replace("true", "perhaps")));
        let refused = refusal(None, &wrong, &options());
        assert!(refused.contains(".optional: 'perhaps' is neither true nor false"), "{refused}");
    }
    let wait = "- extendedWaitUntil: { visible: X, timeout: 5, optional: true }";
    assert_eq!(skipped(wait), [""; 0]);
}

/// What is said of a flow is true of it.
#[test]
fn notes_on_a_flow_tell_what_it_does() {
    let notes = |commands: &str| {
        let flow = format!("appId: a.b\n---\n{commands}\n");
        let input = ImportInput { name: "", bytes: flow.as_bytes(), files: &NoFilesBeside };
        import(None, &input, &ImportOptions::default()).unwrap().notes
    };
    let has = |commands: &str, note: &str| {
        let notes = notes(commands);
        assert!(notes.iter().any(|known| known == note), "{commands}: {notes:?}");
    };
    let begins = "; the trace begins with the app launched";
    has("- back", &format!("the flow does not launch the app{begins}"));
    has("- back\n- launchApp", &format!("the flow launches the app only after other commands{begins}"));
    has("- hideKeyboard", "hideKeyboard is imported as the key escape, which an app may hear as well");
    let types = "retap types in place of what";
    has("- inputText: milk", &format!("inputText without eraseText: {types} stands in the field"));
    has(
        "- eraseText: 5\n- inputText: milk",
        &format!("inputText after eraseText of some characters: {types} is left in the field"),
    );
    assert!(!notes("- eraseText\n- inputText: milk").iter().any(|note| note.contains("inputText")));
}

#[test]
fn flows_that_run_each_other_in_a_circle_are_refused() {
    let flow = |commands: &str| format!("appId: a.b\n---\n{commands}\n").into_bytes();
    let files: BTreeMap<String, Vec<u8>> = [
        ("main.yaml".to_owned(), flow("- back\n- runFlow: sub/a.yaml")),
        ("sub/a.yaml".to_owned(), flow("- runFlow:\n    file: ../main.yaml")),
    ]
    .into();
    let input = ImportInput { name: "main.yaml", bytes: &files["main.yaml"], files: &files };
    let refused = import(None, &input, &ImportOptions::default()).unwrap_err();
    insta::assert_snapshot!(refused.to_string(), @"sub/a.yaml, line 4: runFlow: ../main.yaml runs itself");
    assert!(matches!(refused, ImportError::Refused { .. }));
}

/// What a flow runs is beside it.
#[test]
fn what_a_flow_runs_is_in_its_folder() {
    let flow = |name: &str, file: &str| {
        let text = format!("appId: a.b\n---\n- runFlow: {file}\n");
        let input = ImportInput { name, bytes: text.as_bytes(), files: &NoFilesBeside };
        import(Some("maestro"), &input, &options()).unwrap_err().to_string()
    };
    assert_eq!(
        flow("", "x.yaml"),
        "line 3: runFlow: x.yaml: a flow on stdin has no folder; name the file of the flow"
    );
    assert_eq!(flow("a.yaml", "x.yaml"), "line 3: runFlow: x.yaml is not there");
    let outside = "line 3: runFlow: ../x.yaml lies outside the folder of the flow; put it there";
    assert_eq!(flow("a.yaml", "../x.yaml"), outside);
}

#[test]
fn getevent_without_a_place_says_so() {
    let keys = "/dev/input/event1: EV_KEY KEY_BACK DOWN\n/dev/input/event1: EV_KEY KEY_BACK UP\n\
                /dev/input/event1: EV_SYN SYN_REPORT 00000000\n";
    let said = refusal(Some("getevent"), keys, &ImportOptions { screen: None, ..options() });
    assert!(
        said.starts_with("no line of it tells a place on a touch screen (ABS_MT_POSITION_X); record"),
        "{said}"
    );
    let input = ImportInput { name: "", bytes: keys.as_bytes(), files: &NoFilesBeside };
    assert_eq!(import(Some("getevent"), &input, &options()).unwrap().trace.steps.len(), 1);
}

/// Text of a recording is data: it does not get to the terminal as it is.
#[test]
fn control_characters_stay_in_the_file() {
    let evil = "appId: \"a\\e[2Jb\"\n---\n- back\n";
    let said = refusal(None, evil, &ImportOptions::default());
    assert!(!said.contains('\u{1b}') && said.contains("is no name of an app's package"), "{said:?}");
    let said = refusal(None, "appId: a.b\n---\n- \"fly\\e[2J\"\n", &ImportOptions::default());
    assert!(!said.contains('\u{1b}'), "{said:?}");
    let script = "start data >>\nTap(1, 2)\nFl\u{1b}y(1)\n";
    let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
    let imported = import(None, &input, &options()).unwrap();
    assert!(imported.skipped.iter().all(|kind| !kind.what.contains('\u{1b}')));
}

/// A script that begins with a launcher is of the app that the user names.
#[test]
fn the_app_that_the_user_names_is_the_one_of_a_monkey_script() {
    let script = "start data >>\nLaunchActivity(com.launcher, X)\nLaunchActivity(com.example.notes, M)\nTap(1, 2)\n\
                  RunCmd(am force-stop com.example.notes)\n";
    let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
    let imported = import(None, &input, &options()).unwrap();
    let words: Vec<String> = imported.trace.events().map(ToString::to_string).collect();
    let launcher = "system event am:start component=com.launcher/X";
    assert_eq!(words, [launcher, "launch the app", "tap 1,2", "system event am:force-stop"]);
    assert!(imported.skipped.is_empty(), "{:?}", imported.skipped);
}

/// Only two taps right after each other are a double tap.
#[test]
fn what_is_between_two_taps_of_a_monkey_stays() {
    let touch =
        "DispatchPointer(0,0,0,100,200,0,0,0,0,0,0,0)\nDispatchPointer(0,0,1,100,200,0,0,0,0,0,0,0)\n";
    let steps = |between: &str| {
        let text = format!("start data >>\n{touch}{between}{touch}");
        let input = ImportInput { name: "", bytes: text.as_bytes(), files: &NoFilesBeside };
        let trace = import(None, &input, &options()).unwrap().trace;
        trace.events().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(steps(""), ["double tap 100,200"]);
    let between = "UserWait(5000)\nDispatchPress(KEYCODE_BACK)\n";
    assert_eq!(steps(between), ["tap 100,200", "wait 5.0 s", "press back", "tap 100,200"]);
}

/// Options of a Robo script stand before its JSON; lines count from the top all the same.
#[test]
fn mistakes_of_a_robo_script_have_the_line_of_the_file() {
    let script =
        "\"roboscript\": {\n  \"priority\": 1\n}\n[\n  {\"eventType\": \"VIEW_CLICKED\",\n  oops}\n]\n";
    let said = refusal(Some("robo"), script, &options());
    assert!(said.starts_with("line 6: "), "{said}");
}

/// A flow that clears the app's data, as exported ones of an app that is not running do, keeps none.
#[test]
fn a_flow_that_clears_the_data_keeps_none() {
    let notes = |commands: &str| {
        let text = format!("appId: a.b\n---\n{commands}- launchApp\n- back\n");
        let input = ImportInput { name: "", bytes: text.as_bytes(), files: &NoFilesBeside };
        import(None, &input, &ImportOptions::default()).unwrap().notes.join("; ")
    };
    assert!(notes("").contains("the flow keeps the app's data"));
    assert!(!notes("- stopApp\n- clearState\n").contains("the flow keeps the app's data"));
}
