mod naive;

use proptest::prelude::*;

use super::*;
use crate::evaluate::evaluate;
use naive::Naive;

/// The optimal values for m = 15, nr = 20, st = 18 and the recovered prior, for n = 1 to 5.
const KNOWN: [f64; 5] =
    [1.287_888_103_75, 1.546_626_977_651, 1.752_004_454_807, 1.976_414_726_668, 2.205_932_107_569];

fn solved(setting: Setting, prior: &Prior, threads: usize) -> Policy {
    let threads = NonZeroUsize::new(threads).unwrap();
    solve(setting, prior, threads, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn paper(n: u32) -> Policy {
    solved(Setting::new(n, 15, 20, 18).unwrap(), &Prior::recovered(), 2)
}

#[track_caller]
fn near(ours: f64, known: f64) {
    assert!((ours - known).abs() < 1e-9, "{ours} is not {known}");
}

#[test]
fn up_to_four_candidates_cost_what_is_known() {
    for (n, states) in [(1, 6), (2, 153), (3, 3381), (4, 55_565)] {
        let policy = paper(n);
        near(policy.expected_steps(), KNOWN[n as usize - 1]);
        assert_eq!(policy.states(), states, "n = {n}");
    }
}

#[test]
fn five_candidates_cost_what_is_known() {
    let policy = paper(5);
    near(policy.expected_steps(), KNOWN[4]);
    // The paper counts 729,709.
    assert_eq!(policy.states(), 729_707);
    for (state, known) in [
        (vec![(4, 0), (4, 0), (2, 2), (3, 0)], 1.130_715_263_135),
        (vec![(4, 0), (0, 3), (2, 2), (1, 2)], 1.124_252_077_204),
        (vec![(3, 0), (3, 0), (1, 2), (2, 1), (3, 0)], 1.335_949_229_514),
        (vec![(2, 1); 5], 2.618_770_023_521),
        (vec![(1, 2); 5], 1.387_600_472_896),
        (vec![(8, 0), (8, 1), (2, 2), (3, 2), (3, 1)], 1.029_448_668_078),
        (vec![(3, 0), (0, 3), (1, 2), (0, 3), (2, 1)], 1.328_471_301_33),
    ] {
        near(policy.value(&state).unwrap(), known);
    }
    let read = Policy::from_bytes(&policy.to_bytes()).unwrap();
    near(read.expected_steps(), KNOWN[4]);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p retap-mdp six -- --ignored"]
fn six_candidates_cost_what_is_known() {
    let steps = paper(6).expected_steps();
    assert!((steps - 2.316_157_6).abs() < 1e-6, "{steps}");
}

#[test]
fn single_states_cost_what_is_known() {
    let policy = paper(4);
    for (state, known) in [
        (vec![(4, 1), (2, 3), (5, 0)], 1.057_241_604_404),
        (vec![(13, 2), (0, 0), (0, 0)], 1.299_236_873_104),
        (vec![(5, 0), (5, 0), (5, 0)], 1.060_518_205_679),
        (vec![(3, 2), (3, 2), (4, 1)], 1.701_620_537_484),
        (vec![(15, 0)], 1.0),
        (vec![(13, 2)], 1.0),
        (vec![(10, 0), (5, 0)], 1.011_168_208_758),
    ] {
        near(policy.value(&state).unwrap(), known);
    }
}

#[test]
fn other_priors_cost_what_is_known() {
    let grid = Prior::recovered().points().to_vec();
    for (counts, known) in [
        (
            [269, 3, 3, 3, 3, 3, 3, 4, 18, 16, 77],
            [1.243_253_775_217, 1.482_145_148_838, 1.669_105_051_164, 1.882_750_387_761],
        ),
        (
            [285, 0, 0, 0, 0, 0, 0, 5, 18, 16, 78],
            [1.245_823_747_819, 1.479_186_571_624, 1.653_727_542_431, 1.852_220_669_521],
        ),
    ] {
        let prior =
            Prior::new(grid.clone(), counts.iter().map(|&count| f64::from(count) / 402.0).collect()).unwrap();
        for (n, known) in (1..).zip(known) {
            near(solved(Setting::new(n, 15, 20, 18).unwrap(), &prior, 2).expected_steps(), known);
        }
    }
}

/// All states of so many live candidates.
fn states(setting: &Setting, candidates: usize) -> Vec<Vec<(u32, u32)>> {
    let tallies = (0..setting.st()).flat_map(|s| (0..setting.fatal()).map(move |f| (s, f)));
    let tallies: Vec<(u32, u32)> = tallies.collect();
    let mut lists: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    for _ in 0..candidates {
        let longer = |list: &Vec<(u32, u32)>| {
            let later = tallies.iter().filter(|tally| list.last().is_none_or(|last| last <= tally));
            later.map(|&tally| [list.as_slice(), &[tally]].concat()).collect::<Vec<_>>()
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists
}

/// Compares every state with the plain solver: its value, and what the schedule leads to.
fn compare(setting: Setting, prior: &Prior) {
    let policy = solved(setting, prior, 2);
    let mut naive = Naive::new(setting, prior);
    let mut compared = 0;
    for candidates in 1..=setting.n() as usize {
        for mut state in states(&setting, candidates) {
            // Not in sorted order: the schedule must be given back in the caller's.
            state.rotate_left(candidates / 2);
            let Some(value) = policy.value(&state) else {
                assert_eq!(candidates, setting.n() as usize, "{setting:?} {state:?}");
                continue;
            };
            let known = naive.value(&state);
            assert!((value - known).abs() < 1e-12, "{setting:?} {state:?}: {value} is not {known}");
            let runs = policy.schedule(&state).unwrap();
            let left: u32 = state.iter().map(|&tally| setting.left(tally)).sum();
            assert_eq!(runs.iter().sum::<u32>(), left.min(setting.m()), "{setting:?} {state:?}: {runs:?}");
            assert!(
                runs.iter().zip(&state).all(|(&run, &tally)| run <= setting.left(tally)),
                "{setting:?} {runs:?}"
            );
            let led = naive.follow(&state, &runs);
            assert!(
                (led - known).abs() < 1e-12,
                "{setting:?} {state:?}: {runs:?} leads to {led}, not {known}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared + 2, policy.states(), "{setting:?}");
}

#[test]
fn all_tiny_settings_agree_with_a_plain_solver() {
    let prior = Prior::new(vec![0.0, 0.35, 0.8, 1.0], vec![0.3, 0.2, 0.4, 0.1]).unwrap();
    for n in 1..=3 {
        for m in 1..=5 {
            for nr in 1..=4 {
                for st in 1..=nr {
                    compare(Setting::new(n, m, nr, st).unwrap(), &prior);
                }
            }
        }
    }
}

#[test]
fn some_larger_settings_agree_with_a_plain_solver() {
    let prior = Prior::recovered();
    for (n, m, nr, st) in [
        (1, 1, 20, 18),
        (1, 1000, 20, 18),
        (2, 7, 10, 5),
        (2, 1, 6, 3),
        (2, 40, 6, 3),
        (3, 20, 5, 4),
        (4, 2, 3, 2),
        (5, 3, 2, 2),
        (6, 4, 1, 1),
    ] {
        compare(Setting::new(n, m, nr, st).unwrap(), &prior);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_prior_agrees_with_a_plain_solver(
        (n, m, nr) in (1..=3_u32, 1..=8_u32, 1..=5_u32),
        back in 0..5_u32,
        pairs in prop::collection::vec((0.0..=1.0_f64, 0.01..1.0_f64), 1..5),
    ) {
        let sum: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        let (points, weights) = pairs.iter().map(|(point, weight)| (*point, weight / sum)).unzip();
        let prior = Prior::new(points, weights).unwrap();
        compare(Setting::new(n, m, nr, nr - back % nr).unwrap(), &prior);
    }
}

#[test]
fn following_the_policy_costs_what_it_promises() {
    for n in 1..=3 {
        let policy = paper(n);
        let schedule = |tallies: &[(u32, u32)]| policy.schedule(tallies).unwrap();
        let cost = evaluate(policy.setting(), policy.prior(), schedule).unwrap();
        near(cost.steps, policy.expected_steps());
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    // Two rates only, so that many schedules are equally good.
    let prior = Prior::new(vec![0.0, 1.0], vec![0.5, 0.5]).unwrap();
    for (prior, setting) in [
        (Prior::recovered(), Setting::new(3, 15, 20, 18).unwrap()),
        (Prior::recovered(), Setting::new(4, 6, 10, 9).unwrap()),
        (prior, Setting::new(4, 6, 10, 9).unwrap()),
    ] {
        let alone = solved(setting, &prior, 1).to_bytes();
        for threads in 2..=4 {
            assert!(solved(setting, &prior, threads).to_bytes() == alone, "{threads} threads, {setting:?}");
        }
    }
}

#[test]
fn progress_grows_to_1() {
    let mut told = Vec::new();
    let setting = Setting::new(3, 15, 20, 18).unwrap();
    let watch = &mut |fraction| {
        told.push(fraction);
        ControlFlow::Continue(())
    };
    solve(setting, &Prior::recovered(), NonZeroUsize::MIN, watch).unwrap();
    assert!(told.len() > 10, "{told:?}");
    assert!(told.is_sorted() && told[0] >= 0.0 && told.last() == Some(&1.0), "{told:?}");
}

#[test]
fn it_stops_when_told() {
    let mut asked = 0;
    let watch = &mut |fraction| {
        asked += 1;
        if fraction < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let setting = Setting::new(3, 15, 20, 18).unwrap();
    let stopped = solve(setting, &Prior::recovered(), NonZeroUsize::MIN, watch);
    assert_eq!(stopped.unwrap_err(), SolveError::Cancelled);
    assert!(asked > 1);
}

#[test]
fn what_is_too_large_is_refused_in_words() {
    for (n, m, nr, st, what) in [
        (9, 15, 20, 18, "states"),
        (40, 1, 1, 1, "states"),
        (5, 500, 100, 100, "schedules"),
        (1, 500, 5000, 100, "outcomes"),
    ] {
        let setting = Setting::new(n, m, nr, st).unwrap();
        let threads = NonZeroUsize::MIN;
        let refused =
            solve(setting, &Prior::recovered(), threads, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "n = {n}, m = {m}, nr = {nr}, st = {st} has too many {what} for an exact solution; use smaller numbers"
            )
        );
    }
}
