//! The algorithm as it was published [DetReduce, sections 3.1, 3.2 and 5.1.2], with its slips corrected.
//!
//! Everything happens in input order, one candidate at a time. Every trace is replayed until its longest
//! replayable prefix is known; then traces that add nothing are dropped, then loops are left out, then fragments
//! are put together. A candidate counts when all its replays are followed; the first that is not ends it.
//! Corrected: spliced traces add up instead of replacing each other, original traces are never pruned, and what
//! replays covered counts, not what was predicted.

mod prune;
mod replayable;
mod splicing;
mod trial;

use std::collections::BTreeSet;

use crate::algorithm::{Bound, Finished, Request, SuitePhase, View};
use crate::bits::Bits;
use crate::evidence::Evidence;
use crate::input::TransitionId;
use crate::item::ItemId;

use prune::Prune;
use replayable::Replayable;
use splicing::Splicing;
use trial::{Trial, Verdict};

/// The published algorithm.
#[derive(Debug)]
pub(crate) struct Classic {
    stage: Stage,
    /// For each transition, what it is taken to cover.
    gives: Vec<Vec<ItemId>>,
    trial: Option<Trial>,
    bounds: BTreeSet<Bound>,
}

#[derive(Debug)]
enum Stage {
    Replayable(Replayable),
    Prune(Prune),
    Splicing(Splicing),
    Over(Vec<Vec<TransitionId>>),
}

/// Traces that are kept, and what their replays covered.
#[derive(Debug)]
struct Kept {
    paths: Vec<Vec<TransitionId>>,
    covered: Bits,
}

impl Classic {
    /// Nothing is done yet.
    pub(crate) fn new(view: View<'_>) -> Self {
        let mut gives = vec![Vec::new(); view.input.transitions.len()];
        for trace in &view.input.traces {
            let path = view.input.path(trace);
            for &(item, index) in &trace.credits {
                gives[path[index as usize].index()].push(item);
            }
        }
        for given in &mut gives {
            given.sort_unstable();
            given.dedup();
        }
        let stage = Stage::Replayable(Replayable::default());
        Self { stage, gives, trial: None, bounds: BTreeSet::new() }
    }

    pub(crate) fn phase(&self) -> SuitePhase {
        match self.stage {
            Stage::Replayable(_) => SuitePhase::Replayable,
            Stage::Prune(_) => SuitePhase::Loops,
            Stage::Splicing(_) => SuitePhase::Splice,
            Stage::Over(_) => SuitePhase::Over,
        }
    }

    /// The traces that are kept as things stand.
    pub(crate) fn kept(&self) -> &[Vec<TransitionId>] {
        match &self.stage {
            Stage::Replayable(stage) => &stage.kept,
            Stage::Prune(stage) => &stage.reduced.paths,
            Stage::Splicing(stage) => &stage.kept.paths,
            Stage::Over(kept) => kept,
        }
    }

    /// How many runs the present stage will take, if nothing fails.
    pub(crate) fn outlook(&self, view: View<'_>) -> usize {
        let traces = match &self.stage {
            Stage::Replayable(stage) => view.input.traces.len() - stage.kept.len(),
            Stage::Prune(stage) => stage.left(),
            Stage::Splicing(_) | Stage::Over(_) => 0,
        };
        traces * view.settings.runs as usize
    }

    /// The bounds that cut the search short.
    pub(crate) fn bounds(&self) -> &BTreeSet<Bound> {
        &self.bounds
    }

    /// The next run, if any.
    pub(crate) fn advance(&mut self, view: View<'_>, finished: &[Finished]) -> Vec<Request> {
        let mut verdict = None;
        if let (Some(trial), [run]) = (&self.trial, finished) {
            self.gives_less(view, &trial.path.clone());
            verdict = self.trial.as_ref().map(|trial| trial.after(view, run.noted));
        }
        loop {
            match (verdict, &self.trial) {
                (Some(Verdict::Open), Some(trial)) => return vec![trial.request(self.phase())],
                (Some(settled), _) => {
                    let trial = self.trial.take().expect("a verdict is on a trial");
                    self.settle(view, trial, settled);
                }
                (None, _) => {}
            }
            let Some(trial) = self.propose(view) else { return Vec::new() };
            verdict = Some(trial.standing(view));
            self.trial = Some(trial);
        }
    }

    fn propose(&mut self, view: View<'_>) -> Option<Trial> {
        loop {
            let next = match &mut self.stage {
                Stage::Replayable(stage) => stage.propose(view),
                Stage::Prune(stage) => stage.propose(view, &self.gives, &mut self.bounds),
                Stage::Splicing(stage) => stage.propose(view, &self.gives, &mut self.bounds),
                Stage::Over(_) => return None,
            };
            if next.is_some() {
                return next;
            }
            self.stage = match &mut self.stage {
                Stage::Replayable(stage) => Stage::Prune(Prune::new(view, std::mem::take(&mut stage.kept))),
                Stage::Prune(stage) => {
                    Stage::Splicing(Splicing::new(view, std::mem::take(&mut stage.reduced.paths)))
                }
                Stage::Splicing(stage) => Stage::Over(std::mem::take(&mut stage.kept.paths)),
                Stage::Over(kept) => Stage::Over(std::mem::take(kept)),
            };
        }
    }

    fn settle(&mut self, view: View<'_>, trial: Trial, verdict: Verdict) {
        match &mut self.stage {
            Stage::Replayable(stage) => stage.settle(trial, verdict),
            Stage::Prune(stage) => stage.settle(view, trial, verdict),
            Stage::Splicing(stage) => stage.settle(view, trial, verdict),
            Stage::Over(_) => {}
        }
    }

    /// What a replay followed and did not cover, its transitions do not give: the expectation becomes the
    /// intersection.
    fn gives_less(&mut self, view: View<'_>, path: &[TransitionId]) {
        let held = held(view.evidence, path);
        if !held.is_empty() {
            for id in path {
                self.gives[id.index()].retain(|item| held.binary_search(item).is_ok());
            }
        }
    }
}

impl Kept {
    fn new(view: View<'_>) -> Self {
        Self { paths: Vec::new(), covered: Bits::new(view.input.items.len()) }
    }

    /// Those of these items that are not covered.
    fn missing(&self, items: &[ItemId]) -> Vec<ItemId> {
        items.iter().copied().filter(|item| !self.covered.has(item.0)).collect()
    }

    fn add(&mut self, evidence: &Evidence, path: Vec<TransitionId>) {
        for item in held(evidence, &path) {
            self.covered.insert(item.0);
        }
        self.paths.push(path);
    }
}

/// What replays of a path covered every time; nothing when none was followed.
fn held(evidence: &Evidence, path: &[TransitionId]) -> Vec<ItemId> {
    let node = evidence.find(path).filter(|&node| evidence.node(node).followed > 0);
    node.map(|node| evidence.held(node)).unwrap_or_default()
}
