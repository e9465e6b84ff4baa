//! Replays of a trace: how often it reached its target, and where runs left.

use retap_job::overview::ReplayOverview;
use retap_job::{MissedRuns, ReplayPlan};

use crate::again;
use crate::page::{TextLine, TextPage, Tone};
use crate::session::devices;
use crate::words::{count, path, rate};

/// What was to be done.
pub(crate) fn plan(plan: &ReplayPlan) -> Vec<(&'static str, String)> {
    vec![
        ("input", path(&plan.input)),
        ("target", plan.target.to_string()),
        ("device", devices(&plan.device, plan.devices)),
        ("runs", plan.times.to_string()),
        ("seed", plan.seed.to_string()),
    ]
}

/// What came of it.
pub(crate) fn show(page: &mut TextPage, replayed: &ReplayOverview) {
    let tally = replayed.confirmed.tally();
    if tally.runs() == 0 {
        page.say("no run has ended yet");
    } else {
        let crash_free = replayed.plan.expect_no_crash;
        let bad = if crash_free { tally.reached } else { tally.missed };
        let tone = if bad == 0 { Tone::Good } else { Tone::Bad };
        let what = if crash_free { "a crash".to_owned() } else { replayed.plan.target.to_string() };
        let line = TextLine::new().text(format!("runs reached {what} "));
        page.add(line.toned(tone, rate(tally)).hanging(2));
    }
    if let Some(events) = replayed.events {
        for runs in &replayed.missed {
            page.say(format!("  {}", missed(runs, events, replayed.plan.expect_no_crash)));
        }
    }
    page.gap();
    let inconclusive = count(replayed.runs_inconclusive, "inconclusive run");
    let cost =
        format!("{} and {inconclusive}, {} of device time", count(tally.runs(), "run"), replayed.device_time);
    page.add(TextLine::new().toned(Tone::Faint, cost).hanging(2));
}

/// Runs that missed the target of a trace with so many events, in words. Where no crash is expected, the target is one.
pub fn missed(missed: &MissedRuns, events: usize, expect_no_crash: bool) -> String {
    let without = if expect_no_crash { "without a crash" } else { "without the target" };
    let runs = count(missed.runs, "run");
    let at = match &missed.event {
        None => "at the start".to_owned(),
        Some(event) => format!("after step {}, {event}", missed.after_step),
    };
    let ended = missed.state.as_ref().map_or_else(String::new, |state| format!(": ended in {state}"));
    if let Some(next) = &missed.without_widget {
        let step = missed.after_step + 1;
        return format!("{runs} stopped before step {step}, {next}: its widget is not on the screen{ended}");
    }
    match &missed.crash {
        Some(crash) => format!("{runs} left {at}: ended in another crash, {crash}"),
        None if missed.after_step == events => {
            format!("{runs} performed all {events} steps {without}{ended}")
        }
        None => format!("{runs} left {at}{ended}"),
    }
}

/// What can be done next.
pub(crate) fn next(replayed: &ReplayOverview) -> Vec<(String, &'static str)> {
    let reached = replayed.confirmed.reached > 0;
    let reduce = (again::reduce(&replayed.plan.input), "the fewest steps that get there");
    if reached { vec![reduce] } else { Vec::new() }
}
