//! A report takes the place of no file but an earlier report: the other file may be a trace, an app or a session.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::ensure;

use crate::args::{Command, ReportArgs};

/// So many bytes tell what a file is.
const BEGINNING: u64 = 4096;

/// Refuses reports that would overwrite something else, whatever links lead there.
pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    let (reports, input) = match command {
        Command::Explore(args) => (&args.reports, args.start.as_deref()),
        Command::Reduce(args) => (&args.reports, Some(args.input.as_path())),
        Command::Replay(args) => (&args.reports, args.trace.as_deref()),
        _ => return Ok(()),
    };
    let ReportArgs { junit, sarif, .. } = reports;
    // Every suite of JUnit begins so, and every log of SARIF that says its version there or in the name of its schema.
    let written = [
        ("--junit", "JUnit report", junit, &["<testsuite"][..]),
        ("--sarif", "SARIF report", sarif, &["2.1.0", "\"runs\":["]),
    ];
    for (option, what, file, marks) in written {
        let Some(file) = file.as_deref() else { continue };
        ensure!(
            !input.is_some_and(|input| is_same(file, input)),
            "{option} {} would overwrite what this command reads; name another file",
            file.display()
        );
        ensure!(
            !is_of_a_session(file),
            "{option} {}: this is what traces and parts of a session are called; name another file",
            file.display()
        );
        ensure!(
            may_be_replaced(file, marks),
            "{option} {} would overwrite a file that is no {what}; name another file, or delete that one",
            file.display()
        );
    }
    Ok(())
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Whether a file is called as what a session is made of, be it there already or not.
fn is_of_a_session(file: &Path) -> bool {
    let whole = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".trace.jsonl") || name == "suite.json" || name.starts_with("session.")
}

/// Whether nothing is there, or nothing but a report with these marks. What cannot be read is told when it is written.
fn may_be_replaced(file: &Path, marks: &[&str]) -> bool {
    if !file.is_file() {
        return true;
    }
    let mut beginning = Vec::new();
    if File::open(file).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning)).is_err() {
        return true;
    }
    let text: String = String::from_utf8_lossy(&beginning).split_whitespace().collect();
    text.is_empty() || marks.iter().all(|mark| text.contains(mark))
}
