//! The screen as uiautomator writes it: one element for each widget, in one line.

use std::fmt::Write as _;

use retap_trace::{Flag, GuiTree, Node, Observation, Orientation};

/// The flags before and after the description, in their order.
const FLAGS: [Flag; 10] = [
    Flag::Checkable,
    Flag::Checked,
    Flag::Clickable,
    Flag::Enabled,
    Flag::Focusable,
    Flag::Focused,
    Flag::Scrollable,
    Flag::LongClickable,
    Flag::Password,
    Flag::Selected,
];

/// The whole document.
pub(crate) fn hierarchy(tree: &GuiTree, seen: &Observation) -> String {
    let rotation = u8::from(seen.orientation == Orientation::Landscape);
    let mut xml = format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">"
    );
    let shown = tree.nodes();
    let mut indexes: Vec<u32> = Vec::new();
    for (number, node) in shown.iter().enumerate() {
        let depth = node.depth as usize;
        indexes.truncate(depth + 1);
        match indexes.get_mut(depth) {
            Some(index) => *index += 1,
            None => indexes.push(0),
        }
        let index = indexes[depth];
        write_node(&mut xml, node, index, &seen.package);
        let next = shown.get(number + 1).map_or(0, |next| next.depth);
        if shown.len() > number + 1 && next > node.depth {
            xml.push('>');
        } else {
            xml.push_str(" />");
            let closed = if shown.len() > number + 1 { node.depth - next } else { node.depth };
            for _ in 0..closed {
                xml.push_str("</node>");
            }
        }
    }
    xml.push_str("</hierarchy>");
    xml
}

/// The element up to its end, which depends on whether it has children.
fn write_node(xml: &mut String, node: &Node, index: u32, package: &str) {
    xml.push_str("<node ");
    let put = |xml: &mut String, name: &str, value: &str| {
        write!(xml, "{name}={} ", quoted(value)).expect("a string takes all text");
    };
    put(xml, "index", &index.to_string());
    put(xml, "text", &node.text);
    put(xml, "resource-id", &node.id);
    put(xml, "class", &node.class);
    put(xml, "package", package);
    put(xml, "content-desc", &node.desc);
    for flag in FLAGS {
        put(xml, flag.name(), if node.flags.has(flag) { "true" } else { "false" });
    }
    let bounds = node.bounds;
    write!(xml, "bounds=\"[{},{}][{},{}]\"", bounds.left, bounds.top, bounds.right, bounds.bottom)
        .expect("a string takes all text");
}

/// Text as it stands in an attribute, as Android's serializer has it: between single quotes where there are double ones in
/// it, letters beyond the basic plane by their numbers. Control characters become dots, as uiautomator has it.
fn quoted(text: &str) -> String {
    let quote = if text.contains('"') { '\'' } else { '"' };
    let mut safe = String::with_capacity(text.len() + 2);
    safe.push(quote);
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\'' if quote == '\'' => safe.push_str("&apos;"),
            '\n' | '\t' | '\r' | '\u{10000}'.. => {
                write!(safe, "&#{};", u32::from(letter)).expect("a string takes all text");
            }
            letter if letter.is_control() => safe.push('.'),
            letter => safe.push(letter),
        }
    }
    safe.push(quote);
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_trace::{Flags, Micros, Rect, Size};

    fn seen() -> Observation {
        Observation {
            at: Micros::ZERO,
            package: "com.example".into(),
            activity: "com.example.Main".into(),
            tree: None,
            keyboard: false,
            orientation: Orientation::Portrait,
            screen: Size { width: 100, height: 200 },
            coverage: Vec::new(),
            crashes: Vec::new(),
        }
    }

    fn tree(nodes: &[(u32, &str)]) -> GuiTree {
        let mut tree = GuiTree::new();
        for (depth, text) in nodes {
            tree.push(Node {
                depth: *depth,
                text: (*text).into(),
                class: "android.widget.Button".into(),
                bounds: Rect::new(0, 1, 2, 3),
                flags: Flags::default().with(Flag::Clickable, true).with(Flag::Enabled, true),
                ..Node::default()
            });
        }
        tree
    }

    #[test]
    fn a_node_is_written_as_uiautomator_does() {
        let xml = hierarchy(&tree(&[(0, "a<\"b\n'😀")]), &seen());
        assert_eq!(
            xml,
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">\
             <node index=\"0\" text='a&lt;\"b&#10;&apos;&#128512;' resource-id=\"\" class=\"android.widget.Button\" \
             package=\"com.example\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"true\" \
             enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" \
             password=\"false\" selected=\"false\" bounds=\"[0,1][2,3]\" /></hierarchy>"
        );
    }

    #[test]
    fn elements_close_where_they_should() {
        let xml = hierarchy(&tree(&[(0, "r"), (1, "a"), (2, "b"), (1, "c"), (2, "d"), (3, "")]), &seen());
        let marks: String = xml
            .split("text=")
            .skip(1)
            .map(|part| {
                let ends = part.matches("</node>").count();
                let open = if part.contains(" />") { "." } else { "(" };
                format!("{}{open}{}", &part[1..2], ")".repeat(ends))
            })
            .collect();
        assert_eq!(marks, "r(a(b.)c(d(\".)))");
        let indexes: Vec<&str> = xml.split("index=\"").skip(1).map(|part| &part[..1]).collect();
        assert_eq!(indexes, ["0", "0", "0", "1", "0", "0"]);
        assert!(hierarchy(&GuiTree::new(), &seen()).ends_with("rotation=\"0\"></hierarchy>"));
    }
}
