//! `retap suite`: from many generated traces to a small regression suite.

use anyhow::{bail, ensure};
use retap_job::suite::{SuiteTraces, UseSnapshots};
use retap_job::{JobPlan, SuitePlan};
use retap_suite::Joins;

use super::Context;
use crate::args::SuiteArgs;
use crate::exit::Exit;
use crate::{config, devices};

pub(super) fn run(args: &SuiteArgs, context: &Context) -> anyhow::Result<Exit> {
    let plan = plan(args, context)?;
    let devices = context.devices(&plan.device, plan.devices)?;
    context.outputs().run(&JobPlan::Suite(plan), Some(&devices), context.out())
}

/// What was typed wins over what is set.
fn plan(args: &SuiteArgs, context: &Context) -> anyhow::Result<SuitePlan> {
    let traces = SuiteTraces::read(&args.input)?;
    let set = &context.config.suite;
    let (file, trace) = traces.naming_a_device();
    let device = context.choice(args.device.as_deref(), &args.mode).device_for(&trace.header, file)?;
    let (file, first) = traces.first();
    devices::check_app(&first.header, file, &device)?;
    let mut plan = SuitePlan::new(args.input.clone(), traces, device)?;
    plan.devices = config::devices(args.devices, &context.config)?;
    (plan.runs, plan.fragments) = (
        args.runs.or(set.runs).unwrap_or(plan.runs),
        args.fragments.or(set.fragments).unwrap_or(plan.fragments),
    );
    ensure!((1..=1000).contains(&plan.runs), "--runs takes 1 to 1000, not {}", plan.runs);
    ensure!((1..=20).contains(&plan.fragments), "--fragments takes 1 to 20, not {}", plan.fragments);
    plan.classic = args.classic;
    if let Some(joins) = args.joins.as_ref().or(set.joins.as_ref()) {
        let wrong = |_| anyhow::anyhow!("--joins takes abstract or concrete, not '{joins}'");
        plan.joins = joins.parse::<Joins>().map_err(wrong)?;
    }
    if let Some(level) = args.level.as_ref().or(set.level.as_ref()) {
        plan.level = level.parse().map_err(anyhow::Error::msg)?;
    }
    plan.use_snapshots = match args.snapshots.as_ref().or(set.snapshots.as_ref()).map(String::as_str) {
        None | Some("auto") => UseSnapshots::Auto,
        Some("on") => UseSnapshots::On,
        Some("off") => UseSnapshots::Off,
        Some(other) => bail!("--snapshots takes on, off or auto, not '{other}'"),
    };
    plan.seed = context.seed();
    Ok(plan)
}
