//! Checks of this computer: the adb program, its server, what is plugged in.

use crate::client::{AdbError, Client, Deadline, Environment, output_of};
use crate::parse::Listed;

use super::Check;

/// Servers before this one lack what we need.
const OLDEST: u32 = 39;

pub(super) fn program(environment: &Environment, deadline: &Deadline) -> Check {
    const NAME: &str = "adb program";
    let Some(program) = environment.find_adb() else {
        // A server may run all the same, on another computer perhaps.
        let fix = "install Android's platform-tools (on Debian: apt install adb), or set ADB to its path";
        return Check::fair(NAME, "it was not found", fix);
    };
    match output_of(&program, &["version"], deadline) {
        Ok(said) => {
            let version: Vec<&str> = said.lines().take(2).collect();
            Check::good(NAME, format!("{} ({})", program.display(), version.join(", ")))
        }
        Err(error) => {
            Check::bad(NAME, error.to_string(), format!("see whether '{} version' works", program.display()))
        }
    }
}

/// The check, and whether the server answered.
pub(super) fn server(client: &Client, deadline: &Deadline) -> (Check, bool) {
    const NAME: &str = "adb server";
    match client.version(deadline) {
        Ok(version) if version < OLDEST => {
            let found = format!("{} speaks version {version}", client.address());
            (Check::fair(NAME, found, "update Android's platform-tools"), true)
        }
        Ok(version) => (Check::good(NAME, format!("{} speaks version {version}", client.address())), true),
        Err(error) => (told(NAME, &error, "start it with 'adb start-server'"), false),
    }
}

/// A check for each device, and the serial numbers of those that are ready.
pub(super) fn devices(
    client: &Client,
    wanted: Option<&str>,
    deadline: &Deadline,
) -> (Vec<Check>, Vec<String>) {
    const NAME: &str = "device";
    let listed = match client.devices(deadline) {
        Ok(listed) => listed,
        Err(error) => {
            return (
                vec![Check::bad(NAME, error.to_string(), "see whether 'adb devices' works")],
                Vec::new(),
            );
        }
    };
    let fits = |device: &&Listed| wanted.is_none_or(|wanted| wanted == device.serial);
    let listed: Vec<&Listed> = listed.iter().filter(fits).collect();
    if listed.is_empty() {
        let found = wanted
            .map_or_else(|| "none is connected".to_owned(), |serial| format!("{serial} is not connected"));
        let fix = "plug one in with USB debugging switched on (developer options), or start an emulator";
        return (vec![Check::bad(NAME, found, fix)], Vec::new());
    }
    let check = |device: &&Listed| {
        let check = match device.state.usable(&device.serial) {
            Ok(()) => Check::good(NAME, device.model.clone().unwrap_or_else(|| "ready".to_owned())),
            Err(error) => told(NAME, &error, "plug it in again"),
        };
        check.of(&device.serial)
    };
    let ready = listed.iter().filter(|device| device.state.is_ready()).map(|device| device.serial.clone());
    (listed.iter().map(check).collect(), ready.collect())
}

/// An error, which says what to do behind its first semicolon.
fn told(name: &'static str, error: &AdbError, otherwise: &str) -> Check {
    let said = error.to_string();
    let (found, fix) = said.split_once("; ").unwrap_or((&said, otherwise));
    Check::bad(name, found, fix)
}
