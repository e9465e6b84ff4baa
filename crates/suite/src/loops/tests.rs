use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::order::Purpose;
use crate::scripted::{code, material, path, run};

/// What each transition of the material was recorded to cover.
fn gives(material: &Material) -> Vec<Vec<ItemId>> {
    let mut gives = vec![Vec::new(); material.transitions.len()];
    for walk in &material.walks {
        for &(item, index) in &walk.credits {
            gives[material.path(walk)[index as usize].index()].push(item);
        }
    }
    gives
}

fn all(material: &Material, needed: &[ItemId], evidence: &Evidence) -> Vec<Vec<TransitionId>> {
    let gives = gives(material);
    let mut shorter = Shorter::new(material, path(material, 0), needed, |id| &gives[id.index()], 100_000);
    let mut found = Vec::new();
    loop {
        match shorter.next(material, evidence) {
            Found::Path(path) => found.push(path),
            Found::Nothing => return found,
            Found::CutShort => panic!("these are few"),
        }
    }
}

/// Every path with any set of loops that do not overlap left out, found by brute force.
fn brute(material: &Material, path: &[TransitionId]) -> BTreeSet<Vec<TransitionId>> {
    let state = |position: usize| material.transition(path[position - 1]).to;
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

fn walks() -> impl Strategy<Value = String> {
    prop::collection::vec((0_usize..3, 0_u32..3, 0_u32..4), 1..8).prop_map(|steps| {
        let word =
            |(event, state, code): &(usize, u32, u32)| format!("{}>{state}:{code}", ["a", "b", "c"][*event]);
        format!("0 {}", steps.iter().map(word).collect::<Vec<_>>().join(" "))
    })
}

proptest! {
    #[test]
    fn every_form_comes_once_and_the_cheapest_first(text in walks()) {
        let material = material(&[&text]);
        let evidence = Evidence::new(material.items.len(), 0);
        let found = all(&material, &[], &evidence);
        let times: Vec<_> = found.iter().map(|path| material.time_of(path)).collect();
        prop_assert!(times.is_sorted(), "{:?}", times);
        let distinct: BTreeSet<_> = found.iter().cloned().collect();
        prop_assert_eq!(&distinct, &brute(&material, &path(&material, 0)));
    }

    #[test]
    fn what_is_needed_stays(text in walks()) {
        let material = material(&[&text]);
        let evidence = Evidence::new(material.items.len(), 0);
        let gives = gives(&material);
        let needed: Vec<ItemId> = material.items.ids().step_by(2).collect();
        let keeps = |path: &Vec<TransitionId>| {
            needed.iter().all(|item| path.iter().any(|id| gives[id.index()].contains(item)))
        };
        let found: BTreeSet<_> = all(&material, &needed, &evidence).into_iter().collect();
        let wanted: BTreeSet<_> = brute(&material, &path(&material, 0)).into_iter().filter(keeps).collect();
        prop_assert_eq!(found, wanted);
    }
}

#[test]
fn a_failing_prefix_takes_all_forms_with_it() {
    let material = material(&["0 a>0:1 a>0 b>1:2"]);
    let mut evidence = Evidence::new(material.items.len(), 0);
    let needed = [code(&material, 2)];
    let whole = path(&material, 0);
    let short = vec![whole[0], whole[3]];
    assert_eq!(all(&material, &needed, &evidence)[0], short);
    evidence.note(&material, &short, &run("0 b>0"), Purpose::Confirm);
    let found = all(&material, &needed, &evidence);
    assert!(found.iter().all(|form| form.len() > 2), "{found:?}");
}

#[test]
fn a_search_can_be_cut_short() {
    let material = material(&["0 a>0 b>0 c>0 d>0 e>0 f>0 g>0 h>0 i>0 j>1"]);
    let evidence = Evidence::new(material.items.len(), 0);
    let mut shorter = Shorter::new(&material, path(&material, 0), &[], |_| &[], 12);
    let found = std::iter::from_fn(|| Some(shorter.next(&material, &evidence)));
    let found: Vec<Found> = found.take_while(|found| *found != Found::Nothing).collect();
    assert!(found.len() > 1 && found.len() < 12);
    assert_eq!(found.last(), Some(&Found::CutShort));
}
