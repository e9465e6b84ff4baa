//! The procedure of the default reducer, one run at a time.

mod judgement;

use std::sync::Arc;

use retap_trace::Level;

use super::descent::{Descent, DescentStart};
use super::pass::Pass;
use super::paths::StatePaths;
use super::stage::{Stage, Then, WantedRun};
use super::test::{Reference, Test, evidence};
use super::together::{Bonds, Together};
use crate::search::{Brackets, Material};
use crate::{Batch, Goal, Ledger, Outcome, Phase, ReductionEnding, Subset, Tally, Verdict};

/// Misses of the whole list, without a hit, after which it is refused.
pub(crate) const HOPELESS: u32 = 12;
/// Misses in the descent, without a hit, after which the whole list is run.
const DOUBTFUL: u32 = 5;
/// Runs of the whole list that measure its rate.
const CHECK: u32 = 20;
/// After so many runs of a list the sign of the evidence decides.
const MOST: u32 = 30;
/// In a pass, misses without a hit are a no when they are less likely than this.
const UNLIKELY: f64 = 0.009;
/// The same where single events will be tried once more after the values.
const UNLIKELY_YET: f64 = 0.035;
/// Of longer guesses many events can go at once; of shorter ones most are needed, and a flaky one is soon misjudged.
const FEW: u32 = 24;
/// How often the search starts over: what misled it is known better each time.
const RESTARTS: u32 = 3;
/// Evidence of this much or more: a list is believed to be reliable, once the search has started over.
const RELIABLE: f64 = 1.3;
/// Evidence of this much or less: it is not.
const UNRELIABLE: f64 = -1.5;
/// Lists that are shorter than this profit from what is known of longer ones.
const SHORT: u32 = 200;
/// The weight of an event that changed no state.
const IDLE: f64 = 0.1;

/// What is asked of a reduction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AutoSettings {
    /// Runs of the claim.
    pub confirm_runs: u32,
    /// A list that reaches its target less often is refused. Without it, one that never does so in twelve runs.
    pub min_rate: Option<f64>,
    /// Whether the claim is left to the caller that goes on with the answer.
    pub claim_later: bool,
}

/// The procedure: told outcomes, says which run it wants next.
#[derive(Debug, Clone)]
pub struct Auto {
    whole: Subset,
    /// Whether the first event is, or may be, the launch.
    launch: bool,
    /// The launch, when it is known to be one.
    rooted: Option<u32>,
    paths: Option<StatePaths>,
    brackets: Option<Arc<[Brackets]>>,
    settings: AutoSettings,
    ledger: Ledger,
    history: Vec<Subset>,
    flaky: bool,
    /// Whether the search has started over, and believes nothing that hits once.
    strict: bool,
    restarts: u32,
    /// Runs of lists that had reached the target before.
    again: Tally,
    /// Misses and hits of the search so far.
    tried: Tally,
    rounds: u32,
    /// The list that passes, batches and repairs are about.
    list: Subset,
    stage: Stage,
    batches: Vec<Batch>,
    /// The list of which neighbours were tried last.
    paired: Option<Subset>,
    checked: Tally,
}

impl Auto {
    /// A reduction of this material that has not begun.
    pub fn new(material: &Material, settings: AutoSettings) -> Self {
        let whole = material.all();
        let states = material.states(Level::Full);
        let launch = material.rooted() || !material.recorded();
        let paths = states.and_then(|states| {
            let last = material.reached().or_else(|| whole.len().checked_sub(1))?;
            (last > u32::from(launch)).then(|| StatePaths::new(states.clone(), launch, last))
        });
        let mut auto = Self {
            launch,
            rooted: material.rooted().then_some(0),
            paths,
            brackets: material.brackets().cloned(),
            settings,
            ledger: Ledger::default(),
            history: vec![whole.clone()],
            flaky: false,
            strict: false,
            restarts: 0,
            again: Tally::default(),
            tried: Tally::default(),
            rounds: 0,
            list: whole.clone(),
            stage: Stage::Check,
            batches: Vec::new(),
            paired: None,
            checked: Tally::default(),
            whole,
        };
        if settings.min_rate.is_none() {
            auto.begin();
        }
        auto
    }

    /// How it ended, once it has.
    pub fn ending(&self) -> Option<&ReductionEnding> {
        match &self.stage {
            Stage::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// The best list so far.
    pub fn best(&self) -> &Subset {
        match &self.stage {
            // What the search has left as unreliable is not its best.
            Stage::Descend(_) if self.strict => &self.whole,
            Stage::Check | Stage::Guess { .. } | Stage::Descend(_) | Stage::Whole { .. } => {
                self.history.last().unwrap_or(&self.whole)
            }
            Stage::Together { together, .. } => together.list(),
            _ => &self.list,
        }
    }

    pub fn phase(&self) -> Phase {
        match &self.stage {
            Stage::Check | Stage::Whole { .. } => Phase::Check,
            Stage::Batch { .. } | Stage::Claim => Phase::Confirm,
            Stage::Over(_) => Phase::Over,
            _ => Phase::Search,
        }
    }

    /// What is asked of variants of the answer: of simpler values that they work at all, since what was wrong with them
    /// shows in the claim; of single events that were seen to be needed no more than a second look.
    pub fn variants(&self) -> (Test, Test) {
        let reference = self.reference(&self.list);
        let test = |hits: u32, unlikely: f64| Test { hits, flaky: self.flaky, reference, unlikely };
        (test(1, 0.13), test(4, 0.25))
    }

    /// Runs that are sure to come if all goes well.
    pub fn outlook(&self) -> u32 {
        match &self.stage {
            Stage::Over(_) => 0,
            Stage::Batch { .. } | Stage::Claim => {
                let done = self.batches.last().map_or(0, |batch| batch.tally.runs());
                self.settings.confirm_runs.saturating_sub(done)
            }
            _ => self.settings.confirm_runs,
        }
    }

    /// The run that is wanted next; `None` when it is over.
    pub fn wanted(&self) -> Option<WantedRun> {
        self.stage.wanted(&self.whole, &self.list)
    }

    /// Takes the outcome of the wanted run: after how many events it reached the target, or nothing.
    pub fn settle(&mut self, reached: Option<u32>) {
        let Some(WantedRun { list, .. }) = self.wanted() else { return };
        let outcome = if reached.is_some() { Outcome::Reached } else { Outcome::Missed };
        let reached_before = self.ledger.tally(&list, Goal::Target).reached > 0;
        if reached_before {
            self.again.add(outcome);
        }
        let tally = self.ledger.add(&list, Goal::Target, outcome);
        let hit = reached.is_some();
        let last = list.positions().last().unwrap_or_default();
        let performed = reached.map(|events| list.nth(events.saturating_sub(1)).unwrap_or(last));
        // What was not performed any more had no part in it: the run is one of the list that ends there, too.
        let cut =
            performed.map(|at| Subset::from_positions(list.positions().take_while(|event| *event <= at)));
        // That counts only while one hit is believed: of longer lists only the hits are seen.
        let believed = matches!(self.stage, Stage::Guess { .. } | Stage::Descend(_)) && !self.strict;
        if let Some(cut) = cut.as_ref().filter(|cut| believed && **cut != list) {
            self.ledger.add(cut, Goal::Target, outcome);
        }
        match &mut self.stage {
            Stage::Check => {
                self.checked.add(outcome);
                self.flaky |= !hit;
            }
            Stage::Guess { left, .. } => {
                left.pop();
                if let Some(cut) = cut {
                    self.history.push(cut.clone());
                    self.guessed(cut);
                }
            }
            // Its verdict comes from the ledger.
            Stage::Descend(_) if self.strict => {}
            Stage::Descend(descent) => {
                self.flaky |= reached_before && !hit;
                if descent.settle(performed) {
                    self.history.push(list);
                }
                self.tried.add(outcome);
                if self.tried == Tally::new(0, DOUBTFUL) {
                    self.ask_whole(0);
                }
            }
            Stage::Whole { misses, .. } => {
                self.flaky |= !hit;
                *misses += u32::from(!hit);
                if hit || *misses >= HOPELESS {
                    self.told_whole(hit);
                }
            }
            Stage::Pass { .. } | Stage::Together { .. } | Stage::Repair { .. } => {
                self.flaky |= tally.reached > 0 && tally.missed > 0;
            }
            Stage::Batch { .. } | Stage::Claim => {
                self.flaky |= !hit;
                self.batches.last_mut().expect("a batch is under way").tally.add(outcome);
            }
            Stage::Over(_) => {}
        }
        while self.go_on() {}
    }

    /// Goes on without a run, if it can.
    fn go_on(&mut self) -> bool {
        match &self.stage {
            Stage::Check => self.check(),
            Stage::Guess { left, again } => {
                if !left.is_empty() {
                    return false;
                }
                if again.is_empty() {
                    self.descend(&self.whole.clone());
                } else {
                    self.stage = Stage::Guess { left: again.clone(), again: Vec::new() };
                }
                true
            }
            Stage::Descend(descent) => {
                if descent.wanted().is_some() {
                    return self.strict && self.answer_strictly();
                }
                self.list = descent.present();
                let Tally { reached, missed } = self.ledger.tally(&self.list, Goal::Target);
                if reached == 0 && self.list == self.whole {
                    // Nothing could go, and nobody has run it.
                    self.ask_whole(missed);
                } else {
                    self.pass(if self.strict { 4 } else { 1 }, Then::Batch);
                }
                true
            }
            Stage::Pass { .. } => self.go_on_passing(),
            Stage::Together { .. } => self.go_on_together(),
            Stage::Batch { was_flaky } => self.go_on_in_batch(*was_flaky),
            Stage::Repair { .. } => self.go_on_repairing(),
            Stage::Claim => self.claim_made(),
            Stage::Whole { .. } | Stage::Over(_) => false,
        }
    }

    /// Whether the whole list reaches often enough, where that is asked for.
    fn check(&mut self) -> bool {
        let least = least(self.settings.min_rate.unwrap_or_default(), CHECK);
        let Tally { missed, .. } = self.checked;
        if missed > CHECK - least {
            self.refuse(Some((least, CHECK)));
        } else if self.checked.runs() == CHECK {
            self.begin();
        } else {
            return false;
        }
        true
    }

    fn begin(&mut self) {
        let (first, again) = self.paths.as_ref().map(StatePaths::guesses).unwrap_or_default();
        let subsets = |lists: Vec<Vec<u32>>| {
            let shorter = lists.into_iter().filter(|list| list.len() < self.whole.len() as usize);
            let mut lists: Vec<Subset> = shorter.map(Subset::from_positions).collect();
            lists.reverse();
            lists
        };
        self.stage = Stage::Guess { left: subsets(first), again: subsets(again) };
        while self.go_on() {}
    }

    /// A guess has reached the target.
    fn guessed(&mut self, list: Subset) {
        self.tried.add(Outcome::Reached);
        if list.len() > FEW {
            return self.descend(&list);
        }
        self.list = list;
        self.pass(1, Then::Batch);
    }

    fn descend(&mut self, from: &Subset) {
        let weight = |paths: &StatePaths, event: u32| {
            if paths.changed(event) { 1.0 } else { IDLE }
        };
        let weights = self
            .paths
            .as_ref()
            .map(|paths| (0..self.whole.len()).map(|event| weight(paths, event)).collect::<Arc<[f64]>>());
        // What only may be the launch is not pinned any more once the search has been misled.
        let launch = self.rooted.is_some() || self.launch && !self.strict;
        let list = from.positions().collect();
        let start = DescentStart { list, launch, last: true, weights, monitored: !self.strict };
        self.stage = Stage::Descend(Box::new(Descent::new(start)));
    }

    /// Answers a question of the descent by all that is known of its list; says whether that was enough.
    fn answer_strictly(&mut self) -> bool {
        let Stage::Descend(descent) = &mut self.stage else { return false };
        let Some(list) = descent.wanted().cloned() else { return false };
        let tally = self.ledger.tally(&list, Goal::Target);
        let (evidence, enough) = (evidence(tally), tally.runs() >= MOST);
        if evidence >= RELIABLE {
            descent.settle(Some(list.positions().last().unwrap_or_default()));
            self.history.push(list);
        } else if evidence <= UNRELIABLE || enough {
            descent.settle(None);
        } else {
            return false;
        }
        true
    }

    fn ask_whole(&mut self, misses: u32) {
        let then = std::mem::replace(&mut self.stage, Stage::Claim);
        self.stage = Stage::Whole { misses, then: Box::new(then) };
    }

    fn told_whole(&mut self, hit: bool) {
        let Stage::Whole { then, .. } = std::mem::replace(&mut self.stage, Stage::Claim) else { return };
        if hit {
            self.stage = *then;
        } else {
            self.refuse(None);
        }
    }

    fn refuse(&mut self, needed: Option<(u32, u32)>) {
        let tally = self.ledger.tally(&self.whole, Goal::Target);
        self.stage = Stage::Over(ReductionEnding::Refused { tally, needed });
    }

    fn pass(&mut self, hits: u32, then: Then) {
        let pass = Pass::new(self.list.positions().collect(), self.rooted);
        self.stage = Stage::Pass { pass, hits, was_flaky: self.flaky, then };
    }

    /// The rate that lists shorter than this one are compared with.
    fn reference(&self, list: &Subset) -> Reference {
        let own = self.ledger.tally(list, Goal::Target);
        // The first hit chose the list.
        let own = Tally::new(own.reached.saturating_sub(1), own.missed);
        // What unreliable ways have shown says nothing about the reliable one.
        let others = if self.strict { Tally::default() } else { self.again };
        Reference::new(own, others)
    }

    fn go_on_passing(&mut self) -> bool {
        let Stage::Pass { pass, hits, was_flaky, then } = &self.stage else { return false };
        let (then, was_flaky) = (*then, *was_flaky);
        let Some(shorter) = pass.shorter().map(Subset::from_positions) else {
            self.passed(then, was_flaky);
            return true;
        };
        let list = Subset::from_positions(pass.list().iter().copied());
        let reference = self.reference(&list);
        let unlikely = if self.settings.claim_later { UNLIKELY_YET } else { UNLIKELY };
        let test = Test { hits: *hits, flaky: self.flaky, reference, unlikely };
        let tally = self.ledger.tally(&shorter, Goal::Target);
        let without = match pass.event() {
            Some(event) if self.flaky && shorter.len() < SHORT => self.ledger.without(event, &shorter),
            _ => tally,
        };
        let verdict = test.judge_with(tally, without);
        let Stage::Pass { pass, .. } = &mut self.stage else { return false };
        match verdict {
            Verdict::Open => return false,
            Verdict::Fail => pass.settle(false),
            Verdict::Pass => {
                pass.settle(true);
                self.history.push(shorter);
            }
        }
        true
    }

    /// No single event can go any more.
    fn passed(&mut self, then: Then, was_flaky: bool) {
        let Stage::Pass { pass, .. } = &self.stage else { return };
        let list = Subset::from_positions(pass.list().iter().copied());
        let changed = list != self.list;
        self.list = list;
        match then {
            Then::Batch => {
                let together = Together::new(self.list.clone(), self.rooted, self.bonds());
                self.stage = Stage::Together { together, was_flaky, in_batch: false };
            }
            Then::Decide if changed => self.next_round(),
            Then::Decide | Then::Claim => self.decide(),
        }
    }

    fn bonds(&self) -> Bonds<'_> {
        match &self.paths {
            Some(paths) => Bonds::States(paths),
            None => Bonds::Lines(self.brackets.as_deref()),
        }
    }

    /// What can only go together goes as a whole, or not at all.
    fn go_on_together(&mut self) -> bool {
        let Stage::Together { together, was_flaky, in_batch } = &self.stage else { return false };
        let in_batch = *in_batch;
        let (was_flaky, hits) = (*was_flaky, if *was_flaky { 4 } else { 1 });
        let Some(shorter) = together.shorter() else {
            if together.changed() {
                self.list = together.list().clone();
                self.pass(hits, Then::Batch);
            } else if in_batch {
                self.stage = Stage::Batch { was_flaky };
            } else {
                self.batch(was_flaky);
            }
            return true;
        };
        let reference = self.reference(together.list());
        let test = Test { hits, flaky: self.flaky, reference, unlikely: UNLIKELY_YET };
        let verdict = test.judge(self.ledger.tally(&shorter, Goal::Target));
        let Stage::Together { together, .. } = &mut self.stage else { return false };
        match verdict {
            Verdict::Open => return false,
            Verdict::Fail => together.settle(false),
            Verdict::Pass => {
                together.settle(true);
                self.history.push(shorter);
            }
        }
        true
    }
}

/// The fewest of so many runs that are this share of them.
fn least(rate: f64, runs: u32) -> u32 {
    // A hair less than the product, which may be rounded up.
    let share = rate.clamp(0.0, 1.0) * f64::from(runs) - 1e-9;
    (0..=runs).find(|reached| f64::from(*reached) >= share).unwrap_or(runs)
}
