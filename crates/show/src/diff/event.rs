//! Events in words, as closely as it takes to tell two of them apart.

use retap_trace::{Aim, Aiming, Event, Selector};

/// An event in words, with its times, and with what a replay follows.
fn in_full(event: &Event) -> String {
    let mut text = event.to_string();
    let mut add = |words: String| text.push_str(&words);
    match event {
        Event::LongTap { hold, .. } => add(format!(", held for {hold}")),
        Event::Swipe { over, .. } | Event::Pinch { over, .. } => add(format!(", in {over}")),
        Event::Wait { time } => add(format!(" ({} µs)", time.0)),
        _ => {}
    }
    match event.aim() {
        Some(Aim { by: Aiming::Widget, .. }) => add(", by its widget".to_owned()),
        Some(Aim { at, .. }) => add(format!(", by its place {at}")),
        None => {}
    }
    text
}

/// What is done, and to which widget, without the values.
pub(super) fn purpose(event: &Event) -> String {
    let aim = |aim: &Aim| aim.to_string();
    match event {
        Event::Launch => "launch".to_owned(),
        Event::Tap(at) => format!("tap {}", aim(at)),
        Event::LongTap { aim: at, .. } => format!("long tap {}", aim(at)),
        Event::DoubleTap(at) => format!("double tap {}", aim(at)),
        Event::Swipe { .. } => "swipe".to_owned(),
        Event::Pinch { .. } => "pinch".to_owned(),
        Event::Key { .. } => "key".to_owned(),
        Event::Text { widget, .. } => {
            format!("type {}", widget.as_ref().map(ToString::to_string).unwrap_or_default())
        }
        Event::Rotate { .. } => "rotate".to_owned(),
        Event::System(system) => format!("system {}", system.action),
        Event::Wait { .. } => "wait".to_owned(),
    }
}

/// The kind of thing that is done, and where a finger goes down, if that is known.
pub(super) fn place(event: &Event) -> String {
    match event.aim().and_then(Aim::place_if_known) {
        Some(at) => format!("{:?} {at}", std::mem::discriminant(event)),
        None => purpose(event),
    }
}

/// The same, with all that is known of the place and of the widget.
fn to_the_last(event: &Event) -> String {
    let place = event.aim().and_then(Aim::place_if_known).map(|at| format!(", at {at}")).unwrap_or_default();
    let widget = match event {
        Event::Text { widget, .. } => widget.as_ref(),
        _ => event.aim().and_then(|aim| aim.widget.as_ref()),
    };
    let system = match event {
        Event::System(system) => format!(", {:?} {:?}", system.action, system.extras),
        _ => String::new(),
    };
    format!("{}{place}{}{system}", in_full(event), widget.map(parts).unwrap_or_default())
}

/// The parts of a selector that are there, by their names.
fn parts(widget: &Selector) -> String {
    let Selector { id, text, desc, hint, words, class, path, id_index, label_index } = widget;
    let quoted = [("text", text), ("desc", desc), ("hint", hint), ("words", words)];
    let mut parts: Vec<String> = Vec::new();
    parts.extend(id.as_ref().map(|id| format!("id {id}")));
    parts.extend(id_index.map(|index| format!("number {index} with this id")));
    parts.extend(quoted.into_iter().filter_map(|(name, text)| Some(format!("{name} {:?}", text.as_ref()?))));
    parts.extend(label_index.map(|index| format!("number {index} with this label")));
    parts.extend(class.as_ref().map(|class| format!("class {class}")));
    parts.extend(path.as_ref().map(|path| format!("path {path}")));
    parts.iter().flat_map(|part| [", ", part]).collect()
}

/// Two events in words that differ: in short where that is enough, else with more and more of what they have.
pub(super) fn told_apart(was: &Event, is: &Event) -> (String, String) {
    let short = (was.to_string(), is.to_string());
    let full = || (in_full(was), in_full(is));
    let differ = |(was, is): &(String, String)| was != is;
    Some(short)
        .filter(differ)
        .or_else(|| Some(full()).filter(differ))
        .unwrap_or_else(|| (to_the_last(was), to_the_last(is)))
}

#[cfg(test)]
mod tests {
    use retap_trace::Point;

    use super::*;

    /// Whatever differs between two events is told.
    #[test]
    fn events_that_differ_are_told_apart() {
        let widget = Selector { text: Some("Delete".into()), ..Selector::default() };
        let tap = |widget: Selector| Event::Tap(Aim::widget(Point::new(1, 2), widget));
        let given = tap(widget.clone());
        for other in [
            tap(Selector { id: Some("a:id/x".into()), ..widget.clone() }),
            tap(Selector { desc: Some("Delete".into()), ..widget.clone() }),
            tap(Selector { class: Some("a.B".into()), ..widget.clone() }),
            tap(Selector { path: Some("0/1".parse().expect("a path")), ..widget.clone() }),
            tap(Selector { id_index: Some(1), ..widget.clone() }),
            tap(Selector { label_index: Some(1), ..widget.clone() }),
            Event::Tap(Aim::widget(Point::new(1, 3), widget.clone())),
            Event::Tap(Aim { by: Aiming::Place, ..Aim::widget(Point::new(1, 2), widget) }),
        ] {
            let (was, is) = told_apart(&given, &other);
            assert_ne!(was, is);
        }
        let (short, long) = (Event::system("LOW"), Event::system("android.intent.action.LOW"));
        let (was, is) = told_apart(&short, &long);
        assert_ne!(was, is);
    }
}
