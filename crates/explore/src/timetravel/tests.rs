use proptest::prelude::*;
use retap_trace::Seed;

use super::model::{App, World};
use super::*;
use crate::{RestartMonkey, Separate, SystemMonkey, SystemMonkeySettings};

fn ms(seed: u64) -> Box<dyn Explorer> {
    let make = move |lane: Lane| -> Box<dyn Explorer> {
        Box::new(SystemMonkey::new(
            SystemMonkeySettings::default(),
            Seed(seed).branch("lane", u64::from(lane.0)),
        ))
    };
    Box::new(Separate::new(make))
}

fn mr(seed: u64) -> Box<dyn Explorer> {
    let make = move |lane: Lane| -> Box<dyn Explorer> {
        let source =
            SystemMonkey::new(SystemMonkeySettings::default(), Seed(seed).branch("lane", u64::from(lane.0)));
        Box::new(RestartMonkey::new(StuckSettings::default(), Box::new(source)))
    };
    Box::new(Separate::new(make))
}

fn timetravel(settings: TimeTravelSettings, seed: u64) -> TimeTravel {
    TimeTravel::new(settings, ms(seed))
}

fn with_budget(snapshots: usize) -> TimeTravelSettings {
    TimeTravelSettings { snapshots, ..TimeTravelSettings::default() }
}

#[test]
fn time_travel_gets_out_of_traps_where_monkey_does_not() {
    const LENGTH: usize = 7;
    let app = App::trapped_way(LENGTH);
    // How many of ten seeds get to the end.
    let far = |make: &dyn Fn(u64) -> Box<dyn Explorer>| {
        let mut ends = 0;
        for seed in 1..=10 {
            let world = World { seed, ..World::default() };
            let reached = world.run(&app, &mut *make(seed), 20_000).reached;
            ends += u32::from(reached.contains(&(LENGTH - 1)));
        }
        ends
    };
    for selection in [Selection::NEIGHBOURHOOD, Selection::Own] {
        let settings = TimeTravelSettings { selection, ..TimeTravelSettings::default() };
        assert_eq!(far(&|seed| Box::new(timetravel(settings, seed))), 10, "time travel, {selection:?}");
    }
    assert_eq!(far(&ms), 0, "monkey stays in the first trap");
    assert!(far(&mr) <= 1, "from scratch, the way is too long");
}

#[test]
fn lanes_share_what_they_find() {
    const LENGTH: usize = 7;
    let app = App::trapped_way(LENGTH);
    for seed in 1..=5 {
        let world = World { lanes: 8, seed, ..World::default() };
        let outcome = world.run(&app, &mut timetravel(TimeTravelSettings::default(), seed), 4_000);
        assert!(outcome.reached.contains(&(LENGTH - 1)), "seed {seed}: {:?}", outcome.reached);
        let saves = outcome.moves.iter().filter(|(_, made)| *made == Move::Save).count();
        assert_eq!(saves, outcome.reached.len(), "seed {seed}: no state is saved twice");
    }
}

#[test]
fn without_coverage_new_states_are_enough() {
    let app = App::trapped_way(7);
    let world = World { coverage: false, ..World::default() };
    let reached = world.run(&app, &mut timetravel(TimeTravelSettings::default(), 3), 20_000).reached;
    assert!(reached.contains(&6), "{reached:?}");
}

#[test]
fn without_snapshots_it_begins_anew() {
    let app = App::trapped_way(7);
    let world = World { room: 0, ..World::default() };
    let outcome = world.run(&app, &mut timetravel(TimeTravelSettings::default(), 3), 5_000);
    let saves = outcome.moves.iter().filter(|(_, made)| *made == Move::Save).count();
    assert_eq!(saves, REFUSALS as usize, "it stops asking");
    assert_eq!(outcome.restores, 0);
    assert!(outcome.restarts > 10, "{} restarts", outcome.restarts);
    let none = World::default().run(&app, &mut timetravel(with_budget(0), 3), 5_000);
    assert!(none.restarts > 10 && none.most_saves == 0);
}

#[test]
fn where_the_device_has_less_room_the_least_promising_save_goes() {
    let app = App::trapped_way(7);
    let world = World { room: 3, ..World::default() };
    let outcome = world.run(&app, &mut timetravel(TimeTravelSettings::default(), 3), 20_000);
    assert_eq!(outcome.most_saves, 3);
    assert!(outcome.moves.iter().any(|(_, made)| matches!(made, Move::Forget(_))));
    assert!(outcome.reached.contains(&6), "{:?}", outcome.reached);
}

#[test]
fn a_crash_leads_back_to_a_save() {
    let app = App::crashing_way(4);
    let outcome = World::default().run(&app, &mut timetravel(TimeTravelSettings::default(), 5), 30_000);
    assert!(outcome.crashes > 3, "{} crashes", outcome.crashes);
    assert_eq!(outcome.restarts, 0);
}

#[test]
fn a_save_that_does_not_hold_is_dropped() {
    let app = App::trapped_way(4);
    let world = World { loss: 1.0, ..World::default() };
    let outcome = world.run(&app, &mut timetravel(TimeTravelSettings::default(), 2), 10_000);
    let of = |wanted: fn(&Move) -> bool| outcome.moves.iter().filter(|(_, made)| wanted(made)).count();
    let (saved, forgotten) = (of(|made| *made == Move::Save), of(|made| matches!(made, Move::Forget(_))));
    assert!(saved > 0 && forgotten == saved, "{saved} saved, {forgotten} forgotten");
    assert_eq!(outcome.restores as usize, 3 * saved);
    assert!(outcome.restarts > 0, "afterwards it starts over");
}

#[test]
fn old_looks_teach_nothing() {
    let app = App::trapped_way(4);
    let mut explorer = timetravel(TimeTravelSettings::default(), 2);
    let world = World { window: u32::MAX, ..World::default() };
    let outcome = world.run(&app, &mut explorer, 2_000);
    assert_eq!(outcome.restores + outcome.restarts, 0, "it cannot know that it is stuck");
    assert_eq!(explorer.states.len(), 1);
    let rarely = World { window: 4, ..World::default() };
    let reached =
        rarely.run(&App::trapped_way(5), &mut timetravel(TimeTravelSettings::default(), 2), 40_000).reached;
    assert!(reached.contains(&4), "{reached:?}");
}

#[test]
fn the_first_moves_for_ever() {
    let app = App::trapped_way(5);
    let world = World { lanes: 2, ..World::default() };
    let outcome = world.run(&app, &mut timetravel(with_budget(2), 7), 2_000);
    let travels = outcome.moves.iter().enumerate().filter(|(_, (_, made))| !matches!(made, Move::Act(_)));
    let lines: Vec<_> =
        travels.take(40).map(|(nth, (lane, made))| format!("{nth}: lane {lane} {made:?}")).collect();
    insta::assert_snapshot!("timetravel_seed_7", lines.join("\n"));
}

#[test]
fn a_stop_of_its_source_is_a_stop_and_a_restart_is_a_journey() {
    struct Restless(u32);
    impl Explorer for Restless {
        fn name(&self) -> &'static str {
            "restless"
        }
        fn next(&mut self, _: Lane, _: &Sight<'_>) -> Move {
            self.0 += 1;
            if self.0 < 3 { Move::Restart } else { Move::Stop }
        }
    }
    let view = crate::sample::View::keyed(crate::sample::notes(), 1);
    let mut explorer = TimeTravel::new(TimeTravelSettings::default(), Box::new(Restless(0)));
    let lane = Lane(0);
    let save = SaveId(9);
    let with = |reply| Sight { reply, ..view.inside() };
    assert_eq!(explorer.next(lane, &with(Reply::Started)), Move::Save);
    assert_eq!(explorer.next(lane, &with(Reply::Saved(save))), Move::Restore(save));
    assert_eq!(explorer.next(lane, &with(Reply::Refused)), Move::Restart, "there is no other save");
    assert_eq!(explorer.next(lane, &with(Reply::Started)), Move::Restore(save), "another chance");
    assert_eq!(explorer.next(lane, &with(Reply::Restored(save))), Move::Stop);
}

/// Any app in any world. The driver in `model` checks claims, and that nothing is restored or forgotten that is not
/// there.
fn any_run() -> impl Strategy<Value = (App, World, TimeTravelSettings)> {
    let world = (
        1..=8_u32,
        0..12_usize,
        prop::sample::select(vec![0.0, 0.1, 0.5]),
        1..4_u32,
        any::<bool>(),
        any::<u64>(),
    );
    let stuck = (1..8_usize, 0..30_u32);
    let own = any::<bool>();
    (world, 2..25_usize, any::<u64>(), stuck, own, 0..8_usize).prop_map(
        |(world, states, app, stuck, own, snapshots)| {
            let (lanes, room, loss, window, coverage, seed) = world;
            let stuck = StuckSettings { length: stuck.0, no_progress: stuck.1, ..StuckSettings::default() };
            let selection = if own { Selection::Own } else { Selection::NEIGHBOURHOOD };
            let settings =
                TimeTravelSettings { stuck, selection, snapshots, ..TimeTravelSettings::default() };
            (App::any(states, app), World { lanes, room, loss, window, coverage, seed }, settings)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_budget_holds_and_one_seed_is_one_run((app, world, settings) in any_run()) {
        let run = || world.run(&app, &mut timetravel(settings, world.seed), 400);
        let outcome = run();
        prop_assert!(outcome.most_saves <= settings.snapshots, "{} saves", outcome.most_saves);
        prop_assert_eq!(&outcome, &run());
    }
}
