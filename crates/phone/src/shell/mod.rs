//! The shell's language, as much of it as clients use: quotes, variables, lists, pipes, redirection, subshells.
//!
//! | file | what |
//! |---|---|
//! | `tree` | what a script is |
//! | `parse`, `word` | text becomes a script |
//! | `expand` | words become arguments |
//! | `run`, `redirect` | a script is carried out |
//! | `io` | where commands read and write |
//! | `pipe` | what stands between two commands |
//! | `builtin` | commands that change the shell itself |
//!
//! Nesting is bounded, so that no text can exhaust the stack.

mod builtin;
mod expand;
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
pub(crate) use io::{CancelFlag, CommandOutput, Input, Sink, Source, Streams};
pub(crate) use run::{CommandOutcome, End, Process, Shell};
