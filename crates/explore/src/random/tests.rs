use std::collections::BTreeMap;

use proptest::prelude::*;
use retap_trace::{Key, Seed, Size};

use super::*;
use crate::sample::{LANE, View, any_screen, event, is_inside, lines, named, notes, screen};

fn random(seed: u64) -> Random {
    Random::new(RandomSettings::default(), Seed(seed).dice())
}

/// One that never restarts by itself.
fn steady(seed: u64) -> Random {
    Random::new(RandomSettings { restart: 0.0, longest: u32::MAX }, Seed(seed).dice())
}

#[test]
fn one_seed_is_one_run_for_ever() {
    let view = View::new(notes());
    let mut random = random(7);
    insta::assert_snapshot!("random_seed_7", lines((0..20).map(|_| random.next(LANE, &view.inside()))));
}

#[test]
fn traces_are_cut_by_chance_and_at_25_events() {
    const TRACES: u32 = 4_000;
    let view = View::new(notes());
    for seed in [1, 7, 23] {
        let mut random = random(seed);
        let (mut total, mut longest) = (0_u32, 0_u32);
        for _ in 0..TRACES {
            let mut events = 0;
            while random.next(LANE, &view.inside()) != Move::Restart {
                events += 1;
            }
            assert!(events <= 25, "seed {seed}: {events} events");
            total += events;
            longest += u32::from(events == 25);
        }
        // Tolerances are five standard deviations.
        // 0.95^25 of the traces are never cut by chance; the mean length is the sum of 0.95^k for k = 1..=25.
        let full = f64::from(longest) / f64::from(TRACES);
        assert!((full - 0.2774).abs() < 0.036, "seed {seed}: {full} of the traces are full");
        let mean = f64::from(total) / f64::from(TRACES);
        assert!((mean - 13.73).abs() < 0.73, "seed {seed}: {mean} events on average");
    }
}

#[test]
fn a_failure_state_is_left_at_once() {
    let view = View::new(notes());
    for seed in 0..50 {
        assert_eq!(steady(seed).next(LANE, &view.outside()), Move::Restart, "seed {seed}");
        let crashed = Sight { crashed: true, ..view.inside() };
        assert_eq!(steady(seed).next(LANE, &crashed), Move::Restart, "seed {seed}");
    }
}

#[test]
fn a_screen_that_offers_nothing_gets_eight_seconds_and_is_left() {
    let blocked = View::new(screen(Size { width: 100, height: 100 }, None));
    let notes = View::new(notes());
    for seed in 0..20 {
        let mut random = steady(seed);
        for _ in 0..8 {
            let waits = event(random.next(LANE, &blocked.inside()));
            assert_eq!(waits, Event::Wait { time: WAIT }, "seed {seed}");
        }
        let leaves = event(random.next(LANE, &blocked.inside()));
        assert!([Event::key(Key::BACK), Event::key(Key::MENU)].contains(&leaves), "seed {seed}: {leaves:?}");
        assert_eq!(random.events, 1, "seed {seed}: waits are no events");
        // A screen that comes in between gives all the time again.
        random.next(LANE, &notes.inside());
        let waits = event(random.next(LANE, &blocked.inside()));
        assert_eq!((waits, random.waits), (Event::Wait { time: WAIT }, 1), "seed {seed}");
    }
}

#[test]
fn a_start_by_the_driver_begins_a_new_count() {
    let view = View::new(notes());
    let settings = RandomSettings { restart: 0.0, longest: 3 };
    let mut random = Random::new(settings, Seed(1).dice());
    let started = Sight { reply: Reply::Started, ..view.inside() };
    let made: Vec<_> = [view.inside(), view.inside(), started, view.inside(), view.inside(), view.inside()]
        .iter()
        .map(|sight| random.next(LANE, sight) == Move::Restart)
        .collect();
    assert_eq!(made, [false, false, false, false, false, true]);
}

#[test]
fn every_action_is_equally_likely() {
    const EVENTS: u32 = 19_000;
    let view = View::new(notes());
    let offered = actions(&view.observation);
    for seed in [2, 7] {
        let mut random = steady(seed);
        let mut counts = BTreeMap::new();
        for _ in 0..EVENTS {
            let drawn = match event(random.next(LANE, &view.inside())) {
                Event::Text { widget, .. } => {
                    assert!(named(&view.observation, widget.as_ref()).1.class.ends_with("EditText"));
                    "text".to_owned()
                }
                other => serde_json::to_string(&other).unwrap(),
            };
            *counts.entry(drawn).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), offered.len(), "seed {seed}");
        // 1000 each; 155 are five standard deviations.
        assert!(counts.values().all(|count| (845..1_155).contains(count)), "seed {seed}: {counts:?}");
    }
}

proptest! {
    #[test]
    fn every_event_stays_on_the_screen(seen in any_screen(), seed: u64) {
        let view = View::new(seen);
        let mut random = random(seed);
        for _ in 0..100 {
            if let Move::Act(event) = random.next(LANE, &view.inside()) {
                prop_assert!(is_inside(&event, view.observation.screen), "seed {}: {:?}", seed, event);
            }
        }
    }

    #[test]
    fn the_same_sights_give_the_same_moves(screens in prop::collection::vec(any_screen(), 1..30), seed: u64) {
        let views: Vec<_> = screens.into_iter().map(View::new).collect();
        let run = || {
            let mut random = random(seed);
            views.iter().map(|view| random.next(LANE, &view.inside())).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(), run(), "seed {}", seed);
    }
}
