//! A process on the device that stays open: a shell to write commands to, or logcat to read from.

use super::packet::{self, PacketKind};
use super::wire::Wire;
use super::{AdbError, Deadline, Transport};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessOutput {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    /// It ended, with this status where the device tells it.
    Ended(Option<u8>),
}

/// A process on the device. Dropping it ends it.
#[derive(Debug)]
pub struct ShellProcess {
    wire: Wire,
    packets: bool,
}

impl Transport {
    /// Starts a command and leaves it running. Where the device has no shell protocol 2, errors come with the
    /// output and there is no status.
    pub fn spawn(&self, command: &str, deadline: &Deadline) -> Result<ShellProcess, AdbError> {
        let packets = self.features(deadline)?.shell_v2();
        let service = if packets { format!("shell,v2,raw:{command}") } else { format!("exec:{command}") };
        Ok(ShellProcess { wire: self.open(&service, deadline)?, packets })
    }
}

/// The output of a command as it comes, byte by byte, with no end that anybody waits for.
#[derive(Debug)]
pub struct Stream {
    wire: Wire,
}

impl Transport {
    /// Starts a command of which only the output is wanted.
    pub fn stream(&self, command: &str, deadline: &Deadline) -> Result<Stream, AdbError> {
        Ok(Stream { wire: self.open(&format!("exec:{command}"), deadline)? })
    }
}

impl Stream {
    /// Reads what there is; zero at the end. After a timeout it can go on: there are no packets to lose.
    pub fn read(&mut self, buffer: &mut [u8], deadline: &Deadline) -> Result<usize, AdbError> {
        self.wire.read(buffer, deadline)
    }
}

impl ShellProcess {
    /// Whether it is known to have ended, or to have something to say that nobody asked for.
    pub fn is_gone(&self) -> bool {
        self.wire.is_closed()
    }

    /// Writes to its standard input.
    pub fn write(&mut self, bytes: &[u8], deadline: &Deadline) -> Result<(), AdbError> {
        if self.packets {
            packet::write(&mut self.wire, PacketKind::Stdin, bytes, deadline)
        } else {
            self.wire.write(bytes, deadline)
        }
    }

    /// Closes its standard input. Without shell protocol 2 there is no way to, and nothing happens.
    pub fn close_stdin(&mut self, deadline: &Deadline) -> Result<(), AdbError> {
        if self.packets {
            packet::write(&mut self.wire, PacketKind::CloseStdin, &[], deadline)
        } else {
            Ok(())
        }
    }

    /// Whether errors come apart from the output.
    pub const fn tells_apart(&self) -> bool {
        self.packets
    }

    /// Waits for what it sends next.
    pub fn read(&mut self, deadline: &Deadline) -> Result<ProcessOutput, AdbError> {
        if !self.packets {
            let mut buffer = vec![0; 32 << 10];
            let count = self.wire.read(&mut buffer, deadline)?;
            buffer.truncate(count);
            return Ok(if count == 0 { ProcessOutput::Ended(None) } else { ProcessOutput::Stdout(buffer) });
        }
        loop {
            return Ok(match packet::read(&mut self.wire, deadline)? {
                None => ProcessOutput::Ended(None),
                Some((kind, bytes)) if kind == PacketKind::Stdout as u8 => ProcessOutput::Stdout(bytes),
                Some((kind, bytes)) if kind == PacketKind::Stderr as u8 => ProcessOutput::Stderr(bytes),
                Some((kind, bytes)) if kind == PacketKind::Exit as u8 => {
                    ProcessOutput::Ended(bytes.first().copied())
                }
                Some(_) => continue,
            });
        }
    }
}
