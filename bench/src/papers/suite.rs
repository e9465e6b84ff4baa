//! DetReduce and SwiftHand on their own apps: an exploration by SwiftHand, made into a suite, beside table 2.
//!
//! The paper explored for eight hours, about 13,000 transitions; here the budget is smaller, and the figures beside each
//! other are shares. Code is counted in probes here and in branches there.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use retap_device::Device as _;
use retap_job::suite::SuiteTraces;
use retap_job::{ExplorePlan, ExploreResult, JobPlan, JobResult, SuitePlan, SuiteResult};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::folder::Folder;
use super::told::Told;
use super::work::{Job, Work};
use crate::apks::{Bed, Experiment, PaperApp, Watched};
use crate::simplydroid::{Row, csv};
use crate::table;

/// What one algorithm came to on one app.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Made {
    app: String,
    algorithm: String,
    explored: Explored,
    before: Size,
    /// Code, states and crashes are those of the exploration that the suite covers, too; what it covers besides does not
    /// count.
    after: Size,
    replays: u32,
    inconclusive: u32,
    events: u64,
    device_seconds: f64,
    seconds: f64,
    status: String,
}

/// What the exploration came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Explored {
    events: u64,
    states: usize,
    code: usize,
    total: Option<u32>,
    crashes: usize,
    device_seconds: f64,
    seconds: f64,
}

/// A suite.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Size {
    traces: usize,
    transitions: usize,
    code: usize,
    states: usize,
    crashes: usize,
    device_seconds: f64,
}

const ALGORITHMS: [&str; 2] = ["planned", "classic"];

pub(super) fn work<'a>(
    bed: &'a Bed,
    cells: &'a Cells,
    folder: &'a Folder,
    apps: &'a [PaperApp],
    events: u64,
) -> Work<'a> {
    let mut jobs = Vec::new();
    for algorithm in ALGORITHMS {
        for app in apps.iter().filter(|app| app.from == Experiment::SwiftHand2) {
            let measure = move || {
                let place = folder.fresh(&format!("{}-{algorithm}", app.name))?;
                let made = bed.with(app, false, |device| make(device, app, algorithm, events, &place))?;
                std::fs::remove_dir_all(&place)?;
                Ok(serde_json::to_value(made)?)
            };
            #[expect(clippy::cast_precision_loss, reason = "some thousands")]
            let weight = events as f64;
            jobs.push(Job {
                key: format!("{}/{algorithm}/{events}", app.name),
                groups: vec![algorithm.to_owned()],
                weight,
                measure: Box::new(measure),
            });
        }
    }
    Work { part: "b", cells, jobs }
}

fn make(
    device: &Watched,
    app: &PaperApp,
    algorithm: &str,
    events: u64,
    place: &Path,
) -> anyhow::Result<Made> {
    let night = place.join("night");
    let explored = explore(device, events, &night)?;
    let began = Instant::now();
    let suite = shrink(device, algorithm, night, &place.join("suite"))?;
    let (before, after) = (&suite.coverage.before, &suite.coverage.after);
    let size = |size: &retap_job::suite::SuiteSize, covered: &retap_job::suite::CoveredItems| Size {
        traces: size.traces,
        transitions: size.transitions,
        code: covered.code,
        states: covered.states,
        crashes: covered.crashes,
        device_seconds: size.device_seconds,
    };
    Ok(Made {
        app: app.name.clone(),
        algorithm: algorithm.to_owned(),
        explored,
        before: size(&suite.before, before),
        after: size(&suite.after, after),
        replays: suite.replays,
        inconclusive: suite.replays_inconclusive,
        events: suite.executed_events,
        device_seconds: suite.device_seconds,
        seconds: began.elapsed().as_secs_f64(),
        status: format!("{:?}", suite.status),
    })
}

fn explore(device: &Watched, events: u64, folder: &Path) -> anyhow::Result<Explored> {
    let plan = ExplorePlan {
        strategy: "swifthand".parse().map_err(anyhow::Error::msg)?,
        ..ExplorePlan::monkey(device.name(), events, 1)
    };
    let began = Instant::now();
    let (devices, mut told) = (device.for_a_job(), Told::new(device.name().to_owned()));
    let result = retap_job::run(&JobPlan::Explore(plan), Some(&devices), Some(folder), &mut told)?;
    let JobResult::Explore(result) = result else { bail!("an exploration has another result") };
    let ExploreResult { events, states, coverage, coverage_total, crashes, device_seconds, .. } = *result;
    Ok(Explored {
        events,
        states,
        code: coverage,
        total: coverage_total,
        crashes: crashes.len(),
        device_seconds,
        seconds: began.elapsed().as_secs_f64(),
    })
}

fn shrink(device: &Watched, algorithm: &str, night: PathBuf, folder: &Path) -> anyhow::Result<SuiteResult> {
    let traces = SuiteTraces::read(std::slice::from_ref(&night))?;
    let mut plan = SuitePlan::new(vec![night], traces, device.name())?;
    plan.classic = algorithm == "classic";
    let (devices, mut told) = (device.for_a_job(), Told::new(format!("{algorithm} {}", device.name())));
    let result = retap_job::run(&JobPlan::Suite(plan), Some(&devices), Some(folder), &mut told)?;
    let JobResult::Suite(result) = result else { bail!("a suite has another result") };
    Ok(*result)
}

const HEAD: [&str; 21] = [
    "app",
    "made",
    "explored: events",
    "states",
    "code",
    "transitions",
    "restarts",
    "to",
    "restarts",
    "share %",
    "paper %",
    "restarts %",
    "paper %",
    "code kept",
    "states kept",
    "crashes kept",
    "ended",
    "replays",
    "inconclusive",
    "hours, device",
    "s",
];

pub(super) fn report(all: &[Made], apps: &[PaperApp], papers: &Path) -> anyhow::Result<Value> {
    let paper = csv(&papers.join("detreduce_table2_swifthand.csv"))?;
    let in_table = |name: &str| {
        let table = apps.iter().find(|app| app.name == name).and_then(|app| app.table.clone())?;
        paper.iter().find(|row| row.get("app") == Some(&table))
    };
    let rows: Vec<Vec<String>> = all.iter().map(|made| row(made, in_table(&made.app))).collect();
    table::print(&HEAD, &rows);
    table::say(
        "kept: what the suite covers of what the exploration did; ended: Done when the suite is whole",
    );
    table::say("share: transitions that are left, and restarts; the paper's: table 2, of suites of 8 h");
    table::say("");
    Ok(json!(all))
}

fn row(made: &Made, paper: Option<&Row>) -> Vec<String> {
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let share = |part: usize, of: usize| format!("{:.1}", part as f64 * 100.0 / of.max(1) as f64);
    let printed = |part: &str, of: &str| {
        let number = |name: &str| paper.and_then(|row| row.get(name)?.parse::<usize>().ok());
        number(part).zip(number(of)).map_or_else(|| "-".to_owned(), |(part, of)| share(part, of))
    };
    let Made { before, after, explored, .. } = made;
    let total = explored.total.map_or_else(|| "?".to_owned(), |total| total.to_string());
    vec![
        made.app.clone(),
        made.algorithm.clone(),
        explored.events.to_string(),
        explored.states.to_string(),
        format!("{} of {total}", explored.code),
        before.transitions.to_string(),
        before.traces.to_string(),
        after.transitions.to_string(),
        after.traces.to_string(),
        share(after.transitions, before.transitions),
        printed("p2_act", "init_act"),
        share(after.traces, before.traces),
        printed("p2_tr", "init_tr"),
        format!("{} of {}", after.code, before.code),
        format!("{} of {}", after.states, before.states),
        format!("{} of {}", after.crashes, before.crashes),
        made.status.clone(),
        made.replays.to_string(),
        made.inconclusive.to_string(),
        format!("{:.2}", made.device_seconds / 3600.0),
        format!("{:.0}", made.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_and_how_it_ended_is_shown() {
        let size = |traces, code| Size {
            traces,
            transitions: 10 * traces,
            code,
            states: 7,
            crashes: 2,
            device_seconds: 1.0,
        };
        let explored = Explored {
            events: 100,
            states: 8,
            code: 60,
            total: None,
            crashes: 2,
            device_seconds: 1.0,
            seconds: 1.0,
        };
        let made = Made {
            app: "A".to_owned(),
            algorithm: "planned".to_owned(),
            explored,
            before: size(8, 50),
            after: Size { crashes: 1, ..size(2, 40) },
            replays: 30,
            inconclusive: 4,
            events: 1000,
            device_seconds: 3600.0,
            seconds: 5.0,
            status: "CutShort".to_owned(),
        };
        let row = row(&made, None);
        assert_eq!(row.len(), HEAD.len());
        let shown = |head: &str| &*row[HEAD.iter().position(|one| *one == head).unwrap()];
        assert_eq!((shown("code kept"), shown("states kept")), ("40 of 50", "7 of 7"));
        assert_eq!((shown("crashes kept"), shown("ended")), ("1 of 2", "CutShort"));
        assert_eq!((shown("replays"), shown("inconclusive"), shown("share %")), ("30", "4", "25.0"));
    }
}
