//! A board that tests play on.

use std::collections::BTreeMap;

use crate::rule::Rule;
use crate::schedule::{Board, OpenCandidate, Schedule};
use crate::{CandidateId, Outcome, Tally, Verdict};

/// Open candidates, devices, and the runs under way.
pub(super) struct Stage<'a> {
    pub(super) rule: &'a dyn Rule,
    pub(super) open: BTreeMap<CandidateId, OpenCandidate>,
    pub(super) devices: u32,
    /// In the order in which they were picked.
    pub(super) flying: Vec<CandidateId>,
}

impl<'a> Stage<'a> {
    /// Those of these tallies that are open.
    pub(super) fn new(rule: &'a dyn Rule, devices: u32, tallies: &[(u32, u32)]) -> Self {
        let tallies = tallies.iter().map(|&(reached, missed)| Tally::new(reached, missed));
        let open = (0..).map(CandidateId).zip(tallies);
        let open = open.filter(|(_, tally)| rule.judge(*tally) == Verdict::Open);
        let open = open.map(|(id, tally)| (id, OpenCandidate::new(rule, tally))).collect();
        Self { rule, open, devices, flying: Vec::new() }
    }

    /// Asks for one more run.
    pub(super) fn pick(&mut self, schedule: &mut dyn Schedule) -> Option<CandidateId> {
        let running = u32::try_from(self.flying.len()).unwrap();
        let board = Board { open: &self.open, devices: self.devices, running };
        let id = schedule.pick(&board)?;
        let candidate = self.open.get_mut(&id).expect("picked from the board");
        assert!(candidate.spare() > 0, "{schedule} picks {id:?}, which may get no more runs: {candidate:?}");
        candidate.running += 1;
        self.flying.push(id);
        Some(id)
    }

    /// Asks until the schedule wants no more runs or all devices are at work. Answers with the runs that each of the
    /// first `count` candidates has under way.
    pub(super) fn fill(&mut self, schedule: &mut dyn Schedule, count: usize) -> Vec<u32> {
        while self.flying.len() < self.devices as usize && self.pick(schedule).is_some() {}
        let mut runs = vec![0; count];
        for id in &self.flying {
            runs[usize::try_from(id.0).unwrap()] += 1;
        }
        runs
    }

    /// Ends the run that was picked so many runs ago.
    pub(super) fn land(&mut self, place: usize, outcome: Outcome) -> CandidateId {
        let id = self.flying.remove(place);
        if let Some(candidate) = self.open.get_mut(&id) {
            let mut tally = candidate.tally;
            tally.add(outcome);
            let running = candidate.running - 1;
            *candidate = OpenCandidate { running, ..OpenCandidate::new(self.rule, tally) };
            if self.rule.judge(tally) != Verdict::Open {
                self.open.remove(&id);
            }
        }
        id
    }
}
