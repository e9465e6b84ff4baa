//! Ports of this computer that lead to the device.

use super::{AdbError, Deadline, Transport};

/// A port that leads to a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forward {
    pub serial: String,
    /// This end, such as `tcp:6100`.
    pub local: String,
    /// The device's end, such as `tcp:9008`.
    pub remote: String,
}

impl Transport {
    /// Leads a free port of this computer to the device's end and returns its number.
    pub fn forward(&self, remote: &str, deadline: &Deadline) -> Result<u16, AdbError> {
        let request = format!("host-serial:{}:forward:tcp:0;{remote}", self.serial());
        let mut wire = self.client().open(deadline)?;
        // The first OKAY says that the server listens to us, the second that it listens on the port.
        wire.request(&request, self.serial(), deadline)?;
        wire.status(&request, self.serial(), deadline)?;
        let port = wire.text(deadline)?;
        port.trim()
            .parse()
            .map_err(|_| AdbError::Protocol { what: deadline.what(), why: format!("the port is '{port}'") })
    }

    pub fn kill_forward(&self, port: u16, deadline: &Deadline) -> Result<(), AdbError> {
        let request = format!("host-serial:{}:killforward:tcp:{port}", self.serial());
        let mut wire = self.client().open(deadline)?;
        wire.request(&request, self.serial(), deadline)?;
        wire.status(&request, self.serial(), deadline)
    }

    pub fn forwards(&self, deadline: &Deadline) -> Result<Vec<Forward>, AdbError> {
        let listed = self.ask("list-forward", deadline)?;
        let read = |line: &str| {
            let mut words = line.split_whitespace().map(str::to_owned);
            Some(Forward { serial: words.next()?, local: words.next()?, remote: words.next()? })
        };
        Ok(listed.lines().filter_map(read).filter(|forward| forward.serial == self.serial()).collect())
    }
}
