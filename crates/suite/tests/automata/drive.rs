//! Driving the engine with any number of devices, in virtual time.

use std::collections::BTreeMap;
use std::sync::Arc;

use retap_model::TraceNumber;
use retap_reduce::Ticket;
use retap_suite::{Followed, Material, Order, Purpose, Reading, Report, Settings, Shrink, Sighting, StepRef};
use retap_trace::{CoverageId, Event, Micros, Seed, Trace};

use crate::app::{App, RESTART, STEP, Session, signature};

/// What came of it, and how.
pub(crate) struct Done {
    pub(crate) report: Report,
    /// Every run that ended, in the order in which it did.
    pub(crate) runs: Vec<(Order, Followed)>,
    /// Device time until the end, with all devices.
    pub(crate) elapsed: Micros,
}

/// How devices behave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Devices {
    pub(crate) count: u32,
    /// How often one fails in the middle of a run.
    pub(crate) faults: f64,
    pub(crate) seed: u64,
}

impl Devices {
    pub(crate) fn one(seed: u64) -> Self {
        Self { count: 1, faults: 0.0, seed }
    }
}

/// Makes a suite of these traces.
pub(crate) fn shrink(app: &dyn App, traces: &[Trace], settings: Settings, devices: Devices) -> Done {
    let settings = Settings { devices: devices.count, ..settings };
    let material = Arc::new(Material::read(traces, Reading::default()).expect("good traces"));
    let mut shrink = Shrink::new(material, settings);
    let mut under_way: BTreeMap<(Micros, Ticket), (Order, Followed)> = BTreeMap::new();
    let mut now = Micros::ZERO;
    let mut runs = Vec::new();
    while !shrink.over() {
        while under_way.len() < devices.count as usize {
            let Some(order) = shrink.order() else { break };
            let run = replay(app, traces, &order, devices);
            under_way.insert((now + run.took, order.ticket), (order, run));
        }
        let ((at, ticket), (order, run)) =
            under_way.pop_first().expect("not over, so something is under way");
        now = at;
        shrink.told(ticket, &run);
        runs.push((order, run));
        for withdrawn in shrink.withdraw() {
            under_way.retain(|(_, ticket), _| *ticket != withdrawn);
        }
    }
    assert!(under_way.is_empty(), "over, so nothing is under way");
    assert_eq!(shrink.order(), None);
    Done { report: shrink.report(), runs, elapsed: now }
}

/// Carries an order out.
fn replay(app: &dyn App, traces: &[Trace], order: &Order, devices: Devices) -> Followed {
    let seed = Seed(devices.seed).branch("run", order.ticket.0);
    let mut dice = seed.branch("device", 0).dice();
    let mut session = Session::launch(app, seed);
    let mut run =
        Followed { inconclusive: false, start: Some(session.key()), sightings: Vec::new(), took: RESTART };
    for leg in order.legs.iter() {
        run.took += STEP;
        if dice.chance(devices.faults) {
            run.inconclusive = true;
            return run;
        }
        let sight = session.act(event(traces, leg.step));
        let sighting = Sighting {
            state: sight.key,
            coverage: sight.deed.code.into_iter().map(CoverageId).collect(),
            crash: sight.deed.crash.map(signature),
        };
        let met = leg.met(&sighting);
        run.sightings.push(sighting);
        if !met {
            break;
        }
    }
    run
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
    let confirms = |(order, run): &&(Order, Followed)| {
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
