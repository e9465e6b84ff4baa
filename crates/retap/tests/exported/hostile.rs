//! Names that mean something to a tool, as names of widgets, as typed text, in system events, and in what a crash says; and
//! traces of which the test must see more than an exception.

use retap_trace::{
    Aim, Aiming, ConfirmedRate, Crash, CrashKind, Event, Frame, Header, Orientation, Point, Seen, Selector,
    Signature, Size, Step, SystemEvent, Target, Trace,
};

pub(crate) const PACKAGE: &str = "org.example.app";

/// A name that means nothing to any tool.
pub(crate) const PLAIN: &str = "Plainname";

pub(crate) const NAMES: &[&str] = &[
    "it's",
    "say \"hi\"",
    "both ' and \"",
    "`reboot`",
    "$(reboot)",
    "\"\"\"; quit() \"\"\"",
    "'''",
    "one\ntwo",
    "one\r\ntwo\r",
    "\tone\ttwo\t",
    "*/ quit() /*",
    "${1 + 1}",
    "a \\${b} ${c${d}",
    "$name $PACKAGE",
    "{{ package }} {% raw %}",
    "100%s %d %",
    "\\u0041\\n\\x41\\",
    "- item",
    "key: value",
    "# no comment",
    "!!str &anchor *alias",
    "> folded | literal",
    "]]>&lt;<b>&#65;",
    "\u{1f469}\u{200d}\u{1f4bb} \u{1f1e9}\u{1f1ea} \u{1f600}",
    "\u{202e}txet\u{202c} \u{feff}",
    "nul\u{0}bell\u{7}esc\u{1b}[31m",
    "line\u{2028}paragraph\u{2029}next\u{85}",
    "  blanks around  ",
    "^.*+?[a-z]{2}(x|y)$ \\d",
    "!history !! !-1; exit 1 & :",
    "ends in \\",
    "Tap(1, 2) count= 9 start data >> DeviceWakeUp() LongPress()",
    "coding: utf-7 -*- coding=latin-1",
    "| table | `code` <script> [a](b) **c**",
    "true",
    "~",
];

/// One that is far too long.
pub(crate) fn names() -> Vec<String> {
    let long = "a long \u{e4} ".repeat(700);
    NAMES.iter().map(|name| (*name).to_owned()).chain([long]).collect()
}

/// Packages that no app on a phone has.
pub(crate) const PACKAGES: &[&str] = &[
    "a;reboot",
    "$(reboot)",
    "a b",
    "a\nb",
    "a'b",
    "a\"b",
    "`a`",
    "-a",
    "",
    "a,b",
    "a)b",
    "${a}",
    "a\u{202e}",
];

fn header() -> Header {
    let mut header = Header::new(PACKAGE);
    header.screen = Some(Size { width: 1080, height: 1920 });
    header.claim = Some(ConfirmedRate { reached: 20, runs: 20, before: 325, digest: None });
    header.device = Some("sim:notes".to_owned());
    header
}

/// A trace of these events that ends in a crash which is full of the name.
fn crashing(name: &str, events: Vec<Event>) -> Trace {
    let mut steps: Vec<Step> = events.into_iter().map(Step::new).collect();
    let frames = vec![Frame(format!("org.example.app.Main.{name}(Main.java:1)"))];
    let last = steps.last_mut().expect("steps");
    last.crash = Some(Crash::new(CrashKind::Java, name, name, None, frames, PACKAGE));
    let first = steps.first_mut().expect("steps");
    let activity = "org.example.app.Main".into();
    first.before = Some(Seen { activity, actionable: None, layout: None, full: None });
    Trace { header: header(), steps }
}

fn tap(widget: Selector) -> Event {
    Event::Tap(Aim { by: Aiming::Widget, ..Aim::widget(Point::new(540, 300), widget) })
}

/// Widgets that have the name as their id, their description, their text, and in pairs with others of the same name; and
/// one that no screen has shown.
pub(crate) fn touched(name: &str) -> Trace {
    let of = |part: fn(&mut Selector, &str)| {
        let mut widget = Selector { path: "3".parse().ok(), ..Selector::default() };
        part(&mut widget, name);
        widget
    };
    let id = of(|widget, name| widget.id = Some(name.into()));
    let text = of(|widget, name| widget.text = Some(name.into()));
    let hint = of(|widget, name| widget.hint = Some(name.into()));
    let events = vec![
        tap(id.clone()),
        tap(of(|widget, name| widget.desc = Some(name.into()))),
        tap(text.clone()),
        tap(Selector { id_index: Some(1), ..id.clone() }),
        tap(Selector { label_index: Some(2), ..text.clone() }),
        tap(Selector { text: text.text.clone(), id_index: Some(3), ..id.clone() }),
        tap(Selector { id: Some("a.b:id/unseen".into()), path: None, ..text }),
        Event::Text { text: "typed".to_owned(), widget: Some(hint) },
        Event::Tap(Aim::place(Point::new(7, 9))),
    ];
    crashing(name, events)
}

/// A tap on the widget with this id.
pub(crate) fn touched_by_id(id: &str) -> Trace {
    crashing(PLAIN, vec![tap(Selector { id: Some(id.into()), ..Selector::default() })])
}

/// The same as [`touched`] for Espresso, which has no places.
pub(crate) fn touched_by_name(name: &str) -> Trace {
    let mut trace = touched(name);
    let place = trace.steps.pop().expect("steps");
    trace.steps.last_mut().expect("steps").crash = place.crash;
    trace
}

/// The name is typed, into a field and into whatever has the focus.
pub(crate) fn typed(name: &str) -> Trace {
    let field = Selector { id: Some("org.example.app:id/field".into()), ..Selector::default() };
    let text = || name.to_owned();
    crashing(
        name,
        vec![Event::Text { text: text(), widget: Some(field) }, Event::Text { text: text(), widget: None }],
    )
}

/// The name is typed into whatever has the focus: all that a Monkey script can do.
pub(crate) fn typed_blindly(name: &str) -> Trace {
    crashing(name, vec![Event::Text { text: name.to_owned(), widget: None }])
}

fn system(action: &str, extras: &[(&str, &str)]) -> Event {
    let extras = extras.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Event::System(SystemEvent { action: action.to_owned(), extras: extras.collect() })
}

/// The same for what says this.
pub(crate) fn asks_am(says: &str) -> Trace {
    let action = if says.starts_with("Stopping") { "am:stopservice" } else { "am:start" };
    crashing(PLAIN, vec![system(action, &[("component", "a.b/.Main")])])
}

/// Intents that have the name wherever an intent can have one: commands on the device.
pub(crate) fn told(name: &str) -> Trace {
    let intent = system(
        "am:start",
        &[("action", name), ("component", name), ("data", name), ("type", name), ("category", name)],
    );
    crashing(name, vec![intent, system(name, &[(name, name), ("text", name)])])
}

/// What `am` says, the code with which it ends, and whether it has worked. Android 10 and 11 end with 0 whatever was wrong, and
/// every Android with 255 where a service was stopped.
pub(crate) const AM: [(&str, u8, bool); 16] = [
    ("Starting: Intent { cmp=a.b/.Main }", 0, true),
    ("", 0, true),
    ("", 1, false),
    ("Stopping service: Intent { cmp=a.b/.Sync }\nService stopped", 255, true),
    ("Stopping service: Intent { cmp=a.b/.Sync }", 1, false),
    ("Stopping service: Intent { cmp=a.b/.Sync }\nError stopping service", 255, false),
    ("Starting: Intent { cmp=a.b/.Main }", 255, false),
    ("Killed", 137, false),
    ("/system/bin/sh: am: not found", 127, false),
    ("Warning: Activity not started, its current task has been brought to the front", 0, true),
    ("Error type 3\nError: Activity class {a.b/a.b.Gone} does not exist.", 0, false),
    ("Error: Activity not started, unable to resolve Intent { act=a.B flg=0x10000000 }", 0, false),
    ("Error: Not found; no service started.", 0, false),
    ("Error: app is in background uid null", 255, false),
    ("java.lang.SecurityException: Permission Denial: not allowed to send broadcast a.B", 0, false),
    ("  Exception occurred while executing 'start':", 0, false),
];

/// Words for an emulator's console that have the name in them.
pub(crate) fn dictated(name: &str) -> Trace {
    let sms = system("sms:send", &[("from", name), ("text", name)]);
    crashing(name, vec![sms, system("gsm:call", &[("from", name)]), system(&format!("emulator:{name}"), &[])])
}

/// Everything outside the app that a step can change.
pub(crate) fn changing() -> Trace {
    let action = |name: &str| format!("android.intent.action.{name}");
    let events = vec![
        system(&action("BATTERY_LOW"), &[]),
        system("android.net.conn.CONNECTIVITY_CHANGE", &[("connected", "false")]),
        system(&action("AIRPLANE_MODE"), &[("state", "true")]),
        Event::Rotate { to: Orientation::Landscape },
        system(&action("SCREEN_OFF"), &[]),
    ];
    crashing(PLAIN, events)
}

/// A tap that ends in a crash of another kind than Java's, with what the crash is called.
pub(crate) fn ends_in(kind: CrashKind, exception: &str) -> Trace {
    let mut trace = crashing(PLAIN, vec![Event::tap(7, 9)]);
    let package = format!("org.example.{}", kind.word());
    let frames = vec![Frame("libx.so (go+12)".to_owned())];
    let last = trace.steps.last_mut().expect("steps");
    last.crash = Some(Crash::new(kind, exception, "", None, frames, &package));
    trace.header.app.package = package.into();
    trace
}

/// One of each kind that a device's log tells of.
pub(crate) fn other_kinds() -> [Trace; 2] {
    [ends_in(CrashKind::Native, "SIGSEGV"), ends_in(CrashKind::Anr, "ANR")]
}

/// Exceptions as signatures have them, what Android logs of one that is thrown, and whether that is the one.
pub(crate) const SIGNED: [(&str, &str, bool); 10] = [
    ("IllegalStateException", "java.lang.IllegalStateException: no tag", true),
    ("IllegalStateException", "java.lang.IllegalStateException", true),
    ("IllegalStateException", "IllegalStateException: no tag", true),
    ("Outer.Inner", "a.b.Outer$Inner: no tag", true),
    ("IllegalStateException", "java.lang.IllegalArgumentException: no tag", false),
    ("IllegalStateException", "a.MyIllegalStateException", false),
    ("IllegalStateException", "a.IllegalStateExceptions", false),
    ("IllegalStateException", "a.Outer$IllegalStateException", false),
    ("IllegalStateException", "java.lang.Error: java.lang.IllegalStateException: no tag", false),
    ("Outer.Inner", "a.b.Inner: no tag", false),
];

/// A trace that only names the signature of a crash, for each of them. What is thrown in the end is its note.
pub(crate) fn signed() -> Vec<(Trace, bool)> {
    let trace = |(exception, thrown, same): (&str, &str, bool)| {
        let target = Some(Target::Crash(Signature(format!("{exception}@Main.go#1").into())));
        let header = Header { target, note: Some(thrown.to_owned()), ..header() };
        (Trace { header, steps: vec![Step::new(Event::tap(7, 9))] }, same)
    };
    SIGNED.into_iter().map(trace).collect()
}

/// Crashes of which a log tells over more lines than it does of others: what the trace ends in, and what Android logs.
const TORN: [(CrashKind, &str, &str); 5] = [
    // The name of the thread has line ends in it.
    (
        CrashKind::Java,
        "java.lang.IllegalStateException",
        "FATAL EXCEPTION: sync of\nmy note\nProcess: PACKAGE, PID: 77\nTHROWN: x\n\tat a.B",
    ),
    (
        CrashKind::Java,
        "java.lang.IllegalStateException",
        "FATAL EXCEPTION: a\n\nb\nProcess: PACKAGE, PID: 77\nTHROWN\n\tat a.B",
    ),
    (
        CrashKind::Native,
        "SIGSEGV",
        "pid: 77, tid: 78, name: sync\nx  >>> PACKAGE <<<\nuid: 10101\nsignal 11 (THROWN), code 1",
    ),
    (
        CrashKind::Native,
        "SIGSEGV",
        "pid: 77, tid: 78, name: a >>> b <<<\nx  >>> PACKAGE <<<\nsignal 11 (THROWN), code 1",
    ),
    // What the exception says of itself begins with an empty line.
    (
        CrashKind::Java,
        "java.lang.IllegalStateException",
        "FATAL EXCEPTION: main\nProcess: PACKAGE, PID: 77\n\n\nTHROWN: x\n\tat a.B",
    ),
];

/// A trace for each of them, and the log.
pub(crate) fn torn() -> Vec<(Trace, Vec<String>)> {
    let torn = |(number, (kind, exception, log)): (usize, &(CrashKind, &str, &str))| {
        let mut trace = ends_in(*kind, exception);
        trace.header.note = Some(format!("torn {number}"));
        let front = if *kind == CrashKind::Java { "E AndroidRuntime: " } else { "F DEBUG   : " };
        let log = log.replace("PACKAGE", &trace.header.app.package).replace("THROWN", exception);
        (trace, log.split('\n').map(|line| format!("{front}{line}")).collect())
    };
    TORN.iter().enumerate().map(torn).collect()
}
