//! What people are told of an exploration.

use std::path::Path;

use retap_job::ExploreResult;
use retap_job::explore::{ExploreStatus, Finding, ReducedResult};
use retap_job::reduce::{Confirmed, ReduceStatus};

use crate::output::{Output, bad, count, faint, good, strong};

/// What was found.
pub(crate) fn explored(output: Output, result: &ExploreResult) {
    let (session, typed) = (result.session.display(), super::quoted_path(&result.session));
    match (result.status, &result.why) {
        (ExploreStatus::Done, None) => {}
        (ExploreStatus::Done, Some(why)) => output.say(format!("{}: {why}", bad("ended early"))),
        (ExploreStatus::CutShort, None) => output.say(format!(
            "\n{}; everything is saved, go on with\n  retap explore --resume {typed}",
            bad("interrupted"),
        )),
        (ExploreStatus::CutShort, Some(why)) => output.say(format!(
            "{}: {why}; what was found is saved, go on with\n  retap explore --resume {typed}",
            bad("cut short"),
        )),
    }
    let covered = match result.coverage_total {
        Some(total) => format!("{} of {total} branches covered", result.coverage),
        None if result.coverage == 0 => "code coverage not measured".to_owned(),
        None => format!("{} branches covered", result.coverage),
    };
    output.say(format!(
        "{} in {}: {}, {}, {covered}, {} of device time",
        count(result.events, "event"),
        count(result.segments as u64, "segment"),
        count(result.states as u64, "state"),
        count(result.transitions as u64, "transition"),
        result.details.device_time,
    ));
    time_travel(output, result);
    if result.details.findings.is_empty() {
        output.say(good("no crash found"));
        if let Some(stuck) = retap_show::stuck(result.events, result.states) {
            output.say(format!("{}: {stuck}", bad("stuck")));
        }
    }
    for finding in &result.details.findings {
        output.say(format!(
            "{} {} {}",
            bad("crash:"),
            strong(&finding.crash),
            faint(format!("({})", finding_in_words(finding)))
        ));
        let reduced = result.reduced.iter().find(|known| *known.signature == *finding.crash.signature.0);
        for line in next(reduced, &result.session.join(&finding.shortest.0)) {
            output.say(format!("  {line}"));
        }
    }
    output.say(format!("saved: {session}"));
}

fn time_travel(output: Output, result: &ExploreResult) {
    let cost = result.details.cost;
    if cost.saves + cost.restores + cost.failed == 0 {
        return;
    }
    let replayed = match cost.replayed {
        0 => String::new(),
        events => format!(" by replaying {}", count(events, "event")),
    };
    output.say(format!(
        "saved {} in {}; restored {} in {}{replayed}, {} failed",
        count(cost.saves, "state"),
        cost.saving,
        count(cost.restores, "time"),
        cost.restoring,
        cost.failed,
    ));
}

/// What came of reducing a crash, and what to type next.
fn next(reduced: Option<&ReducedResult>, trace: &Path) -> Vec<String> {
    let again = vec![format!("retap reduce {}", super::quoted_path(trace))];
    let Some(reduced) = reduced else { return again };
    let Confirmed { reached, of } = reduced.confirmed;
    let but = match reduced.status {
        ReduceStatus::Reduced => "",
        ReduceStatus::BelowTheRule => ", below the rule",
        ReduceStatus::NotConfirmed => ", not confirmed",
        ReduceStatus::NotReproducible => {
            return vec![format!("not reduced: its trace reached it {reached} of {of} times")];
        }
        ReduceStatus::Interrupted | ReduceStatus::CutShort | ReduceStatus::Failed => return again,
    };
    let Some(answer) = &reduced.trace else { return again };
    let events = count(reduced.events, "event");
    vec![
        format!("reduced to {events}, {reached} of {of}{but}: {}", answer.display()),
        retap_show::export(answer),
    ]
}

/// What is known of a crash.
pub(crate) fn finding_in_words(finding: &Finding) -> String {
    retap_show::found(finding.seen, finding.shortest.1, finding.proof)
}
