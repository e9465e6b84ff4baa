//! Screens, dialogs and menus with their widgets. Handlers are only noted here: they may give the focus to a
//! widget of another window, so all windows come first.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::{
    ActivityId, Expr, Gesture, Template, ValueKind, Widget, WidgetId, WidgetKind, Window, WindowKind,
};

use super::attributes::{Attributes, attributes};
use super::cursor::Cursor;
use super::declare::{WindowPlan, twice, unknown_statement};
use super::effects::EFFECTS;
use super::error::{Checked, Place, quote};
use super::expression::View;
use super::limit;
use super::lines::Line;
use super::names::Names;
use super::template::template;
use super::trigger::{gesture, gesture_name};
use super::variables;

/// A handler of a widget that is still to be read.
pub(super) struct WidgetHandler<'a> {
    pub(super) widget: WidgetId,
    pub(super) gesture: Gesture,
    /// Its effects; a menu item without any still closes its menu.
    pub(super) line: Option<&'a Line>,
    /// Whether it stands in the row of a list.
    pub(super) row: bool,
    /// Its name behind that of the window: `add.tap`.
    pub(super) name: String,
}

/// Keyword, class and form of each kind of widget.
const WIDGETS: [(&str, &str, &str); 10] = [
    ("label", "android.widget.TextView", "label \"TEXT\""),
    ("button", "android.widget.Button", "button \"TEXT\" id=NAME"),
    ("image", "android.widget.ImageView", "image \"DESCRIPTION\" id=NAME"),
    ("field", "android.widget.EditText", "field VARIABLE id=NAME hint=\"TEXT\""),
    ("check", "android.widget.CheckBox", "check VARIABLE \"TEXT\" id=NAME"),
    ("switch", "android.widget.Switch", "switch VARIABLE \"TEXT\" id=NAME"),
    ("radio", "android.widget.RadioButton", "radio VARIABLE \"TEXT\" = VALUE id=NAME"),
    ("list", "android.widget.ListView", "list VARIABLE id=NAME"),
    ("row", "android.widget.LinearLayout", "row id=NAME"),
    ("column", "android.widget.LinearLayout", "column id=NAME"),
];
const ITEM: (&str, &str, &str) = ("item", "android.widget.TextView", "item \"TEXT\" id=NAME");

/// Reads a screen, dialog or menu.
pub(super) fn window<'a>(
    names: &Names,
    plan: &WindowPlan<'a>,
    kind: WindowKind,
) -> Checked<(Window, Vec<WidgetHandler<'a>>)> {
    let mut window = Window {
        name: plan.name.clone(),
        activity: plan.activity,
        kind,
        title: None,
        scrolls: false,
        widgets: Vec::new(),
        focus: None,
    };
    header(names, plan, &mut window)?;
    let mut builder =
        Builder { names, activity: plan.activity, window, ids: BTreeMap::new(), handlers: Vec::new() };
    for line in &plan.line.children {
        builder.widget(line, 0, false)?;
    }
    if kind == WindowKind::Menu && builder.window.widgets.is_empty() {
        return Err(plan.line.place.fault("this menu has no items; add `item \"TEXT\"` under it"));
    }
    Ok((builder.window, builder.handlers))
}

/// Reads what follows the name: the title and the words behind it.
fn header(names: &Names, plan: &WindowPlan<'_>, window: &mut Window) -> Checked<()> {
    let usage = match window.kind {
        WindowKind::Screen => "screen NAME \"TITLE\" scrolls",
        WindowKind::Dialog { .. } => "dialog NAME \"TITLE\" fixed",
        WindowKind::Menu => "menu NAME",
    };
    let mut cursor = Cursor::of(plan.line, usage)?;
    cursor.next();
    cursor.next();
    if window.kind != WindowKind::Menu && cursor.peek_text() {
        let view = View { names, activity: Some(plan.activity), row: false };
        window.title = Some(template(&mut cursor, "a title", view)?);
    }
    loop {
        match window.kind {
            WindowKind::Screen | WindowKind::Dialog { .. }
                if !window.scrolls && cursor.eat_word("scrolls") =>
            {
                window.scrolls = true;
            }
            WindowKind::Dialog { cancelable: true } if cursor.eat_word("fixed") => {
                window.kind = WindowKind::Dialog { cancelable: false };
            }
            _ => return cursor.finish(),
        }
    }
}

struct Builder<'a, 'n> {
    names: &'n Names,
    activity: ActivityId,
    window: Window,
    /// Where each id stands first, and whether that widget is there only at times.
    ids: BTreeMap<String, (Place, bool)>,
    handlers: Vec<WidgetHandler<'a>>,
}

impl<'a> Builder<'a, '_> {
    /// Reads a widget and everything under it.
    fn widget(&mut self, line: &'a Line, depth: u16, row: bool) -> Checked<()> {
        let (word, class, usage) = self.keyword(line)?;
        let mut cursor = Cursor::of(line, usage)?;
        cursor.next();
        let mut view = View { names: self.names, activity: Some(self.activity), row };
        let mut kind = self.kind(word, &mut cursor, row)?;
        let mut text = match cursor.peek_text() {
            true if !matches!(word, "field" | "list" | "row" | "column") => {
                template(&mut cursor, "a text", view)?
            }
            _ if matches!(word, "label" | "item") => return Err(cursor.expected("a text in quotes")),
            _ => Template::default(),
        };
        if let WidgetKind::Radio(var, value) = &mut kind {
            cursor.mark("=")?;
            *value = variables::value(&mut cursor, self.names.kind(*var))?;
        }
        let mut given = attributes(&mut cursor, view, word == "field")?;
        if let WidgetKind::Field { password, hint, .. } = &mut kind {
            (*password, *hint) = (given.password, given.hint.clone());
        }
        if word == "image" && given.desc.is_none() {
            given.desc = Some(std::mem::take(&mut text));
        }
        let id = self.number(line)?;
        let name = widget_name(word, id, &given, &text);
        self.note_id(&given)?;
        if let Some(place) = given.focus
            && self.window.focus.replace(id).is_some()
        {
            return Err(place.fault("another field of this window has the focus already; remove one `focus`"));
        }
        view.row |= word == "list";
        self.window.widgets.push(self.finished(kind, depth, class, text, given));
        self.below(line, word, id, depth, view.row, &name)
    }

    /// What kind of widget the line starts with: keyword, class and form.
    fn keyword(&self, line: &Line) -> Checked<(&'static str, &'static str, &'static str)> {
        let cursor = Cursor::of(line, "")?;
        let word = cursor.peek_word().unwrap_or_default();
        let menu = self.window.kind == WindowKind::Menu;
        let allowed = if menu { &[ITEM][..] } else { &WIDGETS[..] };
        if let Some(found) = allowed.iter().find(|(known, _, _)| *known == word) {
            return Ok(*found);
        }
        if word == "on" {
            return Err(line
                .place
                .fault("a window has no handlers; put this under a widget or the activity"));
        }
        if EFFECTS.contains(&word) && !menu {
            let fix = match word {
                "if" => "write `if=CONDITION` behind a widget to show it at times only",
                _ => "put it under a handler such as `on tap`",
            };
            let message = format!("`{word}` is an effect; {fix}");
            return Err(line.place.fault(message));
        }
        if word == ITEM.0 {
            return Err(line.place.fault("only a menu has items; use a `button`"));
        }
        let known: Vec<&str> = allowed.iter().map(|(known, _, _)| *known).collect();
        Err(unknown_statement(line, &known))
    }

    fn kind(&self, word: &str, cursor: &mut Cursor<'_>, row: bool) -> Checked<WidgetKind> {
        let from = Some(self.activity);
        let mut var = |kind, who: &str| {
            let name = cursor.name("the name of a variable")?;
            self.names.var_of(name, from, kind, who)
        };
        Ok(match word {
            "label" => WidgetKind::Label,
            "image" => WidgetKind::Image,
            "row" => WidgetKind::Row,
            "column" => WidgetKind::Column,
            "field" => WidgetKind::Field {
                var: var(ValueKind::Text, "a `field`")?,
                password: false,
                hint: "".into(),
            },
            "check" => WidgetKind::Check(var(ValueKind::Bool, "a `check`")?),
            "switch" => WidgetKind::Switch(var(ValueKind::Bool, "a `switch`")?),
            "list" if row => {
                return Err(cursor
                    .place()
                    .fault("a list cannot stand in the row of a list; show its items as a text"));
            }
            "list" => WidgetKind::List(var(ValueKind::List, "a `list`")?),
            "radio" => {
                let name = cursor.name("the name of a variable")?;
                let var = self.names.var(name, from)?;
                let initial = &self.names.vars[var.index()].initial;
                if initial.kind() == ValueKind::List {
                    return Err(name
                        .place
                        .fault("a `radio` cannot choose a list; use a text or an int variable"));
                }
                WidgetKind::Radio(var, initial.clone())
            }
            _ => WidgetKind::Button,
        })
    }

    fn finished(
        &self,
        kind: WidgetKind,
        depth: u16,
        class: &str,
        text: Template,
        given: Attributes<'_>,
    ) -> Widget {
        let id = given.id.map_or_else(String::new, |(id, _)| full_id(self.names, &id));
        Widget {
            kind,
            depth,
            class: given.class.unwrap_or(class).into(),
            id: id.into(),
            text,
            desc: given.desc.unwrap_or_default(),
            bounds: given.bounds,
            height: given.height,
            visible: given.visible,
            enabled: given.enabled,
            handlers: Vec::new(),
        }
    }

    /// Reads what is indented under a widget: handlers, and in containers more widgets.
    fn below(
        &mut self,
        line: &'a Line,
        word: &'static str,
        id: WidgetId,
        depth: u16,
        row: bool,
        name: &str,
    ) -> Checked<()> {
        let own = self.handlers.len();
        let is_handler = |child: &Line| child.text.split([' ', '\t']).next() == Some("on");
        for child in line.children.iter().filter(|child| is_handler(child)) {
            let gesture = self.gesture(child, word, own)?;
            let name = format!("{name}.{}", gesture_name(gesture));
            self.handlers.push(WidgetHandler { widget: id, gesture, line: Some(child), row, name });
        }
        let taps = |handler: &WidgetHandler<'_>| handler.gesture == Gesture::Tap;
        if word == ITEM.0 && !self.handlers[own..].iter().any(taps) {
            let name = String::new();
            self.handlers.push(WidgetHandler { widget: id, gesture: Gesture::Tap, line: None, row, name });
        }
        let mut widgets = line.children.iter().filter(|child| !is_handler(child)).peekable();
        match (word, widgets.peek()) {
            ("list", None) => {
                self.number(line)?;
                let item = Template::Parts(vec![("".into(), Some(Expr::Item))]);
                let (_, class, _) = WIDGETS[0];
                let label = self.finished(WidgetKind::Label, depth + 1, class, item, Attributes::default());
                self.window.widgets.push(label);
            }
            ("row" | "column" | "list", _) => {
                for child in widgets {
                    self.widget(child, depth + 1, row)?;
                }
            }
            (_, Some(child)) => {
                let message = format!("only handlers such as `on tap` can stand under a {word}");
                return Err(child.place.fault(message));
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Reads `on GESTURE`; the handlers of this widget before it start at `own`.
    fn gesture(&self, line: &Line, word: &str, own: usize) -> Checked<Gesture> {
        let mut cursor = Cursor::of(line, "on tap")?;
        cursor.next();
        let place = cursor.place();
        let gesture = gesture(&mut cursor)?;
        let holds = matches!(word, "field" | "check" | "switch" | "radio");
        if gesture == Gesture::Change && !holds {
            return Err(place.fault(format!("a {word} holds nothing that could change; write `on tap`")));
        }
        let before = self.handlers[own..].iter().find(|known| known.gesture == gesture);
        match before.and_then(|known| known.line) {
            None => Ok(gesture),
            Some(first) => Err(twice(line, &line.text).after_first(first.place)),
        }
    }

    /// The number of the next widget.
    fn number(&self, line: &Line) -> Checked<WidgetId> {
        let number = limit::number(self.window.widgets.len());
        let message = || format!("a window has at most {} widgets; split it up", limit::THINGS);
        number.map(WidgetId).ok_or_else(|| line.place.fault(message()))
    }

    /// Two widgets may share an id when both are there only at times, such as two looks of one button.
    fn note_id(&mut self, given: &Attributes<'_>) -> Checked<()> {
        let Some((id, place)) = &given.id else { return Ok(()) };
        if id.is_empty() {
            return Err(place.fault("this id is empty; name it or leave `id=` out"));
        }
        let at_times = given.visible.is_some();
        match self.ids.insert(id.clone(), (*place, at_times)) {
            Some((first, before)) if !(before && at_times) => {
                let message =
                    format!("two widgets have the id {}; rename one or give both an `if=`", quote(id));
                Err(place.fault(message).after_first(first))
            }
            _ => Ok(()),
        }
    }
}

/// The name of a widget in coverage: its id, else the first words on it, else its number.
fn widget_name(word: &str, id: WidgetId, given: &Attributes<'_>, text: &Template) -> String {
    const LONGEST: usize = 24;
    if let Some((id, _)) = &given.id {
        return id.rsplit('/').next().unwrap_or(id).to_owned();
    }
    let words = match text {
        Template::Plain(words) => words.clone(),
        Template::Parts(parts) => parts.first().map_or_else(|| Arc::from(""), |(words, _)| words.clone()),
    };
    let letters: String = words
        .chars()
        .take(LONGEST)
        .map(|char| if char.is_alphanumeric() { char.to_ascii_lowercase() } else { ' ' })
        .collect();
    let slug = letters.split_whitespace().collect::<Vec<_>>().join("_");
    if slug.is_empty() { format!("{word}{}", id.index() + 1) } else { slug }
}

/// The field of a window with this id, as `focus` finds it; `Err` tells what else has the id.
pub(super) fn field(names: &Names, window: &Window, id: &str) -> Result<WidgetId, Option<WidgetId>> {
    let full = full_id(names, id);
    let mut other = None;
    for (number, widget) in window.widgets.iter().enumerate().filter(|(_, widget)| *widget.id == *full) {
        let here = u16::try_from(number).map(WidgetId).ok();
        match (&widget.kind, here) {
            (WidgetKind::Field { .. }, Some(here)) => return Ok(here),
            _ => other = other.or(here),
        }
    }
    Err(other)
}

/// A resource id with its package, which one in quotes may bring along.
fn full_id(names: &Names, id: &str) -> String {
    if id.contains('/') { id.to_owned() } else { format!("{}:id/{id}", names.package) }
}
