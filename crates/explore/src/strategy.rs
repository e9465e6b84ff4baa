//! Strategies by name: what `--strategy` takes, and what each makes use of.

use retap_trace::Seed;

use crate::STRATEGIES;
use crate::explorer::Explorer;
use crate::percentages::{Category, Percentages, PercentagesError};
use crate::system::SystemSettings;
use crate::timetravel::TimeTravelSettings;

/// A strategy that can be chosen by name.
#[derive(Debug, Clone, Copy)]
pub struct StrategyKind {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Which settings have an effect on it.
    pub uses: Uses,
    /// Makes its explorer, for any number of lanes.
    pub(crate) make: fn(&StrategySettings, Seed) -> Box<dyn Explorer>,
}

/// Which settings have an effect on a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Uses {
    /// Monkey's mix of events.
    pub mix: bool,
    /// Whether it touches anywhere or aims at widgets.
    pub aim: bool,
    /// When it counts as stuck.
    pub stuck: bool,
    /// Everything else of time travel: snapshots, and where to go back to.
    pub time_travel: bool,
}

/// What strategies are made with.
#[derive(Debug, Clone)]
pub struct StrategySettings {
    /// The mix of a monkey that touches anywhere, and that of one that aims at widgets.
    pub(crate) blind_mix: Percentages,
    pub(crate) aware_mix: Percentages,
    /// Whether strategies that aim at widgets touch anywhere instead.
    pub blind: bool,
    pub time_travel: TimeTravelSettings,
    pub system: SystemSettings,
}

impl StrategyKind {
    pub fn named(name: &str) -> Result<&'static Self, String> {
        let found = STRATEGIES.iter().find(|strategy| strategy.name == name);
        let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        found.ok_or_else(|| retap_trace::unknown("strategy", name, &names))
    }

    pub fn explorer(&self, settings: &StrategySettings, seed: Seed) -> Box<dyn Explorer> {
        (self.make)(settings, seed)
    }
}

impl std::str::FromStr for StrategyKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::named(name).copied()
    }
}

impl std::fmt::Display for StrategyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl StrategySettings {
    /// The usual settings with these percentages of Monkey's events.
    pub fn new(percentages: &[(Category, u32)]) -> Result<Self, PercentagesError> {
        Ok(Self {
            blind_mix: Percentages::given(percentages)?,
            aware_mix: Percentages::aware(percentages)?,
            blind: false,
            time_travel: TimeTravelSettings::default(),
            system: SystemSettings::default(),
        })
    }
}
