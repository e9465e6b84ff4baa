//! What a test of a trace must do, read from the trace alone: the exporters are not asked.

use std::collections::BTreeMap;

use retap_adb::{SystemDeed, deed};
use retap_trace::{
    Aim, Aiming, CrashKind, Event, Found, Key, Micros, Orientation, Point, Selector, Start, Step, Trace,
    WidgetLabel,
};

/// The widget that a test looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Find {
    /// `id`, and one of `desc`, `text`, `hint`; each may be absent.
    pub(crate) names: BTreeMap<&'static str, String>,
    /// Which of those that fit, where there are several.
    pub(crate) index: Option<u32>,
}

/// Where a touch goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Widget(Find),
    At(Point),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deed {
    Launch,
    Tap(Place),
    DoubleTap(Place),
    LongTap(Place, u64),
    Swipe(Point, Point, u64),
    /// Fingers that end so many percent as far from each other as they began.
    Pinch(Place, u32),
    Key(u16),
    /// Into this widget, else the one with the focus.
    Text(Option<Find>, String),
    Rotate(&'static str),
    Shell(Vec<String>),
    /// Words for an emulator's console.
    Console(String),
    Wait(u64),
}

impl Deed {
    /// How many characters it leaves in a field.
    pub(crate) fn typed(&self) -> usize {
        match self {
            Self::Text(_, text) => text.chars().count(),
            Self::Key(code) => usize::from(Key(*code).char().is_some()),
            _ => 0,
        }
    }
}

/// The commands that put back what the steps have changed outside the app, but for the rotation.
pub(crate) fn put_back(trace: &Trace) -> Vec<&'static str> {
    let changes = |what: &[&str]| {
        trace.events().any(|event| match event {
            Event::System(system) => what.contains(&system.action.rsplit('.').next().unwrap_or_default()),
            Event::Key { key } => what.contains(&&*key.to_string()),
            _ => false,
        })
    };
    let mut all = Vec::new();
    if changes(&[
        "BATTERY_LOW",
        "BATTERY_OKAY",
        "BATTERY_CHANGED",
        "ACTION_POWER_CONNECTED",
        "ACTION_POWER_DISCONNECTED",
    ]) {
        all.push("dumpsys battery reset");
    }
    if changes(&["CONNECTIVITY_CHANGE"]) {
        all.extend(["svc wifi enable", "svc data enable"]);
    }
    if changes(&["AIRPLANE_MODE"]) {
        all.push("cmd connectivity airplane-mode disable");
    }
    if changes(&["SCREEN_OFF", "power", "sleep"]) {
        all.push("input keyevent 224");
    }
    all
}

/// Whether the app hangs in the end, which a device says only after a while.
pub(crate) fn hangs(trace: &Trace) -> bool {
    trace.crash().is_some_and(|crash| crash.kind == CrashKind::Anr)
}

/// Whether some step turns the device.
pub(crate) fn turns(trace: &Trace) -> bool {
    trace.events().any(|event| matches!(event, Event::Rotate { .. }))
}

/// What is in the log of a phone on which the app of a trace was started, and has crashed as the trace says, be it in the
/// note of one that only names a signature.
pub(crate) fn log(trace: &Trace) -> Vec<String> {
    let package = &trace.header.app.package;
    if let Some((_, told)) = crate::hostile::torn().iter().find(|(torn, _)| torn == trace) {
        return [started(trace)].into_iter().chain(told.iter().map(|told| line(told))).collect();
    }
    let Some(crash) = trace.steps.iter().find_map(|step| step.crash.as_ref()) else {
        return vec![
            started(trace),
            line("E AndroidRuntime: FATAL EXCEPTION: main"),
            line(&format!("E AndroidRuntime: Process: {package}, PID: 77")),
            line(&format!("E AndroidRuntime: {}", trace.header.note.as_deref().unwrap_or("java.lang.Error"))),
        ];
    };
    let exception = &crash.exception;
    let tells = match crash.kind {
        CrashKind::Anr => vec![format!("E ActivityManager: {exception} in {package} ({package}/.Main)")],
        CrashKind::Native => vec![
            format!("F DEBUG   : pid: 77, tid: 77, name: main  >>> {package} <<<"),
            format!("F DEBUG   : signal 11 ({exception}), code 1 (SEGV_MAPERR), fault addr 0x0"),
        ],
        CrashKind::Java | CrashKind::JavaScript => vec![
            "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
            format!("E AndroidRuntime: Process: {package}, PID: 77"),
            format!("E AndroidRuntime: {exception}"),
        ],
    };
    [started(trace)].into_iter().chain(tells.iter().map(|told| line(told))).collect()
}

/// What Android logs when it starts the process of an app.
pub(crate) fn started(trace: &Trace) -> String {
    let package = &trace.header.app.package;
    line(&format!("I ActivityManager: Start proc 77:{package}/u0a101 for top-activity {{{package}/.Main}}"))
}

/// A line of the log: its level, its tag and what it says, behind the time and the process.
pub(crate) fn line(told: &str) -> String {
    format!("11-18 21:00:00.000    77    77 {told}")
}

/// What the steps do, with the launch in front of them where the trace begins with one.
pub(crate) fn deeds(trace: &Trace) -> Vec<Deed> {
    let reduced = trace.header.claim.is_some();
    let launch = (trace.header.start == Start::Launched).then_some(Deed::Launch);
    launch
        .into_iter()
        .chain(trace.steps.iter().map(|step| of(&as_found(step), &trace.header.app.package, reduced)))
        .collect()
}

/// The event of a step, with the widget and the place that its run has found in the place of those that were looked for.
fn as_found(step: &Step) -> Event {
    let Some(Found { widget, at }) = step.found.clone() else { return step.event.clone() };
    let mut event = step.event.clone();
    let asked = match &event {
        Event::Text { widget, .. } => widget.clone(),
        _ => event.aim().and_then(|aim| aim.widget.clone()),
    };
    let widget = as_asked(widget, &asked.expect("it was looked for"));
    if let Event::Swipe { aim, to, .. } = &mut event {
        *to = Point::new(to.x + at.x - aim.at.x, to.y + at.y - aim.at.y);
    }
    if let Some(aim) = event.aim_mut() {
        (aim.at, aim.widget) = (at, Some(widget));
    } else if let Event::Text { widget: field, .. } = &mut event {
        *field = Some(widget);
    }
    event
}

/// By which names a found widget goes: those that the trace has and the screen agrees with; where that is none, or a
/// label of which nobody has counted the widgets, all.
fn as_asked(found: Selector, asked: &Selector) -> Selector {
    let asked_for: Vec<_> =
        [&asked.text, &asked.desc, &asked.hint, &asked.words].into_iter().flatten().collect();
    let kept = |name: Option<std::sync::Arc<str>>| name.filter(|name| asked_for.contains(&name));
    let mut chosen = found.clone();
    (chosen.desc, chosen.text, chosen.hint) = (kept(chosen.desc), kept(chosen.text), kept(chosen.hint));
    if asked.id.is_none() {
        chosen.id = None;
    }
    match (chosen.label(), found.label()) {
        (None, _) if chosen.id.is_some() => chosen,
        (Some(label), Some(preferred)) if label == preferred => chosen,
        _ => found,
    }
}

fn of(event: &Event, package: &str, reduced: bool) -> Deed {
    match event {
        Event::Launch => Deed::Launch,
        Event::Tap(aim) => Deed::Tap(place(aim, reduced)),
        Event::DoubleTap(aim) => Deed::DoubleTap(place(aim, reduced)),
        Event::LongTap { aim, hold } => Deed::LongTap(place(aim, reduced), ms(*hold)),
        Event::Swipe { aim, to, over } => Deed::Swipe(aim.at, *to, ms(*over)),
        Event::Pinch { aim, percent, .. } => Deed::Pinch(place(aim, reduced), *percent),
        Event::Key { key } => Deed::Key(key.0),
        Event::Text { text, widget } => Deed::Text(widget.as_ref().and_then(find), text.clone()),
        Event::Rotate { to: Orientation::Portrait } => Deed::Rotate("portrait"),
        Event::Rotate { to: Orientation::Landscape } => Deed::Rotate("landscape"),
        Event::System(system) => match deed(system, package, 30) {
            SystemDeed::Shell(commands) => Deed::Shell(commands),
            SystemDeed::Intent(command) => Deed::Shell(vec![command]),
            SystemDeed::Console(words) => Deed::Console(words),
        },
        Event::Wait { time } => Deed::Wait(ms(*time)),
    }
}

fn ms(time: Micros) -> u64 {
    time.0.div_ceil(1000)
}

/// A reduced trace says which touches go by widget; in any other all do whose widget has a name.
fn place(aim: &Aim, reduced: bool) -> Place {
    let by_widget = aim.by == Aiming::Widget || !reduced;
    let widget = aim.widget.as_ref().filter(|_| by_widget).and_then(find);
    widget.map_or(Place::At(aim.at), Place::Widget)
}

/// The id where it is the only one, else the label with it, else a number; all that is known of one that no screen has
/// shown: as docs/exporting.md has it.
fn find(widget: &Selector) -> Option<Find> {
    let id = widget.id.as_ref().map(|id| ("id", id.to_string()));
    let label = widget.label().map(|label| match label {
        WidgetLabel::Desc(desc) => ("desc", desc.to_owned()),
        WidgetLabel::Text(text) => ("text", text.to_owned()),
        WidgetLabel::Hint(hint) => ("hint", hint.to_owned()),
        WidgetLabel::Words(words) => ("text", words.to_owned()),
    });
    let (names, index): (Vec<_>, _) = if widget.path.is_none() && id.is_some() && label.is_some() {
        (id.into_iter().chain(label).collect(), widget.id_index.or(widget.label_index))
    } else if id.is_some() && widget.id_index.is_none() {
        (id.into_iter().collect(), None)
    } else if label.is_some() && widget.label_index.is_none() {
        (id.into_iter().chain(label).collect(), None)
    } else if id.is_some() {
        (id.into_iter().collect(), widget.id_index)
    } else {
        (label.into_iter().collect(), widget.label_index)
    };
    (!names.is_empty()).then(|| Find { names: names.into_iter().collect(), index })
}
