//! What `getevent -lt` or `getevent -t` tells of a touch screen (multi-touch protocol B) and of keys. What fingers and keys
//! mean is said where people are recorded on a device, so that both make the same of the same.

use std::collections::BTreeSet;

use retap_adb::parse::{Axis, EV_ABS, EV_KEY, EV_SYN, RawInput, Touchscreen, raw_input, touchscreen};
use retap_adb::person::{Gestures, Limits, Strokes, Told};
use retap_trace::{Micros, Point, Size};

use super::keys::NEVER_LIFTED;
use super::lines::{numbered, text};
use super::tally::Made;
use super::{ImportError, ImportInput, ImportOptions, Importer};

pub(super) const IMPORTER: Importer = Importer {
    name: "getevent",
    about: "what 'adb shell getevent -lt' prints while a finger is on the screen",
    sniff,
    read,
};

/// When a gesture is which. How dense the screen is nobody says, so this is what a usual phone has.
const LIMITS: Limits = Limits { slop: 24, long: Micros::from_millis(500), double: Micros::from_millis(300) };

const SLOT: u16 = 0x2f;
const POSITION_X: u16 = 0x35;
const POSITION_Y: u16 = 0x36;
const TRACKING_ID: u16 = 0x39;
/// Codes of a panel that tells fingers apart begin here.
const FIRST_OF_FINGERS: u16 = 0x2f;
const SYN_DROPPED: u16 = 3;
/// What a panel tells of fingers and pens as if they were keys.
const BUTTONS: std::ops::Range<u16> = 0x100..0x160;
/// Control, shift and alt: what they make of other keys, no event says.
const MODIFIERS: [u16; 6] = [29, 42, 54, 56, 97, 100];

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    let text = text(&input.bytes[..input.bytes.len().min(1 << 18)]);
    let event = |line: &str| {
        line.contains("/dev/input/event")
            && event_in(line).and_then(raw_input).is_some_and(|input| matches!(input.kind, EV_ABS | EV_SYN))
    };
    numbered(&text).any(|(_, line)| event(line)).then_some("it has lines such as '/dev/input/event2: EV_ABS'")
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Result<Made, ImportError> {
    let text = text(input.bytes);
    let panel = Panel::of(&text, given)?;
    let mut recording = Recording::new(panel, given);
    for (number, line) in numbered(&text) {
        if let Some(event) = event_in(line) {
            recording.event(event, number);
        }
    }
    Ok(recording.end())
}

/// The part of a line that tells of an event: `[   50109.254832] /dev/input/event2: EV_ABS  ABS_MT_POSITION_X  000042d7`.
/// Whatever wrote it down may have put something in front.
fn event_in(line: &str) -> Option<&str> {
    let device = line.find("/dev/input/")?;
    let timed = line[..device].rfind('[').filter(|at| line[*at..device].trim_end().ends_with(']'));
    Some(&line[timed.unwrap_or(device)..])
}

/// Whether an event ends before its value does: names are known, and numbers have eight digits.
fn is_cut(event: &str) -> bool {
    let words: Vec<&str> = event.split_once(": ").map_or("", |(_, rest)| rest).split_whitespace().collect();
    let begins =
        |value: &str| ["DOWN", "UP", "REPEAT"].iter().any(|name| *name != value && name.starts_with(value));
    let kind =
        |kind: &str| kind.starts_with("EV_") || kind.len() == 4 && u16::from_str_radix(kind, 16).is_ok();
    match words[..] {
        [one] | [one, _] => kind(one),
        [one, _, value] => {
            let short = value.len() < 8 && u32::from_str_radix(value, 16).is_ok();
            kind(one) && (short || begins(value))
        }
        _ => false,
    }
}

/// The largest values across and down that a recording has.
fn farthest(text: &str) -> (Option<i32>, Option<i32>) {
    let of = |code: u16| {
        let told = numbered(text).filter_map(|(_, line)| raw_input(event_in(line)?));
        told.filter(|input| (input.kind, input.code) == (EV_ABS, code)).map(|input| input.value).max()
    };
    (of(POSITION_X), of(POSITION_Y))
}

/// How the values of a touch screen become pixels.
#[derive(Debug, Clone)]
struct Panel {
    x: Axis,
    y: Axis,
    screen: Size,
    /// The only device whose touches count, where it is known.
    path: Option<String>,
    /// What was assumed.
    note: Option<String>,
}

impl Panel {
    fn of(text: &str, given: &ImportOptions) -> Result<Self, ImportError> {
        let range = |most: u32| Axis { min: 0, max: i64::from(most.max(1)) };
        let told_of = |listed: &Touchscreen| {
            ["EV_ABS", "0003"].iter().any(|kind| text.contains(&format!("{}: {kind}", listed.path)))
        };
        let listed = touchscreen(text).filter(told_of);
        if listed.as_ref().is_some_and(|listed| !listed.slots) {
            return Err(ImportError::whole(NO_SLOTS));
        }
        let (x, y, path) = match (given.axes, listed) {
            (Some(axes), _) => (range(axes.width), range(axes.height), None),
            (None, Some(Touchscreen { x, y, path, .. })) => (x, y, Some(path)),
            (None, None) => return Self::pixels(text, given),
        };
        let (most_x, most_y) = farthest(text);
        let beyond = |most: Option<i32>, axis: &Axis| most.is_some_and(|most| i64::from(most) > axis.max);
        if let Some(axes) = given.axes.filter(|_| beyond(most_x, &x) || beyond(most_y, &y)) {
            let (most_x, most_y) = (most_x.unwrap_or(0), most_y.unwrap_or(0));
            return Err(ImportError::whole(format!(
                "the values of the touch screen go up to {most_x} and {most_y}, which is beyond --axes {}x{}; 'adb shell getevent -lp' \
                 prints how far they go",
                axes.width, axes.height
            )));
        }
        let screen = given.screen.ok_or_else(|| ImportError::whole(NO_SCREEN))?;
        Ok(Self { x, y, screen, path, note: None })
    }

    /// Nothing tells the ranges of the axes: they are pixels, if all values fit the screen.
    fn pixels(text: &str, given: &ImportOptions) -> Result<Self, ImportError> {
        let most = farthest(text);
        let (x, y) = (most.0.unwrap_or(0), most.1.unwrap_or(0));
        let refused = || {
            if most == (None, None) {
                return ImportError::whole(NO_PLACES);
            }
            ImportError::whole(format!(
                "the values of the touch screen go up to {x} and {y}, and nothing tells what they are of; put what 'adb shell \
                 getevent -lp' prints in front of the recording, or add --axes 32767x32767 (an emulator's), and --screen \
                 WIDTHxHEIGHT"
            ))
        };
        let screen = given.screen.ok_or_else(refused)?;
        let fits = |most: i32, pixels: u32| u32::try_from(most).is_ok_and(|most| most < pixels);
        if !fits(x, screen.width) || !fits(y, screen.height) {
            return Err(refused());
        }
        let axis = |pixels: u32| Axis { min: 0, max: i64::from(pixels.max(2)) - 1 };
        let note = "nothing tells the ranges of the touch screen's axes: its values are taken for pixels; --axes says otherwise";
        Ok(Self {
            x: axis(screen.width),
            y: axis(screen.height),
            screen,
            path: None,
            note: Some(note.to_owned()),
        })
    }

    fn at(&self, x: i32, y: i32) -> Point {
        let Self { x: across, y: down, screen, .. } = self;
        Point::new(across.pixel(x.into(), screen.width), down.pixel(y.into(), screen.height))
    }
}

const NO_SLOTS: &str =
    "its touch screen has no slots for fingers (multi-touch protocol A), which cannot be read here";
const NO_PLACES: &str = "no line of it tells a place on a touch screen (ABS_MT_POSITION_X); record with 'adb shell getevent -lt' while a finger is on \
                         the screen, or add --screen WIDTHxHEIGHT if there are keys only";
const NO_SCREEN: &str = "the recording does not tell how many pixels the screen has; add --screen WIDTHxHEIGHT ('adb shell wm size' prints it)";

struct Recording {
    made: Made,
    panel: Panel,
    strokes: Strokes,
    gestures: Gestures,
    /// The device that the fingers touch.
    device: Option<String>,
    /// The slot of the panel that is told of, and those whose fingers are down.
    slot: i32,
    slots: BTreeSet<i32>,
    /// The keys that are down.
    keys: BTreeSet<u16>,
    /// When the first event came, and how long ago that was when the last one did.
    start: Option<Micros>,
    now: Micros,
    /// When the first of the fingers that are down went down.
    pressed: Micros,
    /// In which line that was.
    pressed_in: Option<usize>,
}

impl Recording {
    fn new(panel: Panel, given: &ImportOptions) -> Self {
        let mut made = Made::of(given);
        if let Some(note) = &panel.note {
            made.note(note.clone());
        }
        let device = panel.path.clone();
        Self {
            made,
            panel,
            strokes: Strokes::default(),
            gestures: Gestures::new(LIMITS),
            device,
            slot: 0,
            slots: BTreeSet::new(),
            keys: BTreeSet::new(),
            start: None,
            now: Micros::ZERO,
            pressed: Micros::ZERO,
            pressed_in: None,
        }
    }

    fn event(&mut self, event: &str, number: usize) {
        let Some(input) = raw_input(event).filter(|_| !is_cut(event)) else {
            return self.unread(event, number);
        };
        if let Some(at) = input.at {
            self.now = at.since(*self.start.get_or_insert(at));
        }
        match input.kind {
            EV_KEY => {
                self.half_key(&input, number);
                let told = self.gestures.key(input.code, input.value, self.now);
                self.add(told, Some(number));
            }
            EV_ABS if input.code >= FIRST_OF_FINGERS => {
                let known = self.device.get_or_insert_with(|| input.device.clone());
                if *known == input.device {
                    self.finger(&input, number);
                } else {
                    self.made.skip(format!("values of another touch screen, {}", input.device), Some(number));
                }
            }
            EV_SYN if self.device.as_ref() == Some(&input.device) => self.finger(&input, number),
            _ => {}
        }
    }

    /// Counts what of a key makes no event.
    fn half_key(&mut self, input: &RawInput, number: usize) {
        let what = match input.value {
            _ if BUTTONS.contains(&input.code) => return,
            0 if !self.keys.remove(&input.code) => "keys that are lifted and were not down",
            1 if !self.keys.insert(input.code) => "repeats of a key that is held",
            1 if MODIFIERS.contains(&input.code) => "keys that change others: control, shift, alt",
            2 => "repeats of a key that is held",
            _ => return,
        };
        self.made.skip(what, Some(number));
    }

    /// Counts what of a touch makes no event.
    fn half_touch(&mut self, input: &RawInput, number: usize) {
        match (input.kind, input.code) {
            (EV_SYN, SYN_DROPPED) => {
                self.slots.clear();
                self.made.skip("touches of which the device has dropped a part", Some(number));
            }
            (EV_ABS, SLOT) => self.slot = input.value,
            (EV_ABS, TRACKING_ID) if input.value < 0 && !self.slots.remove(&self.slot) => {
                self.made.skip("touches without a beginning", Some(number));
            }
            (EV_ABS, TRACKING_ID) if input.value >= 0 && !self.slots.insert(self.slot) => {
                self.made.skip("touches without an end", self.pressed_in);
            }
            _ => {}
        }
    }

    fn finger(&mut self, input: &RawInput, number: usize) {
        self.half_touch(input, number);
        let idle = self.strokes.idle();
        let input = RawInput { at: Some(self.now), ..input.clone() };
        if let Some(strokes) = self.strokes.take(&input, |x, y| self.panel.at(x, y)) {
            let told = self.gestures.fingers(&strokes, self.pressed);
            self.add(told, Some(number));
        } else if idle && !self.strokes.idle() {
            self.pressed = self.now;
            self.pressed_in = Some(number);
        }
    }

    fn add(&mut self, told: impl IntoIterator<Item = Told>, number: Option<usize>) {
        for Told { heard, deed } in told {
            match deed {
                Ok(event) => self.made.at(event, self.start.map(|_| heard)),
                Err(what) => self.made.skip(what, number),
            }
        }
    }

    /// A line with a name that is not known here, or with a value that is none, or that was cut.
    fn unread(&mut self, event: &str, number: usize) {
        let words: Vec<&str> =
            event.split_once(": ").map_or("", |(_, rest)| rest).split_whitespace().collect();
        match words[..] {
            _ if is_cut(event) => self.made.skip("events without an end", Some(number)),
            ["EV_KEY", key, "DOWN"] if key.starts_with("KEY_") => {
                self.made.skip(format!("the key {key}"), Some(number));
            }
            // What else a panel tells of its fingers, and buttons that only say that there are some.
            [_, name, value] if name.contains('_') && u32::from_str_radix(value, 16).is_ok() => {}
            ["EV_KEY", ..] => {}
            [kind, _, _] if kind.starts_with("EV_") => {
                self.made.skip("values that are no numbers", Some(number));
            }
            _ => {}
        }
    }

    fn end(mut self) -> Made {
        let rest = self.gestures.end();
        self.add(rest, None);
        if !self.keys.is_empty() {
            self.made.note(NEVER_LIFTED);
        }
        if !self.strokes.idle() {
            self.made.skip("touches without an end", self.pressed_in);
        }
        self.made
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NoFilesBeside, import};
    use super::*;

    /// Steps and what was skipped, in words.
    fn imported(lines: &[String]) -> Vec<String> {
        let text = lines.join("\n");
        let screen = Some(Size { width: 1000, height: 2000 });
        let given = ImportOptions { app: Some("a.b".to_owned()), screen, ..ImportOptions::default() };
        let input = ImportInput { name: "", bytes: text.as_bytes(), files: &NoFilesBeside };
        let imported = import(None, &input, &given).unwrap();
        let steps = imported.trace.events().map(ToString::to_string);
        steps
            .chain(imported.skipped.iter().map(|skipped| format!("{} x {}", skipped.count, skipped.what)))
            .collect()
    }

    /// Lines of an input device, one report at this time.
    fn report(millis: u64, device: u32, events: &[&str]) -> Vec<String> {
        let end = ["EV_SYN SYN_REPORT 00000000"];
        let at = format!("{}.{:06}", millis / 1000, millis % 1000 * 1000);
        events.iter().chain(&end).map(|event| format!("[ {at}] /dev/input/event{device}: {event}")).collect()
    }

    const X: &str = "EV_ABS ABS_MT_POSITION_X 00000064";
    const Y: &str = "EV_ABS ABS_MT_POSITION_Y 000000c8";
    const DOWN: &str = "EV_ABS ABS_MT_TRACKING_ID 00000001";
    const UP: &str = "EV_ABS ABS_MT_TRACKING_ID ffffffff";

    fn tap(millis: u64) -> Vec<String> {
        [report(millis, 2, &[DOWN, X, Y]), report(millis + 40, 2, &[UP])].concat()
    }

    fn key(millis: u64, name: &str) -> Vec<String> {
        let event = |what: &str| format!("EV_KEY {name} {what}");
        [report(millis, 0, &[&event("DOWN")]), report(millis + 20, 0, &[&event("UP")])].concat()
    }

    #[test]
    fn ranges_that_the_values_go_beyond_are_refused() {
        let text = tap(0).join("\n");
        let read = |width, height| {
            let axes = Some(Size { width, height });
            let screen = Some(Size { width: 1000, height: 2000 });
            let app = Some("a.b".to_owned());
            let given = ImportOptions { app, screen, axes, ..ImportOptions::default() };
            let input = ImportInput { name: "", bytes: text.as_bytes(), files: &NoFilesBeside };
            import(None, &input, &given)
                .map(|imported| imported.trace.events().count())
                .map_err(|why| why.to_string())
        };
        assert_eq!(read(100, 200), Ok(1));
        for (width, height) in [(99, 200), (100, 199)] {
            let why = read(width, height).unwrap_err();
            let beyond = format!(
                "the values of the touch screen go up to 100 and 200, which is beyond --axes {width}x{height}; "
            );
            assert!(why.contains(&beyond), "{why}");
        }
    }

    #[test]
    fn a_key_before_the_first_touch_is_not_the_touch_screen() {
        let lines = [key(0, "KEY_VOLUMEUP"), tap(900), key(2000, "KEY_DOT")].concat();
        assert_eq!(imported(&lines), ["press volume_up", "tap 100,200", "press period"]);
    }

    #[test]
    fn two_taps_are_a_double_tap_unless_something_comes_between_them() {
        assert_eq!(imported(&[tap(0), tap(150)].concat()), ["double tap 100,200"]);
        let between = [tap(0), key(80, "KEY_BACK"), tap(150)].concat();
        assert_eq!(imported(&between), ["tap 100,200", "press back", "tap 100,200"]);
    }

    #[test]
    fn numbers_say_the_same_as_names() {
        let names = tap(0).join("\n");
        let numbers = [
            ("EV_ABS", "0003"),
            ("EV_SYN", "0000"),
            ("SYN_REPORT", "0000"),
            ("ABS_MT_POSITION_X", "0035"),
            ("ABS_MT_POSITION_Y", "0036"),
            ("ABS_MT_TRACKING_ID", "0039"),
        ];
        let numbers = numbers.iter().fold(names, |text, (name, number)| text.replace(name, number));
        assert_eq!(imported(&[numbers]), ["tap 100,200"]);
    }

    #[test]
    fn what_is_not_known_is_skipped_and_said() {
        let nowhere = [report(0, 2, &[DOWN]), report(40, 2, &[UP])].concat();
        let lines = [nowhere, key(100, "KEY_WLAN"), tap(900), report(2000, 3, &[DOWN])].concat();
        assert_eq!(
            imported(&lines),
            [
                "tap 100,200",
                "1 x a touch whose place the device did not tell",
                "1 x the key KEY_WLAN",
                "1 x values of another touch screen, /dev/input/event3",
            ]
        );
        let dropped = [report(0, 2, &[DOWN, X, Y, "EV_SYN SYN_DROPPED 00000000"]), tap(900)].concat();
        assert_eq!(imported(&dropped), ["tap 100,200", "1 x touches of which the device has dropped a part"]);
    }
}
