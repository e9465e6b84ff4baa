//! What came of it, for people: before and after, what was lost and why, what is kept and what for.

use std::collections::BTreeMap;

use retap_model::TraceNumber;
use retap_reduce::Tally;
use retap_trace::{Micros, StateKey};

use crate::algorithm::{Bound, Optimum};
use crate::bits::Bits;
use crate::evidence::{Evidence, PrefixId, Standing};
use crate::input::{StepRef, SuiteInput, TransitionId};
use crate::item::{Item, ItemId};
use crate::shrink::{Shrink, Spent};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteReport {
    /// The input.
    pub before: Totals,
    /// The suite.
    pub after: Totals,
    /// What the input covers.
    pub covered_before: ItemCounts,
    /// What of it the suite covers.
    pub covered_after: ItemCounts,
    /// The traces of the suite.
    pub kept: Vec<Kept>,
    /// Every item that the suite does not cover.
    pub lost: Vec<Lost>,
    /// Traces of the input of which runs have shown that only a prefix replays.
    pub cut: Vec<Cut>,
    /// Steps that were followed in some runs and not in others, after the same steps.
    pub flaky: Vec<Flaky>,
    pub spent: Spent,
    /// The bounds that cut the search short.
    pub bounds: Vec<Bound>,
    /// How good the choice among the confirmed traces is; the published algorithm does not know.
    pub optimum: Option<Optimum>,
}

/// The size of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Traces, each of which takes a restart.
    pub traces: usize,
    /// Steps of all traces.
    pub transitions: usize,
    /// Device time of running it once: measured where it was run, otherwise as long as its steps took.
    pub time: Micros,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemCounts {
    pub code: usize,
    pub states: usize,
    pub crashes: usize,
}

/// A trace of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its steps, by where the input has them: as long stretches of one trace as there are.
    pub steps: Vec<StepRef>,
    /// Clean runs that followed it from start to end, and all runs that failed on its way.
    pub confirmed: Tally,
    /// Device time of a run.
    pub time: Micros,
    /// How many items it covers.
    pub covers: usize,
    /// The items that no other trace of the suite covers: what it is there for.
    pub only: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    pub item: Item,
    /// How many traces of the input have it.
    pub traces: usize,
    /// Why, by the trace that came furthest.
    pub why: Why,
}

/// Why an item is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A trace that has it is not followed so far.
    NotFollowed(Mismatch),
    /// A trace that has it was followed so often, but the item was not covered every time.
    NotCovered {
        /// The step that covered it in the recording.
        step: StepRef,
        /// Runs that followed the trace up to there.
        runs: u32,
        /// Those of them that covered it, at most.
        covered: u32,
    },
    /// No run has tried it; the work was stopped before.
    NotTried,
}

/// Where runs went astray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// The trace of the input.
    pub trace: TraceNumber,
    /// The step of it that was not followed, from 0; absent when the app did not even start as it should.
    pub step: Option<u32>,
    /// Runs that followed it after the same steps.
    pub followed: u32,
    /// Runs that did not.
    pub diverged: u32,
    /// What was seen instead, the last time.
    pub seen: Option<StateKey>,
}

/// A trace of the input of which only a prefix replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Steps that the trace has.
    pub of: u32,
    /// Where it stops replaying; the steps before that do.
    pub at: Mismatch,
}

/// A step that is followed in some runs only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaky {
    /// The first step of the input that does this; absent for the launch.
    pub step: Option<StepRef>,
    /// Runs that followed it, where others after the same steps did not.
    pub followed: u32,
    /// Runs that did not.
    pub diverged: u32,
}

impl Shrink {
    /// What came of it so far.
    pub fn report(&self) -> SuiteReport {
        let (input, evidence) = (&*self.input, &self.evidence);
        let kept = kept(input, evidence, self.kept());
        let mut covered = Bits::new(input.items.len());
        for node in self.kept().iter().filter_map(|path| evidence.find(path)) {
            for item in evidence.held(node) {
                covered.insert(item.0);
            }
        }
        let lost = input.items.ids().filter(|&item| !covered.has(item.0));
        let steps = |path: &[TransitionId]| path.len() - 1;
        SuiteReport {
            before: Totals { traces: input.traces(), transitions: input.steps(), time: input.time() },
            after: Totals {
                traces: kept.len(),
                transitions: self.kept().iter().map(|path| steps(path)).sum(),
                time: kept.iter().map(|one| one.time).sum(),
            },
            covered_before: ItemCounts::of(input, input.items.ids()),
            covered_after: ItemCounts::of(input, covered.iter().map(ItemId)),
            lost: lost.map(|item| lost_item(input, evidence, item)).collect(),
            kept,
            cut: cut(input, evidence),
            flaky: flaky(input, evidence),
            spent: self.spent(),
            bounds: self.bounds().iter().copied().collect(),
            optimum: self.optimum(),
        }
    }
}

impl ItemCounts {
    fn of(input: &SuiteInput, items: impl Iterator<Item = ItemId>) -> Self {
        let mut counts = Self::default();
        for item in items {
            match input.items.get(item) {
                Item::Code(_) => counts.code += 1,
                Item::State(_) => counts.states += 1,
                Item::Crash(_) => counts.crashes += 1,
            }
        }
        counts
    }

    pub const fn all(self) -> usize {
        self.code + self.states + self.crashes
    }
}

fn kept(input: &SuiteInput, evidence: &Evidence, paths: &[Vec<TransitionId>]) -> Vec<Kept> {
    let held =
        |path: &Vec<TransitionId>| evidence.find(path).map(|node| evidence.held(node)).unwrap_or_default();
    let held: Vec<Vec<ItemId>> = paths.iter().map(held).collect();
    let mut times: BTreeMap<ItemId, u32> = BTreeMap::new();
    for item in held.iter().flatten() {
        *times.entry(*item).or_default() += 1;
    }
    let one = |(path, held): (&Vec<TransitionId>, &Vec<ItemId>)| {
        let node = evidence.find(path);
        let only = held.iter().filter(|item| times[*item] == 1);
        let fresh = node.map_or(0, |node| evidence.node(node).fresh);
        Kept {
            steps: input.steps_of(path),
            confirmed: Tally::new(fresh, node.map_or(0, |node| evidence.failures_up_to(node))),
            time: node.and_then(|node| evidence.measured(node)).unwrap_or_else(|| input.time_of(path)),
            covers: held.len(),
            only: only.map(|&item| input.items.get(item).clone()).collect(),
        }
    };
    paths.iter().zip(&held).map(one).collect()
}

/// Why an item is lost, by the trace whose replays came closest.
fn lost_item(input: &SuiteInput, evidence: &Evidence, item: ItemId) -> Lost {
    let mut traces = 0;
    let mut best: Option<(u32, usize, Why)> = None;
    for trace in &input.traces {
        let Ok(place) = trace.credits.binary_search_by_key(&item, |credit| credit.0) else { continue };
        traces += 1;
        let index = trace.credits[place].1;
        let path = &input.path(trace)[..=index as usize];
        let (node, followed) = evidence.followed_prefix(path);
        let failing = evidence.failing_prefix(path).and_then(|length| evidence.find(&path[..length]));
        let (rank, why) = match failing {
            Some(node) => (1, Why::NotFollowed(mismatch(evidence, trace.trace, node))),
            None if followed == path.len() => {
                let step = StepRef { trace: trace.trace, position: index.saturating_sub(1) };
                let (runs, covered) = (evidence.runs_to(node), evidence.covered_times(node, item));
                (2, Why::NotCovered { step, runs, covered })
            }
            None => (0, Why::NotTried),
        };
        if best.is_none_or(|best| (rank, followed) > (best.0, best.1)) {
            best = Some((rank, followed, why));
        }
    }
    let why = best.map_or(Why::NotTried, |best| best.2);
    Lost { item: input.items.get(item).clone(), traces, why }
}

fn mismatch(evidence: &Evidence, trace: TraceNumber, node: PrefixId) -> Mismatch {
    let node = evidence.node(node);
    let (followed, diverged) = (node.follows(), node.diverged + node.forgiven);
    Mismatch { trace, step: node.depth.checked_sub(2), followed, diverged, seen: node.stray }
}

fn cut(input: &SuiteInput, evidence: &Evidence) -> Vec<Cut> {
    let cut = input.traces.iter().filter_map(|trace| {
        let path = input.path(trace);
        let length = evidence.failing_prefix(path)?;
        let node = evidence.find(&path[..length])?;
        let of = u32::try_from(path.len() - 1).expect("a short trace");
        Some(Cut { of, at: mismatch(evidence, trace.trace, node) })
    });
    cut.collect()
}

fn flaky(input: &SuiteInput, evidence: &Evidence) -> Vec<Flaky> {
    let mut steps: BTreeMap<TransitionId, (u32, u32)> = BTreeMap::new();
    for id in evidence.ids().filter(|&id| evidence.standing(id) != Standing::Sound) {
        let node = evidence.node(id);
        if node.followed > 0 {
            let tally = steps.entry(node.by).or_default();
            tally.0 += node.follows();
            tally.1 += node.diverged;
        }
    }
    let flaky = steps.into_iter().map(|(id, (followed, diverged))| {
        let step = input.transition(id).sample;
        Flaky { step, followed, diverged }
    });
    flaky.collect()
}
