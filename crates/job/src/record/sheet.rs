//! The steps of a recording so far. The file holds all of them after each change.

use retap_trace::{Header, Micros, Step, Target, Trace};

use super::result::{CrashCause, RecordResult, RecordStatus};
use super::{COMMAND, End, RecordNews, RecordPlace};
use crate::error::Result;
use crate::tracefile;

pub(super) struct Sheet<'a> {
    place: RecordPlace,
    trace: Trace,
    left_out: Vec<String>,
    /// Whether the last input was one that no event can express: what comes of it is of no step.
    strayed: bool,
    /// Steps that came too quickly to be looked at.
    quick: usize,
    seed: u64,
    news: &'a mut dyn FnMut(&RecordNews<'_>),
}

impl<'a> Sheet<'a> {
    pub(super) fn new(
        place: RecordPlace,
        header: Header,
        seed: u64,
        news: &'a mut dyn FnMut(&RecordNews<'_>),
    ) -> Self {
        let header = Header { seed: Some(seed), ..header };
        let trace = Trace { header, steps: Vec::new() };
        Self { place, trace, left_out: Vec::new(), strayed: false, quick: 0, seed, news }
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.trace.steps
    }

    /// The step of the last input; none when that was left out.
    pub(super) fn last(&mut self) -> Option<&mut Step> {
        self.trace.steps.last_mut().filter(|_| !self.strayed)
    }

    pub(super) fn begun(&mut self) {
        (self.news)(&RecordNews::Begun);
    }

    /// Writes a step down.
    pub(super) fn add(&mut self, step: Step) -> Result<()> {
        self.trace.steps.push(step);
        self.strayed = false;
        self.changed()
    }

    /// More of the same text was typed: it is still one step.
    pub(super) fn type_on(&mut self, more: Step) -> Result<()> {
        let Some(last) = self.trace.steps.last_mut() else { return self.add(more) };
        let Step { event, after, coverage, crash, .. } = more;
        (last.event, last.after, last.crash) = (event, after, crash);
        last.coverage.extend(coverage);
        self.changed()
    }

    /// A step came too quickly: what was seen between the step before and this one may be of either.
    pub(super) fn blur(&mut self, step: &mut Step) {
        self.quick += 1;
        step.before = None;
        if let Some(last) = self.last() {
            last.after = None;
        }
    }

    /// The last step is not as it was: its file is written again.
    pub(super) fn changed(&mut self) -> Result<()> {
        let Some(step) = self.trace.steps.last() else { return Ok(()) };
        if let Some(crash) = &step.crash {
            self.trace.header.target = Some(Target::Crash(crash.signature.clone()));
        }
        tracefile::write(self.place.file(), &self.trace)?;
        self.place.keep();
        (self.news)(&RecordNews::Step { number: self.trace.steps.len(), step });
        Ok(())
    }

    /// Something was done that no event can express.
    pub(super) fn leave_out(&mut self, what: String) {
        (self.news)(&RecordNews::LeftOut { what: &what });
        self.left_out.push(what);
        self.strayed = true;
    }

    pub(super) fn finish(self, end: End, took: Micros) -> RecordResult {
        let steps = self.trace.steps.len();
        let cause = match (self.strayed, steps) {
            (true, _) => CrashCause::LeftOut,
            (false, 0) => CrashCause::Start,
            (false, _) => CrashCause::Step,
        };
        let failed = matches!(end, End::Failed(_));
        let (why, crash) = match end {
            End::Wanted => (None, None),
            End::Unwatched(why) => {
                (self.news)(&RecordNews::Unwatched { why: &why });
                (Some(why), None)
            }
            End::Crashed(crash) => (None, Some(*crash)),
            End::Failed(error) => (Some(error.to_string()), None),
        };
        RecordResult {
            command: COMMAND,
            status: match (failed, steps) {
                (true, _) => RecordStatus::CutShort,
                (false, 0) => RecordStatus::Nothing,
                (false, _) => RecordStatus::Recorded,
            },
            why,
            trace: (steps > 0).then(|| self.place.file().to_owned()),
            steps,
            signature: crash.as_ref().map(|crash| crash.signature.to_string()),
            crash_of: crash.as_ref().map(|_| cause),
            crash,
            left_out: self.left_out,
            quick: self.quick,
            device_seconds: took.as_secs_f64(),
            platform: None,
            seed: self.seed,
        }
    }
}
