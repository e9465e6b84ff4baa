//! What a command has come to so far: all that reports are made of.

use retap_job::{JobEvent, JobResult, ReduceResult};
use retap_trace::Crash;

/// What a command has come to. It is plain data: each report is a function of it.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
    /// The command: `explore`, `reduce` or `replay`.
    pub(crate) command: &'static str,
    /// What came of the jobs that ended.
    pub(crate) results: Vec<JobResult>,
    /// Reductions that were parts of an exploration.
    pub(crate) reductions: Vec<ReduceResult>,
    /// Crashes that were seen since the last job ended.
    pub(crate) seen: Vec<Crash>,
    /// Jobs that could not be done: what, and why.
    pub(crate) failures: Vec<(String, String)>,
    /// Why the command ended before all was done; nothing when all was.
    pub(crate) unfinished: Option<String>,
    /// The exit code.
    pub(crate) code: u8,
}

impl Learnt {
    /// Of a command that has just begun. While it is like this it has not ended, and may have been killed.
    pub(crate) fn begun(command: &'static str) -> Self {
        let unfinished = "retap has not finished: it still runs, or it was killed";
        Self { command, unfinished: Some(unfinished.to_owned()), code: 3, ..Self::default() }
    }

    /// Takes in what happened.
    pub(crate) fn event(&mut self, event: &JobEvent<'_>) {
        match event {
            JobEvent::Crash(crash) => self.seen.push((*crash).clone()),
            JobEvent::TraceReplay(done) => self.see(done.report.crash.as_ref()),
            JobEvent::Reduced(result) => self.reductions.push((*result).clone()),
            JobEvent::Finished(result) => {
                self.seen.clear();
                self.results.push((*result).clone());
            }
            _ => {}
        }
    }

    fn see(&mut self, crash: Option<&Crash>) {
        if let Some(crash) = crash
            && !self.seen.iter().any(|known| known.signature == crash.signature)
        {
            self.seen.push(crash.clone());
        }
    }
}
