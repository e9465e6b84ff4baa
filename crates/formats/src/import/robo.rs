//! Robo scripts of Firebase Test Lab: JSON, with lines that are comments and options in front of it.

use retap_trace::{Aim, Event, Key, Micros, Point, Selector, Size};
use serde_json::Value;

use super::lines::text;
use super::monkey::shell;
use super::numbers::{whole, whole_millis};
use super::tally::{Made, OPTIONAL};
use super::{ImportError, ImportInput, ImportOptions, Importer};

pub(super) const IMPORTER: Importer =
    Importer { name: "robo", about: "a Robo script of Firebase Test Lab (JSON)", sniff, read };

/// How long a long click is held, and how long a swipe takes.
const LONG_CLICK: Micros = Micros::from_millis(1_000);
const SWIPE: Micros = Micros::from_millis(400);
/// What stands for the app's package.
const PACKAGE: &str = "__%APP_PACKAGE_NAME%__";

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    let text = text(&input.bytes[..input.bytes.len().min(1 << 18)]);
    (text.contains("\"eventType\"") && (text.contains('[') || text.contains("\"actions\"")))
        .then_some("it is JSON with an 'eventType'")
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Result<Made, ImportError> {
    let text = text(input.bytes);
    let json = without_comments(&text);
    let json = without_options(json);
    let script: Value = serde_json::from_str(&json)
        .map_err(|error| ImportError::at(error.line(), format!("it is no JSON: {error}")))?;
    let mut robo = Robo { made: Made::of(given), screen: given.screen, number: 0 };
    match &script {
        Value::Array(all) => all.iter().try_for_each(|one| robo.script_or_action(one))?,
        one => robo.script_or_action(one)?,
    }
    Ok(robo.made)
}

/// A line that begins with `#` or `//` is a comment. Lines keep their numbers.
fn without_comments(text: &str) -> String {
    let kept = |line: &str| {
        let comment = ["#", "//"].iter().any(|mark| line.trim_start().starts_with(mark));
        if comment { String::new() } else { line.to_owned() }
    };
    text.split('\n').map(kept).collect::<Vec<_>>().join("\n")
}

/// `"roboscript": {..}` may stand in front, which is no JSON. Lines keep their numbers.
fn without_options(text: String) -> String {
    let rest = text.trim_start();
    let Some(options) =
        rest.strip_prefix("\"roboscript\"").and_then(|rest| rest.trim_start().strip_prefix(':'))
    else {
        return text;
    };
    let mut all = serde_json::Deserializer::from_str(options).into_iter::<Value>();
    if !matches!(all.next(), Some(Ok(_))) {
        return text;
    }
    let (before, script) = text.split_at(text.len() - options.len() + all.byte_offset());
    "\n".repeat(before.matches('\n').count()) + script
}

struct Robo {
    made: Made,
    screen: Option<Size>,
    /// Which action of the file is read, from 1: JSON that was read has no lines.
    number: usize,
}

/// What does nothing to the app.
const LOOKS: [&str; 2] = ["ASSERTION", "TAKE_SCREENSHOT"];
/// The condition that always holds: retap stays in the app.
const SHOWN: &str = "app_under_test_shown";
const SCREENLESS: &str =
    "a place in percent, or a swipe in a direction, needs the size of the screen; add --screen WIDTHxHEIGHT";

const ON_WIDGET: &str =
    "it swipes over a widget, and retap swipes over the screen; leave elementDescriptors out for that";
/// All rows may have the same widgets, also with the same texts.
const IN_ROW: &str = "it stands in a row that is named by its position in a list, where retap takes the first widget of its \
    name; leave the position out if no other row has that name";
const TIMELESS: &str = "it does not say how long; write whole milliseconds as delayTime";

impl Robo {
    fn script_or_action(&mut self, value: &Value) -> Result<(), ImportError> {
        let Some(actions) = value["actions"].as_array() else { return self.action(value) };
        let stage = value["crawlStage"].as_str().unwrap_or("crawl");
        for action in actions {
            match stage {
                "crawl" => under(&value["contextDescriptor"], self.number + 1)?,
                // They come after everything that the trace has.
                "post_crawl" => {
                    self.made.skip("actions of the stage post_crawl", None);
                    self.number += 1;
                    continue;
                }
                _ => {
                    let why = format!("the stage {stage} is not performed; leave its actions out");
                    return Err(refused(self.number + 1, &why));
                }
            }
            self.action(action)?;
        }
        Ok(())
    }

    /// What does nothing to the app is skipped; what retap cannot do is refused, because a script without it would be
    /// another script.
    fn action(&mut self, action: &Value) -> Result<(), ImportError> {
        self.number += 1;
        let Some(kind) = action["eventType"].as_str() else {
            return Err(refused(self.number, "it has no eventType; leave it out"));
        };
        if LOOKS.contains(&kind) {
            self.made.skip(format!("actions {kind}"), None);
            return Ok(());
        }
        under(&action["contextDescriptor"], self.number)?;
        let number = self.number;
        let event = self.deed(kind, action).map_err(|why| refused(number, &format!("{kind}: {why}")))?;
        if action["optional"].as_bool() == Some(true) {
            self.made.skip(OPTIONAL, None);
        }
        self.made.add(event);
        Ok(())
    }

    /// The event that an action is.
    fn deed(&mut self, kind: &str, action: &Value) -> Result<Event, String> {
        Ok(match kind {
            "VIEW_CLICKED" | "LIST_ITEM_CLICKED" => Event::Tap(self.aim(kind, action)?),
            "VIEW_LONG_CLICKED" | "LIST_ITEM_LONG_CLICKED" => {
                Event::LongTap { aim: self.aim(kind, action)?, hold: LONG_CLICK }
            }
            "VIEW_TEXT_CHANGED" | "ENTER_TEXT" => {
                let text = action["replacementText"].as_str().ok_or("it has no text; add replacementText")?;
                Event::Text { text: text.to_owned(), widget: Some(self.widget(kind, action)?) }
            }
            "VIEW_SWIPED" => {
                let widgets = &action["elementDescriptors"];
                if !action["visionText"].is_null()
                    || !widgets.is_null() && widgets != &Value::Array(Vec::new())
                {
                    return Err(ON_WIDGET.to_owned());
                }
                self.swipe(action)?
            }
            "POINT_TAP" => Event::Tap(Aim::place(self.place(action)?)),
            "PRESSED_BACK" => Event::key(Key::BACK),
            "PRESSED_EDITOR_ACTION" => Event::key(Key::ENTER),
            "GO_HOME" => Event::key(Key::HOME),
            "WAIT" | "DELAYED_MESSAGE_POSTED" => {
                let delay = millis(&action["delayTime"]).ok_or(TIMELESS)?;
                Event::Wait { time: Micros::from_millis(delay) }
            }
            "ADB_SHELL_COMMAND" => {
                let command = action["command"].as_str().unwrap_or_default();
                let package = self.made.package.clone().unwrap_or_else(|| PACKAGE.to_owned());
                let command = command.replace(PACKAGE, &package);
                if !command.chars().all(is_plain) {
                    return Err(format!("retap is no shell, which '{command}' needs; leave it out"));
                }
                let unknown = || format!("retap has no event for '{command}'; leave it out");
                shell(&command, Some(&package)).ok_or_else(unknown)?
            }
            _ => return Err("retap has no such event; leave it out".to_owned()),
        })
    }

    fn aim(&mut self, kind: &str, action: &Value) -> Result<Aim, String> {
        self.widget(kind, action).map(Aim::anywhere)
    }

    /// The first descriptor is of the widget, the others are of what it stands in.
    fn widget(&mut self, kind: &str, action: &Value) -> Result<Selector, String> {
        let descriptor = &action["elementDescriptors"][0];
        let part = |name: &str| descriptor[name].as_str().filter(|text| !text.is_empty()).map(Into::into);
        let mut widget = Selector {
            id: part("resourceId"),
            text: part("text"),
            desc: part("contentDescription"),
            ..Selector::default()
        };
        if kind == "VIEW_TEXT_CHANGED" {
            // The text of a field is its hint while it is empty.
            widget.hint = widget.text.take();
        }
        let of_app = widget.id.as_deref().and_then(|id| id.split_once(":id/")).map(|(package, _)| package);
        if let Some(package) = of_app.filter(|package| *package != "android" && self.made.package.is_none()) {
            self.made.package = Some(package.to_owned());
        }
        if is_row(descriptor) && part("text").is_none() && widget.desc.is_none() {
            return Err("the row is named by its position in a list; name it by its text".to_owned());
        }
        let around = action["elementDescriptors"].as_array().and_then(|all| all.get(1..));
        if around.is_some_and(|around| around.iter().any(is_row)) {
            return Err(IN_ROW.to_owned());
        }
        if widget.named() {
            return Ok(widget);
        }
        let regex = ["resourceIdRegex", "textRegex", "contentDescriptionRegex"]
            .iter()
            .any(|name| !descriptor[*name].is_null());
        let how = match (regex, action["visionText"].is_null()) {
            (true, _) => "by a regular expression",
            (_, false) => "by what is read in a picture",
            _ => "by class and position alone, or not at all",
        };
        Err(format!("the widget is named {how}; name it by its id, text or description"))
    }

    fn place(&mut self, action: &Value) -> Result<Point, String> {
        let told = ["pointTapXCoordinate", "pointTapYCoordinate"].map(|name| &action[name]);
        if let [Some(x), Some(y)] = told.map(|told| told.as_f64().and_then(whole)) {
            return Ok(Point::new(x, y));
        }
        if let Some(wrong) =
            told.iter().find(|told| !told.is_null() && told.as_f64().and_then(whole).is_none())
        {
            return Err(format!("{wrong} is no coordinate; write a number"));
        }
        let percent = |name: &str| action[name].as_f64().filter(|percent| (0.0..=100.0).contains(percent));
        let (Some(x), Some(y)) = (percent("pointTapXPercent"), percent("pointTapYPercent")) else {
            return Err("it has no place; add pointTapXCoordinate and pointTapYCoordinate".to_owned());
        };
        let screen = self.screen.ok_or(SCREENLESS)?;
        let part = |percent: f64, pixels: u32| whole(percent * f64::from(pixels) / 100.0).unwrap_or(0);
        Ok(Point::new(part(x, screen.width), part(y, screen.height)))
    }

    /// Over the middle half of the screen.
    fn swipe(&mut self, action: &Value) -> Result<Event, String> {
        let screen = self.screen.ok_or(SCREENLESS)?;
        let middle = screen.rect().center();
        let (wide, high) = (middle.x / 2, middle.y / 2);
        let (x, y) = match action["swipeDirection"].as_str().unwrap_or_default().to_lowercase().as_str() {
            "up" => (0, -high),
            "down" => (0, high),
            "left" | "forward" => (-wide, 0),
            "right" | "backward" => (wide, 0),
            _ => return Err("it has no direction; add swipeDirection".to_owned()),
        };
        let place = |x: i32, y: i32| Point::new(middle.x.saturating_add(x), middle.y.saturating_add(y));
        Ok(Event::Swipe { aim: Aim::place(place(-x, -y)), to: place(x, y), over: SWIPE })
    }
}

/// Whether a descriptor tells the position of a row in a list.
fn is_row(descriptor: &Value) -> bool {
    ["recyclerViewChildPosition", "adapterViewChildPosition"].iter().any(|name| {
        let position = &descriptor[*name];
        !position.is_null() && position.as_f64().is_none_or(|position| position >= 0.0)
    })
}

/// Refuses what is done under a condition.
fn under(descriptor: &Value, number: usize) -> Result<(), ImportError> {
    let means_nothing = |(name, value): &(&String, &Value)| {
        *name == "condition" || *name == "negateCondition" && **value == Value::Bool(false)
    };
    let fields = descriptor.as_object();
    let more = fields.and_then(|fields| fields.iter().find(|field| !means_nothing(field)));
    let what = match (descriptor["condition"].as_str(), more) {
        _ if descriptor.is_null() => return Ok(()),
        (Some(SHOWN), None) => return Ok(()),
        (Some(SHOWN), Some((name, _))) => format!("{name} of the condition {SHOWN}"),
        (Some(condition), _) => format!("the condition {condition}"),
        (None, _) => "a contextDescriptor without a condition".to_owned(),
    };
    Err(refused(number, &format!("{what} is not looked at; leave it out, or what is under it")))
}

fn refused(number: usize, why: &str) -> ImportError {
    ImportError::whole(format!("action {number}: {why}"))
}

/// Whole milliseconds, also as `1500.0` and where they are written as a text.
fn millis(value: &Value) -> Option<u64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    whole_millis(number)
}

/// Whether a letter means itself to a shell, wherever it stands.
fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || " %+,-./:=@_".contains(letter)
}
