//! Progress for people who wait: a bar on a terminal, else a line now and then.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Output;

const BAR: &str = "{spinner} {prefix:<8} [{bar:30}] {pos}/{len} {msg} {elapsed} ETA {eta}";
/// Where nobody knows how much is to come.
const COUNT: &str = "{spinner} {prefix:<8} {pos} {msg} {elapsed}";
/// When the first line is printed where no bar can be drawn.
const FIRST: Duration = Duration::from_secs(4);
/// How often one is printed from then on.
const EVERY: Duration = Duration::from_secs(10);

/// A count, a message and, where the total is known, the time left.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Bar {
        bar: ProgressBar,
        /// Whether the total is known.
        bounded: std::cell::Cell<bool>,
    },
    Lines(Lines),
    Nothing,
}

/// Lines that are printed by the clock, also while a run takes long.
#[derive(Debug)]
struct Lines {
    state: Arc<Mutex<State>>,
    began: Instant,
    /// Dropped to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the next line says.
#[derive(Debug, Default)]
struct State {
    done: u64,
    /// How much of it an earlier process has done, and when all of that was told.
    retold: (u64, Duration),
    total: Option<u64>,
    message: String,
}

impl Progress {
    /// Of a total of 0 nothing is known yet.
    pub(crate) fn new(output: Output, name: &'static str, total: u64) -> Self {
        let total = (total > 0).then_some(total);
        let shown = if output.draws() {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(total, target).with_prefix(name);
            bar.set_style(style(if total.is_some() { BAR } else { COUNT }));
            Shown::Bar { bar, bounded: std::cell::Cell::new(total.is_some()) }
        } else if output.is_quiet() {
            Shown::Nothing
        } else {
            Shown::Lines(Lines::begin(output, name, total))
        };
        Self { shown }
    }

    /// `retold`: an earlier process has done all of it, which says nothing about the time that is left.
    pub(crate) fn set(&self, done: u64, retold: bool, message: impl FnOnce() -> String) {
        match &self.shown {
            Shown::Bar { bar, .. } => {
                bar.set_position(done);
                bar.set_message(message());
                if retold {
                    // The bar must see the position before it forgets the speed.
                    bar.tick();
                    bar.reset_eta();
                }
            }
            Shown::Lines(lines) => {
                let mut state = lines.state.lock().unwrap_or_else(PoisonError::into_inner);
                (state.done, state.message) = (done, message());
                if retold {
                    state.retold = (done, lines.began.elapsed());
                }
            }
            Shown::Nothing => {}
        }
    }

    /// The same, and what is known of the total by now.
    pub(crate) fn known(
        &self,
        done: u64,
        total: Option<u64>,
        retold: bool,
        message: impl FnOnce() -> String,
    ) {
        match &self.shown {
            Shown::Bar { bar, bounded } => {
                if bounded.replace(total.is_some()) != total.is_some() {
                    bar.set_style(style(if total.is_some() { BAR } else { COUNT }));
                }
                if let Some(total) = total {
                    bar.set_length(total);
                }
            }
            Shown::Lines(lines) => {
                lines.state.lock().unwrap_or_else(PoisonError::into_inner).total = total;
            }
            Shown::Nothing => {}
        }
        self.set(done, retold, message);
    }
}

impl Lines {
    fn begin(output: Output, name: &'static str, total: Option<u64>) -> Self {
        let state = Arc::new(Mutex::new(State { total, ..State::default() }));
        let (end, ended) = channel();
        let (shared, began) = (state.clone(), Instant::now());
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || {
            let mut wait = FIRST;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let line = shared.lock().unwrap_or_else(PoisonError::into_inner).line(name, began.elapsed());
                output.say(line);
                wait = EVERY;
            }
        });
        // Without a thread to spare the work goes on unseen.
        Self { state, began, end: Some(end), thread: thread.ok() }
    }
}

impl State {
    fn line(&self, name: &str, time: Duration) -> String {
        let Self { done, retold: (before, until), total, message } = self;
        let total = total.map(|total| total.max(*done));
        let of = total.map_or_else(String::new, |total| format!(" of {total}"));
        let (fresh, time_taken) = (done.saturating_sub(*before), time.saturating_sub(*until).as_secs());
        let left = total.filter(|_| fresh > 0).map_or_else(String::new, |total| {
            let left = time_taken.saturating_mul(total - done) / fresh;
            format!(", about {left} s to go")
        });
        format!("{name}: {done}{of} {message}, {} s{left}", time.as_secs())
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed").progress_chars("=> ")
}

/// However it ends, the bar goes away: what is said next stands on a line of its own.
impl Drop for Progress {
    fn drop(&mut self) {
        match &mut self.shown {
            Shown::Bar { bar, .. } => bar.finish_and_clear(),
            Shown::Lines(lines) => {
                lines.end = None;
                if let Some(thread) = lines.thread.take() {
                    let _ = thread.join();
                }
            }
            Shown::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_is_to_come_where_that_is_known() {
        let message = || "runs, 4 reached".to_owned();
        let mut state = State { done: 5, total: Some(20), message: message(), ..State::default() };
        let after = |state: &State, seconds| state.line("replay", Duration::from_secs(seconds));
        assert_eq!(after(&state, 10), "replay: 5 of 20 runs, 4 reached, 10 s, about 30 s to go");
        state.total = None;
        assert_eq!(after(&state, 4), "replay: 5 runs, 4 reached, 4 s");
        state = State { total: Some(3), message: "traces".to_owned(), ..State::default() };
        assert_eq!(after(&state, 4), "replay: 0 of 3 traces, 4 s");
        // What an earlier process has done took no time of this one.
        let retold = (10, Duration::from_secs(2));
        state = State { done: 10, retold, total: Some(20), message: message() };
        assert_eq!(after(&state, 4), "replay: 10 of 20 runs, 4 reached, 4 s");
        state.done = 15;
        assert_eq!(after(&state, 12), "replay: 15 of 20 runs, 4 reached, 12 s, about 10 s to go");
    }
}
