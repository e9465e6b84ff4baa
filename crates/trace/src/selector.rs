//! How a widget is named, so that it can be found again on another screen size or after a layout change.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::tree::{GuiTree, Node, NodeId};

/// The way from the root to a widget: the number of the child to take at each level.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct WidgetPath(pub Vec<u32>);

/// What is known of a widget. An absent part says nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Selector {
    /// Resource id, such as `com.example:id/add_tag`, or a DOM id. `add_tag` means the former too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// The text that people see on it; never what stands in a field, because that is not its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Arc<str>>,
    /// Content description, read by screen readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desc: Option<Arc<str>>,
    /// Of a field, what it says while it is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Arc<str>>,
    /// Words on it of which it is not known whether they are its text, its content description or its hint: tests of
    /// other tools name widgets so. A recording never has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Arc<str>>,
    /// Class of the widget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Arc<str>>,
    /// Where it stands in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<WidgetPath>,
    /// Which one it is, from 0, of the widgets on the screen with this id; absent when it is the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_index: Option<u32>,
    /// Which one it is, from 0, of the widgets on the screen with this [label](Self::label); absent when it is the
    /// only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_index: Option<u32>,
}

/// The words that tests name a widget by, in the order that testers prefer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WidgetLabel<'a> {
    /// Its content description, which stays when a text changes.
    Desc(&'a str),
    /// The text on it.
    Text(&'a str),
    /// What a field says while it is empty.
    Hint(&'a str),
    /// One of these, and it is not known which.
    Words(&'a str),
}

impl Selector {
    /// All that the tree tells of this widget.
    pub fn of(tree: &GuiTree, id: NodeId) -> Self {
        let node = tree.node(id);
        let some = |text: &Arc<str>| (!text.is_empty()).then(|| text.clone());
        let mut selector = Self {
            id: some(&node.id),
            text: if node.is_field() { None } else { some(&node.text) },
            desc: some(&node.desc),
            hint: node.hint.as_ref().and_then(some),
            words: None,
            class: some(&node.class),
            path: Some(tree.path(id)),
            id_index: None,
            label_index: None,
        };
        selector.id_index = selector.id.as_ref().and_then(|name| index(tree, id, |node| node.id == *name));
        selector.label_index = selector.label().and_then(|label| index(tree, id, |node| label.fits(node)));
        selector
    }

    /// The words that a test names it by.
    pub fn label(&self) -> Option<WidgetLabel<'_>> {
        (self.desc.as_deref().map(WidgetLabel::Desc))
            .or(self.text.as_deref().map(WidgetLabel::Text))
            .or(self.hint.as_deref().map(WidgetLabel::Hint))
            .or(self.words.as_deref().map(WidgetLabel::Words))
    }

    /// The widget meant, if the tree has it.
    ///
    /// The strictest reading that some widget fits wins: everything equal; then everything but the path;
    /// then the resource id; then the words on it. Among several, the one at the recorded path, else the first; where no
    /// path is known, the one with the index.
    /// A selector that is only a path, or a class and a path, is followed only when the class agrees.
    pub fn find(&self, tree: &GuiTree) -> Option<NodeId> {
        let at_path = self.path.as_ref().and_then(|path| tree.at(path));
        let readings: [fn(&Self, &GuiTree, NodeId) -> bool; 3] = [
            |want, tree, id| want.id_fits(tree, id) && want.words_fit(tree, id) && want.class_fits(tree, id),
            |want, tree, id| want.id.is_some() && want.id_fits(tree, id) && want.class_fits(tree, id),
            |want, tree, id| want.has_words() && want.words_fit(tree, id),
        ];
        if !self.named() {
            return at_path.filter(|&id| self.class_fits(tree, id));
        }
        let nth = if self.path.is_none() { self.id_index.or(self.label_index).unwrap_or(0) } else { 0 };
        readings.iter().find_map(|fits| {
            let mut fitting = tree.ids().filter(|&id| fits(self, tree, id));
            at_path.filter(|&id| fits(self, tree, id)).or_else(|| fitting.nth(nth as usize))
        })
    }

    /// The widget that a touch reaches: the one meant, unless it has no area, because then there is no place to touch.
    ///
    /// Devices and who judges their runs ask this alike: a widget that a device does not touch is not there for an oracle.
    pub fn touchable(&self, tree: &GuiTree) -> Option<NodeId> {
        self.find(tree).filter(|&id| !tree.node(id).bounds.is_empty())
    }

    /// Whether it has a name that people and tests can point at: words on it, or an id.
    pub fn named(&self) -> bool {
        self.id.is_some() || self.has_words()
    }

    fn has_words(&self) -> bool {
        self.text.is_some() || self.desc.is_some() || self.hint.is_some() || self.words.is_some()
    }

    fn id_fits(&self, tree: &GuiTree, id: NodeId) -> bool {
        let without_package =
            |id: &str, want: &str| id.strip_suffix(want).is_some_and(|front| front.ends_with(":id/"));
        let id = &tree.node(id).id;
        self.id.as_ref().is_none_or(|want| want == id || without_package(id, want))
    }

    fn words_fit(&self, tree: &GuiTree, id: NodeId) -> bool {
        let node = tree.node(id);
        self.text.as_ref().is_none_or(|want| *want == node.text)
            && self.desc.as_ref().is_none_or(|want| *want == node.desc)
            // Devices that do not tell hints show them as the text of empty fields.
            && self.hint.as_ref().is_none_or(|want| want == node.hint.as_ref().unwrap_or(&node.text))
            && self.words.as_ref().is_none_or(|want| WidgetLabel::Words(want).fits(node))
    }

    fn class_fits(&self, tree: &GuiTree, id: NodeId) -> bool {
        self.class.as_ref().is_none_or(|want| *want == tree.node(id).class)
    }
}

impl WidgetLabel<'_> {
    fn fits(self, node: &Node) -> bool {
        match self {
            Self::Desc(desc) => *node.desc == *desc,
            Self::Text(text) => *node.text == *text,
            Self::Hint(hint) => node.hint.as_deref() == Some(hint),
            Self::Words(words) => {
                *node.desc == *words || *node.text == *words || node.hint.as_deref() == Some(words)
            }
        }
    }
}

/// Which of the fitting widgets this one is, if there are several.
fn index(tree: &GuiTree, id: NodeId, fits: impl Fn(&Node) -> bool) -> Option<u32> {
    let (before, after) = tree.nodes().split_at(id.0 as usize);
    let before = before.iter().filter(|node| fits(node)).count();
    let several = before > 0 || after.iter().skip(1).any(fits);
    several.then(|| u32::try_from(before).expect("a screen has fewer than 2^32 widgets"))
}

/// In words, the way a person would point at it: `'Add tag'`, `Button add_tag`, `Button 0/2/1`. A field is called by its
/// hint, not by what stands in it.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = |text: &str, mark: char| text.rsplit(mark).next().unwrap_or_default().to_owned();
        let class = self.class.as_ref().map_or_else(|| "widget".to_owned(), |class| last(class, '.'));
        let words = [&self.text, &self.hint, &self.desc, &self.words].into_iter().find_map(Option::as_ref);
        match (words, &self.id, &self.path) {
            (Some(words), ..) => write!(f, "'{words}'"),
            (None, Some(id), _) => write!(f, "{class} {}", last(id, '/')),
            (None, None, Some(path)) => write!(f, "{class} {path}"),
            (None, None, None) => f.write_str(&class),
        }
    }
}

impl fmt::Display for WidgetPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, child) in self.0.iter().enumerate() {
            let slash = if depth == 0 { "" } else { "/" };
            write!(f, "{slash}{child}")?;
        }
        Ok(())
    }
}

impl FromStr for WidgetPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let children = text.split('/').map(str::parse).collect::<Result<_, _>>();
        children.map(Self).map_err(|_| format!("'{text}' is not a path such as 0/2/1"))
    }
}

impl Serialize for WidgetPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
