//! Monkey: Android Monkey's mix of events, in the words of our events.
//!
//! | category | what it does here |
//! |---|---|
//! | touch | a tap on a random point; Monkey knows no long press |
//! | motion | a swipe from a random point to another; Monkey walks there in up to ten small random steps |
//! | pinchzoom | a pinch around a random point, together or apart with even odds |
//! | trackball | one dpad key; one time in ten a click, which is the dpad's centre. Phones have no trackball |
//! | rotation | portrait or landscape, with even odds |
//! | permission | nothing: [`Percentages`] refuses it, since no event grants or revokes permissions |
//! | nav | dpad up, down, left or right |
//! | majornav | menu or the dpad's centre |
//! | syskeys | home, back, call, a volume key or a mute key |
//! | appswitch | launch, which brings the app to the front |
//! | flip | key 0, which means nothing; a flip opens a slide-out keyboard, and no event of ours does |
//! | anyevent | a key from 1 to [`Key::LAST`] |
//!
//! Keys that put the device to sleep are never pressed, in any category: power, end call, sleep, soft sleep.
//! Monkey lists end call among its system keys and then draws again whenever it comes up.
//!
//! The *aware* variant keeps the mix but aims. A touch goes to a widget that can be acted on, each equally
//! likely: text is typed into text fields, what scrolls is swiped, the rest is tapped (or held, where holding
//! is all it can do). A motion swipes something that scrolls. Where there is nothing to aim at, it is blind.
//!
//! Monkey stays outside the app wherever it lands; here the stay is bounded by a setting.

use retap_trace::{Dice, Event, Key, Micros, NodeId, Observation, Orientation, Point, Seed};

use crate::actions::{Action, Deed, SWIPE, actions};
use crate::explorer::{Explorer, Lane, Move};
use crate::outside::Outside;
use crate::percentages::{Category, Percentages};
use crate::separate::Separate;
use crate::sight::{Reply, Sight};
use crate::strategy::{StrategyKind, StrategySettings, Uses};
use crate::texts;

const NAV: [Key; 4] = [Key::DPAD_UP, Key::DPAD_DOWN, Key::DPAD_LEFT, Key::DPAD_RIGHT];
const MAJOR_NAV: [Key; 2] = [Key::MENU, Key::DPAD_CENTER];
const SYSTEM: [Key; 7] =
    [Key::HOME, Key::BACK, Key::CALL, Key::VOLUME_UP, Key::VOLUME_DOWN, Key::VOLUME_MUTE, Key::MUTE];
const SOFT_SLEEP: Key = Key(276);
const SLEEPERS: [Key; 4] = [Key::POWER, Key::END_CALL, Key::SLEEP, SOFT_SLEEP];
const NO_KEY: Key = Key(0);
const PINCH: Micros = Micros::from_millis(400);

pub(crate) const STRATEGY: StrategyKind = StrategyKind {
    name: "monkey",
    about: "Android's Monkey: touches anywhere",
    uses: Uses { mix: true, aim: false, stuck: false, time_travel: false },
    make: |settings, seed| separate(settings.monkey(false), seed),
};

pub(crate) const AWARE: StrategyKind = StrategyKind {
    name: "aware",
    about: "a monkey that aims at widgets and types into fields",
    make: |settings, seed| separate(settings.monkey(true), seed),
    ..STRATEGY
};

fn separate(settings: MonkeySettings, seed: Seed) -> Box<dyn Explorer> {
    let own = move |lane: Lane| seed.branch("lane", u64::from(lane.0)).dice();
    Box::new(Separate::new(move |lane| Box::new(Monkey::new(settings.clone(), own(lane)))))
}

impl StrategySettings {
    /// A monkey that sees widgets, or one that does not.
    pub(crate) fn monkey(&self, aware: bool) -> MonkeySettings {
        let percentages = if aware { self.aware_mix.clone() } else { self.blind_mix.clone() };
        MonkeySettings { percentages, aware, ..MonkeySettings::default() }
    }
}

/// How a [`Monkey`] behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonkeySettings {
    /// How often each category comes.
    pub percentages: Percentages,
    /// Whether touches and motions aim at widgets.
    pub aware: bool,
    /// How many moves it may make outside the app before it goes back: first by the back key, then by a
    /// launch, and so on in turn. `None` stays outside, as Android's Monkey does.
    pub stay_outside: Option<u32>,
}

/// Draws events as Android's Monkey does. One lane; see [`Separate`](crate::Separate) for more.
#[derive(Debug)]
pub struct Monkey {
    dice: Dice,
    percentages: Percentages,
    aware: bool,
    outside: Outside,
}

impl Default for MonkeySettings {
    fn default() -> Self {
        Self { percentages: Percentages::default(), aware: false, stay_outside: Some(5) }
    }
}

impl Explorer for Monkey {
    fn name(&self) -> &str {
        if self.aware { "aware" } else { "monkey" }
    }

    fn next(&mut self, _lane: Lane, seen: &Sight<'_>) -> Move {
        // A crash ends a trace. What comes after a launch does not.
        if seen.crashed && seen.reply != Reply::Started {
            return Move::Restart;
        }
        let way_back = self.outside.way_back(seen.in_front);
        Move::Act(way_back.unwrap_or_else(|| self.event(seen.observation)))
    }
}

impl Monkey {
    pub fn new(settings: MonkeySettings, dice: Dice) -> Self {
        let MonkeySettings { percentages, aware, stay_outside } = settings;
        Self { dice, percentages, aware, outside: Outside::new(stay_outside) }
    }

    /// The next event of the mix.
    fn event(&mut self, seen: &Observation) -> Event {
        match self.percentages.draw(&mut self.dice) {
            Category::Touch => self.touch(seen),
            Category::Motion => self.motion(seen),
            Category::PinchZoom => self.pinch(seen),
            Category::Trackball if self.dice.below(10) == 0 => Event::key(Key::DPAD_CENTER),
            Category::Trackball | Category::Nav => self.key_of(&NAV),
            Category::Rotation => {
                let landscape = self.dice.below(2) == 1;
                Event::Rotate { to: if landscape { Orientation::Landscape } else { Orientation::Portrait } }
            }
            Category::MajorNav => self.key_of(&MAJOR_NAV),
            Category::SysKeys => self.key_of(&SYSTEM),
            Category::AppSwitch => Event::Launch,
            Category::Flip | Category::Permission => Event::key(NO_KEY),
            Category::AnyEvent => self.any_key(),
        }
    }

    fn touch(&mut self, seen: &Observation) -> Event {
        let aimed = if self.aware { self.aimed_touch(seen) } else { None };
        aimed.unwrap_or_else(|| Event::Tap(seen.aim_at(self.point(seen))))
    }

    fn aimed_touch(&mut self, seen: &Observation) -> Option<Event> {
        let deeds = deeds(seen);
        let widgets: Vec<_> = deeds.chunk_by(|one, other| one.0 == other.0).collect();
        let widget = *self.dice.pick(&widgets)?;
        let clicks = widget.iter().any(|&(_, deed)| deed == Deed::Click);
        let touches: Vec<_> =
            widget.iter().filter(|&&(_, deed)| !(clicks && deed == Deed::LongClick)).copied().collect();
        let &(id, deed) = self.dice.pick(&touches)?;
        let action = Action::On(id, deed);
        let text = if action.edits() { texts::draw(&mut self.dice) } else { "" };
        Some(action.event(seen, text))
    }

    fn motion(&mut self, seen: &Observation) -> Event {
        let aimed = if self.aware { self.aimed_motion(seen) } else { None };
        aimed.unwrap_or_else(|| {
            let from = self.point(seen);
            Event::Swipe { aim: seen.aim_at(from), to: self.point(seen), over: SWIPE }
        })
    }

    fn aimed_motion(&mut self, seen: &Observation) -> Option<Event> {
        let mut scrolls = deeds(seen);
        scrolls.retain(|(_, deed)| deed.scrolls());
        let &(id, deed) = self.dice.pick(&scrolls)?;
        Some(Action::On(id, deed).event(seen, ""))
    }

    fn pinch(&mut self, seen: &Observation) -> Event {
        let aim = seen.aim_at(self.point(seen));
        let apart = self.dice.below(2) == 1;
        let (low, high) = if apart { (101, 400) } else { (25, 99) };
        let percent = self.dice.between(low, high).unsigned_abs();
        Event::Pinch { aim, percent, over: PINCH }
    }

    fn point(&mut self, seen: &Observation) -> Point {
        let screen = seen.screen.rect();
        let x = self.dice.between(0, screen.right - 1);
        Point::new(x, self.dice.between(0, screen.bottom - 1))
    }

    fn key_of(&mut self, keys: &[Key]) -> Event {
        Event::key(*self.dice.pick(keys).expect("every category has keys"))
    }

    fn any_key(&mut self) -> Event {
        loop {
            let drawn = self.dice.between(1, i32::from(Key::LAST));
            let key = Key(u16::try_from(drawn).expect("no greater than the last key"));
            if !SLEEPERS.contains(&key) {
                return Event::key(key);
            }
        }
    }
}

/// What can be done to the widgets of a screen; the deeds of one widget stand together.
fn deeds(seen: &Observation) -> Vec<(NodeId, Deed)> {
    let on_widget = |action| match action {
        Action::On(id, deed) => Some((id, deed)),
        Action::Back | Action::Menu => None,
    };
    actions(seen).into_iter().filter_map(on_widget).collect()
}

#[cfg(test)]
mod tests;
