//! The 92 published crash traces of SimplyDroid, each on the model that its own recording induces.
//!
//! The model is simple and says so: an event moves the app from its recorded activity to the next recorded one only
//! when the app is in that activity; the last event then crashes. Real apps are harder. Reference figures are of the
//! published algorithms on the same model. `auto` is the default reducer as `retap reduce` drives it, with one confirming
//! run as the others have; all others are searches under the rule 1/1.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use retap_formats::simplydroid;
use retap_reduce::auto::{self, Ahead, Auto};
use retap_reduce::rule::Fixed;
use retap_reduce::schedule::Sequential;
use retap_reduce::search::{self, Material};
use retap_reduce::{Ended, Goal, Order, Outcome, Reducing, Reduction, ReductionEnding, ReductionSettings};
use retap_trace::{Event, Header, Seen, Start, Step, Target, Trace};
use serde::Serialize;

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct SimplyDroidArgs {
    /// The folder with `model_reference.csv` and `traces/`
    #[arg(long)]
    data: PathBuf,
}

/// Our searches, and the column of the reference that each is compared with. The last is the default reducer.
const SEARCHES: [(&str, Option<&str>); 8] = [
    ("ddmin", Some("DD")),
    ("hdd", Some("HDD")),
    ("bhdd", Some("BHDD")),
    ("lhdd", Some("LHDD")),
    ("cdd", None),
    ("echo", None),
    ("belief", None),
    (DEFAULT, None),
];
const DEFAULT: &str = "auto";

#[derive(Debug, Default, Serialize)]
struct Sum {
    search: &'static str,
    mean_length: f64,
    mean_trials: f64,
    /// Runs of the search; what confirms the answer is not among them.
    mean_runs: f64,
    mean_executed_events: f64,
    reference_length: Option<f64>,
    reference_trials: Option<f64>,
    longer_than_reference: u32,
}

struct Found {
    length: u32,
    trials: u32,
    runs: u32,
    executed: u64,
}

pub(crate) fn run(args: &SimplyDroidArgs) -> anyhow::Result<()> {
    let reference = csv(&args.data.join("model_reference.csv"))?;
    ensure!(!reference.is_empty(), "{} has no rows", args.data.join("model_reference.csv").display());
    let mut traces = Vec::new();
    for row in &reference {
        let folder = args.data.join("traces").join(&row["repo_dir"]).join(&row["no_in_subject"]);
        let states = states(&folder.join("execute.log"), row["events"].parse()?)?;
        traces.push((row, states));
    }
    let sums = SEARCHES
        .iter()
        .map(|(search, column)| sum(search, *column, &traces))
        .collect::<Result<Vec<_>, _>>()?;
    let number = |number: f64| format!("{number:.1}");
    let maybe = |known: Option<f64>| known.map_or_else(|| "-".to_owned(), number);
    let rows: Vec<Vec<String>> = sums
        .iter()
        .map(|sum| {
            vec![
                sum.search.to_owned(),
                number(sum.mean_length),
                maybe(sum.reference_length),
                number(sum.mean_trials),
                maybe(sum.reference_trials),
                number(sum.mean_runs),
                number(sum.mean_executed_events),
                sum.longer_than_reference.to_string(),
            ]
        })
        .collect();
    let head =
        ["search", "events left", "reference", "trials", "reference", "runs", "executed events", "longer"];
    table::print(&head, &rows);
    table::say(
        "runs: all but those that check the whole trace; trials: different candidates that they settled",
    );
    table::say("echo takes one by construction: the model is the graph in which it looks for the path");
    table::json(&serde_json::json!({ "bench": "simplydroid", "traces": traces.len(), "searches": sums }))
}

pub(crate) type Row = BTreeMap<String, String>;

fn sum(search: &'static str, column: Option<&str>, traces: &[(&Row, Vec<String>)]) -> anyhow::Result<Sum> {
    let mut sum = Sum { search, ..Sum::default() };
    let count = f64::from(u32::try_from(traces.len())?);
    let read = |row: &Row, name: String| row.get(&name).and_then(|text| text.parse::<f64>().ok());
    for (row, states) in traces {
        let found = reduce(search, states)?;
        sum.mean_length += f64::from(found.length) / count;
        sum.mean_trials += f64::from(found.trials) / count;
        sum.mean_runs += f64::from(found.runs) / count;
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let executed = found.executed as f64;
        sum.mean_executed_events += executed / count;
        if let Some(column) = column {
            let length = read(row, format!("{column}_len")).context("a length in the reference")?;
            let trials = read(row, format!("{column}_trials")).context("trials in the reference")?;
            *sum.reference_length.get_or_insert(0.0) += length / count;
            *sum.reference_trials.get_or_insert(0.0) += trials / count;
            sum.longer_than_reference += u32::from(f64::from(found.length) > length);
        }
    }
    Ok(sum)
}

/// Reduces a trace on its own model, one run a trial.
fn reduce(search: &str, states: &[String]) -> anyhow::Result<Found> {
    let seen = |position: usize| Seen::activity(states[position.min(states.len() - 1)].clone());
    let step = |position: usize| Step {
        before: Some(seen(position)),
        after: Some(seen(position + 1)),
        ..Step::new(if position == 0 { Event::Launch } else { Event::tap(0, 0) })
    };
    let header = Header { start: Start::Stopped, ..Header::new("model") };
    let trace = Trace { header, steps: (0..states.len()).map(step).collect() };
    let material = Material::of(&trace, &Target::AnyCrash, None);
    let mut reduction = reduction(search, &material)?;
    let (mut runs, mut executed) = (0, 0);
    while let Some(order) = reduction.order() {
        if !order.label.starts_with("check") {
            runs += 1;
            executed += u64::from(order.subset.len());
        }
        reduction.settle(order.ticket, &Ended { outcome: play(states, &order), events: order.subset.len() });
    }
    match reduction.ending() {
        Some(ReductionEnding::Reduced(answer)) => {
            Ok(Found { length: answer.subset.len(), trials: reduction.counts().trials, runs, executed })
        }
        other => anyhow::bail!("a model is deterministic, yet the reduction ended with {other:?}"),
    }
}

/// A search with one run a trial, or the default reducer.
fn reduction(search: &str, material: &Material) -> anyhow::Result<Box<dyn Reducing>> {
    if search == DEFAULT {
        let settings = auto::AutoSettings { confirm_runs: 1, min_rate: None, claim_later: false };
        return Ok(Box::new(Ahead::new(Auto::new(material, settings))));
    }
    let search = search::maker(search, material, false).map_err(anyhow::Error::msg)?;
    let settings =
        ReductionSettings { events: material.all().len(), devices: 1, confirm_runs: 1, min_rate: None };
    let rule = Box::new(Fixed::new(1, 1).map_err(anyhow::Error::msg)?);
    Ok(Box::new(Reduction::new(settings, search, rule, Box::<Sequential>::default())))
}

/// A run on the model.
fn play(states: &[String], order: &Order) -> Outcome {
    let last = states.len() - 1;
    let mut here: Option<&str> = None;
    let mut crashed = false;
    for position in order.subset.positions().map(|position| position as usize) {
        let in_place = position == 0 || here == Some(&states[position]);
        crashed |= in_place && position == last;
        if in_place {
            here = Some(&states[(position + 1).min(last)]);
        }
    }
    let reached = match order.goal {
        Goal::Target => crashed,
        Goal::Arrive(step) => here == Some(&states[step as usize]),
    };
    if reached { Outcome::Reached } else { Outcome::Missed }
}

/// The activity before each event.
pub(crate) fn states(log: &Path, events: usize) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
    Ok(simplydroid::activities(&String::from_utf8_lossy(&text), events))
}

/// The rows of a table, by the names of its columns.
pub(crate) fn csv(path: &Path) -> anyhow::Result<Vec<Row>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        head.iter().zip(line.split(',')).map(|(name, cell)| ((*name).into(), cell.into())).collect()
    };
    Ok(lines.map(row).collect())
}
