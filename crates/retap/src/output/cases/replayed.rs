//! Replays as test cases. Of a trace, the runs that went wrong are reruns in Surefire's terms: a case that passes is flaky.

use retap_job::suite::{ReplaySuiteStatus, TraceVerdict};
use retap_job::{ReplayCrash, ReplayResult, ReplayStatus, ReplaySuiteResult, target_of};
use retap_lab::Report;
use retap_reduce::Outcome;
use retap_show::which_crash;
use retap_trace::Signature;

use super::{CaseFault, CaseGroup, CaseVerdict, CrashTold, MOST_STEPS, OtherRun, ReportCase, on};
use crate::commands::quoted;
use crate::output::count;
use crate::words::{quoted_path, replayed_in_words};

/// Of more runs than these that went wrong, the others are counted.
const MOST_RUNS: usize = 20;
/// Of more ways to miss than these the runs are counted.
const MOST_LEFT: usize = 5;

pub(super) fn group(result: &ReplayResult) -> CaseGroup {
    let mut wrong = wrong_runs(result);
    let verdict = verdict(result, &mut wrong);
    // The sentence says how often the app went wrong.
    let uncounted = wrong.iter().filter(|run| run.broken).count();
    let more = shorten(&mut wrong);
    let case = ReportCase {
        seconds: Some(result.device_seconds),
        other_runs: wrong,
        uncounted,
        more,
        crashes: result.crashes.iter().map(|crash| told(result, crash)).collect(),
        ..ReportCase::new(result.details.input.display().to_string(), verdict)
    };
    let properties = [("target", result.target.to_string()), ("seed", result.seed.to_string())];
    CaseGroup {
        name: "retap replay".to_owned(),
        class: "retap.replay".to_owned(),
        properties: properties.into_iter().chain(on(result.platform.as_ref())).collect(),
        seconds: result.device_seconds,
        cases: vec![case],
    }
}

/// Takes away the runs that are too many to list; says how many.
fn shorten(wrong: &mut Vec<OtherRun>) -> String {
    let more = wrong.len().saturating_sub(MOST_RUNS);
    wrong.truncate(MOST_RUNS);
    match more {
        0 => String::new(),
        1 => "1 more run went wrong and is not listed".to_owned(),
        more => format!("{more} more runs went wrong and are not listed"),
    }
}

/// How it ended. The first run that went wrong stands for a case that did not pass, the others are its reruns.
fn verdict(result: &ReplayResult, wrong: &mut Vec<OtherRun>) -> CaseVerdict {
    let words = replayed_in_words(result);
    let (broken, kind) = match result.status {
        ReplayStatus::Done => return CaseVerdict::Passed(words),
        ReplayStatus::NotReproducible => (false, "not reproducible"),
        ReplayStatus::Crashed => (false, "crashed"),
        ReplayStatus::Astray => (false, "astray"),
        ReplayStatus::Unknown | ReplayStatus::CutShort => (true, "device"),
        ReplayStatus::Interrupted => (true, "interrupted"),
    };
    let stopped = match result.status {
        ReplayStatus::Interrupted => Some("interrupted"),
        ReplayStatus::CutShort => Some("cut short"),
        _ => None,
    };
    let first = wrong.iter().position(|run| run.broken == broken).map(|at| wrong.remove(at).wrong);
    let mut message = match stopped {
        Some(stopped) => format!("{stopped} after {} of {} runs: {words}", result.runs, result.times),
        None => words,
    };
    if let Some(unknown) = retap_show::not_known(result.status, result.blind) {
        message = format!("{message}, but {unknown}");
    }
    for left in left(result) {
        message = format!("{message}; {left}");
    }
    if let Some(why) = &result.why {
        message = format!("{message}: {why}");
    }
    let kind = first.as_ref().map_or(kind, |first| &first.kind).to_owned();
    // Not to reach a target is more than the crash that the first run met instead.
    let crashed = result.status == ReplayStatus::Crashed;
    let crash = first.as_ref().and_then(|first| first.crash.clone()).filter(|_| crashed);
    let stack = first.map(|first| first.stack).unwrap_or_default();
    let problem = CaseFault { kind, message, stack, crash };
    if broken { CaseVerdict::Broken(problem) } else { CaseVerdict::Failed(problem) }
}

/// Where runs left that missed the target, or were where nobody knows. Those that crashed are told as crashes.
fn left(result: &ReplayResult) -> Vec<String> {
    if !matches!(result.status, ReplayStatus::NotReproducible | ReplayStatus::Astray) {
        return Vec::new();
    }
    let without_crash: Vec<_> = result.missed.iter().filter(|runs| runs.crash.is_none()).collect();
    let shown = without_crash.iter().take(MOST_LEFT);
    let mut left: Vec<String> =
        shown.map(|runs| retap_show::missed(runs, result.events, result.expect_no_crash)).collect();
    let more: u32 = without_crash.iter().skip(MOST_LEFT).map(|runs| runs.runs).sum();
    left.extend((more > 0).then(|| format!("{} left elsewhere", count(u64::from(more), "more run"))));
    left.extend(retap_show::passed_over(result).map(str::to_owned));
    left
}

fn wrong_runs(result: &ReplayResult) -> Vec<OtherRun> {
    let runs = (1..).zip(&result.details.reports);
    runs.filter_map(|(number, report)| wrong_run(result, number, report)).collect()
}

fn wrong_run(result: &ReplayResult, number: u32, report: &Report) -> Option<OtherRun> {
    let wrong = match (report.ended.outcome, &report.crash) {
        (Outcome::Inconclusive, _) => {
            let why = report.why.as_ref()?;
            let wrong = CaseFault::new("device", format!("run {number}: the device failed: {why}"));
            return Some(OtherRun { broken: true, wrong });
        }
        (Outcome::Reached, Some(crash)) if result.expect_no_crash => {
            CaseFault::crash(crash, format!("run {number}: {crash}"))
        }
        (Outcome::Missed, Some(crash)) => {
            let which = which_crash(is_recorded(result, &crash.signature));
            CaseFault::crash(crash, format!("run {number} ended in {which}: {crash}"))
        }
        (Outcome::Missed, None) if !result.expect_no_crash => {
            CaseFault::new("missed", format!("run {number} did not reach {}", result.target))
        }
        _ => return None,
    };
    Some(OtherRun { broken: false, wrong })
}

fn is_recorded(result: &ReplayResult, signature: &Signature) -> bool {
    result.crashes.iter().any(|crash| crash.recorded && crash.crash.signature == *signature)
}

fn told(result: &ReplayResult, crash: &ReplayCrash) -> CrashTold {
    let trace = &result.details.trace;
    let steps = if trace.steps.len() <= MOST_STEPS { &trace.steps[..] } else { &[] };
    let own = target_of(trace, None, &result.details.input).is_ok_and(|own| own == result.target);
    let reached = if result.expect_no_crash {
        " --expect-no-crash".to_owned()
    } else if own {
        String::new()
    } else {
        format!(" --to {}", quoted(&result.target.to_string()))
    };
    let device = match &trace.header.device {
        Some(recorded) if *recorded == result.details.device => String::new(),
        _ => format!(" --device {}", quoted(&result.details.device)),
    };
    CrashTold {
        crash: crash.crash.clone(),
        about: format!(
            "{}; ended {} of {} runs of {}",
            which_crash(crash.recorded),
            crash.runs,
            result.runs,
            result.details.input.display()
        ),
        steps: steps.iter().map(|step| step.event.to_string()).collect(),
        again: Some(format!("retap replay {}{device}{reached}", quoted_path(&result.details.input))),
    }
}

/// The traces of a suite, one case each.
pub(super) fn suite(result: &ReplaySuiteResult) -> CaseGroup {
    let name = result.suite.display().to_string();
    let mut cases: Vec<ReportCase> = result.traces.iter().map(trace_case).collect();
    let not_run = "retap stopped before it was run";
    let skipped = |trace: &String| ReportCase::new(trace, CaseVerdict::Skipped(not_run.to_owned()));
    cases.extend(result.not_run.iter().map(skipped));
    let stopped = match result.status {
        ReplaySuiteStatus::Done => None,
        ReplaySuiteStatus::Interrupted => Some(("interrupted", "interrupted")),
        ReplaySuiteStatus::CutShort => {
            Some(("device", result.why.as_deref().unwrap_or("no device was left")))
        }
    };
    if let Some((kind, why)) = stopped {
        let not_run = count(result.not_run.len() as u64, "trace");
        let wrong = CaseFault::new(kind, format!("{why}; {not_run} not run"));
        cases.push(ReportCase::new("the whole suite", CaseVerdict::Broken(wrong)));
    }
    CaseGroup {
        class: name.clone(),
        name,
        properties: on(result.platform.as_ref()).collect(),
        seconds: result.device_seconds,
        cases,
    }
}

fn trace_case(verdict: &TraceVerdict) -> ReportCase {
    let failures = verdict.device_failures.iter().map(|why| OtherRun {
        broken: true,
        wrong: CaseFault::new("device", format!("the device failed: {why}")),
    });
    let mut other_runs: Vec<OtherRun> = failures.collect();
    let uncounted = other_runs.len();
    let more = shorten(&mut other_runs);
    let ended = match (verdict.passed, &verdict.crash) {
        (true, _) => CaseVerdict::Passed(verdict.why.clone()),
        (false, Some(crash)) => {
            let exception = crash.0.split('@').next().unwrap_or_default();
            CaseVerdict::Failed(CaseFault::new(exception, &verdict.why))
        }
        (false, None) => CaseVerdict::Failed(CaseFault::new("diverged", &verdict.why)),
    };
    ReportCase {
        seconds: Some(verdict.seconds),
        other_runs,
        uncounted,
        more,
        ..ReportCase::new(&verdict.trace, ended)
    }
}
