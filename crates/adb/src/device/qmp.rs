//! QEMU's control socket: JSON, one object a line.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{AdbError, Address, Deadline, Wire};

/// How to reach QEMU.
#[derive(Debug, Clone)]
pub(crate) struct Qmp {
    address: Address,
}

/// No answer is longer.
const LONGEST: usize = 4 << 20;
/// Events may come before an answer, but not for ever.
const MOST_EVENTS: usize = 10_000;

impl Qmp {
    /// By its socket: a path, or `HOST:PORT`.
    pub(crate) fn at(path: PathBuf) -> Self {
        let port = path.to_str().and_then(|text| text.rsplit_once(':'));
        let address = match port.and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?))) {
            Some((host, port)) => Address::Tcp { host, port },
            None => Address::Local(path),
        };
        Self { address }
    }

    /// Runs a command of QEMU's monitor for people, and returns what it printed. It prints nothing when all is well.
    pub(crate) fn monitor(&self, command: &str, deadline: &Deadline) -> Result<String, AdbError> {
        let mut line = Lines { wire: Wire::connect(&self.address, deadline)?, received: Vec::new() };
        let greeting = line.next(deadline)?;
        if greeting.get("QMP").is_none() {
            return Err(AdbError::Protocol {
                what: deadline.what(),
                why: "it does not greet as QEMU does".to_owned(),
            });
        }
        line.ask(&json!({ "execute": "qmp_capabilities" }), deadline)?;
        let arguments = json!({ "command-line": command });
        let said =
            line.ask(&json!({ "execute": "human-monitor-command", "arguments": arguments }), deadline)?;
        Ok(said.as_str().unwrap_or_default().to_owned())
    }
}

struct Lines {
    wire: Wire,
    received: Vec<u8>,
}

impl Lines {
    /// Sends a command and waits for its answer; events in between are passed over.
    fn ask(&mut self, command: &Value, deadline: &Deadline) -> Result<Value, AdbError> {
        self.wire.write(format!("{command}\n").as_bytes(), deadline)?;
        for _ in 0..MOST_EVENTS {
            let mut answer = self.next(deadline)?;
            if let Some(value) = answer.get_mut("return") {
                return Ok(value.take());
            }
            if let Some(error) = answer.get("error") {
                let why =
                    error.get("desc").and_then(Value::as_str).unwrap_or("it does not say why").to_owned();
                let request = command.get("execute").and_then(Value::as_str).unwrap_or_default().to_owned();
                return Err(AdbError::Refused { request, why });
            }
        }
        Err(AdbError::Protocol { what: deadline.what(), why: "QEMU never answers".to_owned() })
    }

    fn next(&mut self, deadline: &Deadline) -> Result<Value, AdbError> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(end) = self.received.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=end).collect();
                return serde_json::from_slice(&line)
                    .map_err(|error| AdbError::Protocol { what: deadline.what(), why: error.to_string() });
            }
            if self.received.len() > LONGEST {
                return Err(AdbError::TooMuch { what: deadline.what(), limit: LONGEST });
            }
            match self.wire.read(&mut buffer, deadline)? {
                0 => return Err(AdbError::Dropped { what: deadline.what(), why: "QEMU closed".to_owned() }),
                count => self.received.extend_from_slice(&buffer[..count]),
            }
        }
    }
}
