//! The fewest events that still reach the target.

use std::path::{Path, PathBuf};

use retap_job::explore::{Crashed, crashes_meant};
use retap_job::reduce::{ReduceStatus, Subject};
use retap_job::{JobPlan, JobResult, ReduceResult};
use retap_reduce::Rate;
use retap_trace::Target;
use schemars::JsonSchema;
use serde::Serialize;

use super::export::{ExportAnswer, exported};
use super::{
    DEVICE_OF_TRACE, DEVICES, EXPORTER, SCHEDULE, SEARCH, SEED, ToolAnswer, ToolEffect, ToolKind, answer,
    count, noted,
};
use crate::arguments::{Takes, optional, required};
use crate::call::{Call, JobOutcome};
use crate::host::ReduceRequest;

pub(super) const TOOL: ToolKind = ToolKind {
    name: "reduce",
    title: "Reduce a crash to its fewest taps",
    about: "Finds the fewest taps of a trace that still crash the app (or reach another target), and measures by fresh runs \
            how often they do. Answers with the steps in words, the measured rate, and, with export, a test of another tool \
            that reproduces the crash.",
    fields: &[
        required(
            "input",
            Takes::Path,
            "night/crashes/X.trace.jsonl",
            "A trace, or the folder of an exploration (of several crashes, say which with crash)",
        ),
        optional(
            "crash",
            Takes::Text,
            "IllegalStateException",
            "The crash that is meant, by a part of its signature",
        ),
        optional(
            "to",
            Takes::Text,
            "activity:LoginActivity",
            "What a run must reach, in the place of a crash: crash, crash:SIGNATURE, activity:NAME, state:KEY, coverage:ID, or \
             cmd:COMMAND (only where the server was started with --allow-commands) [default: the trace's own target]",
        ),
        optional(
            "export",
            Takes::Name(EXPORTER),
            "maestro",
            "Also answer with the reduced trace as a test of this tool",
        ),
        DEVICE_OF_TRACE,
        DEVICES,
        SEED,
        optional("search", Takes::Name(SEARCH), "auto", "How to search [default: auto]"),
        optional(
            "rule",
            Takes::Text,
            "18/20",
            "When a candidate counts as reproducing: K/N (at least K of N runs), sprt:..., bayes:... or auto [default: auto]",
        ),
        optional(
            "schedule",
            Takes::Name(SCHEDULE),
            "heuristic",
            "Which candidate gets a free device, for a search or a rule that was named [default: async]",
        ),
        optional(
            "confirm",
            Takes::Whole(1, 100_000),
            "20",
            "Fresh runs that confirm the answer [default: 20]",
        ),
        optional(
            "min_rate",
            Takes::Rate,
            "0.9",
            "Refuse a trace that reaches its target less often than this [default: only one that never does]",
        ),
        optional(
            "values",
            Takes::Flag,
            "false",
            "Make waits, texts and swipes simpler too, and aim at widgets [default: true with the search auto]",
        ),
        optional(
            "out",
            Takes::Path,
            "reduced",
            "The folder for everything that is saved [default: one in retap-out]",
        ),
    ],
    effect: ToolEffect::Resets,
    answers: answer::<ReduceAnswer>,
    run,
};

/// The result of `retap reduce --json`, and the answer itself.
#[derive(Serialize, JsonSchema)]
struct ReduceAnswer<'a> {
    #[serde(flatten)]
    result: &'a ReduceResult,
    /// The kept events or lines in words; of many, the first.
    steps_in_words: Vec<String>,
    /// The answer as a test, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<ExportAnswer>,
    /// What there is to know besides.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notices: &'a [String],
}

fn run(call: &Call<'_>) -> Result<ToolAnswer, String> {
    let given = &call.arguments;
    let to: Option<Target> =
        given.text("to").map(str::parse).transpose().map_err(|why| format!("to: {why}"))?;
    if matches!(to, Some(Target::Command(_))) && !call.commands {
        return Err(
            "to: this server runs no commands; name another target, such as crash, or start the server with \
                    'retap mcp --allow-commands'"
                .to_owned(),
        );
    }
    let crash = given.text("crash");
    if crash.is_some() && to.is_some() {
        return Err("crash and to exclude each other; leave one of them out".to_owned());
    }
    let input = call.existing("input")?;
    let file = if input.is_dir() { the_one(&input, crash, to.as_ref())? } else { input };
    call.inside("input", &file)?;
    call.check_prior()?;
    let subject = Subject::read(&file, to.as_ref(), crash).map_err(|error| error.in_words())?;
    let plan = call.host.reduce(
        subject,
        &ReduceRequest {
            device: call.device()?,
            devices: given.small("devices"),
            search: given.owned("search"),
            rule: given.owned("rule"),
            schedule: given.owned("schedule"),
            confirm: given.small("confirm"),
            min_rate: given.rate("min_rate"),
            values: given.flag("values"),
            seed: given.whole("seed"),
        },
    )?;
    // What a command judges has its answer beside it as well.
    if let Some(answer) = &plan.write {
        call.root.check("input", answer)?;
    }
    let (device, out) = (plan.device.clone(), call.path("out")?);
    let outcome = call.job(&JobPlan::Reduce(plan), device.as_deref(), out.as_deref())?;
    let JobOutcome { result: JobResult::Reduce(result), mut notices } = outcome else {
        unreachable!("a reduction has the result of one")
    };
    let (test, refused) = test_of(&result, given.text("export"));
    notices.extend(refused);
    let steps_in_words = steps(&result);
    let mut texts = vec![in_words(&result, &steps_in_words) + &noted(&notices)];
    texts.extend(test.iter().map(|test| test.text.clone()));
    ToolAnswer::new(texts, &ReduceAnswer { result: &result, steps_in_words, test, notices: &notices })
}

/// The trace of the one crash in the folder of an exploration that is meant.
fn the_one(folder: &Path, crash: Option<&str>, to: Option<&Target>) -> Result<PathBuf, String> {
    let meant = crashes_meant(folder, crash, to).map_err(|error| format!("input: {}", error.in_words()))?;
    let list = |name: fn(&Crashed) -> String| meant.iter().map(name).collect::<Vec<_>>().join(", ");
    match (&meant[..], crash, to) {
        ([one], ..) => Ok(one.trace.clone()),
        (several, None, Some(_)) => Err(format!(
            "input: {} has {}, each with a trace of its own; with to, name one of the traces: {}",
            folder.display(),
            count(several.len() as u64, "crash"),
            list(|known| known.trace.display().to_string())
        )),
        (several, ..) => Err(format!(
            "crash: say which of the {} in {} is meant: {}",
            count(several.len() as u64, "crash"),
            folder.display(),
            list(|known| known.signature.clone())
        )),
    }
}

/// The answer as a test; or why there is none.
fn test_of(result: &ReduceResult, tool: Option<&str>) -> (Option<ExportAnswer>, Option<String>) {
    let (Some(tool), Some(trace)) = (tool, &result.trace) else { return (None, None) };
    match exported(trace, tool, None, None) {
        Ok(test) => (Some(test), None),
        Err(why) => (None, Some(format!("there is no test: {why}"))),
    }
}

fn steps(result: &ReduceResult) -> Vec<String> {
    match &result.details.answer {
        Some(trace) => trace.events().map(ToString::to_string).collect(),
        None => result.details.kept_in_words.clone(),
    }
}

fn in_words(result: &ReduceResult, steps: &[String]) -> String {
    let (before, after) = (count(result.events_before, "event"), result.events_after);
    let claim = result.claim();
    let (target, of) = (&result.target, claim.runs());
    let fresh = format!(
        "{} of {of} fresh runs reached {target} (95 % confidence: {})",
        claim.reached,
        Rate::of(claim)
    );
    let mut lines = vec![match result.status {
        ReduceStatus::Reduced => format!("reduced {before} to {after}; {fresh}:"),
        ReduceStatus::BelowTheRule => {
            format!("reduced {before} to {after}, below the rule {}; {fresh}:", result.rule)
        }
        ReduceStatus::NotConfirmed => {
            format!("reduced {before} to {after}, and no fresh run confirms it; {fresh}:")
        }
        ReduceStatus::NotReproducible => {
            let tried = result.confirmed;
            let needed = result.details.needed.map_or_else(String::new, |(least, runs)| {
                format!("; min_rate asks for at least {least} of {runs}")
            });
            format!(
                "not reproducible: {} of {} runs of the whole reached {target}{needed}",
                tried.reached, tried.of
            )
        }
        ReduceStatus::Interrupted => format!("stopped at {after} of {before}; the same call goes on"),
        ReduceStatus::CutShort | ReduceStatus::Failed => {
            let details = &result.details;
            let why = details.no_device_left.as_deref().or(details.trouble.as_deref());
            let why = why.unwrap_or("no device was left");
            format!("cut short at {after} of {before}: {why}; the same call goes on")
        }
    }];
    let listed = !matches!(result.status, ReduceStatus::NotReproducible);
    lines
        .extend((1..).zip(steps.iter().filter(|_| listed)).map(|(number, step)| format!("{number}. {step}")));
    let crash = result.details.answer.as_ref().and_then(|trace| trace.crash());
    lines.extend(crash.map(|crash| format!("crash: {crash}")));
    if let Some(flaked) = &result.flaked {
        lines.push(format!(
            "flaky: runs of the same events part after step {}, {}",
            flaked.after, flaked.event
        ));
    }
    if let Some(trace) = &result.trace {
        lines.push(format!("saved: {}", trace.display()));
    }
    lines.extend(result.platform.as_ref().map(|platform| format!("on {platform}")));
    lines.join("\n")
}
