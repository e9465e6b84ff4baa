//! The strategies that are compared, made as the command line makes them.

use std::fmt;

use retap_explore::{
    Category, Explorer, Monkey, MonkeySettings, Percentages, PercentagesError, RestartMonkey, Selection,
    StuckSettings, SwiftHand, SwiftHandSettings, SystemMonkey, SystemMonkeySettings, SystemSettings,
    TimeTravel, TimeTravelSettings,
};
use retap_trace::Seed;

/// A way to explore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Android's Monkey as published: blind, with its own mix of events.
    Monkey,
    /// A monkey that aims, with system events.
    Ms,
    /// The same, which starts over when stuck.
    Mr,
    SwiftHand,
    /// The events of `Ms`, going back in time when stuck.
    TimeTravel,
    /// The same, but what to go back to is chosen by its surroundings, as the paper says.
    Neighbourhood,
    /// The same as `TimeTravel`, with the published patience.
    Patient,
    /// `Mr` with the published patience.
    PatientMr,
    /// `Mr` with blind events, and retap's patience.
    BlindMr,
    /// `TimeTravel` with blind events, and retap's patience.
    Blind,
    /// `Mr` as published: blind, with Monkey's own mix of events and the published patience.
    PublishedMr,
    /// `TimeTravel` as published, in the same way.
    Published,
}

/// The patience of time travel: a quarter of the published one, as on the command line.
const NO_PROGRESS: u32 = 50;

impl Strategy {
    /// Those of the experiment.
    pub(super) const USUAL: [Self; 7] = [
        Self::Monkey,
        Self::Ms,
        Self::Mr,
        Self::SwiftHand,
        Self::TimeTravel,
        Self::PublishedMr,
        Self::Published,
    ];
    /// Other settings of time travel, and of what it is compared with.
    pub(super) const VARIANTS: [Self; 5] =
        [Self::Neighbourhood, Self::PatientMr, Self::Patient, Self::BlindMr, Self::Blind];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Monkey => "monkey",
            Self::Ms => "ms",
            Self::Mr => "mr",
            Self::SwiftHand => "swifthand",
            Self::TimeTravel => "timetravel",
            Self::Neighbourhood => "timetravel, neighbourhood",
            Self::Patient => "timetravel, patience 200",
            Self::PatientMr => "mr, patience 200",
            Self::BlindMr => "mr, blind",
            Self::Blind => "timetravel, blind",
            Self::PublishedMr => "mr, published",
            Self::Published => "timetravel, published",
        }
    }

    /// An explorer for one device. `ms` and what builds on it draw events from this mix, but for the published ones.
    pub(super) fn explorer(self, mix: &Percentages, seed: Seed) -> Box<dyn Explorer> {
        let published = TimeTravelSettings::default().stuck.no_progress;
        let aimed = || ms(MonkeySettings { percentages: mix.clone(), aware: true, ..blind() }, seed);
        let restart = |no_progress, source| -> Box<dyn Explorer> {
            let stuck = StuckSettings { no_progress, ..StuckSettings::default() };
            Box::new(RestartMonkey::new(stuck, Box::new(source)))
        };
        let travel = |selection, no_progress, source| -> Box<dyn Explorer> {
            let mut settings = TimeTravelSettings { selection, ..TimeTravelSettings::default() };
            settings.stuck.no_progress = no_progress;
            Box::new(TimeTravel::new(settings, Box::new(source)))
        };
        match self {
            Self::Monkey => Box::new(Monkey::new(blind(), seed.dice())),
            Self::Ms => Box::new(aimed()),
            Self::Mr => restart(NO_PROGRESS, aimed()),
            Self::SwiftHand => Box::new(SwiftHand::new(SwiftHandSettings::default(), seed.dice())),
            Self::TimeTravel => travel(Selection::Own, NO_PROGRESS, aimed()),
            Self::Neighbourhood => travel(Selection::NEIGHBOURHOOD, NO_PROGRESS, aimed()),
            Self::Patient => travel(Selection::Own, published, aimed()),
            Self::PatientMr => restart(published, aimed()),
            Self::BlindMr => restart(NO_PROGRESS, ms(blind(), seed)),
            Self::Blind => travel(Selection::Own, NO_PROGRESS, ms(blind(), seed)),
            Self::PublishedMr => restart(published, ms(blind(), seed)),
            Self::Published => travel(Selection::Own, published, ms(blind(), seed)),
        }
    }
}

/// The mix of a monkey that sees, perhaps with another share of system keys.
pub(super) fn mix(system_keys: Option<u32>) -> Result<Percentages, PercentagesError> {
    let given = system_keys.map(|percent| (Category::SysKeys, percent));
    Percentages::aware(given.as_slice())
}

/// Android's Monkey as it is: touches anywhere, with its own mix of events.
fn blind() -> MonkeySettings {
    MonkeySettings::default()
}

/// The source of events of all that build on it. Only those with the same monkey compare.
fn ms(monkey: MonkeySettings, seed: Seed) -> SystemMonkey {
    SystemMonkey::new(SystemMonkeySettings { monkey, system: SystemSettings::default() }, seed)
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
