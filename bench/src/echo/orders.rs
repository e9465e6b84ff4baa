//! Ways out of trace order: how often is a way shorter that uses an edge before one that was recorded earlier, and does
//! it reach the crash?
//!
//! The paper's graph allows such ways; a reducer that keeps a subsequence cannot try them.

use retap_explore::WindowSettings;
use retap_model::{Graph, GraphPath, GraphPaths, TraceNumber};
use retap_reduce::search::{self, Material, Reducer as _};
use retap_reduce::{EventRun, Outcome, Ticket, Verdict};
use retap_trace::{Event, Level, Seed};
use serde::Serialize;

use super::subject::Subject;
use super::trial::{oracle, reduce};

/// How many ways of each kind are tried, as ECHO does.
const WAYS: usize = 8;

/// What ways in any order are worth on one trace. Lengths are numbers of events.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Orders {
    /// Whether the shortest way in any order is shorter than all in the order of the trace.
    shorter: bool,
    /// Whether one of the shortest few in the order of the trace reached the crash.
    in_order: bool,
    /// Of the first of the shortest few in any order that reached the crash, what is left when single events are
    /// taken out until none can go, and whether it is shorter than all in the order of the trace.
    free: Option<(usize, bool)>,
    /// What the searches left, down to single events.
    echo: u32,
    auto: u32,
}

/// The figures of many traces.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub(super) looks: &'static str,
    pub(super) traces: usize,
    /// Traces with a way in any order that is shorter than all in trace order.
    pub(super) shorter: usize,
    /// Those of them where such a way reached the crash.
    pub(super) reached: usize,
    /// Traces of which no way in trace order reached the crash.
    pub(super) stuck: usize,
    /// Those of them where a way in any order did.
    pub(super) freed: usize,
    /// Traces of which a way in trace order reached the crash and none in any order did.
    pub(super) missed: usize,
    /// Traces of which a way in any order reached the crash and comes down to fewer events than ECHO leaves in trace
    /// order, and than `auto` does.
    pub(super) beats_echo: usize,
    pub(super) beats_auto: usize,
}

/// Tries ways in any order on the trace of this number. `None` when its crash does not come again.
pub(super) fn orders(number: usize, window: WindowSettings, seed: u64) -> anyhow::Result<Option<Orders>> {
    let subject = Subject::explore(number, window, seed)?;
    let runs = Seed(seed).branch("runs", number as u64);
    let [echo, auto] = [reduce(&subject, "echo", true, runs)?, reduce(&subject, "auto", true, runs)?];
    let (Some(echo), Some(auto)) = (echo, auto) else { return Ok(None) };
    let (shortest, in_order) = in_order(&subject, runs);
    let mut graph = Graph::new();
    let walk = graph.add_trace(TraceNumber(0), &subject.trace.steps, Level::Full);
    let paths = walk.into_iter().flat_map(|walk| GraphPaths::new(&graph, walk.entry, walk.exit));
    let whole = subject.trace.steps.len() as u64;
    let paths: Vec<GraphPath> = paths.take(WAYS).take_while(|path| path.cost < whole).collect();
    let shorter = |path: &GraphPath| path.cost < u64::from(shortest);
    let ways = paths.iter().map(|path| (events(&subject, &graph, path), shorter(path)));
    let free = ways.clone().find(|(events, _)| reaches(&subject, events, runs));
    Ok(Some(Orders {
        shorter: paths.first().is_some_and(shorter),
        in_order,
        free: free.map(|(events, shorter)| (one_by_one(&subject, events, runs).len(), shorter)),
        echo: echo.length,
        auto: auto.length,
    }))
}

/// The length of the shortest way in the order of the trace, and whether one of the shortest few reaches the crash. The
/// whole trace is no way.
fn in_order(subject: &Subject, runs: Seed) -> (u32, bool) {
    let material = Material::of(&subject.trace, &subject.target, None);
    let Some(mut ways) = search::shortest_ways(&material.all(), &material) else { return (u32::MAX, false) };
    let mut shortest = None;
    while let Some(guess) = ways.frontier().first().cloned() {
        shortest.get_or_insert(guess.subset.len());
        let steps = guess.subset.positions().map(|step| &subject.trace.steps[step as usize]);
        if reaches(subject, &steps.map(|step| step.event.clone()).collect::<Vec<_>>(), runs) {
            return (shortest.unwrap_or(u32::MAX), true);
        }
        ways.settle(guess.id, Verdict::Fail);
    }
    (shortest.unwrap_or_else(|| material.all().len()), false)
}

/// The events of a way, in its own order.
fn events(subject: &Subject, graph: &Graph, path: &GraphPath) -> Vec<Event> {
    let steps = path.edges.iter().flat_map(|&edge| graph.edge(edge).last.steps());
    steps.map(|step| subject.trace.steps[step].event.clone()).collect()
}

/// Takes out single events, the last first, until none can go.
fn one_by_one(subject: &Subject, mut events: Vec<Event>, seed: Seed) -> Vec<Event> {
    let without = |events: &[Event], out: usize| [&events[..out], &events[out + 1..]].concat();
    let goes = |events: &[Event], out: &usize| reaches(subject, &without(events, *out), seed);
    while let Some(out) = (0..events.len()).rev().find(|out| goes(&events, out)) {
        events.remove(out);
    }
    events
}

fn reaches(subject: &Subject, events: &[Event], seed: Seed) -> bool {
    let play = EventRun { ticket: Ticket(0), events: events.into(), label: String::new() };
    oracle(subject, seed).play(&mut *subject.device(), &play, &|| false).ended.outcome == Outcome::Reached
}

impl Summary {
    pub(super) fn of(looks: &'static str, orders: &[Orders]) -> Self {
        let count = |is: &dyn Fn(&Orders) -> bool| orders.iter().filter(|orders| is(orders)).count();
        let beats =
            |orders: &Orders, left: u32| orders.free.is_some_and(|(length, _)| length < left as usize);
        Self {
            looks,
            traces: orders.len(),
            shorter: count(&|orders| orders.shorter),
            reached: count(&|orders| orders.free.is_some_and(|(_, shorter)| shorter)),
            stuck: count(&|orders| !orders.in_order),
            freed: count(&|orders| !orders.in_order && orders.free.is_some()),
            missed: count(&|orders| orders.in_order && orders.free.is_none()),
            beats_echo: count(&|orders| beats(orders, orders.echo)),
            beats_auto: count(&|orders| beats(orders, orders.auto)),
        }
    }
}
