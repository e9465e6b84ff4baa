//! What the environment says about adb. Nothing else in this crate reads a variable.

use std::env;
use std::path::{Path, PathBuf};

use super::{AdbError, Address};

/// The port of the adb server where nothing says otherwise.
pub const DEFAULT_PORT: u16 = 5037;

/// The variables that adb's own tools obey.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// `ADB_SERVER_SOCKET`.
    pub server_socket: Option<String>,
    /// `ANDROID_ADB_SERVER_ADDRESS`.
    pub server_address: Option<String>,
    /// `ANDROID_ADB_SERVER_PORT`.
    pub server_port: Option<String>,
    /// `ANDROID_SERIAL`.
    pub serial: Option<String>,
    /// `ADB`: the adb program itself.
    pub adb: Option<PathBuf>,
    /// `ANDROID_HOME` and `ANDROID_SDK_ROOT`.
    pub sdks: Vec<PathBuf>,
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
    pub home: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn read() -> Self {
        let text = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self {
            server_socket: text("ADB_SERVER_SOCKET"),
            server_address: text("ANDROID_ADB_SERVER_ADDRESS"),
            server_port: text("ANDROID_ADB_SERVER_PORT"),
            serial: text("ANDROID_SERIAL"),
            adb: path("ADB"),
            sdks: ["ANDROID_HOME", "ANDROID_SDK_ROOT"].into_iter().filter_map(path).collect(),
            path: env::var_os("PATH").map(|list| env::split_paths(&list).collect()).unwrap_or_default(),
            home: path("HOME").or_else(|| path("USERPROFILE")),
        }
    }

    /// Where the server is.
    pub fn address(&self) -> Result<Address, AdbError> {
        if let Some(socket) = &self.server_socket {
            return socket.parse();
        }
        let host = self.server_address.clone().unwrap_or_else(|| "127.0.0.1".to_owned());
        let port = match &self.server_port {
            None => DEFAULT_PORT,
            Some(port) => port.parse().ok().filter(|port| *port != 0).ok_or_else(|| AdbError::Address {
                text: format!("ANDROID_ADB_SERVER_PORT={port}"),
                why: "the port must be a number from 1 to 65535".to_owned(),
            })?,
        };
        Ok(Address::Tcp { host, port })
    }

    /// The user's adb: what `ADB` names, else that of the SDK, else the first on `PATH`.
    pub fn find_adb(&self) -> Option<PathBuf> {
        let program = if cfg!(windows) { "adb.exe" } else { "adb" };
        let in_sdks = self.sdks.iter().map(|sdk| sdk.join("platform-tools").join(program));
        let in_path = self.path.iter().map(|folder| folder.join(program));
        self.adb.clone().into_iter().chain(in_sdks).chain(in_path).find(|path| is_program(path))
    }

    /// The token that the emulator's console asks for. None when the file is not there or empty: then the console
    /// asks for none.
    pub fn console_token(&self) -> Option<String> {
        let file = self.home.as_ref()?.join(".emulator_console_auth_token");
        let token = std::fs::read_to_string(file).ok()?;
        let token = token.trim();
        (!token.is_empty()).then(|| token.to_owned())
    }
}

fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(socket: Option<&str>, address: Option<&str>, port: Option<&str>) -> Environment {
        let text = |value: Option<&str>| value.map(str::to_owned);
        Environment {
            server_socket: text(socket),
            server_address: text(address),
            server_port: text(port),
            ..Environment::default()
        }
    }

    #[test]
    fn the_socket_counts_before_address_and_port() {
        let address = |environment: Environment| environment.address().unwrap().to_string();
        assert_eq!(address(set(None, None, None)), "127.0.0.1:5037");
        assert_eq!(address(set(None, None, Some("6000"))), "127.0.0.1:6000");
        assert_eq!(address(set(None, Some("lab"), Some("6000"))), "lab:6000");
        assert_eq!(address(set(Some("tcp:7000"), Some("lab"), Some("6000"))), "127.0.0.1:7000");
    }

    #[test]
    fn a_wrong_port_is_named() {
        for port in ["", "0", "70000", "adb"] {
            let why = set(None, None, Some(port)).address().unwrap_err().to_string();
            assert!(why.contains("ANDROID_ADB_SERVER_PORT"), "{why}");
        }
    }

    #[test]
    fn the_adb_of_the_variable_comes_first_then_the_sdk_then_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let program = if cfg!(windows) { "adb.exe" } else { "adb" };
        let (own, sdk, path) =
            (place("own"), place(&format!("sdk/platform-tools/{program}")), place(&format!("bin/{program}")));
        let mut environment = Environment {
            adb: Some(own.clone()),
            sdks: vec![folder.path().join("sdk")],
            path: vec![folder.path().join("nowhere"), folder.path().join("bin")],
            ..Environment::default()
        };
        assert_eq!(environment.find_adb(), Some(own));
        environment.adb = Some(folder.path().join("missing"));
        assert_eq!(environment.find_adb(), Some(sdk));
        environment.sdks.clear();
        assert_eq!(environment.find_adb(), Some(path));
        environment.path.clear();
        assert_eq!(environment.find_adb(), None);
    }

    #[test]
    fn an_empty_token_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment { home: Some(folder.path().to_owned()), ..Environment::default() };
        assert_eq!(environment.console_token(), None);
        let file = folder.path().join(".emulator_console_auth_token");
        std::fs::write(&file, "\n").unwrap();
        assert_eq!(environment.console_token(), None);
        std::fs::write(&file, "a1b2\n").unwrap();
        assert_eq!(environment.console_token().as_deref(), Some("a1b2"));
    }
}
