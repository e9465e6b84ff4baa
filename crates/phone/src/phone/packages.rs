//! What is installed.

use std::collections::BTreeMap;

use retap_sim::app::App;

use crate::android::Android;
use crate::apk::Manifest;

/// Everything installed, by its package name.
#[derive(Debug, Clone)]
pub(crate) struct Packages {
    installed: BTreeMap<String, Package>,
    /// The user id for the next package.
    next_uid: u32,
    /// Sessions of `pm install-create`, by number: the parts written so far.
    pub(crate) sessions: BTreeMap<u32, Vec<(String, Vec<u8>)>>,
    pub(crate) next_session: u32,
}

/// An installed package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its file.
    pub(crate) path: String,
    pub(crate) system: bool,
    pub(crate) uid: u32,
    pub(crate) version_code: u32,
    pub(crate) version_name: String,
    /// The activities with their full names; the first one is launched.
    pub(crate) activities: Vec<String>,
    pub(crate) permissions: Vec<String>,
    /// When it was installed and when it was last replaced, in seconds since 1970.
    pub(crate) installed: u64,
    pub(crate) updated: u64,
}

/// Name, file and first activity of what every phone has.
const SYSTEM: [(&str, &str, &str); 11] = [
    ("android", "/system/framework/framework-res.apk", "com.android.internal.app.ChooserActivity"),
    ("com.android.browser", "/system/app/Browser/Browser.apk", "com.android.browser.BrowserActivity"),
    ("com.android.camera2", "/system/app/Camera2/Camera2.apk", "com.android.camera.CameraActivity"),
    ("com.android.inputmethod.latin", "/system/app/LatinIME/LatinIME.apk", ""),
    ("com.android.launcher3", "/system/app/Launcher3/Launcher3.apk", "com.android.launcher3.Launcher"),
    (
        "com.android.permissioncontroller",
        "/system/app/PermissionController/PermissionController.apk",
        "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
    ),
    ("com.android.phone", "/system/app/TeleService/TeleService.apk", ""),
    ("com.android.providers.settings", "/system/app/SettingsProvider/SettingsProvider.apk", ""),
    ("com.android.settings", "/system/app/Settings/Settings.apk", "com.android.settings.Settings"),
    ("com.android.shell", "/system/app/Shell/Shell.apk", ""),
    ("com.android.systemui", "/system/app/SystemUI/SystemUI.apk", ""),
];

/// The user of the app under test; the simulated log has the same.
const APP_UID: u32 = 10_101;

impl Packages {
    /// The packages of a new phone, and the app under test.
    pub(crate) fn fresh(app: &App, android: Android, now: u64) -> Self {
        let mut packages = Self {
            installed: BTreeMap::new(),
            next_uid: APP_UID + 1,
            sessions: BTreeMap::new(),
            next_session: 1_000_001,
        };
        for (name, path, activity) in SYSTEM {
            packages.insert(Package {
                name: name.to_owned(),
                path: path.to_owned(),
                system: true,
                uid: 1000,
                version_code: android.api(),
                version_name: android.release().to_owned(),
                activities: activity.split_terminator(' ').map(str::to_owned).collect(),
                permissions: Vec::new(),
                installed: 1_230_768_000,
                updated: 1_230_768_000,
            });
        }
        packages.install_app(app, android, now);
        packages
    }

    /// Installs the app under test.
    pub(crate) fn install_app(&mut self, app: &App, android: Android, now: u64) {
        self.insert(Package {
            name: app.package.to_string(),
            path: file_of(&app.package, android),
            system: false,
            uid: APP_UID,
            version_code: 1,
            version_name: "1.0".into(),
            activities: app.activities.iter().map(|activity| activity.name.to_string()).collect(),
            permissions: app.permissions.iter().map(ToString::to_string).collect(),
            installed: now,
            updated: now,
        });
    }

    /// Installs another app. It is listed, but there is nothing in it that could run.
    pub(crate) fn install_other(&mut self, manifest: &Manifest, android: Android, now: u64) {
        let uid = self.get(&manifest.package).map_or(self.next_uid, |package| package.uid);
        self.next_uid = self.next_uid.max(uid + 1);
        self.insert(Package {
            name: manifest.package.clone(),
            path: file_of(&manifest.package, android),
            system: false,
            uid,
            version_code: manifest.version_code,
            version_name: manifest.version_name.clone(),
            activities: Vec::new(),
            permissions: Vec::new(),
            installed: now,
            updated: now,
        });
    }

    /// What replaces a package was installed when that was.
    fn insert(&mut self, mut package: Package) {
        if let Some(before) = self.get(&package.name) {
            package.installed = before.installed;
        }
        self.installed.insert(package.name.clone(), package);
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Package> {
        self.installed.get(name)
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<Package> {
        self.installed.remove(name)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Package> {
        self.installed.values()
    }
}

/// Where the file of an app is. Since Android 11 the folder has a random name; here it follows from the package.
fn file_of(package: &str, android: Android) -> String {
    let mark = |salt: &str| {
        let sum = md5::compute(format!("{salt}{package}"));
        format!("{sum:x}").chars().take(22).collect::<String>()
    };
    if android.api() >= 30 {
        format!("/data/app/~~{}==/{package}-{}==/base.apk", mark("a"), mark("b"))
    } else {
        format!("/data/app/{package}-{}==/base.apk", mark("b"))
    }
}

/// `com.example/.Main` for `com.example.Main`.
pub(crate) fn short_component(package: &str, activity: &str) -> String {
    let short = activity.strip_prefix(package).filter(|rest| rest.starts_with('.')).unwrap_or(activity);
    format!("{package}/{short}")
}

/// Package and full name of the activity that `com.example/.Main` means.
pub(crate) fn component(text: &str) -> Option<(String, String)> {
    let (package, activity) = text.split_once('/')?;
    if package.is_empty() || activity.is_empty() {
        return None;
    }
    let full = if activity.starts_with('.') { format!("{package}{activity}") } else { activity.to_owned() };
    Some((package.to_owned(), full))
}
