//! The graph's shortest path as a guess [ECHO, section 3], with what the paper leaves open closed.
//!
//! Events that lead on a shortest way from the first state to the last are tried as one trace. Two screens that
//! look alike can differ inside, so the guess may fail: then the next-shortest ways without loops are tried, then
//! the way with more and more of the events around it, and in the end delta debugging works within what passed.
//!
//! Where the app was not looked at after every event, a way has whole runs of events between two looks. When such a
//! way passes it is thinned out: nobody knows yet which events of a run are needed. In between the activity was seen all
//! the same, so the shortest way by activities comes first: a bold guess, but it is short, and one trial is not much.

mod thinning;
mod ways;

use retap_trace::Level;

use self::thinning::Thinning;
use self::ways::{Way, ways};
use super::{Chain, Ddmin, Material, OneByOne, Proposals, Reducer, SearchKind};
use crate::Subset;

pub(super) const KIND: SearchKind = SearchKind {
    name: "echo",
    about: "ECHO's: the shortest ways through the graph of states, then delta debugging",
    states: true,
    minimal: false,
    make: |base, material, _| match echo(&base, material) {
        Some(search) => Ok(Box::new(search)),
        None => Err("states, and the trace hardly records any"),
    },
};

/// ECHO as a search: the shortest ways, then more around them, then delta debugging. None when the trace recorded
/// no states.
pub fn echo(base: &Subset, material: &Material) -> Option<Chain> {
    let closely = ways(base, material.looks(Level::Full)?);
    let wider = closely.first().map(|way| widened(base, &way.events)).unwrap_or_default();
    let boldly = material.glances(Level::Full).and_then(|looks| ways(base, looks).into_iter().next());
    let ways: Vec<Way> = boldly.into_iter().chain(closely).collect();
    let guesses = ways.iter().map(|way| way.events.clone()).chain(wider).collect();
    let first = Box::new(Proposals::new("echo", base.clone(), guesses));
    Some(Chain::new("echo", first).then(move |found| match ways.iter().find(|way| way.events == found) {
        Some(way) if way.has_runs => Box::new(thinned(found)),
        Some(_) => Box::new(Proposals::new("echo", found, Vec::new())) as Box<dyn Reducer>,
        None => Box::new(Ddmin::new(found, 2)),
    }))
}

/// The shortest ways through the graph of states as guesses, without the rest of ECHO.
pub fn shortest_ways(base: &Subset, material: &Material) -> Option<Proposals> {
    let ways = ways(base, material.looks(Level::Full)?);
    Some(Proposals::new("echo", base.clone(), ways.into_iter().map(|way| way.events).collect()))
}

/// Takes from a way with whole runs of events what is not needed, down to single events.
fn thinned(way: Subset) -> Chain {
    Chain::new("echo", Box::new(Thinning::new(way))).then(|found| Box::new(OneByOne::new(found)))
}

/// A way with 1, 2, 4, ... events before each of its own.
fn widened(base: &Subset, way: &Subset) -> Vec<Subset> {
    let positions: Vec<u32> = base.positions().collect();
    let ranks: Vec<usize> =
        way.positions().filter_map(|event| positions.binary_search(&event).ok()).collect();
    let wide = |reach: usize| {
        let mut kept = vec![false; positions.len()];
        for &rank in &ranks {
            kept[rank.saturating_sub(reach)..=rank].fill(true);
        }
        Subset::from_positions(positions.iter().zip(kept).filter(|(_, kept)| *kept).map(|(event, _)| *event))
    };
    std::iter::successors(Some(1), |reach| Some(reach * 2))
        .take_while(|reach| *reach < positions.len())
        .map(wide)
        .collect()
}
