//! Logcat: lines in, news of one app out.
//!
//! A log never ends, so the scanner keeps only what it still needs: the blocks of a crash that are being written.
//! What a crash is, and its signature, is for `retap_trace` to say; here its lines are gathered from among others.

mod block;
mod line;
mod scanner;
#[cfg(test)]
mod tests;

pub use line::LogcatLine;
pub(crate) use scanner::MARK_TAG;
pub use scanner::{KillCause, LogNews, LogScanner};
