//! Laws of all schedules over random boards.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use retap_mdp::{Policy, Setting};
use retap_trace::{Dice, Seed};

use super::examples::policy;
use super::published::{PROMISING, heuristic, round_robin_from};
use super::stage::Stage;
use crate::rule::{self, Fixed};
use crate::schedule::{Async, Heuristic, OpenCandidate, RoundRobin, Schedule, Sequential, names, parse};
use crate::{CandidateId, Outcome};

static POLICY: LazyLock<Arc<Policy>> = LazyLock::new(|| policy(2, 4));

fn schedule(name: &str) -> Box<dyn Schedule> {
    parse(name, || Ok(Arc::clone(&POLICY))).unwrap()
}

fn any_rule() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["1/1", "2/3", "18/20", "1/5", "sprt:0.8,0.95,0.2,0.1", "bayes:0.9@0.97"])
}

fn any_tallies(most: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
    let tally = prop_oneof![Just((0, 0)), (0_u32..18, 0_u32..4)];
    prop::collection::vec(tally, 1..most)
}

fn any_outcome(dice: &mut Dice) -> Outcome {
    [Outcome::Reached, Outcome::Reached, Outcome::Reached, Outcome::Missed, Outcome::Inconclusive]
        [dice.index(5)]
}

proptest! {
    /// Whatever happens, every schedule keeps its limits, lets no device idle for nothing, and ends.
    #[test]
    fn limits_are_kept(
        name in prop::sample::select(names()),
        rule in any_rule(),
        tallies in any_tallies(12),
        devices in 1_u32..9,
        seed: u64,
    ) {
        let rule = rule::parse(rule).unwrap();
        let mut dice = Seed(seed).dice();
        let mut schedule = schedule(name);
        let mut stage = Stage::new(&*rule, devices, &tallies);
        let mut allowance: Vec<u32> = (0..).map(CandidateId).zip(&tallies)
            .map(|(id, _)| stage.open.get(&id).map_or(0, |candidate| candidate.wanted)).collect();
        let mut in_round = 0;
        while !stage.open.is_empty() {
            // Sometimes a driver asks for fewer runs than it could.
            while stage.flying.len() < devices as usize && (stage.flying.is_empty() || dice.chance(0.9)) {
                let fresh = stage.flying.is_empty();
                let spare = stage.open.values().any(|candidate| candidate.spare() > 0);
                let pick = stage.pick(&mut *schedule);
                prop_assert!(pick.is_some() || !fresh, "{} stands still", name);
                prop_assert!(pick.is_some() || name != "async" || !spare, "a device idles for nothing");
                if pick.is_none() {
                    break;
                }
                in_round = if fresh { 1 } else { in_round + 1 };
                prop_assert!(name == "async" || in_round <= devices, "{} runs in a round", in_round);
            }
            let outcome = any_outcome(&mut dice);
            let place = dice.index(stage.flying.len());
            let open = stage.open.contains_key(&stage.flying[place]);
            let id = stage.land(place, outcome);
            if open && outcome != Outcome::Inconclusive {
                let left = &mut allowance[usize::try_from(id.0).unwrap()];
                prop_assert!(*left > 0, "{:?} got more runs than it wanted", id);
                *left -= 1;
            }
            if dice.chance(0.05) {
                // The search moves on: candidates go and their runs are withdrawn.
                let gone: Vec<CandidateId> = stage.open.keys().copied().filter(|_| dice.chance(0.3)).collect();
                stage.open.retain(|id, _| !gone.contains(id));
                stage.flying.retain(|id| stage.open.contains_key(id));
            }
        }
    }

    /// A driver that fills all devices sees clean rounds: full ones, and nothing new until the last run ends.
    #[test]
    fn a_round_is_full_and_then_waits(
        name in prop::sample::select(names()[..4].to_vec()),
        rule in any_rule(),
        tallies in any_tallies(12),
        devices in 1_u32..20,
        seed: u64,
    ) {
        let rule = rule::parse(rule).unwrap();
        let mut dice = Seed(seed).dice();
        let mut schedule = schedule(name);
        let mut stage = Stage::new(&*rule, devices, &tallies);
        while !stage.open.is_empty() {
            let spare: u32 = stage.open.values().map(OpenCandidate::spare).sum();
            let runs: u32 = stage.fill(&mut *schedule, tallies.len()).iter().sum();
            prop_assert_eq!(runs, spare.min(devices));
            while !stage.flying.is_empty() {
                prop_assert_eq!(stage.pick(&mut *schedule), None);
                stage.land(dice.index(stage.flying.len()), any_outcome(&mut dice));
            }
        }
    }

    #[test]
    fn async_with_one_device_equals_sequential(rule in any_rule(), tallies in any_tallies(30), seed: u64) {
        let rule = rule::parse(rule).unwrap();
        let play = |schedule: &mut dyn Schedule| {
            let mut dice = Seed(seed).dice();
            let mut stage = Stage::new(&*rule, 1, &tallies);
            let mut order = Vec::new();
            while let Some(id) = stage.pick(schedule) {
                order.push(id);
                stage.land(0, any_outcome(&mut dice));
            }
            order
        };
        prop_assert_eq!(play(&mut Async::default()), play(&mut Sequential::default()));
    }

    /// With a rule `k/n`, the schedules give the runs that the pure functions of the tallies give.
    #[test]
    fn rounds_are_those_of_the_published_schedules(
        tallies in any_tallies(10),
        devices in 1_u32..20,
        least in 1_u32..=20,
        seed: u64,
    ) {
        let rule = Fixed::new(least, 20).unwrap();
        let setting = Setting::new(1, devices, 20, least).unwrap();
        // The pure functions stop as soon as one has passed; a reduction then makes a new board.
        let tallies: Vec<_> = tallies.into_iter().filter(|tally| !setting.has_passed(*tally)).collect();
        let given = Stage::new(&rule, devices, &tallies).fill(&mut Heuristic::default(), tallies.len());
        prop_assert_eq!(given, heuristic(&setting, &tallies, PROMISING));

        let mut dice = Seed(seed).dice();
        let mut stage = Stage::new(&rule, devices, &tallies);
        let (mut round_robin, mut cursor, mut tallies) = (RoundRobin::default(), 0, tallies);
        while !stage.open.is_empty() && tallies.iter().all(|tally| !setting.has_passed(*tally)) {
            let given = stage.fill(&mut round_robin, tallies.len());
            prop_assert_eq!(given, round_robin_from(&setting, &tallies, &mut cursor));
            while !stage.flying.is_empty() {
                let reached = dice.chance(0.8);
                let outcome = if reached { Outcome::Reached } else { Outcome::Missed };
                let id = stage.land(0, outcome);
                let tally = &mut tallies[usize::try_from(id.0).unwrap()];
                if reached { tally.0 += 1 } else { tally.1 += 1 }
            }
        }
    }
}
