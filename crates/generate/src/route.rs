//! Shortest ways on the map, and why no way is shorter.
//!
//! Two lower bounds hold for everything that a user can do, the back key, rotations and restarts included:
//!
//! - **Depth.** A spot that was never visited is reached only along an edge of the map: the back key leads to spots
//!   that were visited before. So after n events no spot deeper than n edges below the start was visited.
//! - **Distance.** From any spot, whatever happened before, the back key closes a menu or dialog, or leads to some
//!   spot of an activity that opens this one; a rotation leads to where the activity begins; leaving the app and
//!   starting it leads to the root. With all of these as edges, the shortest way is never too long.
//!
//! A walk of exactly that length, with the back key leading where it really does, is then a shortest one.

use std::collections::VecDeque;

use super::map::{EdgeId, Map, SpotId};
use super::moves::Move;
use super::sketch::{ROOT, ToggleId};

/// Where no way leads.
pub(super) const NOWHERE: u32 = u32::MAX;
/// Steps that a search for a walk takes at most.
const MOST_STEPS: usize = 2_000;

/// How far below the start every spot is.
#[derive(Debug)]
pub(super) struct Depths {
    /// With all switches on and all luck: nothing is reached sooner.
    pub(super) least: Vec<u32>,
    /// As the app starts, and what leads there.
    pub(super) real: Vec<u32>,
    last: Vec<Option<EdgeId>>,
}

/// Someone on the map: where they stand, and where the back key leads from there.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    /// The spots of all open activities, the topmost last.
    pub(super) stack: Vec<SpotId>,
    pub(super) moves: Vec<Move>,
    pub(super) edges: Vec<EdgeId>,
    /// The switch that was turned on.
    pub(super) on: Option<ToggleId>,
}

impl Depths {
    pub(super) fn of(map: &Map) -> Self {
        let (least, _) = flood(map, |_| true);
        let (real, last) = flood(map, |edge| map.edges[edge.0].certain && map.edges[edge.0].gate.is_none());
        Self { least, real, last }
    }

    /// Whether a spot is reached without switches, and nothing could reach it sooner.
    pub(super) fn sure(&self, spot: SpotId) -> bool {
        self.real[spot.0] != NOWHERE && self.real[spot.0] == self.least[spot.0]
    }

    /// The edges from the start to a spot.
    pub(super) fn path(&self, map: &Map, spot: SpotId) -> Vec<EdgeId> {
        let mut path = Vec::new();
        let mut here = spot;
        while let Some(edge) = self.last[here.0] {
            path.push(edge);
            here = map.edges[edge.0].from;
        }
        path.reverse();
        path
    }
}

/// Edges from the start to every spot, and the last of them.
fn flood(map: &Map, takes: impl Fn(EdgeId) -> bool) -> (Vec<u32>, Vec<Option<EdgeId>>) {
    let mut depths = vec![NOWHERE; map.spots.len()];
    let mut last = vec![None; map.spots.len()];
    depths[map.root().0] = 0;
    let mut queue = VecDeque::from([map.root()]);
    while let Some(spot) = queue.pop_front() {
        for &edge in map.leaving[spot.0].iter().filter(|&&edge| takes(edge)) {
            let to = map.edges[edge.0].to;
            if depths[to.0] == NOWHERE {
                depths[to.0] = depths[spot.0] + 1;
                last[to.0] = Some(edge);
                queue.push_back(to);
            }
        }
    }
    (depths, last)
}

/// Events from every spot to the target that are needed in any case. When what was done before `survives` the end
/// of the process, a crash of any kind may lead back to the start too.
pub(super) fn distances(map: &Map, target: SpotId, survives: bool) -> Vec<u32> {
    let launcher = SpotId(map.spots.len());
    let mut flood = Flood { distances: vec![NOWHERE; map.spots.len() + 1], queue: VecDeque::new() };
    let mut entered = vec![false; map.bases.len()];
    flood.reach(target, 0);
    while let Some(spot) = flood.queue.pop_front() {
        let next = flood.distances[spot.0] + 1;
        if spot == launcher {
            let leaving = if survives { 0..map.spots.len() } else { 0..0 };
            leaving.for_each(|other| flood.reach(SpotId(other), next));
            map.members[ROOT.0].iter().for_each(|&other| flood.reach(other, next));
            continue;
        }
        for edge in &map.arriving[spot.0] {
            flood.reach(map.edges[edge.0].from, next);
        }
        let (screen, head) = (map.spots[spot.0].screen, map.head(spot));
        if map.base(screen) == spot {
            let overlays = [map.menus[screen.0], map.dialogs[screen.0]];
            overlays.into_iter().flatten().for_each(|overlay| flood.reach(overlay, next));
        }
        if map.begins(spot) {
            map.members[head.0].iter().for_each(|&other| flood.reach(other, next));
        }
        if spot == map.root() {
            flood.reach(launcher, next);
        }
        // The back key may lead to any spot of an activity, so only the first of them counts.
        if !std::mem::replace(&mut entered[head.0], true) {
            let above = map.opened[head.0].iter().flat_map(|opened| &map.members[opened.0]);
            above.filter(|other| !map.spots[other.0].overlay).for_each(|&other| flood.reach(other, next));
        }
    }
    flood.distances
}

struct Flood {
    distances: Vec<u32>,
    queue: VecDeque<SpotId>,
}

impl Flood {
    fn reach(&mut self, spot: SpotId, distance: u32) {
        if self.distances[spot.0] == NOWHERE {
            self.distances[spot.0] = distance;
            self.queue.push_back(spot);
        }
    }
}

impl Walk {
    /// Someone who has just started the app.
    pub(super) fn start(map: &Map) -> Self {
        Self { stack: vec![map.root()], moves: Vec::new(), edges: Vec::new(), on: None }
    }

    pub(super) fn here(&self) -> SpotId {
        *self.stack.last().expect("the app is open")
    }

    /// Takes an edge that leaves from here.
    pub(super) fn take(&mut self, map: &Map, id: EdgeId) {
        let edge = &map.edges[id.0];
        self.stack.pop();
        self.stack.extend(edge.rest);
        self.stack.push(edge.to);
        self.moves.push(edge.act.clone());
        self.edges.push(id);
    }

    /// Does something that does not lead away, except out of a menu or dialog.
    pub(super) fn act(&mut self, act: Move, after: SpotId) {
        self.moves.push(act);
        self.stack.pop();
        self.stack.push(after);
    }

    /// Goes on to a spot in exactly as many events as the distances say; `None` when that cannot be done.
    pub(super) fn go(&self, map: &Map, distances: &[u32]) -> Option<Self> {
        let mut open = vec![self.clone()];
        for _ in 0..MOST_STEPS {
            let walk = open.pop()?;
            let left = distances[walk.here().0];
            if left == 0 {
                return Some(walk);
            }
            let nearer = |next: &Self| distances[next.here().0] == left - 1;
            open.extend(walk.back(map).filter(nearer));
            let ways = map.leaving[walk.here().0].iter().rev().filter(|&&edge| walk.can_take(map, edge));
            open.extend(
                ways.map(|&edge| {
                    let mut next = walk.clone();
                    next.take(map, edge);
                    next
                })
                .filter(nearer),
            );
        }
        None
    }

    /// An activity that is open is not opened again: its variables would be those of both.
    fn can_take(&self, map: &Map, id: EdgeId) -> bool {
        let edge = &map.edges[id.0];
        let open = |spot: &SpotId| map.head(*spot) == map.head(edge.to);
        edge.certain
            && edge.gate.is_none_or(|gate| self.on == Some(gate))
            && (edge.rest.is_none() || !self.stack.iter().any(open))
    }

    fn back(&self, map: &Map) -> Option<Self> {
        let mut next = self.clone();
        next.moves.push(Move::Back);
        let here = next.stack.pop()?;
        if map.spots[here.0].overlay {
            next.stack.push(map.base(map.spots[here.0].screen));
        } else if next.stack.is_empty() {
            return None;
        }
        Some(next)
    }
}
