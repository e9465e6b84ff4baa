//! How big an app file may be. Real apps stay far below; the limits keep any input from exhausting memory or
//! stack.

/// Bytes of all sources of an app together.
pub(super) const BYTES: usize = 8 << 20;

/// Levels of anything that nests: lines, expressions, texts in texts, includes, arms of an `else if` chain.
pub(super) const NESTING: usize = 64;

/// Pieces of code that can be covered.
pub(super) const COVERAGE: usize = 1_000_000;

/// Things of one kind, since their numbers have 16 bits.
pub(super) const THINGS: usize = 1 << 16;
