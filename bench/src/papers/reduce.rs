//! SimplyDroid: each trace that reproduces here, reduced by the paper's algorithms and by ours, beside table 5.
//!
//! The trace that is reduced was recorded here: the published events up to the crash, with what was seen around them. One
//! run a trial, as in the paper, and one run that confirms the answer.

use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use retap_device::Device as _;
use retap_job::reduce::{ReduceOptions, ReduceStatus, Subject};
use retap_job::{JobPlan, JobResult, ReducePlan};
use retap_lab::{Deadlines, Walk};
use retap_trace::{Event, Header, Seed, Start, Trace};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::folder::Folder;
use super::recorded::Published;
use super::replay::{self, How, Replayed};
use super::told::Told;
use super::work::{Job, Work};
use crate::apks::{Bed, PaperApp, Watched};
use crate::explore::mean;
use crate::table;

/// What one search came to on one trace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Reduced {
    app: String,
    number: u32,
    search: String,
    /// Events of the trace that was reduced.
    before: u32,
    after: u32,
    /// What the paper was left with.
    paper: Option<u32>,
    confirmed: bool,
    trials: u32,
    runs: u32,
    /// Events of all runs.
    events: u64,
    device_seconds: f64,
    seconds: f64,
}

/// Searches, and how many times the events of a trace each is likely to perform.
const SEARCHES: [(&str, f64); 5] =
    [("ddmin", 40.0), ("hdd", 15.0), ("bhdd", 10.0), ("lhdd", 6.0), ("auto", 6.0)];

pub(super) fn work<'a>(
    bed: &'a Bed,
    (cells, replays): (&'a Cells, &'a Cells),
    folder: &'a Folder,
    apps: &'a [PaperApp],
    traces: &'a [Published],
) -> anyhow::Result<Work<'a>> {
    let mut jobs = Vec::new();
    for app in apps {
        for trace in traces.iter().filter(|trace| app.traces.as_ref() == Some(&trace.subject)) {
            let replayed: Option<Replayed> = replays.get(&replay::key(app, trace))?;
            let Some(at) = replayed.filter(|one| one.how == How::Published).and_then(|one| one.at) else {
                continue;
            };
            for (search, times) in SEARCHES {
                #[expect(clippy::cast_precision_loss, reason = "a trace has hundreds of events")]
                let weight = at as f64 * times;
                let measure = move || {
                    let key = format!("{}-{}-{search}", app.name, trace.number);
                    let place = folder.fresh(&key)?;
                    let reduced = bed.with(app, false, |device| {
                        let (file, job) = (place.join("trace.jsonl"), place.join("job"));
                        record(device, app, trace, &file)?;
                        reduce(device, (app, trace, search), &file, &job)
                    })?;
                    std::fs::remove_dir_all(&place)?;
                    Ok(serde_json::to_value(reduced)?)
                };
                jobs.push(Job {
                    key: format!("{}/{}/{search}", app.name, trace.number),
                    groups: vec![format!("{}/{search}", app.name), search.to_owned()],
                    weight,
                    measure: Box::new(measure),
                });
            }
        }
    }
    Ok(Work { part: "a", cells, jobs })
}

/// Performs a trace until it crashes, and writes down what is seen.
fn record(device: &Watched, app: &PaperApp, trace: &Published, file: &std::path::Path) -> anyhow::Result<()> {
    let recording = trace.read()?;
    let start = app.start_events()?;
    let launch = (!start.is_empty()).then_some(Event::Launch);
    let events = launch.into_iter().chain(start).chain(recording.events);
    let mut handle = device.clone();
    let mut walk = Walk::begin(&mut handle, Deadlines::default(), Start::Stopped, Seed(1))?;
    let mut steps = Vec::new();
    for event in events {
        let step = walk.act(event)?;
        let crashed = step.crash.is_some();
        steps.push(step);
        if crashed {
            break;
        }
    }
    ensure!(steps.last().is_some_and(|step| step.crash.is_some()), "it does not crash when it is recorded");
    let header = Header { start: Start::Stopped, ..device.header() };
    retap_job::tracefile::write(file, &Trace { header, steps })?;
    Ok(())
}

fn reduce(
    device: &Watched,
    (app, trace, search): (&PaperApp, &Published, &'static str),
    file: &std::path::Path,
    job: &std::path::Path,
) -> anyhow::Result<Reduced> {
    let rule = if search == "auto" { "auto" } else { "1/1" };
    let options = ReduceOptions {
        search: search.parse().map_err(anyhow::Error::msg)?,
        rule: rule.parse().map_err(anyhow::Error::msg)?,
        values: false,
        confirm: 1,
        ..ReduceOptions::default()
    };
    let plan = ReducePlan::new(Subject::read(file, None, None)?, Some(device.name().to_owned()), options, 1)?;
    let began = Instant::now();
    let devices = device.for_a_job();
    let mut told = Told::new(format!("{} {} {search}", app.name, trace.number));
    let JobResult::Reduce(result) =
        retap_job::run(&JobPlan::Reduce(plan), Some(&devices), Some(job), &mut told)?
    else {
        bail!("a reduction has another result");
    };
    let answered = matches!(result.status, ReduceStatus::Reduced | ReduceStatus::NotConfirmed);
    ensure!(answered, "the reduction ended with {:?}: {:?}", result.status, result.details.trouble);
    Ok(Reduced {
        app: app.name.clone(),
        number: trace.number,
        search: search.to_owned(),
        before: result.events_before,
        after: result.events_after,
        paper: trace.paper.iter().find(|(name, _)| *name == search).and_then(|(_, length)| *length),
        confirmed: result.status == ReduceStatus::Reduced,
        trials: result.trials,
        runs: result.runs,
        events: result.executed_events,
        device_seconds: result.device_seconds,
        seconds: began.elapsed().as_secs_f64(),
    })
}

pub(super) fn report(all: &[Reduced]) -> anyhow::Result<Value> {
    let mut names: Vec<&str> = all.iter().map(|one| &*one.app).collect();
    names.dedup();
    let (mut rows, mut sums) = (Vec::new(), Vec::new());
    for app in names.into_iter().map(Some).chain([None]) {
        for (search, _) in SEARCHES {
            let some: Vec<&Reduced> = all
                .iter()
                .filter(|one| one.search == search && app.is_none_or(|app| one.app == app))
                .collect();
            if !some.is_empty() {
                let sum = Sum::of(app.unwrap_or("all"), search, &some);
                rows.push(sum.row());
                sums.push(serde_json::to_value(sum).context("a sum")?);
            }
        }
    }
    let head = [
        "traces of",
        "search",
        "traces",
        "before",
        "left",
        "left in the paper",
        "trials",
        "runs",
        "events",
        "device s",
        "s",
        "not confirmed",
    ];
    table::print(&head, &rows);
    table::say("means; in the paper: table 5, of the same traces; trials: candidates that were judged");
    table::say("");
    Ok(json!({ "sums": sums, "reductions": all }))
}

/// Means over traces.
#[derive(Debug, Serialize)]
struct Sum {
    of: String,
    search: &'static str,
    traces: usize,
    before: f64,
    after: f64,
    paper: Option<f64>,
    trials: f64,
    runs: f64,
    events: f64,
    device_seconds: f64,
    seconds: f64,
    not_confirmed: usize,
}

impl Sum {
    fn of(name: &str, search: &'static str, some: &[&Reduced]) -> Self {
        let over =
            |figure: &dyn Fn(&Reduced) -> f64| mean(&some.iter().map(|one| figure(one)).collect::<Vec<_>>());
        let paper: Vec<f64> = some.iter().filter_map(|one| one.paper).map(f64::from).collect();
        #[expect(clippy::cast_precision_loss, reason = "some hundred thousands")]
        let events = over(&|one| one.events as f64);
        Self {
            of: name.to_owned(),
            search,
            traces: some.len(),
            before: over(&|one| f64::from(one.before)),
            after: over(&|one| f64::from(one.after)),
            paper: (!paper.is_empty()).then(|| mean(&paper)),
            trials: over(&|one| f64::from(one.trials)),
            runs: over(&|one| f64::from(one.runs)),
            events,
            device_seconds: over(&|one| one.device_seconds),
            seconds: over(&|one| one.seconds),
            not_confirmed: some.iter().filter(|one| !one.confirmed).count(),
        }
    }

    fn row(&self) -> Vec<String> {
        let number = |number: f64| format!("{number:.1}");
        vec![
            self.of.clone(),
            self.search.to_owned(),
            self.traces.to_string(),
            number(self.before),
            number(self.after),
            self.paper.map_or_else(|| "-".to_owned(), number),
            number(self.trials),
            number(self.runs),
            number(self.events),
            number(self.device_seconds),
            number(self.seconds),
            self.not_confirmed.to_string(),
        ]
    }
}
