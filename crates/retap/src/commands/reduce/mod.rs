//! `retap reduce`: the fewest events that still reach the target.

mod choice;
mod each;
mod options;

use std::path::{Path, PathBuf};

use anyhow::bail;
use retap_job::reduce::Subject;
use retap_job::{Devices, JobPlan, ReducePlan};
use retap_trace::{Level, Step, Trace};

use super::Context;
use super::same_file::is_same_file;
use crate::args::ReduceArgs;
use crate::config::typed;
use crate::exit::Exit;
use crate::{config, devices};

pub(super) use options::usual as usual_options;

pub(super) fn run(args: &ReduceArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.all {
        return each::run(args, context);
    }
    let target = args.run.target()?;
    let file = if args.input.is_dir() {
        choice::one(&args.input, args.crash.as_deref(), target.as_ref())?
    } else {
        args.input.clone()
    };
    let subject = Subject::read(&file, target.as_ref(), args.crash.as_deref())?;
    let write = write_to(args, &file)?;
    let mut plan = plan(subject, args, context)?;
    plan.write = write.or(plan.write);
    plan.force = args.force;
    let devices = devices_of(&plan, context)?;
    context.outputs().run(&JobPlan::Reduce(plan), devices.as_ref(), context.out())
}

/// What is reduced, how, and on which device.
pub(super) fn plan(subject: Subject, args: &ReduceArgs, context: &Context) -> anyhow::Result<ReducePlan> {
    let file = subject.file().to_owned();
    if let Some(level) = typed("--level", args.level.as_ref()) {
        check_level(level.parse()?, subject.trace().map(|trace| &**trace), &file)?;
    }
    let mut device = None;
    if let (true, Some(trace)) = (subject.is_played(), subject.trace()) {
        let chosen = context.choice_for(&args.run).device_for(&trace.header, &file)?;
        devices::check_app(&trace.header, &file, &chosen)?;
        device = Some(chosen);
    }
    let config = &context.config;
    let timeout = match config.given("--timeout", args.timeout.as_ref(), config.reduce.timeout.as_ref()) {
        Some(given) => given.among("1 to 86400 seconds", |timeout| (1..=86_400).contains(timeout))?,
        None => 300,
    };
    let options = options::join(args, config)?;
    let mut plan = ReducePlan::new(subject, device, options, context.seed())?;
    plan.timeout = plan.timeout.map(|_| timeout);
    let option = if args.jobs.is_some() { "-j" } else { "--devices" };
    plan.devices = config::devices(option, args.run.devices.or(args.jobs), config)?;
    Ok(plan)
}

/// The devices of a reduction; none when a command judges.
fn devices_of(plan: &ReducePlan, context: &Context) -> anyhow::Result<Option<Devices>> {
    plan.device.as_deref().map(|device| context.devices(device, plan.devices)).transpose()
}

/// Refuses a level at which the trace does not tell its states: a search would go on without them, unasked.
fn check_level(level: Level, trace: Option<&Trace>, file: &Path) -> anyhow::Result<()> {
    let Some(trace) = trace else {
        bail!("--level does nothing with {}, whose lines have no states; leave it out", file.display());
    };
    let told = |step: &Step| step.before.as_ref().is_some_and(|before| before.key(level).is_some());
    match trace.steps.iter().position(|step| !told(step)) {
        None => Ok(()),
        Some(step) => bail!(
            "--level {level} does nothing with {}, which does not record the state before step {} at that level; leave \
             it out",
            file.display(),
            step + 1
        ),
    }
}

/// Where the answer goes besides the session: never over the input.
fn write_to(args: &ReduceArgs, input: &Path) -> anyhow::Result<Option<PathBuf>> {
    let Some(path) = args.write.clone() else { return Ok(None) };
    if is_same_file(&path, input) {
        bail!("--write {} is the input, and the input is never overwritten", path.display());
    }
    if path.is_dir() {
        bail!("--write {} is a folder; name a file", path.display());
    }
    Ok(Some(path))
}
