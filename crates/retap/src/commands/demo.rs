//! `retap demo`: the main job on a built-in app, with no set-up.

use std::path::{Path, PathBuf};

use retap_job::explore::Finding;
use retap_job::reduce::{Confirmed, RateResult, ReduceOptions, Subject};
use retap_job::{ExplorePlan, JobPlan, JobResult, ReducePlan};
use retap_trace::Target;
use serde::Serialize;

use super::Context;
use crate::args::DemoArgs;
use crate::exit::Exit;
use crate::output::{faint, strong};

/// What is shown.
struct Show {
    device: &'static str,
    strategy: &'static str,
    /// That strategy, in words.
    with: &'static str,
    /// A crash after a handful of taps needs no tool; the demo goes on until one took at least this many.
    long: usize,
    /// It gives up after this many events.
    events: u64,
    /// The folder for everything, when no other is given.
    folder: &'static str,
}

const SIMULATED: Show = Show {
    device: "sim:notes",
    strategy: "monkey",
    with: "Android Monkey's mix of events",
    long: 300,
    events: 200_000,
    folder: "retap-out/demo",
};
/// Its events take time, so they are not wasted on places where nothing is.
const APK: Show = Show {
    device: "jvm:sample",
    strategy: "aware",
    with: "a monkey that aims at widgets",
    long: 100,
    events: 10_000,
    folder: "retap-out/demo-apk",
};

#[derive(Serialize)]
struct DemoResult {
    command: &'static str,
    status: serde_json::Value,
    app: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<String>,
    events: u64,
    crashes: Vec<DemoCrash>,
    seed: u64,
    session: PathBuf,
}

#[derive(Serialize)]
struct DemoCrash {
    signature: String,
    events_found: u32,
    events_reduced: u32,
    confirmed: Confirmed,
    rate: RateResult,
    device_seconds: f64,
    trace: Option<PathBuf>,
}

pub(super) fn run(args: &DemoArgs, context: &Context) -> anyhow::Result<Exit> {
    let output = context.output;
    let &Show { device, strategy, with, long, events, folder } = if args.apk { &APK } else { &SIMULATED };
    let out = context.out().unwrap_or(Path::new(folder));
    let devices = context.devices(device, 1)?;
    let on = devices.header.platform.as_ref().map_or_else(String::new, |platform| format!(" ({platform})"));
    output.say(format!("exploring {}{on} with {with} ...", strong(device)));
    let plan = ExplorePlan {
        strategy: strategy.parse().map_err(anyhow::Error::msg)?,
        until_crash_after: Some(long),
        ..ExplorePlan::monkey(device, events, context.seed())
    };
    let result = context.part(&JobPlan::Explore(plan), Some(&devices), &out.join("explore"))?;
    if Exit::of(&result) == Exit::Interrupted {
        output.result(&result)?;
        return Ok(Exit::Interrupted);
    }
    let JobResult::Explore(explored) = result else { unreachable!("an exploration has the result of one") };
    let found = explored.details.findings.iter().find(|finding| finding.longest.1 >= long);
    let Some(Finding { crash, longest: (trace, _), .. }) = found else {
        anyhow::bail!("no crash with {long} events came up in {events} events; try another --seed");
    };
    let signature = &crash.signature;
    output.say(format!("\nreducing the trace of {} ...", strong(signature)));
    let subject =
        Subject::read(&explored.session.join(trace), Some(&Target::Crash(signature.clone())), None)?;
    let options = ReduceOptions::default();
    let plan = ReducePlan::new(subject, Some(device.to_owned()), options, context.seed())?;
    let result = context.part(&JobPlan::Reduce(plan), Some(&devices), &out.join("reduce"))?;
    let exit = Exit::of(&result);
    let JobResult::Reduce(reduced) = result else { unreachable!("a reduction has the result of one") };
    if exit == Exit::Done {
        output.say(faint(format!("everything is in {}", out.display())));
    }
    let crash = DemoCrash {
        signature: signature.to_string(),
        events_found: reduced.events_before,
        events_reduced: reduced.events_after,
        confirmed: reduced.confirmed,
        rate: reduced.rate,
        device_seconds: reduced.device_seconds,
        trace: reduced.trace,
    };
    output.result(&DemoResult {
        command: "demo",
        status: if exit == Exit::Done {
            serde_json::json!("done")
        } else {
            serde_json::json!(reduced.status)
        },
        app: device,
        platform: devices.header.platform.clone(),
        events: explored.events,
        crashes: vec![crash],
        seed: context.seed(),
        session: out.to_owned(),
    })?;
    Ok(exit)
}
