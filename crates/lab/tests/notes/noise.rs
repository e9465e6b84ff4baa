//! Hides the events that are needed among others that are not.

use retap_explore::{Explorer as _, Monkey, MonkeySettings, Move, Reply, Sight};
use retap_model::Keyer;
use retap_trace::{Dice, Event, Observation, Seed};

use crate::bugs::Bug;
use crate::play::Phone;

/// A list of so many events that ends in the crash of a bug: its minimal list, with what Monkey would do thrown in
/// at random places. An event stays in if the crash still comes with the last event, and not before.
pub(crate) fn hide(bug: &Bug, length: usize, seed: Seed) -> Vec<Event> {
    let mut phone = Phone::new(bug.sure_spec());
    let mut dice = seed.branch("places", 0).dice();
    let mut events = bug.events();
    let mut tried = 0;
    while events.len() < length {
        let place = dice.index(events.len());
        let seen = phone.look_after(&events[..place]);
        tried += 1;
        let event = noise(&seen, &mut dice, seed.branch("noise", tried));
        events.insert(place, event);
        let last = events.len();
        let still = phone.run(&events, 1).filter(|(_, played)| *played == last);
        if still.is_none_or(|(crash, _)| *crash.signature.0 != *bug.signature) {
            events.remove(place);
        }
    }
    events
}

/// What Monkey does on this screen; every other time it aims at widgets.
fn noise(seen: &Observation, dice: &mut Dice, seed: Seed) -> Event {
    let settings = MonkeySettings { aware: dice.chance(0.5), ..MonkeySettings::default() };
    let keys = Keyer::default().seen(seen);
    let sight = Sight {
        observation: seen,
        keys: &keys,
        reply: Reply::Done,
        in_front: true,
        new_coverage: None,
        crashed: false,
    };
    match Monkey::new(settings, seed.dice()).next(&sight) {
        Move::Act(event) => event,
        other => panic!("Monkey never does {other:?}"),
    }
}
