//! A report takes the place of no file but an earlier report: the other file may be a trace, an app or a session.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{bail, ensure};

use super::same_file::{is_same_file, whole};
use crate::args::{Command, ReportArgs};

/// So many bytes tell what a file is.
const BEGINNING: u64 = 4096;

/// Refuses reports that would overwrite something else, whatever links lead there.
pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    let (reports, input, answer) = match command {
        Command::Explore(args) => (&args.reports, args.start.as_deref(), None),
        Command::Reduce(args) => (&args.reports, Some(args.input.as_path()), args.write.as_deref()),
        Command::Replay(args) => (&args.reports, args.trace.as_deref(), None),
        _ => return Ok(()),
    };
    let ReportArgs { junit, sarif, .. } = reports;
    // Every suite of JUnit begins so, and every log of SARIF that says its version there or in the name of its schema.
    let written = [
        ("--junit", "JUnit report", junit, &["<testsuite"][..]),
        ("--sarif", "SARIF report", sarif, &["2.1.0", "\"runs\":["]),
    ];
    let mut others: Vec<(&str, &Path)> = answer.map(|file| ("--write", file)).into_iter().collect();
    for (option, what, file, marks) in written {
        let Some(file) = file.as_deref() else { continue };
        ensure!(
            file.as_os_str() != "-",
            "{option} -: a report goes into a file; name one, such as ./- for a file of that name"
        );
        if let Some((other, _)) = others.iter().find(|(_, other)| is_same_file(file, other)) {
            bail!("{other} and {option} name the same file; give each its own");
        }
        others.push((option, file));
        ensure!(
            !input.is_some_and(|input| is_same_file(file, input)),
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

/// Whether a file is called as what a session is made of, be it there already or not.
fn is_of_a_session(file: &Path) -> bool {
    let whole = whole(file);
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
