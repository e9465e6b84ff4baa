//! The oracle that all tools ask: one process a run, which plays a candidate on a model and ends with 0 if it reaches
//! the target, else with 1.
//!
//! A model is a file: a line of JSON with its flaws and its seed, then one line an event, `NUMBER<tab>LINE`, where the
//! number is its activity, or 1 if it is needed. Beside it grows the log: a record of one size for each run. The
//! chance of a run comes of the seed and of the number of records before it, so a job can be repeated exactly.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::Args;
use retap_trace::Seed;
use serde::{Deserialize, Serialize};

use super::model::{App, End, Flaws, Line, Model};
use super::subject::FIELD;

#[derive(Debug, Args)]
pub(crate) struct OracleArgs {
    /// The file of the model; the log stands beside it
    model: PathBuf,
    /// The candidate: lines of the whole list, or a trace whose steps name theirs
    candidate: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    seed: u64,
    #[serde(flatten)]
    flaws: Flaws,
    needed: bool,
}

/// A model and the lines of its events.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    pub(super) model: Model,
    seed: Seed,
    /// Where each line stands.
    places: HashMap<&'a [u8], u32>,
}

/// What a log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Spent {
    pub(super) runs: u64,
    /// How many of them reached what they were asked for.
    pub(super) reached: u64,
    pub(super) executed: u64,
}

/// What a run was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Target,
    /// The state before this event.
    Arrive(usize),
}

/// Bytes of a record of the log: the outcome, a space, executed events, the line's end.
const RECORD: usize = 16;

/// Judges a candidate; how the process ends says it. What goes wrong is no answer: it ends with 2 and stands in a file
/// beside the model, because tools tell nobody what a test has said.
pub(crate) fn run(args: &OracleArgs) -> ExitCode {
    let goal = std::env::var("RETAP_GOAL").ok();
    match judge(args, goal.as_deref()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = std::fs::write(fault_of(&args.model), format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

fn judge(args: &OracleArgs, goal: Option<&str>) -> anyhow::Result<bool> {
    let text = std::fs::read(&args.model).context("cannot read the model")?;
    let judge = Judge::read(&text)?;
    let candidate = std::fs::read(&args.candidate).context("cannot read the candidate")?;
    let goal = match goal.and_then(|goal| goal.strip_prefix("arrive:")) {
        Some(number) => Goal::Arrive(number.parse::<usize>()?.saturating_sub(1)),
        None => Goal::Target,
    };
    judge.judge(&judge.lines(&candidate), goal, &log_of(&args.model))
}

/// The log beside a model.
pub(super) fn log_of(model: &Path) -> PathBuf {
    model.with_extension("log")
}

/// What went wrong in a run, if anything did.
pub(super) fn fault_of(model: &Path) -> PathBuf {
    model.with_extension("fault")
}

/// The file of a model.
pub(super) fn write(model: &Model, lines: &[String], seed: Seed) -> anyhow::Result<Vec<u8>> {
    let needed = matches!(model.app, App::Needed(_));
    let mut text = serde_json::to_vec(&Head { seed: seed.0, flaws: model.flaws, needed })?;
    text.push(b'\n');
    for (place, line) in lines.iter().enumerate() {
        let number = match &model.app {
            App::Activities(before) => before[place],
            App::Needed(needed) => u32::from(needed[place]),
        };
        writeln!(text, "{number}\t{line}")?;
    }
    Ok(text)
}

impl<'a> Judge<'a> {
    /// Reads the file of a model.
    pub(super) fn read(text: &'a [u8]) -> anyhow::Result<Self> {
        let mut lines = text.split(|&byte| byte == b'\n');
        let head: Head =
            serde_json::from_slice(lines.next().unwrap_or_default()).context("the model's head")?;
        let mut numbers = Vec::new();
        let mut places = HashMap::with_capacity(text.len() / 24);
        for line in lines.filter(|line| !line.is_empty()) {
            let tab = line.iter().position(|&byte| byte == b'\t').context("a line without a number")?;
            let number: u32 = str::from_utf8(&line[..tab])?.parse()?;
            places.insert(&line[tab + 1..], u32::try_from(numbers.len())?);
            numbers.push(number);
        }
        ensure!(
            places.len() == numbers.len() && !numbers.is_empty(),
            "a model's lines differ, and there are some"
        );
        let app = if head.needed {
            App::Needed(numbers.into_iter().map(|number| number > 0).collect())
        } else {
            App::Activities(numbers)
        };
        Ok(Self { model: Model { app, flaws: head.flaws }, seed: Seed(head.seed), places })
    }

    /// The events of a candidate. Blank lines and the header of a trace are none.
    pub(super) fn lines(&self, candidate: &[u8]) -> Vec<Line> {
        let lines = candidate.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let lines = lines.filter(|line| !line.starts_with(b"{\"retap\":\"trace\""));
        lines.map(|line| self.places.get(line).copied().or_else(|| self.step(line))).collect()
    }

    /// The event of a step of a trace.
    fn step(&self, line: &[u8]) -> Line {
        if !line.starts_with(b"{") {
            return None;
        }
        let step: serde_json::Value = serde_json::from_slice(line).ok()?;
        self.places.get(step.get(FIELD)?.as_str()?.as_bytes()).copied()
    }

    fn judge(&self, lines: &[Line], goal: Goal, log: &Path) -> anyhow::Result<bool> {
        let mut log =
            OpenOptions::new().create(true).append(true).open(log).context("cannot open the log")?;
        // A tool that judges two candidates at once gets two numbers.
        log.lock()?;
        let number = log.metadata()?.len() / RECORD as u64;
        let end = self.model.run(lines, &mut self.seed.branch("run", number).dice());
        let reached = match goal {
            Goal::Target => end.reached,
            Goal::Arrive(event) => self.arrived(&end, event),
        };
        record(&mut log, reached, end.executed)?;
        Ok(reached)
    }

    fn arrived(&self, end: &End, event: usize) -> bool {
        match &self.model.app {
            App::Activities(before) => end.activity.is_some() && end.activity == before.get(event).copied(),
            App::Needed(_) => false,
        }
    }
}

fn record(log: &mut File, reached: bool, executed: u64) -> anyhow::Result<()> {
    let record = format!("{} {executed:>13}\n", u8::from(reached));
    ensure!(record.len() == RECORD, "more events than a record holds");
    log.write_all(record.as_bytes()).context("cannot write the log")
}

impl Spent {
    /// What a log says; there is none before the first run.
    pub(super) fn read(log: &Path) -> anyhow::Result<Self> {
        let text = match std::fs::read(log) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let mut spent = Self::default();
        for record in text.chunks_exact(RECORD) {
            spent.runs += 1;
            spent.reached += u64::from(record[0] == b'1');
            spent.executed += str::from_utf8(&record[2..])?.trim().parse::<u64>()?;
        }
        Ok(spent)
    }
}
