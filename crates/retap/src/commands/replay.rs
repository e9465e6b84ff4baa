//! `retap replay`: how often does a trace reach its target? Does a suite pass?

use std::path::Path;

use anyhow::Context as _;
use retap_job::reduce::answer_in;
use retap_job::suite::SuiteTraces;
use retap_job::{JobPlan, ReplayPlan, ReplaySuitePlan, target_of, tracefile};

use super::Context;
use retap_trace::Target;

use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::{config, devices};

/// Runs a trace several times. A rate is for people to judge; the exit code says whether the target was ever
/// reached, or, where no crash is expected, whether there was one.
pub(super) fn trace(args: &ReplayArgs, context: &Context) -> anyhow::Result<Exit> {
    let named = args.trace.as_deref().context("no trace is given")?;
    let answer = answer_in(named)?;
    let plan = plan(answer.as_deref().unwrap_or(named), args, context)?;
    let devices = context.devices(&plan.device, plan.devices)?;
    context.outputs().run(&JobPlan::Replay(plan), Some(&devices), context.out())
}

/// Which trace is run, how often, and on which device.
pub(super) fn plan(file: &Path, args: &ReplayArgs, context: &Context) -> anyhow::Result<ReplayPlan> {
    let trace = context.interrupt.ends(|| tracefile::read(file))?;
    let target = if args.expect_no_crash {
        Target::AnyCrash
    } else {
        target_of(&trace, args.run.target()?.as_ref(), file)?
    };
    let device = context.choice_for(&args.run).device_for(&trace.header, file)?;
    devices::check_app(&trace.header, file, &device)?;
    let mut plan = ReplayPlan::new(file, trace, target, device)?;
    if args.expect_no_crash {
        plan = plan.expecting_no_crash()?;
    }
    let config = &context.config;
    plan.devices = config::devices("--devices", args.run.devices, config)?;
    plan.times = match config.given("--times", args.times.as_ref(), config.replay.times.as_ref()) {
        Some(times) => times.among("1 to 100000", |times| (1..=100_000).contains(times))?,
        None => 20,
    };
    plan.seed = context.seed();
    Ok(plan)
}

/// Runs a suite, trace by trace.
pub(super) fn suite(folder: &Path, args: &ReplayArgs, context: &Context) -> anyhow::Result<Exit> {
    let traces = SuiteTraces::of_suite(folder)?;
    let (first, trace) = traces.first();
    let plan = ReplaySuitePlan {
        suite: folder.to_owned(),
        device: context.choice_for(&args.run).device_for(&trace.header, first)?,
        devices: config::devices("--devices", args.run.devices, &context.config)?,
        seed: context.seed(),
    };
    for (file, trace) in traces.iter() {
        devices::check_app(&trace.header, file, &plan.device)?;
    }
    let devices = context.devices(&plan.device, plan.devices)?;
    context.outputs().run(&JobPlan::ReplaySuite(plan), Some(&devices), None)
}
