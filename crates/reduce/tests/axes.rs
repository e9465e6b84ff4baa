//! Every rule with every schedule through whole reductions.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;
use retap_mdp::{Policy, Prior, Setting, solve};
use retap_reduce::search::Ddmin;
use retap_reduce::{
    Algorithm as _, Order, Outcome, Reducing as _, Reduction, ReductionEnding, ReductionSettings, Ticket,
    rule, schedule,
};
use retap_trace::{Dice, Seed};

const RULES: [&str; 4] = ["1/1", "18/20", "sprt:0.8,0.95,0.2,0.1", "bayes:0.9@0.97"];

/// Events that are all needed, and how often they reach the target.
#[derive(Debug, Clone)]
struct World {
    events: u32,
    needed: Vec<u32>,
    rate: f64,
    seed: u64,
}

/// The other choices.
#[derive(Debug, Clone, Copy)]
struct Choice {
    rule: &'static str,
    schedule: &'static str,
    devices: u32,
}

impl World {
    fn run(&self, order: &Order) -> Outcome {
        let mut dice = Seed(self.seed).branch("run", order.ticket.0).dice();
        let works = self.needed.iter().all(|&event| order.subset.has(event));
        if works && dice.chance(self.rate) { Outcome::Reached } else { Outcome::Missed }
    }
}

fn policy(devices: u32) -> Result<Arc<Policy>, String> {
    let setting = Setting::new(2, devices, 20, 18).map_err(|error| error.to_string())?;
    let solved = solve(setting, &Prior::recovered(), NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(()));
    solved.map(Arc::new).map_err(|error| error.to_string())
}

/// Reduces; says how it ended and which runs were ordered.
fn reduce(world: &World, choice: Choice) -> (ReductionEnding, Vec<Order>) {
    let mut reduction = Reduction::new(
        ReductionSettings { events: world.events, devices: choice.devices, confirm_runs: 20, min_rate: None },
        Box::new(|base| Box::new(Ddmin::new(base, 5))),
        rule::parse(choice.rule).expect("a rule"),
        schedule::parse(choice.schedule, || policy(choice.devices)).expect("a schedule"),
    );
    let mut dice: Dice = Seed(world.seed).branch("order", 0).dice();
    let (mut flying, mut ordered) = (BTreeMap::<Ticket, Order>::new(), Vec::new());
    while reduction.ending().is_none() {
        while flying.len() < choice.devices as usize {
            let Some(order) = reduction.order() else { break };
            ordered.push(order.clone());
            flying.insert(order.ticket, order);
        }
        let lands =
            *flying.keys().nth(dice.index(flying.len())).expect("an open reduction has runs under way");
        let order = flying.remove(&lands).expect("it flies");
        reduction.settle(lands, &world.run(&order).into());
        reduction.withdraw().iter().for_each(|ticket| drop(flying.remove(ticket)));
        assert!(ordered.len() < 100_000, "a reduction ends: {world:?} {choice:?}");
    }
    (reduction.ending().expect("it is over").clone(), ordered)
}

fn any_world() -> impl Strategy<Value = World> {
    (2_u32..60).prop_flat_map(|events| {
        let needed = prop::collection::btree_set(0..events, 0..5);
        let rate = prop_oneof![Just(1.0), Just(0.97), Just(0.7)];
        (needed, rate, any::<u64>()).prop_map(move |(needed, rate, seed)| World {
            events,
            needed: needed.into_iter().collect(),
            rate,
            seed,
        })
    })
}

fn any_choice() -> impl Strategy<Value = Choice> {
    let names = prop::sample::select(schedule::names());
    (prop::sample::select(RULES.to_vec()), names, 1_u32..8).prop_map(|(rule, schedule, devices)| Choice {
        rule,
        schedule,
        devices,
    })
}

proptest! {
    #[test]
    fn what_always_works_is_reduced_to_what_it_needs(world in any_world(), choice in any_choice()) {
        let world = World { rate: 1.0, ..world };
        let (ReductionEnding::Reduced(answer), _) = reduce(&world, choice) else { panic!("it always works") };
        prop_assert_eq!(answer.subset.positions().collect::<Vec<_>>(), world.needed);
    }

    #[test]
    fn what_is_flaky_ends_with_figures(world in any_world(), choice in any_choice()) {
        let least = rule::parse(choice.rule).unwrap().least_confirmed(20);
        match reduce(&world, choice).0 {
            ReductionEnding::Reduced(answer) => {
                let claim = answer.claim.unwrap();
                prop_assert_eq!(claim.runs(), 20);
                prop_assert_eq!(answer.below, claim.reached < least, "{:?}", answer);
            }
            ReductionEnding::Refused { tally, needed } => {
                prop_assert!(needed.is_none() && tally.reached == 0 && tally.missed >= 12, "{tally:?}");
            }
        }
    }

    #[test]
    fn async_with_one_device_is_sequential(world in any_world(), rule in prop::sample::select(RULES.to_vec())) {
        let with = |schedule| reduce(&world, Choice { rule, schedule, devices: 1 });
        prop_assert_eq!(with("async"), with("sequential"));
    }
}
