//! What the engine itself costs: a decision among many open candidates, and a list of 100,000 lines.
//!
//! The oracle is a model that answers at once, so the time measured is the engine's own. Synthetic.

use std::time::Instant;

use clap::Args;
use retap_reduce::rule;
use retap_reduce::schedule;
use retap_reduce::search::{self, Material};
use retap_reduce::{Inquiry as _, Outcome, Reducing as _, Reduction, Settings, Subset};
use retap_trace::Seed;
use serde::Serialize;

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// Lines in the long list
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
}

pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for search in ["ddmin", "cdd", "auto"] {
        rows.push(long_list(search, args)?);
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
        ]
    };
    let head = ["engine", "runs", "lines left", "seconds", "µs a run"];
    table::print(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    table::json(&serde_json::json!({ "bench": "engine", "rows": rows }))
}

/// A long list of which few lines are needed, one device, one run a trial.
fn long_list(search: &str, args: &EngineArgs) -> anyhow::Result<Row> {
    let mut dice = Seed(args.seed).branch("needed", 0).dice();
    let mut needed: Vec<u32> = Vec::new();
    while needed.len() < args.needed.min(args.lines) as usize {
        let line = u32::try_from(dice.below(u64::from(args.lines)))?;
        if !needed.contains(&line) {
            needed.push(line);
        }
    }
    let oracle = |subset: &Subset| needed.iter().all(|line| subset.has(*line));
    let what = format!("{search}, {} lines, {} needed", args.lines, args.needed);
    drive(what, search, "sequential", "1/1", args.lines, 1, &oracle)
}

/// Candidates by the thousand: every one of them fails only after three runs, on 15 devices.
fn wide_board(schedule: &str) -> anyhow::Result<Row> {
    let oracle = |subset: &Subset| subset.len() == 1000;
    drive(format!("{schedule}, 1000 candidates open"), "ddmin", schedule, "18/20", 1000, 15, &oracle)
}

fn drive(
    what: String,
    search: &str,
    schedule: &str,
    rule: &str,
    events: u32,
    devices: u32,
    oracle: &dyn Fn(&Subset) -> bool,
) -> anyhow::Result<Row> {
    let no_policy = || Err("no policy here".to_owned());
    let search = search::maker(search, &Material::list(events), true).map_err(anyhow::Error::msg)?;
    let schedule = schedule::parse(schedule, no_policy).map_err(anyhow::Error::msg)?;
    let rule = rule::parse(rule).map_err(anyhow::Error::msg)?;
    let settings = Settings { events, devices, confirm_runs: 1, min_rate: None };
    let began = Instant::now();
    let mut reduction = Reduction::new(settings, search, rule, schedule);
    let mut flying = Vec::new();
    let mut asked = std::time::Duration::ZERO;
    while !reduction.over() {
        while flying.len() < devices as usize {
            let Some(order) = reduction.order() else { break };
            flying.push(order);
        }
        let order = flying.remove(0);
        let question = Instant::now();
        let reached = oracle(&order.subset);
        asked += question.elapsed();
        let outcome = if reached { Outcome::Reached } else { Outcome::Missed };
        reduction.told(order.ticket, &outcome.into());
        let withdrawn = reduction.withdraw();
        flying.retain(|order| !withdrawn.contains(&order.ticket));
    }
    let seconds = began.elapsed().saturating_sub(asked).as_secs_f64();
    let runs = reduction.counts().runs;
    let microseconds_a_run = seconds * 1e6 / f64::from(runs.max(1));
    Ok(Row { what, runs, lines_left: reduction.best().len(), seconds, microseconds_a_run })
}
