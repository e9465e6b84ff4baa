//! The cases: activities of generated apps and the traces that reach them, chosen as the paper chooses them.
//!
//! ND3MIN, section 5.1: ten random traces of 500 taps for each app, each replayed 20 times to see which activities it
//! reaches; for each chosen activity a trace that reached it in more than nine runs of ten, the surest, and one at
//! random among equals. How many activities each of the eleven apps has, and about how deep they are, is the shape of
//! tables 1 and 2 of the paper. The apps, and with them traces, rates and answers, are synthetic.
//!
//! Such traces need few events and hold nearly always, more than the paper's do. So there is a second set ([`HARD`]) of
//! activities that are further away, in apps where more goes wrong, with traces that may miss more often than the
//! rule allows.

use std::cmp::Reverse;
use std::sync::Arc;

use retap_trace::{Dice, Seed, Target, Trace};

use super::subject::{Source, Subject, Survey};

/// One case: an app, a trace, and an activity that it reaches.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) app: Arc<Subject>,
    pub(super) trace: Arc<Trace>,
    pub(super) activity: Arc<str>,
}

/// A set of cases: what its apps are like and how cases are chosen.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// How many ways between screens work only every other time, how many events are lost, and what leads where.
    knobs: &'static str,
    source: Source,
    /// For each app, about how many events the activities are away that its traces reach.
    apps: &'static [&'static [u32]],
    /// How many replays of a trace, of [`REPLAYS`], must reach an activity.
    least: u32,
}

/// The shape of tables 1 and 2: three ways in a hundred work only every other time, two taps in a thousand are lost.
pub(super) const PAPER: Kind = Kind {
    name: "paper",
    knobs: "nondet=0.03&drop=0.002",
    source: Source::Taps,
    apps: &APPS,
    // More than nine of ten.
    least: 19,
};

/// Deeper and flakier: no links across the app, every eighth way works only every other time, every hundredth event is
/// lost.
pub(super) const HARD: Kind = Kind {
    name: "hard",
    knobs: "hubs=0&links=0&nondet=0.12&drop=0.01",
    source: Source::Aimed,
    apps: &[FAR; 6],
    // Fewer than the rule asks for.
    least: 17,
};

/// Four activities that are about so many events away.
const FAR: &[u32] = &[4, 5, 6, 7];

/// Traces of an app.
const TRACES: u64 = 10;
/// Replays of each trace.
const REPLAYS: u64 = 20;

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

/// The keys of the first so many cases, and about how many events away their activities are: in the paper's tables, the
/// events that it was left with.
pub(super) fn keys(kind: &Kind, only: usize) -> Vec<(String, u32)> {
    let keys = kind.apps.iter().zip(1..).flat_map(|(app, number)| {
        app.iter().zip(1..).map(move |(events, nth)| (format!("{number}-{nth}"), *events))
    });
    keys.take(only).collect()
}

/// How many apps hold the first so many cases.
pub(super) fn apps(kind: &Kind, only: usize) -> usize {
    let begin = |place: usize| kind.apps[..place].iter().map(|events| events.len()).sum::<usize>();
    (0..kind.apps.len()).filter(|&place| begin(place) < only).count()
}

/// The cases of one app, by its place in the tables.
pub(super) fn cases(kind: &Kind, seed: Seed, place: usize) -> anyhow::Result<Vec<Case>> {
    let seed = seed.branch("app", place as u64);
    for turn in 0..TRIES {
        let seed = seed.branch("try", turn);
        let app = Arc::new(Subject::generate(kind.knobs, seed)?);
        let survey = app.survey(kind.source, TRACES, REPLAYS, seed)?;
        let mut dice = seed.branch("choice", 0).dice();
        let Some(chosen) = choose(survey, kind.apps[place], kind.least, &mut dice) else { continue };
        let case = |(activity, trace)| Case { app: app.clone(), trace, activity };
        return Ok(chosen.into_iter().map(case).collect());
    }
    anyhow::bail!("no generated app has as many activities as the tables ask for")
}

/// An activity and the trace that reaches it most often.
type Choice = (Arc<str>, Arc<Trace>);

/// For each number of events an activity about as deep; `None` when there are too few.
fn choose(survey: Survey, events: &[u32], least: u32, dice: &mut Dice) -> Option<Vec<Choice>> {
    let depths = survey.depths();
    let mut others: Vec<Choice> = Vec::new();
    let mut home = None;
    for (activity, traces) in survey.reached {
        let Some(trace) = surest(traces, least, dice) else { continue };
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
fn surest(mut traces: Vec<(u32, Arc<Trace>)>, least: u32, dice: &mut Dice) -> Option<Arc<Trace>> {
    dice.shuffle(&mut traces);
    let (count, trace) = traces.into_iter().max_by_key(|(count, _)| *count)?;
    (count >= least).then_some(trace)
}

impl Case {
    /// What a run must reach.
    pub(super) fn target(&self) -> Target {
        Target::Activity(self.activity.clone())
    }
}
