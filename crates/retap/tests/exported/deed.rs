//! What a test of a trace must do, read from the trace alone: the exporters are not asked.

use std::collections::BTreeMap;

use retap_adb::{SystemDeed, deed};
use retap_trace::{Aim, Aiming, Event, Micros, Orientation, Point, Selector, Start, Trace, WidgetLabel};

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
    Console,
    Wait(u64),
}

/// What the steps do, with the launch in front of them where the trace begins with one.
pub(crate) fn deeds(trace: &Trace) -> Vec<Deed> {
    let reduced = trace.header.claim.is_some();
    let launch = (trace.header.start == Start::Launched).then_some(Deed::Launch);
    launch
        .into_iter()
        .chain(trace.events().map(|event| of(event, &trace.header.app.package, reduced)))
        .collect()
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
            SystemDeed::Console(_) => Deed::Console,
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

/// The id where it is the only one, else the label with it, else a number: as docs/exporting.md has it.
fn find(widget: &Selector) -> Option<Find> {
    let id = widget.id.as_ref().map(|id| ("id", id.to_string()));
    let label = widget.label().map(|label| match label {
        WidgetLabel::Desc(desc) => ("desc", desc.to_owned()),
        WidgetLabel::Text(text) => ("text", text.to_owned()),
        WidgetLabel::Hint(hint) => ("hint", hint.to_owned()),
        WidgetLabel::Words(words) => ("text", words.to_owned()),
    });
    let (names, index): (Vec<_>, _) = if id.is_some() && widget.id_index.is_none() {
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
