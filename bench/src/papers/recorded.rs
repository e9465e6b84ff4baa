//! The published traces of SimplyDroid as they were recorded: events, the activity before each, and the crash.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use retap_formats::simplydroid;
use retap_trace::{Crash, Event, Frame};

use crate::simplydroid::{Row, csv, states};

/// A published trace.
#[derive(Debug, Clone)]
pub(super) struct Published {
    pub(super) subject: String,
    /// Its number among all 92.
    pub(super) overall: u32,
    /// Its number among those of its app.
    pub(super) number: u32,
    folder: PathBuf,
    package: String,
    /// Events of its first recording.
    pub(super) events: usize,
    /// The lengths that the paper was left with, by algorithm.
    pub(super) paper: Vec<(&'static str, Option<u32>)>,
}

/// What is in the files of one.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) events: Vec<Event>,
    /// The activity before each event.
    pub(super) before: Vec<String>,
    pub(super) crash: Crash,
}

/// The algorithms of table 5, by their names here and there.
pub(super) const ALGORITHMS: [(&str, &str); 4] =
    [("ddmin", "paper_DD"), ("hdd", "paper_HDD"), ("bhdd", "paper_BHDD"), ("lhdd", "paper_LHDD")];
/// What Android wraps exceptions in that end an activity's start, resumption or result.
const WRAPPER: &str = "java.lang.RuntimeException";

impl Published {
    /// All of them, in the order of the paper's table.
    pub(super) fn all(data: &Path) -> anyhow::Result<Vec<Self>> {
        let rows = csv(&data.join("traces.csv"))?;
        rows.iter().map(|row| Self::of(row, data)).collect()
    }

    fn of(row: &Row, data: &Path) -> anyhow::Result<Self> {
        let cell = |name: &str| row.get(name).with_context(|| format!("traces.csv has no column {name}"));
        let number = cell("no_in_subject")?;
        let length = |(ours, theirs): (&'static str, &str)| {
            (ours, row.get(theirs).and_then(|length| length.parse().ok()))
        };
        Ok(Self {
            subject: cell("repo_dir")?.clone(),
            overall: cell("trace_no")?.parse()?,
            number: number.parse()?,
            folder: data.join("traces").join(cell("repo_dir")?).join(number),
            package: cell("package")?.clone(),
            events: cell("events")?.parse()?,
            paper: ALGORITHMS.into_iter().map(length).collect(),
        })
    }

    pub(super) fn read(&self) -> anyhow::Result<Recording> {
        // Where there are two recordings, the paper counts the second.
        let file = |name: &str| {
            let second = self.folder.join(format!("{name}2.log"));
            if second.is_file() { second } else { self.folder.join(format!("{name}.log")) }
        };
        let (script, log) = (file("script"), file("execute"));
        let text = std::fs::read_to_string(&script).with_context(|| script.display().to_string())?;
        let events = simplydroid::events(&text).map_err(anyhow::Error::msg);
        let events = events.with_context(|| script.display().to_string())?;
        let crash = published_crash(&log, &self.package)?;
        Ok(Recording { before: states(&log, events.len())?, events, crash })
    }

    /// Whether a crash is the published one: what was thrown is the same, by the innermost cause where the system has
    /// wrapped the published one, and so is the innermost frame of the app, or neither has one.
    pub(super) fn is_of(&self, published: &Crash, ours: &Crash) -> bool {
        let thrown = match &published.root_cause {
            Some(cause) if published.exception == WRAPPER => {
                ours.root_cause.as_ref().unwrap_or(&ours.exception) == cause
            }
            _ => ours.exception == published.exception,
        };
        thrown && self.app_frame(published) == self.app_frame(ours)
    }

    /// The innermost frame of the app.
    pub(super) fn app_frame<'c>(&self, crash: &'c Crash) -> Option<&'c Frame> {
        let inside =
            |frame: &&Frame| frame.0.strip_prefix(&*self.package).is_some_and(|rest| rest.starts_with('.'));
        crash.frames.iter().find(inside)
    }
}

/// The crash at the end of a log.
fn published_crash(log: &Path, package: &str) -> anyhow::Result<Crash> {
    let text = std::fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
    let crash = simplydroid::crash(&String::from_utf8_lossy(&text), package);
    crash.with_context(|| format!("{} has no crash", log.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_the_published_one_by_its_cause_and_the_apps_frame() {
        let trace = Published {
            subject: "A".to_owned(),
            overall: 1,
            number: 1,
            folder: PathBuf::new(),
            package: "a.b".to_owned(),
            events: 1,
            paper: Vec::new(),
        };
        let crash = |text: &str| Crash::from_java(text, "a.b").unwrap();
        let plain = crash("java.lang.Error: x\n\tat java.x.Y.z(Y.java:1)\n\tat a.b.C.d(C.java:7)\n");
        assert!(
            trace.is_of(&plain, &crash("java.lang.Error: y\n\tat q.R.s(R.java)\n\tat a.b.C.d(C.java:7)\n"))
        );
        assert!(!trace.is_of(&plain, &crash("java.lang.Error: x\n\tat a.b.C.d(C.java:8)\n")));
        assert!(!trace.is_of(&plain, &crash("java.lang.Exception: x\n\tat a.b.C.d(C.java:7)\n")));
        let inner = "Caused by: java.lang.Error: x\n\tat a.b.C.d(C.java:7)\n";
        let wrapped = crash(&format!("java.lang.RuntimeException: x\n\tat x.Y.z(Y.java:1)\n{inner}"));
        assert!(trace.is_of(&wrapped, &crash("java.lang.Error: x\n\tat a.b.C.d(C.java:7)\n")));
        assert!(
            trace.is_of(&wrapped, &crash(&format!("x.OtherException: y\n\tat x.Y.q(Y.java:1)\n{inner}")))
        );
        let loader = crash(
            "java.lang.NoClassDefFoundError: x\n\tat a.b.C.d(C.java:7)\nCaused by: x.LostException: y\n",
        );
        let other =
            "java.lang.NoClassDefFoundError: z\n\tat a.b.C.d(C.java:7)\nCaused by: x.GoneException: y\n";
        assert!(trace.is_of(&loader, &crash(other)));
        let without = crash("java.lang.Error: x\n\tat java.x.Y.z(Y.java:1)\n");
        assert!(!trace.is_of(&without, &plain));
    }
}
