//! What the phone does, each behaviour stated by a test. Apps are written in the language.

mod crashes;
mod keys;
mod laws;
mod layout;
mod lifecycle;
mod outside;
mod time;
mod touch;
mod typing;
mod windows;

use std::sync::Arc;

use retap_trace::{
    Aim, Dice, Event, Flag, GuiTree, Key, Micros, Node, Orientation, Point, Rect, Seed, SystemEvent,
};

use super::{Machine, Program, Settings};
use crate::app::{App, KnobId, Latency, Value};
use crate::language::parse;

/// A phone with an app and dice, and hands to use it.
struct Phone {
    machine: Machine,
    dice: Dice,
}

fn app(text: &str) -> Arc<App> {
    match parse("test.app", text, &|name| Err(format!("there is no {name}"))) {
        Ok(app) => Arc::new(app),
        Err(error) => panic!("{error}\n{text}"),
    }
}

impl Phone {
    /// A phone with the app launched.
    fn launched(text: &str) -> Self {
        let mut phone = Self::with(text, &Settings::default(), Seed(1));
        phone.launch();
        phone
    }

    /// A phone with the app launched, where windows take this many milliseconds to appear.
    fn slow(text: &str, latency: u64) -> Self {
        let latency = Latency::Fixed(Micros::from_millis(latency));
        let mut phone = Self::with(text, &Settings { latency, ..Settings::default() }, Seed(1));
        phone.launch();
        phone.wait(latency_of(&phone));
        phone
    }

    /// A phone that has not launched the app.
    fn with(text: &str, settings: &Settings, seed: Seed) -> Self {
        let mut dice = seed.dice();
        let program = Arc::new(Program::new(app(text), settings));
        Self { machine: Machine::new(program, &mut dice), dice }
    }

    fn act(&mut self, event: &Event) {
        self.machine.perform(event, &mut self.dice);
    }

    fn launch(&mut self) {
        self.act(&Event::Launch);
    }

    fn wait(&mut self, millis: u64) {
        self.act(&Event::Wait { time: Micros::from_millis(millis) });
    }

    fn settle(&mut self, millis: u64) -> bool {
        self.machine.settle(Micros::from_millis(millis), &mut self.dice)
    }

    fn press(&mut self, key: Key) {
        self.act(&Event::key(key));
    }

    fn back(&mut self) {
        self.press(Key::BACK);
    }

    fn type_in(&mut self, text: &str) {
        self.act(&Event::text(text));
    }

    fn turn(&mut self, to: Orientation) {
        self.act(&Event::Rotate { to });
    }

    fn broadcast(&mut self, action: &str, extras: &[(&str, &str)]) {
        let extras = extras.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.act(&Event::System(SystemEvent { action: action.to_owned(), extras }));
    }

    /// Taps the widget with this text or id.
    fn tap(&mut self, what: &str) {
        let at = self.place(what);
        self.tap_at(at.x, at.y);
    }

    fn tap_at(&mut self, x: i32, y: i32) {
        self.act(&Event::tap(x, y));
    }

    fn swipe(&mut self, from: Point, to: Point) {
        self.act(&Event::Swipe { aim: Aim::place(from), to, over: Micros::from_millis(300) });
    }

    /// The middle of the widget with this text or id.
    fn place(&self, what: &str) -> Point {
        self.bounds(what).center()
    }

    fn bounds(&self, what: &str) -> Rect {
        self.node(what).bounds
    }

    fn node(&self, what: &str) -> Node {
        let tree = self.machine.tree();
        let node = tree.nodes().iter().find(|node| names(node, what)).cloned();
        node.unwrap_or_else(|| panic!("no {what} in\n{}", shown(&tree)))
    }

    fn sees(&self, what: &str) -> bool {
        self.machine.tree().nodes().iter().any(|node| names(node, what))
    }

    /// The texts of all widgets, in order.
    fn texts(&self) -> Vec<String> {
        let tree = self.machine.tree();
        tree.nodes().iter().filter(|node| !node.text.is_empty()).map(|node| node.text.to_string()).collect()
    }

    fn activity(&self) -> &str {
        let name = self.machine.activity();
        name.rsplit('.').next().unwrap_or(name)
    }

    fn int(&self, var: &str) -> i64 {
        self.machine.var(var).expect("the variable exists").number()
    }

    fn text(&self, var: &str) -> String {
        self.machine.var(var).expect("the variable exists").to_string()
    }

    /// The last lines of the log, as logcat would print them.
    fn log(&self) -> String {
        log(&self.machine)
    }

    fn at_home(&self) -> bool {
        &**self.machine.package() == "com.android.launcher3"
    }
}

/// The last lines of a machine's log, as logcat would print them.
fn log(machine: &Machine) -> String {
    const LINES: usize = 200;
    let (lines, _) = machine.log_from(0);
    let line = |line: &super::LogLine| {
        let super::LogLine { process, level, tag, text, .. } = line;
        let millis = line.at.as_millis();
        let (secs, millis) = (millis / 1_000, millis % 1_000);
        let (day, hour, minute, second) =
            (secs / 86_400 % 28 + 1, secs / 3_600 % 24, secs / 60 % 60, secs % 60);
        format!(
            "01-{day:02} {hour:02}:{minute:02}:{second:02}.{millis:03} {process:5} {process:5} {level} {tag:<8}: {text}\n"
        )
    };
    lines[lines.len().saturating_sub(LINES)..].iter().map(line).collect()
}

fn latency_of(phone: &Phone) -> u64 {
    match phone.machine.program.latency {
        Latency::Fixed(time) => time.as_millis(),
        _ => 0,
    }
}

fn names(node: &Node, what: &str) -> bool {
    *node.text == *what || node.id.rsplit('/').next() == Some(what)
}

/// A tree as people can read it.
fn shown(tree: &GuiTree) -> String {
    let line = |node: &Node| {
        let class = node.class.rsplit('.').next().unwrap_or_default();
        let id = node.id.rsplit('/').next().unwrap_or_default();
        let flags: Vec<&str> =
            node.flags.iter().filter(|flag| *flag != Flag::Enabled).map(Flag::name).collect();
        let off = if node.flags.has(Flag::Enabled) { "" } else { " disabled" };
        let Rect { left, top, right, bottom } = node.bounds;
        let indent = "  ".repeat(node.depth as usize);
        let words = if node.text.is_empty() { String::new() } else { format!(" {:?}", &*node.text) };
        let name = if id.is_empty() { String::new() } else { format!(" #{id}") };
        format!("{indent}{class}{name}{words} [{left},{top}][{right},{bottom}] {}{off}", flags.join(" "))
            .trim_end()
            .to_owned()
    };
    tree.nodes().iter().map(line).collect::<Vec<_>>().join("\n")
}
