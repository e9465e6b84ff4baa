//! When to give a device up.

/// Counts how often in a row a device has failed.
#[derive(Debug, Clone, Default)]
pub struct Health {
    failures: u32,
}

impl Health {
    /// A device that fails this often in a row is retired. Real devices drop off for a minute and come back, so
    /// this is generous.
    pub const PATIENCE: u32 = 12;

    /// Notes how a run ended; says whether the device must be retired.
    #[must_use]
    pub fn note(&mut self, failed: bool) -> bool {
        self.failures = if failed { self.failures + 1 } else { 0 };
        self.failures >= Self::PATIENCE
    }

    /// Failures in a row so far.
    pub const fn failures(&self) -> u32 {
        self.failures
    }
}
