//! A fresh start: the app's data cleared, the app not running, the home screen in front, portrait, the log heard.

use std::time::Duration;

use retap_device::DeviceError;
use retap_trace::{Key, Orientation};

use crate::client::{AdbError, Deadline, quote};
use crate::parse;

use super::glance::SYSTEM_UI;
use super::{AdbDevice, Trouble, gesture};

/// How long the home screen may take to come to the front.
const HOME: Duration = Duration::from_secs(5);

impl AdbDevice {
    pub(super) fn make_fresh(&mut self, deadline: &Deadline) -> Result<(), Trouble> {
        let package = quote(&self.app.package);
        self.shell.run(&format!("am force-stop {package}"), deadline)?;
        self.clear_data(&package, deadline)?;
        if !self.app.permissions.is_empty() {
            let grants: Vec<String> = self
                .app
                .permissions
                .iter()
                .map(|name| format!("pm grant {package} {}", quote(name)))
                .collect();
            // Some cannot be granted; the app will ask for those.
            self.shell.run(&grants.join("; "), deadline)?;
        }
        self.tuning.undo_events(&mut self.shell, deadline)?;
        let upright = self.quarters(Orientation::Portrait);
        self.shell.run(&format!("settings put system user_rotation {upright}"), deadline)?;
        self.shell.run(&format!("{} {}", self.input, gesture::keys(&[Key::WAKEUP, Key::HOME])), deadline)?;
        // A lock without a secret opens; what an old version says to the command does not matter.
        self.shell.run("wm dismiss-keyguard", deadline)?;
        self.wait_for_home(deadline)?;
        if let Some(covered) = &mut self.covered {
            covered.reset();
        }
        Ok(())
    }

    fn clear_data(&mut self, package: &str, deadline: &Deadline) -> Result<(), Trouble> {
        let cleared = self.shell.run(&format!("pm clear {package}"), deadline)?.said();
        if cleared.lines().any(|line| line.trim() == "Success") {
            return Ok(());
        }
        let installed = self.shell.run(&format!("pm list packages {package}"), deadline)?.text();
        if !parse::has_package(&installed, &self.app.package) && !installed.contains("Is the system running?")
        {
            return Err(DeviceError::AppGone { package: self.app.package.clone() }.into());
        }
        Err(DeviceError::Failed { call: "reset", why: format!("its data could not be cleared: {cleared}") }
            .into())
    }

    /// Waits until the app has left the screen, and hears what the log still says of its end.
    fn wait_for_home(&mut self, deadline: &Deadline) -> Result<(), AdbError> {
        let limit = deadline.part(deadline.what(), HOME);
        loop {
            let seen = self.look(retap_device::Look::Activity, deadline)?;
            let why = if *seen.package == *self.app.package {
                "the app is still in front after it was stopped".to_owned()
            } else if *seen.package == *SYSTEM_UI {
                format!(
                    "the device is locked, or {} covers the screen; unlock it, and set its screen lock to 'None'",
                    seen.activity
                )
            } else {
                let _ = (self.watch.take_crashes(), self.watch.take_kills());
                return Ok(());
            };
            if limit.sleep(Duration::from_millis(100)).is_err() {
                deadline.left()?;
                return Err(AdbError::Refused { request: "going home".to_owned(), why });
            }
        }
    }
}
