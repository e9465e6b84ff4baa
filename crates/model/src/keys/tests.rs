use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use retap_trace::{Flags, Micros, Node, NodeId, Rect, Size};

use super::*;

/// A list of one switch with its label, below a title.
fn settings() -> Observation {
    let nodes = [
        node(0, "FrameLayout", "", &[]),
        node(1, "TextView", "title", &[]),
        node(1, "ListView", "list", &[Flag::Scrollable]),
        node(2, "LinearLayout", "", &[]),
        node(3, "TextView", "label", &[]),
        node(3, "Switch", "wifi", &[Flag::Checkable, Flag::Clickable]),
    ];
    observation(nodes)
}

fn observation(nodes: impl IntoIterator<Item = Node>) -> Observation {
    let mut tree = GuiTree::new();
    for node in nodes {
        tree.push(node);
    }
    Observation {
        at: Micros::ZERO,
        package: "com.example".into(),
        activity: "com.example.Settings".into(),
        tree: Some(tree),
        keyboard: false,
        orientation: Orientation::Portrait,
        screen: Size { width: 480, height: 800 },
        coverage: Vec::new(),
        crashes: Vec::new(),
    }
}

fn node(depth: u32, class: &str, id: &str, flags: &[Flag]) -> Node {
    let flags = flags.iter().copied().chain([Flag::Enabled]).collect();
    Node { depth, class: class.into(), id: id.into(), flags, ..Node::default() }
}

/// The same look with its nodes changed.
fn edited(observation: &Observation, edit: impl FnOnce(&mut Vec<Node>)) -> Observation {
    let mut nodes = observation.tree.as_ref().unwrap().nodes().to_vec();
    edit(&mut nodes);
    let mut tree = GuiTree::new();
    for node in nodes {
        tree.push(node);
    }
    Observation { tree: Some(tree), ..observation.clone() }
}

fn keys(observation: &Observation) -> [StateKey; 4] {
    Keyer::default().keys_of(ScreenView::of(observation).unwrap())
}

/// The coarsest level that tells the two apart.
fn told_apart(one: &Observation, other: &Observation) -> Option<Level> {
    let (one, other) = (keys(one), keys(other));
    Level::ALL.into_iter().find(|&level| one[level as usize] != other[level as usize])
}

#[test]
fn a_change_is_seen_from_its_level_on() {
    const LABEL: usize = 4;
    const SWITCH: usize = 5;
    fn flip(flag: Flag, node: usize) -> impl Fn(&mut Vec<Node>) {
        move |nodes| nodes[node].flags = nodes[node].flags.with(flag, !nodes[node].flags.has(flag))
    }
    type Edit = Box<dyn Fn(&mut Vec<Node>)>;
    let table: [(&str, Edit, Option<Level>); 18] = [
        ("nothing", Box::new(|_| ()), None),
        ("a switch is turned on", Box::new(flip(Flag::Checked, SWITCH)), Some(Level::Actionable)),
        ("a switch is disabled", Box::new(flip(Flag::Enabled, SWITCH)), Some(Level::Actionable)),
        ("a switch is selected", Box::new(flip(Flag::Selected, SWITCH)), Some(Level::Actionable)),
        ("a label can be tapped", Box::new(flip(Flag::Clickable, LABEL)), Some(Level::Actionable)),
        ("a label is selected", Box::new(flip(Flag::Selected, LABEL)), Some(Level::Layout)),
        ("a switch has the focus", Box::new(flip(Flag::Focused, SWITCH)), Some(Level::Full)),
        (
            "another class of switch",
            Box::new(|n| n[SWITCH].class = "CheckBox".into()),
            Some(Level::Actionable),
        ),
        ("another class above it", Box::new(|n| n[3].class = "Row".into()), Some(Level::Actionable)),
        ("another class beside it", Box::new(|n| n[LABEL].class = "View".into()), Some(Level::Layout)),
        ("another id", Box::new(|n| n[SWITCH].id = "gps".into()), Some(Level::Layout)),
        ("another text", Box::new(|n| n[SWITCH].text = "on".into()), Some(Level::Full)),
        ("another description", Box::new(|n| n[SWITCH].desc = "on".into()), Some(Level::Full)),
        ("other bounds", Box::new(|n| n[SWITCH].bounds = Rect::new(0, 0, 1, 1)), Some(Level::Full)),
        ("a label behind", Box::new(|n| n.push(node(3, "TextView", "", &[]))), Some(Level::Layout)),
        ("a label before", Box::new(|n| n.insert(LABEL, node(3, "View", "", &[]))), Some(Level::Actionable)),
        ("a label deeper down", Box::new(|n| n.push(node(4, "TextView", "", &[]))), Some(Level::Layout)),
        ("no switch", Box::new(|n| n.truncate(SWITCH)), Some(Level::Actionable)),
    ];
    for (what, edit, level) in table {
        let before = settings();
        assert_eq!(told_apart(&before, &edited(&before, edit)), level, "{what}");
    }
}

#[test]
fn the_look_itself_counts_from_its_level_on() {
    let before = settings();
    let activity = Observation { activity: "com.example.Main".into(), ..settings() };
    let keyboard = Observation { keyboard: true, ..settings() };
    let landscape = Observation { orientation: Orientation::Landscape, ..settings() };
    let elsewhere = Observation { at: Micros(7), package: "other".into(), ..settings() };
    assert_eq!(told_apart(&before, &activity), Some(Level::Activity));
    assert_eq!(told_apart(&before, &keyboard), Some(Level::Layout));
    assert_eq!(told_apart(&before, &landscape), Some(Level::Full));
    assert_eq!(told_apart(&before, &elsewhere), None);
}

#[test]
fn words_do_not_run_into_each_other() {
    let words = |text: &str, desc: &str| {
        edited(&settings(), |nodes| (nodes[1].text, nodes[1].desc) = (text.into(), desc.into()))
    };
    assert_eq!(told_apart(&words("ab", "c"), &words("a", "bc")), Some(Level::Full));
    assert_eq!(told_apart(&words("a", ""), &words("", "a")), Some(Level::Full));
}

#[test]
fn a_look_without_a_tree_tells_the_activity_only() {
    let blind = Observation { tree: None, ..settings() };
    assert_eq!(seen(&blind), Seen::activity("com.example.Settings"));
    let mut keyer = Keyer::default();
    let found = Level::ALL.map(|level| keyer.key(&blind, level));
    assert_eq!(found, [Some(StateKey::of_activity("com.example.Settings")), None, None, None]);
}

#[test]
fn an_empty_tree_has_keys_of_its_own() {
    let empty = keys(&observation([]));
    assert_eq!(told_apart(&observation([]), &settings()), Some(Level::Actionable));
    let mut distinct = empty.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 4);
}

/// Traces carry keys: what is stored today must be found again tomorrow.
#[test]
fn keys_stay_the_same_for_ever() {
    let found = keys(&settings()).map(|key| key.to_string());
    assert_eq!(found, ["0b2a20e8657bbc55", "6f5e15ed25755c9a", "d6dbf0ccc204cdca", "453872431f62d240"]);
    let crash = crash_key(&Signature("IllegalStateException@Main.onClick#1a2b3c4d".into()));
    assert_eq!(crash.to_string(), "74628ec700c7426d");
}

#[test]
fn very_deep_trees_are_no_trouble() {
    let deep = |last: &str| {
        let chain = (0..50_000).map(|depth| node(depth, "View", "", &[]));
        observation(chain.chain([node(50_000, last, "", &[Flag::Clickable])]))
    };
    assert_eq!(told_apart(&deep("Button"), &deep("Switch")), Some(Level::Actionable));
}

/// What a level says of a look, spelled out: equal lists mean the same state.
fn spelled(observation: &Observation, level: Level) -> Vec<String> {
    let tree = observation.tree.as_ref().unwrap();
    let way = |id: NodeId| {
        let up = std::iter::successors(Some(id), |&id| tree.parent(id));
        format!("{} {:?}", tree.path(id), up.map(|id| &tree.node(id).class).collect::<Vec<_>>())
    };
    let mut lines = vec![observation.activity.to_string()];
    for (id, node) in tree.ids().zip(tree.nodes()).filter(|_| level >= Level::Actionable) {
        let steady = node.flags.with(Flag::Focused, false);
        if node.flags.actionable() {
            lines.push(format!("act {} {steady:?}", way(id)));
        }
        if level >= Level::Layout {
            lines.push(format!("is {} {} {steady:?}", way(id), node.id));
        }
        if level == Level::Full {
            lines.push(format!("shows {node:?}"));
        }
    }
    if level >= Level::Layout {
        lines.push(format!("keyboard {}", observation.keyboard));
    }
    if level == Level::Full {
        lines.push(format!("{:?}", observation.orientation));
    }
    lines
}

fn word() -> impl Strategy<Value = Arc<str>> {
    prop::sample::select(vec!["", "a", "b", "ab"]).prop_map(Arc::from)
}

fn any_flags() -> impl Strategy<Value = Flags> {
    prop::collection::vec(prop::sample::select(Flag::ALL.to_vec()), 0..6)
        .prop_map(|list| list.into_iter().collect())
}

prop_compose! {
    fn any_node()(
        depth in 1_u32..5, class in word(), id in word(), text in word(), desc in word(), side in 0..3, flags in any_flags(),
    ) -> Node {
        Node { depth, class, id, text, desc, bounds: Rect::new(0, 0, side, 9), flags, ..Node::default() }
    }
}

/// Nodes of any depth, moved up to where a tree can take them.
fn fitted(nodes: &[Node]) -> Observation {
    let mut limit = 0;
    let nodes = nodes.iter().map(|node| {
        let depth = node.depth.clamp(limit.min(1), limit);
        limit = depth + 1;
        Node { depth, ..node.clone() }
    });
    observation(nodes)
}

prop_compose! {
    /// Two looks that differ in no more than one attribute of one node, or of the look itself.
    fn near_pair()(
        nodes in prop::collection::vec(any_node(), 1..8), at in any::<Index>(), other in any_node(), what in 0..11,
    ) -> (Observation, Observation) {
        let mut changed = nodes.clone();
        let at = at.index(nodes.len());
        let node = &mut changed[at];
        match what {
            0 => node.depth = other.depth,
            1 => node.class = other.class,
            2 => node.id = other.id,
            3 => node.text = other.text,
            4 => node.desc = other.desc,
            5 => node.bounds = other.bounds,
            6 => node.flags = other.flags,
            7 => changed.insert(at, other),
            8 => drop(changed.remove(at)),
            _ => (),
        }
        let mut second = fitted(&changed);
        second.keyboard = what == 9;
        second.orientation = if what == 10 { Orientation::Landscape } else { Orientation::Portrait };
        (fitted(&nodes), second)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn equal_finer_keys_mean_equal_coarser_keys((one, other) in near_pair()) {
        let (one, other) = (keys(&one), keys(&other));
        for level in 1..4 {
            prop_assert!(one[level] != other[level] || one[level - 1] == other[level - 1]);
        }
    }

    #[test]
    fn keys_are_equal_exactly_when_what_they_stand_for_is((one, other) in near_pair()) {
        for level in Level::ALL {
            let same = spelled(&one, level) == spelled(&other, level);
            prop_assert_eq!(keys(&one)[level as usize] == keys(&other)[level as usize], same, "{}", level);
        }
    }

    #[test]
    fn a_used_keyer_finds_the_same_keys((one, other) in near_pair()) {
        let mut keyer = Keyer::default();
        keyer.seen(&other);
        let fresh = seen(&one);
        prop_assert_eq!(&keyer.seen(&one), &fresh);
        for level in Level::ALL {
            prop_assert_eq!(keyer.key(&one, level), fresh.key(level), "{}", level);
        }
    }
}
