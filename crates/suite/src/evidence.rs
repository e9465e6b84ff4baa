//! What all runs have shown, by prefix.
//!
//! A tree of paths: each node is a prefix that some run tried, and counts how often its last transition was
//! followed and how often the app went elsewhere. Runs of different candidates share the prefixes they have in
//! common, so nothing is learnt twice, and a prefix that fails is remembered for the whole run of the program.
//!
//! Runs that begin in a snapshot repeat what led to it, be it luck. All of them together count as one run, and what
//! is covered every time is told by clean runs as soon as there are any.

use std::collections::BTreeMap;

use retap_trace::{Micros, StateKey};

use crate::bits::Bits;
use crate::input::{PairNo, SuiteInput, Transition, TransitionId};
use crate::item::{Item, ItemId};
use crate::order::{Followed, Purpose, begins};

#[cfg(test)]
mod tests;

/// Number of a node; parents have smaller numbers than their children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PrefixId(u32);

/// What the runs say of a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// It was always followed.
    Sound,
    /// It has failed, but not so often that it is clear.
    Doubtful,
    /// It does not replay.
    Dead,
}

/// How a run compares with its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    /// The device failed.
    Nothing,
    /// Every transition was followed.
    Whole,
    /// The app went elsewhere at this transition of the path, after a scroll or an edit; it does not count.
    Forgiven(usize),
    /// The app went elsewhere at this transition of the path.
    Diverged(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    nodes: Vec<PrefixNode>,
    items: usize,
    /// How many mismatches after scrolls and edits are forgiven at one node.
    forgive: u32,
    /// For each event in its state, how often it was followed and how often not, at the prefixes where both
    /// happened. Where it varies after one prefix, it may vary after others.
    varying: BTreeMap<PairNo, (u32, u32)>,
}

#[derive(Debug, Clone)]
pub(crate) struct PrefixNode {
    parent: PrefixId,
    pub(crate) by: TransitionId,
    pub(crate) depth: u32,
    /// In the order of transitions.
    children: Vec<(TransitionId, PrefixId)>,
    /// Runs that came this far.
    pub(crate) followed: u32,
    /// Those of them that began clean.
    clean: u32,
    /// Runs that came to the parent and then went elsewhere.
    pub(crate) diverged: u32,
    /// The same, but forgiven.
    pub(crate) forgiven: u32,
    /// Runs of exactly this prefix, from a clean start, that were to confirm it and were followed to its end: only there is
    /// a late crash waited for.
    pub(crate) fresh: u32,
    /// What was seen when it last failed.
    pub(crate) stray: Option<StateKey>,
    /// What runs covered here first; in the order of items.
    credits: Vec<Credit>,
    /// Runs that ended here because their path did, and their device time.
    ended: (u32, Micros),
}

/// How many runs covered an item at a node first.
#[derive(Debug, Clone, Copy)]
struct Credit {
    item: ItemId,
    runs: u32,
    /// Those of them that began clean.
    clean: u32,
}

impl PrefixId {
    /// Before the launch.
    pub(crate) const ROOT: Self = Self(0);

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Evidence {
    /// Nothing is known yet.
    pub(crate) fn new(items: usize, forgive: u32) -> Self {
        let root = PrefixNode::new(PrefixId::ROOT, TransitionId(u32::MAX), 0);
        Self { nodes: vec![root], items, forgive, varying: BTreeMap::new() }
    }

    /// Whether the app has been seen to do different things after the same prefix.
    pub(crate) fn flaky(&self) -> bool {
        !self.varying.is_empty()
    }

    pub(crate) fn node(&self, id: PrefixId) -> &PrefixNode {
        &self.nodes[id.index()]
    }

    /// All prefixes that were tried, parents before children.
    pub(crate) fn ids(&self) -> impl Iterator<Item = PrefixId> + use<> {
        (1..u32::try_from(self.nodes.len()).expect("fewer than 2^32 prefixes")).map(PrefixId)
    }

    /// The worst standing on the way to each prefix, by its number.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let mut worst = vec![Standing::Sound];
        for id in self.ids() {
            worst.push(worst[self.node(id).parent.index()].max(self.standing(id)));
        }
        worst
    }

    /// The prefix with one more transition, if a run has tried it.
    pub(crate) fn child(&self, id: PrefixId, by: TransitionId) -> Option<PrefixId> {
        let children = &self.node(id).children;
        children.binary_search_by_key(&by, |child| child.0).ok().map(|place| children[place].1)
    }

    /// The prefix that this path is, if a run has tried it.
    pub(crate) fn find(&self, path: &[TransitionId]) -> Option<PrefixId> {
        path.iter().try_fold(PrefixId::ROOT, |node, &by| self.child(node, by))
    }

    /// The longest prefix of a path that some run followed, and its length.
    pub(crate) fn followed_prefix(&self, path: &[TransitionId]) -> (PrefixId, usize) {
        let mut node = PrefixId::ROOT;
        for (length, &by) in path.iter().enumerate() {
            match self.child(node, by) {
                Some(next) if self.node(next).followed > 0 => node = next,
                _ => return (node, length),
            }
        }
        (node, path.len())
    }

    /// What the runs say of the last transition of a prefix. Where the app flakes, one failure is no proof.
    pub(crate) fn standing(&self, id: PrefixId) -> Standing {
        let node = self.node(id);
        match (node.follows(), node.diverged) {
            (_, 0) => Standing::Sound,
            (0, 1) if self.flaky() => Standing::Doubtful,
            (0, _) => Standing::Dead,
            (followed, diverged) if diverged >= 2 && followed < diverged * 19 => Standing::Dead,
            _ => Standing::Doubtful,
        }
    }

    /// The most failures of one transition on the way to a prefix, here or wherever the same event varies. Failures
    /// that are rarer than one in sixty do not count.
    pub(crate) fn failed_up_to(&self, input: &SuiteInput, id: PrefixId) -> u32 {
        let failed = self.upwards(id).map(|id| {
            let node = self.node(id);
            let pair = input.transition(node.by).pair;
            let (followed, diverged) =
                self.varying.get(&pair).copied().unwrap_or((node.follows(), node.diverged));
            if followed >= diverged * 60 { 0 } else { diverged }
        });
        failed.max().unwrap_or(0)
    }

    /// All failures on the way to a prefix.
    pub(crate) fn failures_up_to(&self, id: PrefixId) -> u32 {
        self.upwards(id).map(|id| self.node(id).diverged).sum()
    }

    /// The shortest dead prefix of a path, by its length.
    pub(crate) fn dead_prefix(&self, path: &[TransitionId]) -> Option<usize> {
        let mut node = PrefixId::ROOT;
        for (index, &by) in path.iter().enumerate() {
            node = self.child(node, by)?;
            if self.standing(node) == Standing::Dead {
                return Some(index + 1);
            }
        }
        None
    }

    /// The shortest prefix of a path that has failed and is not often followed all the same, by its length.
    pub(crate) fn failing_prefix(&self, path: &[TransitionId]) -> Option<usize> {
        let mut node = PrefixId::ROOT;
        for (index, &by) in path.iter().enumerate() {
            node = self.child(node, by)?;
            let node = self.node(node);
            if node.follows() < node.diverged * 19 {
                return Some(index + 1);
            }
        }
        None
    }

    pub(crate) fn path(&self, id: PrefixId) -> Vec<TransitionId> {
        let mut path: Vec<_> = self.upwards(id).map(|id| self.node(id).by).collect();
        path.reverse();
        path
    }

    /// The items that runs along this prefix covered every time; of 20 runs, one may have missed.
    pub(crate) fn held(&self, id: PrefixId) -> Vec<ItemId> {
        let (runs, clean) = (self.runs_to(id), self.node(id).clean > 0);
        let mut sure: Vec<(ItemId, u32)> = Vec::new();
        for above in self.upwards(id) {
            let node = self.node(above);
            // Of the runs that passed here, so many did not come to the end of the prefix.
            let elsewhere = node.passed(clean) - runs;
            let sure_of = |credit: &Credit| (credit.item, credit.of(clean).saturating_sub(elsewhere));
            sure.extend(node.credits.iter().map(sure_of));
        }
        // A run covers an item first at one place only, so the counts of places add up.
        sure.sort_unstable();
        let mut held: Vec<ItemId> = Vec::new();
        for same in sure.chunk_by(|one, next| one.0 == next.0) {
            let count: u32 = same.iter().map(|entry| entry.1).sum();
            if count + runs / 20 >= runs {
                held.push(same[0].0);
            }
        }
        held
    }

    /// How many runs along this prefix say what it covers: the clean ones, where there are any.
    pub(crate) fn runs_to(&self, id: PrefixId) -> u32 {
        let node = self.node(id);
        node.passed(node.clean > 0)
    }

    /// How many of them covered an item, at most.
    pub(crate) fn covered_times(&self, id: PrefixId, item: ItemId) -> u32 {
        let clean = self.node(id).clean > 0;
        let here = self.upwards(id).filter_map(|id| Some(self.node(id).credit(item)?.of(clean)));
        here.sum::<u32>().min(self.runs_to(id))
    }

    /// The indices in the path of a prefix at which these items were covered first, in order.
    pub(crate) fn covered_at(&self, id: PrefixId, items: &[ItemId]) -> Vec<usize> {
        let has = |id: &PrefixId| items.iter().any(|&item| self.node(*id).credit(item).is_some());
        let mut steps: Vec<usize> =
            self.upwards(id).filter(has).map(|id| self.node(id).depth as usize - 1).collect();
        steps.reverse();
        steps
    }

    /// How long a run of exactly this prefix took, on average.
    pub(crate) fn measured(&self, id: PrefixId) -> Option<Micros> {
        let (runs, took) = self.node(id).ended;
        (runs > 0).then(|| Micros(took.0 / u64::from(runs)))
    }

    /// Takes note of a run of this path.
    pub(crate) fn note(
        &mut self,
        input: &SuiteInput,
        path: &[TransitionId],
        run: &Followed,
        purpose: Purpose,
    ) -> Noted {
        if run.inconclusive {
            return Noted::Nothing;
        }
        let mut covered = Bits::new(self.items);
        let mut node = PrefixId::ROOT;
        for (index, &by) in path.iter().enumerate() {
            let transition = input.transition(by);
            let (met, stray) = match index.checked_sub(1) {
                None => (begins(transition.expect, run.start), run.start),
                Some(step) => match run.sightings.get(step) {
                    // A run that stopped for no reason that can be seen proves nothing.
                    None => return Noted::Nothing,
                    Some(seen) => (Some(seen.key()) == transition.expect, Some(seen.key())),
                },
            };
            node = self.reach(node, by);
            if !met {
                return self.astray(node, index, transition, stray);
            }
            let gained = index.checked_sub(1).map(|step| &run.sightings[step].coverage).into_iter().flatten();
            let gained = gained.filter_map(|code| input.items.find(&Item::Code(*code)));
            let gained: Vec<_> =
                gained.chain(transition.mark).filter(|item| covered.insert(item.0)).collect();
            let clean = run.recalled.is_none();
            self.pass(node, transition.pair, gained, clean);
        }
        let end = &mut self.nodes[node.index()];
        end.ended.0 += 1;
        end.ended.1 += run.took;
        // Whatever a run was for, one that did not begin clean confirms nothing.
        end.fresh += u32::from(run.recalled.is_none() && purpose == Purpose::Confirm);
        Noted::Whole
    }

    fn pass(&mut self, id: PrefixId, pair: PairNo, gained: Vec<ItemId>, clean: bool) {
        let node = &mut self.nodes[id.index()];
        let before = node.follows();
        node.followed += 1;
        node.clean += u32::from(clean);
        for item in gained {
            let place = match node.credits.binary_search_by_key(&item, |credit| credit.item) {
                Ok(place) => place,
                Err(place) => {
                    node.credits.insert(place, Credit { item, runs: 0, clean: 0 });
                    place
                }
            };
            node.credits[place].runs += 1;
            node.credits[place].clean += u32::from(clean);
        }
        let (more, diverged) = (node.follows() - before, node.diverged);
        if diverged > 0 {
            self.varies(pair, (more, if before == 0 { diverged } else { 0 }));
        }
    }

    fn astray(
        &mut self,
        id: PrefixId,
        index: usize,
        transition: &Transition,
        stray: Option<StateKey>,
    ) -> Noted {
        let forgive = self.forgive;
        let node = &mut self.nodes[id.index()];
        node.stray = stray;
        if transition.forgiving && node.forgiven < forgive {
            node.forgiven += 1;
            return Noted::Forgiven(index);
        }
        node.diverged += 1;
        let (followed, diverged) = (node.follows(), node.diverged);
        if followed > 0 {
            self.varies(transition.pair, (if diverged == 1 { followed } else { 0 }, 1));
        }
        Noted::Diverged(index)
    }

    fn varies(&mut self, pair: PairNo, (followed, diverged): (u32, u32)) {
        let tally = self.varying.entry(pair).or_default();
        tally.0 += followed;
        tally.1 += diverged;
    }

    fn reach(&mut self, from: PrefixId, by: TransitionId) -> PrefixId {
        let next = PrefixId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 prefixes"));
        let parent = &mut self.nodes[from.index()];
        let depth = parent.depth + 1;
        match parent.children.binary_search_by_key(&by, |child| child.0) {
            Ok(place) => parent.children[place].1,
            Err(place) => {
                parent.children.insert(place, (by, next));
                self.nodes.push(PrefixNode::new(from, by, depth));
                next
            }
        }
    }

    /// The prefix, then its parent, and so on, without the root.
    fn upwards(&self, id: PrefixId) -> impl Iterator<Item = PrefixId> + '_ {
        std::iter::successors(Some(id), |&id| Some(self.node(id).parent))
            .take_while(|&id| id != PrefixId::ROOT)
    }
}

impl Credit {
    /// All runs, or the clean ones.
    fn of(&self, clean: bool) -> u32 {
        if clean { self.clean } else { self.runs }
    }
}

impl PrefixNode {
    /// Whether some run covered something here first.
    pub(crate) fn gains(&self) -> bool {
        !self.credits.is_empty()
    }

    /// Runs that came this far, as far as they say something of their own: those that began in a snapshot say no
    /// more than one run does.
    pub(crate) fn follows(&self) -> u32 {
        self.clean.max(self.followed.min(1))
    }

    /// Runs of exactly this prefix that were followed to its end.
    pub(crate) fn runs(&self) -> u32 {
        self.ended.0
    }

    /// Runs that came this far, or the clean ones of them.
    fn passed(&self, clean: bool) -> u32 {
        if clean { self.clean } else { self.followed }
    }

    fn credit(&self, item: ItemId) -> Option<&Credit> {
        let place = self.credits.binary_search_by_key(&item, |credit| credit.item).ok()?;
        Some(&self.credits[place])
    }

    fn new(parent: PrefixId, by: TransitionId, depth: u32) -> Self {
        Self {
            parent,
            by,
            depth,
            children: Vec::new(),
            followed: 0,
            clean: 0,
            diverged: 0,
            forgiven: 0,
            fresh: 0,
            stray: None,
            credits: Vec::new(),
            ended: (0, Micros::ZERO),
        }
    }
}
