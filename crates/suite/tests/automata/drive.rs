//! Driving the engine with any number of devices, in virtual time.

use std::collections::BTreeMap;
use std::sync::Arc;

use retap_model::TraceNumber;
use retap_reduce::{Algorithm as _, Ticket};
use retap_suite::{
    Effort, Followed, Leg, Purpose, Reading, ReplayOrder, Shrink, Sighting, StepRef, SuiteInput, SuiteReport,
    SuiteSettings,
};
use retap_trace::{CoverageId, Event, Micros, Seed, StateKey, Trace};

use crate::app::{App, RESTART, STEP, Session, signature};

/// What came of it, and how.
pub(crate) struct Done {
    pub(crate) report: SuiteReport,
    /// Every run that ended, in the order in which it did.
    pub(crate) runs: Vec<(ReplayOrder, Followed)>,
    /// Device time until the end, with all devices.
    pub(crate) elapsed: Micros,
}

/// How devices behave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Devices {
    pub(crate) count: u32,
    /// How often one fails in the middle of a run.
    pub(crate) faults: f64,
    /// Whether runs that search begin in snapshots.
    pub(crate) snapshots: bool,
    pub(crate) seed: u64,
}

impl Devices {
    pub(crate) fn one(seed: u64) -> Self {
        Self { count: 1, faults: 0.0, snapshots: false, seed }
    }
}

/// Makes a suite of these traces.
pub(crate) fn shrink(app: &dyn App, traces: &[Trace], settings: SuiteSettings, devices: Devices) -> Done {
    let settings = SuiteSettings { devices: devices.count, ..settings };
    let input = Arc::new(SuiteInput::read(traces, Reading::default()).expect("good traces"));
    let mut shrink = Shrink::new(input, settings);
    let mut under_way: BTreeMap<(Micros, Ticket), (ReplayOrder, Followed)> = BTreeMap::new();
    let mut now = Micros::ZERO;
    let mut runs = Vec::new();
    let mut saves = Saves::new();
    while !shrink.over() {
        while under_way.len() < devices.count as usize {
            let Some(order) = shrink.order() else { break };
            let run = replay(app, traces, &order, devices, &mut saves);
            under_way.insert((now + run.effort.time, order.ticket), (order, run));
        }
        let ((at, ticket), (order, run)) =
            under_way.pop_first().expect("not over, so something is under way");
        now = at;
        shrink.settle(ticket, &run);
        runs.push((order, run));
        for withdrawn in shrink.withdraw() {
            under_way.retain(|(_, ticket), _| *ticket != withdrawn);
        }
    }
    assert!(under_way.is_empty(), "over, so nothing is under way");
    assert_eq!(shrink.order(), None);
    Done { report: shrink.report(), runs, elapsed: now }
}

/// A run in the middle, with what was seen on the way.
struct Place<'a> {
    session: Session<'a>,
    start: StateKey,
    sightings: Vec<Sighting>,
}

/// Snapshots by what led to them.
type Saves<'a> = BTreeMap<Vec<Leg>, Place<'a>>;

/// Carries an order out. With snapshots, half of every path that is tried is saved.
fn replay<'a>(
    app: &'a dyn App,
    traces: &[Trace],
    order: &ReplayOrder,
    devices: Devices,
    saves: &mut Saves<'a>,
) -> Followed {
    let seed = Seed(devices.seed).branch("run", order.ticket.0);
    let mut dice = seed.branch("device", 0).dice();
    let searches = devices.snapshots && order.purpose == Purpose::Search;
    let saved = (1..=order.legs.len()).rev().find_map(|length| saves.get(&order.legs[..length]));
    if let Some(saved) = saved.filter(|_| searches) {
        let mut place = saved.again(seed.branch("again", 0));
        let known = place.sightings.len();
        if order.legs[known..].iter().all(|leg| place.go(traces, leg)) {
            let steps = u32::try_from(order.legs.len() - known).expect("a short path");
            let effort = Effort { time: Micros(1 + STEP.0 * u64::from(steps)), steps };
            return Followed { recalled: u32::try_from(known).ok(), effort, ..place.run() };
        }
    }
    let session = Session::launch(app, seed);
    let mut place = Place { start: session.key(), session, sightings: Vec::new() };
    for leg in order.legs.iter() {
        if dice.chance(devices.faults) {
            return Followed { inconclusive: true, ..place.run() };
        }
        if !place.go(traces, leg) {
            break;
        }
        let done = place.sightings.len();
        if searches && done == order.legs.len() / 2 {
            saves.entry(order.legs[..done].to_vec()).or_insert_with(|| place.again(seed));
        }
    }
    place.run()
}

impl Place<'_> {
    /// The same place, from here on with other chance.
    fn again(&self, seed: Seed) -> Self {
        Self { session: self.session.again(seed), start: self.start, sightings: self.sightings.clone() }
    }

    /// Performs a step; whether it leads where it should.
    fn go(&mut self, traces: &[Trace], leg: &Leg) -> bool {
        let sight = self.session.act(event(traces, leg.step));
        let sighting = Sighting {
            state: sight.key,
            coverage: sight.deed.code.into_iter().map(CoverageId).collect(),
            crash: sight.deed.crash.map(signature),
        };
        let met = leg.met(&sighting);
        self.sightings.push(sighting);
        met
    }

    fn run(self) -> Followed {
        let took = Micros(RESTART.0 + STEP.0 * self.sightings.len() as u64);
        Followed::clean(Some(self.start), self.sightings, took)
    }
}

pub(crate) fn event(traces: &[Trace], step: StepRef) -> &Event {
    &traces[step.trace.0 as usize].steps[step.position as usize].event
}

/// How often fresh runs of a kept trace see the states that the input saw, of so many.
pub(crate) fn fresh_rate(app: &dyn App, traces: &[Trace], steps: &[StepRef], runs: u64, seed: Seed) -> u64 {
    let follows = |number: u64| {
        let mut session = Session::launch(app, seed.branch("fresh", number));
        steps.iter().all(|&step| {
            let recorded = &traces[step.trace.0 as usize].steps[step.position as usize];
            let sight = session.act(&recorded.event);
            let crash = recorded.crash.as_ref().map(|crash| crash.signature.clone());
            let state = recorded.after.as_ref().and_then(|seen| seen.actionable);
            sight.deed.crash.map(signature) == crash && (crash.is_some() || Some(sight.key) == state)
        })
    };
    (0..runs).filter(|&number| follows(number)).count() as u64
}

/// Clean runs in which these steps, and perhaps more, were all followed.
pub(crate) fn confirmations(done: &Done, traces: &[Trace], steps: &[StepRef]) -> usize {
    let same = |one: StepRef, other: StepRef| {
        let after = |step: StepRef| &traces[step.trace.0 as usize].steps[step.position as usize].after;
        event(traces, one) == event(traces, other) && after(one) == after(other)
    };
    let confirms = |(order, run): &&(ReplayOrder, Followed)| {
        order.purpose == Purpose::Confirm
            && !run.inconclusive
            && order.legs.len() >= steps.len()
            && run.sightings.len() >= steps.len()
            && order.legs.iter().zip(steps).all(|(leg, step)| same(leg.step, *step))
            && order.legs.iter().zip(&run.sightings).take(steps.len()).all(|(leg, seen)| leg.met(seen))
    };
    done.runs.iter().filter(confirms).count()
}

/// The number of a trace, for readable tests.
pub(crate) fn number(trace: TraceNumber) -> usize {
    trace.0 as usize
}
