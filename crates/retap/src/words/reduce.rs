//! What people are told of a reduction.

use retap_job::ReduceResult;
use retap_job::reduce::{Flaked, ReduceStatus, ReducedOf};
use retap_jvm::{JvmMode, JvmSpec};
use retap_lab::Done;
use retap_reduce::{Outcome, Rate};
use retap_trace::{Target, Trace};

use crate::commands::this_command;
use crate::output::{Output, bad, count, faint, good, strong};

/// What came of it.
pub(crate) fn reduced(output: Output, result: &ReduceResult) {
    match result.status {
        ReduceStatus::NotReproducible => {
            refused(output, result);
            flaked(output, result.flaked.as_ref());
            others(output, result);
        }
        ReduceStatus::Interrupted | ReduceStatus::CutShort if !result.details.answered => {
            stopped(output, result);
        }
        _ => {
            answered(output, result);
            others(output, result);
            if let Some(trace) = &result.trace {
                output.say(format!("saved: {}", trace.display()));
            }
            unfinished(output, result);
        }
    }
}

fn answered(output: Output, result: &ReduceResult) {
    let ReduceResult { details, status, .. } = result;
    if details.claimed {
        let claim = result.claim();
        // Where nothing is left, no steps follow.
        let end = if result.events_after == 0 { "" } else { ":\n" };
        output.say(format!(
            "\n{}; fresh runs reached {} {} of {} times; with 95 % confidence it holds in {}{end}",
            outcome(result),
            result.target,
            claim.reached,
            claim.runs(),
            Rate::of(claim),
        ));
    } else {
        let (before, after) = (count(result.events_before, noun(result)), strong(result.events_after));
        output.say(format!("\n{} {before} to {after}, not yet confirmed:\n", bad("reduced")));
    }
    match &details.answer {
        Some(answer) => steps(output, answer),
        None => kept(output, result),
    }
    for line in retap_show::simplified(&result.values) {
        output.say(line);
    }
    if *status == ReduceStatus::BelowTheRule {
        output.say(format!(
            "\n{}: that is less often than the rule {} asks for; without --rule, candidates are asked for what the \
             whole {} holds",
            bad("below the rule"),
            result.rule,
            whole(result),
        ));
    }
    let before = result.before;
    if before.reached < before.of {
        let missed = before.of - before.reached;
        output.say(format!("\nthe same events missed {missed} of {} runs before", before.of));
    }
    match result.retreats {
        0 => {}
        1 => output.say("1 other answer was not confirmed by fresh runs and taken back"),
        more => output.say(format!("{more} other answers were not confirmed by fresh runs and taken back")),
    }
    flaked(output, result.flaked.as_ref());
    cost(output, result);
}

/// From how much to how much, or that nothing has to be done at all.
fn outcome(result: &ReduceResult) -> String {
    let reached = result.claim().reached > 0;
    let low = matches!(result.status, ReduceStatus::BelowTheRule) || !reached;
    let paint = |text: &str| if low { bad(text) } else { good(text) };
    let (before, after) = (count(result.events_before, noun(result)), strong(result.events_after));
    let reduced = format!("{} {before} to {after}", paint("reduced"));
    if result.events_after > 0 || !reached || result.details.device.is_none() {
        return reduced;
    }
    let crash = matches!(result.target, Target::Crash(_));
    let start = if crash { "the app crashes when it starts" } else { "starting the app is enough" };
    match result.events_before {
        0 => format!("{}, without any event, so there is nothing to reduce", paint(start)),
        _ => format!("{reduced}: {start}"),
    }
}

/// Says that the answer is not yet what it is to be.
fn unfinished(output: Output, result: &ReduceResult) {
    if !matches!(result.status, ReduceStatus::Interrupted | ReduceStatus::CutShort) {
        return;
    }
    let what = if result.details.claimed { "written down" } else { "confirmed" };
    output.say(match &result.details.no_device_left {
        Some(why) => format!("{} before the answer was {what}: {why}", bad("cut short")),
        None => format!("{} before the answer was {what}", bad("interrupted")),
    });
    how_to_go_on(output, result);
}

fn steps(output: Output, answer: &Trace) {
    if let (Some(crash), []) = (&answer.header.crash, &answer.steps[..]) {
        output.say(format!("       {} {crash}", bad("crash:")));
    }
    for (number, step) in answer.steps.iter().enumerate() {
        output.say(format!("  {:>3}. {}", number + 1, step.event));
        if let Some(crash) = &step.crash {
            output.say(format!("       {} {crash}", bad("crash:")));
        }
    }
}

/// The first of the kept events or lines.
fn kept(output: Output, result: &ReduceResult) {
    let shown = &result.details.kept_in_words;
    for (number, words) in (1..).zip(shown) {
        output.say(format!("  {number:>3}. {words}"));
    }
    let more = result.kept.len() - shown.len();
    if more > 0 {
        output.say(format!("       ... and {more} more"));
    }
}

fn flaked(output: Output, flaked: Option<&Flaked>) {
    let Some(flaked) = flaked else { return };
    output.say(format!("\n{}", retap_show::flaky(flaked).join("\n")));
}

fn cost(output: Output, result: &ReduceResult) {
    if let Some(p1) = result.p1 {
        let p2 = result.p2.map_or_else(String::new, |p2| format!(", p2 {}", retap_mdp::truncated(p2)));
        output.detail(format!(
            "p1 {}{p2} under {} prior (see docs/papers.md)",
            retap_mdp::truncated(p1),
            result.details.whose_prior
        ));
    }
    let recorded = match result.recordings {
        0 => String::new(),
        recordings => format!(" and {}", count(recordings, "recording")),
    };
    output.say(faint(format!(
        "\n{}{recorded} ({} inconclusive), {} performed, {} of {} time",
        count(result.runs, "run"),
        result.runs_inconclusive,
        count(result.executed_events, noun(result)),
        result.details.device_time,
        if result.details.device.is_some() { "device" } else { "the command's" },
    )));
}

fn refused(output: Output, result: &ReduceResult) {
    let why = result.details.trouble.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let what_to_do = match result.details.needed {
        Some((least, runs)) => format!("--min-rate asks for at least {least} of {runs}"),
        None if result.details.device.is_some() => format!(
            "see where it leaves its recording with 'retap replay', and whether app, device and data are those of the \
             recording{}",
            if is_calm(result) {
                "; a crash that only some orders of the app's threads lead to needs --wild"
            } else {
                ""
            }
        ),
        None => "check that the command ends with 0 for the whole list".to_owned(),
    };
    let claim = result.claim();
    output.say(format!(
        "{}: the whole {} reached {} {} of {} times{why}; {what_to_do}. Nothing was reduced.",
        bad("not reproducible"),
        whole(result),
        result.target,
        claim.reached,
        claim.runs(),
    ));
}

/// Whether the app ran in a JVM in which its threads take turns.
fn is_calm(result: &ReduceResult) -> bool {
    let device = result.details.device.as_deref().and_then(|device| device.parse::<JvmSpec>().ok());
    device.is_some_and(|device| device.mode == JvmMode::Calm)
}

/// It was stopped before there was an answer.
fn stopped(output: Output, result: &ReduceResult) {
    let noun = noun(result);
    let best = format!(
        "best so far: {} of {}, not yet confirmed",
        result.events_after,
        count(result.events_before, noun)
    );
    let runs = count(result.runs, "run");
    if let Some(why) = &result.details.no_device_left {
        output.say(format!("{} after {runs}: {why}; {best}", bad("cut short")));
    } else {
        output.say(format!("\n{} after {runs}; {best}", bad("interrupted")));
        kept(output, result);
    }
    how_to_go_on(output, result);
}

fn others(output: Output, result: &ReduceResult) {
    for (crash, path) in &result.details.other_crashes {
        output.say(format!("another crash was seen: {crash}\nsaved: {}", path.display()));
    }
}

fn how_to_go_on(output: Output, result: &ReduceResult) {
    output.say(format!(
        "everything is saved in {}; go on with\n  {}",
        result.session.display(),
        this_command()
    ));
}

fn whole(result: &ReduceResult) -> &'static str {
    match result.details.of {
        ReducedOf::Trace => "trace",
        ReducedOf::Text => "list",
    }
}

fn noun(result: &ReduceResult) -> &'static str {
    match result.details.of {
        ReducedOf::Trace => "event",
        ReducedOf::Text => "line",
    }
}

/// A run in words.
pub(super) fn run(done: &Done) -> String {
    let why = || done.report.why.as_deref();
    let ended = match done.report.ended.outcome {
        Outcome::Reached => "reached".to_owned(),
        Outcome::Missed => match (&done.report.crash, why()) {
            (Some(crash), _) => format!("missed, another crash: {}", crash.signature),
            (None, Some(why)) => format!("missed, {why}"),
            (None, None) => "missed".to_owned(),
        },
        Outcome::Inconclusive => format!("inconclusive, {}", why().unwrap_or("stopped")),
    };
    let order = &done.order;
    format!("run {}: {}, {} events: {ended}", order.ticket.0, order.label, order.subset.len())
}
