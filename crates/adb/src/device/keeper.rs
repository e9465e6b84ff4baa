//! Who keeps snapshots: the emulator, through its console, or QEMU, through its control socket.

use std::path::Path;

use crate::client::{AdbError, Deadline, Transport};
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
        transport: &Transport,
        token: Option<String>,
        qmp: Option<&Path>,
        deadline: &Deadline,
    ) -> Result<Self, AdbError> {
        let none = |why: &str| AdbError::Refused { request: "snapshots".to_owned(), why: why.to_owned() };
        let keeper = match qmp {
            Some(path) => Self::Qemu(Qmp::at(path.to_owned())),
            // Here another emulator may have the same number.
            None if !transport.client().address().is_here() => {
                return Err(none("the consoles of emulators on another computer cannot be reached"));
            }
            None => Self::Emulator(
                Console::of(transport.serial(), token)
                    .ok_or_else(|| none("only emulators have them, and virtual machines with qmp=SOCKET"))?,
            ),
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::client::Client;

    use super::*;

    #[test]
    fn an_emulator_of_another_computer_is_not_looked_for_here() {
        let far = Client::new("tcp:lab.example:5037".parse().unwrap()).transport("emulator-5554");
        let why = Keeper::find(&far, None, None, &Deadline::within("snapshots", Duration::from_secs(5)))
            .unwrap_err();
        assert!(why.to_string().contains("on another computer"), "{why}");
    }
}
