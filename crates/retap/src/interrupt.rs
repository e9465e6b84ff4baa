//! Ctrl-C: stop after the run that is under way, keep everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Whether somebody has pressed Ctrl-C.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicU32>);

impl Interrupt {
    /// Listens from now on. The first Ctrl-C (or a polite kill) asks to stop; the second ends the process at
    /// once, which loses nothing that has been recorded.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let pressed = Arc::new(AtomicU32::new(0));
        let counter = pressed.clone();
        ctrlc::set_handler(move || {
            if counter.fetch_add(1, Ordering::Relaxed) > 0 {
                std::process::exit(130);
            }
        })?;
        Ok(Self(pressed))
    }

    /// Whether to stop.
    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}
