//! ND3MIN's experiment (section 5), repeated on generated apps. **Synthetic**: no figure here is of a real app.
//!
//! 49 cases with the shape of tables 1 and 2 of the paper (see [`case`]): traces of 500 taps, four seconds an event,
//! m = 15 devices, the rule 18 of 20, `ddmin` with k restarting at n = 5; each schedule, several seeds. The engine is
//! the real one, driven on simulated devices in virtual time.
//!
//! What differs from the paper: a run ends as soon as it has reached its target; an answer that fresh runs do not
//! confirm is taken back; each seed has apps and traces of its own. Hours compare with each other only.
//!
//! Why so many seeds: a trace whose answer has a rate close to 18 of 20 can keep the search busy for hundreds of steps,
//! whatever the schedule. Few such traces decide the means, so the ratio of steps comes with its standard error, and
//! beside it stand the steps of a turn of the search (see [`turns`]), which have no such luck in them.
//!
//! Steps are counted as in the paper: two for the check of the whole trace, and the rounds of the search; the runs that
//! confirm the answer are not in them, but in all other columns.

mod case;
mod experiment;
mod mean;
mod metered;
mod subject;
#[cfg(test)]
mod tests;
mod trial;
mod turns;

use clap::Args;
use experiment::{Experiment, OPTIMAL, SCHEDULES};
use mean::{Means, Ratios};
use retap_mdp::Prior;
use retap_trace::Seed;
use serde::Serialize;
use serde_json::json;
use trial::Trial;

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct Nd3minArgs {
    /// The first so many of the 49 cases
    #[arg(long, default_value_t = 49)]
    only: usize,
    /// How often the experiment is repeated, each time with other apps and traces
    #[arg(long, default_value_t = 40)]
    seeds: usize,
    /// Where chance starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A line for each case, too
    #[arg(long)]
    cases: bool,
}

/// What is said of a schedule.
#[derive(Debug, Serialize)]
struct Line {
    schedule: &'static str,
    refused: usize,
    mean: Means,
    to_optimal: Ratios,
}

pub(crate) fn run(args: &Nd3minArgs) -> anyhow::Result<()> {
    let prior = Prior::recovered();
    let policy = experiment::policy(&prior)?;
    let experiment = Experiment::carry_out(Seed(args.seed), args.only, args.seeds, &policy)?;
    let finished = experiment.all();
    anyhow::ensure!(!finished.is_empty(), "nothing was reduced; ask for at least one case and one seed");
    let line = |(nth, &schedule): (usize, &&'static str)| {
        let (trials, optimal) = (column(&finished, nth), column(&finished, OPTIMAL));
        let to_optimal = Ratios::of(&trials, &optimal, schedule != "async", &prior);
        Line { schedule, refused: experiment.refused(nth), mean: Means::of(&trials, &prior), to_optimal }
    };
    let lines: Vec<Line> = SCHEDULES.iter().enumerate().map(line).collect();

    table::say("synthetic: generated apps on simulated phones; compare these figures with each other only");
    if args.cases {
        print_cases(&experiment, &prior);
    }
    let rows = lines.iter().map(|line| mean::row(line.schedule, &line.mean, &line.to_optimal));
    table::print(&mean::HEAD, &rows.collect::<Vec<_>>());
    if finished.len() < experiment.len() {
        let (left, of) = (experiment.len() - finished.len(), experiment.len());
        table::say(&format!("without {left} of {of} traces, which a schedule refused as not reproducible"));
    }
    table::say(
        "a turn: steps of one turn of the search with up to five candidates (the paper's get_passing)",
    );
    table::say(
        "async has no rounds: its steps are the times that all devices were free when a run was ordered",
    );
    table::json(&json!({
        "bench": "nd3min",
        "synthetic": true,
        "cases": experiment.cases,
        "seeds": args.seeds,
        "seed": args.seed,
        "traces": experiment.len(),
        "reduced_by_all": finished.len(),
        "schedules": lines,
    }))
}

/// A line for each case: what each schedule was left with, and the steps it took, on average over the seeds.
fn print_cases(experiment: &Experiment, prior: &Prior) {
    let row = |(case, (key, events)): (usize, (String, u32))| {
        let finished = experiment.of_case(case);
        let means = (0..SCHEDULES.len()).map(|nth| Means::of(&column(&finished, nth), prior));
        let cells = means.flat_map(|means| [format!("{:.1}", means.events), format!("{:.1}", means.steps)]);
        [key, events.to_string()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    let names = SCHEDULES.iter().flat_map(|name| [format!("{name}: events"), "steps".to_owned()]);
    let head: Vec<String> =
        ["case".to_owned(), "paper: events".to_owned()].into_iter().chain(names).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = case::keys(experiment.cases).into_iter().enumerate().map(row);
    table::print(&head, &rows.collect::<Vec<_>>());
    table::say("");
}

/// What one schedule came to.
fn column<'a>(finished: &[Vec<&'a Trial>], schedule: usize) -> Vec<&'a Trial> {
    finished.iter().map(|four| four[schedule]).collect()
}
