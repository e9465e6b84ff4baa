//! The XML of `uiautomator dump`.
//!
//! Nothing recurses: trees may be thousands of levels deep. What is not a whole tree is refused, because half a
//! tree looks like another state of the app.

mod entities;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use retap_trace::{Flag, Flags, GuiTree, Node, Rect};

use entities::decoded;

/// A longer dump is refused.
pub const LONGEST_DUMP: usize = 64 << 20;
/// A dump of more widgets is refused.
pub const MOST_NODES: usize = 500_000;

/// A dump, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UiDump {
    /// The widgets. Several windows stand below one root.
    pub tree: GuiTree,
    /// How the screen was turned, in quarters.
    pub rotation: u8,
    /// The package of the first widget.
    pub package: Arc<str>,
}

/// Why a dump was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DumpError {
    /// Nothing was printed.
    #[error("the dump is empty")]
    Empty,
    #[error("the dump has {} MiB, more than {} MiB; no screen is that large", bytes >> 20, LONGEST_DUMP >> 20)]
    TooLong { bytes: usize },
    #[error("the dump has more than {MOST_NODES} widgets; no screen has as many")]
    TooManyNodes,
    /// uiautomator printed an error instead, and perhaps still exited with 0.
    #[error("uiautomator said: {said}")]
    Said { said: String },
    /// It ends in the middle.
    #[error("the dump ends in the middle, at byte {at}")]
    Cut { at: usize },
    #[error("the dump is not XML at byte {at}: {why}")]
    NotXml { at: usize, why: String },
}

/// Reads a dump. Log lines before it and uiautomator's last word after it are passed over.
pub fn hierarchy(dump: &[u8]) -> Result<UiDump, DumpError> {
    if dump.len() > LONGEST_DUMP {
        return Err(DumpError::TooLong { bytes: dump.len() });
    }
    let text = String::from_utf8_lossy(dump);
    let start = ["<?xml", "<hierarchy", "<displays"].iter().filter_map(|mark| text.find(mark)).min();
    let Some(start) = start else { return Err(no_tree(&text)) };
    let mut builder = Builder::default();
    builder.read(&text[start..])?;
    Ok(builder.finish())
}

/// What stands there instead of a tree.
fn no_tree(text: &str) -> DumpError {
    let said = text.trim();
    if said.is_empty() {
        return DumpError::Empty;
    }
    DumpError::Said { said: said.lines().take(3).collect::<Vec<_>>().join("; ").chars().take(300).collect() }
}

#[derive(Debug, Default)]
struct Builder {
    nodes: Vec<Node>,
    rotation: u8,
    package: Option<Arc<str>>,
    /// What each open element is.
    open: Vec<Part>,
    /// How many of them are widgets.
    depth: u32,
    /// Words that were seen: most classes and ids stand in a tree many times.
    words: BTreeSet<Arc<str>>,
    /// Whether the dump tells of windows, and the widgets of the active one if there was any.
    active: Option<Vec<Node>>,
}

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `hierarchy`, `displays` and whatever else holds widgets.
    Frame,
    ActiveWindow {
        first: usize,
        depth: u32,
    },
    /// What does not count: another display than the first.
    Skipped,
    Widget,
}

impl Builder {
    fn read(&mut self, xml: &str) -> Result<(), DumpError> {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().allow_dangling_amp = true;
        loop {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            match reader.read_event() {
                Ok(Event::Start(element)) => self.enter(&element)?,
                Ok(Event::Empty(element)) => {
                    self.enter(&element)?;
                    self.leave();
                }
                Ok(Event::End(_)) => self.leave(),
                Ok(Event::Eof) | Err(quick_xml::Error::Syntax(_)) => return Err(DumpError::Cut { at }),
                Ok(_) => continue,
                Err(error) => return Err(DumpError::NotXml { at, why: error.to_string() }),
            }
            if self.open.is_empty() {
                return Ok(());
            }
        }
    }

    fn enter(&mut self, element: &BytesStart<'_>) -> Result<(), DumpError> {
        let name = element.name();
        let name = String::from_utf8_lossy(name.as_ref());
        let part = match &*name {
            _ if self.open.last() == Some(&Part::Skipped) => Part::Skipped,
            "hierarchy" => {
                let rotation = value(element, "rotation").and_then(|turns| turns.trim().parse::<u8>().ok());
                self.rotation = rotation.unwrap_or(0) % 4;
                Part::Frame
            }
            "display" if value(element, "id").is_some_and(|id| id.trim() != "0") => Part::Skipped,
            "window" if value(element, "active").is_some_and(|active| active == "true") => {
                Part::ActiveWindow { first: self.nodes.len(), depth: self.depth }
            }
            "displays" | "display" | "window" => Part::Frame,
            _ => Part::Widget,
        };
        if part == Part::Widget {
            if self.nodes.len() >= MOST_NODES {
                return Err(DumpError::TooManyNodes);
            }
            let node = self.widget(element, &name);
            self.nodes.push(node);
            self.depth += 1;
        }
        self.open.push(part);
        Ok(())
    }

    fn leave(&mut self) {
        match self.open.pop() {
            Some(Part::Widget) => self.depth -= 1,
            Some(Part::ActiveWindow { first, depth }) => {
                let mut nodes = self.nodes.get(first..).unwrap_or_default().to_vec();
                // In a broken dump the window may stand inside a widget; its roots are roots all the same.
                for node in &mut nodes {
                    node.depth -= depth;
                }
                self.active = self.active.take().or(Some(nodes));
            }
            _ => {}
        }
    }

    fn widget(&mut self, element: &BytesStart<'_>, name: &str) -> Node {
        let mut node = Node { depth: self.depth, ..Node::default() };
        for attribute in element.attributes().with_checks(false).flatten() {
            let raw = String::from_utf8_lossy(&attribute.value);
            match attribute.key.as_ref() {
                b"class" => node.class = self.word(&decoded(&raw)),
                b"resource-id" => node.id = self.word(&decoded(&raw)),
                b"text" => node.text = self.word(&decoded(&raw)),
                b"content-desc" => node.desc = self.word(&decoded(&raw)),
                b"hint" => node.hint = Some(self.word(&decoded(&raw))).filter(|hint| !hint.is_empty()),
                b"bounds" => node.bounds = bounds(&raw).unwrap_or_default(),
                b"package" if self.package.is_none() => self.package = Some(decoded(&raw).into()),
                key => node.flags = with_flag(node.flags, key, &raw),
            }
        }
        if node.class.is_empty() && name != "node" {
            node.class = self.word(name);
        }
        node
    }

    fn word(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.words.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.words.insert(new.clone());
        new
    }

    fn finish(self) -> UiDump {
        let nodes = self.active.filter(|nodes| !nodes.is_empty()).unwrap_or(self.nodes);
        let several = nodes.iter().filter(|node| node.depth == 0).count() > 1;
        let mut tree = GuiTree::new();
        if several {
            tree.push(Node { bounds: around(&nodes), ..Node::default() });
        }
        for mut node in nodes {
            node.depth += u32::from(several);
            tree.push(node);
        }
        UiDump { tree, rotation: self.rotation, package: self.package.unwrap_or_default() }
    }
}

/// The rectangle around all roots.
fn around(nodes: &[Node]) -> Rect {
    let roots = nodes.iter().filter(|node| node.depth == 0).map(|node| node.bounds);
    let joined = |one: Rect, other: Rect| {
        Rect::new(
            one.left.min(other.left),
            one.top.min(other.top),
            one.right.max(other.right),
            one.bottom.max(other.bottom),
        )
    };
    roots.reduce(joined).unwrap_or_default()
}

fn value(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found =
        element.attributes().with_checks(false).flatten().find(|found| found.key.as_ref() == name.as_bytes());
    found.map(|found| decoded(&String::from_utf8_lossy(&found.value)).into_owned())
}

fn with_flag(flags: Flags, key: &[u8], value: &str) -> Flags {
    match Flag::ALL.into_iter().find(|flag| flag.name().as_bytes() == key) {
        Some(flag) => flags.with(flag, value == "true"),
        None => flags,
    }
}

/// `[0,72][1080,1920]`
fn bounds(text: &str) -> Option<Rect> {
    let mut numbers = text.split(['[', ']', ',']).map(str::trim).filter(|part| !part.is_empty());
    let mut next = || numbers.next()?.parse::<i32>().ok();
    let rect = Rect::new(next()?, next()?, next()?, next()?);
    Some(rect)
}
