//! Known reproductions crash as they should, and every event of them is needed.

use std::collections::BTreeSet;

use super::*;

/// A flaky bug gets so many chances.
const CHANCES: u64 = 60;

fn check(recipe: &Recipe) {
    let made = made(recipe);
    numbers::check(recipe, &made);
    let program = program(&made.app);
    for (number, bug) in (1..).zip(&made.known) {
        let flaky = bug.rate < Share::ALL;
        let crashed = (0..if flaky { CHANCES } else { 2 })
            .map(|seed| crashes(&program, &bug.events, seed))
            .filter(|crashes| !crashes.is_empty())
            .collect::<BTreeSet<_>>();
        let expected = BTreeSet::from([vec![bug.signature.clone()]]);
        assert_eq!(crashed, expected, "bug {number} of {recipe}: {:?}", bug.events);

        for dropped in 0..bug.length() {
            let fewer: Vec<&Event> = bug
                .events
                .iter()
                .enumerate()
                .filter(|(place, _)| *place != dropped)
                .map(|(_, event)| event)
                .collect();
            for seed in 0..if flaky { 6 } else { 1 } {
                let crashes = crashes(&program, fewer.iter().copied(), seed);
                assert!(
                    !crashes.contains(&bug.signature),
                    "bug {number} of {recipe} does not need event {dropped} of {:?}",
                    bug.events
                );
            }
        }
    }
}

fn check_seeds(text: &str) {
    for seed in 0..200 {
        check(&seeded(text, seed));
    }
}

#[test]
fn every_event_is_needed_in_usual_apps() {
    check_seeds(RECIPES[0]);
}

#[test]
fn every_event_is_needed_in_small_apps() {
    check_seeds(RECIPES[1]);
    check_seeds(RECIPES[3]);
}

#[test]
fn every_event_is_needed_in_restless_apps() {
    check_seeds(RECIPES[2]);
}

#[test]
fn every_event_is_needed_in_winding_apps() {
    check_seeds(RECIPES[4]);
}

#[test]
fn events_know_the_places_of_their_widgets() {
    let made = made(&recipe(RECIPES[0]));
    let program = program(&made.app);
    for bug in &made.known {
        let mut by_place = bug.events.clone();
        for event in &mut by_place {
            if let Some(aim) = event.aim_mut() {
                aim.by = retap_trace::Aiming::Place;
            }
        }
        let crashed = crashes(&program, &by_place, 0);
        assert!(crashed.contains(&bug.signature), "{by_place:?}: {crashed:?}");
    }
}

#[test]
fn shares_of_bugs_are_as_asked_for() {
    for seed in 0..40 {
        let recipe = seeded("screens=90&bugs=10&depth=5&system=0.3&rotation=0.2&flaky=0.4&rate=0.25", seed);
        let known = made(&recipe).known;
        let needs = |fits: fn(&Event) -> bool| known.iter().filter(|bug| bug.events.iter().any(fits)).count();
        assert_eq!(needs(|event| matches!(event, Event::System(_))), 3, "{recipe}");
        assert_eq!(needs(|event| matches!(event, Event::Rotate { .. })), 2, "{recipe}");
        let flaky = known.iter().filter(|bug| bug.rate == Share::percent(25)).count();
        let certain = known.iter().filter(|bug| bug.rate == Share::ALL).count();
        assert_eq!((flaky, certain), (4, 6), "{recipe}");
    }
}

#[test]
fn flaky_bugs_crash_at_their_rate() {
    let made = made(&recipe("screens=20&bugs=4&depth=4&flaky=1&rate=0.3"));
    let program = program(&made.app);
    for bug in &made.known {
        let crashed = (0..1_000).filter(|&seed| !crashes(&program, &bug.events, seed).is_empty()).count();
        // Five standard deviations around 300.
        assert!((228..372).contains(&crashed), "{crashed} of 1000");
    }
}
