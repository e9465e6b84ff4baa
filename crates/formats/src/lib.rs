//! Traces as other tools write and read them: tests that run, out of a trace, and recordings of others, into one.
//!
//! Pure: bytes in, a trace or text out. No files, no devices, no clock. Each format is a file and a line in a table:
//! [`EXPORTERS`].

#![warn(missing_docs)]

mod export;

pub use export::{EXPORTERS, Expect, Export, ExportError, Exported, Exporter, export, exporter};
