//! What a generated app is made of: `seed=1&screens=80&branches=2000&bugs=6&depth=5`.
//!
//! Every knob has a default and a range. A recipe that was read can always be cooked: what does not go together
//! is refused here, in one sentence.

use std::fmt;

use super::share::Share;
use retap_trace::did_you_mean;

/// The numbers that shape a generated app. Shares are of the screens, unless they say otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// Where chance starts.
    pub seed: u64,
    /// Screens; dialogs and menus come on top of them.
    pub screens: u32,
    /// Pieces of code that can be covered.
    pub branches: u32,
    pub bugs: u32,
    /// How many actions in the right order the deepest bug takes, the last of which crashes.
    pub depth: u32,
    /// Screens with many ways on; the first screen is always one.
    pub hubs: Share,
    /// Forms whose way on is out of sight, or shut until fields are filled.
    pub deadends: Share,
    /// Screens that lead round: to a neighbour and on to themselves, or at once to themselves.
    pub loops: Share,
    /// Screens with a list.
    pub lists: Share,
    /// Screens that are a further tab of another one.
    pub tabs: Share,
    /// Screens with a dialog.
    pub dialogs: Share,
    /// Screens with a menu.
    pub menus: Share,
    /// Ways to a screen that a switch on another screen opens.
    pub gates: Share,
    /// Screens with a link to any other screen.
    pub links: Share,
    /// Buttons without effect, of all buttons.
    pub idle: Share,
    /// Bugs that need a system event, of all bugs.
    pub system: Share,
    /// Bugs that need a rotation, of all bugs.
    pub rotation: Share,
    /// Bugs that crash only sometimes, of all bugs.
    pub flaky: Share,
    /// How often those crash.
    pub rate: Share,
    /// Transitions that vary from run to run, of all transitions.
    pub nondet: Share,
}

/// Why a recipe was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// A knob that there is not, or a value that it does not take, alone or with others.
    #[error("{0}")]
    Refused(String),
    /// More bugs than the screens can hold.
    #[error(
        "{bugs} bugs of depth {depth} do not fit on these screens; ask for {screens} screens or more, \
             or for fewer or shallower bugs"
    )]
    TooManyBugs {
        bugs: u32,
        depth: u32,
        /// How many screens would do.
        screens: u32,
    },
}

/// Where a knob is kept, and the values it takes.
enum Slot {
    Seed,
    Whole(fn(&mut Recipe) -> &mut u32, u32, u32),
    Share(fn(&mut Recipe) -> &mut Share, Share),
}

const KNOBS: [(&str, Slot); 20] = [
    ("seed", Slot::Seed),
    ("screens", Slot::Whole(|recipe| &mut recipe.screens, 1, 2_000)),
    ("branches", Slot::Whole(|recipe| &mut recipe.branches, 0, 200_000)),
    ("bugs", Slot::Whole(|recipe| &mut recipe.bugs, 0, 500)),
    ("depth", Slot::Whole(|recipe| &mut recipe.depth, 1, 9)),
    ("hubs", Slot::Share(|recipe| &mut recipe.hubs, Share::NONE)),
    ("deadends", Slot::Share(|recipe| &mut recipe.deadends, Share::NONE)),
    ("loops", Slot::Share(|recipe| &mut recipe.loops, Share::NONE)),
    ("lists", Slot::Share(|recipe| &mut recipe.lists, Share::NONE)),
    ("tabs", Slot::Share(|recipe| &mut recipe.tabs, Share::NONE)),
    ("dialogs", Slot::Share(|recipe| &mut recipe.dialogs, Share::NONE)),
    ("menus", Slot::Share(|recipe| &mut recipe.menus, Share::NONE)),
    ("gates", Slot::Share(|recipe| &mut recipe.gates, Share::NONE)),
    ("links", Slot::Share(|recipe| &mut recipe.links, Share::NONE)),
    ("idle", Slot::Share(|recipe| &mut recipe.idle, Share::NONE)),
    ("system", Slot::Share(|recipe| &mut recipe.system, Share::NONE)),
    ("rotation", Slot::Share(|recipe| &mut recipe.rotation, Share::NONE)),
    ("flaky", Slot::Share(|recipe| &mut recipe.flaky, Share::NONE)),
    ("rate", Slot::Share(|recipe| &mut recipe.rate, Share::percent(1))),
    ("nondet", Slot::Share(|recipe| &mut recipe.nondet, Share::NONE)),
];

/// Actions of bugs that one screen has room for.
pub(super) const ROOM: usize = 9;
/// Screens behind switches are at most one in so many.
pub(super) const ONE_BEHIND_IN: usize = 4;

const TOO_MUCH: &str = "are parts of one whole and cannot be more than 1 together; lower one of them";

fn refused<T>(why: String) -> Result<T, RecipeError> {
    Err(RecipeError::Refused(why))
}

impl Recipe {
    pub fn parse(knobs: &[(String, String)]) -> Result<Self, RecipeError> {
        let mut recipe = Self::default();
        for (place, (name, value)) in knobs.iter().enumerate() {
            if knobs[..place].iter().any(|(seen, _)| seen == name) {
                return refused(format!("the knob '{name}' is given twice; leave one of them out"));
            }
            recipe.turn(name, value)?;
        }
        recipe.check()?;
        Ok(recipe)
    }

    /// Refuses values out of range, and what does not go together.
    pub(super) fn check(&self) -> Result<(), RecipeError> {
        let mut copy = *self;
        for (name, slot) in &KNOBS {
            let value = match slot {
                Slot::Seed => continue,
                Slot::Whole(place, ..) => place(&mut copy).to_string(),
                Slot::Share(place, _) => place(&mut copy).to_string(),
            };
            copy.turn(name, &value)?;
        }
        if !Share::together(&[self.hubs, self.deadends, self.lists]) {
            return refused(format!("hubs, deadends and lists {TOO_MUCH}"));
        }
        if !Share::together(&[self.system, self.rotation]) {
            return refused(format!("system and rotation {TOO_MUCH}"));
        }
        let special = self.system.of(self.bugs as usize) + self.rotation.of(self.bugs as usize);
        if self.depth < 2 && special > 0 {
            let why =
                "a bug that needs a system event or a rotation takes a depth of 2 or more; raise 'depth'";
            return refused(why.to_owned());
        }
        let fits = |screens: u32| {
            let hosts = Self { screens, ..*self }.surest_hosts();
            (self.bugs * self.depth) as usize <= hosts * (ROOM + 1 - self.depth as usize)
        };
        if fits(self.screens) {
            return Ok(());
        }
        let (bugs, depth) = (self.bugs, self.depth);
        let screens = (self.screens..1_000_000).step_by(10).find(|&screens| fits(screens));
        Err(RecipeError::TooManyBugs { bugs, depth, screens: screens.unwrap_or(u32::MAX) })
    }

    /// How many screens can surely hold a bug of any kind: no form, behind no switch, and no further tab where
    /// rotations count. With this many, a bug of the greatest depth finds a screen that has room for all of it.
    fn surest_hosts(&self) -> usize {
        let screens = self.screens as usize;
        let behind = if self.gates == Share::NONE { 0 } else { screens / ONE_BEHIND_IN };
        let tabs = if self.rotation == Share::NONE { Share::NONE } else { self.tabs };
        screens.saturating_sub(self.deadends.of(screens) + tabs.of(screens) + behind).max(1)
    }

    fn turn(&mut self, name: &str, value: &str) -> Result<(), RecipeError> {
        let Some((_, slot)) = KNOBS.iter().find(|(known, _)| *known == name) else {
            let names = KNOBS.map(|(name, _)| name);
            let hint =
                did_you_mean(name, names).unwrap_or_else(|| format!("; there are {}", names.join(", ")));
            return refused(format!("generated apps have no knob '{name}'{hint}"));
        };
        let takes =
            |takes: String| RecipeError::Refused(format!("the knob '{name}' takes {takes}, not '{value}'"));
        if value.is_empty() {
            return refused(format!("the knob '{name}' has no value; write {name}=VALUE"));
        }
        match slot {
            Slot::Seed => {
                self.seed = value.parse().map_err(|_| takes("a whole number from 0 on".to_owned()))?;
            }
            Slot::Whole(place, low, high) => {
                let number = value.parse().ok().filter(|number| (low..=high).contains(&number));
                *place(self) = number.ok_or_else(|| takes(format!("a whole number from {low} to {high}")))?;
            }
            Slot::Share(place, low) => {
                let share = value.parse().ok().filter(|share| share >= low);
                *place(self) = share.ok_or_else(|| takes(format!("a number from {low} to 1")))?;
            }
        }
        Ok(())
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            screens: 80,
            branches: 2_000,
            bugs: 6,
            depth: 5,
            hubs: Share::percent(5),
            deadends: Share::percent(10),
            loops: Share::percent(10),
            lists: Share::percent(20),
            tabs: Share::percent(10),
            dialogs: Share::percent(15),
            menus: Share::percent(15),
            gates: Share::percent(5),
            links: Share::percent(20),
            idle: Share::percent(10),
            system: Share::NONE,
            rotation: Share::NONE,
            flaky: Share::NONE,
            rate: Share::percent(50),
            nondet: Share::NONE,
        }
    }
}

/// With all its knobs, so that it can be read again: `seed=1&screens=80&..`.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        for (number, (name, slot)) in KNOBS.iter().enumerate() {
            let joint = if number == 0 { "" } else { "&" };
            match slot {
                Slot::Seed => write!(f, "{joint}{name}={}", self.seed)?,
                Slot::Whole(place, ..) => write!(f, "{joint}{name}={}", place(&mut copy))?,
                Slot::Share(place, _) => write!(f, "{joint}{name}={}", place(&mut copy))?,
            }
        }
        Ok(())
    }
}
