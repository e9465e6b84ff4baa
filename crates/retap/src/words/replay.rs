//! What people are told of replays.

use retap_job::suite::TraceVerdict;
use retap_job::{ReplayResult, ReplayStatus, ReplaySuiteResult};
use retap_lab::Done;
use retap_reduce::{Outcome, Rate};
use retap_trace::Micros;

use crate::commands::this_command;
use crate::output::{Output, bad, count, good, strong};

/// How a trace went.
pub(super) fn replayed(output: Output, result: &ReplayResult) {
    let ReplayResult { confirmed, device_time, .. } = result;
    let all_well = if result.expect_no_crash {
        matches!(result.status, ReplayStatus::Done)
    } else {
        confirmed.reached == confirmed.of
    };
    if confirmed.of == 0 {
        output.say("no run came to its end, so nothing is known of it");
    } else {
        output.say(format!(
            "{}; with 95 % confidence in {} ({device_time} of device time)",
            in_words(result, |times| if all_well { good(times) } else { bad(times) }),
            Rate::of(confirmed.tally()),
        ));
    }
    for crash in result.crashes.iter().filter(|_| result.expect_no_crash) {
        output.say(format!("  {}: {}", retap_show::crashed(crash), strong(&crash.crash)));
    }
    if let Some(why) = retap_show::not_known(result.status, result.blind) {
        output.say(format!("{}: {why}", bad("not known")));
    }
    for missed in &result.missed {
        output.say(format!("  {}", retap_show::missed(missed, result.events, result.expect_no_crash)));
    }
    if let Some(unseen) = retap_show::passed_over(result) {
        output.say(format!("  {unseen}"));
    }
    if let Some(inconclusive) = retap_show::inconclusive(result.runs_inconclusive) {
        output.say(inconclusive);
    }
    if matches!(result.status, ReplayStatus::Interrupted | ReplayStatus::CutShort) {
        let after = format!("after {} of {}", result.runs, count(result.times, "run"));
        let stopped = match &result.why {
            Some(why) => format!("{} {after}: {why}", bad("cut short")),
            None => format!("{} {after}", bad("interrupted")),
        };
        output.say(format!("{stopped}; again with\n  {}", this_command()));
    }
}

/// How often a trace reached its target, or crashed where it should not.
pub(crate) fn replayed_in_words(result: &ReplayResult) -> String {
    in_words(result, |times| times)
}

fn in_words(result: &ReplayResult, paint: impl Fn(String) -> String) -> String {
    let ReplayResult { confirmed, events, target, .. } = result;
    let times = paint(format!("{} of {}", confirmed.reached, confirmed.of));
    if result.expect_no_crash {
        return format!("{} crashed the app {times} times", count(*events, "event"));
    }
    format!("{} reached {target} {times} times", count(*events, "event"))
}

/// A run in which the device failed, in words.
pub(super) fn run(done: &Done) -> Option<String> {
    let why = done.report.why.as_ref()?;
    let failed = done.report.ended.outcome == Outcome::Inconclusive;
    failed.then(|| format!("run {}: inconclusive, {why}", done.order.ticket.0))
}

/// How the traces of a suite went.
pub(super) fn suite(output: Output, result: &ReplaySuiteResult) {
    for TraceVerdict { trace, passed, why, .. } in &result.traces {
        let word = if *passed { good("passed") } else { bad("failed") };
        output.say(format!("{word} {trace}: {why}"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "shown to people")]
    let time = Micros((result.device_seconds * 1e6) as u64);
    let ReplaySuiteResult { passed, failed, .. } = result;
    let not_run = match result.not_run.len() {
        0 => String::new(),
        traces => format!(", {traces} not run"),
    };
    output.say(format!("{passed} passed, {failed} failed{not_run}, in {time} of device time"));
    cut_short(output, result.why.as_deref());
}

fn cut_short(output: Output, why: Option<&str>) {
    if let Some(why) = why {
        output.say(format!("{}: {why}", bad("cut short")));
    }
}
