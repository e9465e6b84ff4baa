//! Test cases as `JUnit` XML, as Surefire writes it: Jenkins, GitLab and the actions for GitHub read that.

use std::time::Duration;

use quick_junit::{
    NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite, XmlString,
};

use super::cases::{CaseFault, CaseGroup, CaseVerdict, OtherRun, ReportCase};

/// The XML. `began` is when the command was started, as `2026-11-18T09:30:00`: some readers take no more than that.
pub(crate) fn junit(groups: &[CaseGroup], began: &str) -> anyhow::Result<String> {
    let mut report = Report::new("retap");
    report.add_test_suites(groups.iter().map(|group| suite(group, began)));
    report.set_time(seconds(groups.iter().map(|group| group.seconds).sum()));
    // XML has no way to say these two, and quick-junit takes out control characters alone.
    Ok(report.to_string()?.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}

fn suite(group: &CaseGroup, began: &str) -> TestSuite {
    let mut suite = TestSuite::new(&group.name);
    suite.set_time(seconds(group.seconds));
    suite.extra.insert(XmlString::new("timestamp"), XmlString::new(began));
    suite.add_properties(group.properties.iter().map(|(name, value)| Property::new(*name, value)));
    suite.add_test_cases(group.cases.iter().map(|case| test_case(case, &group.class)));
    suite
}

fn test_case(case: &ReportCase, class: &str) -> TestCase {
    let mut status = match &case.verdict {
        CaseVerdict::Passed(_) => TestCaseStatus::success(),
        CaseVerdict::Failed(wrong) => not_passed(NonSuccessKind::Failure, wrong),
        CaseVerdict::Broken(wrong) => not_passed(NonSuccessKind::Error, wrong),
        CaseVerdict::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why);
            status
        }
    };
    if !matches!(case.verdict, CaseVerdict::Skipped(_)) {
        status.add_reruns(case.other_runs.iter().map(rerun));
    }
    let mut made = TestCase::new(&case.name, status);
    made.set_classname(class);
    made.set_time(seconds(case.seconds.unwrap_or(0.0)));
    let passed = match &case.verdict {
        CaseVerdict::Passed(words) => words,
        _ => "",
    };
    let out: Vec<&str> = [passed, &case.more].into_iter().filter(|text| !text.is_empty()).collect();
    if !out.is_empty() {
        made.set_system_out(out.join("\n"));
    }
    made
}

fn not_passed(kind: NonSuccessKind, wrong: &CaseFault) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(&wrong.message).set_type(&wrong.kind);
    if !wrong.stack.is_empty() {
        status.set_description(&wrong.stack);
    }
    status
}

fn rerun(run: &OtherRun) -> TestRerun {
    let kind = if run.broken { NonSuccessKind::Error } else { NonSuccessKind::Failure };
    let mut rerun = TestRerun::new(kind);
    rerun.set_message(&run.wrong.message).set_type(&run.wrong.kind);
    // Surefire's schema asks for one.
    let stack = if run.wrong.stack.is_empty() { &run.wrong.message } else { &run.wrong.stack };
    rerun.set_stack_trace(stack);
    rerun
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
