//! ND3MIN's experiment (section 5), repeated on generated apps. **Synthetic**: no figure here is of a real app.
//!
//! 49 cases with the shape of tables 1 and 2 of the paper (see [`case`]): traces of 500 taps, four seconds an event,
//! m = 15 devices, the rule 18 of 20, `ddmin` with k restarting at n = 5; each schedule, several seeds. The engine is
//! the real one, driven on simulated devices in virtual time.
//!
//! A second set of 24 cases is deeper and flakier (see [`case::HARD`]), and of each answer of the optimal schedule it is
//! seen what plain delta debugging would make of it, as in table 4 (see [`plain`]).
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
mod plain;
mod subject;
#[cfg(test)]
mod tests;
mod trial;
mod turns;

use clap::Args;
use experiment::{Experiment, OPTIMAL, SCHEDULES};
use mean::{Means, Ratios};
use plain::Table4;
use retap_mdp::Prior;
use retap_trace::Seed;
use serde::Serialize;
use serde_json::json;
use trial::Trial;

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct Nd3minArgs {
    /// The first so many cases of each set, of 49 with the shape of the paper's tables and 24 hard ones
    #[arg(long, default_value_t = 49)]
    only: usize,
    /// How often the experiment is repeated, each time with other apps and traces; the hard cases a quarter as often
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

/// What is said of a set of cases.
#[derive(Debug, Serialize)]
struct Set {
    name: &'static str,
    cases: usize,
    seeds: usize,
    traces: usize,
    reduced_by_all: usize,
    schedules: Vec<Line>,
    table4: Table4,
}

pub(crate) fn run(args: &Nd3minArgs) -> anyhow::Result<()> {
    let prior = Prior::recovered();
    let policy = experiment::policy(&prior)?;
    table::say("synthetic: generated apps on simulated phones; compare these figures with each other only");
    let mut sets = Vec::new();
    for (kind, seeds) in [(&case::PAPER, args.seeds), (&case::HARD, args.seeds.div_ceil(4))] {
        let experiment = Experiment::carry_out(kind, Seed(args.seed), args.only, seeds, &policy)?;
        sets.push(print_set(&experiment, seeds, args.cases, &prior)?);
    }
    table::say(
        "a turn: steps of one turn of the search with up to five candidates (the paper's get_passing)",
    );
    table::say(
        "async has no rounds: its steps are the times that all devices were free when a run was ordered",
    );
    table::say("");
    print_beside(&sets);
    print_table4(&sets);
    table::json(&json!({ "bench": "nd3min", "synthetic": true, "seed": args.seed, "sets": sets }))
}

/// The table of one set of cases.
fn print_set(experiment: &Experiment, seeds: usize, cases: bool, prior: &Prior) -> anyhow::Result<Set> {
    let finished = experiment.all();
    anyhow::ensure!(!finished.is_empty(), "nothing was reduced; ask for at least one case and one seed");
    let line = |(nth, &schedule): (usize, &&'static str)| {
        let (trials, optimal) = (column(&finished, nth), column(&finished, OPTIMAL));
        let to_optimal = Ratios::of(&trials, &optimal, schedule != "async", prior);
        Line { schedule, refused: experiment.refused(nth), mean: Means::of(&trials, prior), to_optimal }
    };
    let schedules: Vec<Line> = SCHEDULES.iter().enumerate().map(line).collect();
    let name = experiment.kind.name;
    table::say(&format!("\n{name}: {} cases, seeds: {seeds}", experiment.cases));
    if cases {
        print_cases(experiment, prior);
    }
    let rows = schedules.iter().map(|line| mean::row(line.schedule, &line.mean, &line.to_optimal));
    table::print(&mean::HEAD, &rows.collect::<Vec<_>>());
    let (traces, reduced_by_all) = (experiment.len(), finished.len());
    if reduced_by_all < traces {
        let left = traces - reduced_by_all;
        table::say(&format!(
            "without {left} of {traces} traces, which a schedule refused as not reproducible"
        ));
    }
    let table4 = Table4::of(experiment.plain());
    Ok(Set { name, cases: experiment.cases, seeds, traces, reduced_by_all, schedules, table4 })
}

/// Our figures beside those of the paper's tables 1 to 3. What it reports is what the search ended with.
fn print_beside(sets: &[Set]) {
    let row = |set: &str, schedule: &str, figures: [f64; 5]| {
        let figures = figures.map(|figure| format!("{figure:.2}"));
        [set.to_owned(), schedule.to_owned()].into_iter().chain(figures).collect::<Vec<_>>()
    };
    // Tables 1 and 2 have the heuristic and the optimal schedule on all 49 cases, table 3 round-robin on nine of them.
    let mut rows = vec![
        row("tables 1 and 2, 49 cases", "heuristic", [3.92, 28.55, 18.0, 1.03, 19.41]),
        row("", "optimal", [3.63, 27.61, 17.0, 1.0, 19.08]),
        row("table 3, 9 cases", "round-robin", [6.22, 39.89, 27.0, 1.30, 18.22]),
        row("the same in table 1", "heuristic", [6.22, 31.11, 18.0, 1.01, 18.67]),
        row("", "optimal", [5.67, 30.78, 16.0, 1.0, 18.0]),
    ];
    for set in sets {
        for line in set.schedules.iter().filter(|line| line.schedule != "async") {
            let Means { found_events, steps, median_steps, confirmed_rate, .. } = line.mean;
            let ratio = line.to_optimal.steps.unwrap_or_default();
            let name = format!("ours, {}", set.name);
            rows.push(row(
                &name,
                line.schedule,
                [found_events, steps, median_steps, ratio, 20.0 * confirmed_rate],
            ));
        }
    }
    table::print(&["beside the paper", "schedule", "events", "steps", "median", "x opt", "check /20"], &rows);
    table::say(
        "events: what the search ended with; check: fresh runs of the answer, ours after taking back what they do not confirm",
    );
    table::say("");
}

/// Table 4, the paper's and ours.
fn print_table4(sets: &[Set]) {
    let ours = sets.iter().map(|set| set.table4.row(&format!("ours, {}", set.name)));
    let rows: Vec<_> = [plain::PAPER.row("paper, Google Play")].into_iter().chain(ours).collect();
    table::print(&plain::HEAD, &rows);
    table::say("means over the answers that plain delta debugging, one run a candidate, made shorter");
}

/// A line for each case: what each schedule was left with, and the steps it took, on average over the seeds.
fn print_cases(experiment: &Experiment, prior: &Prior) {
    let row = |(case, (key, events)): (usize, (String, u32))| {
        let finished = experiment.of_case(case);
        let means = (0..SCHEDULES.len()).map(|nth| Means::of(&column(&finished, nth), prior));
        let figure = |figure: f64| if finished.is_empty() { "-".to_owned() } else { format!("{figure:.1}") };
        let cells = means.flat_map(|means| [figure(means.events), figure(means.steps)]);
        [key, events.to_string()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    let names = SCHEDULES.iter().flat_map(|name| [format!("{name}: events"), "steps".to_owned()]);
    let head: Vec<String> =
        ["case".to_owned(), "asked: events".to_owned()].into_iter().chain(names).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = case::keys(experiment.kind, experiment.cases).into_iter().enumerate().map(row);
    table::print(&head, &rows.collect::<Vec<_>>());
    table::say("");
}

/// What one schedule came to.
fn column<'a>(finished: &[Vec<&'a Trial>], schedule: usize) -> Vec<&'a Trial> {
    finished.iter().map(|four| four[schedule]).collect()
}
