//! Bars for people who wait. Nothing is drawn when stderr is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use retap_reduce::{Phase, Reducing};

use crate::output::Output;

const BAR: &str = "{spinner} {prefix:<8} [{bar:30}] {pos}/{len} {msg} {elapsed} ETA {eta}";

/// A bar with a count, a message and the time left.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(output: Output, name: &'static str, total: u64) -> Self {
        let target = if output.draws() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template(BAR).expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(total), target);
        Self(bar.with_style(style.progress_chars("=> ")).with_prefix(name))
    }

    pub(crate) fn set(&self, done: u64, message: String) {
        self.0.set_position(done);
        self.0.set_message(message);
    }

    /// The same for what happens too often to be put into words each time.
    pub(crate) fn lazily(&self, done: u64, message: impl FnOnce() -> String) {
        if !self.0.is_hidden() && done.is_multiple_of(64) {
            self.set(done, message());
        }
    }

    /// Shows what is done and what is sure to come; more may follow.
    pub(crate) fn extend(&self, done: u64, to_come: u64, message: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_length(done + to_come);
            self.set(done, message());
        }
    }

    /// Shows where a reduction stands. The total is a lower bound that grows while the search goes on.
    pub(crate) fn reduction(&self, reduction: &dyn Reducing) {
        let counts = reduction.counts();
        let phase = match reduction.phase() {
            Phase::Check => "checking",
            Phase::Search => "searching",
            Phase::Confirm => "confirming",
            Phase::Over => "done",
        };
        let runs = u64::from(counts.runs);
        self.0.set_length(runs + u64::from(reduction.outlook()));
        self.set(runs, format!("runs, {phase}, best {} events", reduction.best().len()));
    }
}

/// However it ends, the bar goes away: what is said next stands on a line of its own.
impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
