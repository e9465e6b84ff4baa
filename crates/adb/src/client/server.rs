//! Questions to the adb server itself.

use std::path::PathBuf;
use std::time::Duration;

use crate::parse::{self, Listed};

use super::wire::Wire;
use super::{AdbError, Address, Deadline, Environment, Tracker, Transport, start};

/// A way to an adb server. Cheap to clone; nothing is open between calls.
#[derive(Debug, Clone)]
pub struct Client {
    address: Address,
    start: Start,
}

/// What to do when no server answers.
#[derive(Debug, Clone)]
enum Start {
    /// Nothing: that is not allowed.
    Never,
    /// Nothing: that is allowed, but there is no adb.
    NoProgram,
    /// Start one with this adb.
    With(PathBuf),
}

impl Client {
    /// A client of the server at this address. It never starts one.
    pub const fn new(address: Address) -> Self {
        Self { address, start: Start::Never }
    }

    /// A client as the environment says. It starts a server when none answers, if that is allowed and the user's adb
    /// is found.
    pub fn from_environment(environment: &Environment, may_start: bool) -> Result<Self, AdbError> {
        let start = if may_start {
            environment.find_adb().map_or(Start::NoProgram, Start::With)
        } else {
            Start::Never
        };
        Ok(Self { address: environment.address()?, start })
    }

    /// Where the server is.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// The version of the server: 41 for everything since 2018.
    pub fn version(&self, deadline: &Deadline) -> Result<u32, AdbError> {
        let text = self.ask("host:version", deadline)?;
        u32::from_str_radix(text.trim(), 16).map_err(|_| AdbError::Protocol {
            what: deadline.what(),
            why: format!("the version is '{text}'"),
        })
    }

    /// All devices that the server knows, whatever state they are in.
    pub fn devices(&self, deadline: &Deadline) -> Result<Vec<Listed>, AdbError> {
        Ok(parse::device_list(&self.ask("host:devices-l", deadline)?))
    }

    /// Tells of devices as they come and go.
    pub fn track(&self, deadline: &Deadline) -> Result<Tracker, AdbError> {
        Tracker::open(self, deadline)
    }

    /// One device, which need not be there yet.
    pub fn transport(&self, serial: impl Into<String>) -> Transport {
        Transport::new(self.clone(), serial.into())
    }

    /// The device that is meant: the named one, else the only one that there is.
    pub fn choose(&self, serial: Option<&str>, deadline: &Deadline) -> Result<Transport, AdbError> {
        let devices = self.devices(deadline)?;
        let chosen = match serial {
            Some(serial) => devices.iter().find(|device| device.serial == serial),
            None => Some(only(&devices)?),
        };
        match (chosen, serial) {
            (Some(device), _) => {
                device.state.usable(&device.serial)?;
                Ok(self.transport(device.serial.clone()))
            }
            (None, serial) => Err(AdbError::NoSuchDevice { serial: serial.unwrap_or_default().to_owned() }),
        }
    }

    /// Asks the server to connect to a device in the network, `HOST:PORT`. Returns what the server said of it.
    pub fn connect_device(&self, place: &str, deadline: &Deadline) -> Result<String, AdbError> {
        self.ask(&format!("host:connect:{place}"), deadline)
    }

    /// A request that is answered with one text.
    pub(crate) fn ask(&self, request: &str, deadline: &Deadline) -> Result<String, AdbError> {
        let mut wire = self.open(deadline)?;
        wire.request(request, "", deadline)?;
        wire.text(deadline)
    }

    /// A new connection; the server is started first when it does not run and that is allowed.
    pub(crate) fn open(&self, deadline: &Deadline) -> Result<Wire, AdbError> {
        match (Wire::connect(&self.address, deadline), &self.start, self.address.startable()) {
            (Err(AdbError::NoServer { address, .. }), Start::NoProgram, Some(_)) => {
                Err(AdbError::NoProgram { address })
            }
            (Err(AdbError::NoServer { .. }), Start::With(program), Some(port)) => {
                start::start_server(program, port, deadline)?;
                self.connect_patiently(deadline)
            }
            (connected, ..) => connected,
        }
    }

    /// A server that was just started may need a moment before it listens.
    fn connect_patiently(&self, deadline: &Deadline) -> Result<Wire, AdbError> {
        const TRIES: usize = 20;
        let mut last = Wire::connect(&self.address, deadline);
        for _ in 0..TRIES {
            if last.is_ok() {
                break;
            }
            deadline.sleep(Duration::from_millis(100))?;
            last = Wire::connect(&self.address, deadline);
        }
        last
    }
}

/// The only device there is; of several, the only one that is ready.
fn only(devices: &[Listed]) -> Result<&Listed, AdbError> {
    let ready: Vec<&Listed> = devices.iter().filter(|device| device.state.is_ready()).collect();
    let all: Vec<&Listed> = devices.iter().collect();
    let candidates = if ready.is_empty() { all } else { ready };
    match candidates.as_slice() {
        [] => Err(AdbError::NoDevice),
        [one] => Ok(one),
        several => {
            let serials = several.iter().map(|device| device.serial.clone()).collect();
            Err(AdbError::SeveralDevices { serials })
        }
    }
}
