//! Traces as other tools write and read them: tests that run, out of a trace, and recordings of others, into one.
//!
//! Pure: bytes in, a trace or text out. No files, no devices, no clock. Each format is a file and a line in a table:
//! [`EXPORTERS`] and [`IMPORTERS`].

#![warn(missing_docs)]

mod export;
mod import;

pub use export::{
    EXPORTERS, Expect, Export, ExportError, Exported, Exporter, at_line, code_span, export, export_file,
    exporter,
};
pub use import::{
    FileProblem, FilesBeside, IMPORTERS, ImportError, ImportInput, ImportOptions, Imported, Importer,
    LARGEST, MOST_STEPS, NoFilesBeside, Skipped, import, simplydroid,
};
