//! Stack traces as Java, logcat and Monkey print them.

use super::log::{LogLine, lines};
use super::{Crash, CrashKind, Frame, NoCrash, Thrown, is_process_of};

pub(super) fn parse(text: &str, package: &str) -> Result<Crash, NoCrash> {
    let lines = lines(text);
    let mut other = None;
    let fatal = |line: &LogLine<'_>| line.text.contains("FATAL EXCEPTION");
    for (nth, first) in lines.iter().enumerate().filter(|(_, line)| fatal(line)) {
        let block =
            lines[nth + 1..].iter().filter(|line| line.continues(first)).take_while(|line| !fatal(line));
        let block: Vec<LogLine<'_>> = block.copied().collect();
        match process(&block) {
            Some(process) if !is_process_of(process, package) => other = Some(process),
            _ => {
                if let Some(crash) = from_chain(chain(&block), package) {
                    return Ok(crash);
                }
            }
        }
    }
    if let Some(process) = other {
        return Err(NoCrash::OtherProcess { process: process.to_owned(), package: package.to_owned() });
    }
    from_chain(first_chain(&lines), package).ok_or(NoCrash::Nothing { what: "Java exception" })
}

/// A line of a stack: `at com.example.Main.onClick(Main.java:41)`.
pub(super) fn frame(line: &str) -> Option<Frame> {
    let frame = line.trim().strip_prefix("at ")?;
    frame.contains('(').then(|| Frame(frame.to_owned()))
}

pub(super) fn from_chain(chain: Vec<Thrown>, package: &str) -> Option<Crash> {
    let root_cause = if chain.len() > 1 { chain.last().map(|cause| cause.class.clone()) } else { None };
    let (exception, message) = chain.first().map(|thrown| (thrown.class.clone(), thrown.message.clone()))?;
    let frames = chain.into_iter().rev().flat_map(|thrown| thrown.frames).collect();
    Some(Crash::new(CrashKind::Java, exception, message, root_cause, frames, package))
}

/// `Process: com.example, PID: 28390`
fn process<'t>(block: &[LogLine<'t>]) -> Option<&'t str> {
    let told = block.iter().take(2).find_map(|line| line.text.trim().strip_prefix("Process: "))?;
    told.split(',').next().map(str::trim)
}

/// The first stack trace in a text that names no fatal one.
fn first_chain(lines: &[LogLine<'_>]) -> Vec<Thrown> {
    // Between an exception and its stack there is only the rest of its message.
    const LONGEST_MESSAGE: usize = 64;
    let mut candidate = None;
    for (nth, line) in lines.iter().enumerate() {
        if thrown(line.text).is_some() {
            candidate = Some(nth);
        }
        let Some(first) =
            candidate.filter(|first| frame(line.text).is_some() && nth - first <= LONGEST_MESSAGE)
        else {
            continue;
        };
        if line.continues(&lines[first]) {
            let block: Vec<LogLine<'_>> =
                lines[first..].iter().filter(|line| line.continues(&lines[first])).copied().collect();
            return chain(&block);
        }
    }
    // An exception of which no stack was printed is one only when the text begins with it.
    let alone = lines.iter().find(|line| !line.text.trim().is_empty()).and_then(|line| thrown(line.text));
    alone.filter(|thrown| names_throwable(&thrown.class)).into_iter().collect()
}

/// An exception and its causes, from the first line that names one.
fn chain(block: &[LogLine<'_>]) -> Vec<Thrown> {
    let mut chain: Vec<Thrown> = Vec::new();
    let mut suppressed = None;
    for line in block {
        let text = line.text.trim();
        let cause = text.strip_prefix("Caused by: ");
        let Some(last) = chain.last_mut() else {
            chain.extend(thrown(text));
            continue;
        };
        if text.starts_with("Suppressed: ") {
            suppressed = suppressed.or(Some(line.indent()));
        } else if let Some(cause) = cause {
            // A suppressed exception may have causes of its own. They stand as deep as it does.
            if suppressed.is_none_or(|deep| line.indent() < deep) {
                suppressed = None;
                chain.extend(thrown(cause));
            }
        } else if let Some(frame) = frame(text) {
            if suppressed.is_none() {
                last.frames.push(frame);
            }
        } else if text.is_empty() || text.starts_with("... ") || suppressed.is_some() {
            // Left out by the program that printed it, or not part of the chain.
        } else if last.frames.is_empty() {
            last.message = format!("{}\n{text}", last.message);
        } else {
            break;
        }
    }
    chain
}

/// `java.lang.IllegalStateException: message`
fn thrown(line: &str) -> Option<Thrown> {
    let line = line.trim();
    let line = match line.strip_prefix("Exception in thread \"") {
        Some(rest) => rest.split_once("\" ")?.1,
        None => line,
    };
    let (class, message) = match line.split_once(": ") {
        Some((class, message)) => (class, message.trim()),
        None => (line.trim_end_matches(':'), ""),
    };
    let is_part = |part: &str| {
        let letter = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-');
        !part.is_empty() && part.chars().all(letter) && !part.starts_with(|char: char| char.is_ascii_digit())
    };
    let is_class = class.split('.').all(is_part) && (class.contains('.') || names_throwable(class));
    is_class.then(|| Thrown { class: class.to_owned(), message: message.to_owned(), frames: Vec::new() })
}

fn names_throwable(class: &str) -> bool {
    ["Exception", "Error", "Throwable"].iter().any(|end| class.ends_with(end))
}
