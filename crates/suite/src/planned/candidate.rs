//! Paths to choose from: such as are known to replay, and such as are only thought of.

use std::collections::BTreeMap;

use super::round::Round;
use crate::bits::Bits;
use crate::cover::{Column, Problem};
use crate::evidence::{PrefixId, Standing};
use crate::input::TransitionId;
use crate::item::ItemId;

/// A path to choose from.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) path: Vec<TransitionId>,
    /// What it covers, or is thought to cover; in order.
    pub(super) items: Vec<ItemId>,
    pub(super) time: u64,
    /// Its node in the evidence, if a run has followed all of it.
    pub(super) node: Option<PrefixId>,
    /// What it is thought to cover because the steps that covered it are still there.
    promised: Vec<ItemId>,
    /// Its time, and more when it is not sure to replay.
    cost: u64,
}

/// A path that is only thought of, to be kept from one plan to the next.
#[derive(Debug, Clone)]
pub(super) struct Idea {
    path: Vec<TransitionId>,
    promised: Vec<ItemId>,
}

/// How much dearer a path counts that may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caution {
    /// Its cost is divided by the square root of its chance.
    High,
    /// By the fourth root.
    Middling,
    /// By the eighth root.
    Low,
    /// By nothing.
    None,
}

/// How candidates are weighed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// How a path that may fail is weighed.
    pub(super) caution: Caution,
    /// How much dearer a path counts that has yet to be confirmed, as a share of its time.
    pub(super) unconfirmed: f64,
}

/// All candidates of a plan, and the items that some of them cover.
pub(super) struct Candidates {
    list: Vec<Candidate>,
    places: BTreeMap<Vec<TransitionId>, usize>,
    covered: Bits,
    items: usize,
    scale: Scale,
}

impl Candidates {
    fn none(items: usize, scale: Scale) -> Self {
        Self { list: Vec::new(), places: BTreeMap::new(), covered: Bits::new(items), items, scale }
    }

    /// The paths that runs have followed.
    pub(super) fn followed(round: &Round<'_>, scale: Scale) -> Self {
        let (input, evidence) = (round.view.input, round.view.evidence);
        let mut new = Self::none(input.items.len(), scale);
        let standings = evidence.standings();
        for id in evidence.ids() {
            let (node, standing) = (evidence.node(id), standings[id.index()]);
            // Where nothing was gained, a shorter prefix does as well; a launch alone is no trace.
            if node.followed == 0 || standing == Standing::Dead || !node.gains() || node.depth < 2 {
                continue;
            }
            let path = evidence.path(id);
            let time = input.time_of(&path).0;
            let needed = round.view.needed(id);
            let lacking = f64::from(needed.saturating_sub(node.fresh)) / f64::from(needed);
            let doubt = if standing == Standing::Sound { 1.0 } else { 2.0 };
            let dearer = doubt + scale.unconfirmed * lacking;
            let items = evidence.held(id);
            for item in &items {
                new.covered.insert(item.0);
            }
            let (promised, cost) = (Vec::new(), times(time, dearer));
            new.push(Candidate { path, items, time, node: Some(id), promised, cost });
        }
        new
    }

    /// The paths that enough fresh runs have followed.
    pub(super) fn confirmed(round: &Round<'_>) -> Self {
        let scale = Scale { caution: Caution::None, unconfirmed: 0.0 };
        let Self { list, items, .. } = Self::followed(round, scale);
        let mut new = Self::none(items, scale);
        let fresh = |id: PrefixId| round.view.evidence.node(id).fresh >= round.view.needed(id);
        for candidate in list.into_iter().filter(|candidate| candidate.node.is_some_and(fresh)) {
            new.push(Candidate { cost: candidate.time, ..candidate });
        }
        new
    }

    /// Whether a path that was followed covers an item.
    pub(super) fn covers(&self, item: ItemId) -> bool {
        self.covered.has(item.0)
    }

    pub(super) fn get(&self, place: usize) -> &Candidate {
        &self.list[place]
    }

    /// Adds a path that is thought of, and `promised` to cover these items besides what is believed. Says whether it
    /// is new, and not known to fail.
    pub(super) fn add(&mut self, round: &Round<'_>, path: Vec<TransitionId>, promised: &[ItemId]) -> bool {
        const HOPELESS: f64 = 0.05;
        if let Some(&place) = self.places.get(&path) {
            self.list[place].promise(promised);
            return false;
        }
        let (_, followed) = round.view.evidence.followed_prefix(&path);
        let Some(trail) = round.trail(&path).filter(|_| followed < path.len()) else { return false };
        // What was recorded just so needs no belief.
        let chance = if promised.is_empty() { trail.chance } else { 1.0 };
        if chance < HOPELESS {
            return false;
        }
        let (items, time) = (round.predicted(&path), trail.time);
        let cost = times(time, self.scale.caution.dearer(chance));
        let mut candidate = Candidate { path, items, time, node: None, promised: Vec::new(), cost };
        candidate.promise(promised);
        self.push(candidate);
        true
    }

    /// Adds the ideas of an earlier plan.
    pub(super) fn recall(&mut self, round: &Round<'_>, ideas: Vec<Idea>) {
        for Idea { path, promised } in ideas {
            self.add(round, path, &promised);
        }
    }

    /// The places of the paths that are only thought of, those first that cost least beyond what their items are
    /// worth at these prices.
    pub(super) fn thought_of(&self, rows: &[ItemId], prices: &[f64]) -> Vec<usize> {
        let mut price = vec![0.0; self.items];
        for (row, one) in rows.iter().zip(prices) {
            price[row.index()] = *one;
        }
        let due = |candidate: &Candidate| {
            as_f64(candidate.cost) - candidate.items.iter().map(|item| price[item.index()]).sum::<f64>()
        };
        let ideas = self.list.iter().enumerate().filter(|(_, candidate)| candidate.node.is_none());
        let mut ideas: Vec<(f64, usize)> = ideas.map(|(place, candidate)| (due(candidate), place)).collect();
        ideas.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        ideas.into_iter().map(|(_, place)| place).collect()
    }

    /// A path that is only thought of, to be kept.
    pub(super) fn idea(&self, place: usize) -> Idea {
        let Candidate { path, promised, .. } = &self.list[place];
        Idea { path: path.clone(), promised: promised.clone() }
    }

    /// The items that any candidate covers, in order: the rows of the problem.
    pub(super) fn rows(&self) -> Vec<ItemId> {
        let mut rows = Bits::new(self.items);
        for item in self.list.iter().flat_map(|candidate| &candidate.items) {
            rows.insert(item.0);
        }
        rows.iter().map(ItemId).collect()
    }

    /// The choice among the candidates, as a problem with these rows.
    pub(super) fn problem(&self, rows: &[ItemId]) -> Problem {
        let mut numbers = vec![u32::MAX; self.items];
        for (number, row) in (0..).zip(rows) {
            numbers[row.index()] = number;
        }
        let columns = self.list.iter().map(|candidate| {
            let rows = candidate.items.iter().map(|item| numbers[item.index()]);
            Column { rows: rows.filter(|row| *row != u32::MAX).collect(), cost: candidate.cost }
        });
        Problem { rows: rows.len(), columns: columns.collect() }
    }

    fn push(&mut self, candidate: Candidate) {
        self.places.insert(candidate.path.clone(), self.list.len());
        self.list.push(candidate);
    }
}

impl Caution {
    fn dearer(self, chance: f64) -> f64 {
        1.0 / match self {
            Self::High => chance.sqrt(),
            Self::Middling => chance.sqrt().sqrt(),
            Self::Low => chance.sqrt().sqrt().sqrt(),
            Self::None => 1.0,
        }
    }
}

impl Candidate {
    fn promise(&mut self, promised: &[ItemId]) {
        if self.node.is_none() && !promised.is_empty() {
            self.items.extend(promised);
            self.items.sort_unstable();
            self.items.dedup();
            self.promised = promised.to_vec();
            self.cost = self.time;
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time, not negative")]
fn times(time: u64, factor: f64) -> u64 {
    (as_f64(time) * factor) as u64
}

#[expect(clippy::cast_precision_loss, reason = "2^53 microseconds are 285 years")]
fn as_f64(time: u64) -> f64 {
    time as f64
}
