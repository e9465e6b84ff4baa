//! What a trace or the folder of a job holds: steps in words, crashes, claims.

use std::path::{Path, PathBuf};

use retap_job::explore::crashes_in;
use retap_job::{JobPlan, plan_in, reduce, tracefile};
use retap_trace::{Crash, Trace};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ToolAnswer, ToolKind, answer, count, crashes};
use crate::arguments::{Takes, optional, required};
use crate::call::Call;

/// Steps that are shown when none are named.
const USUAL_STEPS: usize = 50;
/// Lines of a stack that are shown.
const FRAMES: usize = 20;

pub(super) const TOOL: ToolKind = ToolKind {
    name: "show",
    title: "Show a trace or the folder of a job",
    about: "Shows what a trace holds (the app, the steps in words, crashes with their stacks, the confirmed rate), or which \
            crashes the folder of an exploration holds, or the answer in the folder of a reduction.",
    fields: &[
        required("path", Takes::Path, "night", "A trace, or the folder of an exploration or a reduction"),
        optional("steps", Takes::Text, "10-20", "The steps to show, counted from 1 [default: the first 50]"),
    ],
    reads_only: true,
    answers: answer::<ShowAnswer>,
    run,
};

/// What there is to see.
#[derive(Serialize, JsonSchema, Default)]
struct ShowAnswer {
    /// Always `show`.
    command: &'static str,
    /// `trace`, `exploration` or `reduction`.
    of: &'static str,
    /// What was shown.
    path: PathBuf,
    /// The device, as explore and reduce take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    /// The package of the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<String>,
    /// The build of the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<String>,
    /// What the trace is there to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    /// What fresh runs showed of a reduced trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ShownClaim>,
    /// How many steps the trace has.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<usize>,
    /// The steps that were asked for.
    steps: Vec<ShownStep>,
    /// The crashes.
    crashes: Vec<ShownCrash>,
}

/// What fresh runs showed.
#[derive(Serialize, JsonSchema)]
struct ShownClaim {
    /// How many of them reached the target.
    reached: u32,
    /// How many there were.
    runs: u32,
    /// How many events the trace had before it was reduced.
    before: u32,
}

/// A step.
#[derive(Serialize, JsonSchema)]
struct ShownStep {
    /// Counted from 1.
    step: usize,
    /// What was done, in words.
    event: String,
    /// The activity in front before it, where that was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    activity: Option<String>,
}

/// A crash.
#[derive(Serialize, JsonSchema)]
struct ShownCrash {
    /// What tells it from other crashes.
    signature: String,
    /// The step that it came after.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    crash: Option<String>,
    /// The message of what was thrown.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The first lines of its stack, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<String>,
    /// The trace that leads to it, in the folder of an exploration.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<PathBuf>,
    /// Events of that trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<usize>,
}

fn run(call: &Call<'_>) -> Result<ToolAnswer, String> {
    let path = call.existing("path")?;
    let range = call.arguments.text("steps").map(steps_named).transpose()?;
    let (shown, text) =
        if path.is_dir() { folder(call, &path, range)? } else { trace(&path, range, "trace")? };
    ToolAnswer::new(vec![text], &shown)
}

/// `10-20`, or one step.
fn steps_named(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|number: &usize| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(format!("steps takes a number or two, such as 10-20, not {text:?}")),
    }
}

fn folder(
    call: &Call<'_>,
    path: &Path,
    range: Option<(usize, usize)>,
) -> Result<(ShowAnswer, String), String> {
    let plan = plan_in(path).map_err(|error| error.in_words())?;
    match plan {
        JobPlan::Explore(plan) => {
            if range.is_some() {
                return Err("steps is for a trace; name one of the folder's, or leave steps out".to_owned());
            }
            exploration(path, plan.device)
        }
        JobPlan::Reduce(_) => {
            let answer = reduce::answer_in(path).map_err(|error| error.in_words())?;
            let file = answer.ok_or("path: there is no answer yet")?;
            call.root.check("path", &file)?;
            trace(&file, range, "reduction")
        }
        JobPlan::Suite(_) | JobPlan::Replay(_) | JobPlan::ReplaySuite(_) => Err(format!(
            "path: {} is the folder of another job; name a trace, or the folder of an exploration or a reduction",
            path.display()
        )),
    }
}

fn exploration(path: &Path, device: String) -> Result<(ShowAnswer, String), String> {
    let found = crashes_in(path).map_err(|error| error.in_words())?;
    let mut lines = vec![format!("an exploration of {device} that found {}", crashes(found.len()))];
    for known in &found {
        let events = count(known.events, "event");
        lines.push(format!("{} ({events}): {}", known.signature, known.trace.display()));
    }
    let shown = |known: &retap_job::explore::Crashed| ShownCrash {
        signature: known.signature.clone(),
        trace: Some(known.trace.clone()),
        events: Some(known.events),
        step: None,
        crash: None,
        message: None,
        stack: Vec::new(),
    };
    let answer = ShowAnswer {
        command: "show",
        of: "exploration",
        path: path.to_owned(),
        device: Some(device),
        crashes: found.iter().map(shown).collect(),
        ..ShowAnswer::default()
    };
    Ok((answer, lines.join("\n")))
}

fn trace(
    path: &Path,
    range: Option<(usize, usize)>,
    of: &'static str,
) -> Result<(ShowAnswer, String), String> {
    let trace = tracefile::read(path).map_err(|error| error.in_words())?;
    let (header, events) = (&trace.header, trace.steps.len());
    let (first, last) = range.unwrap_or((1, USUAL_STEPS.min(events)));
    if range.is_some() && first > events {
        return Err(format!("steps: {} has {}", path.display(), count(events, "step")));
    }
    let steps = shown_steps(&trace, first, last.min(events));
    let crashes =
        (1..).zip(&trace.steps).filter_map(|(number, step)| Some(shown_crash(number, step.crash.as_ref()?)));
    let answer = ShowAnswer {
        command: "show",
        of,
        path: path.to_owned(),
        device: header.device.clone(),
        app: Some(header.app.package.to_string()),
        build: header.app.build.clone(),
        target: header.target.as_ref().map(ToString::to_string),
        claim: header.claim.map(|claim| ShownClaim {
            reached: claim.reached,
            runs: claim.runs,
            before: claim.before,
        }),
        events: Some(events),
        steps,
        crashes: crashes.collect(),
    };
    let text = trace_in_words(&answer, events);
    Ok((answer, text))
}

fn shown_steps(trace: &Trace, first: usize, last: usize) -> Vec<ShownStep> {
    let steps = trace.steps.iter().zip(1..).skip(first - 1).take((last + 1).saturating_sub(first));
    let shown = |(step, number): (&retap_trace::Step, usize)| ShownStep {
        step: number,
        event: step.event.to_string(),
        activity: step.before.as_ref().map(|seen| seen.activity.to_string()),
    };
    steps.map(shown).collect()
}

fn shown_crash(step: usize, crash: &Crash) -> ShownCrash {
    ShownCrash {
        signature: crash.signature.to_string(),
        step: Some(step),
        crash: Some(crash.to_string()),
        message: Some(crash.message.clone()).filter(|message| !message.is_empty()),
        stack: crash.frames.iter().take(FRAMES).map(ToString::to_string).collect(),
        trace: None,
        events: None,
    }
}

fn trace_in_words(answer: &ShowAnswer, events: usize) -> String {
    let app = answer.app.as_deref().unwrap_or_default();
    let device = answer.device.as_ref().map_or_else(String::new, |device| format!(", on {device}"));
    let mut lines = vec![format!("{} of {app}{device}", count(events, "step"))];
    lines.extend(answer.claim.as_ref().map(|claim| {
        format!(
            "reduced from {}; {} of {} fresh runs reached the target",
            count(claim.before, "event"),
            claim.reached,
            claim.runs
        )
    }));
    lines.extend(answer.steps.iter().map(|step| format!("{}. {}", step.step, step.event)));
    if answer.steps.len() < events {
        lines.push(format!("... {} of {events} steps are shown; name others with steps", answer.steps.len()));
    }
    for crash in &answer.crashes {
        lines.push(format!(
            "crash after step {}: {}",
            crash.step.unwrap_or_default(),
            crash.crash.as_deref().unwrap_or_default()
        ));
    }
    lines.join("\n")
}
