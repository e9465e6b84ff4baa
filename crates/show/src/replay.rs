//! Replays of a trace: how often it reached its target, and where runs left.

use retap_job::overview::{BegunIn, CrashRuns, ReplayOverview};
use retap_job::{MissedRuns, ReplayCrash, ReplayPlan, ReplayResult, ReplayStatus};
use retap_lab::followed;

use retap_trace::Target;

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
        let what = if crash_free { "a crash".to_owned() } else { replayed.plan.target.to_string() };
        let line = TextLine::new().text(format!("runs reached {what} "));
        page.add(line.toned(tone(replayed), rate(tally)).hanging(2));
    }
    for ended in replayed.crashes.iter().filter(|_| replayed.plan.target == Target::AnyCrash) {
        let line = TextLine::new().text(format!("  {} ended in ", count(ended.runs, "run")));
        page.add(line.toned(Tone::Bad, ended.crash.to_string()).hanging(4));
    }
    if let Some(why) = replayed.status.and_then(|status| not_known(status, replayed.blind)) {
        page.add(TextLine::new().toned(Tone::Bad, "not known:").text(format!(" {why}")).hanging(2));
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

/// Where no crash is expected, runs without one are good only once it is known that all performed the steps.
fn tone(replayed: &ReplayOverview) -> Tone {
    let tally = replayed.confirmed.tally();
    match (replayed.plan.expect_no_crash, replayed.status) {
        (false, _) if tally.missed == 0 => Tone::Good,
        (true, Some(ReplayStatus::Done)) => Tone::Good,
        (true, None) if tally.reached == 0 => Tone::Plain,
        _ => Tone::Bad,
    }
}

/// What a comparison of two sessions looks at, besides plan and rate.
pub(crate) fn facts(replayed: &ReplayOverview) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    facts.extend(replayed.status.map(|status| ("ended", ended(status).to_owned())));
    facts.push(("inconclusive runs", replayed.runs_inconclusive.to_string()));
    let expect_no_crash = replayed.plan.expect_no_crash;
    let lines: Vec<String> = replayed
        .events
        .map(|events| replayed.missed.iter().map(|runs| missed(runs, events, expect_no_crash)).collect())
        .unwrap_or_default();
    if !lines.is_empty() {
        facts.push(("missed", lines.join("; ")));
    }
    let crashed = |ended: &CrashRuns| format!("{} in {}", ended.runs, ended.crash.signature);
    if !replayed.crashes.is_empty() {
        facts.push(("crashes", replayed.crashes.iter().map(crashed).collect::<Vec<_>>().join("; ")));
    }
    facts
}

/// How replays ended, in a word or two.
const fn ended(status: ReplayStatus) -> &'static str {
    match status {
        ReplayStatus::Done => "done",
        ReplayStatus::NotReproducible => "not reproducible",
        ReplayStatus::Crashed => "crashed",
        ReplayStatus::Unknown => "unknown",
        ReplayStatus::Astray => "astray",
        ReplayStatus::Interrupted => "interrupted",
        ReplayStatus::CutShort => "cut short",
    }
}

/// Runs that missed the target of a trace with so many events, in words. Where no crash is expected, the target is one, and
/// a run that came to the end has performed all steps; else it has passed over those whose widget was not on the screen.
pub fn missed(missed: &MissedRuns, events: usize, expect_no_crash: bool) -> String {
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
        Some(crash) => format!("{runs} left {at}: ended in {}, {crash}", which_crash(missed.recorded)),
        None if missed.after_step == events && expect_no_crash => {
            format!("{runs} performed {} without a crash{ended}", all_steps(events))
        }
        None if missed.after_step == events => {
            format!("{runs} came to the end of {} without the target{ended}", all_steps(events))
        }
        None => format!("{runs} left {at}{ended}"),
    }
}

fn all_steps(events: usize) -> String {
    match events {
        0 => "a trace without steps".to_owned(),
        1 => "the only step".to_owned(),
        _ => format!("all {events} steps"),
    }
}

/// What runs that missed a target do not tell: none of them looked for the widgets that steps of the trace follow.
pub fn passed_over(result: &ReplayResult) -> Option<&'static str> {
    let follows = || result.details.trace.events().any(|event| followed(event).is_some());
    let came_through = |runs: &MissedRuns| runs.crash.is_none();
    (!result.expect_no_crash && result.missed.iter().any(came_through) && follows()).then_some(
        "steps whose widget is not on the screen do nothing in such runs; with --expect-no-crash a run stops there and says so",
    )
}

/// Why nobody knows whether the app crashes, although no run ended in one; nothing where that is known. A blind trace does
/// not tell where its steps lead.
pub const fn not_known(status: ReplayStatus, blind: bool) -> Option<&'static str> {
    match status {
        ReplayStatus::Astray if blind => Some(
            "the trace does not record where its steps lead, so nobody knows whether runs of it get to where the app crashes; \
             reduce it while the app crashes, which records that",
        ),
        ReplayStatus::Astray => Some(
            "not all runs were seen to perform the steps where they were recorded, so nobody knows whether the app crashes \
             there; where the app has changed on the way there, record or reduce again",
        ),
        ReplayStatus::Unknown => Some(
            "the device failed in some runs, so nobody knows whether the app crashes there; replay again once the device works",
        ),
        ReplayStatus::Done
        | ReplayStatus::NotReproducible
        | ReplayStatus::Crashed
        | ReplayStatus::Interrupted
        | ReplayStatus::CutShort => None,
    }
}

/// How many runs ended in a crash where none was expected, and whether it is the recorded one. A trace need not have one.
pub fn crashed(crash: &ReplayCrash) -> String {
    format!("{} ended in {}", count(crash.runs, "run"), which_crash(crash.recorded))
}

/// What a crash is to the trace that was replayed.
pub const fn which_crash(recorded: bool) -> &'static str {
    if recorded { "the recorded crash" } else { "a crash that the trace does not record" }
}

/// Runs in which the device failed, in words; nothing where there are none.
pub fn inconclusive(runs: u32) -> Option<String> {
    let were = if runs == 1 { "was" } else { "were" };
    (runs > 0).then(|| format!("{} {were} inconclusive: the device failed", count(runs, "run")))
}

/// What can be done next.
pub(crate) fn next(replayed: &ReplayOverview, begun: &BegunIn) -> Vec<(String, &'static str)> {
    let reached = replayed.confirmed.reached > 0;
    let ReplayPlan { input, target, device, .. } = &replayed.plan;
    let reduce = again::typed_in(begun, again::reduce(input) + &again::towards(target, device));
    if reached { vec![(reduce, "the fewest steps that get there")] } else { Vec::new() }
}
