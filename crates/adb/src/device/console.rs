//! The emulator's console: a port of this computer that takes lines and answers `OK` or `KO`.

use crate::client::{AdbError, Address, Deadline, Wire};
use crate::parse::{ConsoleReply, console_reply};

/// How to reach the console of an emulator.
#[derive(Debug, Clone)]
pub(crate) struct Console {
    address: Address,
    token: Option<String>,
}

/// No answer is longer.
const LONGEST: usize = 1 << 20;

impl Console {
    /// The console of an emulator, by its serial number; none for other devices.
    pub(crate) fn of(serial: &str, token: Option<String>) -> Option<Self> {
        let port = serial.strip_prefix("emulator-")?.parse().ok()?;
        Some(Self { address: Address::local_port(port), token })
    }

    /// Sends a command and returns the lines of its answer.
    pub(crate) fn command(&self, command: &str, deadline: &Deadline) -> Result<Vec<String>, AdbError> {
        let mut wire = Wire::connect(&self.address, deadline)?;
        let mut received = Vec::new();
        let greeting = answer(&mut wire, &mut received, deadline)?;
        let wants_token = greeting.lines.iter().any(|line| line.contains("Authentication required"));
        if wants_token {
            let Some(token) = &self.token else {
                return Err(refused("auth", "the file ~/.emulator_console_auth_token cannot be read"));
            };
            self.ask(&mut wire, &mut received, &format!("auth {token}"), "auth", deadline)?;
        }
        let lines = self.ask(&mut wire, &mut received, command, command, deadline)?;
        // It closes by itself when we go; saying so is only polite.
        let _ = wire.write(b"quit\r\n", deadline);
        Ok(lines)
    }

    fn ask(
        &self,
        wire: &mut Wire,
        received: &mut Vec<u8>,
        line: &str,
        name: &str,
        deadline: &Deadline,
    ) -> Result<Vec<String>, AdbError> {
        wire.write(format!("{line}\r\n").as_bytes(), deadline)?;
        let reply = answer(wire, received, deadline)?;
        reply
            .outcome
            .map(|()| reply.lines)
            .map_err(|why| refused(name, &format!("{why} (console at {})", self.address)))
    }
}

fn answer(wire: &mut Wire, received: &mut Vec<u8>, deadline: &Deadline) -> Result<ConsoleReply, AdbError> {
    let mut buffer = [0; 4096];
    loop {
        if let Some(reply) = console_reply(received) {
            received.drain(..reply.length);
            return Ok(reply);
        }
        if received.len() > LONGEST {
            return Err(AdbError::TooMuch { what: deadline.what(), limit: LONGEST });
        }
        match wire.read(&mut buffer, deadline)? {
            0 => {
                return Err(AdbError::Dropped {
                    what: deadline.what(),
                    why: "the console closed".to_owned(),
                });
            }
            count => received.extend_from_slice(&buffer[..count]),
        }
    }
}

fn refused(request: &str, why: &str) -> AdbError {
    AdbError::Refused { request: request.to_owned(), why: why.to_owned() }
}
