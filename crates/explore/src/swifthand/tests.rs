use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use retap_trace::{Key, Seed, Size};

use super::toy::{Outcome, Room, Touch, Toy, sight, view};
use super::*;
use crate::explorer::SaveId;
use crate::sample::{LANE, View, any_screen, event, is_inside, lines, notes, screen};

fn swifthand(seed: u64) -> SwiftHand {
    SwiftHand::new(SwiftHandSettings::default(), Seed(seed).dice())
}

/// Rooms that all look different, each with so many buttons.
fn rooms(count: u64, buttons: usize) -> Vec<Room> {
    (0..count).map(|look| Room { look, buttons }).collect()
}

/// A house: button 0 leads a room on, back leads a room back, at last outside; the rest does nothing.
fn house(rooms: usize) -> impl Fn(usize, Touch) -> Outcome {
    move |room, touch| match touch {
        Touch::Click(0) => Outcome::Room((room + 1).min(rooms - 1)),
        Touch::Back => room.checked_sub(1).map_or(Outcome::Leave, Outcome::Room),
        Touch::Click(_) | Touch::Long(_) | Touch::Menu => Outcome::Room(room),
    }
}

/// A trap in each room: only one of five buttons leads on, the others lead back to the start.
fn traps(room: usize, touch: Touch) -> Outcome {
    match touch {
        Touch::Click(button) if button == room % 5 => Outcome::Room((room + 1).min(11)),
        _ => Outcome::Room(0),
    }
}

fn done(ways: &[toy::Way]) -> BTreeMap<(usize, Touch), u32> {
    let mut counts = BTreeMap::new();
    for step in ways.iter().flatten() {
        *counts.entry(*step).or_default() += 1;
    }
    counts
}

#[test]
fn one_seed_is_one_run_for_ever() {
    let view = View::new(notes());
    let mut swifthand = swifthand(7);
    insta::assert_snapshot!("swifthand_seed_7", lines((0..20).map(|_| swifthand.next(LANE, &view.inside()))));
}

#[test]
fn everything_in_a_small_app_gets_tried() {
    let go = house(6);
    let toy = Toy::new(&rooms(6, 3), &go);
    let touches = [Touch::Back, Touch::Menu].into_iter();
    let touches = touches.chain((0..3).map(Touch::Click)).chain((0..3).map(Touch::Long));
    let all: BTreeSet<_> = touches.flat_map(|touch| (0..6).map(move |room| (room, touch))).collect();
    for seed in 0..20 {
        let ways = toy.explore(&mut swifthand(seed), 250);
        let tried: BTreeSet<_> = done(&ways).into_keys().collect();
        let left: Vec<_> = all.difference(&tried).collect();
        assert!(left.is_empty(), "seed {seed}: {left:?} were never tried");
    }
}

#[test]
fn it_finds_its_way_through_traps() {
    // A random walk gets through with one try in 12^11.
    let toy = Toy::new(&rooms(12, 5), &traps);
    for seed in 0..20 {
        let ways = toy.explore(&mut swifthand(seed), 1_500);
        assert!(done(&ways).keys().any(|(room, _)| *room == 11), "seed {seed}: the last room was not found");
    }
}

#[test]
fn rooms_that_only_look_the_same_are_told_apart() {
    // Three clicks on what seems to be one screen open the last room; everything else resets the count.
    let alike: Vec<_> = (0..4).map(|room| Room { look: u64::from(room == 3), buttons: 2 }).collect();
    let go = |room: usize, touch| match touch {
        Touch::Click(1) => Outcome::Room((room + 1).min(3)),
        _ => Outcome::Room(0),
    };
    let toy = Toy::new(&alike, &go);
    for seed in 0..20 {
        let mut swifthand = swifthand(seed);
        toy.explore(&mut swifthand, 3_000);
        let ways = toy.explore(&mut swifthand, 1_000);
        let in_last =
            done(&ways).iter().filter(|((room, _), _)| *room == 3).map(|(_, count)| count).sum::<u32>();
        assert!(swifthand.learner.rebuilds() > 0, "seed {seed}");
        assert!(in_last > 0, "seed {seed}: it never comes to the last room");
    }
}

#[test]
fn a_way_is_cut_after_15_events() {
    let go = |room, touch| match house(6)(room, touch) {
        Outcome::Leave => Outcome::Room(0),
        other => other,
    };
    let toy = Toy::new(&rooms(6, 3), &go);
    for seed in 0..20 {
        let ways = toy.explore(&mut swifthand(seed), 1_600);
        let (_, whole) = ways.split_last().unwrap();
        assert_eq!(whole.len(), 100, "seed {seed}");
        assert!(whole.iter().all(|way| way.len() == 15), "seed {seed}: it stops for nothing");
    }
}

#[test]
fn what_fails_is_not_done_again() {
    let go = |room, touch| match touch {
        Touch::Click(1) => Outcome::Crash,
        Touch::Click(2) => Outcome::Leave,
        other => house(4)(room, other),
    };
    let toy = Toy::new(&rooms(4, 3), &go);
    for seed in 0..20 {
        let counts = done(&toy.explore(&mut swifthand(seed), 2_000));
        for failing in (0..4).flat_map(|room| [(room, Touch::Click(1)), (room, Touch::Click(2))]) {
            assert_eq!(counts.get(&failing), Some(&1), "seed {seed}: {failing:?}");
        }
        assert_eq!(counts[&(0, Touch::Back)], 1, "seed {seed}");
    }
}

#[test]
fn a_restart_leads_out_of_a_dead_end() {
    // Button 1 leads to a room that nothing leads out of.
    let go = |room, touch| match (room, touch) {
        (5, _) | (_, Touch::Click(1)) => Outcome::Room(5),
        (_, other) => house(5)(room, other),
    };
    let toy = Toy::new(&rooms(6, 2), &go);
    for seed in 0..20 {
        let ways = toy.explore(&mut swifthand(seed), 600);
        for room in 0..5 {
            assert!(done(&ways).contains_key(&(room, Touch::Click(1))), "seed {seed}: room {room}");
        }
        assert!(ways.iter().filter(|way| way.is_empty()).count() <= 1, "seed {seed}: restarts in a row");
    }
}

#[test]
fn a_screen_that_offers_nothing_gets_eight_seconds_and_is_left() {
    let blocked = View::new(screen(Size { width: 100, height: 100 }, None));
    let notes = View::new(notes());
    for seed in 0..20 {
        let mut swifthand = swifthand(seed);
        for _ in 0..8 {
            let waits = event(swifthand.next(LANE, &blocked.inside()));
            assert_eq!(waits, Event::Wait { time: WAIT }, "seed {seed}");
        }
        let leaves = event(swifthand.next(LANE, &blocked.inside()));
        assert!([Event::key(Key::BACK), Event::key(Key::MENU)].contains(&leaves), "seed {seed}: {leaves:?}");
        assert_eq!(swifthand.events, 1, "seed {seed}: waits are no events");
        // A screen that comes in between gives all the time again.
        swifthand.next(LANE, &notes.inside());
        let waits = event(swifthand.next(LANE, &blocked.inside()));
        assert_eq!((waits, swifthand.waits), (Event::Wait { time: WAIT }, 1), "seed {seed}");
    }
}

#[test]
fn an_app_that_begins_with_nothing_to_touch_is_explored() {
    // A dialog of a picture alone: back closes it, menu does nothing.
    let mut rooms = rooms(6, 2);
    rooms[0].buttons = 0;
    let go = |room, touch| match (room, touch) {
        (0, Touch::Back) => Outcome::Room(1),
        (0, _) => Outcome::Room(0),
        (_, other) => house(6)(room, other),
    };
    let toy = Toy::new(&rooms, &go);
    for seed in 0..20 {
        let seen = done(&toy.explore(&mut swifthand(seed), 2_000));
        for room in 1..6 {
            assert!(seen.contains_key(&(room, Touch::Click(0))), "seed {seed}: room {room}");
        }
    }
}

/// What the explorer has learned of the first state: its action and the looks that came of it.
fn learned(swifthand: &SwiftHand) -> Vec<(Name, LookId)> {
    let map = swifthand.learner.map();
    map.model.state(StateId(1)).edges.iter().map(|edge| (edge.name, edge.look)).collect()
}

#[test]
fn an_action_leads_to_what_is_seen_after_the_waiting() {
    let (first, second) = (view(Room { look: 1, buttons: 1 }), view(Room { look: 2, buttons: 1 }));
    let blocked = View::new(screen(Size { width: 100, height: 100 }, None));
    let mut swifthand = swifthand(1);
    swifthand.next(LANE, &Sight { reply: Reply::Started, ..blocked.inside() });
    swifthand.next(LANE, &sight(&first));
    let name = swifthand.done.unwrap();
    swifthand.next(LANE, &blocked.inside());
    swifthand.next(LANE, &sight(&second));
    assert_eq!(learned(&swifthand), [(name, LookId(2))]);
    assert_eq!(swifthand.learner.start(), Some(StateId(1)), "the first screen that offers something");
}

#[test]
fn a_crash_is_learned_however_it_is_told() {
    let first = view(Room { look: 1, buttons: 3 });
    for reply in [Reply::Done, Reply::Started] {
        let mut swifthand = swifthand(1);
        swifthand.next(LANE, &sight(&first));
        let name = swifthand.done.unwrap();
        let made = swifthand.next(LANE, &Sight { reply, crashed: true, ..sight(&first) });
        assert_eq!(learned(&swifthand), [(name, LookId::FAILURE)], "{reply:?}");
        // A driver that has restarted the app need not be asked for it.
        assert_eq!(made == Move::Restart, reply == Reply::Done, "{reply:?}");
    }
    let mut swifthand = swifthand(1);
    let at_launch = Sight { reply: Reply::Started, crashed: true, ..sight(&first) };
    assert_eq!(swifthand.next(LANE, &at_launch), Move::Restart);
}

#[test]
fn another_app_in_front_is_the_fault_of_what_was_done() {
    let first = view(Room { look: 1, buttons: 3 });
    for (reply, failed) in [(Reply::Done, 1), (Reply::Started, 0), (Reply::Refused, 0)] {
        let mut swifthand = swifthand(1);
        swifthand.next(LANE, &sight(&first));
        let outside = Sight { reply, in_front: false, ..sight(&first) };
        assert_eq!(swifthand.next(LANE, &outside), Move::Restart, "{reply:?}");
        assert_eq!(learned(&swifthand).len(), failed, "{reply:?}");
    }
}

#[test]
fn what_was_not_done_teaches_nothing() {
    let (first, second) = (view(Room { look: 1, buttons: 1 }), view(Room { look: 2, buttons: 1 }));
    let replies = [Reply::Started, Reply::Refused, Reply::Saved(SaveId(1)), Reply::Restored(SaveId(1))];
    for reply in replies {
        for next in [&first, &second] {
            let mut swifthand = swifthand(1);
            swifthand.next(LANE, &sight(&first));
            let made = swifthand.next(LANE, &Sight { reply, ..sight(next) });
            assert!(matches!(made, Move::Act(_)), "{reply:?}");
            assert_eq!(learned(&swifthand), [], "{reply:?}");
        }
    }
}

#[test]
fn a_long_exploration_stays_small() {
    const MOVES: usize = 20_000;
    // 2000 rooms, 500 looks: much looks the same and is not.
    let rooms: Vec<_> = (0..2_000)
        .map(|room| Room { look: room % 500, buttons: usize::try_from(room % 5 + 1).unwrap() })
        .collect();
    let go = |room: usize, touch| match touch {
        Touch::Back => {
            if room == 0 {
                Outcome::Leave
            } else {
                Outcome::Room(room / 3)
            }
        }
        Touch::Menu => Outcome::Room(room),
        Touch::Click(button) => Outcome::Room((room * 3 + button) % 2_000),
        Touch::Long(button) => {
            if button == 3 {
                Outcome::Crash
            } else {
                Outcome::Room((room + 1) % 2_000)
            }
        }
    };
    let toy = Toy::new(&rooms, &go);
    let mut swifthand = swifthand(7);
    let ways = toy.explore(&mut swifthand, MOVES);
    let visited: BTreeSet<_> = done(&ways).into_keys().map(|(room, _)| room).collect();
    assert!(visited.len() > 500, "{}", visited.len());
    // 9/8 to the power of 85 is more than 20,000; the first few rebuilds need less.
    assert!((1..100).contains(&swifthand.learner.rebuilds()), "{}", swifthand.learner.rebuilds());
}

proptest! {
    #[test]
    fn every_event_stays_on_the_screen(seen in any_screen(), seed: u64) {
        let view = View::new(seen);
        let mut swifthand = swifthand(seed);
        for _ in 0..100 {
            if let Move::Act(event) = swifthand.next(LANE, &view.inside()) {
                prop_assert!(is_inside(&event, view.observation.screen), "seed {}: {:?}", seed, event);
            }
        }
    }

    // All screens have one key here, and yet offer different things: nothing may be done that is not there.
    #[test]
    fn the_same_sights_give_the_same_moves(screens in prop::collection::vec(any_screen(), 1..60), seed: u64) {
        let views: Vec<_> = screens.into_iter().map(View::new).collect();
        let run = || {
            let mut swifthand = swifthand(seed);
            views.iter().map(|view| swifthand.next(LANE, &view.inside())).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(), run(), "seed {}", seed);
    }

    #[test]
    fn any_app_is_explored_without_restarts_in_a_row(
        moves in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.9, 0..8_usize), 8), 8),
        looks in prop::collection::vec(0..5_u64, 8),
        seed: u64,
    ) {
        let rooms: Vec<_> = looks.iter().map(|&look| Room { look, buttons: 3 }).collect();
        let go = |room: usize, touch| {
            let index = match touch {
                Touch::Back => 0,
                Touch::Menu => 1,
                Touch::Click(button) => 2 + button,
                Touch::Long(button) => 5 + button,
            };
            moves[room][index].map_or(Outcome::Crash, Outcome::Room)
        };
        let ways = Toy::new(&rooms, &go).explore(&mut swifthand(seed), 500);
        let (_, whole) = ways.split_last().unwrap();
        prop_assert!(whole.iter().all(|way| !way.is_empty() && way.len() <= 15), "seed {}", seed);
    }
}
