//! How a simulated device fails: none of it is the app's doing, and none of it harms the app's state.

use retap_trace::Micros;

/// How often each fault happens, as a probability of each call that it can befall. All are 0 unless asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Faults {
    /// The device goes offline: calls fail for a while, and each takes a second to do so.
    pub offline: f64,
    /// For how long.
    pub offline_for: Micros,
    /// A look fails.
    pub blind: f64,
    /// A look shows what the one before it showed.
    pub stale: f64,
    /// A snapshot cannot be restored.
    pub bad_load: f64,
    /// A snapshot seems to be restored, but the device is in another state.
    pub garbage: f64,
    /// A call does not return before its deadline.
    pub hang: f64,
    /// Everything takes ten times as long for a minute.
    pub slow: f64,
    /// A launch finds that the app is no longer on the device.
    pub gone: f64,
}

impl Faults {
    /// What a call to an offline device costs.
    pub const OFFLINE_CALL: Micros = Micros::from_secs(1);
    /// How long a device stays slow.
    pub const SLOW_FOR: Micros = Micros::from_secs(60);
    /// How many times as long everything takes then.
    pub const SLOW_FACTOR: u64 = 10;
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            offline: 0.0,
            offline_for: Micros::from_secs(30),
            blind: 0.0,
            stale: 0.0,
            bad_load: 0.0,
            garbage: 0.0,
            hang: 0.0,
            slow: 0.0,
            gone: 0.0,
        }
    }
}
