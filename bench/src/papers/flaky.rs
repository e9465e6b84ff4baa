//! Flaky crashes: apps whose threads take turns as they come are explored, each crash is replayed to learn its rate, and
//! one that does not always come is reduced with the rules of ND3MIN's experiment.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use retap_device::Device as _;
use retap_job::reduce::{ReduceOptions, Subject};
use retap_job::{ExplorePlan, JobPlan, JobResult, ReducePlan, ReplayPlan};
use retap_trace::Target;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::folder::Folder;
use super::told::Told;
use super::work::{Job, Work};
use crate::apks::{Bed, PaperApp, Watched};
use crate::table;

/// An app that is looked through.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Suspect {
    name: String,
    app: Option<String>,
    apk: Option<PathBuf>,
    events: u64,
    most: usize,
}

#[derive(Debug, Deserialize)]
struct Suspects {
    subject: Vec<Suspect>,
}

/// A crash of an app, and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Flake {
    subject: String,
    signature: String,
    events: usize,
    /// How many of so many replays reached it.
    rate: (u32, u32),
    reduced: Vec<ByRule>,
}

/// A reduction by one rule.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ByRule {
    rule: String,
    status: String,
    events: u32,
    rate: (u32, u32),
    runs: u32,
    device_seconds: f64,
    seconds: f64,
}

/// The rules of the paper's experiment: how often a candidate must reach the crash.
const RULES: [&str; 2] = ["5/10", "18/20"];
const REPLAYS: u32 = 40;

pub(super) fn work<'a>(
    bed: &'a Bed,
    cells: &'a Cells,
    folder: &'a Folder,
    apps: &'a [PaperApp],
    project: &Path,
) -> anyhow::Result<Work<'a>> {
    let all: Suspects =
        toml::from_str(include_str!("flaky.toml")).context("the list of subjects is wrong")?;
    let mut jobs = Vec::new();
    for suspect in all.subject {
        let app = match (&suspect.app, &suspect.apk) {
            (Some(name), None) => apps.iter().find(|app| app.name == *name).cloned(),
            (None, Some(apk)) => {
                let apk = project.join(apk);
                if !apk.is_file() {
                    table::progress(&format!("d: skipped {}: there is no {}", suspect.name, apk.display()));
                }
                apk.is_file().then(|| PaperApp::of_file(&suspect.name, &apk))
            }
            _ => bail!("{} is either an app or a file", suspect.name),
        };
        let Some(app) = app else { continue };
        #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
        let weight = suspect.events as f64 * suspect.most as f64;
        let (key, groups) = (suspect.name.clone(), vec![suspect.name.clone()]);
        let measure = move || {
            let place = folder.fresh(&format!("flaky-{}", suspect.name))?;
            let flakes = bed.with(&app, true, |device| look_through(device, &suspect, &place))?;
            std::fs::remove_dir_all(&place)?;
            Ok(serde_json::to_value(flakes)?)
        };
        jobs.push(Job { key, groups, weight, measure: Box::new(measure) });
    }
    Ok(Work { part: "d", cells, jobs })
}

fn look_through(device: &Watched, suspect: &Suspect, place: &Path) -> anyhow::Result<Vec<Flake>> {
    let plan = ExplorePlan {
        strategy: "aware".parse().map_err(anyhow::Error::msg)?,
        ..ExplorePlan::monkey(device.name(), suspect.events, 1)
    };
    let JobResult::Explore(result) = run(device, &JobPlan::Explore(plan), &place.join("night"))? else {
        bail!("an exploration has another result");
    };
    let mut flakes = Vec::new();
    for (nth, crash) in result.crashes.iter().take(suspect.most).enumerate() {
        let (rate, file) = (rate(device, &crash.trace, &place.join(format!("replay-{nth}")))?, &crash.trace);
        let mut flake = Flake {
            subject: suspect.name.clone(),
            signature: crash.signature.clone(),
            events: crash.events,
            rate,
            reduced: Vec::new(),
        };
        if rate.0 > 0 && rate.0 < rate.1 {
            for rule in RULES {
                let folder = place.join(format!("reduce-{nth}-{}", rule.replace('/', "-")));
                flake.reduced.push(reduce(device, file, rule, &folder)?);
            }
        }
        flakes.push(flake);
    }
    Ok(flakes)
}

fn run(device: &Watched, plan: &JobPlan, folder: &Path) -> anyhow::Result<JobResult> {
    let mut told = Told::new(device.name().to_owned());
    Ok(retap_job::run(plan, Some(&device.for_a_job()), Some(folder), &mut told)?)
}

/// How many of so many replays reach the crash of a trace.
fn rate(device: &Watched, file: &Path, folder: &Path) -> anyhow::Result<(u32, u32)> {
    let trace = retap_job::tracefile::read(file)?;
    let Some(target @ Target::Crash(_)) = trace.header.target.clone() else { bail!("it has no crash") };
    let mut plan = ReplayPlan::new(file, trace, target, device.name())?;
    plan.times = REPLAYS;
    let JobResult::Replay(result) = run(device, &JobPlan::Replay(plan), folder)? else {
        bail!("a replay has another result");
    };
    Ok((result.confirmed.reached, result.confirmed.of))
}

fn reduce(device: &Watched, file: &Path, rule: &str, folder: &Path) -> anyhow::Result<ByRule> {
    let options = ReduceOptions {
        search: "ddmin".parse().map_err(anyhow::Error::msg)?,
        rule: rule.parse().map_err(anyhow::Error::msg)?,
        schedule: "heuristic".parse().map_err(anyhow::Error::msg)?,
        values: false,
        ..ReduceOptions::default()
    };
    let plan = ReducePlan::new(Subject::read(file, None, None)?, Some(device.name().to_owned()), options, 1)?;
    let began = Instant::now();
    let JobResult::Reduce(result) = run(device, &JobPlan::Reduce(plan), folder)? else {
        bail!("a reduction has another result");
    };
    Ok(ByRule {
        rule: rule.to_owned(),
        status: format!("{:?}", result.status),
        events: result.events_after,
        rate: (result.confirmed.reached, result.confirmed.of),
        runs: result.runs,
        device_seconds: result.device_seconds,
        seconds: began.elapsed().as_secs_f64(),
    })
}

pub(super) fn report(all: &[Vec<Flake>]) -> Value {
    let share = |(reached, of): (u32, u32)| format!("{reached}/{of}");
    let mut rows = Vec::new();
    for flake in all.iter().flatten() {
        let first =
            [flake.subject.clone(), flake.signature.clone(), flake.events.to_string(), share(flake.rate)];
        if flake.reduced.is_empty() {
            let why = if flake.rate.0 == 0 { "never came again" } else { "not flaky" };
            rows.push(first.iter().cloned().chain([why.to_owned()]).collect::<Vec<_>>());
        }
        for by in &flake.reduced {
            let rest = [
                by.rule.clone(),
                by.status.clone(),
                by.events.to_string(),
                share(by.rate),
                by.runs.to_string(),
                format!("{:.0}", by.seconds),
            ];
            rows.push(first.iter().cloned().chain(rest).collect());
        }
    }
    let head = ["subject", "crash", "events", "rate", "rule", "ended", "left", "rate", "runs", "s"];
    for row in &mut rows {
        row.resize(head.len(), "-".to_owned());
    }
    table::print(&head, &rows);
    table::say("rate: replays that reached the crash, before and after");
    table::say("");
    json!(all.iter().flatten().collect::<Vec<_>>())
}
