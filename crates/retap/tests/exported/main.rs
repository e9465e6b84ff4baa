//! Exported tests, read by the tools that they are for: for the samples, for generated crashes, and with hostile names.
//!
//! Each module asks one tool, and compares what the tool understood with the trace. `tools` has what runs outside of
//! Rust: Maestro's reader and Kotlin's compiler on the JVM, and the parsers of Python and TypeScript.

mod corpus;
mod deed;
mod golden;
mod hostile;
mod jvm;
mod kotlin;
mod maestro;
mod monkey;
mod script;
mod shell;
mod words;

use retap_formats::{Expect, Export, ExportError, Exported, export, exporter};
use retap_trace::Trace;

/// The test of a tool, or why there is none.
pub(crate) fn exported(trace: &Trace, tool: &str, expect: Expect) -> Result<Exported, ExportError> {
    export(exporter(tool).expect("an exporter"), &Export { trace, expect, template: None })
}

/// The regression test of a tool, where the tool has all it takes.
pub(crate) fn test_of(trace: &Trace, tool: &str) -> Option<String> {
    match exported(trace, tool, Expect::NoCrash) {
        Ok(exported) => Some(exported.text),
        Err(ExportError::Refused { .. }) => None,
        Err(error) => panic!("{tool}: {error}"),
    }
}
