//! A generated app, random traces for it, and which activities each of them reaches how often.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use anyhow::ensure;
use retap_device::{Device, Look};
use retap_explore::{Category, Monkey, MonkeySettings, Percentages};
use retap_lab::{Deadlines, Exploration, ExplorationSettings, Replay};
use retap_sim::machine::{Machine, Program};
use retap_sim::{SimDevice, SimSpec};
use retap_trace::{Event, Header, Seed, Start, Step, Trace};

/// A generated app, ready to run.
#[derive(Debug)]
pub(super) struct Subject {
    spec: SimSpec,
    program: Arc<Program>,
}

/// What replays of all traces showed.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The activity that the launch shows.
    pub(super) home: Arc<str>,
    /// For each activity of the app, the traces that reached it and how many of their replays did.
    pub(super) reached: BTreeMap<Arc<str>, Vec<(u32, Arc<Trace>)>>,
    /// The activities that one event led to from another.
    ways: BTreeSet<(Arc<str>, Arc<str>)>,
}

/// Events in a trace.
pub(super) const EVENTS: u32 = 500;

/// What all apps of an experiment have in common. Windows take their time to appear, and an event takes four seconds, as
/// in the paper.
const COMMON: &str = "sim:gen?screens=60&bugs=0&latency=lognormal:600,0.5&profile=phone";

/// Where the events of a trace come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Taps on random points of the display, as in the paper.
    Taps,
    /// A monkey that aims at widgets, and presses the back key now and then: it gets further.
    Aimed,
}

impl Subject {
    /// An app with these knobs.
    pub(super) fn generate(knobs: &str, seed: Seed) -> anyhow::Result<Self> {
        let spec: SimSpec = format!("{COMMON}&{knobs}&seed={}", seed.0).parse()?;
        let app =
            retap_generate::load(&spec, &|path| Err(format!("{path} is not needed for a generated app")))?;
        let program = Arc::new(spec.program(Arc::new(app))?);
        Ok(Self { spec, program })
    }

    /// A device with the app on it.
    pub(super) fn device(&self) -> SimDevice {
        SimDevice::running(&self.spec, self.program.clone())
    }

    /// Replays so many random traces, each so many times.
    pub(super) fn survey(
        &self,
        source: Source,
        traces: u64,
        replays: u64,
        seed: Seed,
    ) -> anyhow::Result<Survey> {
        let mut survey = Survey::default();
        for nth in 0..traces {
            let drawn = seed.branch("trace", nth);
            let trace = Arc::new(match source {
                Source::Taps => taps(drawn),
                Source::Aimed => self.aimed(drawn)?,
            });
            let mut counts: BTreeMap<Arc<str>, u32> = BTreeMap::new();
            for again in 0..replays {
                let seed = seed.branch("survey", nth).branch("replay", again);
                for activity in self.replay(&trace, seed, &mut survey)? {
                    *counts.entry(activity).or_default() += 1;
                }
            }
            for (activity, count) in counts {
                survey.reached.entry(activity).or_default().push((count, trace.clone()));
            }
        }
        Ok(survey)
    }

    /// What a monkey that aims did in one go.
    fn aimed(&self, seed: Seed) -> anyhow::Result<Trace> {
        let percentages = Percentages::aware(&[(Category::Touch, 85), (Category::SysKeys, 15)])?;
        let settings = MonkeySettings { percentages, aware: true, ..MonkeySettings::default() };
        let monkey = Box::new(Monkey::new(settings, seed.branch("monkey", 0).dice()));
        let device = self.device();
        let package = device.package().to_owned();
        let settings = ExplorationSettings { events: u64::from(EVENTS), ..ExplorationSettings::default() };
        let mut exploration = Exploration::new(settings, monkey, &package, 1);
        exploration.virtually(vec![Box::new(device)], seed, &mut |_| true);
        let legs = exploration.segments();
        let steps: Vec<Step> = legs
            .iter()
            .flat_map(|segment| &segment.steps)
            .map(|step| Step::new(step.event.clone()))
            .collect();
        ensure!(
            legs.iter().count() == 1 && steps.len() == EVENTS as usize,
            "an app without bugs is explored in one go"
        );
        Ok(Trace { header: header(), steps })
    }

    /// Replays a trace once; returns the activities of the app that were in front.
    fn replay(&self, trace: &Trace, seed: Seed, survey: &mut Survey) -> anyhow::Result<BTreeSet<Arc<str>>> {
        let mut device = self.device();
        let package = device.package().to_owned();
        let mut replay = Replay::new(&mut device, Deadlines::default(), Look::Activity);
        let mut here = replay.begin(trace.header.start, seed)?.activity;
        survey.home = here.clone();
        let mut seen = BTreeSet::from([here.clone()]);
        for event in trace.events() {
            let now = replay.perform(event)?;
            if now.activity != here && *now.package == package {
                seen.insert(now.activity.clone());
                survey.ways.insert((here, now.activity.clone()));
            }
            here = now.activity;
        }
        Ok(seen)
    }
}

impl Survey {
    /// How many activities away from the launch each activity is, on ways that were seen.
    pub(super) fn depths(&self) -> BTreeMap<Arc<str>, u32> {
        let mut depths = BTreeMap::from([(self.home.clone(), 0)]);
        let mut queue = VecDeque::from([self.home.clone()]);
        while let Some(here) = queue.pop_front() {
            let next = depths[&here] + 1;
            for (_, to) in self.ways.iter().filter(|(from, _)| *from == here) {
                if !depths.contains_key(to) {
                    depths.insert(to.clone(), next);
                    queue.push_back(to.clone());
                }
            }
        }
        depths
    }
}

/// Taps on random points of the display.
fn taps(seed: Seed) -> Trace {
    let mut dice = seed.dice();
    let size = Machine::SCREEN;
    let mut below =
        |bound: u32| i32::try_from(dice.index(bound as usize)).expect("a display is not that large");
    let mut tap = || Event::tap(below(size.width), below(size.height));
    Trace { header: header(), steps: (0..EVENTS).map(|_| Step::new(tap())).collect() }
}

fn header() -> Header {
    Header { start: Start::Launched, ..Header::new("bench") }
}
