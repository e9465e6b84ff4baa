//! `retap show`: a trace, a session or a suite in words.

use anyhow::{bail, ensure};
use retap_job::overview::{self, Showable};
use retap_show::{ShownSession, ShownSuite, ShownTrace, StepRanges};
use retap_trace::{Level, Trace};

use super::Context;
use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::output::show;

/// The level at which states are told apart, unless another is given.
pub(super) const LEVEL: Level = Level::Layout;

pub(super) fn run(args: &ShowArgs, context: &Context) -> anyhow::Result<Exit> {
    let path = args.path.as_path();
    // A pipe may never end.
    let mut named = context.interrupt.ends(|| super::showable(path))?;
    if !matches!(named, Showable::Trace(..)) {
        ensure!(args.steps.is_empty(), "--steps does nothing with {}; leave it out", named.what());
        ensure!(args.shown.level.is_none(), "--level does nothing with {}; leave it out", named.what());
    }
    let pages = !args.shown.no_pager;
    match &mut named {
        Showable::Trace(file, trace) => {
            let platform = overview::platform_near(file);
            let steps = ranges(&args.steps, trace)?;
            let shown = ShownTrace {
                file,
                trace,
                platform: platform.as_deref(),
                level: args.shown.level.unwrap_or(LEVEL),
                steps: &steps,
            };
            show(context.output, || shown.page(), || shown.data(), pages)?;
        }
        Showable::Session(session) => {
            session.find_where_it_was_begun();
            let shown = ShownSession(session);
            show(context.output, || shown.page(), || shown.data(), pages)?;
        }
        Showable::Suite(manifest) => {
            let damage = manifest.damage(path);
            let shown = ShownSuite { folder: path, manifest, damage: &damage };
            show(context.output, || shown.page(), || shown.data(), pages)?;
        }
    }
    Ok(Exit::Done)
}

fn ranges(typed: &[StepRanges], trace: &Trace) -> anyhow::Result<StepRanges> {
    let mut steps = StepRanges::default();
    for ranges in typed {
        steps.extend(ranges.clone());
    }
    if let Some(beyond) = steps.beyond(trace.steps.len()) {
        bail!("--steps {beyond}: the trace has {} steps", trace.steps.len());
    }
    Ok(steps)
}
