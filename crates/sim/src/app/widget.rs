//! Widgets.

use std::sync::Arc;

use retap_trace::Rect;

use super::{BlockId, Expr, Template, Value, VarId};

/// Number of a widget in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WidgetId(pub u16);

/// What kind of widget, and so how it looks and what it does by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum WidgetKind {
    Label,
    Button,
    Image,
    /// A text field that holds a text variable.
    Field {
        var: VarId,
        /// Whether it hides what is typed.
        password: bool,
        /// Shown while it is empty.
        hint: Arc<str>,
    },
    /// A check box for a bool variable; a tap turns it.
    Check(VarId),
    /// A switch for a bool variable; a tap turns it.
    Switch(VarId),
    /// A radio button; a tap gives the variable the value.
    Radio(VarId, Value),
    /// One row for each item of a list variable; the row's widgets are its children. It scrolls.
    List(VarId),
    /// Children side by side.
    Row,
    /// Children one below the other.
    Column,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Widget {
    pub kind: WidgetKind,
    /// Levels below the window; its children follow it, one level deeper.
    pub depth: u16,
    /// Class, as uiautomator shows it.
    pub class: Arc<str>,
    /// Resource id, with the package; empty when it has none.
    pub id: Arc<str>,
    pub text: Template,
    /// Content description.
    pub desc: Template,
    /// Where it stands when it does not follow the flow of its parent.
    pub bounds: Option<Rect>,
    /// Its height in the flow, when it is not the usual one of its kind.
    pub height: Option<i32>,
    /// When it is there; absent means always.
    pub visible: Option<Expr>,
    /// When it is enabled; absent means always.
    pub enabled: Option<Expr>,
    pub handlers: Vec<(Gesture, BlockId)>,
}

/// What a finger does to a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gesture {
    Tap,
    LongTap,
    DoubleTap,
    SwipeLeft,
    SwipeRight,
    SwipeUp,
    SwipeDown,
    Pinch,
    /// The text of a field, or the state of a check box, has changed.
    Change,
}

impl WidgetId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Widget {
    pub fn handler(&self, gesture: Gesture) -> Option<BlockId> {
        self.handlers.iter().find(|(on, _)| *on == gesture).map(|(_, block)| *block)
    }
}
