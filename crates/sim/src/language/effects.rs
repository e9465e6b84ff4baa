//! Effects that stand on one line.

use std::sync::Arc;

use crate::app::{
    ActivityId, Effect, Expr, OutsideApp, TimerId, Value, ValueKind, VarId, WindowId, WindowKind,
};

use super::code::{Code, Handler, first_word};
use super::cursor::{Cursor, Name};
use super::declare::unknown_statement;
use super::error::{Checked, Fault, Place, quote};
use super::expression;
use super::lines::Line;
use super::names::with_article;
use super::template::template;
use super::widgets::field;
use retap_trace::did_you_mean;

/// Every keyword that starts an effect.
pub(super) const EFFECTS: [&str; 29] = [
    "set", "push", "remove", "toggle", "clear", "open", "show", "dialog", "menu", "close", "finish", "exit",
    "leave", "if", "else", "chance", "after", "start", "stop", "fetch", "ask", "busy", "focus", "log",
    "crash", "native", "hang", "cover", "nothing",
];

const OUTSIDE: [(&str, OutsideApp); 4] = [
    ("settings", OutsideApp::Settings),
    ("browser", OutsideApp::Browser),
    ("camera", OutsideApp::Camera),
    ("share", OutsideApp::Share),
];
const LEVELS: [(&str, char); 4] = [("debug", 'D'), ("info", 'I'), ("warn", 'W'), ("error", 'E')];

impl Code<'_> {
    /// Reads the effect that starts in the first line, and returns the lines after it.
    pub(super) fn effect<'l>(
        &mut self,
        lines: &'l [Line],
        handler: &mut Handler,
        effects: &mut Vec<Effect>,
    ) -> Checked<&'l [Line]> {
        let Some((line, rest)) = lines.split_first() else { return Ok(&[]) };
        let effect = match first_word(line) {
            "if" => return self.if_chain(lines, handler, effects),
            "chance" => return self.chance(lines, handler, effects),
            "else" => {
                let message =
                    "this `else` follows no `if` or `chance` with the same indentation; line it up with one";
                return Err(line.place.fault(message));
            }
            "after" => self.after(line, handler)?,
            "fetch" => self.fetch(line, handler)?,
            "ask" => self.ask(line, handler)?,
            "crash" => self.crash(line, handler)?,
            "native" => self.native(line, handler)?,
            "hang" => self.hang(line, handler)?,
            word => {
                effects.extend(self.simple(line, word, handler)?);
                return Ok(rest);
            }
        };
        effects.push(effect);
        Ok(rest)
    }

    /// Reads an effect without lines under it; `nothing` is none.
    fn simple(&mut self, line: &Line, word: &str, handler: &mut Handler) -> Checked<Option<Effect>> {
        let mut cursor = Cursor::of(line, form(word))?;
        cursor.next();
        let from = handler.activity;
        let effect = match word {
            "nothing" => None,
            "set" | "push" | "remove" | "toggle" | "clear" => {
                Some(self.change(word, &mut cursor, handler)?)
            }
            "open" => {
                handler.front = None;
                let activity = cursor.name("the name of an activity")?;
                Some(Effect::Open(ActivityId(self.names.activities.find(activity)?)))
            }
            "show" | "dialog" | "menu" => Some(self.window(word, &mut cursor, line, handler)?),
            "close" | "finish" => {
                inside_activity(line, word, from)?;
                handler.front = None;
                Some(if word == "close" { Effect::Close } else { Effect::Finish })
            }
            "exit" => Some(Effect::Exit),
            "leave" => Some(Effect::Leave(cursor.one_of("an app to leave for", &OUTSIDE)?)),
            "start" => Some(Effect::StartTimer(self.timer(&mut cursor)?)),
            "stop" => Some(Effect::StopTimer(self.timer(&mut cursor)?)),
            "busy" => Some(Effect::Busy(cursor.time("a time such as `300ms`")?)),
            "focus" => Some(self.focus(&mut cursor, line, handler)?),
            "log" => Some(self.log(&mut cursor, handler)?),
            "cover" => Some(self.cover(&mut cursor)?),
            "uncovered" => {
                return Err(line
                    .place
                    .fault("`uncovered` stands only in the first line under an `on` line; move it"));
            }
            _ => return Err(unknown_statement(line, &EFFECTS)),
        };
        cursor.finish_leaf(line)?;
        Ok(effect)
    }

    /// Reads what changes a variable.
    fn change(&self, word: &str, cursor: &mut Cursor<'_>, handler: &Handler) -> Checked<Effect> {
        let view = self.view(handler);
        let name = cursor.name("the name of a variable")?;
        let of = |kind| self.names.var_of(name, handler.activity, kind, &format!("`{word}`"));
        Ok(match word {
            "set" => {
                let var = self.names.var(name, handler.activity)?;
                cursor.mark("=")?;
                let who = format!("the variable {}", quote(name.text));
                Effect::Set(var, expression::of_kind(cursor, view, self.names.kind(var), &who)?)
            }
            "push" => Effect::Push(
                of(ValueKind::List)?,
                expression::of_kind(cursor, view, ValueKind::Text, "`push`")?,
            ),
            "remove" => {
                let list = of(ValueKind::List)?;
                let who = "`remove`, which counts items from 0,";
                Effect::Remove(list, expression::of_kind(cursor, view, ValueKind::Int, who)?)
            }
            "toggle" => {
                let var = of(ValueKind::Bool)?;
                Effect::Set(var, Expr::Not(Box::new(Expr::Var(var))))
            }
            _ => self.clear(name, self.names.var(name, handler.activity)?)?,
        })
    }

    fn clear(&self, name: Name<'_>, var: VarId) -> Checked<Effect> {
        let empty = match self.names.kind(var) {
            ValueKind::Text => Value::Text("".into()),
            ValueKind::List => Value::List(Vec::new().into()),
            other => {
                let (shown, kind) = (quote(name.text), with_article(other));
                let message = format!("`clear` empties a list or a text, and {shown} is {kind}; use `set`");
                return Err(name.place.fault(message));
            }
        };
        Ok(Effect::Set(var, Expr::Value(empty)))
    }

    /// Reads what brings a window to the front.
    fn window(
        &self,
        word: &str,
        cursor: &mut Cursor<'_>,
        line: &Line,
        handler: &mut Handler,
    ) -> Checked<Effect> {
        let activity = inside_activity(line, word, handler.activity)?;
        let what = if word == "show" { "screen" } else { word };
        let name = cursor.name(&format!("the name of a {what}"))?;
        let table = &self.names.windows[activity.index()];
        let Some(id) = table.get(name.text).map(WindowId) else {
            return Err(self.no_window(name, what, activity));
        };
        let (right, effect) = match self.names.window_kinds[id.index()] {
            WindowKind::Screen => ("show", Effect::Show(id)),
            WindowKind::Dialog { .. } => ("dialog", Effect::Overlay(id)),
            WindowKind::Menu => ("menu", Effect::Overlay(id)),
        };
        if right != word {
            let is = if right == "show" { "screen" } else { right };
            let (shown, text) = (quote(name.text), name.text);
            return Err(name.place.fault(format!("{shown} is a {is}; write `{right} {text}`")));
        }
        handler.front = Some(id);
        Ok(effect)
    }

    fn no_window(&self, name: Name<'_>, what: &str, own: ActivityId) -> Fault {
        let shown = quote(name.text);
        if let Some(other) = self.names.elsewhere(name.text, own) {
            let other = self.names.activity_name(other);
            return name.place.fault(format!(
                "{shown} belongs to {other}, and only {other} can show it; write `open {other}`, or add a {what} here"
            ));
        }
        let table = &self.names.windows[own.index()];
        let fix = did_you_mean(name.text, table.names())
            .unwrap_or_else(|| format!("; declare it with `{what} {}`", name.text));
        let own = self.names.activity_name(own);
        name.place.fault(format!("{own} has no {what} called {shown}{fix}"))
    }

    fn timer(&self, cursor: &mut Cursor<'_>) -> Checked<TimerId> {
        let name = cursor.name("the name of a timer")?;
        self.names.timers.find(name).map(TimerId)
    }

    /// Reads `focus ID`: a field of the window that is in front by then.
    fn focus(&self, cursor: &mut Cursor<'_>, line: &Line, handler: &Handler) -> Checked<Effect> {
        inside_activity(line, "focus", handler.activity)?;
        let name = cursor.name("the id of a field")?;
        let Some(window) = handler.front.and_then(|id| self.windows.get(id.index())) else {
            return Err(name.place.fault(
                "which window is in front here is not known; show one first, or put `focus` behind the field itself",
            ));
        };
        field(self.names, window, name.text).map(Effect::Focus).map_err(|other| {
            let shown = quote(name.text);
            if other.is_some() {
                return name.place.fault(format!("{shown} is no field, and only a field takes the focus"));
            }
            let ids = window.widgets.iter().filter_map(|widget| widget.id.rsplit('/').next());
            let fix = did_you_mean(name.text, ids.filter(|id| !id.is_empty()))
                .unwrap_or_else(|| format!("; give a field there `id={}`", name.text));
            name.place.fault(format!("no widget of `{}` has the id {shown}{fix}", window.name))
        })
    }

    fn log(&self, cursor: &mut Cursor<'_>, handler: &Handler) -> Checked<Effect> {
        let level = cursor.one_of("a level of the log", &LEVELS)?;
        let tag: Arc<str> = if cursor.peek_text() {
            cursor.plain_text("a tag")?.into()
        } else {
            cursor.name("a tag, which is a word")?.text.into()
        };
        let text = template(cursor, "a text in quotes", self.view(handler))?;
        Ok(Effect::Log(level, tag, text))
    }

    fn cover(&mut self, cursor: &mut Cursor<'_>) -> Checked<Effect> {
        let name = cursor.name("a name for the code")?;
        let mut count = 1;
        if cursor.eat_mark("*") {
            let place = cursor.place();
            count = positive(cursor.int("how many pieces of code")?, place)?;
        }
        self.coverage.shared(name, count)
    }
}

/// How an effect of one line is written.
fn form(word: &str) -> &'static str {
    match word {
        "set" => "set VARIABLE = VALUE",
        "push" => "push LIST TEXT",
        "remove" => "remove LIST NUMBER",
        "toggle" => "toggle VARIABLE",
        "clear" => "clear VARIABLE",
        "open" => "open ACTIVITY",
        "show" => "show SCREEN",
        "dialog" => "dialog NAME",
        "menu" => "menu NAME",
        "leave" => "leave settings",
        "start" => "start TIMER",
        "stop" => "stop TIMER",
        "busy" => "busy 300ms",
        "focus" => "focus ID",
        "log" => "log info TAG \"TEXT\"",
        "cover" => "cover NAME * NUMBER",
        "close" => "close",
        "finish" => "finish",
        "exit" => "exit",
        _ => "nothing",
    }
}

/// The activity that an effect needs.
pub(super) fn inside_activity(line: &Line, word: &str, activity: Option<ActivityId>) -> Checked<ActivityId> {
    activity.ok_or_else(|| {
        let fix = "set a variable here instead, and do it in a handler of an activity";
        line.place.fault(format!("`{word}` works only inside an activity; {fix}"))
    })
}

fn positive(number: i64, place: Place) -> Checked<u32> {
    const MOST: i64 = 100_000;
    let fits = (1..=MOST).contains(&number).then(|| u32::try_from(number).ok()).flatten();
    fits.ok_or_else(|| place.fault(format!("one line covers from 1 to {MOST} pieces of code")))
}
