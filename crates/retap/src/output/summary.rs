//! The job summary of GitHub's workflows, in Markdown: what was found, the steps, the rate, how to reproduce it.

use std::fmt::Write as _;

use retap_formats::code_span;

use super::cases::{CaseGroup, CaseVerdict, CrashTold, ReportCase, stack};
use super::count;
use super::sources::SourceFiles;

/// GitHub refuses a summary of more than a mebibyte for a step; other steps have one of their own.
const MOST_BYTES: usize = 900 * 1024;
/// Of more cases the others are counted.
const MOST_CASES: usize = 200;
/// Frames of a stack that are shown.
const MOST_FRAMES: usize = 30;

/// The summary. Whatever an app has for text is code in it: never markup.
pub(crate) fn summary(groups: &[CaseGroup], sources: &SourceFiles) -> String {
    let mut text = String::new();
    for group in groups {
        write!(text, "## {}\n\n| | | |\n|---|---|---|\n", code_span(&group.name)).expect("memory takes all");
        for case in group.cases.iter().take(MOST_CASES) {
            let (word, sentence) = case.verdict.in_words();
            let word = if matches!(case.verdict, CaseVerdict::Passed(_)) {
                word.to_owned()
            } else {
                format!("**{word}**")
            };
            let _ = writeln!(text, "| {word} | {} | {}{} |", cell(&case.name), cell(sentence), flaky(case));
        }
        if let more @ 1.. = group.cases.len().saturating_sub(MOST_CASES) {
            let _ = writeln!(text, "\n... and {more} more.");
        }
        text.push('\n');
    }
    let all: Vec<&CrashTold> =
        groups.iter().flat_map(|group| &group.cases).flat_map(|case| &case.crashes).collect();
    for (shown, told) in all.iter().enumerate() {
        let chapter = crash(told, sources);
        if text.len() + chapter.len() > MOST_BYTES {
            let _ = writeln!(text, "... and {} more.", count((all.len() - shown) as u64, "crash"));
            break;
        }
        text.push_str(&chapter);
    }
    text
}

/// How many other runs went wrong, as far as the sentence does not say it.
fn flaky(case: &ReportCase) -> String {
    match case.uncounted {
        0 => String::new(),
        1 => "; 1 other run went wrong".to_owned(),
        runs => format!("; {runs} other runs went wrong"),
    }
}

fn crash(told: &CrashTold, sources: &SourceFiles) -> String {
    let CrashTold { crash, about, steps, again } = told;
    let mut text = format!("### {}\n\n{}\n\n", code_span(&crash.signature.0), code_span(&crash.to_string()));
    if let Ok(line) = sources.line_of_crash(crash) {
        let _ = writeln!(text, "In {}, line {}.\n", code_span(&line.path), line.line);
    }
    let _ = writeln!(text, "{}\n", code_span(about));
    for (number, step) in (1..).zip(steps) {
        let _ = writeln!(text, "{number}. {}", code_span(step));
    }
    if !steps.is_empty() {
        text.push('\n');
    }
    if let Some(again) = again {
        let _ = writeln!(text, "To reproduce it:\n\n{}", block("sh", again));
    }
    let stack = stack(crash);
    let lines: Vec<&str> = stack.lines().collect();
    let mut shown = lines[..lines.len().min(MOST_FRAMES)].join("\n");
    if let more @ 1.. = lines.len().saturating_sub(MOST_FRAMES) {
        let _ = write!(shown, "\n    ... {more} more");
    }
    let _ = writeln!(text, "<details><summary>Stack</summary>\n\n{}\n</details>\n", block("text", &shown));
    text
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    code_span(text).replace('|', "\\|")
}

/// Whether a character steers what shows it, or is none.
fn is_hidden(char: char) -> bool {
    retap_trace::steers(char) || matches!(char, '\u{fffe}' | '\u{ffff}')
}

/// A block of code that its text does not end.
fn block(kind: &str, text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|char| if is_hidden(char) && char != '\n' && char != '\t' { ' ' } else { char })
        .collect();
    let longest = plain.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{kind}\n{plain}\n{fence}\n")
}
