use proptest::prelude::*;

use super::*;

/// The setting of the worked example in section 4 of the paper.
fn example() -> Setting {
    Setting::new(3, 15, 20, 18).unwrap()
}

#[test]
fn the_worked_example_of_the_sequential_schedule() {
    for (tallies, runs) in [
        ([(0, 0), (0, 0), (0, 0)], [15, 0, 0]),
        ([(13, 2), (0, 0), (0, 0)], [5, 10, 0]),
        ([(17, 3), (3, 7), (0, 0)], [0, 0, 15]),
        ([(17, 3), (3, 7), (15, 0)], [0, 0, 5]),
        ([(17, 3), (3, 7), (19, 1)], [0, 0, 0]),
    ] {
        assert_eq!(sequential(&example(), &tallies), runs, "{tallies:?}");
    }
}

#[test]
fn the_worked_example_of_the_round_robin_schedule() {
    let mut cursor = 0;
    for (tallies, runs) in [
        ([(0, 0), (0, 0), (0, 0)], [5, 5, 5]),
        ([(4, 1), (2, 3), (5, 0)], [8, 0, 7]),
        ([(11, 2), (2, 3), (12, 0)], [7, 0, 8]),
        ([(17, 3), (2, 3), (19, 1)], [0, 0, 0]),
    ] {
        assert_eq!(round_robin(&example(), &tallies), runs, "{tallies:?}");
        assert_eq!(round_robin_from(&example(), &tallies, &mut cursor), runs, "{tallies:?}");
    }
}

#[test]
fn round_robin_can_continue_where_it_left_off() {
    let setting = Setting::new(2, 15, 20, 18).unwrap();
    let mut cursor = 0;
    assert_eq!(round_robin_from(&setting, &[(0, 0), (0, 0)], &mut cursor), [8, 7]);
    assert_eq!(round_robin_from(&setting, &[(8, 0), (7, 0)], &mut cursor), [7, 8]);
    assert_eq!(round_robin(&setting, &[(8, 0), (7, 0)]), [8, 7]);
}

#[test]
fn the_worked_example_of_the_heuristic() {
    for (tallies, runs) in [
        ([(0, 0), (0, 0), (0, 0)], [5, 5, 5]),
        ([(4, 1), (2, 3), (5, 0)], [2, 0, 13]),
        ([(6, 1), (2, 3), (18, 0)], [0, 0, 0]),
    ] {
        assert_eq!(heuristic(&example(), &tallies, PROMISING), runs, "{tallies:?}");
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
        assert_eq!(heuristic(&example(), &tallies, PROMISING), runs, "{tallies:?}: {why}");
    }
}

#[test]
fn more_candidates_than_devices_are_explored_in_turn() {
    let setting = Setting::new(5, 2, 20, 18).unwrap();
    let mut tallies = vec![(0, 0); 5];
    for expected in [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 0, 1]] {
        let runs = heuristic(&setting, &tallies, PROMISING);
        assert_eq!(runs, expected);
        tallies.iter_mut().zip(&runs).for_each(|(tally, run)| tally.0 += run);
    }
}

#[test]
fn nobody_gets_nothing() {
    let mut cursor = 7;
    assert!(sequential(&example(), &[]).is_empty());
    assert!(heuristic(&example(), &[], PROMISING).is_empty());
    assert!(round_robin_from(&example(), &[], &mut cursor).is_empty());
}

fn any_problem() -> impl Strategy<Value = (Setting, Vec<(u32, u32)>)> {
    (1..20_u32, 1..12_u32).prop_flat_map(|(m, nr)| (Just(m), Just(nr), 1..=nr)).prop_flat_map(
        |(m, nr, st)| {
            let setting = Setting::new(1, m, nr, st).unwrap();
            let tally = (0..=nr).prop_flat_map(move |s| (Just(s), 0..=nr - s));
            (Just(setting), prop::collection::vec(tally, 0..8))
        },
    )
}

proptest! {
    #[test]
    fn every_schedule_fills_the_step_and_keeps_the_limits((setting, tallies) in any_problem(), start in 0..9_usize) {
        let mut cursor = start;
        let over = tallies.iter().any(|&tally| setting.has_passed(tally));
        let open: u32 = tallies.iter().map(|&tally| setting.left(tally)).sum();
        let full = if over { 0 } else { open.min(setting.m()) };
        for runs in [
            sequential(&setting, &tallies),
            round_robin(&setting, &tallies),
            round_robin_from(&setting, &tallies, &mut cursor),
            heuristic(&setting, &tallies, PROMISING),
        ] {
            prop_assert_eq!(runs.iter().sum::<u32>(), full);
            prop_assert!(runs.iter().zip(&tallies).all(|(&run, &tally)| run <= setting.left(tally)), "{:?}", runs);
        }
    }
}
