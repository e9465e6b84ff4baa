//! What an importer has made so far, and what it has skipped.

use std::collections::BTreeMap;

use retap_trace::{Crash, Event, Header, Key, Micros, Seen, Size, Start, Step, Target, Trace};
use serde::Serialize;

use super::{ImportError, ImportOptions, Imported};

/// What has no event in the trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// What it is.
    pub what: String,
    /// How often it came.
    pub count: u64,
    /// The line of the first one; absent where lines mean nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// So many kinds of skipped things are told apart. What a file calls them may be anything.
const MOST_KINDS: usize = 100;
/// A name of a kind is no longer than this.
const LONGEST_KIND: usize = 80;

/// What is said of commands that need not succeed: retap goes on behind each one.
pub(super) const OPTIONAL: &str = "the field 'optional': what is not there is not touched";

/// A trace in the making.
#[derive(Debug, Default)]
pub(super) struct Made {
    steps: Vec<Step>,
    /// How the trace begins, where that is not as its first step says.
    pub(super) start: Option<Start>,
    /// The app, where the recording tells it.
    pub(super) package: Option<String>,
    pub(super) screen: Option<Size>,
    pub(super) seed: Option<u64>,
    /// The line that is being read: that of what is skipped without naming one.
    pub(super) line: Option<usize>,
    skipped: BTreeMap<String, (u64, Option<usize>)>,
    notes: Vec<String>,
    crashed: bool,
    /// How many steps there were when something was skipped that may have changed the app.
    apart: Option<usize>,
}

impl Made {
    /// Nothing so far but what the user says.
    pub(super) fn of(given: &ImportOptions) -> Self {
        Self { package: given.app.clone(), screen: given.screen, ..Self::default() }
    }

    pub(super) fn steps(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn add(&mut self, event: Event) {
        self.step(Step::new(event));
    }

    pub(super) fn step(&mut self, step: Step) {
        // One more than may be: who finishes it says so.
        if self.steps.len() <= super::MOST_STEPS {
            self.steps.push(step);
        }
    }

    pub(super) fn key(&mut self, key: Key) {
        self.add(Event::key(key));
    }

    /// A step at a time since the start.
    pub(super) fn at(&mut self, event: Event, at: Option<Micros>) {
        self.step(Step { at, ..Step::new(event) });
    }

    /// The step that was added last.
    pub(super) fn last_mut(&mut self) -> Option<&mut Step> {
        self.steps.last_mut()
    }

    /// Takes the step back that was added last.
    pub(super) fn pop(&mut self) -> Option<Step> {
        self.steps.pop()
    }

    /// Takes the step back that was added last, if it is such a one and nothing was done since.
    pub(super) fn pop_if(&mut self, is: impl FnOnce(&Step) -> bool) -> Option<Step> {
        let done_since = self.apart == Some(self.steps.len());
        self.steps.pop_if(|step| !done_since && is(step))
    }

    /// Puts waits where they were, each before the step of its number. They are of a touch that is skipped behind it.
    pub(super) fn insert_waits(&mut self, waits: Vec<(usize, Micros)>) {
        let Some(&(first, _)) = waits.first() else { return };
        let later = self.steps.split_off(first.min(self.steps.len()));
        let mut waits = waits.into_iter().peekable();
        for (number, step) in (first..).zip(later) {
            while let Some((_, time)) = waits.next_if(|(before, _)| *before <= number) {
                self.add(Event::Wait { time });
            }
            self.step(step);
        }
        waits.for_each(|(_, time)| self.add(Event::Wait { time }));
    }

    /// Skips what may have changed the app: the steps before and after it are not side by side.
    pub(super) fn skip_deed(&mut self, what: impl Into<String>, line: Option<usize>) {
        self.apart = Some(self.steps.len());
        self.skip(what, line);
    }

    pub(super) fn skip(&mut self, what: impl Into<String>, line: Option<usize>) {
        self.skip_many(what, 1, line);
    }

    pub(super) fn skip_many(&mut self, what: impl Into<String>, count: u64, line: Option<usize>) {
        if count == 0 {
            return;
        }
        let mut what: String = super::printable(&what.into()).chars().take(LONGEST_KIND).collect();
        if self.skipped.len() >= MOST_KINDS && !self.skipped.contains_key(&what) {
            "everything else".clone_into(&mut what);
        }
        let entry = self.skipped.entry(what).or_insert((0, line.or(self.line)));
        entry.0 += count;
    }

    /// Whether anything of this kind was skipped.
    pub(super) fn has_skipped(&self, what: &str) -> bool {
        self.skipped.contains_key(what)
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The step that was added last ended in this crash. Only the first one counts.
    pub(super) fn crash(&mut self, crash: Crash) {
        if self.crashed {
            return;
        }
        self.crashed = true;
        if self.steps.is_empty() {
            self.start = None;
            self.add(Event::Launch);
        }
        if let Some(step) = self.steps.last_mut() {
            step.crash = Some(crash);
        }
    }

    pub(super) const fn crashed(&self) -> bool {
        self.crashed
    }

    /// What was in front before the step that was added last.
    pub(super) fn before(&mut self, activity: &str) {
        if let Some(step) = self.steps.last_mut().filter(|_| !activity.is_empty()) {
            step.before = Some(Seen::activity(activity));
        }
    }

    /// How the trace begins. One whose first step launches the app, and does not crash it, begins with the app launched.
    fn begin(&mut self) -> Start {
        if self.start == Some(Start::Launched) {
            return Start::Launched;
        }
        match self.steps.first() {
            Some(Step { event: Event::Launch, crash: None, .. }) => {
                self.steps.remove(0);
                Start::Launched
            }
            Some(Step { event: Event::Launch, .. }) => Start::Stopped,
            _ => self.start.unwrap_or_default(),
        }
    }

    pub(super) fn finish(
        mut self,
        from: &'static str,
        because: Option<&'static str>,
        given: &ImportOptions,
    ) -> Result<Imported, ImportError> {
        let launched = !self.steps.is_empty();
        let start = self.begin();
        let skipped: Vec<Skipped> =
            self.skipped.into_iter().map(|(what, (count, line))| Skipped { what, count, line }).collect();
        if self.steps.is_empty() {
            let launch = if launched { " but the launch of the app" } else { "" };
            return Err(ImportError::NoEvents(format!("{launch}{}", in_brackets(&skipped))));
        }
        let package = given.app.clone().or(self.package).ok_or(ImportError::NoApp)?;
        if !retap_trace::is_package(&package) {
            let what = format!("'{package}' is no name of an app's package; add --app PACKAGE");
            return Err(ImportError::whole(what));
        }
        let crash = self.steps.iter().find_map(|step| step.crash.as_ref());
        let target = given.target.clone().or_else(|| Some(Target::Crash(crash?.signature.clone())));
        let mut notes = self.notes;
        if target.is_none() {
            notes.push(
                "the recording names no crash: say what the trace is to reach with --to crash, here or when it is reduced"
                    .to_owned(),
            );
        }
        let header = Header {
            start,
            device: given.device.clone(),
            screen: given.screen.or(self.screen),
            target,
            seed: self.seed,
            note: Some(format!("imported from {from}")),
            ..Header::new(package)
        };
        Ok(Imported { from, because, trace: Trace { header, steps: self.steps }, skipped, notes })
    }
}

/// The kinds and how often each came: ` (skipped: 3 trackball events, 1 flip)`.
fn in_brackets(skipped: &[Skipped]) -> String {
    if skipped.is_empty() {
        return String::new();
    }
    let parts: Vec<String> = skipped.iter().map(ToString::to_string).collect();
    format!(" (skipped: {})", parts.join(", "))
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} x {}", self.count, self.what)?;
        match self.line {
            Some(line) => write!(f, ", first in line {line}"),
            None => Ok(()),
        }
    }
}
