//! The commands of a flow. What does nothing to the app is skipped; what retap cannot do is refused by name, because a
//! flow without it would be another flow.

use retap_trace::{Aim, Aiming, Event, Key, Micros, Orientation, Point, Start, SystemEvent};

use super::yaml::{Node, Yaml};
use super::{Erased, Flow, Launch};
use crate::import::ImportError;
use crate::import::tally::OPTIONAL;

/// Maestro holds a long press for so long.
const LONG_PRESS: Micros = Micros::from_millis(3_000);
/// How long a swipe takes that does not say it.
const SWIPE: u64 = 400;
/// How long Maestro looks for a widget.
const LOOKUP: u64 = 17_000;
/// What our own exporter waits for when it waits for a time.
const NOTHING: &str = "nothing has this id";
/// Who deletes so many characters wants the field empty, as our own exporter does.
const ALL: u64 = 256;

/// What does nothing to the app.
const LOOKS: [&str; 7] = [
    "takeScreenshot",
    "startRecording",
    "stopRecording",
    "waitForAnimationToEnd",
    "clearKeychain",
    "setPermissions",
    "extractTextWithAI",
];

/// What retap cannot do, and what to do about it.
const REFUSED: &[(&str, &str)] = &[
    ("evalScript", "scripts are not run; leave it out, or write what it does as commands"),
    ("runScript", "scripts are not run; leave it out, or write what it does as commands"),
    (
        "scrollUntilVisible",
        "how often it scrolls depends on what is seen; write 'scroll' as often as it takes",
    ),
    ("inputRandomEmail", "it types something else each time; write inputText"),
    ("inputRandomPersonName", "it types something else each time; write inputText"),
    ("inputRandomNumber", "it types something else each time; write inputText"),
    ("inputRandomText", "it types something else each time; write inputText"),
    ("inputRandomCityName", "it types something else each time; write inputText"),
    ("inputRandomCountryName", "it types something else each time; write inputText"),
    ("inputRandomColorName", "it types something else each time; write inputText"),
    ("copyTextFrom", "retap has no clipboard; write the text with inputText"),
    ("pasteText", "retap has no clipboard; write the text with inputText"),
    ("setClipboard", "retap has no clipboard; write the text with inputText"),
    ("setLocation", "retap cannot move the device"),
    ("travel", "retap cannot move the device"),
    ("addMedia", "retap puts no files on the device"),
    ("toggleAirplaneMode", "it depends on how it was before; write setAirplaneMode"),
    ("setDarkMode", "retap does not change the device's theme"),
    ("toggleDarkMode", "retap does not change the device's theme"),
];

/// The fields of commands that are read. Those that name a widget look at their fields themselves.
const FIELDS: &[(&str, &[&str])] = &[
    ("launchApp", &["appId", "clearState", "clearKeychain", "stopApp", "permissions", "arguments"]),
    ("stopApp", &["appId"]),
    ("killApp", &["appId"]),
    ("clearState", &["appId"]),
    ("runFlow", &["file", "commands", "when", "env"]),
    ("repeat", &["times", "while", "commands"]),
    ("retry", &["maxRetries", "file", "commands", "env"]),
    ("inputText", &["text"]),
    ("eraseText", &["charactersToErase"]),
    ("pressKey", &["key"]),
    ("back", &[]),
    ("hideKeyboard", &[]),
    ("scroll", &[]),
    ("swipe", &["direction", "start", "end", "from", "duration", "waitToSettleTimeoutMs"]),
    ("setOrientation", &["orientation"]),
    // It goes on behind its wait, whether or not it is optional.
    ("extendedWaitUntil", &["visible", "notVisible", "timeout", "optional"]),
    ("openLink", &["link"]),
    ("setAirplaneMode", &["value"]),
];
/// What our own exporter waits for in the end: Android says that the app has stopped.
const STOPPED: &str = ".*(has stopped|keeps stopping|isn.t responding).*";

const KEYS: &[(&str, Key)] = &[
    ("home", Key::HOME),
    ("back", Key::BACK),
    ("enter", Key::ENTER),
    ("backspace", Key::DELETE),
    ("volume up", Key::VOLUME_UP),
    ("volume down", Key::VOLUME_DOWN),
    ("power", Key::POWER),
    ("lock", Key::POWER),
    ("escape", Key::ESCAPE),
    ("tab", Key::TAB),
    ("remote menu", Key::MENU),
    ("remote dpad up", Key::DPAD_UP),
    ("remote dpad down", Key::DPAD_DOWN),
    ("remote dpad left", Key::DPAD_LEFT),
    ("remote dpad right", Key::DPAD_RIGHT),
    ("remote dpad center", Key::DPAD_CENTER),
    ("remote media play pause", Key::MEDIA_PLAY_PAUSE),
];

impl Flow<'_> {
    /// Says how the trace begins where the flow does not launch the app first.
    pub(super) fn tell_beginning(&mut self) {
        let what = match self.launch {
            Launch::First => return,
            Launch::Late => "the flow launches the app only after other commands",
            Launch::NotYet => "the flow does not launch the app",
        };
        self.made.note(format!("{what}; the trace begins with the app launched"));
    }

    /// A list of commands.
    pub(super) fn commands(&mut self, list: &Node) -> Result<(), ImportError> {
        let Yaml::List(commands) = &list.value else {
            if list.value == Yaml::Null {
                return Ok(());
            }
            return Err(self.refused(list.line, "a list of commands is expected, each behind a '-'"));
        };
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, node: &Node) -> Result<(), ImportError> {
        self.spend(1)?;
        let nothing = Node { line: node.line, value: Yaml::Null };
        let (name, value) = match &node.value {
            Yaml::Text(name) => (name.as_str(), &nothing),
            Yaml::Map(fields) if fields.len() == 1 => (fields[0].0.as_str(), &fields[0].1),
            _ => {
                return Err(self.refused(
                    node.line,
                    "a command is a name, or a name with a colon and what belongs to it",
                ));
            }
        };
        if name.starts_with("assert") {
            self.made.skip(format!("{name} (retap looks for crashes)"), Some(node.line));
            return Ok(());
        }
        if LOOKS.contains(&name) {
            self.made.skip(name, Some(node.line));
            return Ok(());
        }
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(self.refused(node.line, format!("{name}: {why}")));
        }
        self.known_fields(name, value)?;
        let erased = std::mem::replace(&mut self.erased, Erased::Nothing);
        match name {
            "launchApp" => return self.launch(value),
            "stopApp" | "killApp" | "clearState" => return self.stop(name, value),
            "runFlow" | "repeat" | "retry" => return self.nested(name, value),
            _ => {}
        }
        self.begin();
        self.deed(name, value, erased)
    }

    /// Refuses a field that is not read: the command does something else with it.
    fn known_fields(&mut self, command: &str, value: &Node) -> Result<(), ImportError> {
        let Some((_, known)) = FIELDS.iter().find(|(name, _)| *name == command) else { return Ok(()) };
        for (name, field) in value.fields().iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            match name.as_str() {
                "label" => {}
                "optional" => self.optional(command, field)?,
                _ => {
                    let why = format!("{command} with the field '{name}', which is not read; leave it out");
                    return Err(self.refused(field.line, why));
                }
            }
        }
        Ok(())
    }

    /// Every command may be one that need not succeed.
    pub(super) fn optional(&mut self, command: &str, value: &Node) -> Result<(), ImportError> {
        if self.switch_of(&format!("{command}.optional"), Some(value))? == Some(true) {
            self.made.skip(OPTIONAL, Some(value.line));
        }
        Ok(())
    }

    /// A command that does something to the app as it runs.
    fn deed(&mut self, name: &str, value: &Node, erased: Erased) -> Result<(), ImportError> {
        match name {
            "tapOn" => self.tap(value)?,
            "doubleTapOn" => {
                let aim = self.aim(name, value)?;
                self.made.add(Event::DoubleTap(aim));
            }
            "longPressOn" => {
                let aim = self.aim(name, value)?;
                self.made.add(Event::LongTap { aim, hold: LONG_PRESS });
            }
            "inputText" => self.input(value, erased)?,
            "eraseText" => self.erase(value)?,
            "pressKey" => self.press(value)?,
            "back" => self.made.key(Key::BACK),
            "hideKeyboard" => {
                self.made.key(Key::ESCAPE);
                self.made.note("hideKeyboard is imported as the key escape, which an app may hear as well");
            }
            "scroll" => {
                let swipe = self.swipe_towards(value.line, "UP", SWIPE)?;
                self.made.add(swipe);
            }
            "swipe" => self.swipe(value)?,
            "setOrientation" => self.rotate(value)?,
            "extendedWaitUntil" => self.wait(value)?,
            "openLink" => {
                let link = self.plain(value.field("link").unwrap_or(value))?;
                let extras = [("action", "android.intent.action.VIEW"), ("data", &*link)];
                self.system("am:start", &extras);
            }
            "setAirplaneMode" => {
                let mode = self.plain(value.field("value").unwrap_or(value))?;
                let state = match mode.to_ascii_lowercase().as_str() {
                    "enabled" => "true",
                    "disabled" => "false",
                    _ => {
                        let what = format!("setAirplaneMode: '{mode}'; write enabled or disabled");
                        return Err(self.refused(value.line, what));
                    }
                };
                self.system("android.intent.action.AIRPLANE_MODE", &[("state", state)]);
            }
            _ => {
                return Err(
                    self.refused(value.line, format!("retap knows no command '{name}'; leave it out"))
                );
            }
        }
        Ok(())
    }

    fn system(&mut self, action: &str, extras: &[(&str, &str)]) {
        let extras = extras.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.made.add(Event::System(SystemEvent { action: action.to_owned(), extras }));
    }

    /// The first thing that is done: how the trace begins is then known.
    fn begin(&mut self) {
        if !self.begun && self.made.start.is_none() {
            self.made.start = Some(Start::Launched);
            self.launch = Launch::NotYet;
        }
        self.begun = true;
    }

    fn launch(&mut self, value: &Node) -> Result<(), ImportError> {
        let clear = self.switch_of("launchApp.clearState", value.field("clearState"))?.unwrap_or(false);
        let stop = self.switch_of("launchApp.stopApp", value.field("stopApp"))?.unwrap_or(true);
        self.own_app("launchApp", value.field("appId").or(Some(value)))?;
        if let Some(arguments) = value.field("arguments") {
            return Err(self.refused(
                arguments.line,
                "launchApp with arguments; retap launches the app as a launcher does",
            ));
        }
        if let Some(permissions) = value.field("permissions") {
            self.made.skip("permissions of launchApp", Some(permissions.line));
        }
        if self.launch == Launch::NotYet {
            self.launch = Launch::Late;
        }
        if !self.begun {
            self.begun = true;
            self.made.start = Some(Start::Launched);
            if !clear && !self.cleared {
                self.made
                    .note("the flow keeps the app's data; the trace begins with the app freshly installed");
            }
            return Ok(());
        }
        if clear {
            return Err(self.refused(
                value.line,
                "launchApp clears the app's data in the middle of the flow; retap does so at the start only",
            ));
        }
        if stop {
            self.made.add(Event::system("am:force-stop"));
        }
        self.made.add(Event::Launch);
        Ok(())
    }

    fn stop(&mut self, name: &str, value: &Node) -> Result<(), ImportError> {
        self.own_app(name, value.field("appId").or(Some(value)))?;
        if !self.begun {
            self.made.start = Some(Start::Stopped);
            self.cleared |= name == "clearState";
        } else if name == "clearState" {
            return Err(self.refused(
                value.line,
                "clearState in the middle of the flow; retap clears at the start only",
            ));
        } else {
            self.made.add(Event::system("am:force-stop"));
        }
        Ok(())
    }

    /// Refuses a command for another app.
    fn own_app(&self, command: &str, named: Option<&Node>) -> Result<(), ImportError> {
        let Some(node) = named.filter(|node| node.text().is_some()) else { return Ok(()) };
        let app = self.plain(node)?;
        if self.made.package.as_ref().is_some_and(|own| *own != app) {
            return Err(self.refused(node.line, format!("{command}: {app} is another app; retap drives one")));
        }
        Ok(())
    }

    fn nested(&mut self, name: &str, value: &Node) -> Result<(), ImportError> {
        if value.text().is_some() && name == "runFlow" {
            return self.run_file(value);
        }
        if let Some(condition) = value.field("while") {
            return Err(self.refused(condition.line, "repeat while: conditions are not read; write 'times'"));
        }
        if let Some(condition) = value.field("when")
            && !self.when(name, condition)?
        {
            return Ok(());
        }
        if let Some(env) = value.field("env").filter(|env| !env.fields().is_empty()) {
            return Err(
                self.refused(env.line, format!("{name} with env: it is for scripts, which are not run"))
            );
        }
        let times = match self.number_of("times", value.field("times"))? {
            Some(times) => times,
            None if name == "repeat" => return Err(self.refused(value.line, "repeat without 'times'")),
            None => 1,
        };
        for _ in 0..times {
            self.spend(1)?;
            match (value.field("file"), value.field("commands")) {
                (Some(file), _) => self.run_file(file)?,
                (None, Some(commands)) => self.commands(commands)?,
                (None, None) => return Err(self.refused(value.line, format!("{name} without commands"))),
            }
        }
        Ok(())
    }

    /// Whether a condition holds. Only the platform is known beforehand.
    fn when(&mut self, name: &str, condition: &Node) -> Result<bool, ImportError> {
        let [(what, platform)] = condition.fields() else {
            return Err(self.refused(
                condition.line,
                format!("{name} when: conditions are not read; leave it out, or the condition"),
            ));
        };
        if what != "platform" {
            let why = format!("{name} when {what}: conditions are not read; leave it out, or the condition");
            return Err(self.refused(condition.line, why));
        }
        let android = self.plain(platform)?.eq_ignore_ascii_case("android");
        if !android {
            self.made.skip(format!("{name} for another platform"), Some(condition.line));
        }
        Ok(android)
    }

    fn tap(&mut self, value: &Node) -> Result<(), ImportError> {
        let aim = self.aim("tapOn", value)?;
        let times = self.number_of("tapOn.repeat", value.field("repeat"))?.unwrap_or(1);
        let delay = self.number_of("tapOn.delay", value.field("delay"))?;
        for nth in 0..times {
            self.spend(1)?;
            if let Some(delay) = delay.filter(|_| nth > 0) {
                self.made.add(Event::Wait { time: Micros::from_millis(delay) });
            }
            self.made.add(Event::Tap(aim.clone()));
        }
        Ok(())
    }

    /// Typing adds to what stands in the field; retap types in its place. After eraseText the two are the same.
    fn input(&mut self, value: &Node, erased: Erased) -> Result<(), ImportError> {
        let text = self.plain(value.field("text").unwrap_or(value))?;
        let single = text.chars().next().filter(|_| text.chars().count() == 1);
        let key = single.and_then(|letter| (7..=62).map(Key).find(|key| key.char() == Some(letter)));
        if erased == Erased::All
            && let Some(Event::Text { text: typed, .. }) = self.made.last_mut().map(|step| &mut step.event)
        {
            *typed = text;
        } else if let Some(key) = key {
            self.made.key(key);
        } else {
            self.made.add(Event::text(text));
            self.made.note(match erased {
                Erased::Some => {
                    "inputText after eraseText of some characters: retap types in place of what is left in the field"
                }
                _ => "inputText without eraseText: retap types in place of what stands in the field",
            });
        }
        Ok(())
    }

    /// Without a number, or with one that no field is thought to have, everything goes. A tap on a field and then emptying it is typing nothing into it.
    fn erase(&mut self, value: &Node) -> Result<(), ImportError> {
        let count = if value.fields().is_empty() { Some(value) } else { value.field("charactersToErase") };
        let count = self.number_of("eraseText", count)?;
        if let Some(count) = count.filter(|count| *count < ALL) {
            for _ in 0..count {
                self.made.key(Key::DELETE);
            }
            self.erased = Erased::Some;
            return Ok(());
        }
        let tapped = match self.made.last_mut().map(|step| &step.event) {
            Some(Event::Tap(Aim { widget: Some(widget), by: Aiming::Widget, .. })) => Some(widget.clone()),
            _ => None,
        };
        if tapped.is_some() {
            self.made.pop();
        }
        self.made.add(Event::Text { text: String::new(), widget: tapped });
        self.erased = Erased::All;
        Ok(())
    }

    fn press(&mut self, value: &Node) -> Result<(), ImportError> {
        let name = self.plain(value.field("key").unwrap_or(value))?;
        let known = KEYS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
        let Some((_, key)) = known else {
            return Err(self.refused(value.line, format!("retap knows no key '{name}'")));
        };
        self.made.key(*key);
        Ok(())
    }

    fn swipe(&mut self, value: &Node) -> Result<(), ImportError> {
        let over = self.number_of("swipe.duration", value.field("duration"))?.unwrap_or(SWIPE);
        let direction = value.field("direction").map(|node| self.plain(node)).transpose()?;
        let event = match (value.field("start"), value.field("end"), direction, value.field("from")) {
            (Some(start), Some(end), ..) => {
                let (from, to) = (self.plain(start)?, self.plain(end)?);
                let aim = Aim::place(self.point(start.line, &from)?);
                Event::Swipe { aim, to: self.point(end.line, &to)?, over: Micros::from_millis(over) }
            }
            (_, _, Some(direction), Some(from)) => {
                if let Some(point) = from.field("point") {
                    return Err(
                        self.refused(point.line, "swipe from a point of a widget; retap aims at its middle")
                    );
                }
                let widget = self.widget("swipe", from)?;
                let mut swipe = self.swipe_towards(value.line, &direction, over)?;
                if let Some(aim) = swipe.aim_mut() {
                    *aim = Aim::widget(aim.at, widget);
                }
                swipe
            }
            (_, _, Some(direction), None) => self.swipe_towards(value.line, &direction, over)?,
            _ => return Err(self.refused(value.line, "a swipe has a direction, or a start and an end")),
        };
        self.made.add(event);
        Ok(())
    }

    /// From where to where Maestro swipes.
    fn swipe_towards(&self, line: usize, direction: &str, over: u64) -> Result<Event, ImportError> {
        let screen = self.screen(line, "a swipe in a direction")?.rect();
        let part = |percent: i64, of: i32| i32::try_from(i64::from(of) * percent / 100).unwrap_or(i32::MAX);
        let at = |x: i64, y: i64| Point::new(part(x, screen.right), part(y, screen.bottom));
        let (from, to) = match direction.to_ascii_uppercase().as_str() {
            "UP" => (at(50, 50), at(50, 10)),
            "DOWN" => (at(50, 20), at(50, 90)),
            "LEFT" => (at(90, 50), at(10, 50)),
            "RIGHT" => (at(10, 50), at(90, 50)),
            _ => {
                return Err(self
                    .refused(line, format!("'{direction}' is no direction; write UP, DOWN, LEFT or RIGHT")));
            }
        };
        Ok(Event::Swipe { aim: Aim::place(from), to, over: Micros::from_millis(over) })
    }

    fn rotate(&mut self, value: &Node) -> Result<(), ImportError> {
        let name = self.plain(value.field("orientation").unwrap_or(value))?.to_ascii_uppercase();
        let to = match name.as_str() {
            "PORTRAIT" | "UPSIDE_DOWN" => Orientation::Portrait,
            "LANDSCAPE_LEFT" | "LANDSCAPE_RIGHT" => Orientation::Landscape,
            _ => return Err(self.refused(value.line, format!("'{name}' is no orientation"))),
        };
        self.made.add(Event::Rotate { to });
        Ok(())
    }

    /// Waiting for a widget at most so long. What happens by itself in that time has then happened.
    fn wait(&mut self, value: &Node) -> Result<(), ImportError> {
        let visible = |name: &str| value.field("visible")?.field(name)?.text();
        if visible("text") == Some(STOPPED) {
            let what = "extendedWaitUntil for Android's words of a crash (retap looks for crashes)";
            self.made.skip(what, Some(value.line));
            return Ok(());
        }
        let time = self.number_of("extendedWaitUntil.timeout", value.field("timeout"))?.unwrap_or(LOOKUP);
        self.made.add(Event::Wait { time: Micros::from_millis(time) });
        if visible("id") != Some(NOTHING) {
            self.made.note("extendedWaitUntil waits for its whole timeout; a reduction makes waits shorter");
        }
        Ok(())
    }
}
