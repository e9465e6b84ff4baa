//! Ctrl-C: stop after the run that is under way, and keep everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retap_job::Stop;

/// What Ctrl-C, or a polite kill, does: the first asks to stop, and the second ends the process at once, which loses
/// nothing that has been recorded.
#[derive(Debug, Default, Clone)]
pub(crate) struct Interrupt {
    /// Whether to stop.
    pub(crate) stop: Stop,
    /// Whether the first one ends the process, too.
    at_once: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let Self { stop, at_once } = interrupt.clone();
        ctrlc::set_handler(move || {
            let nothing_to_keep = at_once.load(Ordering::SeqCst);
            if nothing_to_keep {
                crate::output::tell(format_args!("interrupted"));
            }
            // It is in a group of its own, so that Ctrl-C does not reach it.
            retap_jvm::end_setup();
            if nothing_to_keep || stop.asked() {
                std::process::exit(130);
            }
            stop.ask();
        })?;
        Ok(interrupt)
    }

    /// Does something that asks nobody whether to stop, and after which nothing must be saved or undone: meanwhile the
    /// first Ctrl-C ends the process.
    pub(crate) fn ends<T>(&self, something: impl FnOnce() -> T) -> T {
        self.at_once.store(true, Ordering::SeqCst);
        let done = something();
        self.at_once.store(false, Ordering::SeqCst);
        done
    }
}
