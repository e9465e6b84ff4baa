//! What a person does on a device.

use retap_trace::{Event, Micros};

use crate::DeviceError;

/// Something that a person did on the device itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonInput {
    /// When the first finger or key went down, on the device's clock ([`crate::Device::now`]).
    pub pressed: Micros,
    /// What it was; in words where no event can express it.
    pub deed: Result<Event, String>,
}

/// Hears what a person does, while it happens.
pub trait Inputs {
    /// Begins to listen. What was done before is not told.
    fn listen(&mut self, within: Micros) -> Result<(), DeviceError>;

    /// The next thing that a person did; nothing when nobody did anything for so long.
    fn next_input(&mut self, within: Micros) -> Result<Option<PersonInput>, DeviceError>;
}
