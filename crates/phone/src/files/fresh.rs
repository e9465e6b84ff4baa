//! What a phone has on it when it is new.

use std::sync::Arc;

use super::{Files, InodeKind, parent};

const FOLDERS: [&str; 18] = [
    "/",
    "/data",
    "/data/app",
    "/data/data",
    "/data/local",
    "/data/local/tmp",
    "/dev",
    "/storage",
    "/storage/emulated",
    "/storage/emulated/0",
    "/storage/emulated/0/DCIM",
    "/storage/emulated/0/Download",
    "/storage/emulated/0/Music",
    "/storage/self",
    "/system",
    "/system/app",
    "/system/bin",
    "/system/framework",
];

const LINKS: [(&str, &str); 2] =
    [("/sdcard", "/storage/self/primary"), ("/storage/self/primary", "/storage/emulated/0")];

const DEVICES: [&str; 2] = ["/dev/null", "/dev/tty"];

impl Files {
    /// The files of a new phone: the usual folders.
    pub(crate) fn fresh(limit: u64, now: u64) -> Self {
        // What a phone comes with does not count.
        let mut files = Self { nodes: std::collections::BTreeMap::new(), used: 0, limit: u64::MAX, made: 0 };
        let mut set = |path: &str, kind: InodeKind, mode: u32| {
            let made = files.set(path.to_owned(), kind, mode, now);
            debug_assert!(made.is_ok(), "{path} is new");
        };
        for path in FOLDERS {
            set(path, InodeKind::Folder, if path == "/data/local/tmp" { 0o771 } else { 0o755 });
        }
        for (path, to) in LINKS {
            set(path, InodeKind::Link(to.to_owned()), 0o777);
        }
        for path in DEVICES {
            set(path, InodeKind::Device, 0o666);
        }
        files.limit = files.used.saturating_add(limit);
        files
    }

    /// Sets a file that the system itself writes, where the shell may not, with the folders above it.
    pub(crate) fn set_system_file(&mut self, path: &str, content: Vec<u8>, now: u64) {
        let mut missing = Vec::new();
        let mut above = parent(path);
        while !self.nodes.contains_key(&above) {
            missing.push(above.clone());
            above = parent(&above);
        }
        // A full disk is what an install reports before it comes here.
        for folder in missing.into_iter().rev() {
            let _ = self.set(folder, InodeKind::Folder, 0o755, now);
        }
        let _ = self.set(path.to_owned(), InodeKind::File(Arc::new(content)), 0o644, now);
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
