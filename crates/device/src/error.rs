//! What can go wrong with a device. None of it is evidence about the app.

use retap_trace::Micros;

/// Why a call to a device failed. A run in which this happens is inconclusive: the device failed, not the app.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The device cannot be reached.
    #[error("device {device} is offline")]
    Offline {
        /// Which.
        device: String,
    },
    /// The call did not return in time.
    #[error("{call} did not finish within {within}")]
    Timeout {
        /// The call.
        call: &'static str,
        /// The deadline.
        within: Micros,
    },
    /// The app under test is not on the device any more, or does not start.
    #[error("the app {package} is gone from the device")]
    AppGone {
        /// Which app.
        package: String,
    },
    /// The device cannot do this at all.
    #[error("{device} does not support {what}")]
    NotSupported {
        /// Which device.
        device: String,
        /// What was asked of it.
        what: String,
    },
    /// The call failed on the device, and may work when tried again.
    #[error("{call} failed: {why}")]
    Failed {
        /// The call.
        call: &'static str,
        /// What the device said.
        why: String,
    },
}

impl DeviceError {
    /// Whether the same call may work when it is tried again.
    pub const fn passing(&self) -> bool {
        match self {
            Self::Offline { .. } | Self::Timeout { .. } | Self::Failed { .. } => true,
            Self::AppGone { .. } | Self::NotSupported { .. } => false,
        }
    }
}
