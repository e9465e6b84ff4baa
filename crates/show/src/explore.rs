//! An exploration: what was explored, and what it found.

use retap_job::explore::{DeviceFailure, ExplorePlan, Proof};
use retap_job::overview::{CrashOverview, ExploreOverview, ReductionOfCrash};
use retap_job::reduce::{Confirmed, ReduceStatus};
use retap_trace::Micros;

use crate::page::{TextLine, TextPage, Tone};
use crate::session::devices;
use crate::words::{count, path, rate};
use crate::{again, crash};

/// The most traces of a crash that are named.
const TRACES: usize = 5;

/// What was to be done.
pub(crate) fn plan(plan: &ExplorePlan) -> Vec<(&'static str, String)> {
    let limit = |limit: Option<u64>, unit: &str| limit.map(|limit| count(limit, unit));
    let limits = [
        limit(plan.events, "event"),
        plan.minutes
            .map(|minutes| format!("{} of device time", Micros::from_secs(minutes.saturating_mul(60)))),
        plan.idle_minutes.map(|minutes| format!("{} without anything new", count(minutes, "minute"))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let mut facts = vec![
        ("device", devices(&plan.device, plan.devices)),
        ("strategy", plan.strategy.to_string()),
        ("seed", plan.seed.to_string()),
    ];
    if !limits.is_empty() {
        facts.push(("until", limits.join(", or ")));
    }
    facts.extend(plan.start.as_ref().map(|start| ("start", path(start))));
    facts
}

/// What was found.
pub(crate) fn show(page: &mut TextPage, explored: &ExploreOverview) {
    if let Some(why) = &explored.why {
        page.add(TextLine::new().toned(Tone::Bad, "ended early: ").text(why).hanging(2));
    }
    page.say(figures(explored));
    if let Some(words) = DeviceFailure::in_words(&explored.device_failures) {
        page.add(TextLine::new().toned(Tone::Bad, "warning: ").text(words).hanging(2));
    }
    if explored.crashes.is_empty() {
        page.add(TextLine::new().toned(Tone::Good, "no crash found"));
        if let Some(stuck) = stuck(explored.events, explored.states) {
            page.add(TextLine::new().toned(Tone::Bad, "stuck: ").text(stuck).hanging(2));
        }
    }
    // Of what is done in other folders nothing is known here.
    let unreduced = if explored.plan.reduce.is_some() { "not yet" } else { "not by this exploration" };
    for crash in &explored.crashes {
        page.gap();
        one(page, crash, unreduced);
    }
}

/// The figures in a sentence.
fn figures(explored: &ExploreOverview) -> String {
    let covered = match explored.coverage_total {
        Some(total) => format!("{} of {total} branches covered", explored.coverage),
        None if explored.coverage == 0 => "code coverage not measured".to_owned(),
        None => format!("{} covered", count(explored.coverage, "branch")),
    };
    format!(
        "{} in {}: {}, {}, {covered}, {} of device time",
        count(explored.events, "event"),
        count(explored.segments, "segment"),
        count(explored.states, "state"),
        count(explored.transitions, "transition"),
        explored.device_time,
    )
}

fn one(page: &mut TextPage, found_crash: &CrashOverview, unreduced: &str) {
    let CrashOverview { signature, seen, trace, events, proof, segments, .. } = found_crash;
    match &found_crash.crash {
        Some(known) => page.add(crash::named(known, 0)),
        None => page.add(TextLine::new().toned(Tone::Bad, "crash:").text(format!(" {signature}")).hanging(7)),
    }
    page.fact("signature", signature);
    page.fact("found", found(*seen, *events, *proof));
    let came = |reduced: &ReductionOfCrash| reduction(reduced.status, reduced.events, reduced.confirmed);
    page.fact("reduced", found_crash.reduced.as_ref().map_or_else(|| unreduced.to_owned(), came));
    if let Some(answer) = found_crash.reduced.as_ref().and_then(|reduced| reduced.trace.as_deref()) {
        page.fact("answer", path(answer));
    }
    page.fact("trace", path(trace));
    let named: Vec<String> = segments.iter().take(TRACES).map(|file| path(file)).collect();
    for (number, file) in named.iter().enumerate() {
        page.fact(if number == 0 { "seen in" } else { "" }, file);
    }
    if segments.len() > TRACES {
        page.fact("", format!("... and {} more", segments.len() - TRACES));
    }
    if let Some(known) = &found_crash.crash {
        crash::stack(page, known, 4);
    }
}

/// What came of reducing a crash.
pub fn reduction(status: ReduceStatus, events: impl TryInto<u64>, confirmed: Confirmed) -> String {
    use ReduceStatus::{BelowTheRule, CutShort, Failed, Interrupted, NotConfirmed, NotReproducible, Reduced};
    let runs = rate(confirmed.tally());
    let events = count(events, "event");
    match status {
        Reduced => format!("to {events}; fresh runs reached it {runs}"),
        BelowTheRule => format!("to {events}; below the rule: fresh runs reached it {runs}"),
        NotConfirmed => format!("to {events}, which fresh runs did not confirm: they reached it {runs}"),
        NotReproducible => format!("no: the whole trace reached it {runs}"),
        Interrupted | CutShort | Failed => "not to its end".to_owned(),
    }
}

/// How a crash was found: how often it was seen, and what speaks for its best trace.
pub fn found(seen: u32, events: usize, proof: Proof) -> String {
    let (seen, events) = (count(seen, "time"), count(events, "event"));
    match proof {
        Proof::CleanStart => format!("seen {seen}; after {events} from a clean start"),
        Proof::Tried(tally) if tally.reached > 0 => format!(
            "seen {seen}; after {events}, which reached it {} of {} times from a clean start",
            tally.reached,
            tally.runs()
        ),
        Proof::Tried(tally) => format!(
            "seen {seen}, NOT reproduced: {events} from a clean start reached it 0 of {} times",
            tally.runs()
        ),
        Proof::Untried => format!("seen {seen} after going back in time; not tried from a clean start"),
    }
}

/// What is to be said where an exploration has seen next to nothing of the app, so that "no crash found" tells nothing.
pub fn stuck(events: u64, states: usize) -> Option<&'static str> {
    /// A start with a look or two proves nothing.
    const ENOUGH: u64 = 10;
    (states <= 1 && events >= ENOUGH).then_some(
        "the app showed one state only, so next to nothing of it was explored; retap record makes a trace that leads \
         past this screen, and --start begins with it",
    )
}

/// What can be done with what was found.
pub(crate) fn next(explored: &ExploreOverview) -> Vec<(String, &'static str)> {
    let mut next = Vec::new();
    for crash in &explored.crashes {
        match crash.reduced.as_ref().and_then(|reduced| reduced.trace.as_deref()) {
            Some(answer) => next.push((again::export(answer), "the reduced steps, for a bug report")),
            None => next.push((again::reduce(&crash.trace), "the fewest steps to this crash")),
        }
    }
    next
}
