//! Runs subsequences of a trace and judges them as every reduction does.

use std::sync::Arc;

use retap_lab::{Deadlines, Oracle};
use retap_reduce::{Goal, Order, Outcome, Subset, Ticket};
use retap_sim::SimDevice;
use retap_trace::{Dice, Level, Seed, Trace};

use crate::play::device;

/// A trace and a device to run parts of it on.
pub(crate) struct Runs {
    oracle: Oracle,
    device: SimDevice,
    next: u64,
}

impl Runs {
    /// Runs of this trace on this device, toward the target of the trace.
    pub(crate) fn new(trace: &Trace, spec: &str) -> Self {
        let oracle = Oracle {
            trace: Arc::new(trace.clone()),
            target: trace.header.target.clone().expect("the trace has a target"),
            level: Level::Activity,
            seed: Seed(1),
            deadlines: Deadlines::default(),
            strict: false,
        };
        Self { oracle, device: device(spec), next: 0 }
    }

    /// Whether the steps at these positions reach the target. Every run has a seed of its own.
    pub(crate) fn reaches(&mut self, positions: &[u32]) -> bool {
        self.next += 1;
        let order = Order {
            ticket: Ticket(self.next),
            subset: Subset::from_positions(positions.iter().copied()),
            goal: Goal::Target,
            label: "sample".to_owned(),
            measures: false,
        };
        let report = self.oracle.run(&mut self.device, &order, &|| false);
        assert_ne!(
            report.ended.outcome,
            Outcome::Inconclusive,
            "simulated devices do not fail unless asked to"
        );
        report.ended.outcome == Outcome::Reached
    }

    /// How many of so many runs reach the target.
    pub(crate) fn count(&mut self, positions: &[u32], times: u32) -> u32 {
        (0..times).map(|_| u32::from(self.reaches(positions))).sum()
    }

    /// Takes steps out one by one, in random order, while the rest still reaches the target.
    pub(crate) fn minimise(&mut self, mut kept: Vec<u32>, dice: &mut Dice) -> Vec<u32> {
        let mut left = kept.clone();
        dice.shuffle(&mut left);
        while let Some(position) = left.pop() {
            let without: Vec<u32> = kept.iter().copied().filter(|&other| other != position).collect();
            if self.reaches(&without) {
                kept = without;
                // What was needed before may not be any more.
                left.clone_from(&kept);
                dice.shuffle(&mut left);
            }
        }
        kept
    }
}

/// All positions of a trace.
pub(crate) fn all(trace: &Trace) -> Vec<u32> {
    (0..).take(trace.steps.len()).collect()
}

/// These positions without one.
pub(crate) fn without(positions: &[u32], gone: u32) -> Vec<u32> {
    positions.iter().copied().filter(|&position| position != gone).collect()
}

/// Some of these positions, each with the same chance.
pub(crate) fn some(positions: &[u32], chance: f64, dice: &mut Dice) -> Vec<u32> {
    positions.iter().copied().filter(|_| dice.chance(chance)).collect()
}
