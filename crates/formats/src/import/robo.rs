//! Robo scripts of Firebase Test Lab: JSON, with lines that are comments and options in front of it.

use retap_trace::{Aim, Event, Key, Micros, Point, Selector, Size};
use serde_json::Value;

use super::lines::text;
use super::monkey::shell;
use super::numbers::whole;
use super::tally::Made;
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
    let mut robo = Robo { made: Made::of(given), screen: given.screen };
    match &script {
        Value::Array(all) => all.iter().for_each(|one| robo.script_or_action(one)),
        one => robo.script_or_action(one),
    }
    if let Some(what) = robo.without_screen() {
        return Err(ImportError::whole(format!(
            "{what} needs the size of the screen; add --screen WIDTHxHEIGHT"
        )));
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
}

/// What is counted of actions whose screen is not known.
const SCREENLESS: &str = "actions at a place in percent";

impl Robo {
    fn script_or_action(&mut self, value: &Value) {
        let Some(actions) = value["actions"].as_array() else { return self.action(value) };
        let stage = value["crawlStage"].as_str().unwrap_or("crawl");
        if stage != "crawl" {
            return self.made.skip_many(format!("actions of the stage {stage}"), actions.len() as u64, None);
        }
        let condition = value["contextDescriptor"]["condition"].as_str().unwrap_or("app_under_test_shown");
        if condition != "app_under_test_shown" {
            let what = format!("actions under the condition {condition}");
            return self.made.skip_many(what, actions.len() as u64, None);
        }
        for action in actions {
            self.action(action);
        }
    }

    fn action(&mut self, action: &Value) {
        let Some(kind) = action["eventType"].as_str() else {
            return self.made.skip("actions without an eventType", None);
        };
        if !action["contextDescriptor"].is_null() && kind != "ASSERTION" {
            return self.made.skip("actions under a condition", None);
        }
        match self.deed(kind, action) {
            Ok(Some(event)) => self.made.add(event),
            Ok(None) => self.made.skip(format!("actions {kind}"), None),
            Err(why) => self.made.skip(why, None),
        }
    }

    /// The event that an action is; nothing when it is none.
    fn deed(&mut self, kind: &str, action: &Value) -> Result<Option<Event>, String> {
        let delay = || Micros::from_millis(number(&action["delayTime"]).unwrap_or(0));
        Ok(Some(match kind {
            "VIEW_CLICKED" | "LIST_ITEM_CLICKED" => Event::Tap(self.aim(kind, action)?),
            "VIEW_LONG_CLICKED" | "LIST_ITEM_LONG_CLICKED" => {
                Event::LongTap { aim: self.aim(kind, action)?, hold: LONG_CLICK }
            }
            "VIEW_TEXT_CHANGED" | "ENTER_TEXT" => {
                let text = action["replacementText"].as_str().unwrap_or_default().to_owned();
                Event::Text { text, widget: Some(self.widget(kind, action)?) }
            }
            "VIEW_SWIPED" => self.swipe(action)?,
            "POINT_TAP" => Event::Tap(Aim::place(self.place(action)?)),
            "PRESSED_BACK" => Event::key(Key::BACK),
            "PRESSED_EDITOR_ACTION" => Event::key(Key::ENTER),
            "GO_HOME" => Event::key(Key::HOME),
            "WAIT" | "DELAYED_MESSAGE_POSTED" => Event::Wait { time: delay() },
            "ADB_SHELL_COMMAND" => {
                let command = action["command"].as_str().unwrap_or_default();
                let package = self.made.package.clone().unwrap_or_else(|| PACKAGE.to_owned());
                let command = command.replace(PACKAGE, &package);
                return Ok(shell(&command, Some(&package)));
            }
            _ => return Ok(None),
        }))
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
        if widget.named() {
            return Ok(widget);
        }
        let regex = ["resourceIdRegex", "textRegex", "contentDescriptionRegex"]
            .iter()
            .any(|name| !descriptor[*name].is_null());
        let how = match (regex, action["visionText"].is_null()) {
            (true, _) => "by a regular expression",
            (_, false) => "by what is read in a picture",
            _ => "by class and position alone",
        };
        Err(format!("actions {kind} that name their widget {how}"))
    }

    fn place(&mut self, action: &Value) -> Result<Point, String> {
        let pixel = |name: &str| action[name].as_f64().and_then(whole);
        if let (Some(x), Some(y)) = (pixel("pointTapXCoordinate"), pixel("pointTapYCoordinate")) {
            return Ok(Point::new(x, y));
        }
        let percent = |name: &str| action[name].as_f64().filter(|percent| (0.0..=100.0).contains(percent));
        let (Some(x), Some(y)) = (percent("pointTapXPercent"), percent("pointTapYPercent")) else {
            return Err("actions POINT_TAP without a place".to_owned());
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
            _ => return Err("actions VIEW_SWIPED without a direction".to_owned()),
        };
        let place = |x: i32, y: i32| Point::new(middle.x.saturating_add(x), middle.y.saturating_add(y));
        Ok(Event::Swipe { aim: Aim::place(place(-x, -y)), to: place(x, y), over: SWIPE })
    }

    /// What was left out for want of a screen.
    fn without_screen(&self) -> Option<&'static str> {
        self.made.has_skipped(SCREENLESS).then_some("a tap at a place in percent, or a swipe in a direction,")
    }
}

/// A number, also where it is written as a text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
