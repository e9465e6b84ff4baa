//! One device, reached through the server.

use std::sync::{Arc, Mutex, PoisonError};

use super::wire::Wire;
use super::{AdbError, Client, Deadline, Features};

/// More than this no command prints that we want to hear.
pub(crate) const LONGEST_OUTPUT: usize = 128 << 20;

/// A way to one device. Clones go to the same device; several may be used at once.
#[derive(Debug, Clone)]
pub struct Transport {
    client: Client,
    serial: String,
    features: Arc<Mutex<Option<Features>>>,
}

impl Transport {
    pub(super) fn new(client: Client, serial: String) -> Self {
        Self { client, serial, features: Arc::default() }
    }

    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// The server between.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// What device and server can do. Asked once.
    pub fn features(&self, deadline: &Deadline) -> Result<Features, AdbError> {
        let mut known = self.features.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(features) = &*known {
            return Ok(features.clone());
        }
        let features = Features::parse(&self.ask("features", deadline)?);
        *known = Some(features.clone());
        Ok(features)
    }

    /// The word for the state the device is in: `device`, `offline`, `recovery`.
    pub fn state(&self, deadline: &Deadline) -> Result<String, AdbError> {
        self.ask("get-state", deadline)
    }

    /// Tries to get a lost device back: one in the network is connected to again, another is asked to reconnect, if the
    /// server has lost it. What becomes of it shows at the next call.
    pub fn revive(&self, deadline: &Deadline) -> Result<(), AdbError> {
        *self.features.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // What others do with a device that is there must not be cut off.
        if !self.in_network() && self.state(deadline).is_ok_and(|state| state == "device") {
            return Ok(());
        }
        self.call_back(deadline)
    }

    fn call_back(&self, deadline: &Deadline) -> Result<(), AdbError> {
        let said = if self.in_network() {
            self.client.connect_device(&self.serial, deadline)
        } else {
            self.client.ask(&format!("host-serial:{}:reconnect", self.serial), deadline)
        };
        match said {
            // The server says so in an answer that is none of a failure.
            Ok(said) if said.contains("not found") => self.announce(deadline),
            Err(AdbError::NoSuchDevice { .. }) => self.announce(deadline),
            Ok(_) | Err(AdbError::Refused { .. } | AdbError::Offline { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Makes the connection again even if the server takes it for sound: a machine that was put back to an earlier
    /// state knows nothing of it, and does not say so.
    pub fn reconnect(&self, deadline: &Deadline) -> Result<(), AdbError> {
        if self.in_network() {
            // One that is not connected need not be disconnected.
            let _ = self.client.ask(&format!("host:disconnect:{}", self.serial), deadline);
        }
        self.call_back(deadline)
    }

    fn in_network(&self) -> bool {
        self.serial.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())
    }

    /// The port on which an emulator's adb daemon listens: one above the console's, which is its name.
    fn emulator_port(&self) -> Option<u16> {
        self.serial.strip_prefix("emulator-")?.parse::<u16>().ok()?.checked_add(1)
    }

    /// Tells the server where the emulator is, as the emulator itself does when it starts: a server that was started
    /// later looks at a few well-known ports only. It connects by itself and sends no answer.
    fn announce(&self, deadline: &Deadline) -> Result<(), AdbError> {
        let Some(port) = self.emulator_port() else { return Ok(()) };
        let request = format!("host:emulator:{port}");
        self.client.open(deadline)?.write(format!("{:04x}{request}", request.len()).as_bytes(), deadline)
    }

    /// Opens a service of the device, such as `exec:ls`.
    pub(crate) fn open(&self, service: &str, deadline: &Deadline) -> Result<Wire, AdbError> {
        let mut wire = self.client.open(deadline)?;
        wire.request(&format!("host:transport:{}", self.serial), &self.serial, deadline)?;
        wire.request(service, &self.serial, deadline)?;
        Ok(wire)
    }

    /// A question to the server about this device, answered with one text.
    pub(crate) fn ask(&self, question: &str, deadline: &Deadline) -> Result<String, AdbError> {
        let mut wire = self.client.open(deadline)?;
        wire.request(&format!("host-serial:{}:{question}", self.serial), &self.serial, deadline)?;
        wire.text(deadline)
    }
}
