//! Crash traces, made by exploring simulated apps.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use retap_device::Device;
use retap_explore::{Explorer, Monkey, MonkeySettings, Percentages, Random, RandomSettings, WindowSettings};
use retap_lab::{Exploration, ExplorationSettings, SegmentEnd};
use retap_sim::machine::Program;
use retap_sim::{SimDevice, SimSpec};
use retap_trace::{Header, Seed, Target, Trace};

/// The apps, and who goes through each. Those of the generator have bugs that always crash.
const APPS: [(&str, &str, Strategy); 10] = [
    ("notes", "sim:notes", Strategy::Aware),
    ("gen1", "sim:gen?seed=1&screens=30&branches=300&bugs=6&depth=3", Strategy::Random),
    ("dalvik", "sim:dalvik", Strategy::Aware),
    ("gen2", "sim:gen?seed=2&screens=30&branches=300&bugs=6&depth=4", Strategy::Random),
    ("addi", "sim:addi", Strategy::Monkey),
    ("gen3", "sim:gen?seed=3&screens=40&branches=400&bugs=6&depth=3", Strategy::Random),
    ("flashcards", "sim:flashcards", Strategy::Aware),
    ("gen4", "sim:gen?seed=4&screens=40&branches=400&bugs=6&depth=4", Strategy::Random),
    ("notes", "sim:notes", Strategy::Random),
    ("gen5", "sim:gen?seed=5&screens=50&branches=500&bugs=8&depth=3", Strategy::Random),
];

/// A trace is as long as one that people want to have reduced, and a search on it takes no hours.
const LENGTH: std::ops::RangeInclusive<usize> = 30..=2_000;
/// Events of one exploration.
const EVENTS: u64 = 20_000;
/// Explorations of an app before it is given up.
const ATTEMPTS: u64 = 200;

#[derive(Debug, Clone, Copy)]
enum Strategy {
    /// Android's Monkey.
    Monkey,
    /// A monkey that aims at widgets.
    Aware,
    /// Any action that the screen offers; it never starts over by itself.
    Random,
}

/// A trace with the app that it is of.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) app: &'static str,
    pub(super) trace: Arc<Trace>,
    pub(super) target: Target,
    spec: SimSpec,
    program: Arc<Program>,
}

impl Subject {
    /// The trace of this number, of an exploration that looks like this.
    pub(super) fn explore(number: usize, window: WindowSettings, seed: u64) -> anyhow::Result<Self> {
        let (app, text, strategy) = APPS[number % APPS.len()];
        let spec: SimSpec = text.parse()?;
        let loaded = retap_generate::load(&spec, &|path| Err(format!("{path} is not needed")))?;
        let header = Header::new(loaded.package.clone());
        let program = Arc::new(spec.program(Arc::new(loaded))?);
        let own = Seed(seed).branch("trace", number as u64);
        for attempt in 0..ATTEMPTS {
            let device = Box::new(SimDevice::running(&spec, program.clone()));
            let trace = crash(device, &header, strategy, window, own.branch("attempt", attempt));
            let Some(trace) = trace else { continue };
            let crash = trace.steps.last().and_then(|step| step.crash.as_ref()).context("it ends so")?;
            let target = Target::Crash(crash.signature.clone());
            return Ok(Self { app, trace: Arc::new(trace), target, spec, program });
        }
        bail!("no trace of {app} ends with a crash after {LENGTH:?} events")
    }

    /// A device with the app on it.
    pub(super) fn device(&self) -> Box<dyn Device> {
        Box::new(SimDevice::running(&self.spec, self.program.clone()))
    }
}

/// The first leg of an exploration that is long enough and ends with a crash.
fn crash(
    device: Box<dyn Device>,
    header: &Header,
    strategy: Strategy,
    window: WindowSettings,
    seed: Seed,
) -> Option<Trace> {
    let settings = ExplorationSettings { events: EVENTS, window, ..ExplorationSettings::default() };
    let explorer = strategy.explorer(seed.branch("explorer", 0));
    let mut exploration = Exploration::new(settings, explorer, &*header.app.package, 1);
    let (_, ends) = exploration.virtually(vec![device], seed.branch("device", 0), &mut |_| true);
    let crashes = ends.iter().filter(|(_, end)| matches!(end, SegmentEnd::Crash(_)));
    let mut legs = crashes.map(|(leg, _)| exploration.segments().get(*leg));
    let leg = legs.find(|segment| LENGTH.contains(&segment.steps.len()))?;
    Some(Trace { header: header.clone(), steps: leg.steps.clone() })
}

impl Strategy {
    fn explorer(self, seed: Seed) -> Box<dyn Explorer> {
        let monkey = |settings| Box::new(Monkey::new(settings, seed.dice()));
        match self {
            Self::Monkey => monkey(MonkeySettings::default()),
            Self::Aware => monkey(MonkeySettings {
                percentages: Percentages::aware(&[]).expect("the usual mix"),
                aware: true,
                ..MonkeySettings::default()
            }),
            Self::Random => {
                let settings = RandomSettings { restart: 0.0, longest: u32::MAX };
                Box::new(Random::new(settings, seed.dice()))
            }
        }
    }
}
