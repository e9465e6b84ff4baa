//! What DroidBot leaves: a folder with `events/*.json`, `states/*.json` and `utg.js`; or one event alone.

use std::collections::BTreeMap;

use retap_trace::{Aim, Event, Key, Micros, Point, Rect, Selector, SystemEvent, is_package};
use serde_json::Value;

use super::lines::text;
use super::numbers::{whole, whole_millis};
use super::tally::Made;
use super::{FileProblem, ImportError, ImportInput, ImportOptions, Importer};

pub(super) const IMPORTER: Importer = Importer {
    name: "droidbot",
    about: "DroidBot's folder, or one file of its folder 'events'",
    sniff,
    read,
};

/// How long a long touch, a swipe and a scroll take where the event does not say it.
const LONG_TOUCH: u64 = 2_000;
const SWIPE: u64 = 1_000;
const SCROLL: u64 = 500;
/// The most files of a folder that are read.
const MOST_FILES: usize = 100_000;

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    if input.bytes.is_empty() {
        let json = |folder: &str| input.files.list(folder).iter().any(|name| is_json(name));
        return (input.name.is_empty() && json("events")).then_some("the folder has events/*.json");
    }
    let text = text(&input.bytes[..input.bytes.len().min(1 << 20)]);
    (text.trim_start().starts_with('{') && text.contains("\"event_str\"") && text.contains("\"event_type\""))
        .then_some("it has an 'event_str' and an 'event_type'")
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Result<Made, ImportError> {
    let mut run = Run { made: Made::of(given), activities: BTreeMap::new(), main: None };
    if !input.bytes.is_empty() {
        let event = json(input.bytes).map_err(ImportError::whole)?;
        run.event(&event).map_err(ImportError::whole)?;
        return Ok(run.made);
    }
    run.graph(input);
    run.states(input)?;
    for name in names(input, "events")? {
        if let Some(event) = run.file(input, "events", &name) {
            run.event(&event).map_err(|why| {
                ImportError::whole(format!("events/{name}: {why}; remove the file to import the others"))
            })?;
        }
    }
    Ok(run.made)
}

/// The files of a folder. Their names have the times in them.
fn names(input: &ImportInput<'_>, folder: &str) -> Result<Vec<String>, ImportError> {
    let mut names = input.files.list(folder);
    names.retain(|name| is_json(name));
    names.sort();
    if names.len() > MOST_FILES {
        let many = format!("there are more than {MOST_FILES} files in '{folder}'; import a part of them");
        return Err(ImportError::whole(many));
    }
    Ok(names)
}

fn is_json(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|ending| ending == "json")
}

fn json(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_str(&text(bytes)).map_err(|error| format!("it is no JSON: {error}"))
}

/// A run of DroidBot.
struct Run {
    made: Made,
    /// The activity in front, by the name of a state.
    activities: BTreeMap<String, String>,
    /// The activity by which the app was launched first.
    main: Option<String>,
}

impl Run {
    /// The graph names the app: `var utg = {..}`.
    fn graph(&mut self, input: &ImportInput<'_>) {
        let bytes = match input.files.read("utg.js") {
            Ok(bytes) => bytes,
            Err(FileProblem::Missing) => return,
            Err(problem) => {
                return self.made.note(format!("utg.js {problem}; the app is named by the events"));
            }
        };
        let text = text(&bytes);
        let graph = text.find('{').and_then(|start| {
            serde_json::from_str::<Value>(text[start..].trim_end_matches([';', '\n', '\r', ' '])).ok()
        });
        let Some(graph) = graph else {
            return self.made.note("utg.js cannot be read; the app is named by the events");
        };
        if let Some(package) = graph["app_package"].as_str() {
            self.made.package.get_or_insert_with(|| package.to_owned());
        }
    }

    fn states(&mut self, input: &ImportInput<'_>) -> Result<(), ImportError> {
        for name in names(input, "states")? {
            let Some(state) = self.file(input, "states", &name) else { continue };
            if let (Some(key), Some(activity)) =
                (state["state_str"].as_str(), state["foreground_activity"].as_str())
            {
                self.activities.insert(key.to_owned(), whole_name(activity));
            }
        }
        Ok(())
    }

    /// What is in a file of a folder. Those that cannot be read are counted, and the first is named.
    fn file(&mut self, input: &ImportInput<'_>, folder: &str, name: &str) -> Option<Value> {
        let path = format!("{folder}/{name}");
        let read = input.files.read(&path).map_err(|problem| problem.to_string());
        let why = match read.and_then(|bytes| json(&bytes)) {
            Ok(told) => return Some(told),
            Err(why) => why,
        };
        let unreadable = format!("files of '{folder}' that cannot be read");
        if !self.made.has_skipped(&unreadable) {
            self.made.note(format!("{path} cannot be read: {}", super::printable(&why)));
        }
        self.made.skip(unreadable, None);
        None
    }

    /// Refused where the app would be another one without it.
    fn event(&mut self, told: &Value) -> Result<(), String> {
        let event = &told["event"];
        let kind = event["event_type"].as_str().unwrap_or_default();
        if kind == "exit" {
            self.made.skip("the end of DroidBot", None);
            return Ok(());
        }
        let wrong = |why: &str| format!("retap cannot perform an event of the type '{kind}'{why}");
        let deed = self.deed(kind, event).map_err(|why| wrong(&why))?;
        // DroidBot touches the field and then types into what has the focus. A field without a name is only known so.
        let touched = if matches!(deed, Event::Text { widget: None, .. }) {
            let field = aim(event, "", &event["view"]).map_err(|why| wrong(&why))?;
            Some(field.ok_or_else(|| wrong(" into a field without a name or a place"))?)
        } else {
            None
        };
        let activity = told["start_state"].as_str().and_then(|state| self.activities.get(state)).cloned();
        for event in touched.map(Event::Tap).into_iter().chain([deed]) {
            self.made.add(event);
            self.made.before(activity.as_deref().unwrap_or_default());
        }
        Ok(())
    }

    /// What was done, or what of it cannot be.
    fn deed(&mut self, kind: &str, event: &Value) -> Result<Event, String> {
        const NOWHERE: &str = " without a place";
        let word = |name: &str| event[name].as_str().unwrap_or_default();
        let view = &event["view"];
        if let Some(package) = view["package"].as_str().filter(|_| self.made.package.is_none()) {
            self.made.package = Some(package.to_owned());
            self.made.note(format!("the app is taken to be {package}, which the first touch was in"));
        }
        Ok(match kind {
            "touch" | "click" | "select" | "unselect" => Event::Tap(aim(event, "", view)?.ok_or(NOWHERE)?),
            "long_touch" | "long_click" => {
                Event::LongTap { aim: aim(event, "", view)?.ok_or(NOWHERE)?, hold: time(event, LONG_TOUCH)? }
            }
            "swipe" => {
                let to = aim(event, "end_", &event["end_view"])?.ok_or(NOWHERE)?.at;
                let from = aim(event, "start_", &event["start_view"])?.ok_or(NOWHERE)?;
                Event::Swipe { aim: from, to, over: time(event, SWIPE)? }
            }
            "scroll" => scroll(event, view)?.ok_or(" without a widget or a direction")?,
            "set_text" => {
                let text = event["text"].as_str().ok_or(" without a text")?.to_owned();
                Event::Text { text, widget: Some(selector(view)).filter(Selector::named) }
            }
            "key" => {
                let unknown = || format!(", the key '{}'", word("name"));
                Event::key(Key::from_android_name(word("name")).ok_or_else(unknown)?)
            }
            "intent" => {
                let unknown = || format!(", '{}'", word("intent"));
                self.intent(word("intent")).ok_or_else(unknown)?
            }
            "kill_app" => Event::system("am:force-stop"),
            _ => return Err(String::new()),
        })
    }

    /// `am start com.example/.Main`, `am force-stop com.example`. More words say more than that, and other apps are stopped by
    /// no event.
    fn intent(&mut self, command: &str) -> Option<Event> {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["am", "force-stop", package] => {
                let app = self.made.package.get_or_insert_with(|| package.to_owned());
                (app == package).then(|| Event::system("am:force-stop"))
            }
            ["am", "start", component] | ["am", "start", "-n", component] => {
                let (package, activity) = component.split_once('/')?;
                if !is_package(package) || !activity.chars().all(is_of_name) || activity.is_empty() {
                    return None;
                }
                let app = self.made.package.get_or_insert_with(|| package.to_owned());
                let activity = whole_name(component);
                if app == package && *self.main.get_or_insert_with(|| activity.clone()) == activity {
                    return Some(Event::Launch);
                }
                let extras = [("component".to_owned(), component.to_owned())].into();
                Some(Event::System(SystemEvent { action: "am:start".to_owned(), extras }))
            }
            _ => None,
        }
    }
}

/// Whether a letter may stand in the name of an activity.
fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || "._$".contains(letter)
}

/// `com.example/.Main` in whole.
fn whole_name(component: &str) -> String {
    match component.split_once('/') {
        Some((package, activity)) if activity.starts_with('.') => format!("{package}{activity}"),
        Some((_, activity)) => activity.to_owned(),
        None => component.to_owned(),
    }
}

/// How long an event takes; so long where it does not say it. DroidBot's own are whole milliseconds.
fn time(event: &Value, or: u64) -> Result<Micros, String> {
    let duration = &event["duration"];
    let told = if duration.is_null() { Some(or) } else { duration.as_f64().and_then(whole_millis) };
    told.map(Micros::from_millis).ok_or_else(|| format!(", whose duration is {duration}"))
}

/// The place of a touch, and the widget there: DroidBot touches the middle of it. Nothing where there is none; a place that is
/// told and no number is an error.
fn aim(event: &Value, prefix: &str, view: &Value) -> Result<Option<Aim>, String> {
    let number = |name: &str| {
        let name = format!("{prefix}{name}");
        let told = &event[&name];
        let number = told.as_f64().and_then(whole);
        if number.is_none() && !told.is_null() {
            Err(format!(", whose {name} is {told}"))
        } else {
            Ok(number)
        }
    };
    let at = match (number("x")?, number("y")?, bounds(view)) {
        (Some(x), Some(y), _) => Point::new(x, y),
        (_, _, Some(bounds)) => bounds.center(),
        _ => return Ok(None),
    };
    let widget = Some(selector(view)).filter(|widget| *widget != Selector::default());
    Ok(Some(Aim { widget, ..Aim::place(at) }))
}

/// `[[left, top], [right, bottom]]`.
fn bounds(view: &Value) -> Option<Rect> {
    let side = |corner: usize, axis: usize| view["bounds"][corner][axis].as_f64().and_then(whole);
    Some(Rect::new(side(0, 0)?, side(0, 1)?, side(1, 0)?, side(1, 1)?))
}

fn selector(view: &Value) -> Selector {
    let part = |name: &str| view[name].as_str().filter(|text| !text.is_empty()).map(Into::into);
    let field = view["editable"].as_bool() == Some(true);
    Selector {
        id: part("resource_id"),
        text: part("text").filter(|_| !field),
        desc: part("content_description"),
        class: part("class"),
        ..Selector::default()
    }
}

/// The finger goes over four fifths of the widget: against the direction in which the content is looked at.
fn scroll(event: &Value, view: &Value) -> Result<Option<Event>, String> {
    let aim = aim(event, "", view)?;
    Ok(aim.zip(bounds(view)).and_then(|(aim, rect)| over(event, aim, rect)))
}

fn over(event: &Value, aim: Aim, rect: Rect) -> Option<Event> {
    let far = |from: i32, to: i32| whole((f64::from(to) - f64::from(from)) * 0.4);
    let (wide, high) = (far(rect.left, rect.right)?, far(rect.top, rect.bottom)?);
    let (x, y) = match event["direction"].as_str()? {
        "UP" | "up" => (0, -high),
        "DOWN" | "down" => (0, high),
        "LEFT" | "left" => (-wide, 0),
        "RIGHT" | "right" => (wide, 0),
        _ => return None,
    };
    let place = |x: i32, y: i32| Point::new(aim.at.x.saturating_add(x), aim.at.y.saturating_add(y));
    let (from, to) = (place(x, y), place(x.saturating_neg(), y.saturating_neg()));
    Some(Event::Swipe { aim: Aim { at: from, ..aim }, to, over: Micros::from_millis(SCROLL) })
}
