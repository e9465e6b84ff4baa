//! The first pass: what the file declares, by name, without looking into screens and handlers.

use std::sync::Arc;

use retap_trace::Micros;

use crate::app::{ActivityId, Life, WindowId, WindowKind};

use super::cursor::{Cursor, Name, alternatives};
use super::error::{Checked, Fault, Place, quote};
use super::lines::Line;
use super::names::{Names, Table};
use super::trigger::{Trigger, trigger};
use super::variables;
use retap_trace::did_you_mean;

/// What the first pass found: all names, and the lines that the second pass looks into.
pub(super) struct Outline<'a> {
    pub(super) name: Arc<str>,
    pub(super) label: Arc<str>,
    pub(super) names: Names,
    pub(super) start: Option<&'a Line>,
    pub(super) receivers: Vec<(Arc<str>, &'a Line)>,
    pub(super) timers: Vec<(Arc<str>, Micros, &'a Line)>,
    pub(super) activities: Vec<ActivityPlan<'a>>,
    pub(super) windows: Vec<WindowPlan<'a>>,
}

/// An activity before its handlers are read.
pub(super) struct ActivityPlan<'a> {
    pub(super) name: Arc<str>,
    pub(super) exported: bool,
    pub(super) first: WindowId,
    pub(super) handlers: Vec<(Trigger, &'a Line)>,
}

/// A window before its widgets are read.
pub(super) struct WindowPlan<'a> {
    pub(super) name: Arc<str>,
    pub(super) activity: ActivityId,
    pub(super) line: &'a Line,
}

const STATEMENTS: [&str; 9] =
    ["include", "package", "knob", "permission", "kept", "var", "on", "timer", "activity"];
const IN_ACTIVITY: [&str; 5] = ["var", "on", "screen", "dialog", "menu"];

/// Reads the declarations of a whole app.
pub(super) fn declare(lines: &[Line]) -> Checked<Outline<'_>> {
    let Some((first, rest)) = lines.split_first() else {
        let start = Place { file: 0, line: 1, column: 1 };
        return Err(start.fault("this file declares nothing; start it with `app NAME \"LABEL\"`"));
    };
    let (name, label) = app(first)?;
    let mut outline = Outline {
        names: Names::new(),
        name,
        label,
        start: None,
        receivers: Vec::new(),
        timers: Vec::new(),
        activities: Vec::new(),
        windows: Vec::new(),
    };
    for line in rest {
        outline.statement(line)?;
    }
    if outline.activities.is_empty() {
        return Err(first.place.fault("this app has no activity; add `activity MainActivity` and a screen"));
    }
    if outline.names.package.is_empty() {
        outline.names.package = format!("org.example.{}", outline.name).into();
    }
    Ok(outline)
}

/// Reads `app NAME "LABEL"`.
fn app(line: &Line) -> Checked<(Arc<str>, Arc<str>)> {
    let mut cursor = Cursor::of(line, "app NAME \"LABEL\"")?;
    if !cursor.eat_word("app") || line.place.file != 0 {
        return Err(line.place.fault("an app file starts with `app NAME \"LABEL\"`; put that line first"));
    }
    let name = cursor.simple_name("the short name of the app")?.text;
    let label = if cursor.peek_text() { cursor.plain_text("its label")? } else { name.to_owned() };
    cursor.finish_leaf(line)?;
    Ok((name.into(), label.into()))
}

impl<'a> Outline<'a> {
    fn statement(&mut self, line: &'a Line) -> Checked<()> {
        let cursor = Cursor::of(line, "")?;
        match cursor.peek_word() {
            Some("package") => self.package(line),
            Some("knob") => variables::knob(&mut self.names, line),
            Some("permission") => self.permission(line),
            Some("kept") => variables::variable(&mut self.names, line, Life::Kept),
            Some("var") => variables::variable(&mut self.names, line, Life::Process),
            Some("on") => self.outside_handler(line),
            Some("timer") => self.timer(line),
            Some("activity") => self.activity(line),
            Some("app") => {
                let fix = "; remove this line, since only the main file has one, at its top";
                Err(line.place.fault(format!("the app has a name already{fix}")))
            }
            Some(word @ ("screen" | "dialog" | "menu")) => Err(line
                .place
                .fault(format!("a {word} belongs to an activity; indent it under an `activity NAME` line"))),
            _ => Err(unknown_statement(line, &STATEMENTS)),
        }
    }

    fn package(&mut self, line: &Line) -> Checked<()> {
        let mut cursor = Cursor::of(line, "package org.example.NAME")?;
        cursor.next();
        let name = cursor.name("the package's name")?;
        cursor.finish_leaf(line)?;
        if !self.names.package.is_empty() {
            return Err(line.place.fault("the package is named twice; remove one of the two lines"));
        }
        if !name.text.contains('.') || name.text.contains('$') || !name.text.is_ascii() {
            let message =
                format!("{} is no package name; write one like `org.example.todo`", quote(name.text));
            return Err(name.place.fault(message));
        }
        self.names.package = name.text.into();
        Ok(())
    }

    fn permission(&mut self, line: &Line) -> Checked<()> {
        let mut cursor = Cursor::of(line, "permission android.permission.NAME")?;
        cursor.next();
        let name = cursor.name("the permission's name")?;
        cursor.finish_leaf(line)?;
        self.names.permissions.append(name).map(drop)
    }

    /// Reads `on start` and `on system "ACTION"`.
    fn outside_handler(&mut self, line: &'a Line) -> Checked<()> {
        let mut cursor = Cursor::of(line, "on start` or `on system \"ACTION\"")?;
        cursor.next();
        match cursor.peek_word() {
            Some("start") => {
                cursor.next();
                cursor.finish()?;
                match self.start.replace(line) {
                    None => Ok(()),
                    Some(first) => Err(twice(line, "on start").after_first(first.place)),
                }
            }
            Some("system") => {
                cursor.next();
                let action = cursor.plain_text("an intent action in quotes")?;
                cursor.finish()?;
                self.names.receivers.append(Name { text: &action, place: line.place })?;
                self.receivers.push((action.into(), line));
                Ok(())
            }
            Some("create" | "resume" | "pause" | "back" | "menu" | "key") => {
                let what = quote(&line.text);
                Err(line.place.fault(format!("{what} belongs to an activity; indent it under one")))
            }
            _ => Err(cursor.expected("`start` or `system`")),
        }
    }

    /// Reads `timer NAME every TIME`.
    fn timer(&mut self, line: &'a Line) -> Checked<()> {
        let mut cursor = Cursor::of(line, "timer NAME every TIME")?;
        cursor.next();
        let name = cursor.simple_name("the name of a timer")?;
        if !cursor.eat_word("every") {
            return Err(cursor.expected("`every`"));
        }
        let place = cursor.place();
        let every = cursor.time("a time such as `30s`")?;
        cursor.finish()?;
        if every < Micros::from_millis(1) {
            return Err(place.fault("a timer ticks at most once a millisecond; write a longer time"));
        }
        self.names.timers.append(name)?;
        self.timers.push((name.text.into(), every, line));
        Ok(())
    }

    fn activity(&mut self, line: &'a Line) -> Checked<()> {
        let mut cursor = Cursor::of(line, "activity NAME` or `activity NAME exported")?;
        cursor.next();
        let name = cursor.name("the name of an activity")?;
        let exported = cursor.eat_word("exported");
        cursor.finish()?;
        // A full name keeps its own package; inside the file the activity goes by the last part.
        let short = name.text.rsplit('.').next().unwrap_or(name.text);
        let id = ActivityId(self.names.activities.append(Name { text: short, ..name })?);
        self.names.locals.push(Table::of_variables());
        self.names.windows.push(Table::of_windows());
        let mut plan =
            ActivityPlan { name: name.text.into(), exported, first: WindowId(0), handlers: Vec::new() };
        let mut first = None;
        for child in &line.children {
            let mut cursor = Cursor::of(child, "on create` or `on key NAME")?;
            match cursor.peek_word() {
                Some("var") => variables::variable(&mut self.names, child, Life::Activity(id))?,
                Some("on") => {
                    cursor.next();
                    let trigger = trigger(&mut cursor)?;
                    if let Some((_, before)) = plan.handlers.iter().find(|(known, _)| *known == trigger) {
                        return Err(twice(child, &format!("on {}", trigger.to_string().replace('.', " ")))
                            .after_first(before.place));
                    }
                    plan.handlers.push((trigger, child));
                }
                Some("screen" | "dialog" | "menu") => {
                    let (window, kind) = self.window(id, child)?;
                    if kind == WindowKind::Screen {
                        first.get_or_insert(window);
                    }
                }
                Some("kept") => {
                    let message =
                        "a kept variable outlives the activity; declare it outside, at the left edge";
                    return Err(child.place.fault(message));
                }
                _ => return Err(unknown_statement(child, &IN_ACTIVITY)),
            }
        }
        let Some(first) = first else {
            let shown = quote(name.text);
            return Err(name
                .place
                .fault(format!("the activity {shown} has no screen; add `screen NAME` under it")));
        };
        plan.first = first;
        self.activities.push(plan);
        Ok(())
    }

    /// Reads the name of a screen, dialog or menu, and whether a dialog is fixed.
    fn window(&mut self, activity: ActivityId, line: &'a Line) -> Checked<(WindowId, WindowKind)> {
        let mut cursor = Cursor::of(line, "screen NAME \"TITLE\"")?;
        let kind = match cursor.peek_word() {
            Some("dialog") => {
                cursor.usage("dialog NAME \"TITLE\"");
                WindowKind::Dialog { cancelable: true }
            }
            Some("menu") => {
                cursor.usage("menu NAME");
                WindowKind::Menu
            }
            _ => WindowKind::Screen,
        };
        cursor.next();
        let name = cursor.simple_name("its name")?;
        let id = self.names.windows[activity.index()].add(name, self.windows.len())?;
        self.names.window_kinds.push(kind);
        self.windows.push(WindowPlan { name: name.text.into(), activity, line });
        Ok((WindowId(id), kind))
    }
}

/// A line that starts with no known word.
pub(super) fn unknown_statement(line: &Line, known: &[&'static str]) -> Fault {
    let word = line.text.split([' ', '\t', '=', '"']).next().unwrap_or_default();
    let fix = did_you_mean(word, known.iter().copied())
        .unwrap_or_else(|| format!("; write {}", alternatives(known)));
    let shown = if word.is_empty() { &line.text } else { word };
    line.place.fault(format!("{} is not known here{fix}", quote(shown)))
}

/// A handler that is there already.
pub(super) fn twice(line: &Line, what: &str) -> Fault {
    line.place.fault(format!("{} is handled twice; put all effects under one of the two", quote(what)))
}
