//! `retap reduce DIR --all`: each crash of an exploration, one after the other, each in a session of its own.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use retap_job::explore::{Crashed, crashes_meant};
use retap_job::reduce::{ReduceStatus, Subject, folder_below};
use retap_job::{JobPlan, JobResult, ReduceResult, folder};
use serde::Serialize;

use super::{devices_of, plan};
use crate::args::ReduceArgs;
use crate::commands::Context;
use crate::exit::Exit;
use crate::output::{bad, good, strong};

/// The result for programs.
#[derive(Debug, Serialize)]
struct EachResult {
    command: &'static str,
    /// `done` when all were gone through to an end.
    status: &'static str,
    reductions: Vec<Reduction>,
    session: PathBuf,
}

/// What came of one crash: as of a reduction that was asked for alone, or why there was none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Reduction {
    Ran(Box<ReduceResult>),
    Failed { command: &'static str, status: &'static str, target: String, why: String },
}

pub(super) fn run(args: &ReduceArgs, context: &Context) -> anyhow::Result<Exit> {
    ensure!(
        args.input.is_dir(),
        "--all is for the folder of an exploration, and {} is none; leave --all out",
        args.input.display()
    );
    let crashes = crashes_meant(&args.input, None, None)?;
    let out = context.out().map_or_else(|| usual(&args.input), Path::to_owned);
    let mut reductions = Vec::new();
    let mut worst = Exit::Done;
    for crashed in &crashes {
        if context.interrupt.stop.asked() {
            worst = Exit::Interrupted;
            break;
        }
        context.output.say(format!("\nreducing {} ...", strong(&crashed.signature)));
        let ran = |reduction: &Reduction| matches!(reduction, Reduction::Ran(_));
        let done = match Subject::read(&crashed.trace, None, Some(&crashed.signature)) {
            Ok(subject) => match one(subject, args, &out, context) {
                // What is wrong with the first is wrong with them all: the settings, the device, the folder.
                Err(error) if !reductions.iter().any(ran) => return Err(error),
                done => done,
            },
            Err(error) => Err(error.into()),
        };
        let (reduction, exit) = match done {
            Ok((result, exit)) => (Reduction::Ran(result), exit),
            Err(error) => {
                crate::output::error(&error);
                context.reports.borrow_mut().failure(&format!("crash:{}", crashed.signature), &error);
                (Reduction::failed(&crashed.signature, &error), Exit::Usage)
            }
        };
        // Without a device that works the next one ends alike.
        let over = matches!(&reduction, Reduction::Ran(result) if result.status == ReduceStatus::CutShort);
        reductions.push(reduction);
        worst = worst.max(exit);
        if exit == Exit::Interrupted || over {
            break;
        }
    }
    summary(&crashes, &reductions, context);
    let status = match worst {
        Exit::Done | Exit::Found => "done",
        Exit::Usage => "cut_short",
        Exit::Interrupted => "interrupted",
    };
    context.output.result(&EachResult { command: "reduce", status, reductions, session: out })?;
    Ok(worst)
}

fn one(
    subject: Subject,
    args: &ReduceArgs,
    out: &Path,
    context: &Context,
) -> anyhow::Result<(Box<ReduceResult>, Exit)> {
    let plan = plan(subject, args, context)?;
    let devices = devices_of(&plan, context)?;
    let folder = folder_below(out, &plan)?;
    let result = context.part(&JobPlan::Reduce(plan), devices.as_ref(), &folder)?;
    let exit = Exit::of(&result);
    match result {
        JobResult::Reduce(result) => Ok((result, exit)),
        _ => unreachable!("a reduction has the result of one"),
    }
}

/// The folder of all reductions when none was typed: the same for the same exploration.
fn usual(exploration: &Path) -> PathBuf {
    let whole = exploration.canonicalize().unwrap_or_else(|_| exploration.to_owned());
    folder::named("reduce-all", &whole.display().to_string())
}

/// One line for each crash.
fn summary(crashes: &[Crashed], reductions: &[Reduction], context: &Context) {
    context.output.say("");
    let came_of_it = reductions.iter().map(Some).chain(std::iter::repeat(None));
    for (crashed, reduction) in crashes.iter().zip(came_of_it) {
        let signature = &crashed.signature;
        context.output.say(match reduction {
            Some(Reduction::Ran(result)) => {
                let ReduceResult { status, events_before, events_after, confirmed, .. } = &**result;
                let figures = format!(
                    "{signature}: {events_before} events to {events_after}, reached {} of {} times",
                    confirmed.reached, confirmed.of
                );
                let trace =
                    result.trace.as_ref().map_or_else(String::new, |at| format!("; {}", at.display()));
                match status {
                    ReduceStatus::Reduced => format!("{} {figures}{trace}", good("reduced")),
                    other => format!("{} {figures}", bad(other.in_words())),
                }
            }
            Some(Reduction::Failed { why, .. }) => format!("{} {signature}: {why}", bad("failed")),
            None => format!("{} {signature}", bad("not begun")),
        });
    }
}

impl Reduction {
    fn failed(signature: &str, error: &anyhow::Error) -> Self {
        let (target, why) = (format!("crash:{signature}"), format!("{error:#}"));
        Self::Failed { command: "reduce", status: "failed", target, why }
    }
}
