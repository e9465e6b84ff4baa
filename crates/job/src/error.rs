//! Why a job could not be done.

use std::error::Error;
use std::io::ErrorKind;

use retap_lab::{DriveError, JournalError};
use retap_store::StoreError;
use retap_trace::TraceError;

/// Why a job could not be begun, or had to be given up. What was recorded until then is in its folder.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// What is asked for cannot be done, or not here: one sentence.
    #[error("{0}")]
    Refused(String),
    /// The folder of the session.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The devices, or what is recorded of their runs.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// A trace that cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A file or a folder.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// What was being done when something else failed.
    #[error("{doing}")]
    Within {
        /// What was being done.
        doing: String,
        /// What failed.
        #[source]
        why: Box<dyn Error + Send + Sync>,
    },
}

/// The result of a step of a job.
pub type Result<T, E = JobError> = std::result::Result<T, E>;

impl JobError {
    /// Whether there was no room or no way to write: then the job is cut short, and goes on once that is mended.
    pub fn is_of_the_store(&self) -> bool {
        match self {
            Self::Store(_) | Self::Drive(DriveError::Journal(JournalError::Store(_))) => true,
            Self::Io(error) => matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded),
            Self::Within { why, .. } => why.downcast_ref().is_some_and(Self::is_of_the_store),
            Self::Refused(_) | Self::Drive(_) | Self::Trace(_) => false,
        }
    }

    /// The whole chain in one line.
    pub fn in_words(&self) -> String {
        let mut text = self.to_string();
        let mut source = self.source();
        while let Some(error) = source {
            text.push_str(": ");
            text.push_str(&error.to_string());
            source = error.source();
        }
        text
    }
}

/// A sentence is an error.
impl From<String> for JobError {
    fn from(sentence: String) -> Self {
        Self::Refused(sentence)
    }
}

impl From<JournalError> for JobError {
    fn from(error: JournalError) -> Self {
        Self::Drive(error.into())
    }
}

impl From<serde_json::Error> for JobError {
    fn from(error: serde_json::Error) -> Self {
        Self::Within { doing: "what was recorded cannot be read".to_owned(), why: Box::new(error) }
    }
}

/// Says what was being done.
pub(crate) trait Doing<T> {
    fn doing<W: Into<String>>(self, words: impl FnOnce() -> W) -> Result<T>;
}

impl<T, E: Error + Send + Sync + 'static> Doing<T> for std::result::Result<T, E> {
    fn doing<W: Into<String>>(self, words: impl FnOnce() -> W) -> Result<T> {
        self.map_err(|error| JobError::Within { doing: words().into(), why: Box::new(error) })
    }
}

/// Refuses with a sentence.
macro_rules! refuse {
    ($($words:tt)+) => { return Err($crate::JobError::Refused(format!($($words)+))) };
}

/// Refuses with a sentence unless something holds.
macro_rules! require {
    ($holds:expr, $($words:tt)+) => { if !$holds { return Err($crate::JobError::Refused(format!($($words)+))); } };
}

pub(crate) use {refuse, require};
