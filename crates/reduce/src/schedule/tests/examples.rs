//! The worked examples of ND3MIN, section 4: three candidates, fifteen devices, 18 of 20.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use retap_mdp::{Policy, Prior, Setting, solve};

use super::stage::Stage;
use crate::rule::Fixed;
use crate::schedule::{
    Async, Heuristic, OpenCandidate, Optimal, RoundRobin, Schedule, Sequential, next_step,
};
use crate::{CandidateId, Outcome};

/// The tallies before a round and the runs of the round.
type Step = ([(u32, u32); 3], [u32; 3]);

/// Plays the rounds: each must give the runs of its step, and its outcomes make the tallies of the next one.
fn play(schedule: &mut dyn Schedule, steps: &[Step], end: [(u32, u32); 3]) {
    let rule = Fixed::new(18, 20).unwrap();
    let mut stage = Stage::new(&rule, 15, &steps[0].0);
    let after = steps[1..].iter().map(|step| step.0).chain([end]);
    for ((before, runs), after) in steps.iter().zip(after) {
        assert_eq!(stage.fill(schedule, 3), runs, "{schedule} at {before:?}");
        assert_eq!(stage.pick(schedule), None, "{schedule}: the round is full");
        // The first to be picked succeed.
        let mut successes: Vec<u32> =
            before.iter().zip(after).map(|(before, after)| after.0 - before.0).collect();
        while !stage.flying.is_empty() {
            let successes = &mut successes[usize::try_from(stage.flying[0].0).unwrap()];
            stage.land(0, if *successes > 0 { Outcome::Reached } else { Outcome::Missed });
            *successes = successes.saturating_sub(1);
            if !stage.flying.is_empty() {
                assert_eq!(stage.pick(schedule), None, "{schedule}: the round is not over");
            }
        }
        for (id, candidate) in &stage.open {
            assert_eq!(
                (candidate.tally.reached, candidate.tally.missed),
                after[usize::try_from(id.0).unwrap()]
            );
        }
    }
}

#[test]
fn sequential() {
    let steps = [
        ([(0, 0), (0, 0), (0, 0)], [15, 0, 0]),
        ([(13, 2), (0, 0), (0, 0)], [5, 10, 0]),
        ([(17, 3), (3, 7), (0, 0)], [0, 0, 15]),
        ([(17, 3), (3, 7), (15, 0)], [0, 0, 5]),
    ];
    play(&mut Sequential::default(), &steps, [(17, 3), (3, 7), (19, 1)]);
}

#[test]
fn round_robin() {
    let steps = [
        ([(0, 0), (0, 0), (0, 0)], [5, 5, 5]),
        ([(4, 1), (2, 3), (5, 0)], [8, 0, 7]),
        ([(11, 2), (2, 3), (12, 0)], [7, 0, 8]),
    ];
    play(&mut RoundRobin::default(), &steps, [(17, 3), (2, 3), (19, 1)]);
}

#[test]
fn heuristic() {
    let steps = [([(0, 0), (0, 0), (0, 0)], [5, 5, 5]), ([(4, 1), (2, 3), (5, 0)], [2, 0, 13])];
    play(&mut Heuristic::default(), &steps, [(6, 1), (2, 3), (18, 0)]);
}

/// The best schedule of the second state is known to be (0, 0, 15).
#[test]
fn optimal() {
    let steps = [([(0, 0), (0, 0), (0, 0)], [5, 5, 5]), ([(4, 1), (2, 3), (5, 0)], [0, 0, 15])];
    play(&mut Optimal::new(policy(3, 15)), &steps, [(4, 1), (2, 3), (18, 0)]);
}

/// What the same moments look like without rounds: the favourite gets what it needs and two runs more.
#[test]
fn asynchronous() {
    let rule = Fixed::new(18, 20).unwrap();
    for (tallies, runs) in [
        (&[(0, 0), (0, 0), (0, 0)][..], &[5, 5, 5][..]),
        (&[(4, 1), (2, 3), (5, 0)], &[0, 0, 15]),
        (&[(4, 1), (0, 0), (8, 0)], &[2, 1, 12]),
        (&[(0, 0); 7], &[3, 3, 3, 3, 3, 0, 0]),
    ] {
        let given = Stage::new(&rule, 15, tallies).fill(&mut Async::default(), tallies.len());
        assert_eq!(given, runs, "{tallies:?}");
    }
}

#[test]
fn round_robin_continues_where_it_left_off() {
    let rule = Fixed::new(18, 20).unwrap();
    let mut stage = Stage::new(&rule, 3, &[(0, 0); 5]);
    let mut schedule = RoundRobin::default();
    for expected in [[0, 1, 2], [3, 4, 0], [1, 2, 3]] {
        stage.fill(&mut schedule, 5);
        assert_eq!(stage.flying, expected.map(CandidateId));
        while !stage.flying.is_empty() {
            stage.land(0, Outcome::Reached);
        }
    }
}

#[test]
fn a_candidate_that_leaves_the_board_loses_its_part_of_the_round() {
    let rule = Fixed::new(2, 3).unwrap();
    let mut stage = Stage::new(&rule, 8, &[(0, 0), (0, 0), (0, 0)]);
    let mut schedule = Sequential::default();
    for _ in 0..4 {
        stage.pick(&mut schedule);
    }
    // The search moves on while half of the round is handed out: 0 is settled, 1 is dropped, 9 is new.
    stage.open.remove(&CandidateId(0));
    let fresh = stage.open.remove(&CandidateId(1)).unwrap();
    stage.open.insert(CandidateId(9), OpenCandidate { running: 0, ..fresh });
    assert_eq!(stage.pick(&mut schedule), Some(CandidateId(2)));
    assert_eq!(stage.pick(&mut schedule), Some(CandidateId(2)));
    assert_eq!(stage.pick(&mut schedule), None, "what was not planned waits for the next round");
    stage.flying.clear();
    stage.open.get_mut(&CandidateId(2)).unwrap().running = 0;
    assert_eq!(stage.fill(&mut schedule, 10), [0, 0, 3, 0, 0, 0, 0, 0, 0, 3]);
}

#[test]
fn optimal_is_the_heuristic_where_the_table_ends() {
    let policy = policy(2, 4);
    let eighteen = Fixed::new(18, 20).unwrap();
    let other = Fixed::new(9, 10).unwrap();
    let (two, three) = (&[(3, 1), (2, 2)][..], &[(3, 1), (2, 1), (0, 1)][..]);
    for (rule, devices, tallies, covered) in [
        (&eighteen, 4, two, true),
        (&eighteen, 4, three, false),
        (&eighteen, 5, two, false),
        (&other, 4, two, false),
        (&eighteen, 4, &[(3, 1), (2, 1)][..], false),
    ] {
        let fill = |schedule: &mut dyn Schedule| Stage::new(rule, devices, tallies).fill(schedule, 3);
        let optimal = fill(&mut Optimal::new(Arc::clone(&policy)));
        if covered {
            assert_eq!(Some(optimal[..2].to_vec()), policy.schedule(tallies), "{tallies:?}");
        } else {
            assert_eq!(optimal, fill(&mut Heuristic::default()), "{tallies:?}");
        }
    }
}

#[test]
fn each_branch_of_the_heuristic() {
    for (tallies, runs, why) in [
        (vec![(5, 0), (5, 0), (5, 0)], vec![13, 1, 1], "two are deferred and take turns"),
        (vec![(2, 1); 5], vec![6, 6, 3, 0, 0], "the doubtful in order, as far as they fit"),
        (vec![(8, 0), (8, 1), (2, 2), (3, 2), (3, 1)], vec![10, 5, 0, 0, 0], "deferred before doubtful"),
        (
            vec![(3, 0), (3, 0), (1, 2), (2, 1), (3, 0)],
            vec![15, 0, 0, 0, 0],
            "no room in one step: all it gets",
        ),
        (vec![(15, 0)], vec![5], "left-over devices, but never more than nr runs"),
        (vec![(13, 2), (0, 0), (0, 0)], vec![5, 5, 5], "the unknown are explored first"),
    ] {
        let rule = Fixed::new(18, 20).unwrap();
        let given = next_step(&mut Heuristic::default(), &rule, 15, &tallies);
        assert_eq!(given, runs, "{tallies:?}: {why}");
    }
}

#[test]
fn more_candidates_than_devices_are_explored_in_turn() {
    let rule = Fixed::new(18, 20).unwrap();
    let mut tallies = vec![(0, 0); 5];
    for expected in [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 0, 1]] {
        let runs = next_step(&mut Heuristic::default(), &rule, 2, &tallies);
        assert_eq!(runs, expected);
        tallies.iter_mut().zip(&runs).for_each(|(tally, run)| tally.0 += run);
    }
}

#[test]
fn nobody_gets_nothing() {
    let rule = Fixed::new(18, 20).unwrap();
    assert!(next_step(&mut Sequential::default(), &rule, 15, &[]).is_empty());
    assert!(next_step(&mut Heuristic::default(), &rule, 15, &[]).is_empty());
    assert!(next_step(&mut RoundRobin::default(), &rule, 15, &[]).is_empty());
    for passed in [[(17, 3), (3, 7), (19, 1)], [(6, 1), (2, 3), (18, 0)]] {
        assert_eq!(next_step(&mut Heuristic::default(), &rule, 15, &passed), [0, 0, 0]);
    }
}

pub(super) fn policy(n: u32, m: u32) -> Arc<Policy> {
    let setting = Setting::new(n, m, 20, 18).unwrap();
    let one = NonZeroUsize::MIN;
    Arc::new(solve(setting, &Prior::recovered(), one, &mut |_| ControlFlow::Continue(())).unwrap())
}
