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
        let (product, device, build) = (android.product(), android.device(), android.build());
        let release = android.release();
        let fingerprint = format!("google/{product}/{device}:{release}/{build}/10000000:userdebug/dev-keys");
        let api = android.api().to_string();
        let pairs = [
            ("dalvik.vm.heapsize", "576m"),
            ("debug.sf.nobootanimation", "1"),
            ("dev.bootcomplete", "1"),
            ("gsm.operator.alpha", "T-Mobile"),
            ("gsm.sim.state", "READY"),
            ("init.svc.adbd", "running"),
            ("init.svc.bootanim", "stopped"),
            ("init.svc.zygote", "running"),
            ("net.bt.name", "Android"),
            ("persist.sys.locale", "en-US"),
            ("persist.sys.timezone", "GMT"),
            ("ro.boot.serialno", &settings.serial),
            ("ro.boot.qemu", "1"),
            ("ro.bootmode", "unknown"),
            ("ro.build.characteristics", "emulator"),
            ("ro.build.date.utc", "1693000000"),
            ("ro.build.fingerprint", &fingerprint),
            ("ro.build.id", build),
            ("ro.build.product", device),
            ("ro.build.tags", "dev-keys"),
            ("ro.build.type", "userdebug"),
            ("ro.build.version.codename", "REL"),
            ("ro.build.version.incremental", "10000000"),
            ("ro.build.version.release", release),
            ("ro.build.version.sdk", &api),
            ("ro.build.version.security_patch", android.patch()),
            ("ro.crypto.state", "encrypted"),
            ("ro.debuggable", "1"),
            ("ro.hardware", "ranchu"),
            ("ro.kernel.qemu", "1"),
            ("ro.kernel.qemu.avd_name", &settings.avd),
            ("ro.boot.qemu.avd_name", &settings.avd),
            ("ro.opengles.version", "196609"),
            ("ro.product.board", "goldfish_x86_64"),
            ("ro.product.brand", "google"),
            ("ro.product.cpu.abi", "x86_64"),
            ("ro.product.cpu.abilist", "x86_64,arm64-v8a"),
            ("ro.product.device", device),
            ("ro.product.locale", "en-US"),
            ("ro.product.manufacturer", "Google"),
            ("ro.product.model", product),
            ("ro.product.name", product),
            ("ro.secure", "1"),
            ("ro.serialno", &settings.serial),
            ("ro.sf.lcd_density", "420"),
            ("ro.zygote", "zygote64"),
            ("sys.boot_completed", "1"),
            ("vold.decrypt", "trigger_restart_framework"),
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
