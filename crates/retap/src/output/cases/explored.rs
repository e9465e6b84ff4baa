//! An exploration as test cases: one for itself, which tells whether it came to its end, and one for each crash.

use retap_job::explore::{DeviceFailure, ExploreStatus, Finding, ReducedResult};
use retap_job::{ExploreResult, ReduceResult};

use super::reduced::{answer_steps, claim};
use super::{CaseFault, CaseGroup, CaseVerdict, CrashTold, ReportCase, on};
use crate::output::count;
use crate::words::{finding_in_words, quoted_path};

pub(super) fn group(result: &ExploreResult, reductions: &[ReduceResult]) -> CaseGroup {
    let properties = [
        ("strategy", result.strategy.to_string()),
        ("seed", result.seed.to_string()),
        ("session", result.session.display().to_string()),
    ];
    let warnings = warnings(result);
    let itself = ReportCase {
        seconds: Some(result.device_seconds),
        ..ReportCase::new("exploration", verdict(result, &warnings))
    };
    let itself = ReportCase { warnings, ..itself };
    let crash = |finding| crash_case(result, finding, reductions);
    let crashes = result.details.findings.iter().map(crash);
    CaseGroup {
        name: "retap explore".to_owned(),
        class: "retap.explore".to_owned(),
        properties: properties.into_iter().chain(on(result.platform.as_ref())).collect(),
        seconds: result.device_seconds,
        cases: std::iter::once(itself).chain(crashes).collect(),
    }
}

/// What its figures do not say, and why they may say less than they seem to.
fn warnings(result: &ExploreResult) -> Vec<String> {
    let stuck = retap_show::stuck(result.events, result.states).map(|stuck| format!("stuck: {stuck}"));
    stuck.into_iter().chain(DeviceFailure::in_words(&result.device_failures)).collect()
}

fn verdict(result: &ExploreResult, warnings: &[String]) -> CaseVerdict {
    let figures = format!(
        "{}, {}, {}",
        count(result.events, "event"),
        count(result.states as u64, "state"),
        match result.details.findings.len() {
            0 => "no crash".to_owned(),
            crashes => count(crashes as u64, "crash"),
        }
    );
    let besides: String = warnings.iter().flat_map(|warning| ["; ", warning]).collect();
    let broken = |kind, words: String| CaseVerdict::Broken(CaseFault::new(kind, words + &besides));
    match (result.status, &result.why) {
        (ExploreStatus::Done, None) => CaseVerdict::Passed(figures + &besides),
        (ExploreStatus::Done, Some(why)) => {
            CaseVerdict::Passed(format!("{figures}; ended early: {why}{besides}"))
        }
        (ExploreStatus::CutShort, None) => broken("interrupted", format!("interrupted after {figures}")),
        (ExploreStatus::CutShort, Some(why)) => broken("device", format!("cut short after {figures}: {why}")),
    }
}

fn crash_case(result: &ExploreResult, finding: &Finding, reductions: &[ReduceResult]) -> ReportCase {
    let signature = &*finding.crash.signature.0;
    let found = result.session.join(&finding.shortest.0);
    let known = finding_in_words(finding);
    let mut told = CrashTold {
        crash: finding.crash.clone(),
        about: known.clone(),
        steps: Vec::new(),
        again: Some(format!("retap reduce {}", quoted_path(&found))),
    };
    if let Some(reduced) = result.reduced.iter().find(|reduced| reduced.signature == signature) {
        told.about = format!("{known}; {}", reduction_in_words(reduced));
        if let Some(trace) = &reduced.trace {
            told.again = Some(format!("retap replay {}", quoted_path(trace)));
        }
        let full = reductions.iter().find(|full| full.trace.is_some() && full.trace == reduced.trace);
        if let Some(full) = full {
            told.about = format!("{known}; {}", claim(full));
            told.steps = answer_steps(full);
        }
    }
    let wrong = CaseFault::crash(&finding.crash, finding.crash.to_string());
    let more =
        [Some(told.about.clone()), told.again.clone()].into_iter().flatten().collect::<Vec<_>>().join("\n");
    ReportCase { more, crashes: vec![told], ..ReportCase::new(signature, CaseVerdict::Failed(wrong)) }
}

fn reduction_in_words(reduced: &ReducedResult) -> String {
    if let Some(why) = &reduced.why {
        return format!("not reduced: {why}");
    }
    format!("reduced: {}", retap_show::reduction(reduced.status, reduced.events, reduced.confirmed))
}
