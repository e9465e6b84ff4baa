//! `retap demo`: the main job on a built-in app, with no set-up.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_trace::Target;
use serde::Serialize;

use super::Context;
use super::explore::{self, Ending, ExploreJob};
use super::reduce::{self, Confirmed, Job, RateResult, Subject};
use crate::exit::Exit;
use crate::findings::Findings;
use crate::output::{faint, strong};
use crate::tracefile;

const APP: &str = "sim:notes";
/// A crash after a handful of taps needs no tool; the demo goes on until one took at least this many.
const LONG: usize = 300;
/// It gives up after this many events.
const EVENTS: u64 = 200_000;

#[derive(Serialize)]
struct DemoResult {
    command: &'static str,
    status: &'static str,
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
    let settings = explore::ExploreSettings::monkey(APP, EVENTS, context.seed());
    let mut exploring = ExploreJob::open(settings, Some(&out.join("explore")), context)?;
    let end = exploring.run(&|findings| longest(findings).is_some())?;
    exploring.report(&end);
    if end == Ending::Interrupted {
        output.result(&exploring.result(&end))?;
        return Ok(Exit::Interrupted);
    }
    let Some((signature, trace)) = longest(&exploring.findings) else {
        anyhow::bail!("no crash with {LONG} events came up in {EVENTS} events; try another --seed");
    };
    output.say(format!("\nreducing the trace of {} ...", strong(&signature)));
    let trace = tracefile::read(&exploring.dir().join(trace))?;
    let target = Target::Crash(signature.clone());
    let settings = reduce::ReduceSettings {
        trace: tracefile::fingerprint(&trace)?,
        target: target.to_string(),
        device: Some(APP.to_owned()),
        devices: 1,
        search: "auto".to_owned(),
        rule: "auto".to_owned(),
        schedule: "sequential".to_owned(),
        parts: None,
        prior: None,
        level: None,
        one_by_one: false,
        values: true,
        confirm: 20,
        min_rate: None,
        timeout: None,
        seed: context.seed(),
    };
    let subject = Subject::Played { trace: Arc::new(trace), target };
    let mut job = Job::open(subject, settings, None, Some(&out.join("reduce")), context)?;
    let (reduced, exit) = job.run()?;
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
        status: if exit == Exit::Done { "done" } else { reduced.status },
        app: APP,
        events: exploring.result(&end).events,
        crashes: vec![crash],
        seed: context.seed(),
        session: out.to_owned(),
    })?;
    Ok(exit)
}

/// A crash whose longest trace is long enough, with that trace.
fn longest(findings: &Findings) -> Option<(retap_trace::Signature, PathBuf)> {
    let long = findings.crashes().find(|finding| finding.longest.1 >= LONG)?;
    Some((long.crash.signature.clone(), long.longest.0.clone()))
}
