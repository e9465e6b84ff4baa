//! Scripts of Android's Monkey (`monkey -f FILE`): a header, `start data >>`, and a statement on each line.

use retap_trace::{Aim, Event, Key, Micros, Orientation, Point, SystemEvent};

use super::finger::{Finger, LONG, TouchAction, pinched};
use super::keys::HeldKeys;
use super::lines::{from_mark, in_brackets, numbered, text};
use super::numbers::{millis, pixel, point};
use super::tally::Made;
use super::{ImportInput, ImportOptions, Importer};

pub(super) const IMPORTER: Importer = Importer {
    name: "monkey",
    about: "a script for Android's Monkey (monkey -f)",
    sniff,
    read: |input, given| Ok(read(input, given)),
};

/// The end of the header.
const START: &str = "start data >>";
/// How long a drag takes from one of its steps to the next.
pub(super) const DRAG_STEP: Micros = Micros::from_millis(5);
/// How long `ProfileWait` waits, and for how long the device sleeps before `DeviceWakeUp`.
const PROFILE_WAIT: Micros = Micros::from_millis(5_000);

/// How long a swipe of `input swipe` takes that does not say it.
const INPUT_SWIPE: Micros = Micros::from_millis(300);

/// What the Monkey does besides driving the app; nothing of it is an event.
const MEASURING: [&str; 6] = [
    "PowerLog",
    "WriteLog",
    "StartCaptureFramerate",
    "EndCaptureFramerate",
    "StartCaptureAppFramerate",
    "EndCaptureAppFramerate",
];

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    (is_script(input.bytes) && !super::simplydroid::is_script(input))
        .then_some("it has the line 'start data >>'")
}

/// Whether the header of a script stands in the text.
pub(super) fn is_script(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    numbered(&text(head)).any(|(_, line)| is_start(line))
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Made {
    let mut script = Script::new(Made::of(given), DRAG_STEP, true);
    for (number, line) in statements(&text(input.bytes)) {
        script.line(number, line);
    }
    script.end()
}

/// The lines behind the header, where there is one, but for comments and empty ones.
pub(super) fn statements(script: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = numbered(script);
    let begin = lines.position(|(_, line)| is_start(line)).map_or(0, |at| at + 1);
    let said = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('#');
    numbered(script).skip(begin).filter(move |(_, line)| said(line))
}

fn is_start(line: &str) -> bool {
    line.trim().ends_with(START)
}

/// The activity by which the app was launched first.
#[derive(Default)]
pub(super) struct Launches(Option<String>);

impl Launches {
    /// The start of an activity. Nothing tells which one of the app a launcher starts: it is taken to be the first one.
    pub(super) fn start(&mut self, app: &str, package: &str, activity: &str) -> Event {
        let activity = match activity.strip_prefix('.') {
            Some(rest) => format!("{package}.{rest}"),
            None => activity.to_owned(),
        };
        if app == package && *self.0.get_or_insert_with(|| activity.clone()) == activity {
            return Event::Launch;
        }
        let extras = [("component".to_owned(), format!("{package}/{activity}"))].into();
        Event::System(SystemEvent { action: "am:start".to_owned(), extras })
    }
}

/// The statements of a script, line after line.
pub(super) struct Script {
    made: Made,
    finger: Finger,
    held: HeldKeys,
    /// The time of the finger's last touch, and how long the Monkey has waited since.
    touched: Micros,
    waited: Micros,
    launches: Launches,
    /// How long a drag takes from one of its steps to the next.
    drag_step: Micros,
    /// Whether two taps at one place are a double tap.
    double: bool,
}

impl Script {
    /// `made` knows the app where the user names it: that decides which launches are the app's.
    pub(super) fn new(made: Made, drag_step: Micros, double: bool) -> Self {
        Self {
            made,
            finger: Finger::timed(),
            held: HeldKeys::default(),
            touched: Micros::ZERO,
            waited: Micros::ZERO,
            launches: Launches::default(),
            drag_step,
            double,
        }
    }

    /// How many events there are so far.
    pub(super) fn steps(&self) -> usize {
        self.made.steps()
    }

    /// One line of the script.
    pub(super) fn line(&mut self, number: usize, line: &str) {
        self.made.line = Some(number);
        let line = line.trim();
        let Some(open) = line.find('(') else {
            self.made.skip("lines that are no statement", None);
            return;
        };
        // Whatever wrote the script down may have put something in front.
        let name =
            line[..open].rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        if name.is_empty() {
            return self.made.skip("lines that are no statement", None);
        }
        // The Monkey passes over it too. It is a statement that was cut, of which half a number would be another number.
        let Some(inside) = in_brackets(line) else {
            return self.made.skip(format!("{name} statements without an end"), None);
        };
        let arguments: Vec<&str> = inside.split(',').map(str::trim).collect();
        if self.statement(name, inside, &arguments).is_none() {
            self.made.skip_deed(format!("{name} statements that cannot be read"), None);
        }
    }

    pub(super) fn end(mut self) -> Made {
        self.made.line = None;
        self.finger.end(&mut self.made);
        self.held.end(&mut self.made);
        self.made
    }

    /// Does what a statement says. Nothing when its arguments are wrong.
    fn statement(&mut self, name: &str, inside: &str, arguments: &[&str]) -> Option<()> {
        let argument = |nth: usize| arguments.get(nth).copied();
        let name_in = |nth: usize| argument(nth).filter(|name| !name.is_empty());
        let at = |nth: usize| point(argument(nth)?, argument(nth + 1)?);
        match name {
            "LaunchActivity" => self.launch(name_in(0)?, name_in(1)?),
            "Tap" => self.tap(at(0)?, argument(2).map_or(Some(Micros::ZERO), millis)?),
            "PressAndHold" => {
                let hold = millis(argument(2)?)?;
                self.made.add(Event::LongTap { aim: Aim::place(at(0)?), hold });
            }
            "Drag" => self.drag(at(0)?, at(2)?, argument(4)?.parse().ok()?),
            "PinchZoom" => self.pinch([at(0)?, at(2)?, at(4)?, at(6)?], argument(8)?.parse().ok()?),
            "DispatchPointer" => {
                self.pointer(argument(1)?.parse().ok()?, argument(2)?.parse().ok()?, at(3)?);
            }
            "DispatchPress" => self.made.key(key(argument(0)?)?),
            "DispatchKey" => self.key(argument(2)?.parse().ok()?, key(argument(3)?)?),
            // It is typed by `input text`, which takes this for a space.
            "DispatchString" => self.made.add(Event::text(inside.replace("%s", " "))),
            "RotateScreen" => {
                let landscape = argument(0)?.parse::<u32>().ok()? % 2 == 1;
                let to = if landscape { Orientation::Landscape } else { Orientation::Portrait };
                self.made.add(Event::Rotate { to });
            }
            "UserWait" => self.wait(millis(argument(0)?)?),
            "ProfileWait" => self.wait(PROFILE_WAIT),
            "DeviceWakeUp" => self.made.key(Key::WAKEUP),
            "LongPress" => {
                self.made.skip_deed("LongPress statements: a long press of the dpad's centre", None);
            }
            "DispatchTrackball" => self.made.skip_deed("DispatchTrackball statements", None),
            "DispatchFlip" => self.made.skip_deed("DispatchFlip statements: a hardware keyboard", None),
            "LaunchInstrumentation" => self.made.skip_deed("LaunchInstrumentation statements", None),
            "RunCmd" => self.command(inside.trim()),
            name if MEASURING.contains(&name) => self.made.skip(format!("{name} statements"), None),
            name => self.made.skip(format!("{name} statements, which are none of Monkey's"), None),
        }
        Some(())
    }

    fn launch(&mut self, package: &str, activity: &str) {
        let app = self.made.package.get_or_insert_with(|| package.to_owned());
        let event = self.launches.start(app, package, activity);
        self.made.add(event);
    }

    fn wait(&mut self, time: Micros) {
        self.waited += time;
        self.finger.wait(time, &mut self.made);
    }

    /// The Monkey waits for nothing: two taps at one place are a double tap.
    fn tap(&mut self, at: Point, hold: Micros) {
        let aim = Aim::place(at);
        let tap = Event::Tap(aim.clone());
        if hold >= LONG {
            self.made.add(Event::LongTap { aim, hold });
        } else if self.double
            && !self.finger.is_down()
            && self.made.pop_if(|step| step.event == tap).is_some()
        {
            self.made.add(Event::DoubleTap(aim));
        } else {
            self.made.add(tap);
        }
    }

    fn drag(&mut self, from: Point, to: Point, steps: u64) {
        let over = Micros(self.drag_step.0.saturating_mul(steps.max(1)));
        self.made.add(Event::Swipe { aim: Aim::place(from), to, over });
    }

    fn pinch(&mut self, fingers: [Point; 4], steps: u64) {
        let over = Micros(self.drag_step.0.saturating_mul(steps.max(1)));
        match pinched(fingers, over) {
            Some(event) => self.made.add(event),
            None => self.made.skip_deed("PinchZoom statements whose fingers end at one place", None),
        }
    }

    fn pointer(&mut self, time: i64, action: u32, at: Point) {
        let touch = match action {
            0 => TouchAction::Down,
            1 => TouchAction::Up,
            2 => TouchAction::Move,
            3 => return self.finger.cancel(&mut self.made),
            _ => {
                let what = "DispatchPointer statements that are no down, move, up or cancel";
                return self.made.skip_deed(what, None);
            }
        };
        // A recorder may tell a pause by its times, by a statement that waits, or by both.
        let mut time = Micros::from_millis(u64::try_from(time).unwrap_or(0));
        if self.finger.is_down() {
            time = time.max(self.touched + self.waited);
        }
        (self.touched, self.waited) = (time, Micros::ZERO);
        self.finger.touch(touch, at, time, &mut self.made);
    }

    fn key(&mut self, action: u32, key: Key) {
        match action {
            0 => self.held.down(key, &mut self.made),
            1 => self.held.up(key, &mut self.made),
            _ => self.made.skip_deed("DispatchKey statements that are no down or up", None),
        }
    }

    /// A command of the device's shell: those that retap has an event for.
    fn command(&mut self, command: &str) {
        match shell(command, self.made.package.as_deref()) {
            Some(event) => self.made.add(event),
            None => self.made.skip_deed("RunCmd statements: commands of a shell", None),
        }
    }
}

/// A key by Android's number or name for it.
pub(super) fn key(name: &str) -> Option<Key> {
    name.parse().map(Key).ok().or_else(|| Key::from_android_name(name))
}

/// The event that a command of the device's shell is, if it is one. Only the app can be stopped: none while it is not known.
pub(super) fn shell(command: &str, package: Option<&str>) -> Option<Event> {
    let words: Vec<&str> = command.split_whitespace().collect();
    Some(match words[..] {
        ["input", "tap", x, y] => Event::Tap(Aim::place(point(x, y)?)),
        ["input", "keyevent", name] => Event::key(key(name)?),
        ["input", "text", text] => Event::text(text.replace("%s", " ")),
        ["input", "swipe", x, y, to_x, to_y] => swipe([x, y, to_x, to_y], INPUT_SWIPE)?,
        ["input", "swipe", x, y, to_x, to_y, over] => swipe([x, y, to_x, to_y], millis(over)?)?,
        ["am", "force-stop", app] if package == Some(app) => Event::system("am:force-stop"),
        _ => return None,
    })
}

fn swipe([x, y, to_x, to_y]: [&str; 4], over: Micros) -> Option<Event> {
    Some(Event::Swipe { aim: Aim::place(point(x, y)?), to: point(to_x, to_y)?, over })
}

/// `0:(403.0,1196.0)`: the number of a finger, and where it is. None where one of them has no end: the line was cut.
pub(super) fn fingers(said: &str) -> impl Iterator<Item = (u32, Point)> {
    let cut = |(_, place): (&str, &str)| !place.contains(')');
    let whole = !said.split_whitespace().filter_map(|part| part.split_once(":(")).any(cut);
    said.split_whitespace().filter(move |_| whole).filter_map(|part| {
        let (finger, place) = part.split_once(":(")?;
        let (x, y) = place.trim_end_matches(')').split_once(',')?;
        Some((finger.parse().ok()?, Point::new(pixel(x)?, pixel(y)?)))
    })
}

/// What stands behind a name and `=`: `seed=7 count=500`. Nothing where no other word follows: the line was cut.
pub(super) fn named<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    from_mark(line, name)?.split_once([' ', ',', ';']).map(|(value, _)| value)
}
