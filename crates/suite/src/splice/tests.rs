use proptest::prelude::*;

use super::*;
use crate::item::ItemId;
use crate::order::Purpose;
use crate::scripted::{material, path, run};

struct Case {
    material: Material,
    evidence: Evidence,
    traces: Vec<Vec<TransitionId>>,
    gives: Vec<Vec<ItemId>>,
    tried: BTreeSet<Vec<TransitionId>>,
}

impl Case {
    fn new(texts: &[&str]) -> Self {
        let material = material(texts);
        let traces: Vec<_> = (0..texts.len()).map(|walk| path(&material, walk)).collect();
        let mut gives = vec![Vec::new(); material.transitions.len()];
        for walk in &material.walks {
            for &(item, index) in &walk.credits {
                gives[material.path(walk)[index as usize].index()].push(item);
            }
        }
        let evidence = Evidence::new(material.items.len(), 0);
        Self { material, evidence, traces, gives, tried: BTreeSet::new() }
    }

    fn best(&self, fragments: u32, most: u32) -> Option<Spliced> {
        let wanted = Wanted::new(self.material.items.len(), self.material.items.ids());
        let quest = Quest {
            material: &self.material,
            evidence: &self.evidence,
            wanted: &wanted,
            gives: &|id| wanted.of(self.gives[id.index()].iter().copied()),
            tried: &self.tried,
            fragments,
            most,
        };
        Splicer::new(&self.material, &self.traces).best(&quest)
    }

    /// The most items and the least time of any path with so many fragments, by trying all up to a length.
    fn brute(&self, fragments: u32) -> (usize, Reverse<u64>) {
        let mut best = (0, Reverse(u64::MAX));
        let mut open: Vec<(Vec<TransitionId>, (usize, usize), u32)> = Vec::new();
        open.extend((0..self.traces.len()).map(|trace| (vec![self.traces[trace][0]], (trace, 0), 1)));
        while let Some((path, (trace, at), used)) = open.pop() {
            let items: BTreeSet<ItemId> = path.iter().flat_map(|id| self.gives[id.index()].clone()).collect();
            best = best.max((items.len(), Reverse(self.material.time_of(&path).0)));
            let to = self.material.transition(path[path.len() - 1]).to;
            for (next, steps) in self.traces.iter().enumerate() {
                for (place, &id) in steps.iter().enumerate().skip(1) {
                    let used = used + u32::from((next, place) != (trace, at + 1));
                    if self.material.transition(id).from == to && used <= fragments {
                        let mut longer = path.clone();
                        longer.push(id);
                        open.push((longer, (next, place), used));
                    }
                }
            }
        }
        best
    }
}

fn walk() -> impl Strategy<Value = String> {
    prop::collection::vec((0_usize..2, 0_u32..4, 0_u32..9), 1..4).prop_map(|steps| {
        let word =
            |(event, state, code): &(usize, u32, u32)| format!("{}>{state}:{code}", ["a", "b"][*event]);
        format!("0 {}", steps.iter().map(word).collect::<Vec<_>>().join(" "))
    })
}

proptest! {
    #[test]
    fn the_best_is_the_best(texts in prop::collection::vec(walk(), 1..4), fragments in 1_u32..4) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let case = Case::new(&texts);
        let best = case.best(fragments, 1_000_000).expect("every trace covers something");
        prop_assert!(!best.cut_short);
        let time = case.material.time_of(&best.path).0;
        prop_assert_eq!((best.gain, Reverse(time)), case.brute(fragments));
    }
}

const LETTERS: [&str; 3] =
    ["0 a>1:1 b>2:2 c>3:3 d>4:4", "0 a>1:1 d>4:4 e>2:5 c>3:3 d>4", "0 a>1:1 b>2:2 c>3:3 f>5:6"];

#[test]
fn fragments_are_bounded() {
    let case = Case::new(&LETTERS);
    let lengths: Vec<usize> = (1..4).map(|k| case.best(k, 100_000).unwrap().path.len() - 1).collect();
    // a d e c, then a d e c f, then a b c d e c f.
    assert_eq!(lengths, [4, 5, 7]);
}

#[test]
fn what_was_tried_or_fails_is_passed_over() {
    let mut case = Case::new(&LETTERS);
    let first = case.best(3, 100_000).unwrap();
    case.tried.insert(first.path.clone());
    let second = case.best(3, 100_000).unwrap();
    assert_ne!(first.path, second.path);
    // When b fails after a, only the second trace is left.
    let failing = case.traces[0][..3].to_vec();
    case.evidence.note(&case.material, &failing, &run("0 a>1 b>9"), Purpose::Confirm);
    let third = case.best(3, 100_000).unwrap();
    assert!(!third.path.starts_with(&failing));
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let case = Case::new(&LETTERS);
    let cut = case.best(3, 4).expect("something is finished early");
    assert!(cut.cut_short && cut.gain > 0);
}
