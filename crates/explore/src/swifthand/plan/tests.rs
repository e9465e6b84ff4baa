use retap_trace::{Seed, StateKey};

use super::*;
use crate::actions::Deed;
use crate::swifthand::looks::LookId;
use crate::swifthand::offers::Offer;

fn click(rank: u32) -> Name {
    Name::On(rank, Deed::Click)
}

/// A map: the number of actions that each look offers, and steps between them. Look n is state n.
fn map(offered: &[u32], steps: &[(u32, u32, u32)]) -> (Model, Looks) {
    let (mut model, mut looks) = (Model::new(), Looks::new());
    for (key, &count) in (0..).zip(offered) {
        let offers = (0..count).map(|rank| Offer { name: click(rank), item: None }).collect();
        let look = looks.meet(StateKey(key), offers);
        model.join(look);
    }
    for &(from, rank, look) in steps {
        model.learn(StateId(from), click(rank), LookId(look));
    }
    (model, looks)
}

/// The way that a plan takes, and what it says at the end.
fn follow(map: Map<'_>, plan: &mut Plan) -> (Vec<u32>, Advice) {
    let mut way = Vec::new();
    loop {
        way.push(plan.here.0);
        match plan.advice(map, plan.here) {
            Advice::Step(_) => {}
            last => return (way, last),
        }
    }
}

#[test]
fn it_goes_to_the_nearest_state_with_something_untried() {
    // 1 -> 2 -> 3 -> 4 and 1 -> 5 -> 4; only 4 has something untried.
    let steps = [(1, 0, 2), (1, 1, 5), (2, 0, 3), (3, 0, 4), (5, 0, 4)];
    let (model, looks) = map(&[2, 1, 1, 3, 1], &steps);
    let map = Map { model: &model, looks: &looks };
    for seed in 0..20 {
        let mut plan = map.plan(StateId(1), 0.0, &mut Seed(seed).dice()).unwrap();
        assert_eq!(follow(map, &mut plan), (vec![1, 5, 4], Advice::Try), "seed {seed}");
    }
    assert_eq!(map.untried(StateId(4)), [click(0), click(1), click(2)]);
}

#[test]
fn a_frontier_state_is_its_own_target() {
    let (model, looks) = map(&[2, 1], &[(1, 0, 2)]);
    let map = Map { model: &model, looks: &looks };
    let mut plan = map.plan(StateId(1), 0.0, &mut Seed(1).dice()).unwrap();
    assert_eq!(follow(map, &mut plan), (vec![1], Advice::Try));
}

#[test]
fn sure_actions_come_first() {
    // The short way may end in 3 or in 4, the long one is sure.
    let steps = [(1, 0, 3), (1, 0, 4), (1, 1, 2), (2, 0, 3), (4, 0, 1)];
    let (model, looks) = map(&[2, 1, 1, 1], &steps);
    let long = Map { model: &model, looks: &looks };
    let mut plan = long.plan(StateId(1), 0.0, &mut Seed(1).dice()).unwrap();
    assert_eq!(follow(long, &mut plan), (vec![1, 2, 3], Advice::Try));
    // Without the sure way, the other one is taken.
    let (model, looks) = map(&[1, 1, 1, 1], &[(1, 0, 3), (1, 0, 4), (4, 0, 1)]);
    let short = Map { model: &model, looks: &looks };
    let mut plan = short.plan(StateId(1), 0.0, &mut Seed(1).dice()).unwrap();
    assert_eq!(follow(short, &mut plan), (vec![1, 3], Advice::Try));
    assert_eq!(plan.advice(short, StateId(4)), Advice::Lost);
}

#[test]
fn what_has_failed_is_not_gone_over() {
    let (model, looks) = map(&[1, 1], &[(1, 0, 2), (1, 0, 0)]);
    let map = Map { model: &model, looks: &looks };
    assert_eq!(map.plan(StateId(1), 0.0, &mut Seed(1).dice()), None);
    assert_eq!(map.plan(StateId(1), 1.0, &mut Seed(1).dice()), None, "not even on a whim");
    assert!(!map.leads_to_frontier(StateId(1), &mut Seed(1).dice()));
    assert!(map.safe(StateId(1)).is_empty());
    assert_eq!(map.offered(StateId(1)).collect::<Vec<_>>(), [click(0)]);
}

#[test]
fn what_is_not_offered_now_is_not_gone_over() {
    let (model, mut looks) = map(&[2, 1], &[(1, 0, 2), (1, 1, 1)]);
    looks.meet(StateKey(0), vec![Offer { name: click(1), item: None }]);
    let map = Map { model: &model, looks: &looks };
    assert_eq!(map.plan(StateId(1), 0.0, &mut Seed(1).dice()), None);
}

#[test]
fn a_whim_takes_a_state_in_ten() {
    const PLANS: u32 = 10_000;
    // A ring of 50 states in which all is tried.
    let steps: Vec<_> = (1..=50).map(|state| (state, 0, state % 50 + 1)).collect();
    let (model, looks) = map(&[1; 50], &steps);
    let map = Map { model: &model, looks: &looks };
    let mut dice = Seed(7).dice();
    let mut here = 0;
    for _ in 0..PLANS {
        let Some(mut plan) = map.plan(StateId(1), 0.1, &mut dice) else { continue };
        let (way, last) = follow(map, &mut plan);
        assert_eq!(last, Advice::Anything);
        here += u32::from(way.len() == 1);
    }
    // 1000 are expected; 150 are five standard deviations.
    assert!((850..1_150).contains(&here), "{here}");
}
