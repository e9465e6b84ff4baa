//! ECHO on its own traces: explored with looks that become rarer while nothing is new, so that several events stand
//! between two looks. **Synthetic**: the apps are simulated.

mod orders;
mod subject;
mod trial;

use anyhow::ensure;
use clap::Args;
use orders::Summary;
use retap_explore::WindowSettings;
use retap_trace::{Seed, Step};
use serde::Serialize;
use subject::Subject;
use trial::{Found, reduce};

use crate::jobs::on_all_cores;
use crate::table;

#[derive(Debug, Args)]
pub(crate) struct EchoArgs {
    /// How many traces
    #[arg(long, default_value_t = 20)]
    traces: usize,
    /// Where chance starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often ways out of trace order would help, instead
    #[arg(long)]
    orders: bool,
}

/// A trace, and what searches made of it.
#[derive(Debug, Serialize)]
struct Row {
    app: &'static str,
    events: usize,
    /// Looks at the whole screen while it was explored.
    looks: usize,
    echo: Option<Found>,
    ddmin: Option<Found>,
}

pub(crate) fn run(args: &EchoArgs) -> anyhow::Result<()> {
    ensure!(args.traces > 0, "nothing was reduced; ask for more than 0 traces");
    if args.orders {
        return compare_orders(args);
    }
    let rows = on_all_cores(args.traces, |number| row(number, args.seed));
    let rows = rows.into_iter().collect::<anyhow::Result<Vec<Row>>>()?;
    table::say("synthetic: traces of simulated apps, explored with --look adaptive");
    print(&rows);
    table::json(&serde_json::json!({ "bench": "echo", "synthetic": true, "seed": args.seed, "rows": rows }))
}

/// Ways in any order against those in trace order, on traces with looks after every event and with rarer ones.
fn compare_orders(args: &EchoArgs) -> anyhow::Result<()> {
    let windows = [("always", WindowSettings::ALWAYS), ("adaptive", WindowSettings::default())];
    let mut summaries = Vec::new();
    for (looks, window) in windows {
        let orders = on_all_cores(args.traces, |number| orders::orders(number, window, args.seed));
        let orders = orders.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
        summaries.push(Summary::of(looks, &orders.into_iter().flatten().collect::<Vec<_>>()));
    }
    let line = |summary: &Summary| {
        let Summary { looks, traces, shorter, reached, stuck, freed, missed, beats_echo, beats_auto } =
            summary;
        let counts = [traces, shorter, reached, stuck, freed, missed, beats_echo, beats_auto];
        [(*looks).to_owned()].into_iter().chain(counts.map(ToString::to_string)).collect()
    };
    table::say("synthetic: traces of simulated apps; ways through the graph of states in any order");
    let head =
        ["looks", "traces", "shorter", "reached", "stuck", "freed", "missed", "beats echo", "beats auto"];
    table::print(&head, &summaries.iter().map(line).collect::<Vec<Vec<_>>>());
    table::json(
        &serde_json::json!({ "bench": "echo --orders", "synthetic": true, "seed": args.seed, "rows": summaries }),
    )
}

fn row(number: usize, seed: u64) -> anyhow::Result<Row> {
    let subject = Subject::explore(number, WindowSettings::default(), seed)?;
    let runs = Seed(seed).branch("runs", number as u64);
    Ok(Row {
        app: subject.app,
        events: subject.trace.steps.len(),
        looks: looks(&subject.trace.steps),
        echo: reduce(&subject, "echo", false, runs)?,
        ddmin: reduce(&subject, "ddmin", false, runs)?,
    })
}

/// Looks at the whole screen: the one before the first event, and those after events.
fn looks(steps: &[Step]) -> usize {
    let first = steps.first().and_then(|step| step.before.as_ref());
    let seen = first.into_iter().chain(steps.iter().filter_map(|step| step.after.as_ref()));
    seen.filter(|seen| seen.full.is_some()).count()
}

fn print(rows: &[Row]) {
    let cells = |found: Option<Found>| match found {
        Some(found) => [found.length.to_string(), found.trials.to_string(), found.executed.to_string()],
        None => ["-", "-", "-"].map(str::to_owned),
    };
    let line = |row: &Row| {
        let trace = [row.app.to_owned(), row.events.to_string(), row.looks.to_string()];
        trace.into_iter().chain(cells(row.echo)).chain(cells(row.ddmin)).collect::<Vec<_>>()
    };
    let head = ["app", "events", "looks", "echo", "trials", "executed", "ddmin", "trials", "executed"];
    let mut lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    lines.push(means(rows));
    table::print(&head, &lines);
}

#[expect(clippy::cast_precision_loss, reason = "means for people")]
fn means(rows: &[Row]) -> Vec<String> {
    let mean =
        |values: Vec<u64>| format!("{:.1}", values.iter().sum::<u64>() as f64 / values.len().max(1) as f64);
    let all = |value: &dyn Fn(&Row) -> u64| mean(rows.iter().map(value).collect());
    let found = |pick: &dyn Fn(&Row) -> Option<Found>| {
        let found: Vec<Found> = rows.iter().filter_map(pick).collect();
        let part = |part: fn(&Found) -> u64| mean(found.iter().map(part).collect());
        [part(|found| found.length.into()), part(|found| found.trials.into()), part(|found| found.executed)]
    };
    ["mean".to_owned(), all(&|row| row.events as u64), all(&|row| row.looks as u64)]
        .into_iter()
        .chain(found(&|row| row.echo))
        .chain(found(&|row| row.ddmin))
        .collect()
}
