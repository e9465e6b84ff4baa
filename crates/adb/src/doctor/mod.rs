//! What stands between a user and a working device, as a list of checks with what to do about each.
//!
//! Absent: printing. Nothing on a device is changed.

mod device;
mod host;

use std::path::PathBuf;
use std::time::Duration;

pub use retap_device::{Check, DeviceHealth};

use crate::client::{Client, Deadline, Environment};

/// What to look at.
#[derive(Debug, Clone, Default)]
pub struct Questions {
    /// The device; without it, all of them.
    pub serial: Option<String>,
    /// The app under test, where it is known.
    pub app: Option<String>,
    /// QEMU's control socket, where there is one.
    pub qmp: Option<PathBuf>,
    /// Whether a server may be started.
    pub may_start: bool,
}

/// Looks at everything. Each check has so long.
pub fn checkup(environment: &Environment, questions: &Questions, each: Duration) -> Vec<Check> {
    let limit = |what| Deadline::within(what, each);
    let mut checks = vec![host::program(environment, &limit("adb version"))];
    let client = match Client::from_environment(environment, questions.may_start) {
        Ok(client) => client,
        Err(error) => {
            checks.push(Check::bad("adb server", error.to_string(), "correct the variable, or unset it"));
            return checks;
        }
    };
    let (server, reached) = host::server(&client, &limit("the adb server"));
    checks.push(server);
    if !reached {
        return checks;
    }
    let (list, ready) = host::devices(&client, questions.serial.as_deref(), &limit("adb devices"));
    checks.extend(list);
    for serial in ready {
        checks.extend(device::checks(&client, &serial, environment, questions, &limit));
    }
    checks
}
