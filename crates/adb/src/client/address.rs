//! Where an adb server is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::AdbError;

/// Where an adb server is, as `ADB_SERVER_SOCKET` writes it: `tcp:5037`, `tcp:HOST:PORT`, `localfilesystem:PATH`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    /// A port of a host.
    Tcp {
        /// The host, by name or number.
        host: String,
        port: u16,
    },
    /// A socket in the file system.
    Local(PathBuf),
}

impl Address {
    /// A port of this computer.
    pub fn local_port(port: u16) -> Self {
        Self::Tcp { host: "127.0.0.1".to_owned(), port }
    }

    /// The port, where the server is on this computer: only such a server can be started from here.
    pub fn startable(&self) -> Option<u16> {
        match self {
            Self::Tcp { host, port } if matches!(host.as_str(), "127.0.0.1" | "localhost" | "::1") => {
                Some(*port)
            }
            _ => None,
        }
    }

    /// Whether the server is on this computer, and with it the consoles of its emulators.
    pub fn is_here(&self) -> bool {
        self.startable().is_some() || matches!(self, Self::Local(_))
    }
}

impl FromStr for Address {
    type Err = AdbError;

    fn from_str(text: &str) -> Result<Self, AdbError> {
        let wrong = |why: &str| AdbError::Address { text: text.to_owned(), why: why.to_owned() };
        if let Some(path) = text.strip_prefix("localfilesystem:").filter(|path| !path.is_empty()) {
            return Ok(Self::Local(PathBuf::from(path)));
        }
        let Some(rest) = text.strip_prefix("tcp:") else {
            return Err(wrong("write tcp:PORT, tcp:HOST:PORT or localfilesystem:PATH"));
        };
        let (host, port) = rest.rsplit_once(':').unwrap_or(("127.0.0.1", rest));
        let port = port.parse().ok().filter(|port| *port != 0);
        let port = port.ok_or_else(|| wrong("the port must be a number from 1 to 65535"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return Err(wrong("the host is missing"));
        }
        Ok(Self::Tcp { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Local(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_adb_reads_them() {
        let read = |text: &str| text.parse::<Address>().map(|address| address.to_string());
        assert_eq!(read("tcp:5037").unwrap(), "127.0.0.1:5037");
        assert_eq!(read("tcp:lab.example:6000").unwrap(), "lab.example:6000");
        assert_eq!(read("tcp:[::1]:6000").unwrap(), "[::1]:6000");
        assert_eq!(read("localfilesystem:/run/adb").unwrap(), "/run/adb");
        for wrong in
            ["", "5037", "tcp:", "tcp:x", "tcp:0", "tcp::1", "tcp:h:99999", "localfilesystem:", "vsock:1:2"]
        {
            assert!(read(wrong).unwrap_err().to_string().contains(&format!("'{wrong}'")), "{wrong}");
        }
    }

    #[test]
    fn only_a_server_here_can_be_started() {
        assert_eq!(Address::local_port(7).startable(), Some(7));
        assert_eq!("tcp:lab:7".parse::<Address>().unwrap().startable(), None);
        assert_eq!("localfilesystem:/x".parse::<Address>().unwrap().startable(), None);
        let here = |text: &str| text.parse::<Address>().unwrap().is_here();
        assert!(here("tcp:7") && here("localfilesystem:/x") && !here("tcp:lab:7"));
    }
}
