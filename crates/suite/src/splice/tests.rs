use proptest::prelude::*;

use super::*;
use crate::item::ItemId;
use crate::order::Purpose;
use crate::scripted::{input, path, run};

struct Case {
    input: SuiteInput,
    evidence: Evidence,
    traces: Vec<Vec<TransitionId>>,
    gives: Vec<Vec<ItemId>>,
    tried: BTreeSet<Vec<TransitionId>>,
}

impl Case {
    fn new(texts: &[&str]) -> Self {
        let input = input(texts);
        let traces: Vec<_> = (0..texts.len()).map(|trace| path(&input, trace)).collect();
        let mut gives = vec![Vec::new(); input.transitions.len()];
        for trace in &input.traces {
            for &(item, index) in &trace.credits {
                gives[input.path(trace)[index as usize].index()].push(item);
            }
        }
        let evidence = Evidence::new(input.items.len(), 0);
        Self { input, evidence, traces, gives, tried: BTreeSet::new() }
    }

    fn best(&self, fragments: u32, most: u32) -> Option<Spliced> {
        let wanted = WantedItems::new(self.input.items.len(), self.input.items.ids());
        let quest = Quest {
            input: &self.input,
            evidence: &self.evidence,
            wanted: &wanted,
            gives: &|id| wanted.of(self.gives[id.index()].iter().copied()),
            tried: &self.tried,
            fragments,
            most,
        };
        Splicer::new(&self.input, &self.traces).best(&quest)
    }

    /// The most items and the least time of any path with so many fragments, by trying all up to a length.
    fn brute(&self, fragments: u32) -> (usize, Reverse<u64>) {
        let mut best = (0, Reverse(u64::MAX));
        let mut open: Vec<(Vec<TransitionId>, (usize, usize), u32)> = Vec::new();
        open.extend((0..self.traces.len()).map(|trace| (vec![self.traces[trace][0]], (trace, 0), 1)));
        while let Some((path, (trace, at), used)) = open.pop() {
            let items: BTreeSet<ItemId> = path.iter().flat_map(|id| self.gives[id.index()].clone()).collect();
            best = best.max((items.len(), Reverse(self.input.time_of(&path).0)));
            let to = self.input.transition(path[path.len() - 1]).to;
            for (next, steps) in self.traces.iter().enumerate() {
                for (place, &id) in steps.iter().enumerate().skip(1) {
                    let used = used + u32::from((next, place) != (trace, at + 1));
                    if self.input.transition(id).from == to && used <= fragments {
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

fn drawn() -> impl Strategy<Value = String> {
    prop::collection::vec((0_usize..2, 0_u32..4, 0_u32..9), 1..4).prop_map(|steps| {
        let word =
            |(event, state, code): &(usize, u32, u32)| format!("{}>{state}:{code}", ["a", "b"][*event]);
        format!("0 {}", steps.iter().map(word).collect::<Vec<_>>().join(" "))
    })
}

proptest! {
    #[test]
    fn the_best_is_the_best(texts in prop::collection::vec(drawn(), 1..4), fragments in 1_u32..4) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let case = Case::new(&texts);
        let best = case.best(fragments, 1_000_000).expect("every trace covers something");
        prop_assert!(!best.cut_short);
        let time = case.input.time_of(&best.path).0;
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
    case.evidence.note(&case.input, &failing, &run("0 a>1 b>9"), Purpose::Confirm);
    let third = case.best(3, 100_000).unwrap();
    assert!(!third.path.starts_with(&failing));
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let case = Case::new(&LETTERS);
    let cut = case.best(3, 4).expect("something is finished early");
    assert!(cut.cut_short && cut.gain > 0);
}
