//! When to give a device up.

use std::time::Duration;

use crate::Account;

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
    pub fn note(&mut self, report: &impl Account) -> bool {
        if report.failure().is_some() {
            self.failures += 1;
        } else if report.shows_health() {
            self.failures = 0;
        }
        self.failures >= Self::PATIENCE
    }

    /// How long to leave the device alone before it is tried again: nothing when all is well, else this long,
    /// doubled with each failure in a row, up to 5 seconds.
    pub fn rest(&self, once: Duration) -> Duration {
        match self.failures {
            0 => Duration::ZERO,
            failures => once.saturating_mul(1 << failures.min(6)).min(Duration::from_secs(5)),
        }
    }

    /// Failures in a row so far.
    pub const fn failures(&self) -> u32 {
        self.failures
    }
}
