//! One reduction by one tool: a folder with the model, the list and the oracle; then what came of it.

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use retap_trace::Seed;

use super::kept::{Done, Key};
use super::model::Model;
use super::oracle::{self, Judge, Spent};
use super::process::{self, Ended, Stop};
use super::subject::{Kind, Subject};
use super::tool::{Files, MODULE, Tool, quoted};
use super::variant::Variant;
use super::workshop::Program;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) tool: Tool,
    pub(super) kind: Kind,
    pub(super) variant: Variant,
    pub(super) seed: u64,
}

#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) published: &'a [Subject],
    /// Where jobs have their folders.
    pub(super) folder: PathBuf,
    /// This program, which is the oracle too.
    pub(super) oracle: PathBuf,
    pub(super) limit: Duration,
    pub(super) seed: Seed,
    pub(super) stop: &'a Stop,
}

impl Job {
    pub(super) fn key(&self, published: &[Subject]) -> Key {
        Key {
            tool: self.tool.name().to_owned(),
            model: self.kind.name(published),
            variant: self.variant.name().to_owned(),
            seed: self.seed,
        }
    }

    fn subject(&self, shared: &Shared<'_>) -> Subject {
        match self.kind {
            Kind::Trace(place) => shared.published[place].clone(),
            Kind::List(length, needed) => {
                Subject::list(length, needed, shared.seed.branch("subject", self.seed))
            }
        }
    }

    /// Reduces; nothing when somebody asked to stop.
    pub(super) fn run(&self, program: &Program, shared: &Shared<'_>) -> anyhow::Result<Option<Done>> {
        let key = self.key(shared.published);
        let subject = self.subject(shared);
        let name = format!("{}-{}-{}-{}", key.tool.replace('/', "of"), key.model, key.variant, key.seed);
        let folder = shared.folder.join(name);
        // Whatever an earlier process left there was not finished.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let model = Model { app: subject.app.clone(), flaws: self.variant.flaws() };
        // All tools meet the same chance: only the number of a run tells runs apart.
        let seed = shared.seed.branch(&key.model, self.seed).branch(&key.variant, 0);
        let model = oracle::write(&model, &subject.lines, seed)?;
        let files = files(&folder, &shared.oracle, &model, self.tool.wants_states(), &subject)?;

        let (mut command, answer) = self.tool.command(program, &files, self.seed);
        let said = File::create(folder.join("said.txt"))?;
        command.stdout(said.try_clone()?).stderr(said);
        let began = Instant::now();
        let ended = process::run(&mut command, shared.limit, shared.stop)?;
        let seconds = began.elapsed().as_secs_f64();
        if let Ok(fault) = std::fs::read_to_string(oracle::fault_of(&files.model)) {
            bail!("the oracle failed in {}: {fault}", folder.display());
        }
        let spent = Spent::read(&oracle::log_of(&files.model))?;
        let (ended, answered) = match ended {
            Ended::Stopped => {
                let _ = std::fs::remove_dir_all(&folder);
                return Ok(None);
            }
            Ended::TooLate => (Done::stopped(shared.limit.as_secs()), self.tool.keeps_its_best()),
            // C-Vise ends with 0 when the whole list does not reach the target, and leaves it as it is.
            _ if spent.reached == 0 => ("saw no run that reached".to_owned(), false),
            Ended::Code(Some(0)) => ("answered".to_owned(), answer.exists()),
            Ended::Code(Some(code)) => (format!("ended with {code}"), false),
            Ended::Code(None) => ("ended by a signal".to_owned(), false),
        };
        let judged = answered.then(|| read(&answer, &model)).transpose()?;
        std::fs::remove_dir_all(&folder)?;
        let (length, changed, rate) = match judged {
            Some((length, changed, rate)) => (Some(length), changed, Some(rate)),
            None => (None, 0, None),
        };
        let version = program.version.clone();
        let Spent { runs, executed, .. } = spent;
        Ok(Some(Done { key, version, ended, runs, executed, length, changed, rate, seconds }))
    }
}

/// Writes what a tool needs into the folder of its job.
fn files(
    folder: &Path,
    oracle: &Path,
    model: &[u8],
    states: bool,
    subject: &Subject,
) -> anyhow::Result<Files> {
    let trace = if states { subject.trace().transpose()? } else { None };
    let files = Files {
        folder: folder.to_owned(),
        input: folder.join(if trace.is_some() { "list.trace.jsonl" } else { "list.txt" }),
        check: folder.join("check.sh"),
        module: folder.join("check.py"),
        oracle: oracle.to_owned(),
        model: folder.join("model.txt"),
    };
    std::fs::write(&files.input, trace.unwrap_or_else(|| subject.text().into_bytes()))?;
    std::fs::write(&files.model, model)?;
    std::fs::write(&files.module, MODULE)?;
    let (oracle, model) = (quoted(oracle), quoted(&files.model));
    let script = format!("#!/bin/sh\nexec {oracle} oracle {model} \"${{1:-list.txt}}\"\n");
    std::fs::write(&files.check, script)?;
    std::fs::set_permissions(&files.check, std::fs::Permissions::from_mode(0o755))?;
    Ok(files)
}

/// What an answer is worth: its length, how many of its lines were changed, its exact rate.
fn read(answer: &Path, model: &[u8]) -> anyhow::Result<(u64, u64, f64)> {
    let judge = Judge::read(model)?;
    let lines = judge.lines(&std::fs::read(answer)?);
    let changed = lines.iter().filter(|line| line.is_none()).count();
    Ok((lines.len() as u64, changed as u64, judge.model.exact_rate(&lines)))
}
