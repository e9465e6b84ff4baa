use retap_trace::Point;

use super::*;

const HEAD: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";

fn node(text: &str, inner: &str) -> String {
    format!(
        "<node index=\"0\" text=\"{text}\" resource-id=\"a:id/x\" class=\"android.widget.Button\" package=\"a\" \
         content-desc=\"\" checkable=\"false\" clickable=\"true\" enabled=\"true\" bounds=\"[0,10][100,20]\">{inner}</node>"
    )
}

fn dump(inner: &str) -> String {
    format!("{HEAD}<hierarchy rotation=\"1\">{inner}</hierarchy>")
}

fn read(text: &str) -> Result<UiDump, DumpError> {
    hierarchy(text.as_bytes())
}

/// Found by fuzzing.
#[test]
fn an_active_window_inside_a_widget_has_roots_of_its_own() {
    let dump = b"<hierarchy rotation=\"0\"><node class=\"A\"><window active=\"true\"><node class=\"B\"><node class=\"C\"/></node>\
        </window></node></hierarchy>";
    let found = hierarchy(dump).unwrap();
    let shape: Vec<(u32, &str)> = found.tree.nodes().iter().map(|node| (node.depth, &*node.class)).collect();
    assert_eq!(shape, [(0, "B"), (1, "C")]);
}

#[test]
fn a_dump_becomes_a_tree() {
    let found = read(&dump(&node("one", &(node("two", "") + &node("three", ""))))).unwrap();
    let texts: Vec<_> = found.tree.nodes().iter().map(|node| (node.depth, &*node.text)).collect();
    assert_eq!(texts, [(0, "one"), (1, "two"), (1, "three")]);
    assert_eq!((found.rotation, &*found.package), (1, "a"));
    let first = &found.tree.nodes()[0];
    assert_eq!((&*first.class, &*first.id), ("android.widget.Button", "a:id/x"));
    assert_eq!(first.bounds, Rect::new(0, 10, 100, 20));
    assert!(
        first.flags.has(Flag::Clickable)
            && first.flags.has(Flag::Enabled)
            && !first.flags.has(Flag::Checkable)
    );
    assert!(found.tree.hit(Point::new(5, 15), |_| true).is_some());
}

#[test]
fn what_stands_before_and_after_is_passed_over() {
    let text = format!(
        "WARNING: linker: libfoo.so has text relocations\n{}\nUI hierchary dumped to: /dev/tty\n",
        dump(&node("one", ""))
    );
    assert_eq!(read(&text).unwrap().tree.nodes().len(), 1);
}

#[test]
fn errors_that_exit_with_zero_are_refused() {
    assert_eq!(read(""), Err(DumpError::Empty));
    assert_eq!(read(" \n"), Err(DumpError::Empty));
    for said in [
        "ERROR: could not get idle state.",
        "ERROR: null root node returned by UiTestAutomationBridge.",
        "Killed",
        "/system/bin/sh: uiautomator: not found",
    ] {
        assert_eq!(read(said), Err(DumpError::Said { said: said.to_owned() }));
    }
}

#[test]
fn every_cut_is_noticed() {
    let whole = dump(&node("one &amp; &#10;", &(node("two", "") + &node("three", ""))));
    let end = whole.len() - "</hierarchy>".len();
    for cut in 1..whole.len() {
        let Some(part) = whole.get(..cut) else { continue };
        assert!(read(part).is_err(), "cut at {cut} of {end}: {part}");
    }
    assert!(read(&whole).is_ok());
}

#[test]
fn a_dump_without_widgets_is_an_empty_tree() {
    assert!(read(&format!("{HEAD}<hierarchy rotation=\"0\" />")).unwrap().tree.nodes().is_empty());
    assert!(read(&dump("")).unwrap().tree.nodes().is_empty());
}

#[test]
fn several_roots_get_one_above_them() {
    let found = read(&dump(&(node("one", &node("in", "")) + &node("two", "")))).unwrap();
    let depths: Vec<u32> = found.tree.nodes().iter().map(|node| node.depth).collect();
    assert_eq!(depths, [0, 1, 2, 1]);
    assert_eq!(found.tree.nodes()[0].bounds, Rect::new(0, 10, 100, 20));
}

#[test]
fn only_the_active_window_of_the_first_display_counts() {
    let window = |active: bool, text: &str| {
        format!(
            "<window active=\"{active}\"><hierarchy rotation=\"0\">{}</hierarchy></window>",
            node(text, "")
        )
    };
    let text = format!(
        "{HEAD}<displays><display id=\"0\">{}{}</display><display id=\"2\">{}</display></displays>",
        window(false, "status bar"),
        window(true, "app"),
        window(true, "car")
    );
    let found = read(&text).unwrap();
    assert_eq!(found.tree.nodes().iter().map(|node| &*node.text).collect::<Vec<_>>(), ["app"]);
    let none_active = text.replace("active=\"true\"", "active=\"false\"");
    assert_eq!(read(&none_active).unwrap().tree.nodes().len(), 3);
}

#[test]
fn ten_thousand_levels_are_no_trouble() {
    const LEVELS: usize = 10_000;
    let open = "<node class=\"a.B\" bounds=\"[0,0][1,1]\">".repeat(LEVELS);
    let text = dump(&(open + &"</node>".repeat(LEVELS)));
    let found = read(&text).unwrap();
    assert_eq!(found.tree.nodes().len(), LEVELS);
    assert_eq!(found.tree.nodes().last().unwrap().depth, 9_999);
}

#[test]
fn a_hundred_megabytes_are_refused_unread() {
    let huge = vec![b'<'; 100 << 20];
    let why = hierarchy(&huge).unwrap_err();
    assert_eq!(why, DumpError::TooLong { bytes: 100 << 20 });
    assert_eq!(why.to_string(), "the dump has 100 MiB, more than 64 MiB; no screen is that large");
}

#[test]
fn too_many_widgets_are_refused() {
    let text = dump(&"<node/>".repeat(MOST_NODES + 1));
    assert_eq!(read(&text), Err(DumpError::TooManyNodes));
}

#[test]
fn broken_attributes_lose_only_themselves() {
    let text = dump(
        "<node text=\"Q&A <b>\" bounds=\"[x,1][2,3]\" vendor:extra=\"1\" clickable=\"maybe\" class=\"a.B\" />\
         <node text='single' bounds='[-5,-6][7,8]' class=''/>",
    );
    let found = read(&text).unwrap();
    let nodes = found.tree.nodes();
    assert_eq!((&*nodes[1].text, nodes[1].bounds), ("Q&A <b>", Rect::default()));
    assert_eq!((&*nodes[2].text, nodes[2].bounds), ("single", Rect::new(-5, -6, 7, 8)));
}

#[test]
fn page_sources_of_other_tools_are_read_too() {
    let text =
        "<hierarchy rotation=\"0\"><android.widget.Button text=\"one\" bounds=\"[0,0][1,1]\"/></hierarchy>";
    assert_eq!(&*read(text).unwrap().tree.nodes()[0].class, "android.widget.Button");
}

#[test]
fn mismatched_ends_and_garbage_are_refused() {
    for text in
        ["<hierarchy><node></hierarchy>", "<hierarchy></node>", "<?xml ?>", "<hierarchy", "<hierarchy>\0"]
    {
        assert!(read(text).is_err(), "{text}");
    }
}
