//! What the engine itself costs: a decision among many open candidates, and lists of 10,000 and 100,000 lines.
//!
//! The oracle is a model that answers at once, and its time is taken off, so the time measured is the engine's own: a
//! decision is everything between an outcome and the next order. Synthetic.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use clap::Args;
use retap_reduce::auto::{self, Ahead, Auto};
use retap_reduce::rule;
use retap_reduce::schedule;
use retap_reduce::search::{self, Material};
use retap_reduce::{Ended, Outcome, Reducing, Reduction, ReductionSettings, Subset};
use retap_trace::Seed;
use serde::Serialize;

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// Lines in the long list; the default reducer and ddmin also get a tenth of them
    #[arg(long, default_value_t = 100_000)]
    lines: u32,
    /// Lines that are needed, spread by chance
    #[arg(long, default_value_t = 20)]
    needed: u32,
    /// Seed of where they are
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Serialize)]
struct Row {
    what: String,
    runs: u32,
    lines_left: u32,
    seconds: f64,
    microseconds_a_run: f64,
    /// The longest time between an outcome and what is ordered after it.
    longest_milliseconds: f64,
}

/// The default reducer, which is a procedure of its own and not a search under a rule.
const DEFAULT: &str = "auto";

pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for lines in [args.lines / 10, args.lines] {
        for search in [DEFAULT, "ddmin"] {
            rows.push(long_list(search, lines, args)?);
        }
    }
    for search in ["cdd", "belief"] {
        rows.push(long_list(search, args.lines, args)?);
    }
    for schedule in ["sequential", "round-robin", "heuristic", "async"] {
        rows.push(wide_board(schedule)?);
    }
    let cells = |row: &Row| {
        vec![
            row.what.clone(),
            row.runs.to_string(),
            row.lines_left.to_string(),
            format!("{:.3}", row.seconds),
            format!("{:.1}", row.microseconds_a_run),
            format!("{:.2}", row.longest_milliseconds),
        ]
    };
    let head = ["engine", "runs", "lines left", "seconds", "µs a run", "longest ms"];
    table::print(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    table::json(&serde_json::json!({ "bench": "engine", "rows": rows }))
}

/// A long list of which few lines are needed, one device: the default as it is, the others with one run a trial.
fn long_list(search: &str, lines: u32, args: &EngineArgs) -> anyhow::Result<Row> {
    let mut dice = Seed(args.seed).branch("needed", 0).dice();
    let mut needed: Vec<u32> = Vec::new();
    while needed.len() < args.needed.min(lines) as usize {
        let line = u32::try_from(dice.below(u64::from(lines)))?;
        if !needed.contains(&line) {
            needed.push(line);
        }
    }
    let oracle = |subset: &Subset| needed.iter().all(|line| subset.has(*line));
    let what = format!("{search}, {lines} lines, {} needed", args.needed);
    let began = Instant::now();
    let mut reduction: Box<dyn Reducing> = if search == DEFAULT {
        let settings = auto::AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false };
        Box::new(Ahead::new(Auto::new(&Material::list(lines), settings)))
    } else {
        Box::new(reduction(search, "sequential", "1/1", lines, 1)?)
    };
    Ok(drive(what, &mut *reduction, began, 1, &oracle))
}

/// Candidates by the thousand: every one of them fails only after three runs, on 15 devices.
fn wide_board(schedule: &str) -> anyhow::Result<Row> {
    let oracle = |subset: &Subset| subset.len() == 1000;
    let began = Instant::now();
    let mut reduction = reduction("ddmin", schedule, "18/20", 1000, 15)?;
    Ok(drive(format!("{schedule}, 1000 candidates open"), &mut reduction, began, 15, &oracle))
}

/// A search under a rule.
fn reduction(
    search: &str,
    schedule: &str,
    rule: &str,
    events: u32,
    devices: u32,
) -> anyhow::Result<Reduction> {
    let no_policy = || Err("no policy here".to_owned());
    let search = search::maker(search, &Material::list(events), true).map_err(anyhow::Error::msg)?;
    let schedule = schedule::parse(schedule, no_policy).map_err(anyhow::Error::msg)?;
    let rule = rule::parse(rule).map_err(anyhow::Error::msg)?;
    let settings = ReductionSettings { events, devices, confirm_runs: 1, min_rate: None };
    Ok(Reduction::new(settings, search, rule, schedule))
}

fn drive(
    what: String,
    reduction: &mut dyn Reducing,
    began: Instant,
    devices: usize,
    oracle: &dyn Fn(&Subset) -> bool,
) -> Row {
    let mut flying = Vec::new();
    let mut asked = Duration::ZERO;
    let mut longest = Duration::ZERO;
    let mut decision = Instant::now();
    while !reduction.over() {
        while flying.len() < devices {
            let Some(order) = reduction.order() else { break };
            flying.push(order);
        }
        longest = longest.max(decision.elapsed());
        let order = flying.remove(0);
        let question = Instant::now();
        let outcome = if oracle(&order.subset) { Outcome::Reached } else { Outcome::Missed };
        asked += question.elapsed();
        decision = Instant::now();
        // A list is judged as a whole, so all of it was performed.
        reduction.settle(order.ticket, &Ended { outcome, events: order.subset.len() });
        let withdrawn = reduction.withdraw();
        flying.retain(|order| !withdrawn.contains(&order.ticket));
    }
    let seconds = began.elapsed().saturating_sub(asked).as_secs_f64();
    let runs = reduction.counts().runs;
    Row {
        what,
        runs,
        lines_left: reduction.best().len(),
        seconds,
        microseconds_a_run: seconds * 1e6 / f64::from(runs.max(1)),
        longest_milliseconds: longest.as_secs_f64() * 1e3,
    }
}
