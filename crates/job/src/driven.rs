//! How driving an algorithm ended, for every job alike.

use retap_lab::{DriveError, LabError};

use crate::error::Result;

/// How it ended.
pub(crate) struct Driven {
    /// Whether the algorithm wants nothing more. Else somebody stopped it, or no device was left.
    pub(crate) over: bool,
    /// Why no device was left.
    pub(crate) no_device_left: Option<String>,
}

impl Driven {
    /// From what the loop gave. A job that cannot go on has a result; what is wrong otherwise is an error.
    pub(crate) fn of(driven: Result<bool, DriveError>) -> Result<Self> {
        match driven {
            Ok(over) => Ok(Self { over, no_device_left: None }),
            Err(DriveError::Lab(LabError::Stopped)) => Ok(Self { over: false, no_device_left: None }),
            Err(DriveError::Lab(error @ LabError::NoDeviceLeft { .. })) => {
                Ok(Self { over: false, no_device_left: Some(error.to_string()) })
            }
            Err(error) => Err(error.into()),
        }
    }
}
