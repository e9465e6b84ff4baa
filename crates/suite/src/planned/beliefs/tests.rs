use super::*;
use crate::scripted::{code, input, path, run};

#[test]
fn what_a_transition_did_not_execute_is_known_where_it_was_not_executed_before() {
    // The event a in 0 executes 7 in one of the three traces where 7 was not yet executed; in the fourth it was.
    let input = input(&["0 a>1:7,8", "0 a>1:8", "0 a>1:8", "0 b>0:7 a>1:8"]);
    let beliefs = Beliefs::new(&input);
    let a = path(&input, 0)[1];
    let given: Vec<ItemId> = beliefs.gives(a).collect();
    assert!(given.contains(&code(&input, 8)) && !given.contains(&code(&input, 7)));
    let one = beliefs.gives[a.index()].iter().find(|given| given.item == code(&input, 7)).unwrap();
    assert_eq!((one.seen, one.chances), (1, 3));
}

#[test]
fn where_back_leads_depends_on_where_one_came_from() {
    // From 2, r leads back to 1 or to 3, whichever it was entered from, whatever was done in 2.
    let traces = ["0 a>1 b>2 r>1", "0 c>3 d>2 r>3", "0 a>1 b>2 x>2 r>1", "0 c>3 d>2 x>2 x>2 r>3"];
    let input = input(&traces);
    let beliefs = Beliefs::new(&input);
    let [to_1, to_3] = [0, 1].map(|trace| *path(&input, trace).last().unwrap());
    let state = |trace: usize| input.transition(path(&input, trace)[2]).from;
    let chance = |origin: usize, id| beliefs.chance_from(&input, Some(state(origin)), id);
    assert!(chance(0, to_1) > 0.7 && chance(0, to_3) < 0.3, "{} {}", chance(0, to_1), chance(0, to_3));
    assert!(chance(1, to_3) > 0.7 && chance(1, to_1) < 0.3);
    let before = Some(path(&input, 0)[2]);
    assert!(beliefs.chance_after(&input, before, to_1, 0.5) > beliefs.chance_after(&input, None, to_1, 0.5));
}

#[test]
fn replays_teach() {
    let input = input(&["0 a>1:7 b>2:8"]);
    let mut beliefs = Beliefs::new(&input);
    let whole = path(&input, 0);
    let chance = |beliefs: &Beliefs| beliefs.chance_from(&input, None, whole[2]);
    let sure = chance(&beliefs);
    beliefs.learn(&input, &whole, 2, &run("0 a>1 b>5"));
    assert!(chance(&beliefs) < sure);
    assert!(!beliefs.gives(whole[1]).any(|item| item == code(&input, 7)), "one of two is not enough");
    for _ in 0..4 {
        beliefs.learn(&input, &whole, 3, &run("0 a>1:7 b>2:8"));
    }
    assert!(beliefs.gives(whole[1]).any(|item| item == code(&input, 7)));
    for _ in 0..3 {
        beliefs.miss(code(&input, 7));
    }
    assert!(!beliefs.gives(whole[1]).any(|item| item == code(&input, 7)), "it depends on more");
}
