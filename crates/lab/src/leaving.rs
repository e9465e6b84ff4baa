//! Where runs that missed their target left the way of those that reach it.

use std::collections::BTreeSet;

use retap_reduce::Outcome;
use retap_trace::{Crash, Signature, Trace};

use crate::{Report, short_name};

/// Runs that left at the same place and ended alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaving {
    /// The events after which they were elsewhere, or crashed; all of them when they were never seen elsewhere.
    pub after: usize,
    /// The state in which they ended, as people would call it; none when they ended in a crash.
    pub state: Option<String>,
    /// The other crash that ended them.
    pub crash: Option<Crash>,
    /// The event, counted from 0, whose widget was not on the screen, where that ended them.
    pub without_widget: Option<usize>,
    /// How many they are.
    pub runs: u32,
}

/// What runs of one group have in common: where they left, the crash, the widget that was missing, the state they ended
/// in.
type Alike = (usize, Option<Signature>, Option<usize>, u64);

impl Leaving {
    /// Where the runs of a whole trace that missed have left, the most frequent first. The way is what the trace
    /// recorded, and the ways of runs that reached the target: activities are compared, because runs that measure look
    /// at no more.
    pub fn of(trace: &Trace, runs: &[Report]) -> Vec<Self> {
        let way = Wayside::of(trace, runs);
        let mut found: Vec<(Alike, Self)> = Vec::new();
        for run in runs.iter().filter(|run| run.ended.outcome == Outcome::Missed) {
            let one = way.leaving(run);
            let crash = one.crash.as_ref().map(|crash| crash.signature.clone());
            let key =
                (one.after, crash, one.without_widget, run.last_state.as_ref().map_or(0, |(key, _)| *key));
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => known.runs += 1,
                None => found.push((key, one)),
            }
        }
        let mut found: Vec<Self> = found.into_iter().map(|(_, one)| one).collect();
        found.sort_by_key(|one| (std::cmp::Reverse(one.runs), one.after));
        found
    }
}

/// The activities that belong on the way, at the start and after each event.
struct Wayside<'a>(Vec<BTreeSet<&'a str>>);

impl<'a> Wayside<'a> {
    fn of(trace: &'a Trace, runs: &'a [Report]) -> Self {
        let places = 0..=trace.steps.len();
        let mut way: Vec<BTreeSet<&str>> =
            places.map(|events| recorded_activities(trace, events).collect()).collect();
        for run in runs.iter().filter(|run| run.ended.outcome == Outcome::Reached) {
            for (events, place) in way.iter_mut().enumerate().take(run.ended.events as usize + 1) {
                place.extend(activity(run, events));
            }
        }
        Self(way)
    }

    fn leaving(&self, run: &Report) -> Leaving {
        let all = run.ended.events as usize;
        if let Some(crash) = &run.crash {
            return Leaving {
                after: all,
                state: None,
                crash: Some(crash.clone()),
                without_widget: None,
                runs: 1,
            };
        }
        let elsewhere = |events: &usize| {
            let place = self.0.get(*events).filter(|place| !place.is_empty());
            let activity = activity(run, *events);
            place.is_some_and(|place| activity.is_some_and(|activity| !place.contains(activity)))
        };
        let after = (0..=all).find(elsewhere).unwrap_or(all);
        let front = || activity(run, all).map(|activity| short_name(activity).to_owned());
        let state = run.last_state.as_ref().map(|(_, words)| words.clone()).or_else(front);
        if run.without_widget {
            return Leaving { after: all, state, crash: None, without_widget: Some(all), runs: 1 };
        }
        Leaving { after, state, crash: None, without_widget: None, runs: 1 }
    }
}

/// The activities that a trace recorded in front after so many of its events: what was seen then, and what was seen when the
/// next one came. What is in front after a crash is not where a run should go.
pub fn recorded_activities(trace: &Trace, events: usize) -> impl Iterator<Item = &str> {
    let last = events.checked_sub(1).and_then(|last| trace.steps.get(last));
    let before = trace.steps.get(events).and_then(|next| next.before.as_ref());
    let seen = last.and_then(|last| last.after.as_ref()).into_iter().chain(before);
    seen.filter(move |_| last.is_none_or(|last| last.crash.is_none())).map(|seen| &*seen.activity)
}

/// The activity in front after so many events.
fn activity(run: &Report, events: usize) -> Option<&str> {
    run.path.iter().rev().find(|(from, _)| *from as usize <= events).map(|(_, activity)| &**activity)
}

#[cfg(test)]
mod tests {
    use retap_trace::{Event, Header, Seen, Step};

    use super::*;

    fn run(outcome: Outcome, path: &[(u32, &str)], ended: Option<(u64, &str)>) -> Report {
        Report {
            ended: retap_reduce::Ended { outcome, events: 3 },
            path: path.iter().map(|(from, activity)| (*from, (*activity).into())).collect(),
            last_state: ended.map(|(key, words)| (key, words.to_owned())),
            ..Report::begun("x")
        }
    }

    fn trace(activities: &[Option<&str>]) -> Trace {
        let step = |pair: &[Option<&str>]| Step {
            before: pair[0].map(Seen::activity),
            after: pair[1].map(Seen::activity),
            ..Step::new(Event::Launch)
        };
        Trace { header: Header::new("a"), steps: activities.windows(2).map(step).collect() }
    }

    fn leaving(after: usize, state: &str, runs: u32) -> Leaving {
        Leaving { after, state: Some(state.to_owned()), crash: None, without_widget: None, runs }
    }

    #[test]
    fn runs_leave_the_recorded_way_where_they_are_first_elsewhere() {
        let recorded = trace(&[Some("a.Main"), Some("a.Main"), Some("a.Home"), Some("a.Home")]);
        let astray = [(0, "a.Main")];
        let runs = [
            run(Outcome::Missed, &astray, Some((1, "Main with 'Wrong password'"))),
            run(Outcome::Reached, &[(0, "a.Main"), (2, "a.Home")], None),
            run(Outcome::Missed, &astray, Some((1, "Main with 'Wrong password', 2 times"))),
            run(Outcome::Missed, &[(0, "a.Main"), (2, "a.Home")], Some((2, "Home"))),
            run(Outcome::Inconclusive, &astray, None),
        ];
        let found = Leaving::of(&recorded, &runs);
        assert_eq!(found, [leaving(2, "Main with 'Wrong password'", 2), leaving(3, "Home", 1)]);
    }

    /// Importers and quick fingers leave out what was seen after a step.
    #[test]
    fn what_was_seen_before_an_event_is_a_place_of_the_way() {
        let mut recorded = trace(&[Some("a.Main"), None, None, None]);
        recorded.steps[2].before = Some(Seen::activity("a.Home"));
        let runs = [run(Outcome::Missed, &[(0, "a.Main")], None)];
        assert_eq!(Leaving::of(&recorded, &runs), [leaving(2, "Main", 1)]);
    }

    #[test]
    fn without_a_recorded_way_those_that_reach_show_it() {
        let unknown = trace(&[None, None, None, None]);
        let reached = run(Outcome::Reached, &[(0, "a.Main"), (1, "a.Home")], None);
        let missed = run(Outcome::Missed, &[(0, "a.Main")], None);
        assert_eq!(Leaving::of(&unknown, &[reached, missed.clone()]), [leaving(1, "Main", 1)]);
        // Nobody knows better: it did all there was to do.
        assert_eq!(Leaving::of(&unknown, &[missed]), [leaving(3, "Main", 1)]);
    }

    #[test]
    fn what_reached_its_target_was_on_the_way() {
        let recorded = trace(&[Some("a.Main"), Some("a.Splash"), Some("a.Home"), Some("a.Home")]);
        let path = [(0, "a.Main"), (2, "a.Home")];
        let found =
            Leaving::of(&recorded, &[run(Outcome::Reached, &path, None), run(Outcome::Missed, &path, None)]);
        assert_eq!(found, [leaving(3, "Home", 1)], "it was quick, not astray");
    }
}
