//! `retap diff`: how two traces, sessions or suites differ.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use retap_job::overview::{JobOverview, SessionOverview, Showable};
use retap_job::suite::SuiteTraces;
use retap_show::{SessionDifference, SuiteDifference, SuiteSide, TextPage, TraceDifference, TraceSide};
use retap_trace::Trace;
use serde::Serialize;

use super::Context;
use super::show::LEVEL;
use crate::args::DiffArgs;
use crate::exit::Exit;
use crate::output::{Output, show};

/// How long steps are paired: only very long traces that have little in common take so long.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn run(args: &DiffArgs, context: &Context) -> anyhow::Result<Exit> {
    let (a, b) = (args.before.as_path(), args.after.as_path());
    let (before, after) = context.interrupt.ends(|| (Showable::read(a), Showable::read(b)));
    let (before, after) = (before?, after?);
    let (level, pages) = (args.shown.level.unwrap_or(LEVEL), !args.shown.no_pager);
    let same = match (&before, &after) {
        (Showable::Session(one), Showable::Session(other)) => {
            let Some(found) = SessionDifference::of(one, other, level) else {
                bail!("{} and {} are of different jobs; compare two of one kind", job(one), job(other));
            };
            tell(context.output, || found.page(), || &found, pages)?;
            found.is_same()
        }
        (Showable::Suite(one), Showable::Suite(other)) => {
            let (traces, other_traces) = (SuiteTraces::of_suite(a)?, SuiteTraces::of_suite(b)?);
            let traces: Vec<&Trace> = traces.iter().map(|(_, trace)| trace).collect();
            let other_traces: Vec<&Trace> = other_traces.iter().map(|(_, trace)| trace).collect();
            let found = SuiteDifference::of(
                SuiteSide { folder: a, manifest: one, traces: &traces },
                SuiteSide { folder: b, manifest: other, traces: &other_traces },
            );
            tell(context.output, || found.page(), || &found, pages)?;
            found.is_same()
        }
        _ => {
            let (one, other) = (side(&before, a, &after)?, side(&after, b, &before)?);
            let found = TraceDifference::of(one, other, level, Some(Instant::now() + PATIENCE));
            tell(context.output, || found.page(), || &found, pages)?;
            found.is_same()
        }
    };
    Ok(if same { Exit::Done } else { Exit::Found })
}

/// Shows what differs, unless nobody wants to know but by the exit code.
fn tell<T: Serialize>(
    output: Output,
    page: impl FnOnce() -> TextPage,
    data: impl FnOnce() -> T,
    pages: bool,
) -> anyhow::Result<()> {
    if output.is_quiet() && !output.is_for_programs() {
        return Ok(());
    }
    show(output, page, data, pages)
}

/// A trace, or the answer of a reduction.
fn side<'a>(named: &'a Showable, path: &'a Path, other: &Showable) -> anyhow::Result<TraceSide<'a>> {
    match named {
        Showable::Trace(trace) => Ok(TraceSide { file: path, trace }),
        Showable::Session(session) => match &session.job {
            JobOverview::Reduce(reduced) if matches!(other, Showable::Trace(_)) => {
                let answer = reduced.answer.as_ref().zip(reduced.trace.as_deref());
                let (trace, file) = answer.ok_or_else(|| anyhow!("{} has no answer yet", path.display()))?;
                Ok(TraceSide { file, trace })
            }
            _ => bail!("{} cannot be compared with {}; compare two of one kind", job(session), other.what()),
        },
        Showable::Suite(_) => {
            bail!("{} is a suite, which cannot be compared with {}", path.display(), other.what())
        }
    }
}

/// A session by its folder and its job.
fn job(session: &SessionOverview) -> String {
    let what = match session.job {
        JobOverview::Explore(_) => "an exploration",
        JobOverview::Reduce(_) => "a reduction",
        JobOverview::Suite(_) => "the making of a suite",
        JobOverview::Replay(_) => "a replay",
    };
    format!("{} ({what})", session.session.display())
}
