//! SimplyDroid: each trace that reproduces here, reduced by the paper's algorithms and by ours, beside table 5.
//!
//! The trace that is reduced was recorded here: the published events up to the crash, with what was seen around them. One
//! run a trial, as in the paper, and one run that confirms the answer. Some apps are launched and set up before the first
//! published event; what is added for that is counted apart from the events of the recording.

mod sums;

use std::path::Path;
use std::time::Instant;

use anyhow::{bail, ensure};
use retap_device::Device as _;
use retap_job::reduce::{ReduceOptions, ReduceStatus, Subject};
use retap_job::{JobPlan, JobResult, ReducePlan};
use retap_lab::{Deadlines, Walk};
use retap_trace::{Event, Header, Seed, Start, Trace};
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::folder::Folder;
use super::recorded::Published;
use super::replay::{self, How, Replayed};
use super::told::Told;
use super::work::{Job, Work};
use crate::apks::{Bed, PaperApp, Watched};
pub(super) use sums::report;

/// What one search came to on one trace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Reduced {
    app: String,
    number: u32,
    search: String,
    /// Events of the recording as it was published.
    recorded: u32,
    /// Events of it until the crash here, which may come earlier than it did there.
    until_crash: u32,
    /// Events that were added before the first of the recording.
    added: u32,
    /// Events of the recording that are left.
    left: u32,
    /// Added events that are left.
    added_left: u32,
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
                        let lengths = record(device, app, trace, &file)?;
                        reduce(device, (app, trace, search), lengths, (&file, &job))
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

/// The lengths of a trace that is reduced.
#[derive(Debug, Clone, Copy)]
struct Lengths {
    /// Events of the recording as it was published.
    recorded: u32,
    /// Events of it until the crash here.
    until_crash: u32,
    /// Events before the first of the recording.
    added: u32,
}

impl Lengths {
    /// How many of the kept events, counted from 1, are of the recording, and how many were added.
    fn split(self, kept: &[u32]) -> (u32, u32) {
        kept.iter().fold(
            (0, 0),
            |(left, added), &nth| {
                if nth > self.added { (left + 1, added) } else { (left, added + 1) }
            },
        )
    }
}

/// Performs a trace until it crashes, and writes down what is seen.
fn record(device: &Watched, app: &PaperApp, trace: &Published, file: &Path) -> anyhow::Result<Lengths> {
    let recording = trace.read()?;
    let start = app.start_events()?;
    let launch = (!start.is_empty()).then_some(Event::Launch);
    let added: Vec<Event> = launch.into_iter().chain(start).collect();
    let (before, recorded) = (added.len(), recording.events.len());
    let mut handle = device.clone();
    let mut walk = Walk::begin(&mut handle, Deadlines::default(), Start::Stopped, Seed(1))?;
    let mut steps = Vec::new();
    for event in added.into_iter().chain(recording.events) {
        let step = walk.act(event)?;
        let crashed = step.crash.is_some();
        steps.push(step);
        if crashed {
            break;
        }
    }
    let Some(crash) = steps.last().and_then(|step| step.crash.as_ref()) else {
        bail!("it does not crash when it is recorded")
    };
    ensure!(steps.len() > before, "it crashes before the first event of the recording: {crash}");
    // Another crash may be easier to reach, and table 5 says nothing of it.
    ensure!(trace.is_of(&recording.crash, crash), "it crashes otherwise when it is recorded: {crash}");
    let lengths = Lengths {
        recorded: u32::try_from(recorded)?,
        until_crash: u32::try_from(steps.len() - before)?,
        added: u32::try_from(before)?,
    };
    let header = Header { start: Start::Stopped, ..device.header() };
    retap_job::tracefile::write(file, &Trace { header, steps })?;
    Ok(lengths)
}

fn reduce(
    device: &Watched,
    (app, trace, search): (&PaperApp, &Published, &'static str),
    lengths: Lengths,
    (file, job): (&Path, &Path),
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
    let answered = matches!(
        result.status,
        ReduceStatus::Reduced | ReduceStatus::BelowTheRule | ReduceStatus::NotConfirmed
    );
    ensure!(answered, "the reduction ended with {:?}: {:?}", result.status, result.details.trouble);
    ensure!(result.kept.len() == result.events_after as usize, "not every event of the answer is known");
    let (left, added_left) = lengths.split(&result.kept);
    Ok(Reduced {
        app: app.name.clone(),
        number: trace.number,
        search: search.to_owned(),
        recorded: lengths.recorded,
        until_crash: lengths.until_crash,
        added: lengths.added,
        left,
        added_left,
        paper: trace.paper.iter().find(|(name, _)| *name == search).and_then(|(_, length)| *length),
        confirmed: result.status == ReduceStatus::Reduced,
        trials: result.trials,
        runs: result.runs,
        events: result.executed_events,
        device_seconds: result.device_seconds,
        seconds: began.elapsed().as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_events_are_not_events_of_the_recording() {
        let lengths = Lengths { recorded: 9, until_crash: 7, added: 3 };
        assert_eq!(lengths.split(&[1, 3, 4, 10]), (2, 2));
        assert_eq!(Lengths { added: 0, ..lengths }.split(&[1, 7]), (2, 0));
    }
}
