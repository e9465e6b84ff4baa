//! What a reduction has spent, and what its runs have shown besides.

use retap_lab::{Divergence, Done, Report, RunPath};
use retap_reduce::{Outcome, Subset};
use retap_trace::{Crash, Micros, Target};

#[derive(Default)]
pub(crate) struct ReduceSpent {
    /// Runs that gave evidence.
    pub(crate) runs: u32,
    /// Runs in which the device failed.
    pub(crate) inconclusive: u32,
    /// Events that were performed in these runs and recordings.
    pub(crate) events: u64,
    pub(crate) time: Micros,
    /// Performances of an answer that were written down and are no evidence.
    pub(crate) recordings: u32,
    /// Runs for values that were withdrawn.
    pub(crate) withdrawn: u32,
    /// Where the runs went that measured a rate.
    paths: Vec<(Subset, RunPath)>,
    /// Crashes that were not looked for.
    pub(crate) others: Vec<(Crash, Subset)>,
    /// What was last said about a run that did not end well.
    pub(crate) trouble: Option<String>,
}

impl ReduceSpent {
    pub(crate) fn note(&mut self, done: &Done, target: &Target) {
        self.add(&done.report);
        let ended = done.report.ended;
        if done.order.measures && ended.outcome != Outcome::Inconclusive {
            let reached = ended.outcome == Outcome::Reached;
            let path = RunPath::of_activities(&done.report.path, ended.events, reached);
            self.paths.push((done.order.subset.clone(), path));
        }
        let Some(crash) = &done.report.crash else { return };
        let wanted = match target {
            Target::AnyCrash => true,
            Target::Crash(signature) => *signature == crash.signature,
            _ => false,
        };
        if !wanted && !self.others.iter().any(|(known, _)| known.signature == crash.signature) {
            let performed = done.order.subset.part(&(0..ended.events));
            self.others.push((crash.clone(), performed));
        }
    }

    pub(crate) fn add(&mut self, report: &Report) {
        match report.ended.outcome {
            Outcome::Inconclusive => self.inconclusive += 1,
            _ => self.runs += 1,
        }
        self.events += u64::from(report.ended.events);
        self.time += report.took;
        self.trouble.clone_from(&report.why);
    }

    /// A performance that was written down. It is no evidence, and one in which the device failed is no recording.
    pub(crate) fn recorded(&mut self, report: &Report) {
        self.recordings += u32::from(report.ended.outcome != Outcome::Inconclusive);
        self.events += u64::from(report.ended.events);
        self.time += report.took;
    }

    /// Where the measured runs of these events diverge, by their activities.
    pub(crate) fn divergence(&self, kept: &Subset) -> Option<Divergence> {
        let of_kept = self.paths.iter().filter(|(subset, _)| subset == kept);
        Divergence::of(&of_kept.map(|(_, path)| path.clone()).collect::<Vec<_>>())
    }
}
