//! Looks at the pixels of finished pictures.

mod screens;

use std::io::Cursor;

use proptest::prelude::*;
use retap_trace::{Flag, Flags, GuiTree, Node, Point, Rect, Size};

use super::ink::{Ink, Rgb};
use super::{Scene, screenshot};
use screens::{PHONE, disabled, named, node, tree};

/// A decoded picture.
#[derive(PartialEq)]
struct Picture {
    width: u32,
    height: u32,
    colours: Vec<Rgb>,
}

impl Picture {
    fn of(scene: &Scene<'_>) -> Self {
        Self::decode(&screenshot(scene))
    }

    fn decode(file: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        let colours = bytes.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
        Self { width: info.width, height: info.height, colours }
    }

    fn at(&self, x: i32, y: i32) -> Rgb {
        self.colours[usize::try_from(y).unwrap() * self.width as usize + usize::try_from(x).unwrap()]
    }

    /// The places where two pictures differ, as the smallest rectangle around them.
    fn difference(&self, other: &Self) -> Option<Rect> {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let whole = Size { width: self.width, height: self.height }.rect();
        let places = (0..whole.bottom).flat_map(|y| (0..whole.right).map(move |x| Point::new(x, y)));
        places.filter(|place| self.at(place.x, place.y) != other.at(place.x, place.y)).fold(
            None,
            |found, at| {
                let found = found.unwrap_or(Rect::new(at.x, at.y, at.x + 1, at.y + 1));
                Some(Rect::new(
                    found.left.min(at.x),
                    found.top.min(at.y),
                    found.right.max(at.x + 1),
                    found.bottom.max(at.y + 1),
                ))
            },
        )
    }

    fn has(&self, ink: Ink) -> bool {
        self.colours.contains(&ink.rgb())
    }
}

/// The picture of a phone that shows these widgets below a root.
fn page(widgets: impl IntoIterator<Item = Node>) -> Picture {
    let root = node(0, "FrameLayout", "", [0, 0, 1080, 1920], &[]);
    Picture::of(&Scene::new(&tree([root].into_iter().chain(widgets)), PHONE))
}

/// Asserts that two pictures differ, and only inside a rectangle of the screen.
fn assert_differ_within(one: &Picture, other: &Picture, screen_area: [i32; 4]) {
    let [left, top, right, bottom] = screen_area.map(|side| side / 2);
    let changed = one.difference(other).expect("the pictures are equal");
    let inside =
        left <= changed.left && top <= changed.top && changed.right <= right && changed.bottom <= bottom;
    assert!(inside, "{changed:?} is not within {:?}", [left, top, right, bottom]);
}

#[test]
fn one_scene_gives_one_picture() {
    let form = screens::form();
    let scene = Scene { keyboard: true, note: "Form", ..Scene::new(&form, PHONE) };
    assert_eq!(screenshot(&scene), screenshot(&scene));
}

#[test]
fn pictures_are_small() {
    for (tree, keyboard) in [(screens::list(), false), (screens::form(), true), (screens::dialog(), false)] {
        let file = screenshot(&Scene { keyboard, ..Scene::new(&tree, PHONE) });
        assert!(file.len() < 15_000, "{} bytes", file.len());
    }
}

#[test]
fn the_picture_has_the_proportions_of_the_screen() {
    let (portrait, landscape) = (screens::list(), screens::landscape());
    let size = |picture: Picture| (picture.width, picture.height);
    assert_eq!(size(Picture::of(&Scene::new(&portrait, PHONE))), (540, 960));
    assert_eq!(size(Picture::of(&Scene::new(&landscape, PHONE.turned()))), (540, 303));
    let wide = Scene { max_width: 960, ..Scene::new(&landscape, PHONE.turned()) };
    assert_eq!(size(Picture::of(&wide)), (960, 540));
}

#[test]
fn an_empty_tree_is_a_blank_page_under_the_strip() {
    let blank = Picture::of(&Scene::new(&GuiTree::new(), PHONE));
    assert_eq!(blank.at(270, 10), Ink::PrimaryDark.rgb());
    assert!(blank.colours[540 * 32..].iter().all(|&colour| colour == Ink::White.rgb()));
}

#[test]
fn the_note_is_written_in_the_strip() {
    let list = screens::list();
    let without = Picture::of(&Scene::new(&list, PHONE));
    let with = Picture::of(&Scene { note: "NotesActivity", ..Scene::new(&list, PHONE) });
    assert_differ_within(&without, &with, [0, 0, 1080, 64]);
}

#[test]
fn a_title_makes_a_bar() {
    let title = |text| page([named(node(1, "TextView", text, [0, 64, 1080, 240], &[]), "action_bar_title")]);
    let notes = title("Notes");
    assert_eq!(notes.at(5, 60), Ink::Primary.rgb());
    assert_eq!(notes.at(5, 125), Ink::White.rgb());
    assert_differ_within(&notes, &title("Lists"), [0, 64, 1080, 240]);
}

#[test]
fn a_disabled_button_is_grey() {
    let area = [100, 400, 600, 544];
    let button = node(1, "Button", "Save", area, &[Flag::Clickable]);
    let (on, off) = (page([button.clone()]), page([disabled(button)]));
    assert_differ_within(&on, &off, area);
    assert_eq!(on.at(70, 236), Ink::Primary.rgb());
    assert_eq!(off.at(70, 236), Ink::Line.rgb());
}

#[test]
fn states_can_be_seen() {
    let area = [100, 400, 900, 520];
    for (class, flag) in [
        ("CheckBox", Flag::Checked),
        ("Switch", Flag::Checked),
        ("RadioButton", Flag::Checked),
        ("Button", Flag::Focused),
        ("EditText", Flag::Focused),
    ] {
        let (without, with) =
            (page([node(1, class, "Sound", area, &[])]), page([node(1, class, "Sound", area, &[flag])]));
        assert_differ_within(&without, &with, area);
    }
}

#[test]
fn words_stay_in_their_widget() {
    let area = [100, 400, 500, 520];
    let long = "a text that is much too long for the little room that it was given here ".repeat(20);
    for class in ["Button", "TextView", "EditText", "CheckBox", "Switch"] {
        let (short, long) =
            (page([node(1, class, "x", area, &[])]), page([node(1, class, &long, area, &[])]));
        assert_differ_within(&short, &long, area);
    }
}

#[test]
fn a_hint_is_grey() {
    let field = Node { hint: Some("City".into()), ..node(1, "EditText", "Bonn", [0, 400, 1080, 544], &[]) };
    let text = page([field.clone()]);
    assert!(text.has(Ink::Words) && !text.has(Ink::Faint));
    let hint = page([Node { text: "City".into(), ..field }]);
    assert!(hint.has(Ink::Faint) && !hint.has(Ink::Words));
}

#[test]
fn a_password_is_a_row_of_dots() {
    let field = |text| page([node(1, "EditText", text, [100, 400, 900, 544], &[Flag::Password])]);
    assert_differ_within(&field("••••"), &field("•••••"), [100, 400, 900, 544]);
    assert!(field("••••").has(Ink::Words));
}

#[test]
fn the_keyboard_hides_the_lower_part() {
    let form = screens::form();
    let up = Picture::of(&Scene { keyboard: true, ..Scene::new(&form, PHONE) });
    let down = Picture::of(&Scene::new(&form, PHONE));
    assert_differ_within(&up, &down, [0, 1152, 1080, 1920]);
    let shorter = tree(form.nodes().iter().filter(|node| node.bounds.top < 1152).cloned());
    assert!(up == Picture::of(&Scene { keyboard: true, ..Scene::new(&shorter, PHONE) }));
}

#[test]
fn a_dialog_dims_the_rest() {
    let dialog = Picture::of(&Scene::new(&screens::dialog(), PHONE));
    let blank = Picture::of(&Scene::new(&GuiTree::new(), PHONE));
    for (x, y) in [(5, 10), (5, 200), (530, 480), (270, 950)] {
        let brightness = |picture: &Picture| picture.at(x, y).into_iter().map(u32::from).sum::<u32>();
        assert!(brightness(&dialog) < brightness(&blank) * 2 / 3, "{x},{y} is not dimmed");
    }
    assert_eq!(dialog.at(60, 480), Ink::White.rgb());
}

#[test]
fn rows_end_where_their_list_ends() {
    let list = node(1, "ListView", "", [0, 240, 1080, 600], &[Flag::Scrollable]);
    let row = node(2, "Button", "Half of it", [0, 500, 1080, 800], &[Flag::Clickable]);
    let picture = page([list, row]);
    assert_eq!(picture.at(40, 290), Ink::Primary.rgb());
    assert_eq!(picture.at(40, 310), Ink::White.rgb());
}

#[test]
fn what_is_not_on_the_screen_is_not_seen() {
    let button = |area| node(1, "Button", "Far away", area, &[Flag::Clickable]);
    let empty = page([]);
    for area in [[-500, 400, -100, 500], [1080, 0, 2000, 300], [0, 1920, 1080, 3000], [300, 300, 300, 900]] {
        assert!(page([button(area)]) == empty, "{area:?}");
    }
}

/// Any side of a rectangle, most often one near the screen.
fn side() -> impl Strategy<Value = i32> {
    prop_oneof![6 => -200..2200, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)]
}

fn any_node() -> impl Strategy<Value = Node> {
    let class = prop_oneof![
        8 => prop::sample::select(vec![
            "Button", "ImageButton", "EditText", "CheckBox", "RadioButton", "Switch", "ImageView", "ListView",
            "TextView", "FrameLayout",
        ]).prop_map(|class| format!("android.widget.{class}")),
        1 => ".{0,20}",
    ];
    let id = prop::sample::select(vec!["", "android:id/action_bar_title", "android:id/alertTitle", "/"]);
    let flags = prop::collection::vec(prop::sample::select(Flag::ALL.to_vec()), 0..6);
    let bounds = (side(), side(), side(), side())
        .prop_map(|(left, top, right, bottom)| Rect::new(left, top, right, bottom));
    (any::<u32>(), class, id, ".{0,40}", ".{0,10}", bounds, flags).prop_map(
        |(depth, class, id, text, desc, bounds, flags)| Node {
            depth,
            class: class.into(),
            id: id.into(),
            text: text.into(),
            desc: desc.into(),
            bounds,
            flags: flags.into_iter().collect::<Flags>(),
            ..Node::default()
        },
    )
}

/// Any tree: the depths are brought into an order that a tree allows.
fn any_tree() -> impl Strategy<Value = GuiTree> {
    prop::collection::vec(any_node(), 0..12).prop_map(|mut nodes| {
        let mut last = None;
        for node in &mut nodes {
            node.depth = last.map_or(0, |last: u32| 1 + node.depth % (last + 1));
            last = Some(node.depth);
        }
        tree(nodes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_tree_can_be_drawn(
        tree in any_tree(),
        width in prop_oneof![4 => 0_u32..2000, 1 => any::<u32>()],
        height in prop_oneof![4 => 0_u32..2000, 1 => any::<u32>()],
        keyboard: bool,
        note in ".{0,10}",
        max_width in prop_oneof![0_u32..40, 100_u32..300],
    ) {
        let scene = Scene { tree: &tree, screen: Size { width, height }, keyboard, note: &note, max_width };
        let picture = Picture::of(&scene);
        prop_assert!(picture.width <= max_width.max(1) && picture.width <= width.max(1));
        prop_assert!(picture.height <= 3 * max_width.max(1) && picture.height <= height.max(1));
    }
}
