//! No reproduction is shorter than the known one: a search through everything that a user can do on the simulated
//! phone, level by level, finds each bug exactly where it should.
//!
//! What is left out of the search can only make ways longer: keys for what a tap does, touches of nothing, the
//! soft keyboard, leaving the app and coming back. A double tap is two taps in one event and counts as two.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use retap_trace::{Aim, Dice, Flag, Key, Orientation, Point, Selector};
use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::words::TRICKY;
use retap_sim::app::{BlockId, Effect, Expr, Gesture, Value, VarId, Widget, WidgetKind};

/// States that a search looks at before it is content with the levels it has done.
const MOST_STATES: usize = 30_000;
/// How far down the back key is followed to tell states apart.
const DEEPEST_BACK: usize = 12;

macro_rules! put {
    ($text:ident, $($what:tt)*) => { write!($text, $($what)*).unwrap() };
}

struct Search<'a> {
    program: Arc<Program>,
    app: &'a App,
    /// Variables that can make a difference to where a user gets.
    relevant: BTreeSet<u16>,
    widgets: BTreeMap<&'a str, &'a Widget>,
}

impl<'a> Search<'a> {
    fn of(app: &'a App) -> Self {
        let all = app.windows.iter().flat_map(|window| &window.widgets);
        let widgets =
            all.filter(|widget| !widget.id.is_empty()).map(|widget| (&*widget.id, widget)).collect();
        Self { program: program(app), app, relevant: relevant(app), widgets }
    }

    /// For each crash the level where it is found first, and how many levels were done.
    fn run(&self, levels: usize) -> (BTreeMap<Signature, usize>, usize) {
        let mut dice = Seed(0).dice();
        let mut start = Machine::new(self.program.clone(), &mut dice);
        step(&mut start, &Event::Launch, &mut dice);
        let mut found = BTreeMap::new();
        let mut seen = BTreeSet::from([self.key(&start, &mut dice)]);
        let mut level = vec![start];
        for number in 1..=levels {
            let mut next = Vec::new();
            for machine in &level {
                for event in self.events(machine) {
                    let mut after = machine.clone();
                    step(&mut after, &event, &mut dice);
                    for crash in after.take_crashes() {
                        found.entry(crash.signature).or_insert(number);
                    }
                    if seen.insert(self.key(&after, &mut dice)) {
                        next.push(after);
                    }
                }
                if seen.len() > MOST_STATES {
                    return (found, number - 1);
                }
            }
            level = next;
        }
        (found, levels)
    }

    /// Tells states apart that may have another future.
    fn key(&self, machine: &Machine, dice: &mut Dice) -> u64 {
        let mut text = format!("{:?} {} ", machine.orientation(), machine.running());
        for (number, var) in (0..).zip(&self.app.vars).filter(|(number, _)| self.relevant.contains(number)) {
            match machine.var(&self.app.vars[usize::from(number)].name) {
                // The rows of a list are all alike: what counts is whether there are any.
                Some(Value::List(items)) => put!(text, "{}:{} ", var.name, items.is_empty()),
                value => put!(text, "{}:{value:?} ", var.name),
            }
        }
        // What lies below shows when the user goes back.
        let mut probe = machine.clone();
        for _ in 0..DEEPEST_BACK {
            put!(text, "{} {} ", probe.activity(), probe.keyboard());
            let mut ids = BTreeSet::new();
            for node in probe.tree().nodes() {
                if ids.insert(node.id.clone()) {
                    put!(text, "{} {:?} {} ", node.id, node.bounds, node.flags.has(Flag::Enabled));
                }
            }
            if **probe.package() != *self.app.package {
                break;
            }
            step(&mut probe, &Event::key(Key::BACK), dice);
        }
        xxh3_64(text.as_bytes())
    }

    /// Everything that a user can do here.
    fn events(&self, machine: &Machine) -> Vec<Event> {
        let mut events = vec![Event::key(Key::BACK), Event::key(Key::MENU)];
        events.extend([Orientation::Portrait, Orientation::Landscape].map(|to| Event::Rotate { to }));
        events.extend(self.app.receivers.iter().map(|(action, _)| Event::system(&**action)));
        if **machine.package() != *self.app.package {
            events.push(Event::Launch);
        }
        let tree = machine.tree();
        let mut ids = BTreeSet::new();
        for node in tree.nodes() {
            if node.flags.has(Flag::Scrollable) {
                let (x, y) = (node.bounds.center().x, node.bounds.bottom - 40);
                for (from, to) in [(y, y - 1_300), (y - 300, y + 1_000)] {
                    let aim = Aim::place(Point::new(x, from));
                    events.push(Event::Swipe { aim, to: Point::new(x, to), over: Micros(300_000) });
                }
            }
            if node.flags.has(Flag::Enabled) && ids.insert(node.id.clone()) {
                let selector = Selector { id: Some(node.id.clone()), ..Selector::default() };
                self.touches(&node.id, &Aim::widget(node.bounds.center(), selector), &mut events);
            }
        }
        events
    }

    fn touches(&self, id: &str, aim: &Aim, events: &mut Vec<Event>) {
        let Some(widget) = self.widgets.get(id) else { return };
        // A touch of a row is one of its list.
        let list = id.strip_suffix("_row").and_then(|list| self.widgets.get(&*format!("{list}_rows")));
        let code = list.unwrap_or(widget);
        let taps = matches!(widget.kind, WidgetKind::Check(_) | WidgetKind::Switch(_));
        if taps || code.handler(Gesture::Tap).is_some() {
            events.push(Event::Tap(aim.clone()));
        }
        if let WidgetKind::Field { var, .. } = widget.kind
            && (self.relevant.contains(&var.0) || widget.handler(Gesture::Change).is_some())
        {
            for text in TRICKY.into_iter().chain(["", "a"]) {
                events.push(Event::Text { text: text.to_owned(), widget: aim.widget.clone() });
            }
        }
        let over = Micros(300_000);
        for (gesture, _) in &code.handlers {
            match gesture {
                Gesture::LongTap => events.push(Event::LongTap { aim: aim.clone(), hold: Micros(800_000) }),
                Gesture::SwipeLeft => {
                    let to = Point::new(aim.at.x - 200, aim.at.y);
                    events.push(Event::Swipe { aim: aim.clone(), to, over });
                }
                Gesture::Pinch => events.push(Event::Pinch { aim: aim.clone(), percent: 200, over }),
                _ => {}
            }
        }
    }
}

fn step(machine: &mut Machine, event: &Event, dice: &mut Dice) {
    machine.perform(event, dice);
    machine.settle(PATIENCE, dice);
}

/// Variables that guard a widget, fill a list, or guard code that does more than count as covered; and those
/// whose values get into such variables.
fn relevant(app: &App) -> BTreeSet<u16> {
    let mut relevant = BTreeSet::new();
    for widget in app.windows.iter().flat_map(|window| &window.widgets) {
        for guard in widget.visible.iter().chain(&widget.enabled) {
            names(guard, &mut relevant);
        }
        if let WidgetKind::List(var) = widget.kind {
            relevant.insert(var.0);
        }
    }
    loop {
        let before = relevant.len();
        for effect in app.blocks.iter().flat_map(|block| block.iter()) {
            match effect {
                Effect::If(guard, then, other)
                    if [Some(*then), *other]
                        .into_iter()
                        .flatten()
                        .any(|arm| matters(app, arm, &relevant)) =>
                {
                    names(guard, &mut relevant);
                }
                Effect::Set(var, value) if relevant.contains(&var.0) => names(value, &mut relevant),
                _ => {}
            }
        }
        if relevant.len() == before {
            return relevant;
        }
    }
}

/// Whether a block does anything that can make a difference.
fn matters(app: &App, block: BlockId, relevant: &BTreeSet<u16>) -> bool {
    let counts = |var: VarId| relevant.contains(&var.0);
    app.block(block).iter().any(|effect| match effect {
        // Lists never run empty, and nothing else about them counts.
        Effect::Cover(..) | Effect::Log(..) | Effect::Push(..) | Effect::Remove(..) => false,
        Effect::Set(var, _) => counts(*var),
        Effect::If(_, then, other) => {
            matters(app, *then, relevant) || other.is_some_and(|other| matters(app, other, relevant))
        }
        _ => true,
    })
}

fn names(expr: &Expr, found: &mut BTreeSet<u16>) {
    match expr {
        Expr::Var(var) => drop(found.insert(var.0)),
        Expr::Not(of) | Expr::Len(of) => names(of, found),
        Expr::At(left, right) | Expr::Binary(_, left, right) => {
            names(left, found);
            names(right, found);
        }
        _ => {}
    }
}

/// Searches apps of a recipe, and returns how many bugs were found at their level.
fn check(text: &str, seeds: std::ops::Range<u64>) -> usize {
    let mut confirmed = 0;
    for seed in seeds {
        let recipe = seeded(text, seed);
        let made = made(&recipe);
        let longest = made.known.iter().map(KnownBug::length).max().unwrap_or(0);
        let (found, levels) = Search::of(&made.app).run(longest);
        for (number, bug) in (1..).zip(&made.known) {
            let at = found.get(&bug.signature).copied();
            if bug.length() <= levels {
                assert_eq!(at, Some(bug.length()), "bug {number} of {recipe}");
                confirmed += 1;
            } else {
                assert!(at.is_none_or(|at| at >= bug.length()), "bug {number} of {recipe} at {at:?}");
            }
        }
    }
    confirmed
}

/// Searches a few seeds of a recipe; at least this many bugs are found where they should be.
fn confirm(text: &str, least: usize) {
    let confirmed = check(text, 0..5);
    assert!(confirmed >= least, "only {confirmed} bugs of {text} were within reach of the search");
}

#[test]
fn in_plain_apps() {
    confirm("screens=7&branches=50&bugs=2&depth=3&gates=0", 10);
}

#[test]
fn in_apps_that_lead_round_and_have_switches() {
    confirm("screens=8&branches=50&bugs=2&depth=3&gates=0.3&loops=0.4&links=0.6&idle=0", 10);
}

#[test]
fn in_apps_with_tabs_menus_and_dialogs() {
    confirm("screens=8&branches=50&bugs=3&depth=3&tabs=0.5&menus=0.5&dialogs=0.5&links=0.4", 15);
}

#[test]
fn in_apps_with_dead_ends() {
    confirm("screens=8&branches=50&bugs=2&depth=2&deadends=0.4&lists=0.3&gates=0.2", 10);
}

#[test]
fn in_apps_that_listen_and_turn() {
    confirm("screens=6&branches=50&bugs=3&depth=3&system=0.3&rotation=0.7&loops=0.5", 15);
    confirm(
        "screens=10&branches=50&bugs=3&depth=2&system=0.3&rotation=0.3&gates=0.3&links=1&menus=0.3&dialogs=0.3",
        15,
    );
}
