//! Windows: screens, dialogs and menus.

use super::{ActivityId, Template, Widget, WidgetId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowId(pub u16);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowKind {
    /// Fills the display.
    Screen,
    /// Sits on top in the middle; a touch beside it takes it away if it may.
    Dialog {
        /// Whether the back key and a touch beside it take it away.
        cancelable: bool,
    },
    /// Drops down from the upper right corner; a touch beside it takes it away.
    Menu,
}

/// A screen, dialog or menu of an activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// Its name in the file.
    pub name: std::sync::Arc<str>,
    pub activity: ActivityId,
    pub kind: WindowKind,
    /// The title; without one there is no title bar.
    pub title: Option<Template>,
    /// Whether its content scrolls when it is longer than the display.
    pub scrolls: bool,
    /// All its widgets, depth first.
    pub widgets: Vec<Widget>,
    /// The field that has the focus, and so the keyboard, when the window appears.
    pub focus: Option<WidgetId>,
}

impl WindowId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
