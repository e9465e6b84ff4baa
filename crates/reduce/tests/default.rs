//! Laws of the default reducer, whatever the oracle: monotone or not, flaky or not, on one device or many.

mod devices;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use retap_reduce::auto::{Ahead, Auto, AutoSettings};
use retap_reduce::search::Material;
use retap_reduce::{
    Algorithm as _, Ended, Order, Outcome, Reducing as _, ReductionEnding, Subset, Tally, Ticket,
};
use retap_trace::{Event, Header, Seed, Seen, Step, Target, Trace};

/// An app that exists only as numbers.
#[derive(Debug, Clone)]
struct World {
    events: u32,
    needed: Vec<u32>,
    /// How often the needed events do reach the target.
    rate: f64,
    /// An event that must be there whenever another one is.
    tangle: Option<(u32, u32)>,
    /// How often a device fails.
    faults: f64,
    /// Whether the trace has states.
    states: bool,
    seed: u64,
}

impl World {
    fn run(&self, order: &Order) -> Ended {
        let mut dice = Seed(self.seed).branch("run", order.ticket.0).dice();
        let outcome = if dice.chance(self.faults) {
            Outcome::Inconclusive
        } else if self.reaches(&order.subset) && dice.chance(self.rate) {
            Outcome::Reached
        } else {
            Outcome::Missed
        };
        // The target is reached with the last event that it needs.
        let last = self.needed.last().copied().unwrap_or(0);
        let performed = order.subset.positions().filter(|event| *event <= last).count();
        let events = if outcome == Outcome::Reached { performed } else { order.subset.len() as usize };
        Ended { outcome, events: u32::try_from(events).expect("small") }
    }

    fn reaches(&self, list: &Subset) -> bool {
        let tangled = self.tangle.is_some_and(|(a, b)| list.has(a) && !list.has(b));
        !tangled && self.needed.iter().all(|event| list.has(*event))
    }

    fn reduction(&self) -> Ahead {
        let settings = AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false };
        Ahead::new(Auto::new(&self.material(), settings))
    }

    fn material(&self) -> Material {
        if !self.states {
            return Material::list(self.events);
        }
        let mut dice = Seed(self.seed).branch("states", 0).dice();
        let screens: Vec<Seen> =
            (0..=self.events).map(|_| Seen::activity(format!("Screen{}", dice.below(5)))).collect();
        let step = |pair: &[Seen]| Step {
            before: Some(pair[0].clone()),
            after: Some(pair[1].clone()),
            ..Step::new(Event::tap(1, 1))
        };
        let trace = Trace { header: Header::new("world"), steps: screens.windows(2).map(step).collect() };
        Material::of(&trace, &Target::AnyCrash, None)
    }
}

/// Drives a reduction to its end with so many devices; runs end in an order drawn from the seed.
fn drive(world: &World, devices: usize) -> (Ahead, Vec<(Order, Ended)>) {
    let mut reduction = world.reduction();
    let told = devices::drive(&mut reduction, devices, world.seed, |order| world.run(order));
    (reduction, told)
}

/// What these runs showed.
fn tally<'a>(told: impl Iterator<Item = &'a (Order, Ended)>) -> Tally {
    let mut tally = Tally::default();
    told.for_each(|(_, ended)| tally.add(ended.outcome));
    tally
}

fn world() -> impl Strategy<Value = World> {
    (1_u32..60).prop_flat_map(|events| {
        let needed = prop::collection::btree_set(0..events, 0..6);
        let tangle = prop::option::of((0..events, 0..events));
        let rate = prop_oneof![Just(1.0), Just(0.95), Just(0.7), Just(0.3)];
        let faults = prop_oneof![Just(0.0), Just(0.2)];
        (needed, tangle, rate, faults, any::<bool>(), any::<u64>()).prop_map(
            move |(needed, tangle, rate, faults, states, seed)| World {
                events,
                needed: needed.into_iter().collect(),
                rate,
                tangle: tangle.filter(|(a, b)| a != b),
                faults,
                states,
                seed,
            },
        )
    })
}

proptest! {
    #[test]
    fn what_always_works_ends_one_minimal(mut world in world(), devices in 1_usize..6) {
        world.rate = 1.0;
        let (reduction, _) = drive(&world, devices);
        let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("reproduces always") };
        prop_assert!(world.reaches(&answer.subset), "{:?}", answer.subset);
        prop_assert_eq!(answer.claim, Some(Tally::new(20, 0)));
        for rank in 0..answer.subset.len() {
            let less = answer.subset.without(&(rank..rank + 1));
            prop_assert!(less.is_empty() || !world.reaches(&less), "{:?} without {rank}", answer.subset);
        }
    }

    #[test]
    fn a_claim_is_of_fresh_runs_that_chose_nothing(world in world(), devices in 1_usize..6) {
        let (reduction, told) = drive(&world, devices);
        match reduction.ending().expect("it is over") {
            ReductionEnding::Reduced(answer) => {
                let claim = answer.claim.expect("it was asked for");
                prop_assert_eq!(claim.runs(), 20);
                let claimed: Vec<_> = answer.batches.iter().filter(|batch| batch.claimed).collect();
                prop_assert_eq!(claimed.len(), 1);
                prop_assert!(claimed[0].tally == claim && claimed[0].list == answer.subset);
                // A batch that might have sent the search on is not the claim.
                prop_assert!(answer.batches.len() > 1 || claim.missed == 0);
                let all = tally(told.iter().filter(|(order, _)| order.subset == answer.subset));
                prop_assert_eq!(answer.known(), all, "no run of the answer is left out");
                let mut used = BTreeSet::new();
                for batch in &answer.batches {
                    prop_assert!(batch.runs.iter().all(|ticket| used.insert(*ticket)), "no run is in two batches");
                    let runs = told.iter().filter(|(order, _)| batch.runs.contains(&order.ticket));
                    prop_assert!(runs.clone().all(|(order, _)| order.subset == batch.list));
                    prop_assert_eq!(tally(runs), batch.tally);
                }
                if devices == 1 {
                    // Since the claim began only the answer was run, and what is left of it without two neighbours.
                    let since = told.iter().skip_while(|(order, _)| order.ticket != claimed[0].runs[0]);
                    for (order, _) in since {
                        prop_assert!(order.subset.minus(&answer.subset).is_empty());
                        prop_assert!([0, 2].contains(&(answer.subset.len() - order.subset.len())));
                    }
                }
            }
            ReductionEnding::Refused { tally, needed } => {
                prop_assert!(needed.is_none() && tally.reached == 0 && tally.missed >= 12, "{tally:?}");
                prop_assert!(world.rate < 1.0, "a trace that always works is not refused");
            }
        }
    }

    #[test]
    fn the_same_results_give_the_same_orders(world in world(), devices in 1_usize..6) {
        let (first, told) = drive(&world, devices);
        let mut again = world.reduction();
        let mut flying: BTreeMap<Ticket, Order> = BTreeMap::new();
        for (order, ended) in &told {
            while flying.len() < devices {
                let Some(order) = again.order() else { break };
                flying.insert(order.ticket, order);
            }
            let flown = flying.remove(&order.ticket);
            prop_assert_eq!(flown.as_ref(), Some(order));
            again.settle(order.ticket, ended);
            for ticket in again.withdraw() {
                flying.remove(&ticket);
            }
        }
        prop_assert_eq!(again.ending(), first.ending());
        prop_assert_eq!(again.counts(), first.counts());
    }

    #[test]
    fn one_device_runs_nothing_ahead(world in world()) {
        let world = World { faults: 0.0, ..world };
        let (reduction, told) = drive(&world, 1);
        let settings = AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false };
        let mut auto = Auto::new(&world.material(), settings);
        for (order, ended) in &told {
            prop_assert_eq!(auto.wanted().map(|wanted| wanted.list), Some(order.subset.clone()));
            auto.settle(ended.reached());
        }
        match (auto.ending(), reduction.ending()) {
            (Some(ReductionEnding::Reduced(one)), Some(ReductionEnding::Reduced(other))) => {
                prop_assert_eq!((&one.subset, one.claim, one.retreats), (&other.subset, other.claim, other.retreats));
            }
            (one, other) => prop_assert_eq!(one, other),
        }
        prop_assert_eq!(reduction.counts().withdrawn, 0);
    }
}

#[test]
fn a_rate_that_is_asked_for_is_measured_first() {
    let material = Material::list(30);
    for (rate, refused) in [(0.9, true), (0.2, false)] {
        let settings = AutoSettings { confirm_runs: 20, min_rate: Some(rate), claim_later: false };
        let mut auto = Auto::new(&material, settings);
        let mut runs = 0;
        while auto.ending().is_none() {
            let wanted = auto.wanted().expect("it is not over");
            auto.settle((wanted.list.has(3) && runs % 2 == 0).then(|| wanted.list.len()));
            runs += 1;
        }
        let Some(ending) = auto.ending() else { unreachable!() };
        assert_eq!(
            matches!(ending, ReductionEnding::Refused { needed: Some((18, 20)), .. }),
            refused,
            "{ending:?}"
        );
    }
}

#[test]
fn what_never_works_is_refused_whatever_rate_is_asked_for() {
    for events in 1..4 {
        let settings = AutoSettings { confirm_runs: 20, min_rate: Some(0.0), claim_later: false };
        let mut auto = Auto::new(&Material::list(events), settings);
        for _ in 0..100 {
            auto.settle(None);
        }
        assert!(matches!(auto.ending(), Some(ReductionEnding::Refused { .. })), "{events} events");
    }
}

/// Hits end at once, misses late. What is withdrawn while it is under way would have been misses.
#[test]
fn quick_hits_do_not_stand_in_for_slow_misses() {
    let (mut claimed, mut true_rate) = (0.0, 0.0);
    for seed in 0..400 {
        let rate = 0.6;
        let needed = |order: &Order| order.subset.has(3);
        let mut reduction = Ahead::new(Auto::new(
            &Material::list(12),
            AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false },
        ));
        let mut flying: Vec<(Order, bool)> = Vec::new();
        while !reduction.over() {
            while flying.len() < 8 {
                let Some(order) = reduction.order() else { break };
                let hit = needed(&order) && Seed(seed).branch("run", order.ticket.0).dice().chance(rate);
                flying.push((order, hit));
            }
            let quick = flying.iter().position(|(_, hit)| *hit).unwrap_or(0);
            let (order, hit) = flying.remove(quick);
            let outcome = if hit { Outcome::Reached } else { Outcome::Missed };
            reduction.settle(order.ticket, &Ended { outcome, events: order.subset.len() });
            let withdrawn = reduction.withdraw();
            flying.retain(|(order, _)| !withdrawn.contains(&order.ticket));
        }
        if let Some(ReductionEnding::Reduced(answer)) = reduction.ending() {
            let claim = answer.claim.expect("it was asked for");
            claimed += f64::from(claim.reached) / f64::from(claim.runs());
            true_rate += if answer.subset.has(3) { rate } else { 0.0 };
        }
    }
    assert!((claimed - true_rate).abs() / 400.0 < 0.02, "{claimed} claimed, {true_rate} true");
}

/// The first three events reach the target half of the time, each; the last two together always. A short list that is
/// found first must not be the answer.
#[test]
fn a_reliable_way_is_preferred_to_an_unreliable_one() {
    let steps = (0..5).map(|at| Step::new(Event::tap(at, 1))).collect();
    let trace = Trace { header: Header::new("world"), steps };
    let material = Material::of(&trace, &Target::AnyCrash, None);
    let mut found = 0;
    for seed in 0..40 {
        let settings = AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false };
        let mut auto = Auto::new(&material, settings);
        let mut dice = Seed(seed).branch("run", 0).dice();
        while let Some(wanted) = auto.wanted() {
            // A run ends with the crash.
            let lucky = (0..3).filter(|event| wanted.list.has(*event)).position(|_| dice.chance(0.5));
            let sure = (wanted.list.has(3) && wanted.list.has(4)).then(|| wanted.list.len());
            auto.settle(lucky.map(|rank| u32::try_from(rank + 1).expect("few")).or(sure));
        }
        let Some(ReductionEnding::Reduced(answer)) = auto.ending() else {
            panic!("the whole list always works")
        };
        found += u32::from(answer.subset == Subset::from_positions([3, 4]));
    }
    assert!(found >= 30, "{found} of 40");
}

/// Short traces of which nothing is reliable: the whole list looks like a repair each time, and the search started over
/// without end.
#[test]
fn a_search_does_not_start_over_for_ever() {
    let short = World {
        events: 4,
        needed: vec![0],
        rate: 0.7,
        tangle: Some((3, 0)),
        faults: 0.0,
        states: false,
        seed: 197_763,
    };
    let states = World {
        events: 7,
        needed: vec![3, 5, 6],
        tangle: None,
        states: true,
        seed: 178_403,
        ..short.clone()
    };
    for (world, devices) in [(short, 5), (states, 3)] {
        let mut reduction = world.reduction();
        let told = devices::drive(&mut reduction, devices, world.seed, |order| world.run(order));
        assert!(told.len() < 1000, "{} runs of {world:?}", told.len());
    }
}
