//! Where in the recorded traces something happened.

use std::ops::Range;

/// Number of a trace among those that its owner keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TraceNumber(pub u32);

/// A run of steps of one trace. Later traces and later steps compare as greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stretch {
    pub trace: TraceNumber,
    /// Position of the first step; the first of the trace is 0.
    pub first: u32,
    /// Position behind the last step.
    pub end: u32,
}

impl Stretch {
    /// These steps of this trace.
    ///
    /// # Panics
    /// When there is no step in it, or a position is beyond 2^32.
    pub fn new(trace: TraceNumber, steps: Range<usize>) -> Self {
        assert!(steps.start < steps.end, "a stretch has at least one step");
        let position = |at: usize| u32::try_from(at).expect("a trace has fewer than 2^32 steps");
        Self { trace, first: position(steps.start), end: position(steps.end) }
    }

    /// The positions of its steps.
    pub fn steps(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }

    /// How many steps it has; never 0.
    pub fn count(self) -> u32 {
        self.end - self.first
    }
}
