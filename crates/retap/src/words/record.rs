//! A recording, for people: its steps as they come, and what to do with it.

use std::path::Path;

use retap_job::record::{CrashCause, RecordNews, RecordResult, RecordStatus};
use retap_trace::harmless;
use retap_view::PageEnd;

use crate::output::{Output, bad, count, strong, warn};

/// Says what happened.
pub(crate) fn record_news(output: Output, news: &RecordNews<'_>) {
    match news {
        RecordNews::Step { number, step } => {
            output.say(format!("  {number:>3}. {}", harmless(&step.event.to_string())));
        }
        RecordNews::LeftOut { what } => {
            warn(format!("left out, because no event expresses it: {}", harmless(what)));
        }
        RecordNews::Unwatched { why } => {
            warn(format!("crashes that come late were not looked for: {}", harmless(why)));
        }
        _ => {}
    }
}

/// Says what came out, and what to do next.
pub(crate) fn recorded(output: Output, result: &RecordResult) {
    let end = record_end(result);
    output.say(if end.crashed { bad(&end.words) } else { end.words });
    if result.quick > 0 {
        output.say(format!(
            "{} came before the screen could be looked at, and {} recorded by places, without widgets and states",
            count(result.quick as u64, "input"),
            if result.quick == 1 { "is" } else { "are" },
        ));
    }
    if let Some(trace) = &result.trace {
        output.say(format!("saved: {}", strong(trace.display())));
    }
    for (command, why) in end.next {
        output.say(format!("  {command}    {why}"));
    }
    super::platform(output, result.platform.as_deref());
}

/// How it ended, and what to do next.
pub(crate) fn record_end(result: &RecordResult) -> PageEnd {
    let steps = count(result.steps as u64, "step");
    let recorded =
        if result.steps == 0 { "nothing was recorded".to_owned() } else { format!("recorded {steps}") };
    let words = match (&result.crash, result.status) {
        (Some(crash), _) => {
            let crash = harmless(&crash.to_string());
            match result.crash_of {
                Some(CrashCause::Start) => {
                    format!("the app crashes when it is launched, before anything is done: {crash}")
                }
                Some(CrashCause::LeftOut) => {
                    let what = harmless(result.left_out.last().map_or("something", String::as_str));
                    format!(
                        "{recorded}; the app crashed after what was left out ({what}), so no step leads there: {crash}"
                    )
                }
                Some(CrashCause::Step) | None => format!("{recorded}; the app crashed: {crash}"),
            }
        }
        (None, RecordStatus::Recorded | RecordStatus::Nothing) => recorded,
        (None, RecordStatus::CutShort) => {
            let why = harmless(result.why.as_deref().unwrap_or("it does not answer"));
            let kept =
                if result.steps == 0 { "nothing was recorded".to_owned() } else { format!("{steps} kept") };
            format!("the device failed: {why}; {kept}")
        }
    };
    let leads_there = result.crash_of == Some(CrashCause::Step);
    let next = result.trace.as_deref().map(|trace| next(trace, leads_there)).unwrap_or_default();
    PageEnd { crashed: result.crash.is_some(), words, next }
}

/// Commands that take the trace, each with what it does.
fn next(trace: &Path, crashed: bool) -> Vec<(String, String)> {
    let trace = super::quoted_path(trace);
    let command = |command: String, why: &str| (command, why.to_owned());
    if crashed {
        vec![
            command(format!("retap reduce {trace}"), "finds the fewest steps that still crash it"),
            command(format!("retap replay {trace} --times 20"), "tells how often it crashes"),
        ]
    } else {
        vec![command(format!("retap export {trace} --as maestro"), "makes a test of it")]
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use retap_trace::{Crash, CrashKind, Frame};

    use super::*;

    fn result(steps: usize) -> RecordResult {
        RecordResult {
            command: "record",
            status: if steps == 0 { RecordStatus::Nothing } else { RecordStatus::Recorded },
            why: None,
            trace: (steps > 0).then(|| PathBuf::from("my rec/recorded.trace.jsonl")),
            steps,
            signature: None,
            crash_of: None,
            crash: None,
            left_out: Vec::new(),
            quick: 0,
            device_seconds: 1.0,
            platform: None,
            seed: 1,
        }
    }

    #[test]
    fn the_end_says_what_to_do_next() {
        let end = |result: &RecordResult| {
            let PageEnd { crashed, words, next } = record_end(result);
            (crashed, words, next.into_iter().map(|(command, _)| command).collect::<Vec<_>>().join("; "))
        };
        let text = |(crashed, words, next): (bool, &str, &str)| (crashed, words.to_owned(), next.to_owned());
        assert_eq!(
            end(&result(2)),
            text((false, "recorded 2 steps", "retap export 'my rec/recorded.trace.jsonl' --as maestro"))
        );
        assert_eq!(end(&result(0)), text((false, "nothing was recorded", "")));
        let frames = vec![Frame("a.b.Main.go(Main.java:7)".to_owned())];
        let crash = Crash::new(CrashKind::Java, "a.b.Bad\u{1b}[2J", "", None, frames, "a.b");
        let of = |of: CrashCause, steps| RecordResult {
            crash: Some(crash.clone()),
            crash_of: Some(of),
            ..result(steps)
        };
        let crashed = of(CrashCause::Step, 1);
        let (is, words, next) = end(&crashed);
        assert!(is && next.starts_with("retap reduce 'my rec/"), "{next}");
        assert!(words.starts_with("recorded 1 step; the app crashed: a.b.Bad\\u{1b}[2J"), "{words}");
        let fingers = vec!["a gesture of 3 fingers".to_owned()];
        let strayed = |steps| RecordResult { left_out: fingers.clone(), ..of(CrashCause::LeftOut, steps) };
        let (is, words, next) = end(&strayed(2));
        assert!(is && next == "retap export 'my rec/recorded.trace.jsonl' --as maestro", "{next}");
        let why = "the app crashed after what was left out (a gesture of 3 fingers), so no step leads there: a.b.Bad";
        assert!(words.starts_with(&format!("recorded 2 steps; {why}")), "{words}");
        let (_, words, next) = end(&strayed(0));
        assert!(next.is_empty() && words.starts_with(&format!("nothing was recorded; {why}")), "{words}");
        let (_, words, _) = end(&of(CrashCause::Start, 0));
        assert!(words.starts_with("the app crashes when it is launched, before anything is done"), "{words}");
        let why = Some("device x is offline".to_owned());
        let failed = RecordResult { status: RecordStatus::CutShort, why, ..result(3) };
        assert_eq!(end(&failed).1, "the device failed: device x is offline; 3 steps kept");
    }
}
