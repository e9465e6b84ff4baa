//! What can go wrong with files, in the words and numbers of the system.

/// Why a file operation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FileError {
    #[error("No such file or directory")]
    NotFound,
    #[error("Permission denied")]
    Denied,
    #[error("File exists")]
    Exists,
    #[error("Not a directory")]
    NotFolder,
    #[error("Is a directory")]
    IsFolder,
    #[error("No space left on device")]
    Full,
    #[error("Read-only file system")]
    ReadOnly,
    #[error("File name too long")]
    TooLong,
    #[error("Directory not empty")]
    NotEmpty,
}

impl FileError {
    /// Linux's number for it, as the sync protocol sends it.
    pub(crate) const fn number(self) -> u32 {
        match self {
            Self::NotFound => 2,
            Self::Denied => 13,
            Self::Exists => 17,
            Self::NotFolder => 20,
            Self::IsFolder => 21,
            Self::Full => 28,
            Self::ReadOnly => 30,
            Self::TooLong => 36,
            Self::NotEmpty => 39,
        }
    }
}
