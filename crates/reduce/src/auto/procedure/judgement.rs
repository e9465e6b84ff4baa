//! The short list is judged: by a batch, by repairs where that misses, and at the end by its claim.

use super::super::repair::{Known, Repair, RepairStep};
use super::super::stage::{Stage, Then};
use super::super::test::{evidence, mean};
use super::super::together::Together;
use super::{Auto, MOST, RESTARTS};
use crate::{Batch, Goal, ReducedList, ReductionEnding, Subset, Tally};

/// Times that the list is passed over and tried by a batch.
const ROUNDS: u32 = 6;
/// Evidence of this much or more: a list is good.
const GOOD: f64 = 2.0;
/// So many runs of a batch at least: those before it had chosen the list.
const FRESH: u32 = 5;
/// Evidence of this much or less: it is not.
const GIVEN_UP: f64 = -2.4;
/// A rate below this is a reference for shorter lists.
const LOW: f64 = 0.8;

impl Auto {
    pub(super) fn batch(&mut self, was_flaky: bool) {
        self.batches.push(Batch {
            list: self.list.clone(),
            tally: Tally::default(),
            claimed: false,
            runs: Vec::new(),
        });
        self.stage = Stage::Batch { was_flaky };
    }

    /// While no batch has a miss this one goes on, because then it is the claim, if one is to be made here; on the way,
    /// now that runs are known to be reliable, neighbours are tried. Any other batch only decides whether the list is
    /// good.
    pub(super) fn go_on_in_batch(&mut self, was_flaky: bool) -> bool {
        let batch = self.batches.last().expect("one is under way").tally;
        // Those before it were left for a shorter list.
        let clean = self.batches.iter().all(|batch| batch.tally.missed == 0);
        let claims = clean && !self.settings.claim_later;
        let enough = if claims { self.settings.confirm_runs } else { FRESH.min(self.settings.confirm_runs) };
        if clean
            && !self.flaky
            && batch.runs() >= FRESH.min(enough)
            && self.paired.as_ref() != Some(&self.list)
        {
            self.paired = Some(self.list.clone());
            let together = Together::neighbours(self.list.clone(), self.rooted);
            self.stage = Stage::Together { together, was_flaky, in_batch: true };
            return true;
        }
        if clean && batch.runs() < enough {
            return false;
        }
        let all = self.ledger.tally(&self.list, Goal::Target);
        let evidence = evidence(all);
        if claims || evidence >= GOOD && batch.runs() >= enough {
            self.good(was_flaky);
        } else if evidence <= GIVEN_UP || all.runs() >= MOST {
            if evidence > 0.0 { self.good(was_flaky) } else { self.repair() }
        } else {
            return false;
        }
        true
    }

    fn good(&mut self, was_flaky: bool) {
        let missed = self.batches.last().is_some_and(|batch| batch.tally.missed > 0);
        if missed && !was_flaky {
            self.pass(4, Then::Decide);
        } else {
            self.decide();
        }
    }

    fn repair(&mut self) {
        let broken = self.ledger.tally(&self.list, Goal::Target);
        let known = Known {
            history: &self.history,
            launch: self.launch,
            paths: self.paths.as_ref(),
            whole: (self.restarts < RESTARTS).then_some(&self.whole),
        };
        let repair = Repair::new(&self.list, broken, known);
        self.stage = Stage::Repair { repair, run: Subset::empty() };
    }

    pub(super) fn go_on_repairing(&mut self) -> bool {
        let Stage::Repair { repair, run } = &mut self.stage else { return false };
        match repair.step(&self.ledger) {
            RepairStep::Run(list) => {
                *run = list;
                return false;
            }
            // Of a short list the whole one may be a repair like any other, again and again.
            RepairStep::Take(list) if list == self.whole && self.restarts < RESTARTS => {
                self.strict = true;
                self.restarts += 1;
                self.descend(&self.whole.clone());
            }
            RepairStep::Take(list) => {
                self.history.push(list.clone());
                self.list = list;
                self.next_round();
            }
            RepairStep::Nothing => self.keep_low(),
        }
        true
    }

    /// Nothing raises the rate: the list is shortened at the rate it has.
    fn keep_low(&mut self) {
        if mean(self.ledger.tally(&self.list, Goal::Target)) < LOW {
            self.pass(4, Then::Claim);
        } else {
            self.decide();
        }
    }

    pub(super) fn next_round(&mut self) {
        self.rounds += 1;
        if self.rounds < ROUNDS {
            self.pass(4, Then::Batch);
        } else {
            self.decide();
        }
    }

    /// The list is decided. A batch that helped to choose it is not its claim: only a first one without a miss is.
    pub(super) fn decide(&mut self) {
        self.batches.retain(|batch| batch.tally.runs() > 0);
        let runs = self.settings.confirm_runs;
        let clean = self.batches.iter().all(|batch| batch.tally.missed == 0);
        if let Some(batch) = self.batches.last_mut()
            && clean
            && batch.list == self.list
            && batch.tally.reached == runs
        {
            batch.claimed = true;
            return self.end();
        }
        if self.settings.claim_later {
            return self.end();
        }
        self.batches.push(Batch {
            list: self.list.clone(),
            tally: Tally::default(),
            claimed: true,
            runs: Vec::new(),
        });
        self.stage = Stage::Claim;
    }

    pub(super) fn claim_made(&mut self) -> bool {
        let tally = self.batches.last().expect("a claim is under way").tally;
        if tally.runs() < self.settings.confirm_runs {
            return false;
        }
        self.end();
        true
    }

    fn end(&mut self) {
        let claim = self.batches.iter().find(|batch| batch.claimed).map(|batch| batch.tally);
        let all = self.ledger.tally(&self.list, Goal::Target);
        let Tally { reached, missed } = claim.unwrap_or_default();
        self.stage = Stage::Over(ReductionEnding::Reduced(ReducedList {
            subset: self.list.clone(),
            claim,
            before: Tally::new(all.reached - reached, all.missed - missed),
            batches: self.batches.clone(),
            retreats: Batch::retreats(&self.batches),
            below: false,
        }));
    }
}
