//! Who keeps snapshots: the emulator, through its console, or QEMU, through its control socket.

use std::path::Path;

use crate::client::{AdbError, Deadline};
use crate::parse::snapshot_tags;

use super::console::Console;
use super::qmp::Qmp;

#[derive(Debug, Clone)]
pub(crate) enum Keeper {
    Emulator(Console),
    Qemu(Qmp),
}

impl Keeper {
    /// Asks whether the device has snapshots. Nothing is configured: a device that can list them has them.
    pub(crate) fn find(
        serial: &str,
        token: Option<String>,
        qmp: Option<&Path>,
        deadline: &Deadline,
    ) -> Result<Self, AdbError> {
        let keeper = match qmp {
            Some(path) => Self::Qemu(Qmp::at(path.to_owned())),
            None => Self::Emulator(Console::of(serial, token).ok_or_else(|| AdbError::Refused {
                request: "snapshots".to_owned(),
                why: "only emulators have them, and virtual machines with qmp=SOCKET".to_owned(),
            })?),
        };
        keeper.list(deadline)?;
        Ok(keeper)
    }

    pub(crate) fn save(&self, name: &str, deadline: &Deadline) -> Result<(), AdbError> {
        self.run("save", "savevm", name, deadline)
    }

    pub(crate) fn load(&self, name: &str, deadline: &Deadline) -> Result<(), AdbError> {
        self.run("load", "loadvm", name, deadline)
    }

    pub(crate) fn delete(&self, name: &str, deadline: &Deadline) -> Result<(), AdbError> {
        self.run("delete", "delvm", name, deadline)
    }

    /// The names of all snapshots.
    pub(crate) fn list(&self, deadline: &Deadline) -> Result<Vec<String>, AdbError> {
        let text = match self {
            Self::Emulator(console) => console.command("avd snapshot list", deadline)?.join("\n"),
            Self::Qemu(qmp) => {
                let said = qmp.monitor("info snapshots", deadline)?;
                failed("info snapshots", &said)?;
                said
            }
        };
        Ok(snapshot_tags(&text))
    }

    fn run(&self, verb: &str, monitor: &str, name: &str, deadline: &Deadline) -> Result<(), AdbError> {
        match self {
            Self::Emulator(console) => {
                console.command(&format!("avd snapshot {verb} {name}"), deadline).map(|_| ())
            }
            Self::Qemu(qmp) => {
                let command = format!("{monitor} {name}");
                let said = qmp.monitor(&command, deadline)?;
                failed(&command, &said)
            }
        }
    }
}

/// The monitor prints errors and nothing else tells of them.
fn failed(command: &str, said: &str) -> Result<(), AdbError> {
    let said = said.trim();
    let wrong = said.starts_with("Error") || said.contains("does not") || said.contains("No block device");
    if wrong && !said.starts_with("There is no snapshot") {
        return Err(AdbError::Refused { request: command.to_owned(), why: said.to_owned() });
    }
    Ok(())
}
