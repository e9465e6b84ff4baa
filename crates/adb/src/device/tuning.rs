//! Settings of the device that make runs repeatable, and their way back.
//!
//! What a setting was is written to a file before it is changed. Whoever dies leaves the file, and the next start puts
//! the settings back from it: the first value ever seen counts, never one that we set ourselves.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::client::{AdbError, Deadline, quote};
use crate::parse;

use super::shell::Shell;

#[derive(Debug, Default)]
pub(super) struct Tuning {
    file: Option<PathBuf>,
    changed: Vec<Changed>,
}

/// A setting as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Changed {
    namespace: String,
    name: String,
    before: Option<String>,
}

/// Animations off, the screen on while it is plugged in, rotation only when we say so.
const WANTED: [(&str, &str, &str); 6] = [
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("system", "accelerometer_rotation", "0"),
    ("system", "user_rotation", "0"),
];

impl Tuning {
    /// Notes the settings and changes them.
    pub(super) fn begin(
        folder: Option<&Path>,
        serial: &str,
        shell: &mut Shell,
        deadline: &Deadline,
    ) -> Result<Self, AdbError> {
        let file = folder.map(|folder| folder.join(file_name(serial)));
        let changed = file.as_deref().map(read).unwrap_or_default();
        let mut tuning = Self { file, changed };
        for (namespace, name, _) in WANTED {
            tuning.note(namespace, name, shell, deadline)?;
        }
        tuning.write()?;
        for (namespace, name, value) in WANTED {
            shell.run(&format!("settings put {namespace} {name} {value}"), deadline)?;
        }
        Ok(tuning)
    }

    /// Changes one more setting.
    pub(super) fn change(
        &mut self,
        (namespace, name): (&str, &str),
        shell: &mut Shell,
        deadline: &Deadline,
    ) -> Result<(), AdbError> {
        self.note(namespace, name, shell, deadline)?;
        self.write()
    }

    /// Puts everything back as it was.
    pub(super) fn restore(&mut self, shell: &mut Shell, deadline: &Deadline) -> Result<(), AdbError> {
        while let Some(Changed { namespace, name, before }) = self.changed.last() {
            let command = match before {
                Some(value) => format!("settings put {namespace} {name} {}", quote(value)),
                None => format!("settings delete {namespace} {name}"),
            };
            shell.run(&command, deadline)?;
            self.changed.pop();
        }
        match &self.file {
            Some(file) => match fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(refused(file, &error)),
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    fn note(
        &mut self,
        namespace: &str,
        name: &str,
        shell: &mut Shell,
        deadline: &Deadline,
    ) -> Result<(), AdbError> {
        if self.changed.iter().any(|known| known.namespace == namespace && known.name == name) {
            return Ok(());
        }
        let before =
            parse::setting(&shell.run(&format!("settings get {namespace} {name}"), deadline)?.text());
        self.changed.push(Changed { namespace: namespace.to_owned(), name: name.to_owned(), before });
        Ok(())
    }

    /// Beside first, then over: half a file would be worse than none.
    fn write(&self) -> Result<(), AdbError> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = serde_json::to_string_pretty(&self.changed).expect("names and values are text");
        let beside = file.with_extension("new");
        let folder = file.parent().unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&beside, text))
            .and_then(|()| fs::rename(&beside, file))
            .map_err(|error| refused(file, &error))
    }
}

fn read(file: &Path) -> Vec<Changed> {
    let text = fs::read_to_string(file).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// A file of its own for each device; serial numbers may hold colons and more.
fn file_name(serial: &str) -> String {
    let plain: String =
        serial.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    format!("adb-{plain}.settings.json")
}

fn refused(file: &Path, error: &std::io::Error) -> AdbError {
    AdbError::File { path: file.display().to_string(), why: error.to_string() }
}
