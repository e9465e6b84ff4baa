//! Laws that every reduction obeys, whatever the oracle: monotone or not, flaky or not, on one device or many.

use std::collections::BTreeMap;

use proptest::prelude::*;
use retap_reduce::rule::{self, Fixed};
use retap_reduce::schedule::{Async, Sequential};
use retap_reduce::search::{self, Material};
use retap_reduce::{Ending, Goal, Inquiry as _, Order, Outcome, Phase, Reduction, Settings, Subset, Ticket};
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
    (prop::sample::select(&search::NAMES[..]), 1_u32..6).prop_map(move |(search, devices)| How {
        search,
        rule,
        devices,
    })
}

fn reduction(world: &World, how: How) -> Reduction {
    let search = search::parse(how.search, &material(world), true).expect("the trace has states");
    Reduction::new(
        Settings { events: world.events, devices: how.devices, confirm_runs: 20, min_rate: None },
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
    let mut dice = Seed(world.seed).branch("order", 0).dice();
    let mut flying: BTreeMap<Ticket, Order> = BTreeMap::new();
    let mut told = Vec::new();
    while reduction.ending().is_none() {
        while flying.len() < how.devices as usize {
            let Some(order) = reduction.order() else { break };
            flying.insert(order.ticket, order);
        }
        let lands =
            *flying.keys().nth(dice.index(flying.len())).expect("an open reduction has runs under way");
        let order = flying.remove(&lands).expect("it flies");
        let outcome = world.run(&order);
        reduction.told(order.ticket, &outcome);
        told.push((order, outcome));
        for ticket in reduction.withdraw() {
            assert!(flying.remove(&ticket).is_some(), "only what flies is withdrawn");
        }
        assert!(told.len() < 200_000, "a reduction ends: {world:?}");
    }
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
            Ending::Reduced(answer) => {
                prop_assert!(answer.subset.len() <= world.events);
                prop_assert!(answer.confirmed.reached >= 18, "{:?}", answer.confirmed);
                prop_assert_eq!(answer.confirmed.runs(), 20);
                // The last 20 conclusive runs are of the answer itself and are the confirmation.
                let last: Vec<_> =
                    told.iter().rev().filter(|(_, outcome)| *outcome != Outcome::Inconclusive).take(20).collect();
                prop_assert!(last.iter().all(|(order, _)| order.subset == answer.subset));
            }
            Ending::Refused { tally, needed } => {
                prop_assert!(tally.missed > needed.1 - needed.0);
                prop_assert!(world.rate < 1.0, "a trace that always works is not refused");
            }
        }
    }

    #[test]
    fn deterministic_answers_are_one_minimal(mut world in world(), how in how((1, 1))) {
        world.rate = 1.0;
        let (reduction, _) = drive(&world, how);
        let Some(Ending::Reduced(answer)) = reduction.ending() else { panic!("reproduces always") };
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
                let measured = order.label.starts_with("check") || order.label.starts_with("confirmation");
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
            again.told(order.ticket, outcome);
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
        reduction.told(order.ticket, &outcome(&order));
    }
    reduction
}

#[test]
fn an_answer_that_fresh_runs_do_not_confirm_is_taken_back() {
    // Luck: every trial of the search succeeds, so it ends with nothing; fresh runs of nothing fail.
    let reduction = drive_by_label(30, (4, 5), |order| {
        let lucky = !order.label.starts_with("confirmation") || !order.subset.is_empty();
        if lucky { Outcome::Reached } else { Outcome::Missed }
    });
    let Some(Ending::Reduced(answer)) = reduction.ending() else { panic!("{reduction:?}") };
    assert_eq!((answer.subset.len(), answer.retreats, answer.confirmed.reached), (30, 1, 20));
}

#[test]
fn a_trace_that_stopped_working_is_refused_with_figures() {
    let reduction = drive_by_label(30, (4, 5), |order| {
        if order.label.starts_with("confirmation") { Outcome::Missed } else { Outcome::Reached }
    });
    let Some(Ending::Refused { tally, needed }) = reduction.ending() else { panic!("{reduction:?}") };
    assert_eq!((tally.reached, tally.missed, *needed), (5, 5, (16, 20)));
}

#[test]
fn a_trace_that_works_half_the_time_is_refused_before_the_search() {
    let world = World { events: 30, needed: vec![3, 17], rate: 0.5, tangle: None, faults: 0.0, seed: 5 };
    let (reduction, told) = drive(&world, How { search: "ddmin", rule: (18, 20), devices: 3 });
    let Some(Ending::Refused { tally, needed: (15, 20) }) = reduction.ending() else {
        panic!("{reduction:?}")
    };
    assert!(
        tally.missed == 6 && told.len() <= 22,
        "it stops as soon as 15 of 20 are out of reach: {tally:?}"
    );
}

#[test]
fn the_least_rate_of_the_whole_trace_can_be_set() {
    let world = World { events: 30, needed: vec![3, 17], rate: 0.5, tangle: None, faults: 0.0, seed: 5 };
    let begin = |min_rate| {
        let settings = Settings { events: 30, devices: 1, confirm_runs: 20, min_rate };
        let search = search::parse("ddmin", &Material::list(30), false).expect("ddmin needs nothing");
        let rule = Box::new(Fixed::new(18, 20).expect("a rule that makes sense"));
        let mut reduction = Reduction::new(settings, search, rule, Box::<Sequential>::default());
        while reduction.phase() == Phase::Check {
            let order = reduction.order().expect("a check orders runs");
            reduction.told(order.ticket, &world.run(&order));
        }
        reduction.ending().is_none()
    };
    assert!(!begin(None) && !begin(Some(0.9)) && begin(Some(0.2)));
}

/// What luck picks under a rule that believes one run, fresh runs undo: the reduction begins anew under a stricter
/// rule and ends with what is needed.
#[test]
fn a_flaky_trace_escalates() {
    // Events 3 and 17 always work together; 3 alone works half the time, and the whole trace always does.
    let works = |order: &Order| {
        let mut dice = Seed(9).branch("run", order.ticket.0).dice();
        order.subset.has(3) && (order.subset.has(17) || dice.chance(0.5))
    };
    let material = Material::list(30);
    let search = || search::parse("ddmin", &material, false).expect("ddmin needs nothing");
    let rule = |least, runs| Box::new(Fixed::new(least, runs).expect("a rule that makes sense"));
    let settings = Settings { events: 30, devices: 1, confirm_runs: 20, min_rate: None };
    let mut reduction = Reduction::new(settings, search(), rule(1, 1), Box::<Sequential>::default())
        .escalating(rule(18, 20), search());
    while let Some(order) = reduction.order() {
        let outcome = if works(&order) { Outcome::Reached } else { Outcome::Missed };
        reduction.told(order.ticket, &outcome);
    }
    let Some(Ending::Reduced(answer)) = reduction.ending() else { panic!("{reduction:?}") };
    assert_eq!(answer.subset, Subset::from_positions([3, 17]));
    assert_eq!((answer.confirmed.reached, reduction.rule().to_string()), (20, "18/20".to_owned()));
}

/// A trace that holds 7 times in 10 cannot have a shorter one that holds 9 times in 10: it is asked for less.
#[test]
fn no_more_is_asked_than_the_whole_trace_holds() {
    let runs = |anchored: bool, seed: u64| {
        let works = |order: &Order| {
            let lucky = Seed(seed).branch("run", order.ticket.0).dice().chance(0.7);
            order.subset.has(3) && order.subset.has(17) && lucky
        };
        let search = search::parse("ddmin", &Material::list(30), false).expect("ddmin needs nothing");
        let rule = |text: &str| rule::parse(text).expect("a good rule");
        let settings = Settings { events: 30, devices: 1, confirm_runs: 20, min_rate: Some(0.5) };
        let mut reduction =
            Reduction::new(settings, search, rule("bayes:0.9@0.97"), Box::<Sequential>::default());
        if anchored {
            reduction = reduction.anchored(|checked| {
                let own = f64::from(checked.reached) / f64::from(checked.runs());
                (own < 0.9).then(|| rule::parse("bayes:0.5@0.97").expect("a good rule"))
            });
        }
        while let Some(order) = reduction.order() {
            let outcome = if works(&order) { Outcome::Reached } else { Outcome::Missed };
            reduction.told(order.ticket, &outcome);
        }
        match reduction.ending() {
            Some(Ending::Reduced(answer)) => Some(answer.subset.clone()),
            _ => None,
        }
    };
    let needed = Some(Subset::from_positions([3, 17]));
    let found = |anchored| (0..40).filter(|seed| runs(anchored, *seed) == needed).count();
    assert!(found(true) >= 20 && found(false) <= 5, "{} and {}", found(true), found(false));
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
        let settings = Settings { events: 1, devices: 20, confirm_runs: 1, min_rate: None };
        let search = search::parse("ddmin", &Material::list(1), false).expect("ddmin needs nothing");
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
            reduction.told(order.ticket, &outcome(&order));
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
