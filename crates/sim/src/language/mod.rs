//! The language that apps are written in: text in, checked tables out. The handbook is `docs/simulator.md`.
//!
//! A file is read in two passes, so names may be used above the line that declares them. Before the first,
//! included files take the place of their `include` lines (`source`) and indentation makes a tree of lines
//! (`lines`). The first pass gathers names (`declare`), the second reads windows, then handlers
//! (`compile`).
//!
//! What comes out needs no further check: every number in the tables refers to something that exists, every
//! expression has the kind that its place needs, nothing nests deeper than 64 levels. Whatever goes in, the
//! answer is an app or one error with its place; nothing here panics, reads a file or leaves anything to chance.

mod attributes;
mod branches;
mod code;
mod compile;
mod coverage;
mod crashes;
mod cursor;
mod declare;
mod effects;
mod error;
mod expression;
mod limit;
mod lines;
mod names;
mod source;
mod template;
mod token;
mod trigger;
mod variables;
mod widgets;

#[cfg(test)]
pub(crate) mod tests;

use crate::app::App;

pub use error::LanguageError;

/// Reads an app. `name` stands for the file in errors; `load` returns the text of a file that is included, by the
/// name that the `include` gives it, or says why it cannot.
pub fn parse(
    name: &str,
    source: &str,
    load: &dyn Fn(&str) -> Result<String, String>,
) -> Result<App, LanguageError> {
    let mut reader = source::Reader::new(load);
    let lines = reader.read(name, source);
    let app = lines.and_then(|lines| compile::compile(&declare::declare(&lines)?, reader.build()));
    app.map_err(|fault| fault.explain(&reader.files))
}
