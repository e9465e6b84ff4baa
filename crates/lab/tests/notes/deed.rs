//! What a person does, in the words of the screen, and the event that it is there.

use retap_trace::{Aim, Event, GuiTree, Key, Micros, NodeId, Observation, Orientation, Selector};

/// What a person does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deed {
    /// Taps the widget with this text.
    Tap(&'static str),
    /// Touches it for longer.
    LongTap(&'static str),
    /// Types a text into the field with this id.
    Type(&'static str, &'static str),
    /// Presses a key.
    Press(Key),
    /// Turns the phone.
    Turn(Orientation),
    /// Nothing: the system tells of this.
    System(&'static str),
    /// Comes back to the app from its icon.
    Launch,
}

impl Deed {
    /// The event, on the screen that is seen now.
    pub(crate) fn event(self, seen: &Observation) -> Event {
        let tree = seen.tree.as_ref().expect("the look was at the tree");
        match self {
            Self::Tap(text) => Event::Tap(on(tree, with_text(tree, text))),
            Self::LongTap(text) => {
                Event::LongTap { aim: on(tree, with_text(tree, text)), hold: Micros::from_secs(1) }
            }
            Self::Type(text, field) => {
                Event::Text { text: text.into(), widget: Some(Selector::of(tree, with_id(tree, field))) }
            }
            Self::Press(key) => Event::key(key),
            Self::Turn(to) => Event::Rotate { to },
            Self::System(action) => Event::system(action),
            Self::Launch => Event::Launch,
        }
    }
}

/// The middle of a widget.
pub(crate) fn on(tree: &GuiTree, id: NodeId) -> Aim {
    Aim { widget: Some(Selector::of(tree, id)), ..Aim::place(tree.node(id).bounds.center()) }
}

/// The event, with the widget that is at its place now: the topmost that can be acted on, else the topmost.
pub(crate) fn aimed(mut event: Event, seen: &Observation) -> Event {
    if let (Some(aim), Some(tree)) = (event.aim_mut(), &seen.tree) {
        let under = tree.hit(aim.at, |node| node.flags.actionable()).or_else(|| tree.hit(aim.at, |_| true));
        aim.widget = under.map(|id| Selector::of(tree, id));
    }
    event
}

fn with_text(tree: &GuiTree, text: &str) -> NodeId {
    let found = tree.ids().find(|&id| *tree.node(id).text == *text);
    found.unwrap_or_else(|| panic!("nothing on this screen says '{text}': {tree:#?}"))
}

fn with_id(tree: &GuiTree, name: &str) -> NodeId {
    let found = tree.ids().find(|&id| tree.node(id).id.rsplit('/').next() == Some(name));
    found.unwrap_or_else(|| panic!("nothing on this screen is called {name}: {tree:#?}"))
}
