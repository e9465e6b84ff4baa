//! What can go wrong between us, the adb server and a device. Each message says what to do.

use std::time::Duration;

use super::Address;

/// Why a call through the adb server failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdbError {
    /// The server's address cannot be read.
    #[error("'{text}' is not the address of an adb server: {why}")]
    Address { text: String, why: String },
    /// Nobody listens there.
    #[error("no adb server answers at {address} ({why}); start one with 'adb start-server'")]
    NoServer {
        address: Address,
        /// What the system said.
        why: String,
    },
    /// There is no adb to start a server with.
    #[error(
        "no adb server answers at {address}, and there is no adb to start one with; install Android's \
         platform-tools (on Debian: apt install adb), or set ADB to its path"
    )]
    NoProgram { address: Address },
    /// The server could not be started.
    #[error("the adb server could not be started: {why}; try '{program} start-server' by hand")]
    NotStarted {
        /// The adb that was tried.
        program: String,
        /// What it said.
        why: String,
    },
    /// The call did not finish in time.
    #[error("{what} did not finish within {within:?}")]
    Timeout {
        /// The call.
        what: &'static str,
        within: Duration,
    },
    /// Somebody called it off.
    #[error("{what} was called off")]
    Cancelled {
        /// The call.
        what: &'static str,
    },
    /// The connection ended in the middle.
    #[error("the connection broke during {what} ({why}); it is made again at the next call")]
    Dropped {
        /// The call.
        what: &'static str,
        /// What the system said.
        why: String,
    },
    /// The phone does not trust this computer.
    #[error(
        "device {serial} does not trust this computer yet; unlock it and accept the dialog 'Allow USB debugging'"
    )]
    Unauthorized { serial: String },
    /// This computer does not let adb open the device.
    #[error(
        "the adb server may not open device {serial}; add a udev rule for it (on Debian install \
         android-sdk-platform-tools-common and join the group plugdev), then plug it in again"
    )]
    NoPermission { serial: String },
    /// The server knows the device but cannot reach it.
    #[error("device {serial} is offline; plug it in again, or try 'adb reconnect offline'")]
    Offline { serial: String },
    /// The server does not know the device.
    #[error("there is no device {serial}; {}", how_to_find(serial))]
    NoSuchDevice { serial: String },
    #[error("no device is connected; plug one in with USB debugging switched on, or start an emulator")]
    NoDevice,
    /// More than one device, and none was named.
    #[error("there is more than one device ({}); name one, as in adb:{}", serials.join(", "), serials.first().map_or("SERIAL", String::as_str))]
    SeveralDevices { serials: Vec<String> },
    /// The server refused for another reason.
    #[error("adb refused '{request}': {why}")]
    Refused {
        request: String,
        /// What the server said.
        why: String,
    },
    /// What came back is not the protocol.
    #[error("the answer to {what} makes no sense ({why}); is this an adb server?")]
    Protocol {
        /// The call.
        what: &'static str,
        why: String,
    },
    /// More came back than anybody can want.
    #[error("{what} sent more than {} MiB; it was cut off", limit >> 20)]
    TooMuch {
        /// The call.
        what: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// A file on the device.
    #[error("{path} on the device: {why}")]
    Remote {
        path: String,
        /// What the device said.
        why: String,
    },
    /// A file here.
    #[error("{path}: {why}")]
    File {
        path: String,
        /// What the system said.
        why: String,
    },
    /// An app was not installed.
    #[error("{apk} was not installed: {why}{}", hint_for(why))]
    Install {
        apk: String,
        /// What the package manager said.
        why: String,
    },
    /// A command on the device failed.
    #[error("'{command}' failed on the device with status {status}: {said}")]
    Command { command: String, status: i32, said: String },
}

impl AdbError {
    /// What the server's refusal means.
    pub(crate) fn from_refusal(request: &str, serial: &str, why: &str) -> Self {
        let said = why.to_ascii_lowercase();
        let serial = || serial.to_owned();
        if ["unauthorized", "still authorizing", "failed to authenticate"]
            .iter()
            .any(|word| said.contains(word))
        {
            Self::Unauthorized { serial: serial() }
        } else if said.contains("no permissions") || said.contains("insufficient permissions") {
            Self::NoPermission { serial: serial() }
        } else if said.contains("more than one") {
            Self::SeveralDevices { serials: Vec::new() }
        } else if said.contains("no devices") {
            Self::NoDevice
        } else if said.contains("not found") && said.contains("device") {
            Self::NoSuchDevice { serial: serial() }
        } else if said.contains("device") && (said.contains("offline") || said.contains("connecting"))
            || said == "closed" && request.starts_with("host")
        {
            Self::Offline { serial: serial() }
        } else {
            Self::Refused { request: request.to_owned(), why: why.to_owned() }
        }
    }

    /// Whether the device or the server cannot be reached: another try may find it again.
    pub const fn is_drop(&self) -> bool {
        matches!(
            self,
            Self::NoServer { .. }
                | Self::NoProgram { .. }
                | Self::Dropped { .. }
                | Self::Offline { .. }
                | Self::NoSuchDevice { .. }
                | Self::NoDevice
                | Self::Unauthorized { .. }
                | Self::NoPermission { .. }
        )
    }

    /// Whether it may be over in a moment: what cannot be reached, was too slow, or is just being started.
    pub const fn passes(&self) -> bool {
        self.is_drop() || matches!(self, Self::Timeout { .. } | Self::NotStarted { .. })
    }
}

fn how_to_find(serial: &str) -> String {
    match serial.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => format!("connect it with 'adb connect {serial}'"),
        _ => "'adb devices' shows those that are connected".to_owned(),
    }
}

fn hint_for(why: &str) -> &'static str {
    const HINTS: [(&str, &str); 8] = [
        ("INSTALL_FAILED_UPDATE_INCOMPATIBLE", "; uninstall the other build of the app first"),
        ("INSTALL_FAILED_VERSION_DOWNGRADE", "; uninstall the newer build of the app first"),
        ("INSTALL_FAILED_INSUFFICIENT_STORAGE", "; free some space on the device"),
        ("INSTALL_FAILED_NO_MATCHING_ABIS", "; the app is built for another processor"),
        ("INSTALL_FAILED_OLDER_SDK", "; the app needs a newer Android"),
        (
            "INSTALL_FAILED_VERIFICATION_FAILURE",
            "; switch off 'Verify apps over USB' in the developer options",
        ),
        ("INSTALL_FAILED_MISSING_SPLIT", "; this is one part of several: build one file with all of them"),
        ("INSTALL_FAILED_USER_RESTRICTED", "; allow 'Install via USB' in the developer options"),
    ];
    HINTS.iter().find(|(code, _)| why.contains(code)).map_or("", |(_, hint)| hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(why: &str) -> AdbError {
        AdbError::from_refusal("host:transport:R5", "R5", why)
    }

    #[test]
    fn refusals_are_told_apart() {
        let unauthorized = "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set";
        assert!(matches!(refusal(unauthorized), AdbError::Unauthorized { .. }));
        assert!(matches!(refusal("device still authorizing"), AdbError::Unauthorized { .. }));
        assert!(matches!(refusal("device offline"), AdbError::Offline { .. }));
        assert!(matches!(refusal("device still connecting"), AdbError::Offline { .. }));
        assert!(matches!(refusal("device 'R5' not found"), AdbError::NoSuchDevice { .. }));
        assert!(matches!(refusal("no devices/emulators found"), AdbError::NoDevice));
        assert!(matches!(refusal("more than one device/emulator"), AdbError::SeveralDevices { .. }));
        let udev = "insufficient permissions for device: user in plugdev group; are your udev rules wrong?";
        assert!(matches!(refusal(udev), AdbError::NoPermission { .. }));
        assert!(matches!(refusal("unknown host service"), AdbError::Refused { .. }));
    }

    #[test]
    fn every_message_says_what_to_do() {
        assert!(refusal("device unauthorized").to_string().contains("accept the dialog"));
        assert!(refusal("no permissions").to_string().contains("udev"));
        let missing = |serial: &str| AdbError::NoSuchDevice { serial: serial.into() }.to_string();
        assert!(missing("R5").ends_with("'adb devices' shows those that are connected"));
        assert!(missing("10.0.0.7:5555").ends_with("connect it with 'adb connect 10.0.0.7:5555'"));
        let several = AdbError::SeveralDevices { serials: vec!["A".into(), "B".into()] };
        assert_eq!(several.to_string(), "there is more than one device (A, B); name one, as in adb:A");
        let install = AdbError::Install {
            apk: "a.apk".into(),
            why: "Failure [INSTALL_FAILED_VERSION_DOWNGRADE]".into(),
        };
        assert!(install.to_string().ends_with("uninstall the newer build of the app first"));
    }
}
