//! How often a trace reaches its target.

use retap_job::{JobPlan, JobResult, ReplayResult, ReplayStatus};
use retap_reduce::{Rate, Tally};
use retap_show::{crashed, inconclusive, missed, not_known};

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
            To see whether a fix works, replay the reduced trace with expect_no_crash: only the status done says that every \
            run performed the steps and none crashed. Without it, a run that could not touch what the trace touches counts \
            as one without the crash.",
    fields: &[
        required(
            "trace",
            Takes::Path,
            "reduced/reduced.trace.jsonl",
            "The trace, or the folder of its reduction",
        ),
        optional("times", Takes::Whole(1, 100_000), "20", "How many runs [default: 20]"),
        optional(
            "to",
            Takes::Text,
            "crash",
            "What a run must reach: crash, crash:SIGNATURE, activity:NAME, state:KEY or coverage:ID [default: the trace's own]",
        ),
        optional(
            "expect_no_crash",
            Takes::Flag,
            "true",
            "Whether no run may crash, as after a fix. The status is then done when every run performed the steps and none \
             crashed, crashed when some did, astray when some could not perform the steps, and unknown when the device \
             failed [default: false]",
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
    let expect_no_crash = given.flag("expect_no_crash").unwrap_or(false);
    if expect_no_crash && given.text("to").is_some() {
        return Err("expect_no_crash looks for any crash; leave to out".to_owned());
    }
    if let Some(command) = given.text("to").filter(|to| to.starts_with("cmd:")) {
        return Err(format!("to: {command}: a command judges candidates, which is for the tool reduce"));
    }
    let trace = call.the_trace("trace")?;
    let plan = call.host.replay(
        &trace,
        &ReplayRequest {
            to: given.owned("to"),
            device: call.device()?,
            devices: given.small("devices"),
            times: given.small("times"),
            seed: given.whole("seed"),
            expect_no_crash,
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
    let events = count(result.events, "event");
    let did =
        if result.expect_no_crash { "crashed".to_owned() } else { format!("reached {}", result.target) };
    let mut lines = vec![format!("{reached} of {of} runs of {events} {did} (95 % confidence: {rate})")];
    lines.extend(ended(result));
    if result.expect_no_crash {
        let crashes = result.crashes.iter();
        lines.extend(crashes.map(|crash| format!("{}: {}", crashed(crash), crash.signature)));
    }
    lines.extend(result.missed.iter().map(|runs| missed(runs, result.events, result.expect_no_crash)));
    lines.extend(inconclusive(result.runs_inconclusive));
    lines.extend(result.platform.as_ref().map(|platform| format!("on {platform}")));
    lines.join("\n")
}

/// What the figures do not say: why they prove nothing, or why there are not more runs.
fn ended(result: &ReplayResult) -> Option<String> {
    let (of, times) = (result.confirmed.of, result.times);
    match result.status {
        ReplayStatus::Done | ReplayStatus::Crashed => None,
        ReplayStatus::NotReproducible => Some(
            "that does not say that a crash is gone: runs that could not perform the steps count as well; replay with \
             expect_no_crash for that"
                .to_owned(),
        ),
        ReplayStatus::Astray | ReplayStatus::Unknown => {
            not_known(result.status, result.blind).map(|why| format!("not known: {why}"))
        }
        ReplayStatus::Interrupted => Some(format!("stopped after {of} of {times} runs")),
        ReplayStatus::CutShort => {
            let why = result.why.as_deref().unwrap_or("no device was left");
            Some(format!("cut short after {of} of {times} runs: {why}"))
        }
    }
}
