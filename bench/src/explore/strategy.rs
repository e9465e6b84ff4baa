//! The strategies that are compared, made as the command line makes them.

use std::fmt;

use retap_explore::{
    Category, Explorer, Monkey, MonkeySettings, Mr, Ms, MsSettings, Percentages, PercentagesError, Selection,
    SwiftHand, SwiftHandSettings, SystemSettings, TimeTravel, TimeTravelSettings,
};
use retap_trace::Seed;

/// A way to explore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Android's Monkey as published: blind, with its own mix of events.
    Monkey,
    /// A monkey that aims, with system events.
    Ms,
    /// The same, which begins anew when stuck.
    Mr,
    SwiftHand,
    /// The events of `Ms`, going back in time when stuck.
    TimeTravel,
    /// The same, but what to go back to is chosen by its surroundings, as the paper says.
    Neighbourhood,
    /// The same as `TimeTravel`, with the published patience.
    Patient,
}

/// The patience of time travel: a quarter of the published one, as on the command line.
const NO_PROGRESS: u32 = 50;

impl Strategy {
    /// Those of the experiment.
    pub(super) const USUAL: [Self; 5] = [Self::Monkey, Self::Ms, Self::Mr, Self::SwiftHand, Self::TimeTravel];
    /// Other settings of time travel.
    pub(super) const VARIANTS: [Self; 2] = [Self::Neighbourhood, Self::Patient];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Monkey => "monkey",
            Self::Ms => "ms",
            Self::Mr => "mr",
            Self::SwiftHand => "swifthand",
            Self::TimeTravel => "timetravel",
            Self::Neighbourhood => "timetravel, neighbourhood",
            Self::Patient => "timetravel, patience 200",
        }
    }

    /// An explorer for one device. `ms` and what builds on it draw events from this mix.
    pub(super) fn explorer(self, mix: &Percentages, seed: Seed) -> Box<dyn Explorer> {
        let ms = || ms(mix.clone(), seed);
        let travel = |selection, no_progress| -> Box<dyn Explorer> {
            let mut settings = TimeTravelSettings { selection, ..TimeTravelSettings::default() };
            settings.stuck.no_progress = no_progress;
            Box::new(TimeTravel::new(settings, Box::new(ms())))
        };
        match self {
            Self::Monkey => Box::new(Monkey::new(MonkeySettings::default(), seed.dice())),
            Self::Ms => Box::new(ms()),
            Self::Mr => {
                let mut stuck = TimeTravelSettings::default().stuck;
                stuck.no_progress = NO_PROGRESS;
                Box::new(Mr::new(stuck, Box::new(ms())))
            }
            Self::SwiftHand => Box::new(SwiftHand::new(SwiftHandSettings::default(), seed.dice())),
            Self::TimeTravel => travel(Selection::Own, NO_PROGRESS),
            Self::Neighbourhood => travel(Selection::NEIGHBOURHOOD, NO_PROGRESS),
            Self::Patient => travel(Selection::Own, TimeTravelSettings::default().stuck.no_progress),
        }
    }
}

/// The mix of a monkey that sees, perhaps with another share of system keys.
pub(super) fn mix(system_keys: Option<u32>) -> Result<Percentages, PercentagesError> {
    let given = system_keys.map(|percent| (Category::SysKeys, percent));
    Percentages::aware(given.as_slice())
}

/// The one source of events of all that build on it: only then do they compare.
fn ms(percentages: Percentages, seed: Seed) -> Ms {
    let monkey = MonkeySettings { percentages, aware: true, ..MonkeySettings::default() };
    Ms::new(MsSettings { monkey, system: SystemSettings::default() }, seed)
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
