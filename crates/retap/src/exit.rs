//! Exit codes: what scripts and CI rely on.

use std::process::ExitCode;

/// How the program ends, from best to worst. Our own faults end it with 3, from [`catch_panics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done; nothing wrong found, or reduced.
    Done,
    /// Crashes found (explore), not reproducible (reduce, replay), something lost (suite), a trace failed
    /// (replay --suite).
    Found,
    /// Wrong usage, or the environment does not allow it.
    Usage,
    /// Interrupted; what was found so far is saved.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::Interrupted => 130,
        })
    }
}

/// What clap has to say: help and version are no failures; a wrong word is.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell when even the terminal is gone.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() }
}

/// A panic is a fault of ours: it says so, and ends with 3, not with Rust's 101.
#[expect(clippy::exit, reason = "a panic hook cannot return an exit code")]
pub(crate) fn catch_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        crate::output::tell(format_args!(
            "retap: this is a bug in retap; what was recorded so far is saved. Please report it."
        ));
        std::process::exit(3);
    }));
}
