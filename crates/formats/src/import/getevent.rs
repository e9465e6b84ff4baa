//! What `getevent -lt` tells of a touch screen (multi-touch protocol B) and of keys.

use std::collections::BTreeMap;

use retap_adb::parse::{Axis, Touchscreen, touchscreen};
use retap_trace::{Key, Micros, Point, Size};

use super::fingers::{FingersDown, TouchAction};
use super::lines::{numbered, text};
use super::monkey;
use super::tally::Made;
use super::{ImportError, ImportInput, ImportOptions, Importer};

pub(super) const IMPORTER: Importer = Importer {
    name: "getevent",
    about: "what 'adb shell getevent -lt' prints while a finger is on the screen",
    sniff,
    read,
};

/// So many slots have fingers; a number beyond is no finger's.
const MOST_SLOTS: u32 = 32;

/// What Linux calls the keys of a phone, and what Android calls them.
const KEYS: [(&str, Key); 12] = [
    ("KEY_BACK", Key::BACK),
    ("KEY_HOME", Key::HOME),
    ("KEY_HOMEPAGE", Key::HOME),
    ("KEY_MENU", Key::MENU),
    ("KEY_POWER", Key::POWER),
    ("KEY_VOLUMEUP", Key::VOLUME_UP),
    ("KEY_VOLUMEDOWN", Key::VOLUME_DOWN),
    ("KEY_ENTER", Key::ENTER),
    ("KEY_BACKSPACE", Key::DELETE),
    ("KEY_SPACE", Key::SPACE),
    ("KEY_APPSELECT", Key::APP_SWITCH),
    ("KEY_SEARCH", Key::SEARCH),
];

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    let text = text(&input.bytes[..input.bytes.len().min(1 << 18)]);
    let event = |line: &str| {
        line.contains("/dev/input/event") && (line.contains("EV_ABS") || line.contains("EV_SYN"))
    };
    numbered(&text).any(|(_, line)| event(line)).then_some("it has lines such as '/dev/input/event2: EV_ABS'")
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Result<Made, ImportError> {
    let text = text(input.bytes);
    let panel = Panel::of(&text, given)?;
    let mut recording = Recording::new(panel, given);
    for (number, line) in numbered(&text) {
        if let Some(told) = Told::of(line) {
            recording.told(&told, number);
        }
    }
    Ok(recording.end())
}

/// One line: `[   50109.254832] /dev/input/event2: EV_ABS  ABS_MT_POSITION_X  000042d7`.
struct Told<'a> {
    time: Option<Micros>,
    device: &'a str,
    code: &'a str,
    value: &'a str,
}

impl<'a> Told<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let at = line.find("/dev/input/")?;
        let (device, rest) = line[at..].split_once(": ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [kind, code, value] = words[..] else { return None };
        let time = line[..at].rsplit_once('[').and_then(|(_, time)| seconds(time.trim().strip_suffix(']')?));
        kind.starts_with("EV_").then_some(Self { time, device, code, value })
    }

    /// The value as a number: 32 bits, with a sign.
    fn number(&self) -> Option<i32> {
        u32::from_str_radix(self.value, 16).ok().map(u32::cast_signed)
    }
}

/// `50109.254832`.
fn seconds(text: &str) -> Option<Micros> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let micros: String = part.chars().chain("000000".chars()).take(6).collect();
    Some(Micros(whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micros.parse().ok()?)?))
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
        let listed =
            touchscreen(text).filter(|touchscreen| text.contains(&format!("{}: EV_ABS", touchscreen.path)));
        let (x, y, path) = match (given.axes, listed) {
            (Some(axes), _) => (range(axes.width), range(axes.height), None),
            (None, Some(Touchscreen { x, y, path, .. })) => (x, y, Some(path)),
            (None, None) => return Self::pixels(text, given),
        };
        let screen = given.screen.ok_or_else(|| ImportError::whole(NO_SCREEN))?;
        Ok(Self { x, y, screen, path, note: None })
    }

    /// Nothing tells the ranges of the axes: they are pixels, if all values fit the screen.
    fn pixels(text: &str, given: &ImportOptions) -> Result<Self, ImportError> {
        let farthest = |code: &str| {
            let told = numbered(text).filter_map(|(_, line)| Told::of(line));
            told.filter(|told| told.code == code).filter_map(|told| told.number()).max().unwrap_or(0)
        };
        let (x, y) = (farthest("ABS_MT_POSITION_X"), farthest("ABS_MT_POSITION_Y"));
        let refused = || {
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

    fn pixel(value: i32, axis: Axis, pixels: u32) -> i32 {
        let last = i64::from(pixels.max(1)) - 1;
        let value = i64::from(value).clamp(axis.min, axis.max) - axis.min;
        i32::try_from(value.saturating_mul(last) / (axis.max - axis.min).max(1)).unwrap_or(i32::MAX)
    }

    fn at(&self, x: i32, y: i32) -> Point {
        Point::new(Self::pixel(x, self.x, self.screen.width), Self::pixel(y, self.y, self.screen.height))
    }
}

const NO_SCREEN: &str = "the recording does not tell how many pixels the screen has; add --screen WIDTHxHEIGHT ('adb shell wm size' prints it)";

/// A finger's slot: the values that it has. They stay when the finger is lifted.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    x: i32,
    y: i32,
    /// What has happened since the last report.
    news: Option<TouchAction>,
    down: bool,
}

struct Recording {
    made: Made,
    panel: Panel,
    fingers: FingersDown,
    /// By device and slot.
    slots: BTreeMap<u32, Slot>,
    slot: u32,
    /// The device that the fingers touch.
    device: Option<String>,
    start: Option<Micros>,
    time: Micros,
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
            fingers: FingersDown::timed(),
            slots: BTreeMap::new(),
            slot: 0,
            device,
            start: None,
            time: Micros::ZERO,
        }
    }

    fn told(&mut self, told: &Told<'_>, number: usize) {
        if let Some(time) = told.time {
            self.start.get_or_insert(time);
            self.time = time;
        }
        if told.code.starts_with("KEY_") || told.code.starts_with("BTN_") {
            self.key(told, number);
        } else if told.code.starts_with("ABS_MT_") || told.code == "SYN_REPORT" {
            let known = self.device.get_or_insert_with(|| told.device.to_owned());
            if known == told.device {
                self.finger(told, number);
            } else if told.code.starts_with("ABS_MT_") {
                self.made.skip(format!("values of another touch screen, {}", told.device), Some(number));
            }
        }
    }

    fn key(&mut self, told: &Told<'_>, number: usize) {
        // The fingers tell it better.
        if told.code.starts_with("BTN_TOUCH") || told.code.starts_with("BTN_TOOL") || told.value != "DOWN" {
            return;
        }
        let letter =
            || told.code.strip_prefix("KEY_").filter(|name| name.len() == 1).and_then(Key::from_android_name);
        let named = KEYS.iter().find(|(name, _)| *name == told.code).map(|(_, key)| *key);
        match named.or_else(letter) {
            Some(key) => {
                self.made.at(retap_trace::Event::key(key), self.start.map(|start| self.time.since(start)));
            }
            None => self.made.skip(format!("the key {}", told.code), Some(number)),
        }
    }

    fn finger(&mut self, told: &Told<'_>, number: usize) {
        let Some(value) = told.number() else {
            return self.made.skip("values that are no numbers", Some(number));
        };
        if told.code == "ABS_MT_SLOT" {
            self.slot = u32::try_from(value).unwrap_or(MOST_SLOTS);
        }
        if told.code == "SYN_REPORT" {
            return self.report();
        }
        if self.slot >= MOST_SLOTS {
            return self.made.skip("fingers in slots that no screen has", Some(number));
        }
        let slot = self.slots.entry(self.slot).or_default();
        match told.code {
            "ABS_MT_TRACKING_ID" if value < 0 => slot.news = slot.down.then_some(TouchAction::Up),
            "ABS_MT_TRACKING_ID" => slot.news = Some(TouchAction::Down),
            "ABS_MT_POSITION_X" => slot.x = value,
            "ABS_MT_POSITION_Y" => slot.y = value,
            _ => return,
        }
        let moved = matches!(told.code, "ABS_MT_POSITION_X" | "ABS_MT_POSITION_Y") && slot.down;
        if moved && slot.news.is_none() {
            slot.news = Some(TouchAction::Move);
        }
    }

    fn report(&mut self) {
        for (finger, slot) in &mut self.slots {
            let Some(touch) = slot.news.take() else { continue };
            slot.down = touch != TouchAction::Up;
            let at = self.panel.at(slot.x, slot.y);
            let gesture = self.fingers.touch(*finger, touch, Some(at), self.time);
            monkey::add(&mut self.made, gesture, self.start);
        }
    }

    fn end(mut self) -> Made {
        let unreported = self.slots.values().any(|slot| slot.news == Some(TouchAction::Down));
        if self.fingers.busy() || unreported {
            self.made.skip("touches without an end", None);
        }
        self.made
    }
}
