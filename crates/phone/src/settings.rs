//! What kind of phone it is.

use std::net::SocketAddr;
use std::path::PathBuf;

use retap_trace::Seed;

use crate::android::Android;

/// Settings of a phone. They do not change while it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct PhoneSettings {
    /// The Android version that it claims to run.
    pub android: Android,
    /// Its serial number, as `getprop ro.serialno` shows it.
    pub serial: String,
    /// The name of the virtual device, as the console shows it.
    pub avd: String,
    /// How time passes.
    pub speed: Speed,
    /// What chance begins with; each `pm clear` draws from it again.
    pub seed: Seed,
    /// Whether a host must offer a key. Any key will do.
    pub auth: bool,
    /// How many bytes its files may take together.
    pub storage: u64,
    /// The time of day at which it was started, in seconds since 1970. A fixed one keeps runs alike.
    pub started: u64,
    /// Where the console finds the token that it wants to be told; without it, it wants none.
    pub console_token: Option<PathBuf>,
    /// The adb server that is told of the phone whenever nobody is connected, so that it lists an emulator.
    pub adb_server: Option<SocketAddr>,
    /// Device ports on which everything that is sent comes back.
    pub echo_ports: Vec<u16>,
}

/// How time passes on the phone, beyond what its actions take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// Not at all: nobody waits, and `sleep` is over at once.
    Fast,
    /// So many times as fast as in the world.
    Times(f64),
}

impl Default for PhoneSettings {
    fn default() -> Self {
        Self {
            android: Android::default(),
            serial: "RETAP000001".into(),
            avd: "retap".into(),
            speed: Speed::Times(1.0),
            seed: Seed::default(),
            auth: false,
            storage: 256 << 20,
            started: 1_704_067_200, // The first of January 2024.
            console_token: None,
            adb_server: None,
            echo_ports: vec![7],
        }
    }
}
