//! How widgets are found again, and named in words.

use proptest::prelude::*;

use crate::any;
use crate::event::Event;
use crate::geometry::Rect;
use crate::tree::Node;

use super::*;

/// A screen with a title, two buttons of one id and one class, and a field.
fn screen() -> GuiTree {
    let mut tree = GuiTree::new();
    for (depth, class, id, text, desc) in [
        (0, "Frame", "", "", ""),
        (1, "Title", "", "Notes", ""),
        (1, "Button", "app:id/row", "Milk", ""),
        (1, "Button", "app:id/row", "Bread", "second"),
        (1, "Field", "app:id/name", "", "Name"),
    ] {
        let [class, id, text, desc] = [class, id, text, desc].map(Arc::from);
        tree.push(Node { depth, class, id, text, desc, ..Node::default() });
    }
    tree
}

fn selector(id: &str, text: &str, desc: &str, class: &str, path: &[u32]) -> Selector {
    let some = |text: &str| (!text.is_empty()).then(|| Arc::from(text));
    let path = (!path.is_empty()).then(|| WidgetPath(path.to_vec()));
    Selector {
        id: some(id),
        text: some(text),
        desc: some(desc),
        class: some(class),
        path,
        ..Selector::default()
    }
}

proptest! {
    #[test]
    fn a_widget_is_found_on_its_own_screen(tree in any::tree()) {
        for id in tree.ids() {
            prop_assert_eq!(Selector::of(&tree, id).find(&tree), Some(id));
        }
    }

    #[test]
    fn paths_survive_their_own_words(path in prop::collection::vec(any::<u32>(), 0..6)) {
        let path = WidgetPath(path);
        prop_assert_eq!(path.to_string().parse(), Ok(path));
    }
}

/// What stands in a field is not its name, and changes.
#[test]
fn a_field_is_never_called_by_what_stands_in_it() {
    let mut tree = GuiTree::new();
    let field = |id: &str, text: &str, desc: &str, hint: Option<&str>| Node {
        depth: 1,
        class: "android.widget.EditText".into(),
        id: id.into(),
        text: text.into(),
        desc: desc.into(),
        hint: hint.map(Arc::from),
        ..Node::default()
    };
    tree.push(Node::default());
    tree.push(field("a:id/mail", "me@example.com", "", Some("E-mail")));
    tree.push(field("a:id/name", "my text", "", None));
    tree.push(field("", "my text", "Your city", None));
    tree.push(field("", "my text", "", None));
    tree.push(field("", "E-mail again", "", Some("E-mail again")));
    let words: Vec<String> = tree
        .ids()
        .skip(1)
        .map(|id| Event::Text { text: "x".to_owned(), widget: Some(Selector::of(&tree, id)) })
        .map(|event| event.to_string())
        .collect();
    assert_eq!(
        words,
        [
            "type \"x\" into 'E-mail'",
            "type \"x\" into EditText name",
            "type \"x\" into 'Your city'",
            "type \"x\" into EditText 3",
            "type \"x\" into 'E-mail again'",
        ]
    );
    // It is found again whatever stands in it then, also where the device does not tell hints.
    let wanted: Vec<Selector> = tree.ids().map(|id| Selector::of(&tree, id)).collect();
    for hints in [true, false] {
        let mut later = GuiTree::new();
        for node in tree.nodes() {
            let text = node.hint.clone().filter(|_| !hints).unwrap_or_else(|| "other".into());
            let hint = node.hint.clone().filter(|_| hints);
            later.push(Node { text, hint, ..node.clone() });
        }
        for (id, wanted) in tree.ids().zip(&wanted).skip(1) {
            assert_eq!(wanted.find(&later), Some(id), "{wanted} with hints: {hints}");
        }
    }
}

#[test]
fn the_strictest_reading_that_fits_wins() {
    let tree = screen();
    let found = |selector: Selector| selector.find(&tree).map(|id| id.0);
    // Everything fits, wherever it is now.
    assert_eq!(found(selector("app:id/row", "Bread", "", "Button", &[0])), Some(3));
    // The text has changed: the id is enough, at the recorded path first.
    assert_eq!(found(selector("app:id/row", "Eggs", "", "Button", &[2])), Some(3));
    assert_eq!(found(selector("app:id/row", "Eggs", "", "Button", &[9])), Some(2));
    // The id has changed: the words are enough.
    assert_eq!(found(selector("app:id/old", "Bread", "second", "Link", &[0])), Some(3));
    // The id fits but the class does not, and no words fit.
    assert_eq!(found(selector("app:id/row", "Eggs", "", "Link", &[])), None);
}

#[test]
fn a_bare_path_is_followed_only_to_the_right_class() {
    let tree = screen();
    assert_eq!(selector("", "", "", "Field", &[3]).find(&tree).map(|id| id.0), Some(4));
    assert_eq!(selector("", "", "", "Button", &[3]).find(&tree), None);
    assert_eq!(selector("", "", "", "", &[1]).find(&tree).map(|id| id.0), Some(2));
    assert_eq!(selector("", "", "", "Field", &[]).find(&tree), None);
    assert_eq!(Selector::default().find(&tree), None);
    assert_eq!(selector("", "Milk", "", "", &[]).find(&GuiTree::new()), None);
}

#[test]
fn widgets_are_named_as_people_point_at_them() {
    let words = |id, text, desc, class, path| selector(id, text, desc, class, path).to_string();
    assert_eq!(words("app:id/add_tag", "Add tag", "x", "android.widget.Button", &[0]), "'Add tag'");
    assert_eq!(words("app:id/add_tag", "", "Adds", "android.widget.Button", &[0]), "'Adds'");
    assert_eq!(words("app:id/add_tag", "", "", "android.widget.Button", &[0]), "Button add_tag");
    assert_eq!(words("", "", "", "android.widget.Button", &[0, 2, 1]), "Button 0/2/1");
    assert_eq!(words("", "", "", "", &[0, 2]), "widget 0/2");
    assert_eq!(words("", "", "", "", &[]), "widget");
}

#[test]
fn a_widget_says_which_of_several_it_is() {
    let tree = screen();
    let of = |id: u32| Selector::of(&tree, NodeId(id));
    let indices = |id: u32| (of(id).id_index, of(id).label_index);
    assert_eq!(indices(1), (None, None), "the only one with its text, and without an id");
    assert_eq!(indices(2), (Some(0), None), "the first of two with its id");
    assert_eq!(indices(3), (Some(1), None));
    assert_eq!(of(3).label(), Some(WidgetLabel::Desc("second")), "a description comes before a text");
    assert_eq!(indices(4), (None, None));

    let mut twice = screen();
    let first = Node { depth: 1, text: "Milk".into(), ..Node::default() };
    let id = twice.push(first);
    assert_eq!(Selector::of(&twice, NodeId(2)).label_index, Some(0));
    assert_eq!(Selector::of(&twice, id).label_index, Some(1));
}

/// Tests of other tools name a widget by words, be they its text, its description or its hint, and by an id without the
/// package.
#[test]
fn a_widget_is_found_by_what_other_tools_call_it() {
    let words = |words: &str, nth: Option<u32>| {
        Selector { words: Some(words.into()), label_index: nth, ..Selector::default() }.find(&screen())
    };
    assert_eq!(words("Milk", None), Some(NodeId(2)), "a text");
    assert_eq!(words("second", None), Some(NodeId(3)), "a description");
    assert_eq!(words("Nam", None), None);
    let row = |nth| Selector { id: Some("row".into()), id_index: nth, ..Selector::default() }.find(&screen());
    assert_eq!((row(None), row(Some(1)), row(Some(2))), (Some(NodeId(2)), Some(NodeId(3)), None));
    let tail = Selector { id: Some("ow".into()), ..Selector::default() };
    assert_eq!(tail.find(&screen()), None, "a part of an id is none");
    let both = Selector { id: Some("row".into()), words: Some("second".into()), ..Selector::default() };
    assert_eq!(both.find(&screen()), Some(NodeId(3)));
}

#[test]
fn a_touch_reaches_only_what_has_an_area() {
    let mut tree = GuiTree::new();
    for (depth, text, bounds) in
        [(0, "Milk", Rect::new(0, 10, 40, 30)), (1, "Bread", Rect::new(0, 30, 40, 30))]
    {
        tree.push(Node { depth, text: text.into(), bounds, ..Node::default() });
    }
    let found = |text: &str| {
        let widget = selector("", text, "", "", &[]);
        (widget.find(&tree), widget.touchable(&tree))
    };
    assert_eq!(found("Milk"), (Some(NodeId(0)), Some(NodeId(0))));
    assert_eq!(found("Bread"), (Some(NodeId(1)), None), "it is scrolled out of sight");
    assert_eq!(found("Cheese"), (None, None));
}
