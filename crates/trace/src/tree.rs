//! The GUI tree of one look at a device: an arena in depth-first order, root first.
//!
//! Flat on purpose: real trees can be thousands of levels deep, and nothing here recurses.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::geometry::{Point, Rect};
use crate::selector::WidgetPath;

/// Number of a node in its tree; the root is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NodeId(pub u32);

/// A yes-or-no attribute of a widget, as uiautomator names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "uiautomator's own names")]
pub enum Flag {
    Clickable,
    LongClickable,
    Checkable,
    Checked,
    Enabled,
    Focusable,
    Focused,
    Scrollable,
    Selected,
    Password,
}

/// A set of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Flags(u16);

/// One widget.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Node {
    /// Levels below the root.
    pub depth: u32,
    /// Class, such as `android.widget.Button`.
    #[serde(skip_serializing_if = "is_empty")]
    pub class: Arc<str>,
    /// Resource id, empty when it has none.
    #[serde(skip_serializing_if = "is_empty")]
    pub id: Arc<str>,
    /// Text on the widget, or in a field.
    #[serde(skip_serializing_if = "is_empty")]
    pub text: Arc<str>,
    /// Content description.
    #[serde(skip_serializing_if = "is_empty")]
    pub desc: Arc<str>,
    /// Of a field, what it says while it is empty, where the device tells; then that is its text, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Arc<str>>,
    /// Place on the screen.
    pub bounds: Rect,
    /// Its yes-or-no attributes.
    #[serde(skip_serializing_if = "Flags::is_empty")]
    pub flags: Flags,
}

/// The widgets of a screen, in depth-first order. In files: `{"nodes":[{"depth":0,"bounds":[0,0,480,800]},..]}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize)]
pub struct GuiTree {
    nodes: Vec<Node>,
}

impl Flag {
    /// Every flag, in the order of its bit.
    pub const ALL: [Self; 10] = [
        Self::Clickable,
        Self::LongClickable,
        Self::Checkable,
        Self::Checked,
        Self::Enabled,
        Self::Focusable,
        Self::Focused,
        Self::Scrollable,
        Self::Selected,
        Self::Password,
    ];

    /// Its name in files, which is uiautomator's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clickable => "clickable",
            Self::LongClickable => "long-clickable",
            Self::Checkable => "checkable",
            Self::Checked => "checked",
            Self::Enabled => "enabled",
            Self::Focusable => "focusable",
            Self::Focused => "focused",
            Self::Scrollable => "scrollable",
            Self::Selected => "selected",
            Self::Password => "password",
        }
    }
}

impl Flags {
    /// Whether the flag is set.
    pub const fn has(self, flag: Flag) -> bool {
        self.0 & (1 << flag as u16) != 0
    }

    /// The same set with this flag set or cleared.
    #[must_use]
    pub const fn with(self, flag: Flag, on: bool) -> Self {
        let bit = 1 << flag as u16;
        Self(if on { self.0 | bit } else { self.0 & !bit })
    }

    /// The flags that are set, in order.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.into_iter().filter(move |&flag| self.has(flag))
    }

    /// The set as a number, for hashing.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether a finger can do something with the widget: it is enabled, and clicks, checks, scrolls or types.
    pub const fn actionable(self) -> bool {
        self.has(Flag::Enabled)
            && (self.has(Flag::Clickable)
                || self.has(Flag::LongClickable)
                || self.has(Flag::Checkable)
                || self.has(Flag::Scrollable))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

impl Node {
    /// Whether text can be typed into it.
    pub fn is_field(&self) -> bool {
        self.hint.is_some()
            || ["EditText", "AutoCompleteTextView"].iter().any(|kind| self.class.ends_with(kind))
    }
}

fn is_empty(text: &Arc<str>) -> bool {
    text.is_empty()
}

impl FromIterator<Flag> for Flags {
    fn from_iter<I: IntoIterator<Item = Flag>>(flags: I) -> Self {
        flags.into_iter().fold(Self::default(), |set, flag| set.with(flag, true))
    }
}

impl GuiTree {
    /// A tree without widgets.
    pub const fn new() -> Self {
        Self { nodes: Vec::new() }
    }

    /// Appends the next node in depth-first order.
    ///
    /// # Panics
    /// When the node is deeper than a child of the last node, or is a second root.
    pub fn push(&mut self, node: Node) -> NodeId {
        let fits = match self.nodes.last() {
            None => node.depth == 0,
            Some(last) => 0 < node.depth && node.depth <= last.depth + 1,
        };
        assert!(fits, "a node of depth {} cannot stand here", node.depth);
        let id = u32::try_from(self.nodes.len()).expect("a screen has fewer than 2^32 widgets");
        self.nodes.push(node);
        NodeId(id)
    }

    /// Removes all nodes, keeping the memory for the next look.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// All nodes, depth first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The ids of all nodes, depth first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// One node.
    ///
    /// # Panics
    /// When the id is of another tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The parent, none for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let depth = self.node(id).depth.checked_sub(1)?;
        (0..id.0).rev().map(NodeId).find(|&above| self.node(above).depth == depth)
    }

    /// The number of child steps from the root to this node.
    pub fn path(&self, id: NodeId) -> WidgetPath {
        let mut path = Vec::new();
        let mut depth = self.node(id).depth;
        let mut nth = 0;
        for above in self.nodes[..id.0 as usize].iter().rev() {
            if above.depth == depth {
                nth += 1;
            } else if above.depth < depth {
                path.push(nth);
                nth = 0;
                depth = above.depth;
            }
        }
        path.reverse();
        WidgetPath(path)
    }

    /// The node at a path.
    pub fn at(&self, path: &WidgetPath) -> Option<NodeId> {
        let mut here = self.ids().next()?;
        for &nth in &path.0 {
            here = self.children(here).nth(nth as usize)?;
        }
        Some(here)
    }

    /// The children of a node, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let depth = self.node(id).depth + 1;
        (id.0 + 1..)
            .map(NodeId)
            .take_while(move |below| self.nodes.get(below.0 as usize).is_some_and(|node| node.depth >= depth))
            .filter(move |&below| self.node(below).depth == depth)
    }

    /// The topmost widget at a point: the last one drawn there that fits.
    pub fn hit(&self, at: Point, fits: impl Fn(&Node) -> bool) -> Option<NodeId> {
        self.ids().rev().find(|&id| {
            let node = self.node(id);
            node.bounds.contains(at) && fits(node)
        })
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Flag::name))
    }
}
