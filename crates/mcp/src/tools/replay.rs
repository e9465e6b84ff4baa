//! How often a trace reaches its target.

use retap_job::{JobPlan, JobResult, ReplayResult, ReplayStatus};
use retap_reduce::{Rate, Tally};

use super::{
    DEVICE_OF_TRACE, DEVICES, JobAnswer, SEED, ToolAnswer, ToolEffect, ToolKind, answer, count, noted,
};
use crate::arguments::{Takes, optional, required};
use crate::call::{Call, JobOutcome};
use crate::host::ReplayRequest;

pub(super) const TOOL: ToolKind = ToolKind {
    name: "replay",
    title: "Replay a trace and measure how often it crashes",
    about: "Runs a trace several times from a clean start, and measures how often it reaches its crash (or another target). \
            Use it on a reduced trace to see whether a fix works: with the fix, 0 of 20.",
    fields: &[
        required("trace", Takes::Path, "reduced/reduced.trace.jsonl", "The trace"),
        optional("times", Takes::Whole(1, 100_000), "20", "How many runs [default: 20]"),
        optional(
            "to",
            Takes::Text,
            "crash",
            "What a run must reach: crash, crash:SIGNATURE, activity:NAME, state:KEY or coverage:ID [default: the trace's own]",
        ),
        DEVICE_OF_TRACE,
        DEVICES,
        SEED,
    ],
    effect: ToolEffect::Resets,
    answers: answer::<JobAnswer<'static, ReplayResult>>,
    run,
};

fn run(call: &Call<'_>) -> Result<ToolAnswer, String> {
    let given = &call.arguments;
    let trace = call.existing("trace")?;
    let plan = call.host.replay(
        &trace,
        &ReplayRequest {
            to: given.owned("to"),
            device: call.device()?,
            devices: given.small("devices"),
            times: given.small("times"),
            seed: given.whole("seed"),
        },
    )?;
    let device = plan.device.clone();
    let outcome = call.job(&JobPlan::Replay(plan), Some(&device), None)?;
    let JobOutcome { result: JobResult::Replay(result), notices } = outcome else {
        unreachable!("replays have the result of replays")
    };
    let text = in_words(&result) + &noted(&notices);
    ToolAnswer::new(vec![text], &JobAnswer { result: &result, notices: &notices })
}

fn in_words(result: &ReplayResult) -> String {
    let (reached, of) = (result.confirmed.reached, result.confirmed.of);
    let rate = Rate::of(Tally { reached, missed: of - reached });
    let mut lines = vec![format!(
        "{reached} of {of} runs of {} reached {} (95 % confidence: {rate})",
        count(result.events, "event"),
        result.target
    )];
    match (result.status, &result.why) {
        (
            ReplayStatus::Done
            | ReplayStatus::NotReproducible
            | ReplayStatus::Crashed
            | ReplayStatus::Astray
            | ReplayStatus::Unknown,
            _,
        ) => {}
        (ReplayStatus::Interrupted, _) => lines.push(format!("stopped after {of} of {} runs", result.times)),
        (ReplayStatus::CutShort, why) => {
            let why = why.as_deref().unwrap_or("no device was left");
            lines.push(format!("cut short after {of} of {} runs: {why}", result.times));
        }
    }
    for missed in &result.missed {
        let after = match &missed.event {
            Some(event) => format!("step {}, {event}", missed.after_step),
            None => "the start".to_owned(),
        };
        let place = match (&missed.crash, &missed.state) {
            (Some(crash), _) => format!("crashed with {crash}"),
            (None, Some(state)) => format!("ended in {state}"),
            (None, None) => "missed".to_owned(),
        };
        lines.push(format!("{} left after {after}, and {place}", count(missed.runs, "run")));
    }
    lines.extend(result.platform.as_ref().map(|platform| format!("on {platform}")));
    lines.join("\n")
}
