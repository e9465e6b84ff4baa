//! What differs between versions of Android.

/// A version of Android, by its API level. Any from 28 to 35 is taken; outputs follow the nearest format known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Android(u32);

/// API level, version, build, and the month of the security patch.
const VERSIONS: [(u32, &str, &str, &str); 8] = [
    (28, "9", "PSR1.180720.122", "2018-09-05"),
    (29, "10", "QSR1.210802.001", "2021-08-05"),
    (30, "11", "RSR1.210722.013.A2", "2021-09-05"),
    (31, "12", "SE1A.220826.008", "2022-08-05"),
    (32, "12", "SE2B.220326.023", "2022-03-05"),
    (33, "13", "TE1A.220922.034", "2022-11-05"),
    (34, "14", "UE1A.230829.050", "2023-09-05"),
    (35, "15", "AE3A.240806.043", "2024-09-05"),
];

impl Android {
    pub const NINE: Self = Self(28);
    pub const ELEVEN: Self = Self(30);
    pub const FOURTEEN: Self = Self(34);

    /// The version with this API level, if it is one of those known.
    pub fn of_api(api: u32) -> Option<Self> {
        VERSIONS.iter().any(|version| version.0 == api).then_some(Self(api))
    }

    pub const fn api(self) -> u32 {
        self.0
    }

    /// What people call it.
    pub fn release(self) -> &'static str {
        self.facts().1
    }

    pub(crate) fn build(self) -> &'static str {
        self.facts().2
    }

    pub(crate) fn patch(self) -> &'static str {
        self.facts().3
    }

    /// The name of the system image, and the device that it is for.
    pub(crate) const fn product_and_device(self) -> (&'static str, &'static str) {
        match self.0 {
            ..=28 => ("sdk_gphone_x86_64", "generic_x86_64"),
            29 | 30 => ("sdk_gphone_x86_64_arm64", "generic_x86_64_arm64"),
            _ => ("sdk_gphone64_x86_64", "emu64x"),
        }
    }

    /// What adb can ask of its daemon.
    pub(crate) const fn features(self) -> &'static str {
        match self.0 {
            ..=28 => "cmd,stat_v2,shell_v2",
            29 => "fixed_push_mkdir,fixed_push_symlink_timestamp,stat_v2,shell_v2,cmd",
            _ => "fixed_push_mkdir,fixed_push_symlink_timestamp,stat_v2,shell_v2,cmd,ls_v2,sendrecv_v2",
        }
    }

    fn facts(self) -> (u32, &'static str, &'static str, &'static str) {
        *VERSIONS.iter().find(|version| version.0 == self.0).expect("only known versions are made")
    }
}

impl Default for Android {
    fn default() -> Self {
        Self::FOURTEEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_go_by_their_api_level() {
        assert_eq!(Android::of_api(34), Some(Android::FOURTEEN));
        assert_eq!(Android::NINE.release(), "9");
        assert_eq!(Android::of_api(14), None);
    }
}
