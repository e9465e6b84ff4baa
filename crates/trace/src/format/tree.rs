//! GUI trees out of JSON: a flat list of nodes with their depths, so that no tree is too deep to read.

use crate::json::{Decode, Fields, Json, JsonError, JsonPath, Unknown, Wrong, read, word};
use crate::tree::{Flag, Flags, GuiTree, Node};

use super::Shape;

impl GuiTree {
    /// Reads a tree as its `Serialize` writes it. Unknown fields are passed over.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        read(text)
    }
}

impl Decode for GuiTree {
    const EXPECTED: &'static str = "a GUI tree such as {\"nodes\":[]}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Tree, path, unknown)?;
        let nodes: Vec<Node> = fields.need("nodes", unknown)?;
        let list = JsonPath::Field(path, "nodes");
        let mut tree = Self::new();
        let mut deepest = 0;
        for (nth, node) in nodes.into_iter().enumerate() {
            let shallowest = u32::from(nth > 0);
            if !(shallowest..=deepest).contains(&node.depth) {
                let why = if nth == 0 {
                    "the first node is the root and has depth 0".to_owned()
                } else {
                    format!("a node here has a depth from 1 to {deepest}, one more than the node before it")
                };
                return Err(JsonPath::Field(&JsonPath::Item(&list, nth), "depth")
                    .wrong(format!("{why}; found {}", node.depth)));
            }
            deepest = node.depth + 1;
            tree.push(node);
        }
        Ok(tree)
    }
}

impl Decode for Node {
    const EXPECTED: &'static str = "a node such as {\"depth\":0,\"bounds\":[0,0,10,10]}";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, unknown: &mut Unknown) -> Result<Self, Wrong> {
        let mut fields = Fields::open::<Self>(json, Shape::Node, path, unknown)?;
        let flags: Vec<Flag> = fields.or_default("flags", unknown)?;
        Ok(Self {
            depth: fields.need("depth", unknown)?,
            class: fields.or_default("class", unknown)?,
            id: fields.or_default("id", unknown)?,
            text: fields.or_default("text", unknown)?,
            desc: fields.or_default("desc", unknown)?,
            hint: fields.may("hint", unknown)?,
            bounds: fields.need("bounds", unknown)?,
            flags: flags.into_iter().collect::<Flags>(),
        })
    }
}

impl Decode for Flag {
    const EXPECTED: &'static str = "a flag such as \"clickable\"";

    fn decode(json: Json<'_>, path: &JsonPath<'_>, _: &mut Unknown) -> Result<Self, Wrong> {
        word(&Self::ALL.map(|flag| (flag.name(), flag)), &json, path)
    }
}
