//! What a phone has on it when it is new.

use std::sync::Arc;

use super::{Files, Kind, parent};

const FOLDERS: [&str; 34] = [
    "/",
    "/apex",
    "/data",
    "/data/app",
    "/data/data",
    "/data/local",
    "/data/local/tmp",
    "/data/system",
    "/dev",
    "/mnt",
    "/mnt/sdcard",
    "/odm",
    "/oem",
    "/proc",
    "/product",
    "/storage",
    "/storage/emulated",
    "/storage/emulated/0",
    "/storage/emulated/0/Alarms",
    "/storage/emulated/0/Android",
    "/storage/emulated/0/Android/data",
    "/storage/emulated/0/DCIM",
    "/storage/emulated/0/Download",
    "/storage/emulated/0/Movies",
    "/storage/emulated/0/Music",
    "/storage/emulated/0/Pictures",
    "/storage/self",
    "/sys",
    "/system",
    "/system/app",
    "/system/bin",
    "/system/framework",
    "/vendor",
    "/vendor/bin",
];

const LINKS: [(&str, &str); 3] = [
    ("/bin", "/system/bin"),
    ("/sdcard", "/storage/self/primary"),
    ("/storage/self/primary", "/storage/emulated/0"),
];

const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/random", "/dev/urandom"];

impl Files {
    /// The files of a new phone: the usual folders, and a program for each command.
    pub(crate) fn fresh(limit: u64, now: u64, programs: &[&str]) -> Self {
        // What a phone comes with does not count.
        let mut files = Self { nodes: std::collections::BTreeMap::new(), used: 0, limit: u64::MAX, made: 0 };
        let mut set = |path: &str, kind: Kind, mode: u32| {
            let made = files.set(path.to_owned(), kind, mode, now);
            debug_assert!(made.is_ok(), "{path} is new");
        };
        for path in FOLDERS {
            set(path, Kind::Folder, if path == "/data/local/tmp" { 0o771 } else { 0o755 });
        }
        for (path, to) in LINKS {
            set(path, Kind::Link(to.to_owned()), 0o777);
        }
        for path in DEVICES {
            set(path, Kind::Device, 0o666);
        }
        for program in programs {
            let content = format!("#!/system/bin/sh\n# {program}\n").into_bytes();
            set(&format!("/system/bin/{program}"), Kind::File(Arc::new(content)), 0o755);
        }
        files.limit = files.used.saturating_add(limit);
        files
    }

    /// Sets a file that the system itself writes, whoever may write there.
    pub(crate) fn set_system_file(&mut self, path: &str, content: Vec<u8>, now: u64) {
        let above = parent(path);
        if above != "/" && !self.nodes.contains_key(&above) {
            self.set_system_folder(&above, now);
        }
        // A full disk is what an install reports before it comes here.
        let _ = self.set(path.to_owned(), Kind::File(Arc::new(content)), 0o644, now);
    }

    fn set_system_folder(&mut self, path: &str, now: u64) {
        let above = parent(path);
        if above != "/" && !self.nodes.contains_key(&above) {
            self.set_system_folder(&above, now);
        }
        let _ = self.set(path.to_owned(), Kind::Folder, 0o755, now);
    }

    /// Removes what the system itself has written.
    pub(crate) fn remove_system(&mut self, folder: &str) {
        let inside: Vec<String> = self.below(folder).map(|(rest, _)| super::join(folder, rest)).collect();
        for path in inside {
            self.take(&path);
        }
        self.take(folder);
    }
}
