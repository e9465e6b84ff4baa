//! The trace file format, version 1: JSON Lines, a header line and then one step a line. `docs/formats.md` tells
//! people the same.
//!
//! Writing is what serde derives for the nouns. Reading is by hand: each error names the field and the place, and
//! fields that this version does not know are kept and written back.

mod crash;
mod error;
mod event;
mod extra;
mod line;
mod observation;
mod reader;
mod shape;
mod step;
mod tree;
mod writer;

#[cfg(test)]
mod tests;

pub use error::{TraceError, TraceProblem};
pub use reader::TraceReader;
pub(crate) use shape::Shape;
pub use writer::TraceWriter;

/// The version of the trace format that this retap writes, and the newest that it reads.
pub const TRACE_VERSION: u64 = 1;

/// The longest line that is read or written, in bytes without its end. A pipe may deliver one endless line.
pub const MAX_LINE: usize = 16 << 20;
