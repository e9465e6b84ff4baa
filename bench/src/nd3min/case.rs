//! The cases: activities of generated apps and the traces that reach them, chosen as the paper chooses them.
//!
//! ND3MIN, section 5.1: ten random traces of 500 taps for each app, each replayed 20 times to see which activities it
//! reaches; for each chosen activity a trace that reached it in more than nine runs of ten, the surest, and one at
//! random among equals. How many activities each of the eleven apps has, and about how deep they are, is the shape of
//! tables 1 and 2 of the paper. The apps, and with them traces, rates and answers, are synthetic.

use std::cmp::Reverse;
use std::sync::Arc;

use retap_trace::{Dice, Seed, Target, Trace};

use super::subject::{Subject, Survey};

/// One case: an app, a trace, and an activity that it reaches.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) app: Arc<Subject>,
    pub(super) trace: Arc<Trace>,
    pub(super) activity: Arc<str>,
}

/// Traces of an app.
const TRACES: u64 = 10;
/// Replays of each trace.
const REPLAYS: u64 = 20;
/// Replays that must reach an activity: more than nine of ten.
const LEAST_REACHED: u32 = 19;

/// The apps of tables 1 (Google Play, the first seven) and 2 (F-Droid), each with the events that the optimal schedule
/// left of its traces. Those with no event are activities that the launch shows.
const APPS: [&[u32]; 11] = [
    &[0, 0, 3, 5],
    &[0, 2, 2, 16, 23, 7],
    &[0, 3, 7],
    &[0, 1, 7, 11, 5],
    &[2, 1, 1],
    &[1, 1, 3],
    &[5, 5, 2, 4],
    &[0, 2, 3, 10, 0, 2, 3, 3],
    &[0, 0, 2, 3],
    &[0, 3, 5, 2, 6, 3],
    &[0, 3, 11],
];

/// Generated apps that are tried for each place in the tables, until one has enough activities.
const TRIES: u64 = 50;

/// The paper's keys of the first so many cases, and the events that it was left with.
pub(super) fn keys(only: usize) -> Vec<(String, u32)> {
    let keys = APPS.iter().zip(1..).flat_map(|(app, number)| {
        app.iter().zip(1..).map(move |(events, nth)| (format!("{number}-{nth}"), *events))
    });
    keys.take(only).collect()
}

/// How many apps hold the first so many cases.
pub(super) fn apps(only: usize) -> usize {
    let begin = |place: usize| APPS[..place].iter().map(|events| events.len()).sum::<usize>();
    (0..APPS.len()).filter(|&place| begin(place) < only).count()
}

/// The cases of one app, by its place in the tables.
pub(super) fn cases(seed: Seed, place: usize) -> anyhow::Result<Vec<Case>> {
    let seed = seed.branch("app", place as u64);
    for turn in 0..TRIES {
        let seed = seed.branch("try", turn);
        let app = Arc::new(Subject::generate(seed)?);
        let survey = app.survey(TRACES, REPLAYS, seed)?;
        let Some(chosen) = choose(survey, APPS[place], &mut seed.branch("choice", 0).dice()) else {
            continue;
        };
        let case = |(activity, trace)| Case { app: app.clone(), trace, activity };
        return Ok(chosen.into_iter().map(case).collect());
    }
    anyhow::bail!("no generated app has as many activities as the tables ask for")
}

/// An activity and the trace that reaches it most often.
type Choice = (Arc<str>, Arc<Trace>);

/// For each number of events an activity about as deep; `None` when there are too few.
fn choose(survey: Survey, events: &[u32], dice: &mut Dice) -> Option<Vec<Choice>> {
    let depths = survey.depths();
    let mut others: Vec<Choice> = Vec::new();
    let mut home = None;
    for (activity, traces) in survey.reached {
        let Some(trace) = surest(traces, dice) else { continue };
        if activity == survey.home {
            home = Some((activity, trace));
        } else {
            others.push((activity, trace));
        }
    }
    dice.shuffle(&mut others);
    // The deep ones are rare: they are handed out first.
    let mut ranks: Vec<usize> = (0..events.len()).collect();
    ranks.sort_by_key(|&rank| Reverse(events[rank]));
    let mut chosen = vec![None; events.len()];
    for rank in ranks {
        chosen[rank] = if events[rank] == 0 {
            // A generated app shows one activity at its launch: it may come twice.
            home.clone()
        } else {
            let far = |other: &usize| depths[&others[*other].0].abs_diff(events[rank]);
            let nearest = (0..others.len()).min_by_key(far)?;
            Some(others.swap_remove(nearest))
        };
    }
    chosen.into_iter().collect()
}

/// A trace that reached an activity most often, at random among equals, if it did so often enough.
fn surest(mut traces: Vec<(u32, Arc<Trace>)>, dice: &mut Dice) -> Option<Arc<Trace>> {
    dice.shuffle(&mut traces);
    let (count, trace) = traces.into_iter().max_by_key(|(count, _)| *count)?;
    (count >= LEAST_REACHED).then_some(trace)
}

impl Case {
    /// What a run must reach.
    pub(super) fn target(&self) -> Target {
        Target::Activity(self.activity.clone())
    }
}
