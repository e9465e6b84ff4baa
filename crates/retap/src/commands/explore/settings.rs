//! What an exploration is: what was typed, joined with what is set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use retap_explore::{
    Answer, Category, Explorer, FieldTexts, Ruled, Rules, Selection, StrategyKind, StrategySettings,
    SystemSettings, TimeTravelSettings, WindowSettings,
};
use retap_lab::ExplorationSettings;
use retap_trace::{Event, Micros, Seed};
use serde::{Deserialize, Serialize};

use crate::args::ExploreArgs;
use crate::commands::Context;
use crate::config::{self, RulesConfig};
use crate::devices::Surroundings;
use crate::{devices, tracefile};

/// The word of `--timetravel` for everything as in the paper: 200 events without progress, and Monkey's blind events in
/// its own mix.
const PUBLISHED: &str = "published";
/// The setting of time travel that the paper does not have.
const UNPUBLISHED: &str = "snapshots";

/// Everything that decides how an exploration goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ExploreSettings {
    pub(crate) device: String,
    /// The same, with the file of its app where it is now. That may have changed when an exploration is gone on with.
    #[serde(skip)]
    pub(super) here: Option<String>,
    pub(crate) devices: u32,
    pub(crate) strategy: String,
    pub(crate) percentages: Vec<(String, u32)>,
    /// Milliseconds between events.
    pub(crate) throttle: u64,
    /// Whether ms, mr and timetravel touch anywhere instead of at widgets.
    pub(crate) blind: bool,
    /// Time travel's own settings by name.
    pub(crate) timetravel: BTreeMap<String, f64>,
    pub(crate) select: Option<String>,
    pub(crate) snapshots: bool,
    pub(crate) look: String,
    pub(crate) events: Option<u64>,
    pub(crate) minutes: Option<u64>,
    pub(crate) idle_minutes: Option<u64>,
    pub(crate) rules: RulesConfig,
    /// A trace that each start begins with.
    pub(crate) start: Option<PathBuf>,
    pub(crate) reduce: bool,
    pub(crate) seed: u64,
}

impl ExploreSettings {
    /// Android's Monkey on one device.
    pub(crate) fn monkey(device: &str, events: u64, seed: u64) -> Self {
        Self {
            device: device.to_owned(),
            here: None,
            devices: 1,
            strategy: "monkey".to_owned(),
            percentages: Vec::new(),
            throttle: 0,
            blind: false,
            timetravel: BTreeMap::new(),
            select: None,
            snapshots: true,
            look: "always".to_owned(),
            events: Some(events),
            minutes: None,
            idle_minutes: None,
            rules: RulesConfig::default(),
            start: None,
            reduce: false,
            seed,
        }
    }

    /// What was typed wins over what is set.
    pub(super) fn join(args: &ExploreArgs, context: &Context) -> anyhow::Result<Self> {
        let config = &context.config;
        let set = &config.explore;
        // What is typed wins as a whole: events on the command line beat minutes in the file.
        let typed = (args.events, args.minutes, args.idle_minutes);
        let limits =
            if typed == (None, None, None) { (set.events, set.minutes, set.idle_minutes) } else { typed };
        let (events, minutes, idle_minutes) = limits;
        ensure!(
            events != Some(0) && minutes != Some(0) && idle_minutes != Some(0),
            "an exploration of nothing finds nothing; give more than 0"
        );
        let events = if limits == (None, None, None) { Some(5000) } else { events };
        let choose = |typed: &Option<String>, set: &Option<String>, usual: &str| {
            typed.clone().or_else(|| set.clone()).unwrap_or_else(|| usual.to_owned())
        };
        let published = args.timetravel.iter().any(|text| text == PUBLISHED);
        let mut timetravel = set.timetravel.clone();
        if published {
            alone(args)?;
            timetravel.retain(|name, _| name == UNPUBLISHED);
            timetravel.insert("no-progress".to_owned(), 200.0);
        }
        for text in args.timetravel.iter().filter(|text| *text != PUBLISHED) {
            let (name, value) = named(text)?;
            timetravel.insert(name, value);
        }
        let shares = if published { &BTreeMap::new() } else { &set.pct };
        let settings = Self {
            device: devices::choose([args.device.as_deref(), config.device.as_deref()])?,
            here: None,
            devices: config::devices(args.devices, config)?,
            strategy: choose(&args.strategy, &set.strategy, "monkey"),
            percentages: percentages(&args.monkey.typed(), shares)?,
            throttle: args.throttle.or(set.throttle).unwrap_or(0),
            blind: args.blind || set.blind || published,
            timetravel,
            select: args.select.clone().or_else(|| set.select.clone()),
            snapshots: !args.no_snapshots && set.snapshots.unwrap_or(true),
            look: choose(&args.look, &set.look, "always"),
            events,
            minutes,
            idle_minutes,
            rules: set.rules.clone(),
            start: args.start.clone().or_else(|| set.start.clone()),
            reduce: args.reduce || set.reduce,
            seed: context.seed(),
        };
        settings.explorer(&Surroundings::default())?;
        settings.window()?;
        Ok(settings)
    }

    /// The device, as it can be opened now.
    pub(super) fn device_here(&self) -> &str {
        self.here.as_deref().unwrap_or(&self.device)
    }

    /// The explorer of all lanes.
    pub(super) fn explorer(&self, surroundings: &Surroundings) -> anyhow::Result<Box<dyn Explorer>> {
        let given = self.percentages.iter().map(|(name, percent)| Ok((name.parse::<Category>()?, *percent)));
        let given = given.collect::<Result<Vec<_>, retap_explore::PercentagesError>>()?;
        let mut settings = StrategySettings::new(&given)?;
        settings.blind = self.blind;
        settings.time_travel = self.time_travel()?;
        settings.system = system(surroundings);
        let seed = Seed(self.seed).branch("explorer", 0);
        let strategy = StrategyKind::named(&self.strategy).map_err(anyhow::Error::msg)?;
        let explorer = strategy.explorer(&settings, seed);
        let rules = self.rules()?;
        let plain = rules == Rules::default();
        Ok(if plain { explorer } else { Box::new(Ruled::new(explorer, rules, seed.branch("rules", 0))) })
    }

    fn time_travel(&self) -> anyhow::Result<TimeTravelSettings> {
        let mut settings = TimeTravelSettings::default();
        // A quarter of the published patience: on our apps it finds more, and stuck is stuck.
        settings.stuck.no_progress = 50;
        for (name, value) in &self.timetravel {
            let whole = || -> anyhow::Result<u32> {
                ensure!(
                    value.fract() == 0.0 && (1.0..=1e6).contains(value),
                    "{name} takes a whole number, not {value}"
                );
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it was just checked"
                )]
                Ok(*value as u32)
            };
            let share = || -> anyhow::Result<f64> {
                ensure!((0.0..=1.0).contains(value), "{name} takes a number from 0 to 1, not {value}");
                Ok(*value)
            };
            match &**name {
                "loop-length" => settings.stuck.length = whole()? as usize,
                "no-progress" => settings.stuck.no_progress = whole()?,
                "frequent" => settings.stuck.frequent = share()?,
                "easy" => settings.stuck.easy = share()?,
                "reward" => settings.fitness.reward = share()?,
                "penalty" => settings.fitness.penalty = share()?,
                "interesting" => {
                    ensure!(
                        (1.0..=1e6).contains(value),
                        "interesting takes a number of 1 or more, not {value}"
                    );
                    settings.fitness.interesting = *value;
                }
                "snapshots" => settings.snapshots = whole()? as usize,
                _ => bail!(
                    "there is no setting '{name}' of time travel; there are loop-length, no-progress, frequent, \
                     easy, reward, penalty, interesting and snapshots"
                ),
            }
        }
        settings.selection = match self.select.as_deref() {
            None | Some("own") => Selection::Own,
            Some("neighbourhood") => Selection::NEIGHBOURHOOD,
            Some(other) => bail!("--select takes own or neighbourhood, not '{other}'"),
        };
        Ok(settings)
    }

    fn window(&self) -> anyhow::Result<WindowSettings> {
        match &*self.look {
            "always" => Ok(WindowSettings::ALWAYS),
            "adaptive" => Ok(WindowSettings::default()),
            other => bail!("--look takes always or adaptive, not '{other}'"),
        }
    }

    fn rules(&self) -> anyhow::Result<Rules> {
        let rules = &self.rules;
        Ok(Rules {
            texts: rules
                .texts
                .iter()
                .map(|(field, texts)| FieldTexts { field: field.as_str().into(), texts: texts.clone() })
                .collect(),
            avoid: rules.avoid.iter().map(|pattern| pattern.as_str().into()).collect(),
            avoid_activities: rules.avoid_activities.clone(),
            packages: rules.packages.clone(),
            permissions: match rules.permissions.as_deref() {
                None | Some("leave") => Answer::Leave,
                Some("allow") => Answer::Allow,
                Some("deny") => Answer::Deny,
                Some(other) => bail!("permissions takes allow, deny or leave, not '{other}'"),
            },
        })
    }

    /// How the driver goes about it. Devices without snapshots go back in time by replaying.
    pub(super) fn exploration(&self, snapshots: bool) -> anyhow::Result<ExplorationSettings> {
        let minutes = |minutes: Option<u64>| {
            minutes.map_or(Micros(u64::MAX), |minutes| Micros::from_secs(minutes.saturating_mul(60)))
        };
        Ok(ExplorationSettings {
            events: self.events.unwrap_or(u64::MAX),
            time: minutes(self.minutes),
            idle: minutes(self.idle_minutes),
            snapshots: self.snapshots && snapshots,
            window: self.window()?,
            packages: self.rules.packages.clone(),
            script: self.script()?,
            throttle: Micros::from_millis(self.throttle),
            confirm: 3,
        })
    }

    fn script(&self) -> anyhow::Result<Arc<[Event]>> {
        let Some(file) = &self.start else { return Ok(Arc::new([])) };
        let trace = tracefile::read(file)?;
        let launches = trace.header.start == retap_trace::Start::Stopped;
        Ok(trace.events().skip(usize::from(launches)).cloned().collect())
    }
}

/// System events that these devices can bring about.
fn system(surroundings: &Surroundings) -> SystemSettings {
    let mut settings =
        SystemSettings { components: surroundings.components.clone(), ..SystemSettings::default() };
    settings.kinds.retain(|kind| surroundings.modem || !kind.needs_modem());
    settings
}

/// What is published leaves nothing of this to choose.
fn alone(args: &ExploreArgs) -> anyhow::Result<()> {
    let set = |text: &&String| *text != PUBLISHED && !text.starts_with("snapshots=");
    if let Some(other) = args.timetravel.iter().find(set) {
        bail!("--timetravel published and --timetravel {other} exclude each other; leave one of them out");
    }
    ensure!(
        !args.blind,
        "--blind does nothing with --timetravel published, which touches anywhere; leave it out"
    );
    if let Some((name, _)) = args.monkey.typed().first() {
        bail!(
            "--timetravel published has Monkey's own mix of events, and --pct-{name} changes it; leave one of them out"
        );
    }
    Ok(())
}

fn named(text: &str) -> anyhow::Result<(String, f64)> {
    let wrong =
        || format!("--timetravel takes published or NAME=NUMBER, such as no-progress=100, not '{text}'");
    let (name, value) = text.split_once('=').with_context(wrong)?;
    Ok((name.to_owned(), value.parse().ok().filter(|value: &f64| value.is_finite()).with_context(wrong)?))
}

fn percentages(
    typed: &[(&'static str, &str)],
    set: &BTreeMap<String, u32>,
) -> anyhow::Result<Vec<(String, u32)>> {
    let mut given = set.clone();
    for (name, value) in typed {
        let percent = value.parse().ok().filter(|percent| *percent <= 100);
        let percent = percent
            .with_context(|| format!("--pct-{name} takes a whole number from 0 to 100, not '{value}'"))?;
        given.insert((*name).to_owned(), percent);
    }
    Ok(given.into_iter().collect())
}

/// Where the segments of an exploration are.
pub(super) fn traces() -> &'static Path {
    Path::new("traces")
}
