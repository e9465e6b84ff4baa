//! Any header, step, tree and unknown field, for the tests of laws.

use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::claim::{ConfirmedRate, TraceDigest};
use crate::crash::{Crash, CrashKind, Frame, Signature};
use crate::event::{Aim, Aiming, Event, Orientation, SystemEvent};
use crate::geometry::{Point, Rect, Size};
use crate::key::Key;
use crate::observation::Observation;
use crate::selector::{Selector, WidgetPath};
use crate::state::{Seen, StateKey};
use crate::step::{After, AppId, CoverageId, Extra, Found, Header, Start, Step};
use crate::target::Target;
use crate::time::Micros;
use crate::tree::{Flag, GuiTree, Node};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z.]{0,12}"]
}

fn shared() -> impl Strategy<Value = Arc<str>> {
    text().prop_map(Arc::from)
}

fn point() -> impl Strategy<Value = Point> {
    any::<(i32, i32)>().prop_map(|(x, y)| Point::new(x, y))
}

fn micros() -> impl Strategy<Value = Micros> {
    any::<u64>().prop_map(Micros)
}

fn orientation() -> impl Strategy<Value = Orientation> {
    prop_oneof![Just(Orientation::Portrait), Just(Orientation::Landscape)]
}

fn selector() -> impl Strategy<Value = Selector> {
    let path = vec(any::<u32>(), 0..4).prop_map(WidgetPath);
    let indices = (of(any::<u32>()), of(any::<u32>()));
    let labels = (of(shared()), of(shared()), of(shared()), of(shared()));
    (of(shared()), labels, of(shared()), of(path), indices).prop_map(
        |(id, (text, desc, hint, words), class, path, (id_index, label_index))| Selector {
            id,
            text,
            desc,
            hint,
            words,
            class,
            path,
            id_index,
            label_index,
        },
    )
}

fn aim() -> impl Strategy<Value = Aim> {
    let by = prop_oneof![Just(Aiming::Place), Just(Aiming::Widget)];
    (point(), of(selector()), by).prop_map(|(at, widget, by)| Aim { at, widget, by })
}

/// Any event.
pub(crate) fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Launch),
        aim().prop_map(Event::Tap),
        (aim(), micros()).prop_map(|(aim, hold)| Event::LongTap { aim, hold }),
        aim().prop_map(Event::DoubleTap),
        (aim(), point(), micros()).prop_map(|(aim, to, over)| Event::Swipe { aim, to, over }),
        (aim(), any::<u32>(), micros()).prop_map(|(aim, percent, over)| Event::Pinch { aim, percent, over }),
        any::<u16>().prop_map(|key| Event::key(Key(key))),
        (text(), of(selector())).prop_map(|(text, widget)| Event::Text { text, widget }),
        orientation().prop_map(|to| Event::Rotate { to }),
        (text(), btree_map(text(), text(), 0..3))
            .prop_map(|(action, extras)| Event::System(SystemEvent { action, extras })),
        micros().prop_map(|time| Event::Wait { time }),
    ]
}

fn seen() -> impl Strategy<Value = Seen> {
    let key = || of(any::<u64>().prop_map(StateKey));
    (shared(), key(), key(), key()).prop_map(|(activity, actionable, layout, full)| Seen {
        activity,
        actionable,
        layout,
        full,
    })
}

fn crash() -> impl Strategy<Value = Crash> {
    let frames = vec(text().prop_map(Frame), 0..3);
    (prop::sample::select(CrashKind::ALL.to_vec()), shared(), text(), text(), of(text()), frames).prop_map(
        |(kind, signature, exception, message, root_cause, frames)| Crash {
            kind,
            signature: Signature(signature),
            exception,
            message,
            root_cause,
            frames,
        },
    )
}

fn coverage() -> impl Strategy<Value = Vec<CoverageId>> {
    vec(any::<u32>().prop_map(CoverageId), 0..4)
}

/// Any step.
pub(crate) fn step() -> impl Strategy<Value = Step> {
    let found = of((selector(), point()).prop_map(|(widget, at)| Found { widget, at }));
    (event(), of(micros()), found, of(seen()), of(seen()), coverage(), of(crash())).prop_map(
        |(event, at, found, before, after, coverage, crash)| Step {
            event,
            at,
            found,
            before,
            after,
            coverage,
            crash,
            extra: Extra::default(),
        },
    )
}

/// Any target that can be written down.
fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        Just(Target::AnyCrash),
        "[A-Za-z@.#]{1,9}".prop_map(|name| Target::Crash(Signature(name.into()))),
        "[A-Za-z.]{1,9}".prop_map(|name| Target::Activity(name.into())),
        any::<u64>().prop_map(|key| Target::State(StateKey(key))),
        any::<u32>().prop_map(|id| Target::Coverage(CoverageId(id))),
        "[a-z./ ]{0,9}x".prop_map(Target::Command),
    ]
}

fn size() -> impl Strategy<Value = Size> {
    any::<(u32, u32)>().prop_map(|(width, height)| Size { width, height })
}

/// Any header.
pub(crate) fn header() -> impl Strategy<Value = Header> {
    let app = (shared(), of(text())).prop_map(|(package, build)| AppId { package, build });
    let start = prop_oneof![Just(Start::Launched), Just(Start::Stopped)];
    let after = (text(), any::<u32>()).prop_map(|(trace, steps)| After { trace, steps });
    let claim = any::<(u32, u32, u32, Option<u64>)>().prop_map(|(one, other, before, digest)| {
        let (reached, runs) = (one.min(other), one.max(other).max(1));
        ConfirmedRate { reached, runs, before, digest: digest.map(TraceDigest) }
    });
    let made = (of(any::<u64>()), of(claim), of(crash()), of(text()));
    let on = (of(text()), of(text()), of(size()));
    (app, start, of(after), on, of(target()), made).prop_map(
        |(app, start, after, (device, platform, screen), target, (seed, claim, crash, note))| Header {
            app,
            start,
            after,
            device,
            platform,
            screen,
            target,
            seed,
            claim,
            crash,
            note,
            extra: Extra::default(),
        },
    )
}

fn node() -> impl Strategy<Value = Node> {
    let sides = prop_oneof![any::<[i32; 4]>(), [0..10_i32, 0..10, 0..10, 0..10]];
    let bounds = sides.prop_map(|[left, top, right, bottom]| Rect::new(left, top, right, bottom));
    let flags = prop::sample::subsequence(Flag::ALL.to_vec(), 0..=Flag::ALL.len());
    (any::<u32>(), shared(), shared(), shared(), shared(), of(shared()), bounds, flags).prop_map(
        |(depth, class, id, text, desc, hint, bounds, flags)| Node {
            depth,
            class,
            id,
            text,
            desc,
            hint,
            bounds,
            flags: flags.into_iter().collect(),
        },
    )
}

/// Any tree: each node goes to some depth that fits where it stands.
pub(crate) fn tree() -> impl Strategy<Value = GuiTree> {
    vec(node(), 0..12).prop_map(|nodes| {
        let mut tree = GuiTree::new();
        let mut deepest = 0;
        for mut node in nodes {
            node.depth = if deepest == 0 { 0 } else { 1 + node.depth % deepest };
            deepest = node.depth + 1;
            tree.push(node);
        }
        tree
    })
}

/// Any observation.
pub(crate) fn observation() -> impl Strategy<Value = Observation> {
    let place = (micros(), shared(), shared(), of(tree()));
    (place, any::<bool>(), orientation(), size(), coverage(), vec(crash(), 0..2)).prop_map(
        |((at, package, activity, tree), keyboard, orientation, screen, coverage, crashes)| Observation {
            at,
            package,
            activity,
            tree,
            keyboard,
            orientation,
            screen,
            coverage,
            crashes,
        },
    )
}

/// Fields of names that the format does not have, with any JSON inside.
pub(crate) fn unknown_fields() -> impl Strategy<Value = Map<String, Value>> {
    let name = prop_oneof!["x_[a-z]{1,4}", "x_\\PC{0,3}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    btree_map(name, value, 0..3).prop_map(|map| map.into_iter().collect())
}
