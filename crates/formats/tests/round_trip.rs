//! A trace that is exported and imported again does the same.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use retap_formats::{
    Expect, Export, ExportError, ImportInput, ImportOptions, Imported, NoFilesBeside, export, exporter,
    import,
};
use retap_trace::{
    Aim, Aiming, Event, Header, Key, Micros, Orientation, Point, Seen, Selector, Size, Start, Step,
    SystemEvent, Trace,
};

fn point() -> impl Strategy<Value = Point> {
    prop_oneof![
        3 => (0..2_000, 0..3_000).prop_map(|(x, y)| Point::new(x, y)),
        1 => Just(Point::new(100, 200)),
    ]
}

/// Words as they stand on screens, and those that other languages have a meaning for.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z][A-Za-z ]{0,10}[a-z]",
        "\\PC{1,12}",
        Just("${x} \"y\" 'z' \\ ( . * ) [a] {b} | ^ $ # - : ~ null".to_owned()),
        Just("two\nlines\tand a tab".to_owned()),
        Just(".*".to_owned()),
        Just("\\${x}".to_owned()),
        Just("007".to_owned()),
        Just("ünï😀".to_owned()),
    ]
}

fn selector() -> impl Strategy<Value = Selector> {
    (of(words()), of(words()), of(words()), of(0..5_u32)).prop_map(|(id, text, desc, index)| Selector {
        id: id.map(|id| format!("org.retap.notes:id/{id}").into()),
        text: text.map(Into::into),
        desc: desc.map(Into::into),
        // It was seen on a screen, where its names were counted.
        path: "3".parse().ok(),
        id_index: index,
        label_index: index,
        ..Selector::default()
    })
}

fn aim() -> impl Strategy<Value = Aim> {
    (point(), of(selector())).prop_map(|(at, widget)| {
        let by = if widget.is_some() { Aiming::Widget } else { Aiming::Place };
        Aim { at, widget, by }
    })
}

/// Times as tools tell them: in milliseconds; a drag of Monkey takes steps of five.
fn time(from: u64) -> impl Strategy<Value = Micros> {
    (from / 5..2_000_u64).prop_map(|fives| Micros::from_millis(fives * 5))
}

/// A field with a name. A test touches one without a name first, where the trace has touched it: one event more.
fn field() -> impl Strategy<Value = Selector> {
    selector().prop_filter("a name", |field| said(field).is_some())
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        1 => Just(Event::Launch),
        4 => aim().prop_map(Event::Tap),
        1 => (aim(), time(500)).prop_map(|(aim, hold)| Event::LongTap { aim, hold }),
        1 => aim().prop_map(Event::DoubleTap),
        1 => (point(), point(), time(5)).prop_map(|(at, to, over)| Event::Swipe { aim: Aim::place(at), to, over }),
        1 => (aim(), 10..400_u32, time(5)).prop_map(|(aim, percent, over)| Event::Pinch { aim, percent, over }),
        1 => (0..300_u16).prop_map(|code| Event::key(Key(code))),
        2 => (words(), of(field())).prop_map(|(text, widget)| Event::Text { text, widget }),
        1 => Just(Event::text("")),
        1 => prop_oneof![Just(Orientation::Portrait), Just(Orientation::Landscape)].prop_map(|to| Event::Rotate { to }),
        1 => time(5).prop_map(|time| Event::Wait { time }),
        1 => Just(Event::System(SystemEvent { action: "a.B".to_owned(), extras: [].into() })),
    ]
}

fn trace(start: Start, events: Vec<Event>) -> Trace {
    let mut header = Header::new("org.retap.notes");
    header.start = start;
    header.screen = Some(Size { width: 2_000, height: 3_000 });
    let mut steps: Vec<Step> = events.into_iter().map(Step::new).collect();
    if let Some(first) = steps.first_mut() {
        first.before = Some(Seen::activity("org.retap.notes.MainActivity"));
    }
    Trace { header, steps }
}

/// Exports and imports. What the tool cannot express is left out until it can be expressed.
fn there_and_back(tool: &str, mut trace: Trace) -> Option<(Trace, Imported)> {
    let exporter = exporter(tool).expect("an exporter");
    loop {
        let exported = export(exporter, &Export { trace: &trace, expect: Expect::NoCrash, template: None });
        match exported {
            Ok(exported) => {
                let input = ImportInput { name: "", bytes: exported.text.as_bytes(), files: &NoFilesBeside };
                // A script that does not launch the app does not name it.
                let given = ImportOptions {
                    app: Some(trace.header.app.package.to_string()),
                    ..ImportOptions::default()
                };
                let imported = import(None, &input, &given);
                // A recording of nothing but the launch is none.
                if deeds(&trace, Event::clone).1.is_empty() {
                    return None;
                }
                let imported = imported.unwrap_or_else(|error| panic!("{error}\n{}", exported.text));
                return Some((trace, imported));
            }
            Err(_) if trace.steps.is_empty() => return None,
            Err(ExportError::Refused { what, .. }) => {
                let step =
                    what.strip_prefix("step ").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
                trace.steps.remove(step.unwrap_or_else(|| panic!("{what}")) - 1);
                if let Some(first) = trace.steps.first_mut() {
                    first.before = Some(Seen::activity("org.retap.notes.MainActivity"));
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The start and the deeds. A trace whose first step launches the app is one that begins with the app launched.
fn deeds(trace: &Trace, told: impl Fn(&Event) -> Event) -> (Start, Vec<Event>) {
    let mut events: Vec<Event> = trace.events().map(told).collect();
    let mut start = trace.header.start;
    if start == Start::Stopped && events.first() == Some(&Event::Launch) {
        events.remove(0);
        start = Start::Launched;
    }
    (start, events)
}

/// A script waits between touches that the Monkey, or a phone, would take for a double tap.
fn apart(events: Vec<Event>) -> Vec<Event> {
    let doubled = events.iter().any(|event| matches!(event, Event::DoubleTap(_)));
    let mut done: Vec<Event> = Vec::new();
    for event in events {
        if let (
            Some(Event::Tap(one) | Event::DoubleTap(one)),
            Event::Tap(two) | Event::DoubleTap(two) | Event::LongTap { aim: two, .. },
        ) = (done.last(), &event)
            && (doubled || one == two)
        {
            done.push(Event::Wait { time: Micros::from_millis(400) });
        }
        done.push(event);
    }
    done
}

/// What a Monkey script says: places, never widgets.
fn by_place(event: &Event) -> Event {
    let mut event = event.clone();
    if let Some(aim) = event.aim_mut() {
        *aim = Aim::place(aim.at);
    }
    if let Event::Text { widget, .. } = &mut event {
        *widget = None;
    }
    event
}

/// The names that a Maestro flow says of a widget: the id where that is enough, else a label.
fn said(widget: &Selector) -> Option<Selector> {
    let label = widget.desc.clone().or(widget.text.clone());
    let all = Selector { id: widget.id.clone(), words: label, ..Selector::default() };
    match (&all.id, &all.words) {
        (None, None) => None,
        (Some(_), _) if widget.id_index.is_none() => Some(Selector { words: None, ..all }),
        (_, Some(_)) if widget.label_index.is_none() => Some(all),
        (Some(_), _) => Some(Selector { words: None, id_index: widget.id_index, ..all }),
        (None, Some(_)) => Some(Selector { label_index: widget.label_index, ..all }),
    }
}

/// What a Maestro flow says of an event.
fn by_name(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::LongTap { hold, .. } = &mut event {
        *hold = Micros::from_millis(3_000);
    }
    if let Some(aim) = event.aim_mut() {
        *aim = aim.widget.as_ref().and_then(said).map_or_else(|| Aim::place(aim.at), Aim::anywhere);
    }
    if let Event::Text { widget, .. } = &mut event {
        *widget = widget.as_ref().and_then(said);
    }
    event
}

/// A tap on a field and then typing into what has the focus is typing into that field; emptying it and then pressing a
/// letter is typing that letter.
fn typed(events: Vec<Event>) -> Vec<Event> {
    let mut done: Vec<Event> = Vec::new();
    for event in events {
        match (done.last(), &event) {
            (
                Some(Event::Tap(Aim { widget: Some(field), by: Aiming::Widget, .. })),
                Event::Text { text, widget: None },
            ) => {
                let event = Event::Text { text: text.clone(), widget: Some(field.clone()) };
                done.pop();
                done.push(event);
            }
            (Some(Event::Text { text, widget }), Event::Key { key })
                if text.is_empty() && key.char().is_some() =>
            {
                let text = key.char().into_iter().collect();
                let event = Event::Text { text, widget: widget.clone() };
                done.pop();
                done.push(event);
            }
            _ => done.push(event),
        }
    }
    done
}

/// A test waits in the end for a crash that takes its time, which is a step as any other.
fn and_waits(mut events: Vec<Event>) -> Vec<Event> {
    events.push(Event::Wait { time: Micros::from_millis(3000) });
    events
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn monkey_scripts_keep_events(launched: bool, events in vec(event(), 1..12)) {
        let start = if launched { Start::Launched } else { Start::Stopped };
        if let Some((trace, imported)) = there_and_back("monkey", trace(start, events)) {
            prop_assert_eq!(imported.from, "monkey");
            let (start, events) = deeds(&trace, by_place);
            prop_assert!(imported.skipped.is_empty(), "{:?}", imported.skipped);
            // A script cannot say that the app is not running: one that does not launch it finds it launched.
            let _ = start;
            prop_assert_eq!(deeds(&imported.trace, Event::clone).1, and_waits(apart(events)));
            prop_assert_eq!(&imported.trace.header.app, &trace.header.app);
        }
    }

    #[test]
    fn maestro_flows_keep_events(launched: bool, events in vec(event(), 1..12)) {
        let start = if launched { Start::Launched } else { Start::Stopped };
        if let Some((trace, imported)) = there_and_back("maestro", trace(start, events)) {
            prop_assert_eq!(imported.from, "maestro");
            let (start, events) = deeds(&trace, by_name);
            let back = deeds(&imported.trace, Event::clone);
            prop_assert_eq!(back, (start, typed(events)));
            prop_assert_eq!(&imported.trace.header.app, &trace.header.app);
            // What is left are waits of the tool, and what looks for a crash at the end.
            let looks = |what: &str| what.ends_with("(retap looks for crashes)") || what == "waitForAnimationToEnd";
            prop_assert!(imported.skipped.iter().all(|kind| looks(&kind.what)), "{:?}", imported.skipped);
        }
    }
}
