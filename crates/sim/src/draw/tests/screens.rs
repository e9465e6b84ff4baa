//! Screens as an app would show them, on a phone of 1080 by 1920 pixels.

use retap_trace::{Flag, Flags, GuiTree, Node, Rect, Size};

pub(super) const PHONE: Size = Size { width: 1080, height: 1920 };

pub(super) fn node(depth: u32, class: &str, text: &str, bounds: [i32; 4], flags: &[Flag]) -> Node {
    let [left, top, right, bottom] = bounds;
    Node {
        depth,
        class: format!("android.widget.{class}").into(),
        text: text.into(),
        bounds: Rect::new(left, top, right, bottom),
        flags: flags.iter().copied().collect::<Flags>().with(Flag::Enabled, true),
        ..Node::default()
    }
}

pub(super) fn named(node: Node, id: &str) -> Node {
    Node { id: format!("android:id/{id}").into(), ..node }
}

pub(super) fn described(node: Node, desc: &str) -> Node {
    Node { desc: desc.into(), ..node }
}

pub(super) fn disabled(node: Node) -> Node {
    Node { flags: node.flags.with(Flag::Enabled, false), ..node }
}

pub(super) fn tree(nodes: impl IntoIterator<Item = Node>) -> GuiTree {
    let mut tree = GuiTree::new();
    for node in nodes {
        tree.push(node);
    }
    tree
}

/// A whole screen with a title bar.
fn screen(width: i32, height: i32, title: &str) -> Vec<Node> {
    vec![
        node(0, "FrameLayout", "", [0, 0, width, height], &[]),
        named(node(1, "TextView", title, [0, 63, width, 240], &[]), "action_bar_title"),
        node(1, "Button", "More", [width - 144, 63, width, 240], &[Flag::Clickable]),
    ]
}

pub(super) fn list() -> GuiTree {
    let mut nodes = screen(1080, 1920, "Notes");
    nodes.push(node(1, "ListView", "", [0, 240, 1080, 1920], &[Flag::Scrollable]));
    let rows = [
        "Milk, bread and a very long list of other things that does not fit",
        "Call Zoë about the café",
        "Größe prüfen: 42 × 17 cm",
        "漢字 are boxes",
        "Pay the rent (€ 850)",
        "\"Quoted\" & <escaped> text; 100 % done!",
        "jumping foxes quiz my big dwarf kept vex",
        "SPHINX OF BLACK QUARTZ, JUDGE MY VOW",
        "Tomorrow",
        "The last row is cut",
    ];
    for (row, text) in rows.iter().enumerate() {
        let top = 240 + 180 * i32::try_from(row).unwrap();
        nodes.push(node(2, "LinearLayout", "", [0, top, 1080, top + 180], &[Flag::Clickable]));
        nodes.push(node(3, "ImageView", "", [36, top + 30, 156, top + 150], &[]));
        nodes.push(node(3, "TextView", text, [186, top, 900, top + 180], &[]));
        let checked: &[Flag] =
            if row % 3 == 0 { &[Flag::Checkable, Flag::Checked] } else { &[Flag::Checkable] };
        nodes.push(node(3, "CheckBox", "", [930, top, 1032, top + 180], checked));
    }
    tree(nodes)
}

pub(super) fn form() -> GuiTree {
    let mut nodes = screen(1080, 1920, "Create an account");
    let typing = [Flag::Clickable, Flag::Focusable];
    let focused = [Flag::Clickable, Flag::Focusable, Flag::Focused];
    let secret = [Flag::Clickable, Flag::Focusable, Flag::Password];
    let turned_on = [Flag::Checkable, Flag::Checked];
    nodes.extend([
        node(1, "TextView", "Name", [48, 264, 1032, 336], &[]),
        node(1, "EditText", "Ada Lovelace", [48, 336, 1032, 480], &focused),
        node(1, "EditText", "E-mail address", [48, 480, 1032, 624], &typing),
        node(1, "EditText", "••••••••", [48, 624, 1032, 768], &secret),
        node(1, "Switch", "Send me the news", [48, 768, 1032, 888], &turned_on),
        node(1, "RadioButton", "Monthly", [48, 888, 540, 1008], &turned_on),
        node(1, "RadioButton", "Yearly", [540, 888, 1032, 1008], &[Flag::Checkable]),
        node(1, "Button", "Cancel", [48, 1020, 540, 1164], &[Flag::Clickable]),
        disabled(node(1, "Button", "Create", [540, 1020, 1032, 1164], &[Flag::Clickable])),
        node(1, "Button", "Below the keyboard", [48, 1500, 1032, 1644], &[Flag::Clickable]),
    ]);
    tree(nodes)
}

pub(super) fn dialog() -> GuiTree {
    tree([
        node(0, "FrameLayout", "", [90, 660, 990, 1260], &[]),
        named(node(1, "TextView", "Delete 3 notes?", [138, 690, 942, 810], &[]), "alertTitle"),
        node(1, "TextView", "They are gone for good, on all your devices.", [138, 810, 942, 990], &[]),
        node(1, "CheckBox", "Do not ask again", [138, 990, 942, 1110], &[Flag::Checkable]),
        node(1, "Button", "Keep", [390, 1110, 660, 1242], &[Flag::Clickable, Flag::Focused]),
        node(1, "Button", "Delete", [672, 1110, 942, 1242], &[Flag::Clickable]),
    ])
}

pub(super) fn landscape() -> GuiTree {
    let mut nodes = screen(1920, 1080, "Gallery");
    nodes.extend([
        described(node(1, "ImageView", "", [48, 288, 900, 900], &[Flag::Clickable]), "Sunset at the lake"),
        node(1, "TextView", "Brightness", [960, 288, 1872, 372], &[]),
        node(1, "Switch", "Crop", [960, 720, 1400, 860], &[Flag::Checkable]),
        disabled(node(1, "CheckBox", "Lossless", [1420, 720, 1872, 860], &[Flag::Checkable, Flag::Checked])),
        node(1, "Button", "Save a copy", [960, 900, 1400, 1044], &[Flag::Clickable]),
        node(1, "Button", "Share", [1420, 900, 1872, 1044], &[Flag::Clickable]),
    ]);
    tree(nodes)
}
