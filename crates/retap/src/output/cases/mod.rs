//! What a command has come to, as test cases: what build servers show, whatever the format.

mod explored;
mod reduced;
mod replayed;

use retap_job::JobResult;
use retap_trace::{Crash, Signature};

use super::learnt::Learnt;

/// More steps than these are left to the trace.
const MOST_STEPS: usize = 50;

/// Test cases of one kind.
#[derive(Debug)]
pub(crate) struct CaseGroup {
    /// What was done, in a few words.
    pub(crate) name: String,
    /// What build servers sort cases by.
    pub(crate) class: String,
    pub(crate) properties: Vec<(&'static str, String)>,
    pub(crate) seconds: f64,
    pub(crate) cases: Vec<ReportCase>,
}

/// A test case.
#[derive(Debug)]
pub(crate) struct ReportCase {
    /// A name that is the same in the next run.
    pub(crate) name: String,
    pub(crate) seconds: Option<f64>,
    pub(crate) verdict: CaseVerdict,
    /// Other runs of the same that went wrong, as many as are listed.
    pub(crate) other_runs: Vec<OtherRun>,
    /// How many other runs went wrong that its sentence does not count, those included that are not listed.
    pub(crate) uncounted: usize,
    /// What there is to say besides.
    pub(crate) more: String,
    /// Why its verdict may say less than it seems to. Its sentence has them too.
    pub(crate) warnings: Vec<String>,
    pub(crate) crashes: Vec<CrashTold>,
}

/// How a test case ended.
#[derive(Debug)]
pub(crate) enum CaseVerdict {
    /// In one sentence.
    Passed(String),
    /// It went wrong because of the app.
    Failed(CaseFault),
    /// Nothing is known of the app: a device failed, or retap did not come to an end.
    Broken(CaseFault),
    /// It was not run.
    Skipped(String),
}

/// What went wrong.
#[derive(Debug, Clone)]
pub(crate) struct CaseFault {
    /// An exception, or a word for what it is.
    pub(crate) kind: String,
    /// One sentence.
    pub(crate) message: String,
    /// The stack, where there is one.
    pub(crate) stack: String,
    /// The crash that it is; nothing where it is more or something else than a crash.
    pub(crate) crash: Option<Signature>,
}

/// One of several runs.
#[derive(Debug)]
pub(crate) struct OtherRun {
    /// Whether the device failed, not the app.
    pub(crate) broken: bool,
    pub(crate) wrong: CaseFault,
}

/// A crash, with what people want to know of it.
#[derive(Debug)]
pub(crate) struct CrashTold {
    pub(crate) crash: Crash,
    /// What is known of it, in one sentence.
    pub(crate) about: String,
    /// The steps that lead to it, where they are few.
    pub(crate) steps: Vec<String>,
    /// What to type next.
    pub(crate) again: Option<String>,
}

impl CaseFault {
    pub(crate) fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), stack: String::new(), crash: None }
    }

    /// A crash, with its stack.
    fn crash(crash: &Crash, message: String) -> Self {
        let signature = Some(crash.signature.clone());
        Self { kind: crash.exception.clone(), message, stack: stack(crash), crash: signature }
    }
}

impl ReportCase {
    fn new(name: impl Into<String>, verdict: CaseVerdict) -> Self {
        Self {
            name: name.into(),
            seconds: None,
            verdict,
            other_runs: Vec::new(),
            uncounted: 0,
            more: String::new(),
            warnings: Vec::new(),
            crashes: Vec::new(),
        }
    }
}

impl ReportCase {
    /// What went wrong, unless it is one of its crashes and nothing more.
    pub(crate) fn fault(&self) -> Option<&CaseFault> {
        let (CaseVerdict::Failed(wrong) | CaseVerdict::Broken(wrong)) = &self.verdict else { return None };
        let is_told = self.crashes.iter().any(|told| wrong.crash.as_ref() == Some(&told.crash.signature));
        (!is_told).then_some(wrong)
    }
}

impl CaseVerdict {
    /// Whether it is nothing to worry about.
    const fn is_green(&self) -> bool {
        matches!(self, Self::Passed(_) | Self::Skipped(_))
    }

    /// In a word and a sentence.
    pub(crate) fn in_words(&self) -> (&'static str, &str) {
        match self {
            Self::Passed(words) => ("passed", words),
            Self::Failed(wrong) => ("failed", &wrong.message),
            Self::Broken(wrong) => ("error", &wrong.message),
            Self::Skipped(why) => ("skipped", why),
        }
    }
}

/// A crash as a virtual machine prints it.
pub(crate) fn stack(crash: &Crash) -> String {
    let mut text = crash.exception.clone();
    if !crash.message.is_empty() {
        text = format!("{text}: {}", crash.message);
    }
    crash.frames.iter().fold(text, |text, frame| format!("{text}\n    at {frame}"))
}

/// All test cases. They are all green only when the exit code is 0.
pub(crate) fn cases(learnt: &Learnt) -> Vec<CaseGroup> {
    let mut groups: Vec<CaseGroup> = Vec::new();
    for result in &learnt.results {
        groups.extend(match result {
            JobResult::Explore(result) => Some(explored::group(result, &learnt.reductions)),
            JobResult::Reduce(result) => Some(reduced::group(result)),
            JobResult::Replay(result) => Some(replayed::group(result)),
            JobResult::ReplaySuite(result) => Some(replayed::suite(result)),
            JobResult::Suite(_) => None,
        });
    }
    let mut left = Vec::new();
    for crash in &learnt.seen {
        left.push(ReportCase {
            crashes: vec![CrashTold {
                crash: crash.clone(),
                about: "seen before retap stopped".to_owned(),
                steps: Vec::new(),
                again: None,
            }],
            ..ReportCase::new(
                &*crash.signature.0,
                CaseVerdict::Failed(CaseFault::crash(crash, crash.to_string())),
            )
        });
    }
    for (what, why) in &learnt.failures {
        left.push(ReportCase::new(what, CaseVerdict::Broken(CaseFault::new("failed", why))));
    }
    let all_green =
        groups.iter().flat_map(|group| &group.cases).chain(&left).all(|case| case.verdict.is_green());
    let unfinished = match &learnt.unfinished {
        Some(why) => Some(why.clone()),
        None if all_green && learnt.code != 0 => Some(format!("retap ended with exit code {}", learnt.code)),
        None => None,
    };
    if let Some(why) = unfinished {
        let name = format!("retap {}", learnt.command);
        left.push(ReportCase::new(name, CaseVerdict::Broken(CaseFault::new("unfinished", why))));
    }
    if !left.is_empty() {
        groups.push(CaseGroup {
            name: format!("retap {}", learnt.command),
            class: format!("retap.{}", learnt.command),
            properties: Vec::new(),
            seconds: 0.0,
            cases: left,
        });
    }
    groups
}

/// What the devices are, as a property.
fn on(platform: Option<&String>) -> impl Iterator<Item = (&'static str, String)> {
    platform.map(|platform| ("platform", platform.clone())).into_iter()
}
