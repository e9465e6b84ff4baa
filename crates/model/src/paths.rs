//! Shortest ways through the graph, one after the other [ECHO; Yen's algorithm with Lawler's partition].
//!
//! Order: by cost; among paths of one cost, the first edge in which two of them differ decides, and the one
//! whose edge was seen *later* comes first (ECHO's alternative: what was done last is nearest to the crash).
//! So every graph has exactly one order of paths. Paths are loopless: no state comes twice. Parallel edges give
//! separate paths. The events of a path need not stand in the order of any one trace.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::graph::{Edge, EdgeId, Graph, GraphStateId};

#[cfg(test)]
mod tests;

const UNREACHABLE: u64 = u64::MAX;

/// A way through the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPath {
    /// Its edges in order; none when it ends where it begins.
    pub edges: Vec<EdgeId>,
    pub cost: u64,
}

/// All loopless paths between two states, the cheapest first. Each is found when it is asked for; there may be
/// very many, so take a few. It keeps what it needs of the graph as it was, and does not see later changes.
#[derive(Debug, Clone)]
pub struct GraphPaths {
    from: usize,
    to: usize,
    /// Edges between different states, the one seen last first: the smaller number wins a tie.
    arcs: Vec<Arc>,
    /// For each state, the arcs that begin there, in order.
    leaving: Vec<Vec<usize>>,
    /// For each state, the arcs that end there, in order.
    entering: Vec<Vec<usize>>,
    /// For each state, what the way from there to the end costs.
    rest: Vec<u64>,
    /// The best path of each part of the paths not yet given out; the parts do not overlap.
    open: BinaryHeap<Reverse<Candidate>>,
    /// The path given out last. The rest of its part is searched only when one more path is wanted.
    given: Option<Candidate>,
}

#[derive(Debug, Clone, Copy)]
struct Arc {
    edge: EdgeId,
    from: usize,
    to: usize,
    cost: u64,
}

/// The best path of a part: those that begin with its first `fixed` arcs and go on with none of `closed`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: u64,
    arcs: Vec<usize>,
    fixed: usize,
    closed: Vec<usize>,
}

impl GraphPaths {
    /// Paths with as few events as possible.
    ///
    /// # Panics
    /// When a state is of another graph.
    pub fn new(graph: &Graph, from: GraphStateId, to: GraphStateId) -> Self {
        Self::weighted(graph, from, to, |edge| u64::from(edge.events()))
    }

    /// Paths that cost as little as possible. An edge costs at least 1, so that no way round is free.
    ///
    /// # Panics
    /// When a state is of another graph.
    pub fn weighted(
        graph: &Graph,
        from: GraphStateId,
        to: GraphStateId,
        cost: impl Fn(&Edge) -> u64,
    ) -> Self {
        let states = graph.states().len();
        let (from, to) = (from.0 as usize, to.0 as usize);
        assert!(from < states && to < states, "the states of a path are in the graph");
        let mut edges: Vec<_> = graph.edges().filter(|(_, edge)| !edge.is_self_loop()).collect();
        edges.sort_by_key(|&(id, edge)| Reverse((edge.last, id)));
        let arc = |(id, edge): (EdgeId, &Edge)| Arc {
            edge: id,
            from: edge.from.0 as usize,
            to: edge.to.0 as usize,
            cost: cost(edge).max(1),
        };
        let arcs: Vec<Arc> = edges.into_iter().map(arc).collect();
        let mut leaving = vec![Vec::new(); states];
        let mut entering = vec![Vec::new(); states];
        for (number, arc) in arcs.iter().enumerate() {
            leaving[arc.from].push(number);
            entering[arc.to].push(number);
        }
        let rest = costs_to(to, &arcs, &entering, vec![false; states]);
        let open = BinaryHeap::new();
        let mut paths = Self { from, to, arcs, leaving, entering, rest, open, given: None };
        paths.open.extend(paths.best(&[], Vec::new()).map(Reverse));
        paths
    }

    /// Splits what is left of the part of a path that was given out, by where its other paths turn off.
    fn split(&mut self, given: Candidate) {
        let mut closed = given.closed;
        for fixed in given.fixed..given.arcs.len() {
            closed.push(given.arcs[fixed]);
            let best = self.best(&given.arcs[..fixed], closed);
            self.open.extend(best.map(Reverse));
            closed = Vec::new();
        }
    }

    /// The first path in order that begins with these arcs and goes on with none of the closed ones.
    fn best(&self, fixed: &[usize], closed: Vec<usize>) -> Option<Candidate> {
        let turn = fixed.last().map_or(self.from, |&arc| self.arcs[arc].to);
        let mut arcs = fixed.to_vec();
        if turn != self.to {
            // The path must not come back to where it has been, the turning state included.
            let mut shunned = vec![false; self.leaving.len()];
            for state in fixed.iter().map(|&arc| self.arcs[arc].from).chain([turn]) {
                shunned[state] = true;
            }
            // The first of all paths is also the first of those that shun these states, if it is one of them.
            // It mostly is, and then no search is needed.
            let rest = match self.follow(turn, &closed, &self.rest) {
                Some(rest) if !rest.iter().any(|&arc| shunned[self.arcs[arc].to]) => rest,
                Some(_) => {
                    self.follow(turn, &closed, &costs_to(self.to, &self.arcs, &self.entering, shunned))?
                }
                None => return None,
            };
            arcs.extend(rest);
        }
        let cost = arcs.iter().fold(0_u64, |sum, &arc| sum.saturating_add(self.arcs[arc].cost));
        Some(Candidate { cost, arcs, fixed: fixed.len(), closed })
    }

    /// The way from `turn` to the end that these costs lead along, the first in order; only its first arc must
    /// not be closed. Costs fall along it, so it ends.
    fn follow(&self, turn: usize, closed: &[usize], rest: &[u64]) -> Option<Vec<usize>> {
        let via = |&&arc: &&usize| self.arcs[arc].cost.saturating_add(rest[self.arcs[arc].to]);
        // The first of the cheapest arcs is the one seen last.
        let first = self.leaving[turn].iter().filter(|arc| !closed.contains(arc)).min_by_key(via);
        let mut arc = *first.filter(|arc| via(arc) < UNREACHABLE)?;
        let mut way = vec![arc];
        while self.arcs[arc].to != self.to {
            arc = *self.leaving[self.arcs[arc].to].iter().min_by_key(via)?;
            way.push(arc);
        }
        Some(way)
    }
}

/// What the way from each state to the end costs without the shunned states (Dijkstra, from the end).
fn costs_to(end: usize, arcs: &[Arc], entering: &[Vec<usize>], shunned: Vec<bool>) -> Vec<u64> {
    let mut settled = shunned;
    let mut costs = vec![UNREACHABLE; entering.len()];
    costs[end] = 0;
    let mut queue = BinaryHeap::from([Reverse((0, end))]);
    while let Some(Reverse((cost, state))) = queue.pop() {
        if std::mem::replace(&mut settled[state], true) {
            continue;
        }
        for arc in entering[state].iter().map(|&arc| arcs[arc]) {
            let longer = arc.cost.saturating_add(cost);
            if !settled[arc.from] && longer < costs[arc.from] {
                costs[arc.from] = longer;
                queue.push(Reverse((longer, arc.from)));
            }
        }
    }
    costs
}

impl Iterator for GraphPaths {
    type Item = GraphPath;

    fn next(&mut self) -> Option<GraphPath> {
        if let Some(given) = self.given.take() {
            self.split(given);
        }
        let Reverse(best) = self.open.pop()?;
        let edges = best.arcs.iter().map(|&arc| self.arcs[arc].edge).collect();
        let path = GraphPath { edges, cost: best.cost };
        self.given = Some(best);
        Some(path)
    }
}
