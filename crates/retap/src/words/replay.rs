//! What people are told of replays.

use retap_job::suite::TraceVerdict;
use retap_job::{MissedRuns, ReplayResult, ReplayStatus, ReplaySuiteResult};
use retap_lab::Done;
use retap_reduce::Outcome;
use retap_trace::Micros;

use crate::commands::this_command;
use crate::output::{Output, bad, count, good, strong};

/// How a trace went.
pub(super) fn replayed(output: Output, result: &ReplayResult) {
    let ReplayResult { confirmed, rate, events, target, device_time, .. } = result;
    let shown = format!("{} of {}", confirmed.reached, confirmed.of);
    let shown = if confirmed.reached == confirmed.of { good(shown) } else { bad(shown) };
    output.say(format!(
        "{events} events reached {} {shown} times: rate {:.2}, 95 % interval {:.2} to {:.2} ({device_time} of device time)",
        strong(target),
        rate.estimate,
        rate.low,
        rate.high,
    ));
    for missed in &result.missed {
        output.say(format!("  {}", missed_in_words(missed, *events)));
    }
    if result.runs_inconclusive > 0 {
        output.say(format!("{} runs were inconclusive: the device failed", result.runs_inconclusive));
    }
    cut_short(output, result.why.as_deref());
    if matches!(result.status, ReplayStatus::Interrupted | ReplayStatus::CutShort) {
        let stopped = bad("interrupted");
        output.say(format!(
            "{stopped} after {} of {} runs; again with\n  {}",
            result.runs,
            result.times,
            this_command()
        ));
    }
}

fn missed_in_words(missed: &MissedRuns, events: usize) -> String {
    let runs = count(missed.runs, "run");
    let at = match &missed.event {
        None => "at the start".to_owned(),
        Some(event) => format!("after step {}, {event}", missed.after_step),
    };
    let ended = missed.state.as_ref().map_or_else(String::new, |state| format!(": ended in {state}"));
    match &missed.crash {
        Some(crash) => format!("{runs} left {at}: ended in another crash, {crash}"),
        None if missed.after_step == events => {
            format!("{runs} performed all {events} steps without the target{ended}")
        }
        None => format!("{runs} left {at}{ended}"),
    }
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
