//! The exact cost of the schedules, in rounds, against known values for 15 devices and 18 of 20.

use std::cell::RefCell;

use retap_mdp::evaluate::{Cost, evaluate};
use retap_mdp::{Prior, Setting};

use super::examples::policy;
use super::stage::Stage;
use crate::rule::Fixed;
use crate::schedule::{Async, Heuristic, Optimal, Schedule, Sequential};

/// What a schedule without memory costs when it is asked round by round.
fn cost(schedule: impl Schedule, n: u32) -> Cost {
    let rule = Fixed::new(18, 20).unwrap();
    let schedule = RefCell::new(schedule);
    let runs = |tallies: &[(u32, u32)]| {
        Stage::new(&rule, 15, tallies).fill(&mut *schedule.borrow_mut(), tallies.len())
    };
    let setting = Setting::new(n, 15, 20, 18).unwrap();
    evaluate(&setting, &Prior::recovered(), &runs).unwrap()
}

fn assert_steps(cost: Cost, known: f64) {
    assert!((cost.steps - known).abs() < 1e-8, "{} steps instead of {known}", cost.steps);
}

#[test]
fn known_costs() {
    for (n, sequential, heuristic) in [
        (1, 1.287_888_104, 1.287_888_104),
        (2, 2.209_520_123, 1.559_517_244),
        (3, 2.879_035_511, 1.797_655_862),
    ] {
        assert_steps(cost(Sequential::default(), n), sequential);
        assert_steps(cost(Heuristic::default(), n), heuristic);
    }
    assert_steps(cost(Optimal::new(policy(3, 15)), 3), 1.752_004_455);
}

/// Asked round by round, the schedule without rounds stays within 0.2 % of the optimum.
#[test]
fn the_favourite_and_its_reserve_are_nearly_optimal() {
    for (n, optimal) in
        [(1, 1.287_888_104), (2, 1.546_626_978), (3, 1.752_004_455), (4, 1.976_414_727), (5, 2.205_932_108)]
    {
        let Cost { steps, .. } = cost(Async::default(), n);
        assert!(steps > optimal - 1e-8 && steps < optimal * 1.002, "{steps} steps instead of {optimal}");
        if n == 5 {
            assert!((steps - 2.2098).abs() < 5e-5, "{steps}");
        }
    }
}
