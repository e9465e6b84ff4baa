//! Hierarchical delta debugging: level by level from the top [SimplyDroid, HDD and BHDD].
//!
//! A node stands for its whole subtree. Nodes that are not kept leave with everything below them, so whole visits
//! to a screen go at once.

use std::fmt;

use retap_trace::Level;

use super::level::{Cut, LevelSearch};
use super::tree::Tree;
use super::{ALL_STATES, Frontier, Material, Reducer, SearchKind, Settled};
use crate::{Candidate, CandidateId, Subset, Verdict};

pub(super) const KIND: SearchKind = SearchKind {
    name: "hdd",
    about: "SimplyDroid's: level by level through the hierarchy of states",
    states: true,
    minimal: false,
    make: |base, material, _| boxed(Hdd::by_nodes(&base, material)),
};

pub(super) const BY_EVENTS: SearchKind = SearchKind {
    name: "bhdd",
    about: "SimplyDroid's: the same, balanced by events",
    make: |base, material, _| boxed(Hdd::by_events(&base, material)),
    ..KIND
};

fn boxed(search: Option<Hdd>) -> Result<Box<dyn Reducer>, &'static str> {
    search.map(|search| Box::new(search) as Box<dyn Reducer>).ok_or(ALL_STATES)
}

/// Hierarchical delta debugging.
#[derive(Debug, Clone)]
pub struct Hdd {
    name: &'static str,
    tree: Tree,
    cut: Cut,
    /// Nodes that are kept above the level at hand.
    above: Vec<usize>,
    level: LevelSearch,
    questions: Vec<Vec<usize>>,
    frontier: Frontier,
    best: Subset,
}

impl Hdd {
    /// HDD: parts with equally many nodes. None when the trace recorded no states.
    pub fn by_nodes(base: &Subset, material: &Material) -> Option<Self> {
        Self::new("hdd", base, material, Cut::Nodes)
    }

    /// BHDD: parts with equally many events.
    pub fn by_events(base: &Subset, material: &Material) -> Option<Self> {
        Self::new("bhdd", base, material, Cut::Events)
    }

    fn new(name: &'static str, base: &Subset, material: &Material, cut: Cut) -> Option<Self> {
        let tree = Tree::new(base, material.states(Level::Activity)?);
        let level = LevelSearch::new(tree.children(&[0]), cut);
        let mut search = Self {
            name,
            tree,
            cut,
            above: vec![0],
            level,
            questions: Vec::new(),
            frontier: Frontier::new(name),
            best: base.clone(),
        };
        if base.is_empty() {
            return Some(search);
        }
        search.ask();
        Some(search)
    }

    /// The next questions: of this level, or of the next one that has any.
    fn ask(&mut self) {
        loop {
            self.questions = self.level.questions(&self.tree);
            if !self.questions.is_empty() {
                let subsets = self.questions.iter().map(|nodes| self.tree.subset(&self.above, nodes));
                return self.frontier.fill("trial", subsets);
            }
            self.above.extend_from_slice(self.level.nodes());
            let below = self.tree.children(self.level.nodes());
            if below.is_empty() {
                return self.frontier.clear();
            }
            self.level = LevelSearch::new(below, self.cut);
        }
    }
}

impl Reducer for Hdd {
    fn frontier(&self) -> &[Candidate] {
        self.frontier.candidates()
    }

    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled {
        let place = self.frontier.place(id);
        match verdict {
            Verdict::Pass => {
                self.best = self.frontier.candidates()[place].subset.clone();
                self.level.passed(self.questions[place].clone());
            }
            Verdict::Fail if self.frontier.fail() => self.level.failed(),
            Verdict::Fail | Verdict::Open => return Settled::Noted,
        }
        self.ask();
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

impl fmt::Display for Hdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
