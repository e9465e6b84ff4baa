//! Nothing of a recording is lost without a word: what makes no event is counted, or the recording is refused.

use std::collections::BTreeMap;

use retap_formats::{FilesBeside, ImportError, ImportInput, ImportOptions, Imported, NoFilesBeside, import};
use retap_trace::{Aim, Event, Micros, Point, Size, Start};

fn read_beside(from: &str, name: &str, text: &str, files: &dyn FilesBeside) -> Result<Imported, ImportError> {
    let options = ImportOptions {
        app: Some("com.example.notes".to_owned()),
        screen: Some(Size { width: 1000, height: 2000 }),
        ..ImportOptions::default()
    };
    import(Some(from), &ImportInput { name, bytes: text.as_bytes(), files }, &options)
}

fn read(from: &str, text: &str) -> Imported {
    read_beside(from, "", text, &NoFilesBeside).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn skipped(imported: &Imported) -> Vec<String> {
    imported.skipped.iter().map(ToString::to_string).collect()
}

/// The steps, and behind them what was skipped.
fn told(imported: &Imported) -> Vec<String> {
    imported.trace.events().map(ToString::to_string).chain(skipped(imported)).collect()
}

/// How many steps there are, and what was skipped.
fn counted(from: &str, text: &str) -> (usize, Vec<String>) {
    let imported = read(from, text);
    (imported.trace.steps.len(), skipped(&imported))
}

fn refused(from: &str, text: &str) -> String {
    let read = read_beside(from, "", text, &NoFilesBeside);
    read.map(|imported| told(&imported)).expect_err("a refusal").to_string()
}

/// A pair of `SimplyDroid`.
fn pair(script: &str, log: &str) -> Result<Imported, ImportError> {
    let files: BTreeMap<String, Vec<u8>> = [("execute.log".to_owned(), log.as_bytes().to_vec())].into();
    read_beside("simplydroid", "script.log", script, &files)
}

const SCRIPT: &str = "start data >>\nLaunchActivity(com.example.notes, A)\nTap(1, 2, 0)\nTap(3, 4, 0)\n";
const EVENTS: &str = "1;MonkeyActivityEvent;a;a.Main;1\n2;MonkeyThrottleEvent;a;a.Main;1\n3;MonkeyTouchEvent;a;a.List;1\n\
                      4;MonkeyThrottleEvent;a;a.List;1\n";

/// What was cut in the middle of a line is no event with half a number or half a text, but counted with its line.
#[test]
fn what_ends_in_the_middle_of_a_line_is_skipped_and_counted() {
    for (cut, name) in [
        ("Tap(900, 13", "Tap"),
        ("UserWait(30", "UserWait"),
        ("DispatchString(hel", "DispatchString"),
        ("DispatchPress(4", "DispatchPress"),
        ("Tap(", "Tap"),
    ] {
        let read = read("monkey", &format!("start data >>\nTap(1, 2)\n{cut}"));
        let said = format!("1 x {name} statements without an end, first in line 3");
        assert_eq!(told(&read), ["tap 1,2".to_owned(), said]);
    }
    let typed = read("monkey-network", "tap 1 2\ntype \"hel");
    assert_eq!(told(&typed), ["tap 1,2", "1 x commands 'type' that cannot be read, first in line 2"]);
    let event = "[ 1.0] /dev/input/event2: ";
    let tap = ["ABS_MT_TRACKING_ID 00000001", "ABS_MT_POSITION_X 00000064", "ABS_MT_POSITION_Y 000000c8"];
    let down: String = tap.iter().map(|told| format!("{event}EV_ABS {told}\n")).collect::<Vec<_>>().concat();
    let up = format!("{event}EV_SYN SYN_REPORT 00000000\n{event}EV_ABS ABS_MT_TRACKING_ID ffffffff\n");
    let whole = format!("{down}{up}{event}EV_SYN SYN_REPORT 00000000\n");
    for cut in
        ["EV_KEY", "EV_KEY KEY_BACK", "EV_KEY KEY_BACK DO", "0001 009e 0000", "EV_ABS ABS_MT_POSITION_X 0000"]
    {
        let read = read("getevent", &format!("{whole}{event}{cut}"));
        assert_eq!(told(&read), ["tap 100,200", "1 x events without an end, first in line 7"], "{cut}");
    }
}

#[test]
fn a_log_of_the_monkey_may_end_in_the_middle_of_a_line() {
    let tap = ":Sending Touch (ACTION_DOWN): 0:(9.0,9.0)\n:Sending Touch (ACTION_UP): 0:(9.0,9.0)\n";
    let log = |last: &str| told(&read("monkey-log", &format!(":Monkey: seed=1 count=10\n{tap}{last}")));
    let down = ":Sending Touch (ACTION_DOWN): 0:(900.0,136.0)\n";
    for end in ["0:(900.0,13", "0:(900.0,136.0", "0:(900.0,136.0) 1:(7"] {
        assert_eq!(
            log(&format!("{down}:Sending Touch (ACTION_UP): {end}"))[..2],
            ["tap 9,9", "1 x events that cannot be read, first in line 5"]
        );
    }
    let start = log(":Switch: #Intent;action=android.intent.action.MAIN;component=com.example.no");
    assert_eq!(start, ["tap 9,9", "1 x starts of an app without a name, first in line 4"]);
    for report in [
        "// CRASH: com.example.notes (pid 7)\n// java.lang.IllegalStateExc",
        "// NOT RESPONDING: com.example.notes (pid 7)\nANR in com.example.notes (com.example.notes/.Ma",
    ] {
        let said = "1 x crashes of com.example.notes without a stack, first in line 4";
        assert_eq!(log(report), ["tap 9,9", said], "{report}");
    }
    let frame =
        "// CRASH: com.example.notes (pid 7)\n// java.lang.Error: x\n// \tat com.example.notes.Edit.go(Ed";
    let cut = read("monkey-log", &format!("{tap}{frame}")).trace;
    assert_eq!(cut.crash().expect("a crash").frames, [], "half a frame is none");
}

/// Without a statement, each event after it would have the activity of another one.
#[test]
fn a_statement_of_simplydroid_that_was_cut_is_refused_wherever_it_stands() {
    assert_eq!(pair(SCRIPT, EVENTS).unwrap().trace.steps.len(), 2);
    for (whole, cut) in
        [("Tap(1, 2, 0)", "Tap(1, 2, 0"), ("Tap(1, 2, 0)", "Ta"), ("Tap(3, 4, 0)\n", "Tap(3, 4")]
    {
        let refused = pair(&SCRIPT.replace(whole, cut), EVENTS).expect_err("a refusal").to_string();
        assert!(refused.ends_with(&format!("'{cut}' is no event of SimplyDroid")), "{refused}");
    }
    let line = pair(&SCRIPT.replace("Tap(1, 2, 0)", "# a comment\n\nTap(1, 2"), EVENTS).unwrap_err();
    assert_eq!(line.to_string(), "line 5: 'Tap(1, 2' is no event of SimplyDroid");
}

#[test]
fn a_log_of_simplydroid_that_was_cut_tells_no_half_of_a_name() {
    let read = |end: &str| {
        let imported = pair(SCRIPT, &format!("{EVENTS}{end}")).unwrap();
        let last = imported.trace.steps.last().expect("steps").clone();
        let frames = last.crash.map(|crash| crash.frames.len());
        (last.before.map(|seen| seen.activity.to_string()), frames, imported.notes)
    };
    let event = "5;MonkeyTouchEvent;a;a.Edit;1";
    assert_eq!(read(event).0.as_deref(), Some("a.Edit"));
    assert_eq!(read(&event[..event.len() - 4]).0, None);
    let crash = "// CRASH: // java.lang.IllegalStateException: x$$ \tat a.Edit.go(Edit.java:7)$$ ";
    assert_eq!(read(&format!("{event}\n{crash}\n")).1, Some(1));
    assert_eq!(read(&format!("{event}\n{crash}")).1, Some(1));
    assert_eq!(read(&format!("{event}\n{}", &crash[..crash.len() - 6])).1, Some(0), "half a frame is none");
    for cut in [30, 40] {
        let (_, crashed, notes) = read(&format!("{event}\n{}", &crash[..cut]));
        assert!(
            crashed.is_none() && notes[0].starts_with("execute.log tells of a crash that cannot be read"),
            "{notes:?}"
        );
    }
    let (_, crashed, _) =
        read(&format!("{event}\n// CRASH: com.example.notes (pid 7)\n// java.lang.Illegal"));
    assert_eq!(crashed, None);
}

/// JSON and YAML say themselves that they were cut, but for YAML's words without quotes.
#[test]
fn flows_scripts_and_events_that_were_cut_are_refused() {
    let flow = "appId: a.b\n---\n- back\n- tapOn: \"Sa";
    assert!(refused("maestro", flow).starts_with("line "), "{}", refused("maestro", flow));
    let script = "[{\"eventType\": \"PRESSED_BACK\"},\n{\"eventType\": \"GO_H";
    assert!(refused("robo", script).starts_with("line 2: it is no JSON"), "{}", refused("robo", script));
    let event = "{\"event_str\": \"E\", \"event\": {\"event_type\": \"key\", \"name\": \"BA";
    assert!(refused("droidbot", event).starts_with("it is no JSON"), "{}", refused("droidbot", event));
}

/// Prose has brackets as well.
#[test]
fn a_line_with_brackets_and_no_name_is_no_statement() {
    let read = read("monkey", "Tap(1, 2)\nSee there (above)\n(and below)\n");
    assert_eq!(skipped(&read), ["2 x lines that are no statement, first in line 2"]);
}

/// What the Monkey is told after it has ended, and halves of touches and keys, do nothing: they are counted.
#[test]
fn nothing_is_left_out_without_a_word() {
    for end in ["quit", "done"] {
        let said = format!("2 x commands after '{end}', which ends the Monkey, first in line 5");
        let text = format!("tap 1 2\n{end}\n\n# more\ntap 1 2\nfly\n");
        assert_eq!(counted("monkey-network", &text), (1, vec![said]));
        assert_eq!(counted("monkey-network", &format!("tap 1 2\n{end}\n# more\n")).1, [""; 0]);
    }
    halves_are_counted(
        "monkey-log",
        "",
        |action| format!(":Sending Touch (ACTION_{}): 0:(1.0,2.0)\n", action.to_uppercase()),
        |action, code| format!(":Sending Key (ACTION_{}): {code}    // KEY\n", action.to_uppercase()),
    );
    let touch = |action: &str| format!(":Sending Touch (ACTION_{action}): 0:(1.0,2.0)\n");
    let cancelled = touch("DOWN") + &touch("UP") + &touch("DOWN") + &touch("CANCEL");
    let said = "1 x touches that were cancelled, first in line 4".to_owned();
    assert_eq!(counted("monkey-log", &cancelled), (1, vec![said]));
    halves_are_counted(
        "monkey-network",
        "",
        |action| format!("touch {action} 1 2\n"),
        |action, code| format!("key {action} {code}\n"),
    );
    let number =
        |action: &str| ["down", "up", "move"].iter().position(|known| *known == action).expect("one");
    halves_are_counted(
        "monkey",
        "start data >>\n",
        |action| format!("DispatchPointer(0,0,{},1,2,0,0,0,0,0,0,0)\n", number(action)),
        |action, code| format!("DispatchKey(0,0,{},{code},0,0,-1,0)\n", number(action)),
    );
    let later = "DispatchKey(0,0,2,4,0,0,-1,0)\nTap(1, 2)\n";
    let said = "1 x DispatchKey statements that are no down or up, first in line 1".to_owned();
    assert_eq!(counted("monkey", later), (1, vec![said]));
}

/// The halves of touches and keys, in the words of an importer: every line is one action.
fn halves_are_counted(
    importer: &str,
    header: &str,
    touch: impl Fn(&str) -> String,
    key: impl Fn(&str, u32) -> String,
) {
    let tap = touch("down") + &touch("up");
    let above = header.lines().count();
    for (half, steps, said, line) in [
        (touch("move"), 1, "ways of fingers that are not down", 3),
        (touch("up"), 1, "touches without a beginning", 3),
        (touch("down"), 1, "touches without an end", 3),
        (
            touch("down") + &touch("down") + &key("down", 4) + &key("up", 4) + &touch("up"),
            3,
            "touches without an end",
            3,
        ),
        (key("up", 82), 1, "keys that are lifted and were not down", 3),
        (key("down", 82) + &key("down", 82) + &key("up", 82), 2, "repeats of a key that is held", 4),
    ] {
        let told = counted(importer, &format!("{header}{tap}{half}"));
        let said = format!("1 x {said}, first in line {}", line + above);
        assert_eq!(told, (steps, vec![said]), "{importer}: {half}");
    }
    let both = key("down", 82) + &key("down", 4) + &key("up", 82);
    for (end, lifted) in [(key("up", 4), true), (String::new(), false)] {
        let imported = read(importer, &format!("{header}{tap}{both}{end}"));
        assert!(imported.trace.steps.len() == 3 && imported.skipped.is_empty(), "{imported:?}");
        let noted = imported.notes.iter().any(|note| note.contains("never lifted"));
        assert_eq!(noted, !lifted, "{importer}: {:?}", imported.notes);
    }
}

#[test]
fn halves_of_touches_and_keys_of_a_device_are_counted() {
    let event = |told: &str| format!("/dev/input/event2: {told}\n");
    let end = event("EV_SYN SYN_REPORT 00000000");
    let down = |number: u32| event(&format!("EV_ABS ABS_MT_TRACKING_ID {number:08x}"));
    let place = event("EV_ABS ABS_MT_POSITION_X 00000064") + &event("EV_ABS ABS_MT_POSITION_Y 000000c8");
    let up = event("EV_ABS ABS_MT_TRACKING_ID ffffffff") + &end;
    let tap = down(1) + &place + &end + &up;
    let key = |name: &str, action: &str| event(&format!("EV_KEY {name} {action}"));
    for (half, steps, said) in [
        (up.clone(), 1, "1 x touches without a beginning, first in line 7"),
        (down(2) + &end, 1, "1 x touches without an end, first in line 7"),
        (down(2) + &end + &down(3) + &end + &up, 2, "1 x touches without an end, first in line 7"),
        (key("KEY_BACK", "UP"), 1, "1 x keys that are lifted and were not down, first in line 7"),
        (
            key("KEY_BACK", "DOWN") + &key("KEY_BACK", "REPEAT") + &key("KEY_BACK", "UP"),
            2,
            "1 x repeats of a key that is held, first in line 8",
        ),
        (
            key("KEY_LEFTSHIFT", "DOWN") + &key("KEY_LEFTSHIFT", "UP"),
            1,
            "1 x keys that change others: control, shift, alt, first in line 7",
        ),
    ] {
        assert_eq!(counted("getevent", &format!("{tap}{half}")), (steps, vec![said.to_owned()]), "{half}");
    }
    let held = read("getevent", &format!("{tap}{}", key("KEY_BACK", "DOWN")));
    assert!(
        held.trace.steps.len() == 2 && held.notes.iter().any(|note| note.contains("never lifted")),
        "{held:?}"
    );
}

/// A pause while the finger is down is how long it presses; times of a script and its waits tell the same pause.
#[test]
fn a_monkey_that_waits_with_its_finger_down_presses_long() {
    let pointer =
        |time: u64, action: u32| format!("DispatchPointer(0,{time},{action},100,200,0,0,0,0,0,0,0)\n");
    let steps = |wait: &str, up: u64| {
        let read = read("monkey", &format!("start data >>\n{}{wait}\n{}", pointer(0, 0), pointer(up, 1)));
        assert!(read.skipped.is_empty(), "{:?}", read.skipped);
        read.trace.events().cloned().collect::<Vec<_>>()
    };
    let long = |ms: u64| {
        let aim = Aim::place(Point::new(100, 200));
        vec![Event::LongTap { aim, hold: Micros::from_millis(ms) }]
    };
    assert_eq!(steps("UserWait(1000)", 0), long(1_000));
    assert_eq!(steps("UserWait(1000)", 1_000), long(1_000));
    assert_eq!(steps("UserWait(700)\nUserWait(700)", 5), long(1_400));
    assert_eq!(steps("ProfileWait()", 5), long(5_000));
    assert_eq!(steps("UserWait(18446744073709551615)\nUserWait(18446744073709551615)", 5).len(), 1);
    // The length from which a tap is long is one for all that a Monkey is told.
    for (ms, word) in [(499, "tap 100,200"), (500, "long tap 100,200")] {
        assert_eq!(told(&read("monkey", &format!("Tap(100, 200, {ms})\n"))), [word]);
        assert_eq!(steps(&format!("UserWait({ms})"), 0)[0].to_string(), word);
    }
}

/// A wait is a part of a touch only where the finger is lifted behind it.
#[test]
fn waits_with_a_finger_that_is_never_lifted_are_waits() {
    let pointer = |action: u32| format!("DispatchPointer(0,0,{action},100,200,0,0,0,0,0,0,0)\n");
    let (down, up, moved, cancel) = (pointer(0), pointer(1), pointer(2), pointer(3));
    let (tap, wait) = ("Tap(9, 9)\n", "UserWait(1000)\n");
    let endless = "1 x touches without an end, first in line 1";
    let cancelled = |line: usize| format!("1 x touches that were cancelled, first in line {line}");
    let cut = "1 x DispatchPointer statements without an end, first in line 2";
    for (script, words) in [
        (
            format!("{down}DispatchPointer(0,0,1,100\n{wait}{tap}{wait}{wait}{tap}"),
            vec!["wait 1.0 s", "tap 9,9", "wait 1.0 s", "wait 1.0 s", "tap 9,9", cut, endless],
        ),
        (
            format!("{down}{wait}{moved}{tap}ProfileWait()\n"),
            vec!["wait 1.0 s", "tap 9,9", "wait 5.0 s", endless],
        ),
        (format!("{down}{wait}{down}{wait}{up}"), vec!["wait 1.0 s", "long tap 100,200", endless]),
        (
            format!("{down}{wait}{cancel}{wait}{tap}"),
            vec!["wait 1.0 s", "wait 1.0 s", "tap 9,9", &cancelled(3)],
        ),
        (format!("{cancel}{tap}"), vec!["tap 9,9", &cancelled(1)]),
        (format!("{tap}{down}{cancel}{tap}"), vec!["tap 9,9", "tap 9,9", &cancelled(3)]),
    ] {
        assert_eq!(told(&read("monkey", &script)), words, "{script}");
    }
    let commands = read("monkey-network", "touch down 1 2\nsleep 1000\ntap 9 9\nsleep 1000\n");
    assert_eq!(told(&commands), ["wait 1.0 s", "tap 9,9", "wait 1.0 s", endless]);
}

/// What was skipped between two taps was done between them.
#[test]
fn taps_of_a_monkey_with_something_between_them_are_two() {
    let pointer = "DispatchPointer(0,0,0,5,5,0,0,0,0,0,0,0)\nDispatchPointer(0,0,1,5,5,0,0,0,0,0,0,0)\n";
    for tap in ["Tap(5, 5)\n", pointer] {
        for between in [
            "RunCmd(svc wifi disable)",
            "LongPress()",
            "DispatchTrackball(0,0,2,1.0,-2.0,0,0,0,0,0,0,0)",
            "DispatchFlip(true)",
            "LaunchInstrumentation(a.b, c.d)",
            "Tap(x, y)",
            "DispatchPointer(0,0,0,900,900,0,0,0,0,0,0,0)\nDispatchPointer(0,0,2,900,90,0,0,0,0,0,0,0)",
            "DispatchPointer(0,0,0,900,900,0,0,0,0,0,0,0)\nDispatchPointer(0,0,2,90,90,0,0,0,0,0,0,0)\n\
             DispatchPointer(0,0,1,900,900,0,0,0,0,0,0,0)",
            "DispatchPointer(0,0,3,5,5,0,0,0,0,0,0,0)",
            "DispatchPointer(0,0,5,5,5,0,0,0,0,0,0,0)",
        ] {
            let read = read("monkey", &format!("start data >>\n{tap}{between}\n{tap}"));
            assert_eq!(told(&read)[..2], ["tap 5,5", "tap 5,5"], "{between}");
        }
        for nothing in ["PowerLog(start, case)\n", "# a comment\n", ""] {
            let read = read("monkey", &format!("start data >>\n{tap}{nothing}{tap}"));
            assert_eq!(told(&read)[0], "double tap 5,5", "{nothing}");
        }
    }
    // Commands for a Monkey that listens to a port have no times: two touches are two taps.
    let touches = read("monkey-network", &"touch down 5 5\ntouch up 5 5\n".repeat(2));
    assert_eq!(told(&touches), ["tap 5,5", "tap 5,5"]);
}

/// Launching an app starts one activity of it, and another activity is no launch.
#[test]
fn another_activity_of_the_app_that_a_monkey_starts_is_named() {
    let script = "LaunchActivity(a.b, a.b.Main)\nTap(1, 2)\nLaunchActivity(a.b, a.b.SecretSettings)\n\
                  LaunchActivity(a.b, .Main)\n";
    let given = ImportOptions::default();
    let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
    let read = import(Some("monkey"), &input, &given).unwrap();
    assert_eq!(
        told(&read),
        ["tap 1,2", "system event am:start component=a.b/a.b.SecretSettings", "launch the app"]
    );
}

/// One without an activity starts nothing.
#[test]
fn a_launch_of_a_monkey_names_an_app_and_an_activity() {
    for start in ["a.b", "a.b, ", ", a.b.Main", ""] {
        let start = format!("LaunchActivity({start})\n");
        let whole = "LaunchActivity(a.b, a.b.Main)\nTap(1, 2)\n";
        for (script, line) in [(format!("{start}{whole}"), 1), (format!("{whole}{start}"), 3)] {
            let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
            let read = import(Some("monkey"), &input, &ImportOptions::default()).unwrap();
            let skipped = format!("1 x LaunchActivity statements that cannot be read, first in line {line}");
            assert_eq!(told(&read), ["tap 1,2".to_owned(), skipped], "{script}");
        }
    }
}

#[test]
fn another_activity_of_the_app_that_a_log_of_the_monkey_tells_is_named() {
    let starts = [
        "com.example/.Main",
        "com.example/leak.Leaks%24Launcher",
        "com.example/com.example.Main",
        "com.other/.Main",
    ];
    let line = |component: &str| format!(":Switch: #Intent;action=a.MAIN;component={component};end\n");
    let log = format!(
        "{}:Sending rotation degree=1, persist=false\n{}",
        line(starts[0]),
        starts.map(line).concat()
    );
    let input = ImportInput { name: "", bytes: log.as_bytes(), files: &NoFilesBeside };
    let read = import(Some("monkey-log"), &input, &ImportOptions::default()).unwrap();
    let leaks = "system event am:start component=com.example/leak.Leaks$Launcher";
    let skipped = "1 x starts of other apps, first in line 6";
    assert_eq!(told(&read), ["rotate to landscape", "launch the app", leaks, "launch the app", skipped]);
}

/// What is stopped before a script names its app may be any app.
#[test]
fn only_the_app_that_is_known_is_stopped() {
    let script = "RunCmd(am force-stop com.other)\nLaunchActivity(a.b, a.b.Main)\nTap(1, 2)\n\
                  RunCmd(am force-stop a.b)\nRunCmd(am force-stop com.other)\n";
    let input = ImportInput { name: "", bytes: script.as_bytes(), files: &NoFilesBeside };
    let read = import(Some("monkey"), &input, &ImportOptions::default()).unwrap();
    let skipped = "2 x RunCmd statements: commands of a shell, first in line 1";
    assert_eq!(told(&read), ["tap 1,2", "system event am:force-stop", skipped]);
    assert_eq!(read.trace.header.start, Start::Launched);
}

#[test]
fn a_swipe_of_a_shell_with_more_words_is_none() {
    let read = |words: &str| told(&read("monkey", &format!("Tap(1, 2)\nRunCmd(input swipe {words})\n")));
    assert_eq!(read("1 2 3 400")[1], "swipe down from 1,2 to 3,400");
    assert_eq!(read("1 2 3 400 500")[1], "swipe down from 1,2 to 3,400");
    let skipped = "1 x RunCmd statements: commands of a shell, first in line 2";
    assert_eq!(read("1 2 3 400 500 extra junk"), ["tap 1,2", skipped]);
}

/// A finger that went far and came back has not tapped.
#[test]
fn a_way_of_the_monkey_that_ends_where_it_began_is_no_tap() {
    let way = |far: &str| {
        let touch = |action: &str, at: &str| format!(":Sending Touch (ACTION_{action}): 0:({at})\n");
        let all = touch("DOWN", "100.0,100.0") + &touch("MOVE", far) + &touch("UP", "110.0,105.0");
        told(&read("monkey-log", &format!("{}{}{all}", touch("DOWN", "9.0,9.0"), touch("UP", "9.0,9.0"))))
    };
    let said = "1 x ways of a finger that end where they began, first in line 5";
    assert_eq!(way("700.0,1500.0"), ["tap 9,9", said]);
    assert_eq!(way("105.0,110.0"), ["tap 9,9", "tap 100,100"]);
}
