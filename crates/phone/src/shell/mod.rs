//! The shell's language, as much of it as tools use: quotes, variables, substitution, lists, pipes, redirection,
//! groups, `if`, `for` and `while`.
//!
//! | file | what |
//! |---|---|
//! | `tree` | what a script is |
//! | `parse`, `word` | text becomes a script |
//! | `expand`, `glob` | words become arguments |
//! | `run`, `redirect` | a script is carried out |
//! | `io` | where commands read and write |
//! | `pipe` | what stands between two commands |
//! | `builtin` | commands that change the shell itself |
//!
//! Nesting is bounded, so that no text can exhaust the stack; what a command substitution collects is bounded, so
//! that none can exhaust memory. A loop ends at the latest when whoever waits for it is gone.

mod builtin;
mod expand;
mod glob;
mod interact;
mod io;
mod parse;
mod pipe;
mod redirect;
mod run;
#[cfg(test)]
mod tests;
mod tree;
mod word;

#[cfg(test)]
pub(crate) use io::Capture;
pub(crate) use io::{Cancel, Input, Output, Sink, Source, Streams};
pub(crate) use run::{End, Outcome, Process, Shell};
