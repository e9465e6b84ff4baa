//! How big an app file may be. Real apps stay far below; the limits keep any input from exhausting memory or
//! stack.

/// Bytes of all sources of an app together.
pub(super) const BYTES: usize = 8 << 20;

/// Levels of anything that nests: lines, expressions, texts in texts, includes, arms of an `else if` chain.
pub(super) const NESTING: usize = 64;

/// Pieces of code that can be covered.
pub(super) const COVERAGE: usize = 1_000_000;

/// Things of one kind: their numbers have 16 bits, and counting one past the last must not overflow.
pub(super) const THINGS: usize = 65_000;

/// The number of the next thing of a kind, none when there are too many.
pub(super) fn number(before: usize) -> Option<u16> {
    u16::try_from(before).ok().filter(|_| before < THINGS)
}
