//! `retap diff`: how two traces, sessions or suites differ.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure};
use retap_job::overview::{JobOverview, SessionOverview, Showable};
use retap_job::suite::{SuiteManifest, SuiteTraces};
use retap_show::{SessionDifference, SuiteDifference, SuiteSide, TextPage, TraceDifference, TraceSide};
use retap_trace::Trace;
use serde::Serialize;

use super::show::LEVEL;
use super::{Context, STDIN};
use crate::args::DiffArgs;
use crate::exit::Exit;
use crate::output::{Output, show};

/// How long steps are paired: only very long traces that have little in common take so long.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn run(args: &DiffArgs, context: &Context) -> anyhow::Result<Exit> {
    let (a, b) = (args.before.as_path(), args.after.as_path());
    ensure!(
        a.as_os_str() != STDIN || b.as_os_str() != STDIN,
        "- and - are the same stdin; name a file for one of them"
    );
    let (before, after) = context.interrupt.ends(|| (super::showable(a), super::showable(b)));
    let (before, after) = (before?, after?);
    let (level, pages) = (args.shown.level.unwrap_or(LEVEL), !args.shown.no_pager);
    let until = Some(Instant::now() + PATIENCE);
    let same = match (&before, &after) {
        (Showable::Session(one), Showable::Session(other)) => {
            let (one_made, other_made) = (Made::of(one)?, Made::of(other)?);
            let (kept, other_kept);
            let suites = match (&one_made, &other_made) {
                (Some(one), Some(other)) => {
                    (kept, other_kept) = (one.traces(), other.traces());
                    Some(SuiteDifference::of(one.side(&kept), other.side(&other_kept)))
                }
                _ => None,
            };
            let Some(found) = SessionDifference::of(one, other, suites, level, until) else {
                bail!("{} and {} are of different jobs; compare two of one kind", job(one), job(other));
            };
            tell(context.output, || found.page(), || &found, pages)?;
            found.is_same()
        }
        (Showable::Suite(one), Showable::Suite(other)) => {
            let (one, other) = (Made::read(a, one)?, Made::read(b, other)?);
            let (traces, other_traces) = (one.traces(), other.traces());
            let found = SuiteDifference::of(one.side(&traces), other.side(&other_traces));
            tell(context.output, || found.page(), || &found, pages)?;
            found.is_same()
        }
        _ => {
            let (one, other) = (side(&before, a, &after)?, side(&after, b, &before)?);
            let found = TraceDifference::of(one, other, level, until);
            tell(context.output, || found.page(), || &found, pages)?;
            found.is_same()
        }
    };
    Ok(if same { Exit::Done } else { Exit::Found })
}

/// A suite with its traces.
struct Made<'a> {
    folder: &'a Path,
    manifest: &'a SuiteManifest,
    read: SuiteTraces,
}

impl<'a> Made<'a> {
    fn read(folder: &'a Path, manifest: &'a SuiteManifest) -> anyhow::Result<Self> {
        Ok(Self { folder, manifest, read: SuiteTraces::of_suite(folder)? })
    }

    /// The suite that a session has made, if it has.
    fn of(session: &'a SessionOverview) -> anyhow::Result<Option<Self>> {
        let JobOverview::Suite(made) = &session.job else { return Ok(None) };
        let made = made.suite.as_deref().zip(made.manifest.as_ref());
        made.map(|(folder, manifest)| Self::read(folder, manifest)).transpose()
    }

    fn traces(&self) -> Vec<&Trace> {
        self.read.iter().map(|(_, trace)| trace).collect()
    }

    const fn side<'b>(&'b self, traces: &'b [&'b Trace]) -> SuiteSide<'b> {
        SuiteSide { folder: self.folder, manifest: self.manifest, traces }
    }
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
        Showable::Trace(file, trace) => Ok(TraceSide { file, trace }),
        Showable::Session(session) => match &session.job {
            JobOverview::Reduce(reduced) if matches!(other, Showable::Trace(..)) => {
                let answer = reduced.answer.as_ref();
                let (file, trace) = answer.ok_or_else(|| anyhow!("{} has no answer yet", path.display()))?;
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
