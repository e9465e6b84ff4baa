//! Text that is typed on a keyboard, hard or soft, becomes a text event: where the keys are differs from keyboard to
//! keyboard, and a keyboard that suggests words differs from day to day, so taps on it would not replay.

use retap_trace::{Event, Flag, Key, NodeId, Observation, Point, Selector};

/// What came of an input that may have been typing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// The field holds this now.
    Text(Event),
    /// It was typing, and an earlier look has seen what came of it.
    Known,
    /// It was something else.
    No,
}

fn focused(seen: &Observation) -> Option<NodeId> {
    let tree = seen.tree.as_ref()?;
    let focused = |id: &_| tree.node(*id).flags.has(Flag::Focused) && tree.node(*id).is_field();
    tree.ids().rev().find(focused)
}

/// The field that has the focus, and what stands in it.
pub(super) fn field(seen: &Observation) -> Option<(Selector, String)> {
    let (tree, id) = (seen.tree.as_ref()?, focused(seen)?);
    let node = tree.node(id);
    // A field that is empty shows its hint.
    let text = if node.hint.as_ref() == Some(&node.text) { String::new() } else { node.text.to_string() };
    Some((Selector::of(tree, id), text))
}

/// Whether an input was typing: a key of a keyboard, or a tap while the soft keyboard was up, by which the content of the
/// field with the focus has changed. The keyboard is not in the tree, and an app can change its field, too: what may be a tap
/// on the app stays one. What stands in a field for passwords is not told, so that stays as it was done.
/// `quick`: it came before the look after the last input was over, which may have seen what came of it.
pub(super) fn typed(event: &Event, before: &Observation, after: &Observation, quick: bool) -> Typed {
    let may_type = match event {
        Event::Tap(_) | Event::DoubleTap(_) => before.keyboard,
        Event::Key { key } => key.char().is_some() || PRINTS.contains(key),
        _ => false,
    };
    let (Some((field, old)), Some((same, new))) = (field(before), field(after)) else { return Typed::No };
    if !may_type || field != same || is_secret(after, &same) {
        return Typed::No;
    }
    let on_app = event.aim().is_some_and(|aim| is_on_app(before, aim.at));
    if old == new {
        return if quick && !on_app { Typed::Known } else { Typed::No };
    }
    // A keyboard may cover the widget. Then a key that adds a letter types; an app that empties its field does not.
    let by_app = event.aim().is_some() && (on_app && !holds(&new, &old) || takes_much(&old, &new));
    if by_app { Typed::No } else { Typed::Text(Event::Text { text: new, widget: Some(same) }) }
}

/// Whether a text has all letters of another one, in their order.
pub(super) fn holds(text: &str, other: &str) -> bool {
    let mut letters = text.chars();
    other.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

/// Whether more is gone than one tap on a keyboard deletes, or everything.
fn takes_much(old: &str, new: &str) -> bool {
    new.is_empty() || new.chars().count() + 1 < old.chars().count()
}

/// Whether a place is on a widget of the app that a tap acts on, other than the field with the focus and what that stands in.
fn is_on_app(seen: &Observation, at: Point) -> bool {
    let (Some(tree), Some(field)) = (&seen.tree, focused(seen)) else { return false };
    let hit = tree.hit(at, |node| {
        node.flags.has(Flag::Enabled) && (node.flags.has(Flag::Clickable) || node.flags.has(Flag::Checkable))
    });
    hit.is_some_and(|hit| !tree.path(field).0.starts_with(&tree.path(hit).0))
}

/// Keys that change a text without being a letter or a digit: punctuation, and both ways to delete.
const PRINTS: [Key; 11] = [
    Key::DELETE,
    Key(112),
    Key::COMMA,
    Key::PERIOD,
    Key(69),
    Key(70),
    Key(74),
    Key(75),
    Key(76),
    Key(77),
    Key(81),
];

fn is_secret(seen: &Observation, field: &Selector) -> bool {
    let Some(tree) = &seen.tree else { return false };
    field.find(tree).is_some_and(|id| tree.node(id).flags.has(Flag::Password))
}

#[cfg(test)]
mod tests {
    use retap_trace::{Aim, Flags, GuiTree, Micros, Node, Orientation, Point, Rect, Size};

    use super::*;

    fn seen(text: &str, keyboard: bool, flags: &[Flag]) -> Observation {
        let mut tree = GuiTree::default();
        let bounds = Rect::new(0, 0, 100, 200);
        tree.push(Node { bounds, ..Node::default() });
        tree.push(Node {
            depth: 1,
            class: "android.widget.EditText".into(),
            id: "a:id/name".into(),
            text: text.into(),
            desc: "".into(),
            hint: Some("Name".into()),
            bounds,
            flags: flags.iter().copied().collect::<Flags>().with(Flag::Enabled, true),
        });
        Observation {
            at: Micros(0),
            package: "a".into(),
            activity: "a.Main".into(),
            tree: Some(tree),
            keyboard,
            orientation: Orientation::Portrait,
            screen: Size { width: 100, height: 200 },
            coverage: Vec::new(),
            crashes: Vec::new(),
        }
    }

    #[test]
    fn a_change_of_the_field_is_typing() {
        let on = |text: &str| seen(text, true, &[Flag::Focused]);
        let tap = Event::Tap(Aim::place(Point::new(50, 150)));
        let text = |event: &Event, old: &str, new: &str, quick| typed(event, &on(old), &on(new), quick);
        let wrote = |typed: Typed| match typed {
            Typed::Text(event) => event.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(wrote(text(&tap, "Name", "m", false)), "type \"m\" into 'Name'");
        let delete = Event::key(Key::DELETE);
        let emptied = "type \"\" into 'Name'";
        assert_eq!(wrote(text(&delete, "m", "Name", false)), emptied, "an empty field shows its hint");
        assert_eq!(wrote(text(&tap, "ma", "m", false)), "type \"m\" into 'Name'");
        assert_eq!(text(&tap, "milk", "Name", false), Typed::No, "the app has emptied its field");
        assert_eq!(text(&tap, "milk", "mi", false), Typed::No, "no key takes two letters");
        assert_eq!(wrote(text(&Event::key(Key(29)), "m", "ma", false)), "type \"ma\" into 'Name'");
        assert_eq!(wrote(text(&Event::key(Key::DELETE), "ma", "m", false)), "type \"m\" into 'Name'");
        assert_eq!(text(&tap, "ma", "ma", false), Typed::No, "the key for capitals, or something of the app");
        assert_eq!(text(&tap, "ma", "ma", true), Typed::Known);
        assert_eq!(text(&Event::key(Key::BACK), "m", "ma", false), Typed::No);
        assert_eq!(text(&Event::Rotate { to: Orientation::Landscape }, "m", "ma", true), Typed::No);
    }

    /// The same screen, with a button of the app in its lower half.
    fn with_button(text: &str) -> Observation {
        let mut seen = seen(text, true, &[Flag::Focused]);
        let button = Node {
            depth: 1,
            text: "Add".into(),
            bounds: Rect::new(0, 100, 100, 200),
            flags: [Flag::Enabled, Flag::Clickable].into_iter().collect(),
            ..Node::default()
        };
        seen.tree.as_mut().expect("a tree").push(button);
        seen
    }

    #[test]
    fn a_tap_on_the_app_stays_one() {
        let said = |at: Point, old: &str, new: &str, quick| {
            typed(&Event::Tap(Aim::place(at)), &with_button(old), &with_button(new), quick)
        };
        let (button, field) = (Point::new(50, 150), Point::new(50, 50));
        assert_eq!(said(button, "milk", "Name", false), Typed::No);
        assert_eq!(said(button, "milk", "mil", false), Typed::No);
        assert_eq!(said(button, "milk", "milk", true), Typed::No, "it may have done something else");
        assert!(matches!(said(button, "mil", "milk", false), Typed::Text(_)), "a keyboard covers the button");
        assert!(matches!(said(field, "milk", "mil", false), Typed::Text(_)));
        assert_eq!(said(field, "milk", "milk", true), Typed::Known);
    }

    #[test]
    fn a_text_holds_what_was_typed_before() {
        for (text, other, does) in
            [("milk", "mlk", true), ("milk", "", true), ("the", "teh", false), ("mil", "milk", false)]
        {
            assert_eq!(holds(text, other), does, "{text} {other}");
        }
    }

    #[test]
    fn what_is_not_seen_is_no_text() {
        let tap = Event::tap(50, 150);
        let (open, closed) = (seen("m", true, &[Flag::Focused]), seen("m", false, &[Flag::Focused]));
        let more = seen("ma", true, &[Flag::Focused]);
        assert_eq!(typed(&tap, &closed, &more, false), Typed::No, "no keyboard was up");
        assert_eq!(typed(&tap, &open, &seen("ma", true, &[]), false), Typed::No, "the focus has gone");
        let secret = |text| seen(text, true, &[Flag::Focused, Flag::Password]);
        assert_eq!(typed(&tap, &secret("•"), &secret("••"), false), Typed::No);
    }
}
