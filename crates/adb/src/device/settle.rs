//! Waiting until the app is at rest, or looks so.

use crate::client::{AdbError, Deadline, quote};
use crate::parse;

use super::AdbDevice;

impl AdbDevice {
    /// Looks until two cheap looks in a row are the same: what is in front, and how many frames the app has drawn.
    /// `false` when the time is over before.
    pub(super) fn wait_for_rest(&mut self, deadline: &Deadline) -> Result<bool, AdbError> {
        let rest = self.look_until_same(deadline);
        match rest {
            // Apps may move for ever: that is an answer, not an error.
            Err(AdbError::Timeout { .. }) => Ok(false),
            rest => rest.map(|()| true),
        }
    }

    fn look_until_same(&mut self, deadline: &Deadline) -> Result<(), AdbError> {
        let mut before = None;
        loop {
            let glance = self.glancer.look(&mut self.shell, None, deadline)?;
            let drawn = self.frames(deadline)?;
            let now = Some((glance, drawn));
            if before == now {
                return Ok(());
            }
            before = now;
            deadline.sleep(self.quiet)?;
        }
    }

    /// How many frames the app has drawn, where the device counts them.
    fn frames(&mut self, deadline: &Deadline) -> Result<Option<u64>, AdbError> {
        let command = format!("dumpsys gfxinfo {}", quote(&self.app.package));
        Ok(parse::frames_drawn(&self.shell.run(&command, deadline)?.text()))
    }
}
