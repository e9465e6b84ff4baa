//! A reduction: from what to what, what is claimed, and what it has cost.

use retap_job::ReducePlan;
use retap_job::overview::{BegunIn, ReduceOutcome, ReduceOverview, SessionState};
use retap_job::reduce::{BY_WIDGET, Flaked, FlakedState, ReduceStatus, Simpler};
use retap_trace::{Target, Trace};

use crate::page::{TextLine, TextPage, Tone};
use crate::session::devices;
use crate::words::{count, path, rate};
use crate::{again, crash};

/// The most steps of an answer that are shown.
const STEPS: usize = 40;

/// What was to be done.
pub(crate) fn plan(plan: &ReducePlan) -> Vec<(&'static str, String)> {
    let options = &plan.options;
    let mut facts = vec![("input", path(&plan.input)), ("target", plan.target.to_string())];
    facts.extend(plan.device.as_ref().map(|device| ("device", devices(device, plan.devices))));
    facts.push((
        "search",
        format!("{}, rule {}, schedule {}", options.search, options.rule, options.schedule),
    ));
    facts.push(("seed", plan.seed.to_string()));
    facts
}

/// What came of it.
pub(crate) fn show(page: &mut TextPage, reduced: &ReduceOverview, state: SessionState) {
    match &reduced.result {
        Some(result) => outcome(page, reduced, result),
        None => so_far(page, reduced, state),
    }
    for (signature, file) in &reduced.other_crashes {
        page.gap();
        page.say(format!("another crash was seen: {signature}"));
        if let Some(file) = file {
            page.fact("trace", path(file));
        }
    }
    page.gap();
    page.add(TextLine::new().toned(Tone::Faint, spent(reduced)).hanging(2));
    if let Some(file) = &reduced.trace {
        page.say(format!("answer: {}", path(file)));
    }
}

fn outcome(page: &mut TextPage, reduced: &ReduceOverview, result: &ReduceOutcome) {
    let (tone, said) = summary(result, reduced);
    page.add(TextLine::new().toned(tone, said.0).text(said.1).hanging(2));
    if result.status != ReduceStatus::NotReproducible {
        page.gap();
        changed(page, reduced);
        match &reduced.answer {
            Some((_, answer)) => steps(page, answer),
            None => kept(page, noun(reduced), &result.kept),
        }
    }
    for line in simplified(&result.values) {
        page.say(line);
    }
    let before = result.before;
    if before.reached < before.of {
        page.say(format!(
            "the same events missed {} of {} runs before",
            before.of - before.reached,
            before.of
        ));
    }
    if result.retreats > 0 {
        let answers = count(result.retreats, "other answer");
        page.say(format!("{answers} not confirmed by fresh runs and taken back"));
    }
    if let Some(flaked) = &result.flaked {
        page.gap();
        for line in flaky(flaked) {
            page.say(line);
        }
    }
}

/// From how much to how much, and how often that holds.
fn summary(result: &ReduceOutcome, reduced: &ReduceOverview) -> (Tone, (String, String)) {
    let runs = rate(result.confirmed.tally());
    let plan = &reduced.plan;
    let before = count(result.events_before, noun(reduced));
    let from_to = format!("reduced {before} to {}", result.events_after);
    let (tone, first, then) = match result.status {
        ReduceStatus::NotReproducible => (
            Tone::Bad,
            "not reproducible".to_owned(),
            format!(": the whole of {before} reached {} {runs}", plan.target),
        ),
        ReduceStatus::BelowTheRule => (
            Tone::Bad,
            from_to,
            format!(
                "; fresh runs reached {} {runs}: less often than the rule {} asks for",
                plan.target, result.rule
            ),
        ),
        ReduceStatus::NotConfirmed => (
            Tone::Bad,
            from_to,
            format!(", which is not confirmed: fresh runs reached {} {runs}", plan.target),
        ),
        _ => (Tone::Good, from_to, format!("; fresh runs reached {} {runs}", plan.target)),
    };
    (tone, (first, then))
}

/// What is known of a reduction that has no result.
fn so_far(page: &mut TextPage, reduced: &ReduceOverview, state: SessionState) {
    if reduced.runs + reduced.runs_inconclusive == 0 {
        page.say("no run has ended yet");
        return;
    }
    let (runs, noun) = (count(reduced.runs, "run"), noun(reduced));
    let of = reduced.events_before.map_or_else(String::new, |before| format!(" of {before}"));
    if let (Some(claim), Some((_, answer))) = (reduced.claim, &reduced.answer) {
        let before =
            reduced.events_before.map_or_else(String::new, |before| format!("{} ", count(before, noun)));
        page.say(format!(
            "reduced {before}to {}; fresh runs reached {} {}; {} before the answer was written down",
            answer.steps.len(),
            reduced.plan.target,
            rate(claim.tally()),
            if state == SessionState::Running { "this is" } else { "stopped" },
        ));
        steps(page, answer);
        return;
    }
    page.say(match &reduced.best {
        Some(best) => format!(
            "after {runs}: the shortest list that reached the target has {}{of} {noun}s; runs of it reached it \
             {} of {} times, which is no claim: they helped to choose it",
            best.events, best.runs.reached, best.runs.of
        ),
        None => format!("after {runs}: no list{of} {noun}s has reached the target yet"),
    });
    if let (Some((_, answer)), SessionState::Stopped) = (&reduced.answer, state) {
        let runs = reduced.answer_runs.map_or_else(String::new, |runs| {
            format!("; runs of it reached the target {} of {} times", runs.reached, runs.of)
        });
        page.say(format!("the answer so far, which is not yet confirmed{runs}:"));
        steps(page, answer);
    }
}

/// Says which files do not hold the answer that was confirmed.
fn changed(page: &mut TextPage, reduced: &ReduceOverview) {
    let shown = reduced.answer.as_ref().map(|(file, _)| file);
    for file in &reduced.changed {
        let said = format!("{} was changed since it was confirmed:", path(file));
        let steps = if Some(file) == shown { "these steps" } else { "its steps" };
        let line = TextLine::new().toned(Tone::Bad, said);
        page.add(line.text(format!(" what is said above is not of {steps}")).hanging(2));
    }
}

/// The steps of an answer, with its crash.
fn steps(page: &mut TextPage, answer: &Trace) {
    if let Some(known) = &answer.header.crash {
        page.add(crash::named(known, 7));
        crash::stack(page, known, 9);
    }
    for (number, step) in (1..).zip(&answer.steps).take(STEPS) {
        let line = TextLine::new().toned(Tone::Faint, format!("  {number:>3}. "));
        page.add(line.toned(Tone::Strong, step.event.to_string()).hanging(7));
        if let Some(known) = &step.crash {
            page.add(crash::named(known, 7));
            crash::stack(page, known, 9);
        }
    }
    more(page, answer.steps.len());
}

/// Which lines of a text, or events, are kept.
fn kept(page: &mut TextPage, noun: &str, kept: &[u32]) {
    let lines: Vec<String> = kept.iter().take(STEPS).map(ToString::to_string).collect();
    if !lines.is_empty() {
        page.say(format!("  {noun}s {}", lines.join(", ")));
    }
    more(page, kept.len());
}

fn more(page: &mut TextPage, all: usize) {
    if let Some(more) = all.checked_sub(STEPS).filter(|more| *more > 0) {
        page.say(format!("       ... and {more} more"));
    }
}

/// What its list is of.
fn noun(reduced: &ReduceOverview) -> &'static str {
    if reduced.is_text { "line" } else { "event" }
}

fn spent(reduced: &ReduceOverview) -> String {
    let recorded = match reduced.recordings {
        0 => String::new(),
        recordings => format!(" and {}", count(recordings, "recording")),
    };
    let judged = matches!(reduced.plan.target, Target::Command(_));
    format!(
        "{}{recorded} ({} inconclusive), {} performed, {} of {} time",
        count(reduced.runs, "run"),
        reduced.runs_inconclusive,
        count(reduced.executed_events, noun(reduced)),
        reduced.device_time,
        if judged { "the command's" } else { "device" },
    )
}

/// What became simpler, in lines. Steps that only find their widget now share one.
pub fn simplified(values: &[Simpler]) -> Vec<String> {
    let only_aim = |value: &&Simpler| value.after.strip_prefix(&*value.before) == Some(BY_WIDGET);
    let other = values.iter().filter(|value| !only_aim(value));
    let mut lines: Vec<String> = other
        .map(|Simpler { step, before, after }| format!("step {step} was simplified: {before} -> {after}"))
        .collect();
    let steps: Vec<String> = values.iter().filter(only_aim).map(|value| value.step.to_string()).collect();
    let steps = match &steps[..] {
        [] => return lines,
        [step] => format!("step {step} was"),
        [steps @ .., last] => format!("steps {} and {last} were", steps.join(", ")),
    };
    lines.push(format!("{steps} simplified: aimed at a widget now, not at a place"));
    lines
}

/// Where runs of the same events part, in lines.
pub fn flaky(flaked: &Flaked) -> Vec<String> {
    let Flaked { after, event, states } = flaked;
    let mut lines = vec![match after {
        0 => "flaky: runs differ from the start:".to_owned(),
        after => format!("flaky: runs part after step {after}, {event}:"),
    }];
    lines.extend(states.iter().map(|FlakedState { state, runs, reached }| {
        format!("  {runs:>3} in {state}; {reached} of them reached the target")
    }));
    lines
}

/// What can be done with the answer.
pub(crate) fn next(reduced: &ReduceOverview, begun: &BegunIn) -> Vec<(String, &'static str)> {
    let Some(result) = &reduced.result else { return Vec::new() };
    match (&reduced.trace, result.status) {
        (_, ReduceStatus::NotReproducible) if reduced.answer.is_none() => {
            let judged = matches!(reduced.plan.target, Target::Command(_));
            let towards =
                reduced.plan.device.as_ref().map(|device| again::towards(&reduced.plan.target, device));
            let replay = again::replay(&reduced.plan.input) + &towards.unwrap_or_default();
            let replay = again::typed_in(begun, replay);
            if judged { Vec::new() } else { vec![(replay, "says where runs leave the recording")] }
        }
        (Some(answer), _) if reduced.answer.is_some() => vec![
            (again::export(answer), "for a bug report; --as maestro, appium, ... for a test"),
            (again::replay(answer), "measures it again"),
        ],
        _ => Vec::new(),
    }
}
