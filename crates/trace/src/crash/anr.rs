//! Apps that do not respond, as logcat tells of them.

use super::log::lines;
use super::{Crash, CrashKind, Frame, NoCrash, is_process_of, java};

pub(super) fn parse(text: &str, package: &str) -> Result<Crash, NoCrash> {
    let lines = lines(text);
    let mut other = None;
    for (nth, line) in lines.iter().enumerate() {
        let Some((process, activity)) = told(line.text) else { continue };
        if !is_process_of(process, package) {
            other = other.or(Some(process));
            continue;
        }
        let rest: Vec<&str> =
            lines[nth + 1..].iter().map(|line| line.text).take_while(|line| told(line).is_none()).collect();
        let reason = rest.iter().find_map(|line| line.trim().strip_prefix("Reason: ")).unwrap_or_default();
        return Ok(Crash::new(CrashKind::Anr, "ANR", reason, activity, main_thread(&rest), package));
    }
    Err(match other {
        Some(process) => NoCrash::OtherProcess { process: process.to_owned(), package: package.to_owned() },
        None => NoCrash::Nothing { what: "ANR" },
    })
}

/// `ANR in com.example (com.example/.Main)`: the process, and the activity with its full name where it is told.
fn told(line: &str) -> Option<(&str, Option<String>)> {
    let rest = line.trim().strip_prefix("ANR in ")?;
    let (process, rest) = rest.split_once([' ', ',']).unwrap_or((rest, ""));
    let component = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split(')').next());
    let activity = component.and_then(|component| {
        let (package, name) = component.split_once('/')?;
        Some(if name.starts_with('.') { format!("{package}{name}") } else { name.to_owned() })
    });
    (!process.is_empty()).then_some((process, activity))
}

/// The stack of the thread `main`, where the traces of the threads follow.
fn main_thread(lines: &[&str]) -> Vec<Frame> {
    let stack = lines.iter().skip_while(|line| !line.trim().starts_with("\"main\"")).skip(1);
    stack
        .take_while(|line| !line.trim().is_empty() && !line.trim().starts_with('"'))
        .filter_map(|line| java::frame(line))
        .collect()
}
