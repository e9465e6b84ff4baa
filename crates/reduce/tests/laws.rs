//! Laws that every reduction obeys, whatever the oracle: monotone or not, flaky or not, on one device or many.

mod devices;

use std::collections::BTreeMap;

use proptest::prelude::*;
use retap_reduce::rule::{self, Fixed};
use retap_reduce::schedule::{Async, Sequential};
use retap_reduce::search::{self, Material};
use retap_reduce::{
    Algorithm as _, Goal, Order, Outcome, Phase, Reducing as _, Reduction, ReductionEnding,
    ReductionSettings, Subset, Tally, Ticket,
};
use retap_trace::{Event, Header, Level, Seed, Seen, StateKey, Step, Target, Trace};

/// An app that exists only as numbers: which events are needed, how reliable they are, what else matters.
#[derive(Debug, Clone)]
struct World {
    events: u32,
    needed: Vec<u32>,
    /// How often the needed events do reach the target.
    rate: f64,
    /// An event that must be there whenever another one is: removing it alone breaks what works without both.
    tangle: Option<(u32, u32)>,
    /// How often a device fails.
    faults: f64,
    seed: u64,
}

impl World {
    fn run(&self, order: &Order) -> Outcome {
        let mut dice = Seed(self.seed).branch("run", order.ticket.0).dice();
        if dice.chance(self.faults) {
            return Outcome::Inconclusive;
        }
        if let Goal::Arrive(step) = order.goal {
            // Whether a trial arrives somewhere says nothing sure about the target: any answer must do.
            let arrives = order.subset.positions().map(u64::from).sum::<u64>() + u64::from(step);
            return if (arrives ^ self.seed).is_multiple_of(3) { Outcome::Missed } else { Outcome::Reached };
        }
        let tangled = self.tangle.is_some_and(|(a, b)| order.subset.has(a) && !order.subset.has(b));
        let reached = !tangled && self.reproduces(&order.subset) && dice.chance(self.rate);
        if reached { Outcome::Reached } else { Outcome::Missed }
    }

    fn reproduces(&self, subset: &Subset) -> bool {
        self.needed.iter().all(|&event| subset.has(event))
    }
}

/// How a world is reduced.
#[derive(Debug, Clone, Copy)]
struct How {
    search: &'static str,
    rule: (u32, u32),
    devices: u32,
}

fn how(rule: (u32, u32)) -> impl Strategy<Value = How> {
    (prop::sample::select(search::names()), 1_u32..6).prop_map(move |(search, devices)| How {
        search,
        rule,
        devices,
    })
}

fn reduction(world: &World, how: How) -> Reduction {
    let search = search::maker(how.search, &material(world), true).expect("the trace has states");
    Reduction::new(
        ReductionSettings { events: world.events, devices: how.devices, confirm_runs: 20, min_rate: None },
        search,
        Box::new(Fixed::new(how.rule.0, how.rule.1).expect("a rule that makes sense")),
        Box::<Sequential>::default(),
    )
}

/// A walk through a few screens, drawn from the seed. In every other world some looks were closer than others, as when
/// an explorer looks less often while nothing is new.
fn material(world: &World) -> Material {
    let mut dice = Seed(world.seed).branch("states", 0).dice();
    let adaptive = world.seed.is_multiple_of(2);
    let mut seen = |_| {
        let screen = dice.below(5);
        let full = (adaptive && dice.chance(0.4)).then_some(StateKey(screen * 2 + dice.below(2)));
        Seen { full, ..Seen::activity(format!("Screen{screen}")) }
    };
    let screens: Vec<Seen> = (0..=world.events).map(&mut seen).collect();
    let step = |pair: &[Seen]| Step {
        before: Some(pair[0].clone()),
        after: Some(pair[1].clone()),
        ..Step::new(Event::tap(1, 1))
    };
    let trace = Trace { header: Header::new("world"), steps: screens.windows(2).map(step).collect() };
    Material::of(&trace, &Target::AnyCrash, (!adaptive).then_some(Level::Activity))
}

/// Drives a reduction to its end with so many devices; runs end in an order drawn from the seed.
/// Returns the ending and everything it was told.
fn drive(world: &World, how: How) -> (Reduction, Vec<(Order, Outcome)>) {
    let mut reduction = reduction(world, how);
    let told =
        devices::drive(&mut reduction, how.devices as usize, world.seed, |order| world.run(order).into());
    let told = told.into_iter().map(|(order, ended)| (order, ended.outcome)).collect();
    (reduction, told)
}

fn world() -> impl Strategy<Value = World> {
    (2_u32..60).prop_flat_map(|events| {
        let needed = prop::collection::btree_set(0..events, 0..6);
        let tangle = prop::option::of((0..events, 0..events));
        let rate = prop_oneof![Just(1.0), Just(0.95), Just(0.7), Just(0.3)];
        (needed, tangle, rate, prop_oneof![Just(0.0), Just(0.2)], any::<u64>()).prop_map(
            move |(needed, tangle, rate, faults, seed)| World {
                events,
                needed: needed.into_iter().collect(),
                rate,
                tangle: tangle.filter(|(a, b)| a != b),
                faults,
                seed,
            },
        )
    })
}

proptest! {
    #[test]
    fn an_answer_was_confirmed_by_fresh_runs(world in world(), how in how((9, 10))) {
        let (reduction, told) = drive(&world, how);
        match reduction.ending().unwrap() {
            ReductionEnding::Reduced(answer) => {
                prop_assert!(answer.subset.len() <= world.events);
                let claim = answer.claim.unwrap();
                prop_assert_eq!(claim.runs(), 20);
                prop_assert_eq!(answer.below, claim.reached < 18);
                // The last 20 conclusive runs are of the answer itself and are the claim.
                let last: Vec<_> =
                    told.iter().rev().filter(|(_, outcome)| *outcome != Outcome::Inconclusive).take(20).collect();
                prop_assert!(last.iter().all(|(order, _)| order.subset == answer.subset));
                let reached = last.iter().filter(|(_, outcome)| *outcome == Outcome::Reached).count();
                prop_assert_eq!(reached, claim.reached as usize);
                // A batch that decided anything is not the claim, unless it was the first and without a miss.
                let claimed: Vec<_> = answer.batches.iter().filter(|batch| batch.claimed).collect();
                prop_assert_eq!(claimed.len(), 1);
                prop_assert!(answer.batches.len() > 1 || claim.missed == 0);
            }
            ReductionEnding::Refused { tally, needed } => {
                prop_assert!(needed.is_none() && tally.reached == 0 && tally.missed >= 12);
                prop_assert!(world.rate < 1.0, "a trace that always works is not refused");
            }
        }
    }

    #[test]
    fn deterministic_answers_are_one_minimal(mut world in world(), how in how((1, 1))) {
        world.rate = 1.0;
        let (reduction, _) = drive(&world, how);
        let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("reproduces always") };
        prop_assert_eq!(answer.retreats, 0);
        let tangled = |subset: &Subset| world.tangle.is_some_and(|(a, b)| subset.has(a) && !subset.has(b));
        for rank in 0..answer.subset.len() {
            let less = answer.subset.without(&(rank..rank + 1));
            prop_assert!(tangled(&less) || !world.reproduces(&less), "{:?} without {}", answer.subset, rank);
        }
    }

    #[test]
    fn no_run_is_bought_twice(world in world(), how in how((9, 10))) {
        let (_, told) = drive(&world, how);
        let mut spent: BTreeMap<(String, Goal, Subset), u32> = BTreeMap::new();
        for (order, outcome) in &told {
            if *outcome != Outcome::Inconclusive {
                let measured = order.measures;
                let why = if measured { order.label.clone() } else { "search".into() };
                *spent.entry((why, order.goal, order.subset.clone())).or_default() += 1;
            }
        }
        for ((why, _, subset), runs) in spent {
            let most = if why == "search" { 10 } else { 20 };
            prop_assert!(runs <= most, "{runs} runs of {subset:?} for {why}");
        }
    }

    #[test]
    fn the_same_results_give_the_same_orders(world in world(), how in how((9, 10))) {
        let (first, told) = drive(&world, how);
        let mut again = reduction(&world, how);
        let mut flying: BTreeMap<Ticket, Order> = BTreeMap::new();
        for (order, outcome) in &told {
            while flying.len() < how.devices as usize {
                let Some(order) = again.order() else { break };
                flying.insert(order.ticket, order);
            }
            let flown = flying.remove(&order.ticket);
            prop_assert_eq!(flown.as_ref(), Some(order));
            again.settle(order.ticket, &(*outcome).into());
            for ticket in again.withdraw() {
                flying.remove(&ticket);
            }
        }
        prop_assert_eq!(again.ending(), first.ending());
        prop_assert_eq!(again.counts(), first.counts());
    }
}

/// One device, and outcomes that depend on why a run was ordered.
fn drive_by_label(events: u32, rule: (u32, u32), outcome: impl Fn(&Order) -> Outcome) -> Reduction {
    let world = World { events, needed: vec![], rate: 1.0, tangle: None, faults: 0.0, seed: 0 };
    let mut reduction = reduction(&world, How { search: "ddmin", rule, devices: 1 });
    while let Some(order) = reduction.order() {
        reduction.settle(order.ticket, &outcome(&order).into());
    }
    reduction
}

#[test]
fn an_answer_that_fresh_runs_do_not_confirm_is_taken_back() {
    // Luck: the search ends with nothing, of which fresh runs fail; any two events do.
    let reduction = drive_by_label(30, (4, 5), |order| {
        let lucky = order.subset.len() >= 2 || order.subset.is_empty() && !order.label.starts_with("batch");
        if lucky { Outcome::Reached } else { Outcome::Missed }
    });
    let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("{reduction:?}") };
    assert_eq!((answer.subset.len(), answer.retreats), (2, 1), "the search goes on from where it stood");
    assert_eq!(answer.claim, Some(Tally::new(20, 0)));
    assert_eq!(answer.batches.len(), 3, "one that failed, one that decided, the claim");
    assert!(answer.batches[0].list.is_empty() && answer.batches[2].claimed);
}

#[test]
fn a_trace_that_stopped_working_is_told_with_figures() {
    let reduction = drive_by_label(30, (4, 5), |order| {
        let fresh = order.label.starts_with("batch") || order.label.starts_with("confirmation");
        if fresh { Outcome::Missed } else { Outcome::Reached }
    });
    let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("{reduction:?}") };
    assert_eq!((answer.claim, answer.below), (Some(Tally::new(0, 20)), true));
}

#[test]
fn only_a_trace_that_never_works_is_refused_unless_a_rate_is_asked_for() {
    let never = |min_rate, rate: f64| {
        let world = World { events: 30, needed: vec![3, 17], rate, tangle: None, faults: 0.0, seed: 5 };
        let settings = ReductionSettings { events: 30, devices: 1, confirm_runs: 20, min_rate };
        let search = search::maker("ddmin", &Material::list(30), false).expect("ddmin needs nothing");
        let rule = Box::new(Fixed::new(18, 20).expect("a rule that makes sense"));
        let mut reduction = Reduction::new(settings, search, rule, Box::<Sequential>::default());
        while reduction.phase() == Phase::Check {
            let order = reduction.order().expect("a check orders runs");
            reduction.settle(order.ticket, &world.run(&order).into());
        }
        reduction.ending().cloned()
    };
    assert_eq!(never(None, 0.5), None, "half the time is enough to go on");
    assert_eq!(never(None, 0.0), Some(ReductionEnding::Refused { tally: Tally::new(0, 12), needed: None }));
    assert_eq!(never(Some(0.2), 0.5), None);
    let Some(ReductionEnding::Refused { tally, needed: Some((18, 20)) }) = never(Some(0.9), 0.5) else {
        panic!("0.5 is less than 0.9")
    };
    assert_eq!(tally.missed, 3, "it stops as soon as 18 of 20 are out of reach");
}

/// What luck picks under a rule that believes one run, fresh runs undo: the reduction starts over under a stricter
/// rule and ends with what is needed.
#[test]
fn a_flaky_trace_is_doubted() {
    // Events 3 and 17 always work together; 3 alone works half the time, and the whole trace always does.
    let works = |order: &Order| {
        let mut dice = Seed(9).branch("run", order.ticket.0).dice();
        order.subset.has(3) && (order.subset.has(17) || dice.chance(0.5))
    };
    let search = search::maker("ddmin", &Material::list(30), false).expect("ddmin needs nothing");
    let rule = |text: &str| rule::parse(text).expect("a good rule");
    let settings = ReductionSettings { events: 30, devices: 1, confirm_runs: 20, min_rate: None };
    let mut reduction =
        Reduction::new(settings, search, rule("1/1"), Box::<Sequential>::default()).doubting(|whole| {
            assert_eq!(whole, Tally::new(20, 0), "its rate is measured first");
            rule::parse("18/20").expect("a good rule")
        });
    while let Some(order) = reduction.order() {
        let outcome = if works(&order) { Outcome::Reached } else { Outcome::Missed };
        reduction.settle(order.ticket, &outcome.into());
    }
    let Some(ReductionEnding::Reduced(answer)) = reduction.ending() else { panic!("{reduction:?}") };
    assert_eq!(answer.subset, Subset::from_positions([3, 17]));
    assert_eq!((answer.claim, reduction.rule()), (Some(Tally::new(20, 0)), "18/20".to_owned()));
}

/// A trace that holds 7 times in 10 cannot have a shorter one that holds 9 times in 10: it is asked for less.
#[test]
fn no_more_is_asked_than_the_whole_trace_holds() {
    let runs = |seed: u64, asked: fn(Tally) -> f64| {
        let works = |order: &Order| {
            let lucky = Seed(seed).branch("run", order.ticket.0).dice().chance(0.7);
            order.subset.has(3) && order.subset.has(17) && lucky
        };
        let search = search::maker("ddmin", &Material::list(30), false).expect("ddmin needs nothing");
        let rule = |text: &str| rule::parse(text).expect("a good rule");
        let settings = ReductionSettings { events: 30, devices: 1, confirm_runs: 20, min_rate: None };
        let mut reduction = Reduction::new(settings, search, rule("1/1"), Box::<Sequential>::default())
            .doubting(move |whole| rule::parse(&format!("bayes:{:.3}@0.97", asked(whole))).expect("a rule"));
        while let Some(order) = reduction.order() {
            let outcome = if works(&order) { Outcome::Reached } else { Outcome::Missed };
            reduction.settle(order.ticket, &outcome.into());
        }
        match reduction.ending() {
            Some(ReductionEnding::Reduced(answer)) => answer.subset.clone(),
            other => panic!("7 in 10 is not refused: {other:?}"),
        }
    };
    let needed = Subset::from_positions([3, 17]);
    let found = |asked| (0..40).filter(|seed| runs(*seed, asked) == needed).count();
    let (by_its_own, by_a_fixed_rate) = (found(rule::asked), found(|_| 0.9));
    assert!(by_its_own >= 15 && by_a_fixed_rate < 5, "{by_its_own} and {by_a_fixed_rate} of 40");
}

/// Runs that reach their target often end sooner than those that miss. Under a rule that stops early, the order in
/// which runs end must not make a bad candidate pass.
#[test]
fn quick_successes_do_not_crowd_out_slow_failures() {
    const DEVICES: usize = 20;
    let passes = |seed: u64, by_speed: bool| {
        // The whole trace always works; nothing at all works half the time.
        let outcome = |order: &Order| {
            let lucky = Seed(seed).branch("run", order.ticket.0).dice().chance(0.5);
            if !order.subset.is_empty() || lucky { Outcome::Reached } else { Outcome::Missed }
        };
        let settings = ReductionSettings { events: 1, devices: 20, confirm_runs: 1, min_rate: None };
        let search = search::maker("ddmin", &Material::list(1), false).expect("ddmin needs nothing");
        let rule = rule::parse("bayes:0.9@0.97").expect("a good rule");
        let mut reduction = Reduction::new(settings, search, rule, Box::<Async>::default());
        let mut flying: Vec<Order> = Vec::new();
        while !reduction.over() {
            while flying.len() < DEVICES {
                let Some(order) = reduction.order() else { break };
                flying.push(order);
            }
            let first = flying.iter().position(|order| by_speed && outcome(order) == Outcome::Reached);
            let order = flying.remove(first.unwrap_or(0));
            reduction.settle(order.ticket, &outcome(&order).into());
            let withdrawn = reduction.withdraw();
            flying.retain(|order| !withdrawn.contains(&order.ticket));
            if reduction.phase() == Phase::Confirm {
                return reduction.best().is_empty();
            }
        }
        false
    };
    let count = |by_speed: bool| (0..300).filter(|seed| passes(*seed, by_speed)).count();
    assert_eq!(count(true), count(false), "who ends first decides");
}
