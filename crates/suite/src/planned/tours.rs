//! Paths that are worth more than they cost.
//!
//! Each item has a price, what it contributes to the cost of the whole suite. A tour begins with a launch, or where
//! a known path ends, and goes by shortest ways from one transition with unpaid items to the next; a few of the best
//! unfinished tours are carried on at a time. A tour whose items are worth more than its time makes the suite
//! cheaper: this is the pricing step of column generation, and bounded splicing [DetReduce, section 3.2] with
//! device time in the place of counts.

use super::round::{Round, Trail};
use crate::bits::{Bits, WantedItems};
use crate::input::{StateNo, TransitionId};
use crate::item::ItemId;

/// The search for tours at certain prices.
pub(super) struct Tours<'a> {
    round: &'a Round<'a>,
    wanted: WantedItems,
    prices: Vec<f64>,
    goals: Vec<Goal>,
}

/// A transition with items that have a price.
struct Goal {
    id: TransitionId,
    from: StateNo,
    time: u64,
    items: Vec<u32>,
    /// Whether nothing leads on from there.
    last: bool,
}

/// A tour, finished or not.
#[derive(Clone)]
pub(super) struct Tour {
    trail: Trail,
    got: Bits,
    value: f64,
}

/// How many unfinished tours are carried on, to how many goals each, and how many finished ones are returned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    pub(super) width: usize,
    pub(super) goals: usize,
    pub(super) keep: usize,
}

impl<'a> Tours<'a> {
    pub(super) fn new(round: &'a Round<'a>, priced: &[(ItemId, f64)]) -> Self {
        let input = round.view.input;
        let wanted = WantedItems::new(input.items.len(), priced.iter().map(|&(item, _)| item));
        let prices = priced.iter().map(|&(_, price)| price).collect();
        let steps = input.ids().filter(|&id| input.transition(id).sample.is_some());
        let goals = steps.filter_map(|id| {
            let items: Vec<u32> = round.beliefs.gives(id).filter_map(|item| wanted.number(item)).collect();
            let transition = input.transition(id);
            let (from, time, last) = (transition.from, transition.time.0, round.ways.ends(id));
            (!items.is_empty()).then_some(Goal { id, from, time, items, last })
        });
        let goals = goals.collect();
        Self { round, wanted, prices, goals }
    }

    /// A tour that begins with a launch.
    pub(super) fn fresh(&self) -> Tour {
        let trail = self.round.start();
        Tour { value: -as_f64(trail.time), got: self.wanted.none(), trail }
    }

    /// A tour that goes on from the end of a path that covers these items.
    pub(super) fn after(&self, path: &[TransitionId], items: &[ItemId]) -> Option<Tour> {
        let trail = self.round.trail(path)?;
        let got = self.wanted.of(items.iter().copied());
        let worth: f64 = got.iter().map(|number| self.prices[number as usize]).sum();
        Some(Tour { value: worth - as_f64(trail.time), got, trail })
    }

    /// Tours that have gone to one goal only, the most valuable goals first.
    pub(super) fn openings(&self, from: &Tour, count: usize) -> Vec<Tour> {
        let goals = self.goals.iter().enumerate().filter(|(_, goal)| !goal.last);
        let mut goals: Vec<(f64, usize)> =
            goals.map(|(place, goal)| (self.worth(from, goal), place)).collect();
        goals.sort_by(by_first);
        goals.truncate(count);
        goals.into_iter().filter_map(|(_, place)| self.go(from, place)).collect()
    }

    /// Carries a tour on; returns the best ends, the best first.
    pub(super) fn finish(&self, from: Tour, effort: Effort) -> Vec<Tour> {
        const MOST_GOALS: usize = 64;
        let mut best = vec![from.clone()];
        let mut beam = vec![from];
        for _ in 0..MOST_GOALS {
            let mut next: Vec<Tour> = Vec::new();
            for tour in &beam {
                next.extend(self.goals_of(tour, effort.goals, false).filter_map(|goal| self.go(tour, goal)));
                // A goal that ends the tour must not keep others from being reached before.
                best.extend(self.goals_of(tour, 2, true).filter_map(|goal| self.go(tour, goal)));
            }
            next.sort_by(by_value);
            next.dedup_by(|one, other| {
                one.trail.path.last() == other.trail.path.last() && one.got == other.got
            });
            next.truncate(effort.width);
            if next.is_empty() {
                break;
            }
            best.extend(next.iter().cloned());
            beam = next;
        }
        best.sort_by(by_value);
        best.truncate(effort.keep);
        best
    }

    /// The goals that pay best for the way to them; those that end the tour, or the others.
    fn goals_of(&self, tour: &Tour, count: usize, last: bool) -> impl Iterator<Item = usize> + use<> {
        /// A goal may cost more than it brings when others lie behind it.
        const LEAST: f64 = 0.25;
        let tree = self.round.ways.from(tour.trail.stack);
        let mut scored: Vec<(f64, usize)> = Vec::new();
        for (place, goal) in self.goals.iter().enumerate().filter(|(_, goal)| goal.last == last) {
            let Some(least) = tree.length(goal.from) else { continue };
            let worth = self.worth(tour, goal) * tour.trail.chance;
            if worth <= LEAST * as_f64(least + goal.time + 1) {
                continue;
            }
            let Some((length, _)) = self.round.ways.shortest(&tree, goal.id) else { continue };
            let score = worth / as_f64(length + 1);
            if score > LEAST {
                scored.push((score, place));
            }
        }
        scored.sort_by(by_first);
        scored.truncate(count);
        scored.into_iter().map(|(_, place)| place)
    }

    fn worth(&self, tour: &Tour, goal: &Goal) -> f64 {
        let fresh = goal.items.iter().filter(|&&item| !tour.got.has(item));
        fresh.map(|&item| self.prices[item as usize]).sum()
    }

    /// The tour, gone on to a goal.
    fn go(&self, tour: &Tour, goal: usize) -> Option<Tour> {
        let input = self.round.view.input;
        let id = self.goals[goal].id;
        let tree = self.round.ways.from(tour.trail.stack);
        let (_, node) = self.round.ways.shortest(&tree, id)?;
        let mut next = tour.clone();
        for id in tree.way(node).into_iter().chain([id]) {
            if !self.round.extend(&mut next.trail, id) {
                return None;
            }
            next.value -= as_f64(input.transition(id).time.0);
            for item in self.round.beliefs.gives(id).filter_map(|item| self.wanted.number(item)) {
                if next.got.insert(item) {
                    next.value += self.prices[item as usize] * next.trail.chance;
                }
            }
        }
        Some(next)
    }
}

impl Tour {
    /// The worth of its items, each times the chance to get that far, less its time.
    pub(super) fn value(&self) -> f64 {
        self.value
    }

    pub(super) fn into_path(self) -> Vec<TransitionId> {
        self.trail.path
    }
}

fn by_value(one: &Tour, other: &Tour) -> std::cmp::Ordering {
    other.value.total_cmp(&one.value)
}

/// The largest first, and of equals the earliest.
fn by_first(one: &(f64, usize), other: &(f64, usize)) -> std::cmp::Ordering {
    other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
}

#[expect(clippy::cast_precision_loss, reason = "2^53 microseconds are 285 years")]
fn as_f64(time: u64) -> f64 {
    time as f64
}
