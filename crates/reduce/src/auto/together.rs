//! Events that can only go together, because none of them can go alone.
//!
//! Of a recording: ways there and back, runs of kept events after which it was in the state it had been in before
//! (opening a dialog and closing it again). Of the lines of a text: a block with its brackets, the two brackets around
//! what stays. Of both: neighbours.

use std::ops::Range;

use super::paths::StatePaths;
use crate::Subset;
use crate::search::Brackets;

/// Of the ways there and back of a recording at most so many are tried, the longest first.
const MOST_WAYS: usize = 12;
/// Lists with more lines are not looked through.
const LONGEST: usize = 1_000;

/// What is known about which events belong together.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bonds<'a> {
    States(&'a StatePaths),
    /// Of each line of the whole text; `None` where there is no text.
    Lines(Option<&'a [Brackets]>),
}

/// Parts of a list that may go as a whole, tried one after the other.
#[derive(Debug, Clone)]
pub(super) struct Together {
    list: Subset,
    /// What is left to try, the next part last.
    left: Vec<Subset>,
    changed: bool,
}

impl Together {
    /// The parts of a list that are known to belong together; one event may be pinned.
    pub(super) fn new(list: Subset, pinned: Option<u32>, bonds: Bonds<'_>) -> Self {
        Self::of(list, pinned, |events| parts(events, bonds))
    }

    /// Any two neighbours. They are many and go together seldom.
    pub(super) fn neighbours(list: Subset, pinned: Option<u32>) -> Self {
        let part = |pair: &[u32]| Subset::from_positions(pair.iter().copied());
        // The last event leads to the target.
        Self::of(list, pinned, |events| {
            events[..events.len().saturating_sub(1)].windows(2).map(part).collect()
        })
    }

    fn of(list: Subset, pinned: Option<u32>, parts: impl FnOnce(&[u32]) -> Vec<Subset>) -> Self {
        let events: Vec<u32> = list.positions().collect();
        let mut left = if events.len() > LONGEST { Vec::new() } else { parts(&events) };
        left.retain(|part| !pinned.is_some_and(|event| part.has(event)));
        let mut together = Self { list, left, changed: false };
        together.skip();
        together
    }

    /// The list without the part that is tried next; `None` when all have been tried.
    pub(super) fn shorter(&self) -> Option<Subset> {
        self.left.last().map(|part| self.list.minus(part))
    }

    /// The list as far as this has come.
    pub(super) const fn list(&self) -> &Subset {
        &self.list
    }

    /// Whether any part went.
    pub(super) const fn changed(&self) -> bool {
        self.changed
    }

    /// Takes the verdict on the shorter list.
    pub(super) fn settle(&mut self, passed: bool) {
        if passed && let Some(shorter) = self.shorter() {
            self.list = shorter;
            self.changed = true;
        }
        self.left.pop();
        self.skip();
    }

    /// Goes to the next part of which something is there and without which something is left.
    fn skip(&mut self) {
        let pointless = |part: &Subset| [0, self.list.len()].contains(&self.list.common(part).len());
        while self.left.last().is_some_and(pointless) {
            self.left.pop();
        }
    }
}

/// What may go as a whole, the part to try first last.
fn parts(events: &[u32], bonds: Bonds<'_>) -> Vec<Subset> {
    let part = |ranks: Range<usize>| Subset::from_positions(events[ranks].iter().copied());
    match bonds {
        Bonds::States(paths) => ways_back(events, paths).into_iter().map(part).collect(),
        Bonds::Lines(brackets) => {
            let mut parts: Vec<Subset> = old_neighbours(events).map(part).collect();
            for block in brackets.map(|lines| blocks(events, lines)).unwrap_or_default() {
                parts.push(Subset::from_positions([events[block.start], events[block.end - 1]]));
                parts.push(part(block));
            }
            parts
        }
    }
}

/// Ways there and back, the longest last. The last event leads to the target and is never among them.
fn ways_back(events: &[u32], paths: &StatePaths) -> Vec<Range<usize>> {
    let inner = events.len().saturating_sub(1);
    let mut ways: Vec<Range<usize>> = (0..inner)
        .flat_map(|from| (from + 2..=inner).map(move |end| from..end))
        .filter(|way| paths.is_loop(events[way.start], events[way.end - 1]))
        .collect();
    ways.sort_by_key(Range::len);
    let longest = ways.len().saturating_sub(MOST_WAYS);
    ways.split_off(longest)
}

/// Pairs of lines that were neighbours from the beginning, without the last line.
fn old_neighbours(events: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let pairs = 0..events.len().saturating_sub(2);
    pairs.filter(|from| events[*from] + 1 == events[from + 1]).map(|from| from..from + 2)
}

/// The parts of a text from a line that opens a bracket to the one that closes it, the outermost last.
fn blocks(events: &[u32], lines: &[Brackets]) -> Vec<Range<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut blocks = Vec::new();
    for (rank, event) in events.iter().enumerate() {
        let Brackets { closes, opens } = lines[*event as usize];
        for from in (0..closes).map_while(|_| open.pop()) {
            blocks.push(from..rank + 1);
        }
        open.extend((0..opens).map(|_| rank));
    }
    blocks.sort_by_key(Range::len);
    blocks.dedup();
    blocks
}

#[cfg(test)]
mod tests {
    use retap_trace::StateKey;

    use super::*;

    /// All that is tried where nothing can go.
    fn tried(mut together: Together) -> Vec<Vec<u32>> {
        let mut tried = Vec::new();
        while let Some(shorter) = together.shorter() {
            tried.push(shorter.positions().collect());
            together.settle(false);
        }
        assert!(!together.changed());
        tried
    }

    #[test]
    fn what_leads_there_and_back_is_left_out_as_a_whole() {
        // Events 1 and 2 lead from state 1 to 2 and back; event 3 is the last.
        let states = [0, 1, 2, 1, 3].map(StateKey);
        let paths = StatePaths::new(states.into(), false, 3);
        let bonds = Bonds::States(&paths);
        assert_eq!(tried(Together::new(Subset::all(4), None, bonds)), [[0, 3]]);
        assert!(tried(Together::new(Subset::all(4), Some(1), bonds)).is_empty(), "a pinned event stays");
        assert!(tried(Together::new(Subset::from_positions([0, 1, 3]), None, bonds)).is_empty());
    }

    #[test]
    fn neighbours_are_pairs() {
        let list = Subset::from_positions([3, 4, 9, 10]);
        let known = tried(Together::new(list.clone(), None, Bonds::Lines(None)));
        assert_eq!(known, [[9, 10]], "neighbours from the beginning");
        assert_eq!(tried(Together::neighbours(list.clone(), None)), [[3, 10], [9, 10]], "the last one stays");
        assert_eq!(tried(Together::neighbours(list, Some(3))), [[3, 10]]);
        assert!(tried(Together::neighbours(Subset::empty(), None)).is_empty());
    }

    #[test]
    fn a_block_goes_with_its_brackets_or_leaves_what_is_in_it() {
        let text = ["f() {", "if (x) {", "needed", "} else {", "}", "}"];
        let lines: Vec<Brackets> = text.iter().map(|line| Brackets::of(line.as_bytes())).collect();
        let tried = tried(Together::new(Subset::all(6), None, Bonds::Lines(Some(&lines))));
        // The whole text is a block, too, but nothing is left without it.
        let blocks: [&[u32]; 5] = [&[1, 2, 3, 4], &[0, 4, 5], &[0, 2, 4, 5], &[0, 1, 2, 5], &[0, 1, 2, 5]];
        assert_eq!(tried[..5], blocks);
    }

    #[test]
    fn what_went_is_not_tried_again() {
        let text = ["f() {", "if (x) {", "}", "}", "needed"];
        let lines: Vec<Brackets> = text.iter().map(|line| Brackets::of(line.as_bytes())).collect();
        let mut together = Together::new(Subset::all(5), None, Bonds::Lines(Some(&lines)));
        together.settle(true);
        assert_eq!((together.list(), together.changed()), (&Subset::from_positions([4]), true));
        assert_eq!(together.shorter(), None);
    }

    #[test]
    fn brackets_that_match_nothing_are_no_block() {
        let lines: Vec<Brackets> =
            ["}", "{", "(", "x", "]"].iter().map(|line| Brackets::of(line.as_bytes())).collect();
        let closed = blocks(&[0, 1, 2, 3, 4], &lines).into_iter().map(|block| (block.start, block.end));
        assert!(closed.eq([(2, 5)]), "the kind of bracket does not matter");
        assert_eq!(blocks(&[0, 1, 3], &lines), []);
    }
}
