//! What stands between a user and a working device, as a doctor finds it.

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The device, for checks of one.
    pub device: Option<String>,
    /// What was looked at.
    pub name: &'static str,
    /// How it is.
    pub health: DeviceHealth,
    /// What was found.
    pub found: String,
    /// What to do, where something is to be done.
    pub fix: Option<String>,
}

/// How a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceHealth {
    /// As it should be.
    Good,
    /// It works, but something is missing.
    Fair,
    /// It does not work.
    Bad,
}

impl Check {
    /// Something that is as it should be.
    pub fn good(name: &'static str, found: impl Into<String>) -> Self {
        Self { device: None, name, health: DeviceHealth::Good, found: found.into(), fix: None }
    }

    /// Something that works, and could be better.
    pub fn fair(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { health: DeviceHealth::Fair, fix: Some(fix.into()), ..Self::good(name, found) }
    }

    /// Something that does not work.
    pub fn bad(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { health: DeviceHealth::Bad, fix: Some(fix.into()), ..Self::good(name, found) }
    }

    /// The same, found on this device.
    #[must_use]
    pub fn of(mut self, device: &str) -> Self {
        self.device = Some(device.to_owned());
        self
    }
}
