//! The system's properties.

use std::collections::BTreeMap;

use crate::settings::PhoneSettings;

/// Properties beyond this many are not kept.
const MOST: usize = 2_000;

/// All properties, by name.
#[derive(Debug, Clone)]
pub(crate) struct Props(BTreeMap<String, String>);

impl Props {
    pub(crate) fn fresh(settings: &PhoneSettings) -> Self {
        let android = settings.android;
        let (product, device) = android.product_and_device();
        let (build, release) = (android.build(), android.release());
        let fingerprint = format!("google/{product}/{device}:{release}/{build}/10000000:userdebug/dev-keys");
        let api = android.api().to_string();
        let pairs = [
            ("dev.bootcomplete", "1"),
            ("init.svc.bootanim", "stopped"),
            ("persist.sys.locale", "en-US"),
            ("persist.sys.timezone", "GMT"),
            ("ro.build.fingerprint", &fingerprint),
            ("ro.build.id", build),
            ("ro.build.version.release", release),
            ("ro.build.version.sdk", &api),
            ("ro.build.version.security_patch", android.patch()),
            ("ro.kernel.qemu", "1"),
            ("ro.kernel.qemu.avd_name", &settings.avd),
            ("ro.boot.qemu.avd_name", &settings.avd),
            ("ro.product.brand", "google"),
            ("ro.product.cpu.abi", "x86_64"),
            ("ro.product.cpu.abilist", "x86_64,arm64-v8a"),
            ("ro.product.device", device),
            ("ro.product.manufacturer", "Google"),
            ("ro.product.model", product),
            ("ro.product.name", product),
            ("ro.serialno", &settings.serial),
            ("ro.sf.lcd_density", "420"),
            ("sys.boot_completed", "1"),
        ];
        Self(pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Sets a property. Those that begin with `ro.` are set once; `false` when that was before.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> bool {
        let fixed = name.starts_with("ro.") && self.0.contains_key(name);
        if fixed || (self.0.len() >= MOST && !self.0.contains_key(name)) {
            return false;
        }
        self.0.insert(name.to_owned(), value.to_owned());
        true
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
