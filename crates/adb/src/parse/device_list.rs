//! `adb devices -l`, as the server writes it.

use crate::client::AdbError;

/// A device that the server knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Serial number, `emulator-5554` or `HOST:PORT`.
    pub serial: String,
    pub state: DeviceState,
    /// The model, where the server tells it.
    pub model: Option<String>,
    /// The product, where the server tells it.
    pub product: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceState {
    /// Ready to use.
    Device,
    /// Known but not to be reached.
    Offline,
    /// The phone does not trust this computer.
    Unauthorized,
    /// The phone was just asked and has not answered.
    Authorizing,
    /// This computer may not open it.
    NoPermission,
    Connecting,
    /// In the boot loader, in recovery, or whatever else.
    Other(String),
}

impl DeviceState {
    /// Whether commands can be run on it.
    pub const fn is_ready(&self) -> bool {
        matches!(self, Self::Device)
    }

    /// An error that says what to do when it is not.
    pub fn usable(&self, serial: &str) -> Result<(), AdbError> {
        let serial = serial.to_owned();
        Err(match self {
            Self::Device => return Ok(()),
            Self::Unauthorized | Self::Authorizing => AdbError::Unauthorized { serial },
            Self::NoPermission => AdbError::NoPermission { serial },
            Self::Offline | Self::Connecting => AdbError::Offline { serial },
            Self::Other(state) => AdbError::Refused {
                request: format!("device {serial}"),
                why: format!("it is in the state '{state}'; start Android on it"),
            },
        })
    }
}

/// Reads the list. Lines that name no device are passed over.
pub fn device_list(text: &str) -> Vec<Listed> {
    // A lab has hundreds of devices, not more.
    const MOST: usize = 4096;
    text.lines().filter_map(device).take(MOST).collect()
}

/// `emulator-5554   device product:sdk model:Android_SDK device:generic transport_id:1`
fn device(line: &str) -> Option<Listed> {
    let line = line.trim();
    if line.is_empty() || line.starts_with("List of devices") || line.starts_with('*') {
        return None;
    }
    // The serial of a device without permissions may be question marks, and the state several words.
    let (serial, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let state = if rest.starts_with("no permissions") {
        DeviceState::NoPermission
    } else {
        match rest.split_whitespace().next()? {
            "device" => DeviceState::Device,
            "offline" => DeviceState::Offline,
            "unauthorized" => DeviceState::Unauthorized,
            "authorizing" => DeviceState::Authorizing,
            "connecting" => DeviceState::Connecting,
            other => DeviceState::Other(other.to_owned()),
        }
    };
    let told =
        |name: &str| rest.split_whitespace().find_map(|word| word.strip_prefix(name)).map(str::to_owned);
    Some(Listed { serial: serial.to_owned(), state, model: told("model:"), product: told("product:") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_read() {
        let text = "List of devices attached\n\
            emulator-5554          device product:sdk_gphone model:Android_SDK_built_for_x86 device:generic transport_id:1\n\
            R58M12ABCDE\tunauthorized usb:1-4 transport_id:2\n\
            192.168.1.7:5555       offline transport_id:3\n\
            ????????????           no permissions (user in plugdev group; are your udev rules wrong?); see [http://x]\n\
            0123 recovery\n\n* daemon started successfully\nlonely\n";
        let list = device_list(text);
        let states: Vec<_> =
            list.iter().map(|device| (device.serial.as_str(), device.state.clone())).collect();
        assert_eq!(
            states,
            [
                ("emulator-5554", DeviceState::Device),
                ("R58M12ABCDE", DeviceState::Unauthorized),
                ("192.168.1.7:5555", DeviceState::Offline),
                ("????????????", DeviceState::NoPermission),
                ("0123", DeviceState::Other("recovery".to_owned())),
            ]
        );
        assert_eq!(list[0].model.as_deref(), Some("Android_SDK_built_for_x86"));
        assert_eq!(list[0].product.as_deref(), Some("sdk_gphone"));
    }

    #[test]
    fn a_device_that_is_not_ready_says_what_to_do() {
        let said = |state: DeviceState| state.usable("R5").unwrap_err().to_string();
        assert!(said(DeviceState::Unauthorized).contains("accept the dialog"));
        assert!(said(DeviceState::NoPermission).contains("udev"));
        assert!(said(DeviceState::Offline).contains("plug it in again"));
        assert!(said(DeviceState::Other("recovery".into())).contains("'recovery'"));
        assert!(DeviceState::Device.usable("R5").is_ok());
    }
}
