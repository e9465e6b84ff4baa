//! The text of an app while it is being written: code, widgets, windows and activities.

use std::fmt::Write as _;

/// Effects, one after the other.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// Pieces of code that it counts for, those that the language counts by itself not included.
    pub(super) cover: u32,
    pub(super) lines: Vec<Line>,
}

/// One thing that code does.
#[derive(Debug)]
pub(super) enum Line {
    Effect(String),
    /// `if` and `chance` with their `else`, one below the other.
    Arms(Vec<Arm>),
    /// `fetch` and `ask`, with what can come of it below.
    Outcomes(String, Vec<Arm>),
}

/// Code that happens only sometimes.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) head: String,
    pub(super) code: Code,
}

/// What happens on something.
#[derive(Debug)]
pub(super) struct Handler {
    pub(super) on: String,
    /// What its code is called in coverage; no other handler has this name.
    pub(super) name: String,
    /// Whether the language counts it and its arms.
    pub(super) covered: bool,
    pub(super) code: Code,
}

/// A widget, menu item, container or window.
#[derive(Debug)]
pub(super) struct Widget {
    pub(super) line: String,
    pub(super) handlers: Vec<Handler>,
    pub(super) inside: Vec<Self>,
}

#[derive(Debug)]
pub(super) struct Activity {
    pub(super) name: String,
    pub(super) vars: Vec<String>,
    pub(super) create: Handler,
    pub(super) windows: Vec<Widget>,
}

/// A whole app.
#[derive(Debug)]
pub(super) struct Source {
    /// What comes before the activities: comments, names and variables.
    pub(super) head: Vec<String>,
    pub(super) receivers: Vec<Handler>,
    pub(super) activities: Vec<Activity>,
}

impl Code {
    pub(super) fn effect(line: impl Into<String>) -> Self {
        Self::default().then(line)
    }

    /// The same with another effect at the end.
    pub(super) fn then(mut self, line: impl Into<String>) -> Self {
        self.lines.push(Line::Effect(line.into()));
        self
    }

    /// The same with code at the end that happens only sometimes, and perhaps other code that happens else.
    pub(super) fn then_if(mut self, head: String, code: Self, other: Option<Self>) -> Self {
        let other = other.map(|code| Arm { head: "else".to_owned(), code });
        self.lines.push(Line::Arms([Arm { head, code }].into_iter().chain(other).collect()));
        self
    }

    /// Calls back for this code and all code in it.
    pub(super) fn regions(&mut self, see: &mut impl FnMut(&mut Self)) {
        see(self);
        for line in &mut self.lines {
            if let Line::Arms(arms) | Line::Outcomes(_, arms) = line {
                for arm in arms {
                    arm.code.regions(see);
                }
            }
        }
    }
}

impl Handler {
    pub(super) fn new(on: impl Into<String>, name: impl Into<String>, code: Code) -> Self {
        Self { on: on.into(), name: name.into(), covered: true, code }
    }
}

impl Widget {
    pub(super) fn new(line: impl Into<String>) -> Self {
        Self { line: line.into(), handlers: Vec::new(), inside: Vec::new() }
    }

    pub(super) fn on(mut self, handler: Handler) -> Self {
        self.handlers.push(handler);
        self
    }

    /// Widgets side by side, so many in a row.
    pub(super) fn with(self, inside: Vec<Self>) -> Self {
        Self { inside, ..self }
    }

    pub(super) fn rows(widgets: Vec<Self>, wide: usize) -> Vec<Self> {
        let mut rows: Vec<Self> = Vec::new();
        for widget in widgets {
            match rows.last_mut() {
                Some(row) if row.inside.len() < wide => row.inside.push(widget),
                _ => rows.push(Self::new("row").with(vec![widget])),
            }
        }
        rows
    }

    fn handlers<'a>(&'a mut self, all: &mut Vec<&'a mut Handler>) {
        all.extend(&mut self.handlers);
        self.inside.iter_mut().for_each(|widget| widget.handlers(all));
    }
}

impl Source {
    /// All handlers, in order.
    pub(super) fn handlers(&mut self) -> Vec<&mut Handler> {
        let mut all: Vec<&mut Handler> = self.receivers.iter_mut().collect();
        for activity in &mut self.activities {
            all.push(&mut activity.create);
            activity.windows.iter_mut().for_each(|window| window.handlers(&mut all));
        }
        all
    }

    /// The text.
    pub(super) fn write(&self) -> String {
        let mut text = Text(String::new());
        for line in &self.head {
            text.line(0, line);
        }
        for receiver in &self.receivers {
            text.line(0, "");
            text.handler(0, receiver);
        }
        for activity in &self.activities {
            text.line(0, "");
            text.line(0, &format!("activity {}", activity.name));
            for var in &activity.vars {
                text.line(1, var);
            }
            text.handler(1, &activity.create);
            activity.windows.iter().for_each(|window| text.widget(1, window));
        }
        text.0
    }
}

struct Text(String);

impl Text {
    fn line(&mut self, level: usize, line: &str) {
        let width = if line.is_empty() { 0 } else { 2 * level };
        writeln!(self.0, "{:width$}{line}", "").expect("a string takes all text");
    }

    fn widget(&mut self, level: usize, widget: &Widget) {
        self.line(level, &widget.line);
        widget.handlers.iter().for_each(|handler| self.handler(level + 1, handler));
        widget.inside.iter().for_each(|inner| self.widget(level + 1, inner));
    }

    fn handler(&mut self, level: usize, handler: &Handler) {
        self.line(level, &format!("on {}", handler.on));
        if !handler.covered {
            self.line(level + 1, "uncovered");
        }
        self.code(level + 1, &handler.code, &handler.name, &mut 0);
    }

    /// Writes code; `region` numbers the parts of a handler.
    fn code(&mut self, level: usize, code: &Code, name: &str, region: &mut u32) {
        let region_name = if *region == 0 { name.to_owned() } else { format!("{name}.part{region}") };
        *region += 1;
        match code.cover {
            0 if code.lines.is_empty() => self.line(level, "nothing"),
            0 => {}
            1 => self.line(level, &format!("cover {region_name}")),
            pieces => self.line(level, &format!("cover {region_name} * {pieces}")),
        }
        for line in &code.lines {
            match line {
                Line::Effect(effect) => self.line(level, effect),
                Line::Arms(arms) => self.arms(level, arms, name, region),
                Line::Outcomes(head, arms) => {
                    self.line(level, head);
                    self.arms(level + 1, arms, name, region);
                }
            }
        }
    }

    fn arms(&mut self, level: usize, arms: &[Arm], name: &str, region: &mut u32) {
        for arm in arms {
            self.line(level, &arm.head);
            self.code(level + 1, &arm.code, name, region);
        }
    }
}
