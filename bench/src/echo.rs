//! ECHO on its own traces: explored with looks that become rarer while nothing is new, so that several events stand
//! between two looks. **Synthetic**: the apps are simulated.

mod orders;
mod subject;
mod trial;

use anyhow::ensure;
use clap::Args;
use orders::Summary;
use retap_explore::WindowSettings;
use retap_trace::Seed;
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
    table::say(
        "shorter: a way in any order is shorter than all in trace order; reached: and it led to the crash",
    );
    table::say(
        "stuck: no way in trace order led to the crash; freed: one in any order did; missed: the reverse",
    );
    table::say(
        "beats: a way in any order that led to the crash comes down to fewer events than that search leaves",
    );
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
        looks: retap_model::count_looks(&subject.trace.steps),
        echo: reduce(&subject, "echo", false, runs)?,
        ddmin: reduce(&subject, "ddmin", false, runs)?,
    })
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
    lines.extend([summary("mean", rows, mean), summary("median", rows, median)]);
    table::print(&head, &lines);
}

/// One figure of each column.
fn summary(name: &str, rows: &[Row], figure: fn(&[usize]) -> f64) -> Vec<String> {
    let show = |values: Vec<usize>| format!("{:.1}", figure(&values));
    let found = |pick: fn(&Row) -> Option<Found>| {
        let found: Vec<Found> = rows.iter().filter_map(pick).collect();
        let part = |part: fn(&Found) -> usize| show(found.iter().map(part).collect());
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        [
            part(|found| found.length as usize),
            part(|found| found.trials as usize),
            show(found.iter().map(|found| whole(found.executed)).collect()),
        ]
    };
    let (events, looks) = rows.iter().map(|row| (row.events, row.looks)).unzip();
    let trace = [name.to_owned(), show(events), show(looks)];
    trace.into_iter().chain(found(|row| row.echo)).chain(found(|row| row.ddmin)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn mean(values: &[usize]) -> f64 {
    values.iter().sum::<usize>() as f64 / values.len().max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn median(values: &[usize]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let middle = |rank: usize| sorted.get(rank).map_or(0.0, |value| *value as f64);
    f64::midpoint(middle(sorted.len().saturating_sub(1) / 2), middle(sorted.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_a_function_of_its_number_and_the_seed() {
        let made = |seed: u64| {
            let row = row(1, seed).expect("the app has bugs");
            (row.events, row.looks, row.echo, row.ddmin)
        };
        let (events, looks, echo, ddmin) = made(1);
        assert!(looks < events, "{looks} looks at {events} events");
        assert!(echo.is_some() && ddmin.is_some(), "its crash comes again");
        assert_eq!(made(1), (events, looks, echo, ddmin));
        assert_ne!(made(2), (events, looks, echo, ddmin));
    }

    #[test]
    fn ways_in_any_order_are_compared_on_every_trace() {
        let tried = orders::orders(1, WindowSettings::ALWAYS, 1).expect("the app has bugs");
        let summary = Summary::of("always", &[tried.expect("its crash comes again")]);
        assert_eq!(summary.traces, 1);
        assert!(summary.reached <= summary.shorter && summary.freed <= summary.stuck, "{summary:?}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(
            [median(&[]), median(&[3]), median(&[9, 1]), median(&[7, 1, 3])].map(f64::to_bits),
            [0.0, 3.0, 5.0, 3.0].map(f64::to_bits)
        );
    }
}
