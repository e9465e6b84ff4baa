//! `retap suite`: from many generated traces to a small regression suite.

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
    let config = &context.config;
    plan.devices = config::devices("--devices", args.devices, config)?;
    if let Some(runs) = config.given("--runs", args.runs.as_ref(), set.runs.as_ref()) {
        plan.runs = runs.among("1 to 1000", |runs| (1..=1000).contains(runs))?;
    }
    if let Some(most) = config.given("--fragments", args.fragments.as_ref(), set.fragments.as_ref()) {
        plan.fragments = most.among("1 to 20", |most| (1..=20).contains(most))?;
    }
    plan.classic = args.classic;
    if let Some(joins) = config.given("--joins", args.joins.as_ref(), set.joins.as_ref()) {
        let known = [("abstract", Joins::Abstract), ("concrete", Joins::Concrete)];
        plan.joins = joins.word("abstract or concrete", &known)?;
    }
    if let Some(level) = config.given("--level", args.level.as_ref(), set.level.as_ref()) {
        plan.level = level.parse()?;
    }
    if let Some(when) = config.given("--snapshots", args.snapshots.as_ref(), set.snapshots.as_ref()) {
        plan.use_snapshots = when.word(
            "on, off or auto",
            &[("on", UseSnapshots::On), ("off", UseSnapshots::Off), ("auto", UseSnapshots::Auto)],
        )?;
    }
    plan.seed = context.seed();
    Ok(plan)
}
