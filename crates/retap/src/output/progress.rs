//! Progress for people who wait: a bar on a terminal, else a line now and then.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Output;

const BAR: &str = "{spinner} {prefix:<8} [{bar:30}] {pos}/{len} {msg} {elapsed} ETA {eta}";
/// Where nobody knows how much is to come.
const COUNT: &str = "{spinner} {prefix:<8} {pos} {msg} {elapsed}";
/// How often a line is printed where no bar can be drawn.
const EVERY: Duration = Duration::from_secs(30);

/// A count, a message and, where the total is known, the time left.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    output: Output,
    name: &'static str,
    /// The total, if it is known.
    total: Cell<Option<u64>>,
    began: Instant,
    /// When the last line was printed.
    said: Cell<Instant>,
}

impl Progress {
    /// Of a total of 0 nothing is known yet.
    pub(crate) fn new(output: Output, name: &'static str, total: u64) -> Self {
        let target = if output.draws() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_prefix(name);
        let now = Instant::now();
        let progress = Self { bar, output, name, total: Cell::new(None), began: now, said: Cell::new(now) };
        progress.bar.set_style(style(COUNT));
        progress.expect((total > 0).then_some(total));
        progress
    }

    pub(crate) fn set(&self, done: u64, message: impl FnOnce() -> String) {
        self.update(done, message);
    }

    /// The same, and what is known of the total by now.
    pub(crate) fn known(&self, done: u64, total: Option<u64>, message: impl FnOnce() -> String) {
        self.expect(total);
        self.update(done, message);
    }

    fn expect(&self, total: Option<u64>) {
        let before = self.total.replace(total);
        if before.is_some() != total.is_some() {
            self.bar.set_style(style(if total.is_some() { BAR } else { COUNT }));
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
    }

    fn update(&self, done: u64, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_position(done);
            self.bar.set_message(message());
        } else if self.said.get().elapsed() >= EVERY {
            self.said.set(Instant::now());
            let (name, time) = (self.name, self.began.elapsed());
            let total = self.total.get().map(|total| total.max(done));
            let of = total.map_or_else(String::new, |total| format!(" of {total}"));
            let left = total.filter(|_| done > 0).map_or_else(String::new, |total| {
                let left = time.as_secs().saturating_mul(total - done) / done;
                format!(", about {left} s to go")
            });
            self.output.say(format!("{name}: {done}{of} {}, {} s{left}", message(), time.as_secs()));
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed").progress_chars("=> ")
}

/// However it ends, the bar goes away: what is said next stands on a line of its own.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
