//! Writes the screens of an app, with their dialogs and menus.

use super::bug::{Act, Step};
use super::code::{Activity, Arm, Code, Handler, Line, Widget};
use super::sketch::{Door, Extra, Form, LinkKind, Need, Role, ScreenId, ToggleId};
use super::source::Writer;
use super::steps::add_step;
use super::words::{FIELDS, ITEMS, snake, spoken};

/// Widgets side by side.
const WIDE: usize = 3;

impl Writer<'_> {
    /// Writes a screen, its dialog and its menu; variables that they need go to the activity.
    pub(super) fn screen(&mut self, id: ScreenId, activity: &mut Activity) {
        let sketch = self.sketch;
        let screen = sketch.screen(id);
        let mut widgets =
            vec![Widget::new(format!("label {:?} id={}", spoken(&screen.name), sketch.id(id, "head")))];
        let tabs = sketch.tabs(screen.head);
        let others = tabs.iter().filter(|&&tab| tab != id).map(|&tab| self.tab(id, tab)).collect();
        widgets.extend(Widget::rows(others, WIDE));
        let acts = self.acts(id, activity);
        widgets.extend(Widget::rows(acts, WIDE));
        let content = match &screen.form {
            Some(form) => self.form(id, form, activity),
            None => self.content(id),
        };
        widgets.extend(content);
        let title = match screen.role {
            Role::List => format!("{} ({{len({})}})", spoken(&screen.name), sketch.id(id, "items")),
            _ => spoken(&screen.name),
        };
        let scrolls = if screen.role == Role::List { "" } else { " scrolls" };
        let line = format!("screen {} {title:?}{scrolls}", snake(&screen.name));
        activity.windows.push(Widget::new(line).with(widgets));
        if screen.dialog {
            let window = self.dialog(id);
            activity.windows.push(window);
        }
        if screen.menu {
            let window = self.menu(id);
            activity.windows.push(window);
        }
    }

    /// What a screen has that is no form.
    fn content(&mut self, id: ScreenId) -> Vec<Widget> {
        let sketch = self.sketch;
        let switch = |&toggle: &ToggleId| {
            let (var, word) = (sketch.toggle_var(toggle), &sketch.toggles[toggle.0]);
            let switch = sketch.id(id, &snake(word));
            Widget::new(format!("switch {var} \"{} mode\" id={switch}", spoken(word)))
        };
        let mut widgets: Vec<Widget> = sketch.screen(id).switches.iter().map(switch).collect();
        widgets.extend(self.doors(id));
        let small = self.small(id);
        widgets.extend(Widget::rows(small, WIDE));
        if sketch.screen(id).role == Role::List {
            widgets.push(self.list(id));
        }
        widgets
    }

    fn tab(&mut self, from: ScreenId, to: ScreenId) -> Widget {
        let (id, name) = (self.sketch.tab_id(from, to), &self.sketch.screen(to).name);
        let code = Code::effect(format!("show {}", snake(name)));
        self.button(&spoken(name), &id, code)
    }

    /// The widgets that bugs have on a screen.
    fn acts(&mut self, id: ScreenId, activity: &mut Activity) -> Vec<Widget> {
        let mut widgets = Vec::new();
        for (bug, number) in self.steps_on(id) {
            let Step::Act(_, act) = self.bugs[bug].steps[number] else { continue };
            if !act.takes_room() {
                continue;
            }
            let word = act.word();
            let widget = self.sketch.id(id, &snake(word));
            let (line, on, also) = match act {
                Act::LongTap(_) => (format!("label {word:?} id={widget} height=144"), "long tap", None),
                Act::Swipe(_) => (format!("image {word:?} id={widget} height=144"), "swipe left", None),
                Act::Pinch(_) => (format!("image {word:?} id={widget} height=144"), "pinch", None),
                Act::Check(_) | Act::Switch(_) => {
                    activity.vars.push(format!("var {widget}_on bool"));
                    let kind = if matches!(act, Act::Check(_)) { "check" } else { "switch" };
                    (format!("{kind} {widget}_on {word:?} id={widget}"), "change", None)
                }
                Act::Type(_, text) => {
                    activity.vars.push(format!("var {widget}_text text"));
                    let also = text.map_or(format!("{widget}_text != \"\""), |text| {
                        format!("{widget}_text == {text:?}")
                    });
                    (format!("field {widget}_text id={widget} hint={word:?}"), "change", Some(also))
                }
                Act::Button(_) | Act::Item(_) | Act::Ok => {
                    (format!("button {word:?} id={widget}"), "tap", None)
                }
            };
            let code = self.step(Code::default(), bug, number, also);
            widgets.push(Widget::new(line).on(Handler::new(on, widget, code)));
        }
        widgets
    }

    fn step(&self, code: Code, bug: usize, number: usize, also: Option<String>) -> Code {
        add_step(code, self.sketch, &self.package, &self.bugs[bug], number, also)
    }

    /// What leads to the children.
    fn doors(&mut self, id: ScreenId) -> Vec<Widget> {
        let sketch = self.sketch;
        let mut tiles = Vec::new();
        let mut doors = Vec::new();
        for &child in &sketch.screen(id).children {
            let (words, widget) = (spoken(&sketch.screen(child).name), sketch.door_id(child));
            let code = self.way(id, child, &widget);
            let gate = sketch.screen(child).gate.map(|toggle| sketch.toggle_var(toggle));
            let gate = gate.map_or(String::new(), |var| {
                format!(" {}={var}", if child.0 % 2 == 0 { "enabled" } else { "if" })
            });
            let door = |line: String, on: &str| Widget::new(line).on(Handler::new(on, widget.clone(), code));
            match sketch.screen(child).door {
                Door::Button => doors.push(door(format!("button {words:?} id={widget}{gate}"), "tap")),
                Door::Tile => tiles.push(door(format!("button {words:?} id={widget}{gate}"), "tap")),
                Door::Swipe => {
                    doors.push(door(format!("image {words:?} id={widget} height=144"), "swipe left"));
                }
                Door::LongTap => doors.push(door(format!("label {words:?} id={widget}"), "long tap")),
                Door::Row | Door::Menu | Door::Dialog | Door::Submit | Door::Tab => {}
            }
        }
        let mut widgets = Widget::rows(tiles, WIDE);
        widgets.extend(doors);
        widgets
    }

    /// The code that leads to a screen. Where it varies, it may not, or ask first.
    fn way(&mut self, from: ScreenId, to: ScreenId, widget: &str) -> Code {
        let sketch = self.sketch;
        let open = format!("open {}Activity", sketch.screen(sketch.screen(to).head).name);
        let code = Code::effect(open);
        if !self.varying.contains(widget) {
            return self.enrich(code);
        }
        let on_screen = !matches!(sketch.screen(to).door, Door::Menu | Door::Dialog | Door::Submit)
            || widget != sketch.door_id(to);
        let other = if sketch.screen(from).dialog && on_screen && self.dice.below(2) == 0 {
            Code::effect(format!("dialog {}", sketch.id(from, "ask")))
        } else {
            Code::effect("log warn App \"try again later\"")
        };
        Code::default().then_if("chance 0.5".to_owned(), code, Some(other))
    }

    /// Small buttons: menu, dialog, links and whatever else there is.
    fn small(&mut self, id: ScreenId) -> Vec<Widget> {
        let sketch = self.sketch;
        let screen = sketch.screen(id);
        let mut small = Vec::new();
        if screen.menu {
            let code = Code::effect(format!("menu {}", sketch.id(id, "more")));
            small.push(self.button("More", &sketch.id(id, "more"), code));
        }
        if screen.dialog {
            let code = Code::effect(format!("dialog {}", sketch.id(id, "ask")));
            small.push(self.button("Delete", &sketch.id(id, "ask"), code));
        }
        for &link in &screen.links {
            let widget = sketch.link_id(id, link);
            let code = self.way(id, link.to, &widget);
            let words = match link.kind {
                LinkKind::Next => "Next".to_owned(),
                LinkKind::Again => "Open".to_owned(),
                LinkKind::Also => spoken(&sketch.screen(link.to).name),
            };
            small.push(self.button(&words, &widget, code));
        }
        for &extra in &screen.extras {
            small.push(self.extra(id, extra));
        }
        small
    }

    fn extra(&mut self, id: ScreenId, extra: Extra) -> Widget {
        let sketch = self.sketch;
        let outcomes = |head: &str, good: &str, bad: &str, code: Code| {
            let arm = |head: &str, code| Arm { head: head.to_owned(), code };
            let arms = vec![arm(good, code), arm(bad, Code::default())];
            Code { cover: 0, lines: vec![Line::Outcomes(head.to_owned(), arms)] }
        };
        let (words, code) = match extra {
            Extra::Add => {
                let word = self.dice.pick(&ITEMS).expect("there are items");
                let items = sketch.id(id, "items");
                ("Add", Code::effect(format!("push {items} \"{word} {{len({items})}}\"")))
            }
            Extra::Refresh => ("Refresh", outcomes("fetch 300ms", "reply", "error", Code::default())),
            Extra::Share => ("Share", Code::effect("leave share")),
            Extra::Browse => ("Browse", Code::effect("leave browser")),
            Extra::Camera => {
                ("Camera", outcomes("ask CAMERA", "granted", "denied", Code::effect("leave camera")))
            }
            Extra::Idle(word) => {
                return Widget::new(format!("button {word:?} id={}", sketch.id(id, &snake(word))));
            }
        };
        self.button(words, &sketch.id(id, &snake(words)), code)
    }

    fn button(&mut self, words: &str, widget: &str, code: Code) -> Widget {
        let code = self.enrich(code);
        Widget::new(format!("button {words:?} id={widget}")).on(Handler::new("tap", widget, code))
    }

    fn list(&mut self, id: ScreenId) -> Widget {
        let (items, row) = (self.sketch.id(id, "items"), self.sketch.id(id, "row"));
        let mut list = Widget::new(format!("list {items} id={}", self.sketch.id(id, "rows")));
        if let Some(child) = self.sketch.behind_doors(id, Door::Row).next() {
            let code = self.way(id, child, &row);
            list = list.on(Handler::new("tap", row.clone(), code));
        }
        let code = remove(Code::default(), &items, "index");
        let mut list = list.on(Handler::new("long tap", format!("{row}.remove"), code));
        list.inside.push(Widget::new(format!("label \"{{item}}\" id={row}")));
        list
    }

    fn dialog(&mut self, id: ScreenId) -> Widget {
        let sketch = self.sketch;
        let (name, ok) = (sketch.id(id, "ask"), sketch.id(id, "ok"));
        let mut code = Code::effect("close");
        if let Some(child) = sketch.behind_doors(id, Door::Dialog).next() {
            code.lines.extend(self.way(id, child, &ok).lines);
        } else if sketch.screen(id).role == Role::List {
            code = remove(code, &sketch.id(id, "items"), "0");
        }
        for (bug, number) in self.steps_on(id) {
            if let Step::Act(_, Act::Ok) = self.bugs[bug].steps[number] {
                code = self.step(code, bug, number, None);
            }
        }
        let cancel = Widget::new(format!("button \"Cancel\" id={}", sketch.id(id, "cancel")))
            .on(Handler::new("tap", sketch.id(id, "cancel"), Code::effect("close")));
        let ok = Widget::new(format!("button \"OK\" id={ok}")).on(Handler::new("tap", ok, code));
        let label = Widget::new(format!("label \"Are you sure?\" id={}", sketch.id(id, "question")));
        let widgets = std::iter::once(label).chain(Widget::rows(vec![cancel, ok], WIDE)).collect();
        Widget::new(format!("dialog {name} \"Delete\"")).with(widgets)
    }

    fn menu(&mut self, id: ScreenId) -> Widget {
        let sketch = self.sketch;
        let mut items = Vec::new();
        for child in sketch.behind_doors(id, Door::Menu) {
            let (words, widget) = (spoken(&sketch.screen(child).name), sketch.door_id(child));
            let code = self.way(id, child, &widget);
            items.push(
                Widget::new(format!("item {words:?} id={widget}")).on(Handler::new("tap", widget, code)),
            );
        }
        for (bug, number) in self.steps_on(id) {
            if let Step::Act(_, Act::Item(word)) = self.bugs[bug].steps[number] {
                let widget = sketch.id(id, &snake(word));
                let code = self.step(Code::default(), bug, number, None);
                items.push(
                    Widget::new(format!("item {word:?} id={widget}")).on(Handler::new("tap", widget, code)),
                );
            }
        }
        items.push(Widget::new(format!("item \"Version\" id={}", sketch.id(id, "version"))));
        Widget::new(format!("menu {}", sketch.id(id, "more"))).with(items)
    }

    fn form(&mut self, id: ScreenId, form: &Form, activity: &mut Activity) -> Vec<Widget> {
        let sketch = self.sketch;
        let mut widgets = Vec::new();
        let mut shut: Vec<String> = Vec::new();
        let mut focus = if self.calm.contains(&id) { "" } else { " focus" };
        let mut field = |word: &str, activity: &mut Activity| {
            let widget = sketch.id(id, &word.to_lowercase());
            activity.vars.push(format!("var {widget}_text text"));
            let line = format!("field {widget}_text id={widget} hint={word:?}{}", std::mem::take(&mut focus));
            [Widget::new(format!("label {word:?}")), Widget::new(line)]
        };
        for need in &form.needs {
            let widget = sketch.id(id, &need.word().to_lowercase());
            match need {
                Need::Field(word) => {
                    widgets.extend(field(word, activity));
                    shut.push(format!("{widget}_text != \"\""));
                }
                Need::Box(word) => {
                    activity.vars.push(format!("var {widget}_on bool"));
                    widgets.push(Widget::new(format!("check {widget}_on {word:?} id={widget}")));
                    shut.push(format!("{widget}_on"));
                }
            }
        }
        let wanted = |word: &&&str| form.needs.iter().all(|need| need.word() != **word);
        let fields = FIELDS.iter().cycle().skip(id.0 % FIELDS.len()).take(FIELDS.len());
        for word in fields.filter(wanted).take(form.fillers) {
            widgets.extend(field(word, activity));
        }
        let enabled =
            if shut.is_empty() { String::new() } else { format!(" enabled={}", shut.join(" and ")) };
        let done = sketch.id(id, "done");
        let code = match sketch.screen(id).children.first() {
            Some(&child) => self.way(id, child, &done),
            None => self.save(id, form),
        };
        let line = format!("button \"Save\" id={done}{enabled}");
        widgets.push(Widget::new(line).on(Handler::new("tap", done, code)));
        widgets
    }

    /// A form that leads nowhere puts what was typed into the list it came from.
    fn save(&mut self, id: ScreenId, form: &Form) -> Code {
        let sketch = self.sketch;
        let mut above = std::iter::successors(sketch.screen(id).parent, |&up| sketch.screen(up).parent);
        let list = above.find(|&up| sketch.screen(up).role == Role::List);
        let typed = form.needs.iter().find_map(|need| match need {
            Need::Field(word) => Some(format!("{{{}_text}}", sketch.id(id, &word.to_lowercase()))),
            Need::Box(_) => None,
        });
        let mut code = Code::default();
        if let Some(list) = list {
            let typed = typed.unwrap_or_else(|| "Entry".to_owned());
            code = code.then(format!("push {} \"{typed}\"", sketch.id(list, "items")));
        }
        self.enrich(code.then("finish"))
    }
}

/// Takes an item out of a list, but never the last ones: the way on would be gone.
fn remove(code: Code, items: &str, number: &str) -> Code {
    code.then_if(format!("if len({items}) > 2"), Code::effect(format!("remove {items} {number}")), None)
}
