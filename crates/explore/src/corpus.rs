//! The saved states that lanes can go back to.
//!
//! Invariants:
//! - never more saves than the budget: those that exist, those that are being made and those that are being
//!   dropped count together;
//! - a save that a lane has claimed is never dropped, and one that was dropped is never handed out;
//! - no two lanes claim one save while another that both could use is free.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::explorer::SaveId;
use crate::neighbourhood::{Scorer, Selection};
use crate::states::{StateId, States};

#[cfg(test)]
mod tests;

/// A save is dropped when so many restores of it showed another state.
const LOSSES: u32 = 3;

/// The saved states, shared by all lanes.
#[derive(Debug, Clone)]
pub(crate) struct Corpus {
    selection: Selection,
    budget: usize,
    saves: BTreeMap<SaveId, Kept>,
    /// Saves that were asked for and are not there yet.
    coming: usize,
    /// Saves that lanes were told to forget and may still be there.
    going: usize,
    /// Saves that are of no use any more.
    spoilt: Vec<SaveId>,
    /// The device had no room for the last one: something must go before the next.
    crowded: bool,
    scorer: Scorer,
}

/// A save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    state: StateId,
    /// How many lanes went on from it.
    claims: u32,
    restores: u32,
    losses: u32,
}

/// Whether there is room for one more save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// There is, and it is reserved.
    Free,
    /// There will be, once this save is forgotten.
    After(SaveId),
    /// All that is saved is in use, or fitter.
    None,
}

impl Corpus {
    /// A corpus of at most so many saves.
    pub(crate) fn new(selection: Selection, budget: usize) -> Self {
        Self {
            selection,
            budget,
            saves: BTreeMap::new(),
            coming: 0,
            going: 0,
            spoilt: Vec::new(),
            crowded: false,
            scorer: Scorer::default(),
        }
    }

    /// Whether there is nothing to go back to.
    pub(crate) fn is_empty(&self) -> bool {
        self.saves.is_empty()
    }

    /// Makes room for a save of this state.
    pub(crate) fn make_room(&mut self, states: &States, state: StateId) -> Room {
        let crowded = self.crowded && !self.saves.is_empty();
        if self.held() < self.budget && !crowded {
            self.reserve();
            return Room::Free;
        }
        let score = self.scorer.score(states, state, self.selection);
        let fits = |(save, least): (SaveId, f64)| (least <= score).then_some(save);
        match self.least(states).filter(|_| self.held() <= self.budget).and_then(fits) {
            Some(save) => {
                self.give_up(save);
                Room::After(save)
            }
            None => Room::None,
        }
    }

    /// A save that should be forgotten right now: it is spoilt, or there are too many.
    pub(crate) fn surplus(&mut self, states: &States) -> Option<SaveId> {
        let too_many = self.held() > self.budget;
        let save = match self.spoilt.pop() {
            None if too_many => self.least(states)?.0,
            spoilt => spoilt?,
        };
        self.give_up(save);
        Some(save)
    }

    /// Reserves the room of a save that was forgotten for this. It is no longer going but coming.
    pub(crate) const fn reserve(&mut self) {
        self.coming += 1;
    }

    /// A reserved save was made.
    pub(crate) fn saved(&mut self, save: SaveId, state: StateId) {
        self.coming = self.coming.saturating_sub(1);
        self.crowded = false;
        self.saves.insert(save, Kept { state, claims: 0, restores: 0, losses: 0 });
    }

    /// A reserved save was not made, perhaps because the device has no room.
    pub(crate) const fn not_saved(&mut self, refused: bool) {
        self.coming = self.coming.saturating_sub(1);
        self.crowded = self.crowded || refused;
    }

    /// A save that a lane was told to forget is gone.
    pub(crate) const fn forgotten(&mut self) {
        self.going = self.going.saturating_sub(1);
    }

    /// Claims the best save to go back to: a free one before a claimed one, then the fittest, then the least restored,
    /// then the oldest.
    pub(crate) fn claim(&mut self, states: &States, barred: &BTreeSet<SaveId>) -> Option<SaveId> {
        let usable = |save: &SaveId, kept: &Kept| !barred.contains(save) && kept.losses < LOSSES;
        let fewest = self.saves.iter().filter(|(save, kept)| usable(save, kept)).map(|(_, kept)| kept.claims);
        let fewest = fewest.min()?;
        let Self { saves, scorer, selection, .. } = self;
        let (best, ..) = saves
            .iter()
            .filter(|(save, kept)| kept.claims == fewest && usable(save, kept))
            .map(|(&save, kept)| (save, scorer.score(states, kept.state, *selection), Reverse(kept.restores)))
            .max_by(|one, other| {
                one.1.total_cmp(&other.1).then(one.2.cmp(&other.2)).then(other.0.cmp(&one.0))
            })?;
        self.saves.get_mut(&best)?.claims += 1;
        Some(best)
    }

    /// A lane moves on from a save.
    pub(crate) fn release(&mut self, save: SaveId) {
        if let Some(kept) = self.saves.get_mut(&save) {
            kept.claims = kept.claims.saturating_sub(1);
            if kept.claims == 0 && kept.losses >= LOSSES && !self.spoilt.contains(&save) {
                self.spoilt.push(save);
            }
        }
    }

    pub(crate) fn state(&self, save: SaveId) -> Option<StateId> {
        self.saves.get(&save).map(|kept| kept.state)
    }

    /// A restore showed the state that was saved.
    pub(crate) fn restored(&mut self, save: SaveId) {
        if let Some(kept) = self.saves.get_mut(&save) {
            kept.restores += 1;
            kept.losses = 0;
        }
    }

    /// A restore showed something else, or failed.
    pub(crate) fn lost(&mut self, save: SaveId) {
        if let Some(kept) = self.saves.get_mut(&save) {
            kept.restores += 1;
            kept.losses += 1;
        }
    }

    /// Saves that take up room.
    fn held(&self) -> usize {
        self.saves.len() + self.coming + self.going
    }

    /// The save to drop first, with its score: of those that nobody has claimed the least fit, then the oldest.
    fn least(&mut self, states: &States) -> Option<(SaveId, f64)> {
        let Self { saves, scorer, selection, .. } = self;
        saves
            .iter()
            .filter(|(_, kept)| kept.claims == 0)
            .map(|(&save, kept)| (save, scorer.score(states, kept.state, *selection)))
            .min_by(|one, other| one.1.total_cmp(&other.1))
    }

    fn give_up(&mut self, save: SaveId) {
        self.saves.remove(&save);
        self.spoilt.retain(|&other| other != save);
        self.going += 1;
    }
}
