//! A reduction as a test case: it passes when there is an answer that fresh runs confirm.

use retap_job::ReduceResult;
use retap_job::reduce::{ReduceStatus, ReducedOf};
use retap_reduce::Rate;
use retap_trace::Crash;

use super::{CaseFault, CaseGroup, CaseVerdict, CrashTold, MOST_STEPS, ReportCase, on};
use crate::output::count;
use crate::words::quoted_path;

pub(super) fn group(result: &ReduceResult) -> CaseGroup {
    let properties = [
        ("search", result.search.to_string()),
        ("rule", result.rule.clone()),
        ("seed", result.seed.to_string()),
        ("session", result.session.display().to_string()),
    ];
    let case = ReportCase {
        seconds: Some(result.device_seconds),
        more: more(result),
        crashes: crashes(result),
        ..ReportCase::new(result.target.to_string(), verdict(result))
    };
    CaseGroup {
        name: "retap reduce".to_owned(),
        class: "retap.reduce".to_owned(),
        properties: properties.into_iter().chain(on(result.platform.as_ref())).collect(),
        seconds: result.device_seconds,
        cases: vec![case],
    }
}

fn verdict(result: &ReduceResult) -> CaseVerdict {
    let details = &result.details;
    let failed = |kind: &str, words: String| {
        let stack = answer_crash(result).map(super::stack).unwrap_or_default();
        CaseVerdict::Failed(CaseFault { stack, ..CaseFault::new(kind, words) })
    };
    match result.status {
        ReduceStatus::Reduced => CaseVerdict::Passed(claim(result)),
        ReduceStatus::BelowTheRule => {
            let rule = &result.rule;
            failed("below the rule", format!("{}; the rule {rule} asks for more", claim(result)))
        }
        ReduceStatus::NotConfirmed => failed("not confirmed", claim(result)),
        ReduceStatus::NotReproducible => {
            let why = details.trouble.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
            let (reached, of) = (result.confirmed.reached, result.confirmed.of);
            let whole = count(result.events_before, noun(result));
            let needed = details.needed.map_or_else(String::new, |(least, runs)| {
                format!("; --min-rate asks for at least {least} of {runs}")
            });
            failed(
                "not reproducible",
                format!("all {whole} reached {} {reached} of {of} times{why}{needed}", result.target),
            )
        }
        ReduceStatus::Interrupted => CaseVerdict::Broken(CaseFault::new(
            "interrupted",
            format!("interrupted after {}; nothing is confirmed", count(result.runs, "run")),
        )),
        ReduceStatus::CutShort | ReduceStatus::Failed => {
            let why = details.no_device_left.as_deref().or(details.trouble.as_deref());
            let why = why.unwrap_or("it could not be begun");
            CaseVerdict::Broken(CaseFault::new(
                "device",
                format!("cut short after {}: {why}", count(result.runs, "run")),
            ))
        }
    }
}

/// What is claimed of the answer, with its rate.
pub(super) fn claim(result: &ReduceResult) -> String {
    let claim = result.claim();
    format!(
        "reduced {} to {}; fresh runs reached it {} of {} times; with 95 % confidence it holds in {}",
        count(result.events_before, noun(result)),
        result.events_after,
        claim.reached,
        claim.runs(),
        Rate::of(claim),
    )
}

fn more(result: &ReduceResult) -> String {
    let mut lines: Vec<String> =
        (1..).zip(answer_steps(result)).map(|(number, step)| format!("{number:>3}. {step}")).collect();
    let saved = result.trace.as_ref().map(|trace| format!("saved: {}", trace.display()));
    let others = result.details.other_crashes.iter();
    let others = others.map(|(crash, file)| format!("another crash was seen: {crash}: {}", file.display()));
    lines.extend(saved.into_iter().chain(others));
    lines.join("\n")
}

/// The steps of the answer in words, where they are few.
pub(super) fn answer_steps(result: &ReduceResult) -> Vec<String> {
    match &result.details.answer {
        Some(answer) if answer.steps.len() <= MOST_STEPS => {
            answer.steps.iter().map(|step| step.event.to_string()).collect()
        }
        None if result.details.claimed => result.details.kept_in_words.clone(),
        _ => Vec::new(),
    }
}

/// The crash that the answer ends in, if fresh runs reached it.
fn answer_crash(result: &ReduceResult) -> Option<&Crash> {
    let answer = result.details.answer.as_ref().filter(|_| result.claim().reached > 0)?;
    answer.crash()
}

fn crashes(result: &ReduceResult) -> Vec<CrashTold> {
    let answer = answer_crash(result).map(|crash| CrashTold {
        crash: crash.clone(),
        about: claim(result),
        steps: answer_steps(result),
        again: result.trace.as_ref().map(|trace| format!("retap replay {}", quoted_path(trace))),
    });
    let others = result.details.other_crashes.iter().map(|(crash, file)| CrashTold {
        crash: crash.clone(),
        about: format!("seen while {} was reduced", result.target),
        steps: Vec::new(),
        again: Some(format!("retap reduce {}", quoted_path(file))),
    });
    answer.into_iter().chain(others).collect()
}

fn noun(result: &ReduceResult) -> &'static str {
    match result.details.of {
        ReducedOf::Trace => "event",
        ReducedOf::Text => "line",
    }
}
