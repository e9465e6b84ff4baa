//! Devices as they come and go.

use crate::parse::{self, Listed};

use super::wire::Wire;
use super::{AdbError, Client, Deadline};

/// A connection on which the server sends the list of devices whenever it changes.
#[derive(Debug)]
pub struct Tracker {
    wire: Wire,
}

impl Tracker {
    pub(super) fn open(client: &Client, deadline: &Deadline) -> Result<Self, AdbError> {
        // Servers before 2016 do not know the long list.
        let mut refused = None;
        for request in ["host:track-devices-l", "host:track-devices"] {
            let mut wire = client.open(deadline)?;
            match wire.request(request, "", deadline) {
                Ok(()) => return Ok(Self { wire }),
                Err(error @ AdbError::Refused { .. }) => refused = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(refused.expect("both requests were refused"))
    }

    /// Waits for the next list; the first comes at once. After an error the tracker must be opened again.
    pub fn next(&mut self, deadline: &Deadline) -> Result<Vec<Listed>, AdbError> {
        Ok(parse::device_list(&self.wire.text(deadline)?))
    }
}
