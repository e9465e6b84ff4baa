//! Hides the events that are needed among others that are not.

use retap_explore::{Explorer as _, Lane, Monkey, MonkeySettings, Move, Reply, Sight};
use retap_model::Keyer;
use retap_trace::{Event, Key, Observation, Seed};

use crate::bugs::Bug;
use crate::play::Phone;

/// A stroll is no longer than this.
const LONGEST_STROLL: usize = 5;

/// A list of at least so many events that ends in the crash of a bug: its minimal list, with what Monkey would do
/// thrown in at random places. It stays in if the crash still comes with the last event, and not before.
pub(crate) fn hide(bug: &Bug, length: usize, seed: Seed) -> Vec<Event> {
    let mut phone = Phone::new(bug.sure_spec());
    let mut dice = seed.branch("places", 0).dice();
    let mut events = bug.events();
    let mut tried = 0;
    while events.len() < length {
        tried += 1;
        let (before, after) = events.split_at(dice.index(events.len()));
        let strolls = if dice.chance(0.5) { 1 + dice.index(LONGEST_STROLL) } else { 0 };
        let noise = noise(&mut phone, before, strolls, seed.branch("noise", tried));
        let louder = [before, &noise, after].concat();
        let still = phone.run(&louder, 1).filter(|(_, played)| *played == louder.len());
        if still.is_some_and(|(crash, _)| *crash.signature.0 == *bug.signature) {
            events = louder;
        }
    }
    events
}

/// What Monkey does after these events: one blind event, or so many aimed ones and the way back.
fn noise(phone: &mut Phone, before: &[Event], strolls: usize, seed: Seed) -> Vec<Event> {
    let settings = MonkeySettings { aware: strolls > 0, ..MonkeySettings::default() };
    let mut monkey = Monkey::new(settings, seed.dice());
    let mut events = before.to_vec();
    for _ in 0..strolls.max(1) {
        let seen = phone.look_after(&events);
        events.push(choice(&mut monkey, &seen));
    }
    if strolls > 0 {
        events.push(Event::key(Key::BACK));
    }
    events.split_off(before.len())
}

fn choice(monkey: &mut Monkey, seen: &Observation) -> Event {
    let keys = Keyer::default().seen(seen);
    let sight = Sight {
        observation: seen,
        keys: &keys,
        fresh: true,
        at: retap_trace::Micros::ZERO,
        reply: Reply::Done,
        in_front: true,
        new_coverage: None,
        crashed: false,
    };
    match monkey.next(Lane(0), &sight) {
        Move::Act(event) => event,
        other => panic!("Monkey never does {other:?}"),
    }
}
