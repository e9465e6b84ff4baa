//! One connection to the adb server: requests of four hex digits and a text, answers of `OKAY` or `FAIL`.
//!
//! Invariant: no read or write waits past the deadline it was given, nor past a cancel.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::{AdbError, Address, Deadline};

/// The longest text that a length of four hex digits can announce.
const LONGEST_REQUEST: usize = 0xffff;

/// A connection. Dropping it closes it, and with it whatever runs at its other end.
#[derive(Debug)]
pub(crate) struct Wire {
    socket: Socket,
    waits: Option<Duration>,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpStream),
    #[cfg(unix)]
    Local(UnixStream),
}

impl Wire {
    pub(crate) fn connect(address: &Address, deadline: &Deadline) -> Result<Self, AdbError> {
        let socket = match address {
            Address::Tcp { host, port } => Socket::Tcp(connect_tcp(address, host, *port, deadline)?),
            #[cfg(unix)]
            Address::Local(path) => {
                Socket::Local(UnixStream::connect(path).map_err(|error| no_server(address, &error))?)
            }
            #[cfg(not(unix))]
            Address::Local(_) => {
                return Err(no_server(address, &std::io::Error::from(ErrorKind::Unsupported)));
            }
        };
        Ok(Self { socket, waits: None })
    }

    /// Sends a request and waits for `OKAY`.
    pub(crate) fn request(
        &mut self,
        request: &str,
        serial: &str,
        deadline: &Deadline,
    ) -> Result<(), AdbError> {
        if request.len() > LONGEST_REQUEST {
            let why =
                format!("it is {} bytes long, and adb takes no more than {LONGEST_REQUEST}", request.len());
            return Err(AdbError::Refused { request: request.chars().take(60).collect(), why });
        }
        self.write(format!("{:04x}{request}", request.len()).as_bytes(), deadline)?;
        self.status(request, serial, deadline)
    }

    /// Reads `OKAY`, or `FAIL` with its reason.
    pub(crate) fn status(
        &mut self,
        request: &str,
        serial: &str,
        deadline: &Deadline,
    ) -> Result<(), AdbError> {
        let mut status = [0; 4];
        self.read_exact(&mut status, deadline)?;
        match &status {
            b"OKAY" => Ok(()),
            b"FAIL" => {
                let why = self.text(deadline)?;
                Err(AdbError::from_refusal(request, serial, why.trim()))
            }
            other => Err(nonsense(deadline, format!("it begins with {:?}", String::from_utf8_lossy(other)))),
        }
    }

    /// Reads a text with its length in front.
    pub(crate) fn text(&mut self, deadline: &Deadline) -> Result<String, AdbError> {
        let mut length = [0; 4];
        self.read_exact(&mut length, deadline)?;
        let digits =
            std::str::from_utf8(&length).ok().filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let length = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let length =
            length.ok_or_else(|| nonsense(deadline, "a length is not four hex digits".to_owned()))?;
        let mut text = vec![0; length];
        self.read_exact(&mut text, deadline)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    pub(crate) fn read_exact(&mut self, buffer: &mut [u8], deadline: &Deadline) -> Result<(), AdbError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..], deadline)? {
                0 => {
                    return Err(AdbError::Dropped { what: deadline.what(), why: "it was closed".to_owned() });
                }
                count => filled += count,
            }
        }
        Ok(())
    }

    /// Reads what there is; zero at the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8], deadline: &Deadline) -> Result<usize, AdbError> {
        loop {
            self.wait_at_most(deadline.slice()?)?;
            let read = match &mut self.socket {
                Socket::Tcp(socket) => {
                    acknowledge_at_once(socket);
                    socket.read(buffer)
                }
                #[cfg(unix)]
                Socket::Local(socket) => socket.read(buffer),
            };
            match read {
                Ok(count) => return Ok(count),
                Err(error) if is_wait(error.kind()) => {}
                Err(error) => {
                    return Err(AdbError::Dropped { what: deadline.what(), why: error.to_string() });
                }
            }
        }
    }

    /// Whether the other end has closed, as far as can be seen without waiting.
    pub(crate) fn is_closed(&self) -> bool {
        let socket = match &self.socket {
            Socket::Tcp(socket) => socket,
            #[cfg(unix)]
            Socket::Local(_) => return false,
        };
        let seen = socket.set_nonblocking(true).and_then(|()| socket.peek(&mut [0]));
        let restored = socket.set_nonblocking(false);
        match seen {
            Ok(0) => true,
            Ok(_) => restored.is_err(),
            Err(error) => !is_wait(error.kind()) || restored.is_err(),
        }
    }

    /// Reads all until the other end closes, but no more than `limit` bytes.
    pub(crate) fn read_to_end(&mut self, limit: usize, deadline: &Deadline) -> Result<Vec<u8>, AdbError> {
        let mut all = Vec::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            match self.read(&mut buffer, deadline)? {
                0 => return Ok(all),
                count => all.extend_from_slice(&buffer[..count]),
            }
            if all.len() > limit {
                return Err(AdbError::TooMuch { what: deadline.what(), limit });
            }
        }
    }

    /// Writes everything.
    pub(crate) fn write(&mut self, mut bytes: &[u8], deadline: &Deadline) -> Result<(), AdbError> {
        while !bytes.is_empty() {
            self.wait_at_most(deadline.slice()?)?;
            let written = match &mut self.socket {
                Socket::Tcp(socket) => socket.write(bytes),
                #[cfg(unix)]
                Socket::Local(socket) => socket.write(bytes),
            };
            match written {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if is_wait(error.kind()) => {}
                Err(error) => {
                    return Err(AdbError::Dropped { what: deadline.what(), why: error.to_string() });
                }
            }
        }
        Ok(())
    }

    /// Sets the timeouts of the socket, when they are not so already: it is a system call.
    fn wait_at_most(&mut self, wait: Duration) -> Result<(), AdbError> {
        if self.waits == Some(wait) {
            return Ok(());
        }
        let set = match &self.socket {
            Socket::Tcp(socket) => {
                socket.set_read_timeout(Some(wait)).and_then(|()| socket.set_write_timeout(Some(wait)))
            }
            #[cfg(unix)]
            Socket::Local(socket) => {
                socket.set_read_timeout(Some(wait)).and_then(|()| socket.set_write_timeout(Some(wait)))
            }
        };
        set.map_err(|error| AdbError::Dropped { what: "setting a timeout", why: error.to_string() })?;
        self.waits = Some(wait);
        Ok(())
    }
}

fn connect_tcp(address: &Address, host: &str, port: u16, deadline: &Deadline) -> Result<TcpStream, AdbError> {
    let places = (host, port).to_socket_addrs().map_err(|error| no_server(address, &error))?;
    let mut last = std::io::Error::new(ErrorKind::NotFound, "the host has no address");
    for place in places {
        match TcpStream::connect_timeout(&place, deadline.left()?) {
            Ok(socket) => {
                // Requests are small and answered at once: waiting to fill a packet only costs time.
                let _ = socket.set_nodelay(true);
                return Ok(socket);
            }
            Err(error) => last = error,
        }
    }
    deadline.left()?;
    Err(no_server(address, &last))
}

/// The adb server holds a small packet back until the one before is acknowledged, and systems acknowledge late when
/// they have nothing to send: that would make 40 ms of every command. The system forgets the wish, so it is repeated.
#[cfg(target_os = "linux")]
fn acknowledge_at_once(socket: &TcpStream) {
    // It is only slower without.
    let _ = rustix::net::sockopt::set_tcp_quickack(socket, true);
}

#[cfg(not(target_os = "linux"))]
fn acknowledge_at_once(_: &TcpStream) {}

fn no_server(address: &Address, error: &std::io::Error) -> AdbError {
    AdbError::NoServer { address: address.clone(), why: error.to_string() }
}

fn is_wait(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

fn nonsense(deadline: &Deadline, why: String) -> AdbError {
    AdbError::Protocol { what: deadline.what(), why }
}
