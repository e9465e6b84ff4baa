//! Names that mean something to a tool, as names of widgets, as typed text, and in what a crash says.

use retap_trace::{
    Aim, Aiming, ConfirmedRate, Crash, CrashKind, Event, Frame, Header, Point, Seen, Selector, Size, Step,
    Trace,
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
    header.claim = Some(ConfirmedRate { reached: 20, runs: 20, before: 325 });
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

/// Widgets that have the name as their id, their description, their text, and in pairs with others of the same name.
pub(crate) fn touched(name: &str) -> Trace {
    let of = |part: fn(&mut Selector, &str)| {
        let mut widget = Selector::default();
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
        tap(Selector { text: text.text, id_index: Some(3), ..id }),
        Event::Text { text: "typed".to_owned(), widget: Some(hint) },
        Event::Tap(Aim::place(Point::new(7, 9))),
    ];
    crashing(name, events)
}

/// The same for Espresso, which has no places.
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
