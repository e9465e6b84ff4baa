//! `retap demo`: the main job on a built-in app, with no set-up.

use std::path::{Path, PathBuf};

use retap_job::explore::Finding;
use retap_job::reduce::{Confirmed, RateResult, ReduceOptions, Subject};
use retap_job::{ExplorePlan, JobPlan, JobResult, ReducePlan};
use retap_trace::Target;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::output::{faint, strong};

const APP: &str = "sim:notes";
/// A crash after a handful of taps needs no tool; the demo goes on until one took at least this many.
const LONG: usize = 300;
/// It gives up after this many events.
const EVENTS: u64 = 200_000;

#[derive(Serialize)]
struct DemoResult {
    command: &'static str,
    status: serde_json::Value,
    app: &'static str,
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

pub(super) fn run(context: &Context) -> anyhow::Result<Exit> {
    let output = context.output;
    let out = context.out().unwrap_or(Path::new("retap-out/demo"));
    output.say(format!("exploring {} with Android Monkey's mix of events ...", strong(APP)));
    let devices = context.devices(APP, 1)?;
    let plan =
        ExplorePlan { until_crash_after: Some(LONG), ..ExplorePlan::monkey(APP, EVENTS, context.seed()) };
    let result = context.part(&JobPlan::Explore(plan), Some(&devices), &out.join("explore"))?;
    if Exit::of(&result) == Exit::Interrupted {
        output.result(&result)?;
        return Ok(Exit::Interrupted);
    }
    let JobResult::Explore(explored) = result else { unreachable!("an exploration has the result of one") };
    let long = explored.details.findings.iter().find(|finding| finding.longest.1 >= LONG);
    let Some(Finding { crash, longest: (trace, _), .. }) = long else {
        anyhow::bail!("no crash with {LONG} events came up in {EVENTS} events; try another --seed");
    };
    let signature = &crash.signature;
    output.say(format!("\nreducing the trace of {} ...", strong(signature)));
    let subject =
        Subject::read(&explored.session.join(trace), Some(&Target::Crash(signature.clone())), None)?;
    let options = ReduceOptions::default();
    let plan = ReducePlan::new(subject, Some(APP.to_owned()), options, context.seed())?;
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
        app: APP,
        events: explored.events,
        crashes: vec![crash],
        seed: context.seed(),
        session: out.to_owned(),
    })?;
    Ok(exit)
}
