//! What looks at an app add up to: state keys, the graph of states and events, loops, shortest paths, and the
//! hierarchy tree.
//!
//! Invariants, all about absence: no I/O, no clock, no thread, no device, no randomness, no hash order. The
//! same traces give the same numbers, ids and orders everywhere. Nothing here decides anything: which path to
//! try, which loop to cut and when a trial counts is for the crates above.

mod graph;
mod hierarchy;
mod keys;
mod loops;
mod paths;
mod stretch;
mod walk;

pub use graph::{Edge, EdgeId, Graph, GraphState, GraphStateId, Statistics};
pub use hierarchy::Hierarchy;
pub use keys::{Keyer, ScreenView, crash_key, seen};
pub use loops::Loops;
pub use paths::{GraphPath, GraphPaths};
pub use stretch::{Stretch, TraceNumber};
pub use walk::{TraceSpan, count_looks, looks};
