use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::order::Purpose;
use crate::scripted::{code, input, path, run};

/// What each transition of the input was recorded to cover.
fn gives(input: &SuiteInput) -> Vec<Vec<ItemId>> {
    let mut gives = vec![Vec::new(); input.transitions.len()];
    for trace in &input.traces {
        for &(item, index) in &trace.credits {
            gives[input.path(trace)[index as usize].index()].push(item);
        }
    }
    gives
}

fn all(input: &SuiteInput, needed: &[ItemId], evidence: &Evidence) -> Vec<Vec<TransitionId>> {
    let gives = gives(input);
    let mut shorter = Shorter::new(input, path(input, 0), needed, |id| &gives[id.index()], 100_000);
    let mut found = Vec::new();
    loop {
        match shorter.next(input, evidence) {
            LoopSearchResult::Path(path) => found.push(path),
            LoopSearchResult::Nothing => return found,
            LoopSearchResult::CutShort => panic!("these are few"),
        }
    }
}

/// Every path with any set of loops that do not overlap left out, found by brute force.
fn brute(input: &SuiteInput, path: &[TransitionId]) -> BTreeSet<Vec<TransitionId>> {
    let state = |position: usize| input.transition(path[position - 1]).to;
    let mut forms = BTreeSet::new();
    let mut open = vec![(vec![path[0]], 1)];
    while let Some((kept, at)) = open.pop() {
        if at == path.len() {
            forms.insert(kept.clone());
        } else {
            let mut longer = kept.clone();
            longer.push(path[at]);
            open.push((longer, at + 1));
        }
        open.extend((at + 1..=path.len()).filter(|&to| state(to) == state(at)).map(|to| (kept.clone(), to)));
    }
    forms
}

fn drawn() -> impl Strategy<Value = String> {
    prop::collection::vec((0_usize..3, 0_u32..3, 0_u32..4), 1..8).prop_map(|steps| {
        let word =
            |(event, state, code): &(usize, u32, u32)| format!("{}>{state}:{code}", ["a", "b", "c"][*event]);
        format!("0 {}", steps.iter().map(word).collect::<Vec<_>>().join(" "))
    })
}

proptest! {
    #[test]
    fn every_form_comes_once_and_the_cheapest_first(text in drawn()) {
        let input = input(&[&text]);
        let evidence = Evidence::new(input.items.len(), 0);
        let found = all(&input, &[], &evidence);
        let times: Vec<_> = found.iter().map(|path| input.time_of(path)).collect();
        prop_assert!(times.is_sorted(), "{:?}", times);
        let distinct: BTreeSet<_> = found.iter().cloned().collect();
        prop_assert_eq!(&distinct, &brute(&input, &path(&input, 0)));
    }

    #[test]
    fn what_is_needed_stays(text in drawn()) {
        let input = input(&[&text]);
        let evidence = Evidence::new(input.items.len(), 0);
        let gives = gives(&input);
        let needed: Vec<ItemId> = input.items.ids().step_by(2).collect();
        let keeps = |path: &Vec<TransitionId>| {
            needed.iter().all(|item| path.iter().any(|id| gives[id.index()].contains(item)))
        };
        let found: BTreeSet<_> = all(&input, &needed, &evidence).into_iter().collect();
        let wanted: BTreeSet<_> = brute(&input, &path(&input, 0)).into_iter().filter(keeps).collect();
        prop_assert_eq!(found, wanted);
    }
}

#[test]
fn a_failing_prefix_takes_all_forms_with_it() {
    let input = input(&["0 a>0:1 a>0 b>1:2"]);
    let mut evidence = Evidence::new(input.items.len(), 0);
    let needed = [code(&input, 2)];
    let whole = path(&input, 0);
    let short = vec![whole[0], whole[3]];
    assert_eq!(all(&input, &needed, &evidence)[0], short);
    evidence.note(&input, &short, &run("0 b>0"), Purpose::Confirm);
    let found = all(&input, &needed, &evidence);
    assert!(found.iter().all(|form| form.len() > 2), "{found:?}");
}

#[test]
fn a_search_can_be_cut_short() {
    let input = input(&["0 a>0 b>0 c>0 d>0 e>0 f>0 g>0 h>0 i>0 j>1"]);
    let evidence = Evidence::new(input.items.len(), 0);
    let mut shorter = Shorter::new(&input, path(&input, 0), &[], |_| &[], 12);
    let found = std::iter::from_fn(|| Some(shorter.next(&input, &evidence)));
    let found: Vec<LoopSearchResult> =
        found.take_while(|found| *found != LoopSearchResult::Nothing).collect();
    assert!(found.len() > 1 && found.len() < 12);
    assert_eq!(found.last(), Some(&LoopSearchResult::CutShort));
}
