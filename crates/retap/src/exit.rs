//! Exit codes: what scripts and CI rely on.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;

use clap::error::ContextKind;
use retap_job::explore::ExploreStatus;
use retap_job::reduce::ReduceStatus;
use retap_job::suite::{ReplaySuiteStatus, SuiteStatus};
use retap_job::{JobResult, ReplayStatus};

/// How the program ends, from best to worst. Our own faults end it with 3, from [`catch_panics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done; nothing wrong found, or reduced.
    Done,
    /// Crashes found (explore, replay --expect-no-crash), not reproducible (reduce, replay), something lost (suite), a
    /// trace failed (replay --suite).
    Found,
    /// Wrong usage, or the environment does not allow it.
    Usage,
    /// Interrupted; what was found so far is saved.
    Interrupted,
}

impl Exit {
    /// What the result of a job means for scripts.
    pub(crate) fn of(result: &JobResult) -> Self {
        let found = |bad: bool| if bad { Self::Found } else { Self::Done };
        let stopped = |why: &Option<String>| if why.is_some() { Self::Usage } else { Self::Interrupted };
        match result {
            JobResult::Reduce(result) => match result.status {
                ReduceStatus::Reduced => Self::Done,
                ReduceStatus::BelowTheRule | ReduceStatus::NotConfirmed | ReduceStatus::NotReproducible => {
                    Self::Found
                }
                ReduceStatus::Interrupted => Self::Interrupted,
                ReduceStatus::CutShort | ReduceStatus::Failed => Self::Usage,
            },
            JobResult::Explore(result) => match result.status {
                ExploreStatus::Done => found(!result.crashes.is_empty()),
                ExploreStatus::CutShort => stopped(&result.why),
            },
            JobResult::Suite(result) => match result.status {
                SuiteStatus::Done => found(!result.coverage.lost.is_empty()),
                SuiteStatus::CutShort => stopped(&result.details.why),
            },
            JobResult::Replay(result) => match result.status {
                ReplayStatus::Done => Self::Done,
                ReplayStatus::NotReproducible | ReplayStatus::Crashed | ReplayStatus::Astray => Self::Found,
                ReplayStatus::Interrupted => Self::Interrupted,
                ReplayStatus::Unknown | ReplayStatus::CutShort => Self::Usage,
            },
            JobResult::ReplaySuite(result) => match result.status {
                ReplaySuiteStatus::Done => found(result.failed > 0),
                ReplaySuiteStatus::Interrupted => Self::Interrupted,
                ReplaySuiteStatus::CutShort => Self::Usage,
            },
        }
    }
}

impl Exit {
    /// Its number.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Found => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// What clap has to say: help and version are no failures; a wrong word is.
pub(crate) fn usage(error: clap::Error) -> ExitCode {
    let error = in_words(error);
    // Nobody is left to tell when even the terminal is gone.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() }
}

/// Says what to write where Rust only says that it finds no number.
fn in_words(error: clap::Error) -> clap::Error {
    let why = error.source();
    let digit = |why: &ParseIntError| *why.kind() == IntErrorKind::InvalidDigit;
    let write = if why.and_then(|why| why.downcast_ref()).is_some_and(digit) {
        "write a whole number"
    } else if why.and_then(|why| why.downcast_ref::<ParseFloatError>()).is_some() {
        "write a number"
    } else {
        return error;
    };
    let typed = |what| error.get(what).map(ToString::to_string).unwrap_or_default();
    let (value, option) = (typed(ContextKind::InvalidValue), typed(ContextKind::InvalidArg));
    clap::Error::raw(error.kind(), format!("invalid value '{value}' for '{option}': {write}\n"))
}

/// A panic is a fault of ours: it says so, and ends with 3, not with Rust's 101, unless it is caught.
#[expect(clippy::exit, reason = "a panic hook cannot return an exit code")]
pub(crate) fn catch_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        if std::thread::current().name().is_some_and(is_caught) {
            return;
        }
        crate::output::tell(format_args!(
            "retap: this is a bug in retap; what was recorded so far is saved. Please report it."
        ));
        std::process::exit(3);
    }));
}

/// Whether a panic of a thread with this name is caught: that of a worker by its lab, which gives its device up by name and
/// goes on with the others, and that of a tool by its server, which answers that the call failed and goes on with others.
fn is_caught(thread: &str) -> bool {
    #[cfg(feature = "mcp")]
    if thread == retap_mcp::TOOL_THREAD {
        return true;
    }
    thread == retap_lab::WORKER_THREAD
}
