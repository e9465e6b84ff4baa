//! What an exploration is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use retap_explore::{
    Answer, Category, Explorer, FieldTexts, Ruled, Rules, StrategyKind, StrategySettings, SystemSettings,
    TimeTravelSettings, WindowSettings,
};
use retap_lab::ExplorationSettings;
use retap_trace::{Event, Micros, Seed, Start};
use serde::{Deserialize, Serialize};

use super::time_travel;
use crate::devices::Surroundings;
use crate::error::Result;
use crate::reduce::ReduceOptions;
use crate::{text, tracefile};

/// Everything that decides how an exploration goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExplorePlan {
    /// The device, as it is written.
    pub device: String,
    /// How many of them.
    pub devices: u32,
    /// How events are chosen.
    #[serde(with = "text")]
    pub strategy: StrategyKind,
    /// Monkey's mix of events; what is not given shares the rest.
    pub percentages: Vec<MonkeyShare>,
    /// Milliseconds between events.
    pub throttle: u64,
    /// Whether strategies that aim at widgets touch anywhere instead.
    pub blind: bool,
    /// When and where to go back in time.
    #[serde(with = "time_travel")]
    pub time_travel: TimeTravelSettings,
    /// Whether devices' snapshots are used.
    pub snapshots: bool,
    /// When to look at the whole screen.
    pub look: LookPolicy,
    /// It stops after so many events.
    pub events: Option<u64>,
    /// It stops after so many minutes of device time.
    pub minutes: Option<u64>,
    /// It stops when nothing new was seen for so many minutes.
    pub idle_minutes: Option<u64>,
    /// What it must keep to.
    pub rules: ExploreRules,
    /// A trace that each start begins with.
    pub start: Option<PathBuf>,
    /// How new crashes are reduced; nothing when they are not.
    pub reduce: Option<ReduceOptions>,
    /// It stops once a crash was seen after at least so many events from a clean start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_crash_after: Option<usize>,
    /// The seed of all chance.
    pub seed: u64,
}

/// A share in Monkey's mix of events.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MonkeyShare {
    /// The kind of events.
    #[serde(with = "text")]
    pub category: Category,
    /// Percent.
    pub percent: u32,
}

/// When to look at the whole screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LookPolicy {
    /// After every event.
    Always,
    /// Less often while nothing is new.
    Adaptive,
}

/// What an exploration must keep to.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ExploreRules {
    /// By field, the texts to type into it.
    pub texts: BTreeMap<String, Vec<String>>,
    /// Widgets that are never touched.
    pub avoid: Vec<String>,
    /// Activities that are left at once.
    pub avoid_activities: Vec<String>,
    /// Packages besides the app's own that may be explored.
    pub packages: Vec<String>,
    /// How questions for permissions are answered.
    pub permissions: PermissionAnswer,
}

/// How questions for permissions are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionAnswer {
    /// As any other dialog: by chance.
    #[default]
    Leave,
    /// Yes.
    Allow,
    /// No.
    Deny,
}

impl ExplorePlan {
    /// Android's Monkey on one device, for so many events.
    pub fn monkey(device: impl Into<String>, events: u64, seed: u64) -> Self {
        Self {
            device: device.into(),
            devices: 1,
            strategy: "monkey".parse().expect("a name of the table"),
            percentages: Vec::new(),
            throttle: 0,
            blind: false,
            time_travel: time_travel::usual(),
            snapshots: true,
            look: LookPolicy::Always,
            events: Some(events),
            minutes: None,
            idle_minutes: None,
            rules: ExploreRules::default(),
            start: None,
            reduce: None,
            until_crash_after: None,
            seed,
        }
    }

    /// Whether it can be carried out; else what is wrong with it.
    pub fn check(&self) -> Result<()> {
        self.explorer(&Surroundings::default()).map(drop)
    }

    /// The explorer of all lanes.
    pub(super) fn explorer(&self, surroundings: &Surroundings) -> Result<Box<dyn Explorer>> {
        let given: Vec<(Category, u32)> =
            self.percentages.iter().map(|share| (share.category, share.percent)).collect();
        let mut settings = StrategySettings::new(&given).map_err(|error| error.to_string())?;
        settings.blind = self.blind;
        settings.time_travel = self.time_travel;
        settings.system = system(surroundings);
        let seed = Seed(self.seed).branch("explorer", 0);
        let explorer = self.strategy.explorer(&settings, seed);
        let rules = self.rules.rules();
        let plain = rules == Rules::default();
        Ok(if plain { explorer } else { Box::new(Ruled::new(explorer, rules, seed.branch("rules", 0))) })
    }

    /// How the loop goes about it. Devices without snapshots go back in time by replaying.
    pub(super) fn exploration(&self, snapshots: bool) -> Result<ExplorationSettings> {
        let minutes = |minutes: Option<u64>| {
            minutes.map_or(Micros(u64::MAX), |minutes| Micros::from_secs(minutes.saturating_mul(60)))
        };
        Ok(ExplorationSettings {
            events: self.events.unwrap_or(u64::MAX),
            time: minutes(self.minutes),
            idle: minutes(self.idle_minutes),
            snapshots: self.snapshots && snapshots,
            window: match self.look {
                LookPolicy::Always => WindowSettings::ALWAYS,
                LookPolicy::Adaptive => WindowSettings::default(),
            },
            packages: self.rules.packages.clone(),
            script: self.script()?,
            throttle: Micros::from_millis(self.throttle),
            confirm: 3,
        })
    }

    fn script(&self) -> Result<Arc<[Event]>> {
        let Some(file) = &self.start else { return Ok(Arc::new([])) };
        let trace = tracefile::read(file)?;
        let launches = trace.header.start == Start::Stopped;
        Ok(trace.events().skip(usize::from(launches)).cloned().collect())
    }
}

impl ExploreRules {
    fn rules(&self) -> Rules {
        Rules {
            texts: self
                .texts
                .iter()
                .map(|(field, texts)| FieldTexts { field: field.as_str().into(), texts: texts.clone() })
                .collect(),
            avoid: self.avoid.iter().map(|pattern| pattern.as_str().into()).collect(),
            avoid_activities: self.avoid_activities.clone(),
            packages: self.packages.clone(),
            permissions: match self.permissions {
                PermissionAnswer::Leave => Answer::Leave,
                PermissionAnswer::Allow => Answer::Allow,
                PermissionAnswer::Deny => Answer::Deny,
            },
        }
    }
}

/// System events that these devices can bring about.
fn system(surroundings: &Surroundings) -> SystemSettings {
    let mut settings =
        SystemSettings { components: surroundings.components.clone(), ..SystemSettings::default() };
    settings.kinds.retain(|kind| surroundings.modem || !kind.needs_modem());
    settings
}
