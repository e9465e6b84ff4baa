//! What system events change for good, such as the network, and how it was before: the next run must not find it so, nor
//! the owner of the phone.

use retap_trace::SystemEvent;

use crate::client::{AdbError, Deadline};
use crate::parse;

use super::{AdbDevice, system};

impl AdbDevice {
    /// Notes how everything is that the event is about to change.
    pub(super) fn note_before(&mut self, event: &SystemEvent, deadline: &Deadline) -> Result<(), AdbError> {
        let says = |name: &str| event.extras.contains_key(name);
        match event.action.as_str() {
            "android.net.conn.CONNECTIVITY_CHANGE" if says("connected") => {
                self.note_switch("wifi", "wifi_on", deadline)?;
                self.note_switch("data", "mobile_data", deadline)
            }
            "android.intent.action.AIRPLANE_MODE" if says("state") => {
                const WHAT: &str = "airplane mode";
                if self.tuning.knows(WHAT) {
                    return Ok(());
                }
                let on = self.global("airplane_mode_on", deadline)?.is_some_and(|value| value == "1");
                self.tuning.before_event(WHAT, system::airplane(on, self.api).join("; "))
            }
            "android.intent.action.BATTERY_LOW"
            | "android.intent.action.BATTERY_OKAY"
            | "android.intent.action.BATTERY_CHANGED"
            | "android.intent.action.ACTION_POWER_CONNECTED"
            | "android.intent.action.ACTION_POWER_DISCONNECTED" => {
                self.tuning.before_event("battery", "dumpsys battery reset".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn note_switch(&mut self, what: &str, setting: &str, deadline: &Deadline) -> Result<(), AdbError> {
        if self.tuning.knows(what) {
            return Ok(());
        }
        // 1 is on, 2 is on in airplane mode; what was never set is on.
        let on = self.global(setting, deadline)?.is_none_or(|value| matches!(value.as_str(), "1" | "2"));
        self.tuning.before_event(what, format!("svc {what} {}", if on { "enable" } else { "disable" }))
    }

    fn global(&mut self, setting: &str, deadline: &Deadline) -> Result<Option<String>, AdbError> {
        let said = self.shell.run(&format!("settings get global {setting}"), deadline)?;
        Ok(parse::setting(&said.text()))
    }
}
