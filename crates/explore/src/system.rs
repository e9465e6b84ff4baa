//! System events: what happens to a phone from outside the app [TimeMachine §4].
//!
//! One comes every 60 to 90 seconds of device time, of a kind that is drawn evenly from those that are possible.
//! Each is an ordinary event that replays. Some are over after a while, by a second event.
//!
//! | kind | event | how Android does it |
//! |---|---|---|
//! | broadcast | an action of [`BROADCASTS`] | `am broadcast -a ACTION` |
//! | battery | `android.intent.action.BATTERY_LOW`, `BATTERY_OKAY`, `ACTION_POWER_CONNECTED`, `ACTION_POWER_DISCONNECTED` | `dumpsys battery set level N`, `set ac 0\|1`: these broadcasts are the system's own |
//! | network | `android.net.conn.CONNECTIVITY_CHANGE` with `connected`, or `android.intent.action.AIRPLANE_MODE` with `state`: `false` or `true` | `svc wifi`, `svc data`; `cmd connectivity airplane-mode` |
//! | sms | `sms:send` with `from` and `text` | emulator console `sms send FROM TEXT` |
//! | call | `gsm:call` with `from`, then `gsm:cancel` with `from` | emulator console `gsm call FROM`, `gsm cancel FROM` |
//! | rotation | a rotation to how the device is not held | `user_rotation` |
//! | volume | a key: louder, softer or mute | `input keyevent` |
//! | activity | `am:start` with `component` | `am start -n COMPONENT` |
//! | service | `am:startservice` with `component`, half of the time followed by `am:stopservice` | `am startservice -n`, `am stopservice -n` |
//! | receiver | `am:broadcast` with `component` | `am broadcast -n COMPONENT` |
//!
//! Names with a colon are ours, the others are intent actions. The simulator knows the intent actions and `am:start`; on
//! it the others tell the listeners of that name, which is nobody in an ordinary app. Calls end and services stop after
//! 3 seconds, as published; a network that went comes back after 30, so that the app is not left without
//! one for the rest of its days.

use std::collections::BTreeMap;

use retap_trace::{Dice, Event, Key, Micros, Orientation, SystemEvent};

#[cfg(test)]
mod tests;

/// Actions that are broadcast on phones, and that apps listen to.
pub const BROADCASTS: [&str; 24] = [
    "android.intent.action.BATTERY_LOW",
    "android.intent.action.BATTERY_OKAY",
    "android.intent.action.ACTION_POWER_CONNECTED",
    "android.intent.action.ACTION_POWER_DISCONNECTED",
    "android.intent.action.SCREEN_OFF",
    "android.intent.action.SCREEN_ON",
    "android.intent.action.USER_PRESENT",
    "android.intent.action.TIME_SET",
    "android.intent.action.TIMEZONE_CHANGED",
    "android.intent.action.DATE_CHANGED",
    "android.intent.action.LOCALE_CHANGED",
    "android.intent.action.CONFIGURATION_CHANGED",
    "android.intent.action.HEADSET_PLUG",
    "android.intent.action.MEDIA_MOUNTED",
    "android.intent.action.MEDIA_UNMOUNTED",
    "android.intent.action.MEDIA_BUTTON",
    "android.intent.action.DEVICE_STORAGE_LOW",
    "android.intent.action.DEVICE_STORAGE_OK",
    "android.intent.action.BOOT_COMPLETED",
    "android.intent.action.MY_PACKAGE_REPLACED",
    "android.intent.action.DREAMING_STARTED",
    "android.intent.action.DREAMING_STOPPED",
    "android.media.AUDIO_BECOMING_NOISY",
    "android.media.RINGER_MODE_CHANGED",
];

const POWER: [&str; 4] = [
    "android.intent.action.BATTERY_LOW",
    "android.intent.action.BATTERY_OKAY",
    "android.intent.action.ACTION_POWER_CONNECTED",
    "android.intent.action.ACTION_POWER_DISCONNECTED",
];
const CONNECTIVITY: (&str, &str) = ("android.net.conn.CONNECTIVITY_CHANGE", "connected");
const AIRPLANE_MODE: (&str, &str) = ("android.intent.action.AIRPLANE_MODE", "state");
const VOLUME: [Key; 3] = [Key::VOLUME_UP, Key::VOLUME_DOWN, Key::VOLUME_MUTE];
const CALLER: &str = "5550100";
const MESSAGES: [&str; 4] = ["Hello", "Your code is 4711", "Grüße 👋 日本語", ""];
const SHORT: Micros = Micros::from_secs(3);
const OFFLINE: Micros = Micros::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SystemKind {
    Broadcast,
    Battery,
    Network,
    Sms,
    Call,
    Rotation,
    Volume,
    Activity,
    Service,
    Receiver,
}

/// The parts of the app that can be started from outside, by their names as `am` takes them:
/// `org.example.notes/.EditActivity`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Components {
    pub activities: Vec<String>,
    pub services: Vec<String>,
    pub receivers: Vec<String>,
}

/// When system events come, and which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemSettings {
    /// The shortest time between two.
    pub shortest: Micros,
    /// The longest time between two.
    pub longest: Micros,
    /// The kinds to draw from. None of them means that there are no system events.
    pub kinds: Vec<SystemKind>,
    /// What can be started. Kinds without a component are left out.
    pub components: Components,
}

/// Draws system events by the time. One lane.
#[derive(Debug)]
pub struct SystemEvents {
    settings: SystemSettings,
    /// The kinds that are possible.
    kinds: Vec<SystemKind>,
    dice: Dice,
    due: Option<Micros>,
    /// What ends the last event, and when.
    end: Option<(Micros, Event)>,
}

/// The published times, and every kind.
impl Default for SystemSettings {
    fn default() -> Self {
        Self {
            shortest: Micros::from_secs(60),
            longest: Micros::from_secs(90),
            kinds: SystemKind::ALL.to_vec(),
            components: Components::default(),
        }
    }
}

impl SystemKind {
    pub const ALL: [Self; 10] = [
        Self::Broadcast,
        Self::Battery,
        Self::Network,
        Self::Sms,
        Self::Call,
        Self::Rotation,
        Self::Volume,
        Self::Activity,
        Self::Service,
        Self::Receiver,
    ];

    /// Whether it comes in over the air, which real phones cannot be told to do.
    pub const fn needs_modem(self) -> bool {
        matches!(self, Self::Sms | Self::Call)
    }
}

impl Components {
    /// Those of a kind, if the kind is about components.
    fn of(&self, kind: SystemKind) -> Option<&[String]> {
        match kind {
            SystemKind::Activity => Some(&self.activities),
            SystemKind::Service => Some(&self.services),
            SystemKind::Receiver => Some(&self.receivers),
            _ => None,
        }
    }
}

impl SystemEvents {
    pub fn new(settings: SystemSettings, dice: Dice) -> Self {
        let possible =
            |kind: &&SystemKind| settings.components.of(**kind).is_none_or(|known| !known.is_empty());
        let kinds = settings.kinds.iter().filter(possible).copied().collect();
        Self { settings, kinds, dice, due: None, end: None }
    }

    /// The system event that is due at this time, if any. The first call sets the time for the first one.
    pub fn next(&mut self, now: Micros, held: Orientation) -> Option<Event> {
        if let Some((_, end)) = self.end.take_if(|(at, _)| *at <= now) {
            return Some(end);
        }
        match self.due {
            Some(due) if now >= due => {
                self.due = Some(now + self.pause());
                let kind = *self.dice.pick(&self.kinds)?;
                Some(self.event(kind, now, held))
            }
            Some(_) => None,
            None => {
                self.due = Some(now + self.pause());
                None
            }
        }
    }

    fn pause(&mut self) -> Micros {
        let SystemSettings { shortest, longest, .. } = self.settings;
        let span = longest.since(shortest).0.saturating_add(1);
        shortest + Micros(self.dice.below(span))
    }

    fn event(&mut self, kind: SystemKind, now: Micros, held: Orientation) -> Event {
        match kind {
            SystemKind::Broadcast => Event::system(self.word(&BROADCASTS)),
            SystemKind::Battery => Event::system(self.word(&POWER)),
            SystemKind::Network => self.network(now),
            SystemKind::Sms => with("sms:send", &[("from", CALLER), ("text", self.word(&MESSAGES))]),
            SystemKind::Call => {
                self.end = Some((now + SHORT, with("gsm:cancel", &[("from", CALLER)])));
                with("gsm:call", &[("from", CALLER)])
            }
            SystemKind::Rotation => Event::Rotate {
                to: match held {
                    Orientation::Portrait => Orientation::Landscape,
                    Orientation::Landscape => Orientation::Portrait,
                },
            },
            SystemKind::Volume => Event::key(*self.dice.pick(&VOLUME).expect("there are volume keys")),
            SystemKind::Activity | SystemKind::Service | SystemKind::Receiver => self.start(kind, now),
        }
    }

    fn network(&mut self, now: Micros) -> Event {
        let plain = self.dice.below(2) == 0;
        let ((action, name), gone, back) =
            if plain { (CONNECTIVITY, "false", "true") } else { (AIRPLANE_MODE, "true", "false") };
        self.end = Some((now + OFFLINE, with(action, &[(name, back)])));
        with(action, &[(name, gone)])
    }

    fn start(&mut self, kind: SystemKind, now: Micros) -> Event {
        let known = self.settings.components.of(kind).unwrap_or_default();
        let component = self.dice.pick(known).expect("a kind without components is not drawn");
        let event = |action| with(action, &[("component", component)]);
        match kind {
            SystemKind::Activity => event("am:start"),
            SystemKind::Receiver => event("am:broadcast"),
            _ => {
                if self.dice.below(2) == 1 {
                    self.end = Some((now + SHORT, event("am:stopservice")));
                }
                event("am:startservice")
            }
        }
    }

    fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.dice.pick(words).expect("there are words")
    }
}

fn with(action: &str, extras: &[(&str, &str)]) -> Event {
    let extras: BTreeMap<_, _> =
        extras.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    Event::System(SystemEvent { action: action.to_owned(), extras })
}
