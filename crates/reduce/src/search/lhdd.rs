//! Local hierarchical delta debugging [SimplyDroid, LHDD], made safe.
//!
//! On the levels above the last event's, the last node of a level stands for itself alone, and a trial passes when
//! the app *arrives* in the state in which the next level begins: short trials instead of whole replays. Before a
//! level is reduced its last 1, 2, 4, ... nodes are tried, and it is reduced only within those that suffice.
//!
//! Arriving is not crashing. The first trial on the last event's level tests the real target; when it cannot be
//! reached, the levels above are restored from the bottom up until it is, and the level that was reduced wrongly
//! is reduced again with trials of the real target (as BHDD does). `best` is only ever a trace that reached the
//! target.

use std::fmt;

use retap_trace::Level;

use super::level::{Cut, LevelSearch};
use super::tree::Tree;
use super::{ALL_STATES, Frontier, Material, Reducer, SearchKind, Settled};
use crate::{Candidate, CandidateId, Goal, Subset, Verdict};

pub(super) const KIND: SearchKind = SearchKind {
    name: "lhdd",
    about: "SimplyDroid's: local, after a guess at what leads to the end",
    states: true,
    minimal: false,
    make: |base, material, _| boxed(Lhdd::new(&base, material, true)),
};

pub(super) const WITHOUT_PRESELECTION: SearchKind = SearchKind {
    name: "lhdd-nopre",
    about: "the same without that guess",
    make: |base, material, _| boxed(Lhdd::new(&base, material, false)),
    ..KIND
};

fn boxed(search: Option<Lhdd>) -> Result<Box<dyn Reducer>, &'static str> {
    search.map(|search| Box::new(search) as Box<dyn Reducer>).ok_or(ALL_STATES)
}

/// Local hierarchical delta debugging.
#[derive(Debug, Clone)]
pub struct Lhdd {
    name: &'static str,
    tree: Tree,
    preselect: bool,
    last_level: usize,
    /// The nodes that are kept on each finished level, the root's first.
    levels: Vec<Vec<usize>>,
    /// Levels up to this one are never reduced locally again.
    distrusted: usize,
    stage: Stage,
    questions: Vec<Vec<usize>>,
    frontier: Frontier,
    best: Subset,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Do the last so many nodes suffice?
    Select {
        nodes: Vec<usize>,
        take: usize,
    },
    /// Which of the selected nodes are needed?
    Reduce {
        level: LevelSearch,
        local: bool,
    },
    /// Is the target reached when everything from this level on is as it was?
    Undo {
        level: usize,
    },
    /// Is the target reached with what is left?
    Verify,
    Over,
}

impl Lhdd {
    /// The search; `preselect` is what LHDD-NoPre goes without. None when the trace recorded no states.
    pub fn new(base: &Subset, material: &Material, preselect: bool) -> Option<Self> {
        let tree = Tree::new(base, material.states(Level::Activity)?);
        let name = if preselect { "lhdd" } else { "lhdd-nopre" };
        let mut search = Self {
            name,
            last_level: tree.level_of_last(),
            tree,
            preselect,
            levels: vec![vec![0]],
            distrusted: 0,
            stage: Stage::Over,
            questions: Vec::new(),
            frontier: Frontier::new(name),
            best: base.clone(),
        };
        if !base.is_empty() {
            search.enter();
        }
        Some(search)
    }

    /// The number of the level at hand.
    fn level(&self) -> usize {
        self.levels.len()
    }

    /// Whether trials on the level at hand only have to arrive.
    fn is_local(&self) -> bool {
        self.level() < self.last_level && self.level() > self.distrusted
    }

    /// Begins the next level.
    fn enter(&mut self) {
        let nodes = self.tree.children(self.levels.last().expect("the root's level"));
        if nodes.is_empty() {
            self.stage = Stage::Verify;
        } else if self.level() > self.last_level || self.level() <= self.distrusted {
            self.stage = Stage::Reduce { level: LevelSearch::new(nodes, Cut::Events), local: false };
        } else if self.preselect {
            self.stage = Stage::Select { nodes, take: 1 };
        } else {
            let local = self.is_local();
            self.stage = Stage::Reduce { level: LevelSearch::new(nodes, Cut::Nodes), local };
        }
        self.ask();
    }

    /// Puts the questions of the stage on the frontier, or goes on to the next stage that has any.
    fn ask(&mut self) {
        match &mut self.stage {
            Stage::Over => self.frontier.clear(),
            Stage::Select { nodes, take } => {
                let chosen = nodes[nodes.len() - *take..].to_vec();
                let (goal, subset) = self.trial(&chosen, self.is_local());
                self.questions = vec![chosen];
                self.frontier.fill_toward("selection", goal, [subset]);
            }
            Stage::Reduce { level, local } => {
                let local = *local;
                self.questions = level.questions(&self.tree);
                if self.questions.is_empty() {
                    let kept = level.nodes().to_vec();
                    self.levels.push(kept);
                    return self.enter();
                }
                let trials: Vec<_> = self.questions.iter().map(|nodes| self.trial(nodes, local)).collect();
                let goal = trials[0].0;
                self.frontier.fill_toward("trial", goal, trials.into_iter().map(|(_, subset)| subset));
            }
            Stage::Undo { level } => {
                let level = *level;
                let above = self.levels[..level].concat();
                let restored = self.tree.children(&self.levels[level - 1]);
                self.frontier.fill("undo", [self.tree.subset(&above, &restored)]);
            }
            Stage::Verify => {
                let whole = self.tree.subset(&self.levels.concat(), &[]);
                if whole == self.best {
                    self.stage = Stage::Over;
                    return self.ask();
                }
                self.frontier.fill("verification", [whole]);
            }
        }
    }

    /// The trial of some nodes on the level at hand: what is performed, and what must be reached.
    fn trial(&self, nodes: &[usize], local: bool) -> (Goal, Subset) {
        let above = self.levels.concat();
        let (&last, others) = nodes.split_last().expect("a trial has nodes");
        match self.tree.position_after(last).filter(|_| local) {
            Some(next) => {
                let single: Vec<usize> = above.into_iter().chain([last]).collect();
                (Goal::Arrive(next), self.tree.subset(&single, others))
            }
            None => (Goal::Target, self.tree.subset(&above, nodes)),
        }
    }

    fn passed(&mut self, place: usize) {
        let candidate = &self.frontier.candidates()[place];
        if candidate.goal == Goal::Target && candidate.subset.len() < self.best.len() {
            self.best = candidate.subset.clone();
        }
        let local = self.is_local();
        match &mut self.stage {
            Stage::Select { .. } => {
                let level = LevelSearch::new(self.questions[place].clone(), Cut::Nodes);
                self.stage = Stage::Reduce { level, local };
            }
            Stage::Reduce { level, .. } => level.passed(self.questions[place].clone()),
            Stage::Undo { level } => {
                // Everything above this level is sound, so this level was reduced wrongly.
                let guilty = *level;
                self.levels.truncate(guilty);
                self.distrusted = guilty;
                return self.enter();
            }
            Stage::Verify | Stage::Over => self.stage = Stage::Over,
        }
        self.ask();
    }

    fn failed(&mut self) {
        let local = self.is_local();
        match &mut self.stage {
            Stage::Select { nodes, take } if *take < nodes.len() => *take = (*take * 2).min(nodes.len()),
            // Not even all nodes arrive: this level is reduced with trials of the target.
            Stage::Select { nodes, .. } if local => {
                let level = LevelSearch::new(std::mem::take(nodes), Cut::Events);
                self.stage = Stage::Reduce { level, local: false };
            }
            Stage::Select { .. } | Stage::Verify => return self.undo(self.levels.len() - 1),
            Stage::Reduce { level, .. } => level.failed(),
            Stage::Undo { level } => {
                let above = *level - 1;
                return self.undo(above);
            }
            Stage::Over => {}
        }
        self.ask();
    }

    /// Looks for the level that was reduced wrongly, from this one up. The root's level cannot be.
    fn undo(&mut self, level: usize) {
        if level == 0 {
            // Not even the events it began with reach the target any more: nothing better is known.
            self.stage = Stage::Over;
        } else {
            self.stage = Stage::Undo { level };
        }
        self.ask();
    }
}

impl Reducer for Lhdd {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        match verdict {
            Verdict::Pass => self.passed(place),
            Verdict::Fail if self.frontier.fail() => self.failed(),
            Verdict::Fail | Verdict::Open => return Settled::Noted,
        }
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Lhdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
