use proptest::prelude::*;
use retap_trace::{Aim, Aiming, Dice, Micros, Point, Seed, Selector};

use super::*;
use crate::rule;

/// Drives a shrinker against an oracle to its end; gives the answer and every trace that was run.
fn play(
    mut shrinker: ValueShrinker,
    devices: usize,
    mut reaches: impl FnMut(&[Event]) -> bool,
) -> (ValueShrinker, Vec<Arc<[Event]>>) {
    let (mut flying, mut tried) = (VecDeque::new(), Vec::new());
    loop {
        if shrinker.stale() {
            shrinker.refreshed(None);
        }
        if shrinker.over() {
            break;
        }
        while flying.len() < devices {
            let Some(order) = shrinker.order() else { break };
            flying.push_back(order);
        }
        let order: EventRun = flying.pop_front().expect("not over, so something runs");
        let outcome = if reaches(&order.events) { Outcome::Reached } else { Outcome::Missed };
        tried.push(order.events);
        shrinker.settle(order.ticket, &outcome.into());
        let withdrawn = shrinker.withdraw();
        flying.retain(|order| !withdrawn.contains(&order.ticket));
    }
    (shrinker, tried)
}

fn shrinker(events: Vec<Event>, text: &str) -> ValueShrinker {
    let claim = Tally::new(20, 0);
    let given = Given { events, touches: Vec::new(), known: claim, claim: Some(claim), rooted: false };
    ValueShrinker::new(given, (rule::parse(text).unwrap(), rule::parse(text).unwrap()), 20)
}

fn tap(name: &str) -> Event {
    let widget = Selector { text: Some(name.into()), ..Selector::default() };
    Event::Tap(Aim { at: Point::new(5, 5), widget: Some(widget), by: Aiming::Place })
}

fn wait(time: u64) -> Event {
    Event::Wait { time: Micros::from_millis(time) }
}

#[test]
fn nothing_to_simplify_costs_nothing() {
    let given = vec![Event::tap(3, 4), Event::Launch, Event::key(retap_trace::Key::BACK)];
    let (done, tried) = play(shrinker(given, "1/1"), 4, |_| panic!("nothing may be run"));
    assert_eq!((done.changed(), done.claim(), tried.len()), (false, Some(Tally::new(20, 0)), 0));
}

#[test]
fn each_value_becomes_as_simple_as_it_can() {
    let swipe = Event::Swipe {
        aim: Aim::place(Point::new(100, 800)),
        to: Point::new(100, 0),
        over: Micros::from_millis(300),
    };
    let given = vec![tap("Add"), wait(8000), Event::text("shopping list"), swipe];
    let long_enough = |event: &Event| match event {
        Event::Wait { time } => *time >= Micros::from_millis(900),
        Event::Text { text, .. } => text.contains('p') && text.contains('l'),
        Event::Swipe { to, .. } => to.y <= 500,
        _ => true,
    };
    let all = |events: &[Event]| events.len() == 4 && events.iter().all(long_enough);
    let (done, tried) = play(shrinker(given, "1/1"), 1, all);
    let Event::Tap(aim) = &done.best()[0] else { panic!("still a tap") };
    assert_eq!((aim.by, aim.at), (Aiming::Widget, Point::new(5, 5)), "both are kept");
    assert_eq!(done.best()[1], wait(1000));
    let Event::Text { text, .. } = &done.best()[2] else { panic!("still a text") };
    assert_eq!(text, "pl");
    assert!(matches!(done.best()[3], Event::Swipe { to: Point { y: 400, .. }, .. }), "{:?}", done.best()[3]);
    assert_eq!(done.claim(), Some(Tally::new(20, 0)));
    assert!(tried.len() < 80, "{} runs", tried.len());
}

#[test]
fn a_text_that_does_not_matter_becomes_empty() {
    let given = vec![Event::text("shopping list"), Event::tap(1, 1)];
    let (done, tried) = play(shrinker(given, "1/1"), 1, |events| events.len() == 2);
    assert_eq!(done.best()[0], Event::text(""));
    assert!(tried.len() <= 1 + 2 + 20, "{} runs", tried.len());
}

#[test]
fn widgets_are_tried_all_at_once_then_one_by_one() {
    let given = vec![tap("One"), tap("Two"), tap("Three")];
    let (_, tried) = play(shrinker(given.clone(), "1/1"), 1, |_| true);
    assert_eq!(tried.len(), 1 + 3 + 20, "one trial, three events dropped, the confirmation");
    let place = |event: &Event| event.aim().is_some_and(|aim| aim.by == Aiming::Place);
    let (done, _) = play(shrinker(given, "1/1"), 1, |events| events.len() == 3 && place(&events[1]));
    let by: Vec<bool> = done.best().iter().map(place).collect();
    assert_eq!(by, [false, true, false]);
}

#[test]
fn a_key_becomes_a_touch_and_the_keys_that_led_there_go() {
    use retap_trace::Key;
    let keys = [Key::DPAD_LEFT, Key::DPAD_RIGHT, Key::DPAD_CENTER].map(Event::key);
    let events: Vec<Event> = std::iter::once(tap("Split")).chain(keys).collect();
    let touches = vec![None, None, None, Some(tap("+"))];
    let claim = Tally::new(20, 0);
    let given = Given { events: events.clone(), touches, known: claim, claim: Some(claim), rooted: false };
    let begin = || {
        let rule = || rule::parse("1/1").unwrap();
        ValueShrinker::new(given.clone(), (rule(), rule()), 20)
    };
    // The last key presses what the other two have led to; the touch needs none of them.
    let reaches = |touch: bool| {
        let events = events.clone();
        move |tried: &[Event]| {
            let is = |event: &Event, name: &str| matches!(event, Event::Tap(aim) if aim.widget.as_ref().is_some_and(|widget| widget.text.as_deref() == Some(name)));
            let split = tried.first().is_some_and(|first| is(first, "Split"));
            split && (tried[1..] == events[1..] || touch && tried.last().is_some_and(|last| is(last, "+")))
        }
    };
    let (done, _) = play(begin(), 1, reaches(true));
    assert_eq!(done.best().len(), 2, "{:?}", done.best());
    assert_eq!(done.best()[1], tap("+"));
    let (done, _) = play(begin(), 1, reaches(false));
    assert_eq!(done.best()[1..], events[1..], "a touch that does not do it is not taken");
}

#[test]
fn what_is_clearly_worse_is_not_handed_over() {
    // The shorter wait passes its one trial by luck and never again.
    let mut lucky = true;
    let (done, _) = play(shrinker(vec![wait(100), tap("Add")], "1/1"), 1, |events| {
        events.len() == 2 && (events[0] == wait(100) || std::mem::take(&mut lucky))
    });
    assert_eq!((done.best()[0].clone(), done.changed()), (wait(100), false));
    assert_eq!(
        done.batches().iter().map(|batch| (batch.tally, batch.claimed)).collect::<Vec<_>>(),
        [(Tally::new(0, 20), false), (Tally::new(20, 0), true)]
    );
}

/// The runs it came with were compared with those of the simpler one, so only lucky ones would be left to be claimed.
#[test]
fn what_is_handed_back_is_claimed_by_fresh_runs() {
    let (mut lucky, mut runs) = (true, 0_u32);
    let (done, _) = play(shrinker(vec![wait(100), tap("Add")], "1/1"), 1, |events| {
        runs += 1;
        let given = events.len() == 2 && events[0] == wait(100);
        given && runs.is_multiple_of(2) || events.len() == 2 && std::mem::take(&mut lucky)
    });
    assert!(!done.changed());
    assert_eq!((done.claim(), done.before()), (Some(Tally::new(10, 10)), Tally::new(20, 0)));
}

/// Repeating batches until one passes reported traces of rate 0.7 as 20 of 20.
#[test]
fn a_claim_that_is_a_little_worse_is_told_as_it_is() {
    let mut runs = 0_u32;
    let (done, _) = play(shrinker(vec![wait(100), tap("Add")], "1/1"), 1, |events| {
        runs += 1;
        events.len() == 2 && !runs.is_multiple_of(8)
    });
    assert!(done.changed());
    assert_eq!(done.claim(), Some(done.batches()[0].tally));
    assert!(done.claim().unwrap().missed > 0 && done.batches().len() == 1);
}

#[test]
fn an_event_that_simpler_values_made_useless_is_dropped() {
    // The wait is needed only while the text is long.
    let given = vec![wait(400), Event::text("long"), Event::tap(1, 1)];
    let (done, _) = play(shrinker(given, "1/1"), 1, |events| {
        let long = events.iter().any(|event| matches!(event, Event::Text { text, .. } if text.len() > 1));
        let text = events.iter().any(|event| matches!(event, Event::Text { text, .. } if text.contains('g')));
        let waits = events.iter().any(|event| matches!(event, Event::Wait { .. }));
        text && events.last() == Some(&Event::tap(1, 1)) && (waits || !long)
    });
    assert_eq!(done.best(), [Event::text("g"), Event::tap(1, 1)]);
    assert_eq!(done.kept(), [1, 2]);
}

proptest! {
    #[test]
    fn the_answer_was_confirmed_or_is_what_was_given(
        waits in prop::collection::vec(0_u64..20_000, 1..5),
        limits in prop::collection::vec(0_u64..20_000, 5),
        rate in prop::sample::select(vec![0.5, 0.9, 1.0]),
        rule in prop::sample::select(vec!["1/1", "18/20", "bayes:0.9@0.97"]),
        devices in 1_usize..8,
        seed in 0_u64..1000,
    ) {
        let given: Vec<Event> = waits.iter().map(|time| wait(*time)).collect();
        let mut dice: Dice = Seed(seed).dice();
        let mut last: Vec<(Arc<[Event]>, bool)> = Vec::new();
        let reaches = |events: &[Event]| {
            let enough = events.iter().zip(&waits).zip(&limits).all(|((event, given), limit)| {
                matches!(event, Event::Wait { time } if *time >= Micros::from_millis(*limit.min(given)))
            });
            let reached = enough && dice.chance(rate);
            last.push((events.into(), reached));
            reached
        };
        let (done, _) = play(shrinker(given.clone(), rule), devices, reaches);
        if done.changed() {
            let claim = done.claim().unwrap();
            prop_assert_eq!(claim.runs(), 20);
            let fresh = &last[last.len() - 20..];
            prop_assert!(fresh.iter().all(|(events, _)| **events == *done.best()), "the last runs are the claim");
            prop_assert_eq!(fresh.iter().filter(|(_, reached)| *reached).count(), claim.reached as usize);
        } else {
            prop_assert_eq!(done.best(), &*given);
        }
    }
}
