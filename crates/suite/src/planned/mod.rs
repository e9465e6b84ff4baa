//! Planning on a model of the app, and verifying only what is wanted.
//!
//! All that is recorded makes a model: transitions with what they cover and how surely they are taken. On it, the
//! cheapest set of paths that covers everything is a weighted set cover whose columns are generated as they are
//! needed. What is chosen and has not been replayed is replayed once; each replay corrects the model, and the
//! choice is made again, until it consists of paths that were followed. These are confirmed by fresh replays, and the
//! cheapest cover by confirmed paths is the answer.
//!
//! Nothing is lost by planning: what a plan cannot cover falls back on the recorded prefixes that did, one after
//! the other, until none is left.

mod beliefs;
mod candidate;
mod cuts;
mod fallback;
mod generate;
mod round;
mod stack;
mod tours;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use retap_trace::Micros;

use crate::algorithm::{Bound, Finished, Optimum, Request, SuitePhase, View};
use crate::evidence::{Noted, PrefixId};
use crate::input::TransitionId;
use crate::item::ItemId;
use crate::order::{Followed, Purpose};

use beliefs::Beliefs;
use candidate::{Candidate, Candidates, Caution, Idea, Scale};
use fallback::Occurrences;
use round::{Places, Round};

/// The stretches of the search, each bolder than the one before: how paths that may fail are weighed, and how many
/// plans look for improvements.
const STRETCHES: [(Caution, u32); 4] =
    [(Caution::High, 12), (Caution::Middling, 8), (Caution::Low, 8), (Caution::None, 8)];
/// Fresh runs of every chosen path before any of them is confirmed in full: most that flake show it soon.
const PROBE: u32 = 3;
/// How often the search goes on after such a probe, and for how many plans.
const PROBES: (u32, u32) = (4, 3);
/// Ideas kept from one plan to the next.
const IDEAS: usize = 1_000;
/// Nodes of branch and bound, for a plan and for the answer.
const NODES: (u32, u32) = (2_000, 20_000);

#[derive(Debug)]
pub(crate) struct Planned {
    beliefs: Beliefs,
    places: Places,
    occurrences: Occurrences,
    ideas: Vec<Idea>,
    stage: Stage,
    /// The last choice.
    kept: Vec<Vec<TransitionId>>,
    /// What the paths under trial are to cover.
    predictions: BTreeMap<Vec<TransitionId>, Vec<ItemId>>,
    probes: u32,
    /// Device time of the search, as if all of it began clean: what is tried does not depend on snapshots.
    searched: Micros,
    bounds: BTreeSet<Bound>,
    optimum: Option<Optimum>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Looking for better paths: in which stretch, and how many plans that has taken.
    Search {
        stretch: usize,
        plans: u32,
    },
    /// Only what fails is replaced.
    Confirm,
    Over,
}

/// A choice of paths, and the next best to try.
struct Plan {
    chosen: Vec<Candidate>,
    next_best: Vec<Candidate>,
}

impl Planned {
    /// Nothing is done yet.
    pub(crate) fn new(view: View<'_>) -> Self {
        Self {
            beliefs: Beliefs::new(view.input),
            places: Places::new(view),
            occurrences: Occurrences::new(view.input),
            ideas: Vec::new(),
            stage: Stage::Search { stretch: 0, plans: 0 },
            kept: Vec::new(),
            predictions: BTreeMap::new(),
            probes: 0,
            searched: Micros::ZERO,
            bounds: BTreeSet::new(),
            optimum: None,
        }
    }

    pub(crate) fn phase(&self) -> SuitePhase {
        match self.stage {
            Stage::Search { .. } => SuitePhase::Search,
            Stage::Confirm => SuitePhase::Confirm,
            Stage::Over => SuitePhase::Over,
        }
    }

    /// The traces that are kept as things stand.
    pub(crate) fn kept(&self) -> &[Vec<TransitionId>] {
        &self.kept
    }

    /// The bounds that cut the search short.
    pub(crate) fn bounds(&self) -> &BTreeSet<Bound> {
        &self.bounds
    }

    /// How good the answer is among the confirmed paths.
    pub(crate) fn optimum(&self) -> Option<Optimum> {
        self.optimum
    }

    /// How many fresh runs the last choice lacks, if nothing fails.
    pub(crate) fn outlook(&self, view: View<'_>) -> usize {
        let lacks = |path: &Vec<TransitionId>| {
            let node = view.evidence.find(path);
            let needed = node.map_or(view.settings.runs, |node| view.needed(node));
            needed.saturating_sub(node.map_or(0, |node| view.evidence.node(node).fresh)) as usize
        };
        self.kept.iter().map(lacks).sum()
    }

    /// Learns from a run, whatever it was for.
    pub(crate) fn learn(&mut self, view: View<'_>, request: &Request, run: &Followed, noted: Noted) {
        let followed = match noted {
            Noted::Nothing => return,
            Noted::Whole => request.path.len(),
            Noted::Forgiven(index) | Noted::Diverged(index) => index,
        };
        self.beliefs.learn(view.input, &request.path, followed, run);
        if request.purpose == Purpose::Search {
            self.searched += run.took;
        }
    }

    /// The next runs, if any.
    pub(crate) fn advance(&mut self, view: View<'_>, finished: &[Finished]) -> Vec<Request> {
        self.compare(view, finished);
        loop {
            let plan = self.plan(view);
            self.kept = plan.chosen.iter().map(|candidate| candidate.path.clone()).collect();
            let trials = self.trials(view, &plan);
            if !trials.is_empty() {
                return trials;
            }
            match self.stage {
                Stage::Search { stretch, .. } if stretch + 1 < STRETCHES.len() && !self.spent(view) => {
                    self.stage = Stage::Search { stretch: stretch + 1, plans: 0 };
                }
                _ => {
                    let nodes: Vec<PrefixId> = plan.chosen.iter().filter_map(|one| one.node).collect();
                    return self.confirm(view, &nodes);
                }
            }
        }
    }

    /// Compares what finished runs covered with what they were to cover.
    fn compare(&mut self, view: View<'_>, finished: &[Finished]) {
        let predictions = std::mem::take(&mut self.predictions);
        for run in finished.iter().filter(|run| run.noted == Noted::Whole) {
            let Some(predicted) = predictions.get(&run.request.path) else { continue };
            let held = view.evidence.find(&run.request.path).map(|node| view.evidence.held(node));
            let held = held.unwrap_or_default();
            let missed = predicted.iter().filter(|item| held.binary_search(item).is_err());
            missed.for_each(|&item| self.beliefs.miss(item));
        }
    }

    /// Whether the device time for improvements is used up.
    fn spent(&self, view: View<'_>) -> bool {
        const RESTARTS: f64 = 200.0;
        let restart = view.input.transition(view.input.tape[0]).time.as_secs_f64();
        let share = view.input.time().as_secs_f64() * view.settings.search;
        self.searched.as_secs_f64() >= share.max(restart * RESTARTS)
    }

    /// How this plan looks for improvements, if it does, and how many before it did in the same way.
    fn improving(&mut self, view: View<'_>) -> Option<(Caution, u32)> {
        let Stage::Search { stretch, plans } = &mut self.stage else { return None };
        let (caution, most) = STRETCHES[*stretch];
        let before = *plans;
        *plans += 1;
        if before < most && !self.spent(view) {
            return Some((caution, before));
        }
        self.bounds.insert(Bound::Search);
        None
    }

    /// The cheapest paths that cover everything that can be covered.
    fn plan(&mut self, view: View<'_>) -> Plan {
        let improving = self.improving(view);
        // To replace what is confirmed by something hardly better is not worth confirming that.
        let unconfirmed = if self.stage == Stage::Confirm { 0.05 } else { 0.0 };
        let scale = Scale { caution: improving.map_or(Caution::None, |(caution, _)| caution), unconfirmed };
        let round = Round::new(view, &self.beliefs, &self.places);
        let mut candidates = Candidates::followed(&round, scale);
        if improving.is_some() {
            candidates.recall(&round, std::mem::take(&mut self.ideas));
        }
        self.occurrences.add(&round, &mut candidates);
        let rows = candidates.rows();
        if let Some((caution, before)) = improving {
            let first = caution == Caution::High && before < 2;
            generate::tours(&round, &mut candidates, &rows, if first { 15 } else { 4 });
            generate::shorter(&round, &mut candidates, &rows);
        }
        if round.too_long() {
            self.bounds.insert(Bound::Longest);
        }
        let problem = candidates.problem(&rows);
        let choice = problem.solve(NODES.0).columns;
        let thought_of = candidates.thought_of(&rows, &problem.prices(60).rows);
        if improving.is_some() {
            self.ideas = thought_of.iter().take(IDEAS).map(|&place| candidates.idea(place)).collect();
        }
        let others = thought_of.into_iter().filter(|place| choice.binary_search(place).is_err());
        let next_best = others.take(view.settings.devices as usize);
        Plan {
            next_best: next_best.map(|place| candidates.get(place).clone()).collect(),
            chosen: choice.iter().map(|&place| candidates.get(place).clone()).collect(),
        }
    }

    /// A replay of every chosen path that none has followed yet. When there are some, devices that would be idle try
    /// the next best.
    fn trials(&mut self, view: View<'_>, plan: &Plan) -> Vec<Request> {
        let untried = plan.chosen.iter().filter(|candidate| candidate.node.is_none());
        let mut trials: Vec<&Candidate> = untried.collect();
        if !trials.is_empty() {
            let idle = (view.settings.devices as usize).saturating_sub(trials.len());
            trials.extend(plan.next_best.iter().take(idle));
        }
        let requests = trials.into_iter().map(|candidate| {
            self.predictions.insert(candidate.path.clone(), candidate.items.clone());
            let label = SuitePhase::Search.to_string();
            Request { path: candidate.path.clone(), purpose: Purpose::Search, label }
        });
        requests.collect()
    }

    /// The fresh replays that the chosen paths lack.
    fn confirm(&mut self, view: View<'_>, chosen: &[PrefixId]) -> Vec<Request> {
        let lacks = |node: PrefixId, wanted: u32| wanted.saturating_sub(view.evidence.node(node).fresh);
        let probe = PROBE.min(view.settings.runs);
        let probing = match self.stage {
            Stage::Search { stretch, plans } if chosen.iter().any(|&node| lacks(node, probe) > 0) => {
                // What a probe shows may change the plan.
                let most = STRETCHES[stretch].1;
                let plans = if self.probes < PROBES.0 { plans.min(most - PROBES.1) } else { plans };
                self.stage = Stage::Search { stretch, plans };
                self.probes += 1;
                true
            }
            _ => {
                self.stage = Stage::Confirm;
                false
            }
        };
        let wanted = |node: PrefixId| if probing { probe } else { view.needed(node) };
        let most = chosen.iter().map(|&node| lacks(node, wanted(node))).max().unwrap_or(0);
        let mut batch = Vec::new();
        for turn in 0..most {
            for &node in chosen.iter().filter(|&&node| lacks(node, wanted(node)) > turn) {
                let (path, label) = (view.evidence.path(node), SuitePhase::Confirm.to_string());
                batch.push(Request { path, purpose: Purpose::Confirm, label });
            }
        }
        if batch.is_empty() {
            self.finish(view, chosen);
        }
        batch
    }

    /// Chooses the cheapest confirmed paths that cover what the last choice covers.
    fn finish(&mut self, view: View<'_>, chosen: &[PrefixId]) {
        self.stage = Stage::Over;
        let round = Round::new(view, &self.beliefs, &self.places);
        let confirmed = Candidates::confirmed(&round);
        let rows: BTreeSet<ItemId> = chosen.iter().flat_map(|&node| view.evidence.held(node)).collect();
        let choice = confirmed.problem(&rows.into_iter().collect::<Vec<_>>()).solve(NODES.1);
        self.kept = choice.columns.iter().map(|&place| confirmed.get(place).path.clone()).collect();
        self.optimum = Some(Optimum { cost: Micros(choice.cost), bound: Micros(choice.bound) });
        if choice.bound < choice.cost {
            self.bounds.insert(Bound::Cover);
        }
    }
}

impl View<'_> {
    /// How many fresh replays confirm a path: more where the app flakes, and still more where this path has failed.
    fn needed(&self, node: PrefixId) -> u32 {
        const MOST: u32 = 8;
        if !self.evidence.flaky() {
            return self.settings.runs;
        }
        let failed = self.evidence.failed_up_to(self.input, node);
        self.settings.sure.max(self.settings.runs) * (1 + 2 * failed).min(MOST)
    }
}
