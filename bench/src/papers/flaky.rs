//! Flaky crashes: apps whose threads take turns as they come are explored, each crash is replayed to learn its rate, and
//! one that does not always come is reduced with the rules of ND3MIN's experiment.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use retap_device::Device as _;
use retap_job::explore::ExploreStatus;
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
    app: String,
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
    /// How many of so many replays reached it; those in which the device failed are no evidence.
    rate: (u32, u32),
    inconclusive: u32,
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
/// The app that is part of retap.
const SAMPLE: &str = "jvm:sample";

pub(super) fn work<'a>(
    bed: &'a Bed,
    cells: &'a Cells,
    folder: &'a Folder,
    apps: &'a [PaperApp],
    named: bool,
) -> anyhow::Result<Work<'a>> {
    let mut jobs = Vec::new();
    for suspect in suspects()? {
        let app = if suspect.app == SAMPLE {
            // It is not in the table of apps, so naming apps means others.
            (!named).then(|| PaperApp::sample(&suspect.name))
        } else {
            apps.iter().find(|app| app.name == suspect.app).cloned()
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

fn suspects() -> anyhow::Result<Vec<Suspect>> {
    let all: Suspects =
        toml::from_str(include_str!("flaky.toml")).context("the list of subjects is wrong")?;
    let known = crate::apks::apps(&[])?;
    for suspect in &all.subject {
        let is_known = suspect.app == SAMPLE || known.iter().any(|app| app.name == suspect.app);
        ensure!(is_known, "{} is of the app '{}', which is not in the table", suspect.name, suspect.app);
    }
    Ok(all.subject)
}

fn look_through(device: &Watched, suspect: &Suspect, place: &Path) -> anyhow::Result<Vec<Flake>> {
    let plan = ExplorePlan {
        strategy: "aware".parse().map_err(anyhow::Error::msg)?,
        ..ExplorePlan::monkey(device.name(), suspect.events, 1)
    };
    let JobResult::Explore(result) = run(device, &JobPlan::Explore(plan), &place.join("night"))? else {
        bail!("an exploration has another result");
    };
    ensure!(
        result.status == ExploreStatus::Done,
        "the exploration ended as {:?}, after {} events",
        result.status,
        result.events
    );
    let mut flakes = Vec::new();
    for (nth, crash) in result.crashes.iter().take(suspect.most).enumerate() {
        let file = &crash.trace;
        let (rate, inconclusive) = rate(device, file, &place.join(format!("replay-{nth}")))?;
        let mut flake = Flake {
            subject: suspect.name.clone(),
            signature: crash.signature.clone(),
            events: crash.events,
            rate,
            inconclusive,
            reduced: Vec::new(),
        };
        if flake.why_not_reduced().is_none() {
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

/// How many of so many replays reach the crash of a trace, and in how many besides the device failed.
fn rate(device: &Watched, file: &Path, folder: &Path) -> anyhow::Result<((u32, u32), u32)> {
    let trace = retap_job::tracefile::read(file)?;
    let Some(target @ Target::Crash(_)) = trace.header.target.clone() else { bail!("it has no crash") };
    let mut plan = ReplayPlan::new(file, trace, target, device.name())?;
    plan.times = REPLAYS;
    let JobResult::Replay(result) = run(device, &JobPlan::Replay(plan), folder)? else {
        bail!("a replay has another result");
    };
    Ok(((result.confirmed.reached, result.confirmed.of), result.runs_inconclusive))
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

impl Flake {
    /// Why there is nothing to reduce, if so.
    fn why_not_reduced(&self) -> Option<&'static str> {
        match self.rate {
            (_, 0) => Some("no replay was conclusive"),
            (0, _) => Some("never came again"),
            (reached, of) if reached == of => Some("not flaky"),
            _ => None,
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let share = |(reached, of): (u32, u32)| format!("{reached}/{of}");
        let first = [
            self.subject.clone(),
            self.signature.clone(),
            self.events.to_string(),
            share(self.rate),
            self.inconclusive.to_string(),
        ];
        let row = |rest: Vec<String>| {
            let mut row: Vec<String> = first.iter().cloned().chain(rest).collect();
            row.resize(HEAD.len(), "-".to_owned());
            row
        };
        if let Some(why) = self.why_not_reduced() {
            return vec![row(vec![why.to_owned()])];
        }
        let by_rule = |by: &ByRule| {
            row(vec![
                by.rule.clone(),
                by.status.clone(),
                by.events.to_string(),
                share(by.rate),
                by.runs.to_string(),
                format!("{:.0}", by.seconds),
            ])
        };
        self.reduced.iter().map(by_rule).collect()
    }
}

const HEAD: [&str; 11] =
    ["subject", "crash", "events", "rate", "inconclusive", "rule", "ended", "left", "rate", "runs", "s"];

pub(super) fn report(all: &[Vec<Flake>]) -> Value {
    let flakes: Vec<&Flake> = all.iter().flatten().collect();
    let rows: Vec<Vec<String>> = flakes.iter().flat_map(|flake| flake.rows()).collect();
    table::print(&HEAD, &rows);
    table::say(
        "rate: replays that reached the crash, before and after; inconclusive: replays before in which the device failed",
    );
    table::say("");
    json!(flakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flake(rate: (u32, u32), inconclusive: u32) -> Flake {
        let reduced = Vec::new();
        Flake { subject: "A".to_owned(), signature: "x".to_owned(), events: 9, rate, inconclusive, reduced }
    }

    #[test]
    fn replays_that_say_nothing_are_told_from_those_that_missed() {
        let said = |rate, inconclusive| flake(rate, inconclusive).rows()[0][3..6].to_vec();
        assert_eq!(said((0, 0), 40), ["0/0", "40", "no replay was conclusive"]);
        assert_eq!(said((0, 38), 2), ["0/38", "2", "never came again"]);
        assert_eq!(said((40, 40), 0), ["40/40", "0", "not flaky"]);
        assert_eq!(flake((1, 40), 0).why_not_reduced(), None);
        assert_eq!(flake((0, 0), 40).rows()[0].len(), HEAD.len());
    }

    #[test]
    fn every_subject_has_an_app() {
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::open(folder.path(), "d", "b").unwrap();
        let (bed, place) = (Bed::new(folder.path()), Folder::new().unwrap());
        let apps = crate::apks::apps(&[]).unwrap();
        let keys = |apps: &[PaperApp], named| work(&bed, &cells, &place, apps, named).unwrap().keys();
        let all = keys(&apps, false);
        assert_eq!(all.len(), suspects().unwrap().len());
        assert_eq!(all[0], "race");
        assert_eq!(keys(&crate::apks::apps(&["anymemo".to_owned()]).unwrap(), true), ["anymemo"]);
    }
}
