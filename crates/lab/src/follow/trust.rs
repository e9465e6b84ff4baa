//! How far a device's snapshots are believed.
//!
//! A run from a snapshot in which the app goes elsewhere may say something of the app, or of the snapshot. A clean
//! start tells. When the two agree for a while, the snapshot alone is believed; when they do not, snapshots are of no
//! use on this device, or with this app.

/// Runs from snapshots that turned out right, and runs that did not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Trust {
    right: u32,
    wrong: u32,
}

impl Trust {
    /// A run from a snapshot was followed to its end, or a clean start has shown the same (or not).
    pub(super) fn note(&mut self, right: bool) {
        self.right += u32::from(right);
        self.wrong += u32::from(!right);
    }

    /// Whether a snapshot is believed when it leads elsewhere.
    pub(super) fn earned(self) -> bool {
        self.right >= 4 + 20 * self.wrong
    }

    /// Whether snapshots are not worth trying any more.
    pub(super) fn lost(self) -> bool {
        self.wrong >= 3 && self.right < 4 * self.wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(right: u32, wrong: u32) -> (bool, bool) {
        let mut trust = Trust::default();
        (0..right).for_each(|_| trust.note(true));
        (0..wrong).for_each(|_| trust.note(false));
        (trust.earned(), trust.lost())
    }

    #[test]
    fn trust_is_earned_slowly_and_lost_soon() {
        assert_eq!([0, 3, 4].map(|right| after(right, 0)), [(false, false), (false, false), (true, false)]);
        assert_eq!([4, 23, 24].map(|right| after(right, 1)), [(false, false), (false, false), (true, false)]);
        assert_eq!([2, 3].map(|wrong| after(0, wrong)), [(false, false), (false, true)]);
        assert_eq!([11, 12].map(|right| after(right, 3)), [(false, true), (false, false)]);
    }
}
