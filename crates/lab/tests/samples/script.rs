//! What a script says: one event a line, `#` starts a comment.
//!
//! | line | event |
//! |---|---|
//! | `launch` | the app is launched |
//! | `tap "Add"`, `tap add` | a tap on the middle of the widget with this text, or this id |
//! | `at 540,1200` | a tap on a place |
//! | `swipe 540,1700 to 540,200` | a finger moves |
//! | `key back` | a key |
//! | `text "milk" into title` | a text is typed into the field with this id |
//! | `rotate landscape` | the phone is turned |

use retap_trace::{Aim, Event, GuiTree, Micros, NodeId, Observation, Orientation, Point, Selector};

/// The lines of a script that are events.
pub(crate) fn lines(script: &str) -> impl Iterator<Item = &str> {
    script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The event of a line, on the screen that is seen now.
pub(crate) fn event(line: &str, seen: &Observation) -> Event {
    let tree = seen.tree.as_ref().expect("recorders look at the tree");
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "launch" => Event::Launch,
        "tap" => {
            let id = find(tree, rest);
            Event::Tap(Aim {
                widget: Some(Selector::of(tree, id)),
                ..Aim::place(tree.node(id).bounds.center())
            })
        }
        "at" => Event::Tap(aim(tree, point(rest))),
        "swipe" => {
            let (from, to) =
                rest.split_once(" to ").unwrap_or_else(|| panic!("{line}: from where to where?"));
            Event::Swipe { aim: aim(tree, point(from)), to: point(to), over: Micros::from_millis(300) }
        }
        "key" => Event::key(rest.parse().unwrap_or_else(|error| panic!("{line}: {error}"))),
        "text" => {
            let (text, field) =
                rest.split_once(" into ").unwrap_or_else(|| panic!("{line}: into which field?"));
            let text = unquoted(text).unwrap_or_else(|| panic!("{line}: a text stands in quotes"));
            Event::Text { text: text.to_owned(), widget: Some(Selector::of(tree, find(tree, field))) }
        }
        "rotate" if rest == "landscape" => Event::Rotate { to: Orientation::Landscape },
        "rotate" if rest == "portrait" => Event::Rotate { to: Orientation::Portrait },
        _ => panic!("{line}: no event is written like this"),
    }
}

/// A place, and the widget there: the topmost that can be acted on, else the topmost.
fn aim(tree: &GuiTree, at: Point) -> Aim {
    let under = tree.hit(at, |node| node.flags.actionable()).or_else(|| tree.hit(at, |_| true));
    Aim { widget: under.map(|id| Selector::of(tree, id)), ..Aim::place(at) }
}

fn find(tree: &GuiTree, name: &str) -> NodeId {
    let named = |id: &NodeId| {
        let node = tree.node(*id);
        unquoted(name).map_or_else(|| node.id.rsplit('/').next() == Some(name), |text| *node.text == *text)
    };
    tree.ids().find(named).unwrap_or_else(|| panic!("there is no widget {name} on this screen: {tree:#?}"))
}

fn unquoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

fn point(text: &str) -> Point {
    let number = |part: &str| part.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let (x, y) = text.split_once(',').unwrap_or_else(|| panic!("{text}: a place is written 540,1200"));
    Point::new(number(x), number(y))
}
