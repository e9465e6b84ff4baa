use retap_lab::{Deadlines, Oracle};
use retap_reduce::{EventRun, Outcome as Run, Ticket};
use retap_sim::SimDevice;
use retap_trace::{Event, Level, Target};

use super::world::{CalibrationWorld, ChanceKind};
use super::*;

#[test]
fn the_exact_rate_is_what_many_runs_show() {
    for (number, kind) in (0..).zip(ChanceKind::ALL.into_iter().cycle().take(12)) {
        let world = CalibrationWorld::new(kind, 0.7, Seed(number), "calib.app").expect("a world");
        let events: Vec<Event> = world.trace.events().cloned().collect();
        // The whole recording, and what is left when every fifth event goes; that may reach nothing.
        let some = events.iter().enumerate().filter(|(at, _)| at % 5 != 2).map(|(_, event)| event.clone());
        for events in [events.clone(), some.collect()] {
            let exact = world.rate(&events).expect("sound devices");
            let mut device = SimDevice::open(world.trace.header.device.as_ref().expect("a device"), &|_| {
                Ok(world.text.clone())
            })
            .expect("a good specification");
            let oracle = Oracle {
                trace: world.trace.clone().into(),
                target: Target::AnyCrash,
                level: Level::Activity,
                seed: Seed(9),
                deadlines: Deadlines::default(),
                strict: false,
            };
            let reached = (0..1000).filter(|run| {
                let play =
                    EventRun { ticket: Ticket(*run), events: events.clone().into(), label: String::new() };
                oracle.play(&mut device, &play, &|| false).ended.outcome == Run::Reached
            });
            let seen = f64::from(u32::try_from(reached.count()).expect("few")) / 1000.0;
            assert!((seen - exact).abs() < 0.06, "{kind:?} {number}: {seen} of 1, not {exact}");
        }
    }
}

#[test]
fn the_rate_depends_on_what_is_kept() {
    for (kind, more) in [
        (ChanceKind::Last, false),
        (ChanceKind::Tries, true),
        (ChanceKind::Worn, true),
        (ChanceKind::Notice, true),
    ] {
        let rates: Vec<f64> = (0..8)
            .map(|number| {
                let world = CalibrationWorld::new(kind, 0.5, Seed(number), "calib.app").expect("a world");
                world.rate(&world.trace.events().cloned().collect::<Vec<_>>()).expect("sound devices")
            })
            .collect();
        assert_eq!(rates.iter().any(|rate| *rate > 0.6), more, "{kind:?}: {rates:?}");
        assert!(rates.iter().all(|rate| *rate > 0.49), "{kind:?}: {rates:?}");
    }
}

#[test]
fn every_rate_rule_and_search_stands_in_several_groups() {
    let often = |same: &dyn Fn(&Group) -> bool| GROUPS.iter().filter(|group| same(group)).count();
    for group in GROUPS {
        assert!(often(&|other| other.rate.to_bits() == group.rate.to_bits()) >= 3, "{group:?}");
        assert!(often(&|other| other.rule == group.rule) >= 2, "{group:?}");
        let plain = |group: &Group| group.search.trim_end_matches("+1");
        assert!(often(&|other| plain(other) == plain(&group)) >= 2, "{group:?}");
        assert_eq!(often(&|other| *other == group), 1, "{group:?}");
    }
    for search in retap_reduce::search::names() {
        assert!(GROUPS.iter().any(|group| group.search.trim_end_matches("+1") == search), "{search}");
    }
}

#[test]
fn rows_count_what_is_refused_and_what_falls_short() {
    let claim = Claim { estimate: 1.0, low: 0.83, high: 1.0, exact: 0.8, length: 3, short: true };
    let covered = Claim { exact: 0.9, short: false, ..claim };
    let outcomes = [None, Some(claim), Some(covered)].map(|claim| TrialOutcome { claim, runs: 5 });
    let row = Row::of("some".to_owned(), &outcomes);
    assert_eq!((row.reductions, row.refused, row.short, row.runs), (3, 1, 1, 5));
    assert!((row.covered - 0.5).abs() < 1e-12 && (row.error - 0.15).abs() < 1e-12, "{row:?}");
    assert_eq!(
        [within(0.3), within(0.99), within(1.0)],
        ["exactly 0.25 to 0.45", "exactly 0.93 to 1.00", "exactly 1"]
    );
}
