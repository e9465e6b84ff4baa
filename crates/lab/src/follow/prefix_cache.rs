//! Which prefixes of paths are worth a snapshot.
//!
//! A tree of the paths that were tried, with how often and how long each prefix took. A prefix that was asked for
//! so often will be asked for as often again, and each time a snapshot of it saves the way there. It is worth
//! taking when that is clearly more than it costs. Only few are kept: the one that was not used for longest goes.

use std::collections::BTreeMap;

use retap_suite::Leg;
use retap_trace::Micros;

use super::prices::Prices;

#[cfg(test)]
mod tests;

/// The paths that were tried, and what is kept of them. A prefix goes by the number of its steps; 0 is the launch.
#[derive(Debug)]
pub(super) struct PrefixCache<T> {
    nodes: Vec<Node>,
    kept: Vec<Kept<T>>,
    most: usize,
    /// Counts uses.
    clock: u64,
}

#[derive(Debug, Default)]
struct Node {
    children: BTreeMap<Leg, usize>,
    /// Runs that came this far.
    times: u32,
    /// How long the last of them took to get here from a clean start.
    took: Micros,
}

#[derive(Debug)]
struct Kept<T> {
    node: usize,
    what: T,
    used: u64,
}

impl<T> PrefixCache<T> {
    /// An empty one that keeps at most so many things.
    pub(super) fn new(most: usize) -> Self {
        Self { nodes: vec![Node::default()], kept: Vec::new(), most, clock: 0 }
    }

    /// Takes note of a run of this path that came as far as there are times: one for the launch, then one for each
    /// step.
    pub(super) fn ran(&mut self, legs: &[Leg], times: &[Micros]) {
        let mut at = 0;
        for (index, &took) in times.iter().enumerate() {
            if let Some(leg) = index.checked_sub(1).map(|before| legs[before]) {
                let next = self.nodes.len();
                at = *self.nodes[at].children.entry(leg).or_insert(next);
                if at == next {
                    self.nodes.push(Node::default());
                }
            }
            self.nodes[at].times += 1;
            self.nodes[at].took = took;
        }
    }

    /// Whether a run has come to the end of this path.
    pub(super) fn knows(&self, legs: &[Leg]) -> bool {
        self.find(legs).is_some()
    }

    /// What is kept of the longest prefix of a path, if going back there takes less time than the way.
    pub(super) fn best(&mut self, legs: &[Leg], prices: &Prices) -> Option<(usize, &T)> {
        let (length, node) = self.way(legs).filter(|&(_, node)| self.place(node).is_some()).last()?;
        if self.nodes[node].took <= prices.load.or(self.guess()) {
            return None;
        }
        let place = self.place(node)?;
        self.clock += 1;
        self.kept[place].used = self.clock;
        Some((length, &self.kept[place].what))
    }

    /// The prefix of a path that is best worth keeping, longer than `known` steps, if any is worth it.
    pub(super) fn worth(&self, legs: &[Leg], known: Option<usize>, prices: &Prices) -> Option<usize> {
        /// How many times its price a snapshot must save: half as many snapshots save as much time in the end.
        const MARGIN: u64 = 2;
        let (save, load) = (prices.save.or(self.guess()), prices.load.or(self.guess()));
        // What runs can begin with anyway, and what they pay for it.
        let mut without = load;
        let mut best: Option<(u64, usize)> = None;
        for (length, node) in self.way(legs) {
            if self.place(node).is_some() {
                without = self.nodes[node].took;
                continue;
            }
            let Node { times, took, .. } = self.nodes[node];
            let gain = took.since(without).0.saturating_mul(u64::from(times));
            let more = best.is_none_or(|(most, _)| gain > most);
            if known.is_none_or(|known| length > known) && gain > MARGIN * save.0 && more {
                best = Some((gain, length));
            }
        }
        best.map(|(_, length)| length)
    }

    /// Keeps something at the end of a path that was tried before; what has to go for it is handed back.
    pub(super) fn keep(&mut self, legs: &[Leg], what: T) -> Option<T> {
        let Some(node) = self.find(legs) else { return Some(what) };
        self.clock += 1;
        let old = self.place(node).or_else(|| {
            let full = self.kept.len() >= self.most;
            let oldest = self.kept.iter().enumerate().min_by_key(|(_, kept)| kept.used);
            oldest.filter(|_| full).map(|(place, _)| place)
        });
        let gone = old.map(|place| self.kept.swap_remove(place).what);
        self.kept.push(Kept { node, what, used: self.clock });
        gone
    }

    /// Takes away what is kept at the end of a path.
    pub(super) fn remove(&mut self, legs: &[Leg]) -> Option<T> {
        let place = self.place(self.find(legs)?)?;
        Some(self.kept.swap_remove(place).what)
    }

    /// Takes everything away.
    pub(super) fn clear(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.kept).into_iter().map(|kept| kept.what)
    }

    /// What saving and going back may cost, as long as neither was done: less than a clean start, or nobody would.
    fn guess(&self) -> Micros {
        Micros(self.nodes[0].took.0 / 2)
    }

    /// The prefixes of a path that were tried, from the launch on: their lengths and nodes.
    fn way<'a>(&'a self, legs: &'a [Leg]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let next = |&(length, node): &(usize, usize)| {
            let child = self.nodes[node].children.get(legs.get(length)?)?;
            Some((length + 1, *child))
        };
        std::iter::successors(Some((0, 0)), next)
    }

    fn find(&self, legs: &[Leg]) -> Option<usize> {
        self.way(legs).find(|&(length, _)| length == legs.len()).map(|(_, node)| node)
    }

    fn place(&self, node: usize) -> Option<usize> {
        self.kept.iter().position(|kept| kept.node == node)
    }
}
