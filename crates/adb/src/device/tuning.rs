//! Settings of the device that make runs repeatable, and their way back.
//!
//! How to have a thing as it was is written to a file before it is changed. A process that dies leaves the file, and the next
//! start puts all back from it: the first value ever seen counts, never one that we set ourselves.

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

/// Something that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Changed {
    what: String,
    /// The command that makes it as it was.
    undo: String,
    /// Whether an event changed it: then the next run must not find it so.
    by_event: bool,
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

    /// An event is about to change this; `undo` makes it as it is now. Only the first time counts.
    pub(super) fn before_event(&mut self, what: &str, undo: String) -> Result<(), AdbError> {
        if self.knows(what) {
            return Ok(());
        }
        self.changed.push(Changed { what: what.to_owned(), undo, by_event: true });
        self.write()
    }

    /// Whether it is known how this was.
    pub(super) fn knows(&self, what: &str) -> bool {
        self.changed.iter().any(|known| known.what == what)
    }

    /// What events have changed so far, to be remembered with a snapshot.
    pub(super) fn by_events(&self) -> Vec<Changed> {
        self.changed.iter().filter(|changed| changed.by_event).cloned().collect()
    }

    /// A snapshot was loaded in which these things were changed, and are again.
    pub(super) fn changed_again(&mut self, by_events: &[Changed]) -> Result<(), AdbError> {
        for changed in by_events {
            self.before_event(&changed.what, changed.undo.clone())?;
        }
        Ok(())
    }

    /// Undoes what the events of a run have changed.
    pub(super) fn undo_events(&mut self, shell: &mut Shell, deadline: &Deadline) -> Result<(), AdbError> {
        let Some(last) = self.changed.iter().rposition(|changed| changed.by_event) else { return Ok(()) };
        for place in (0..=last).rev() {
            if self.changed[place].by_event {
                shell.run(&self.changed[place].undo, deadline)?;
                self.changed.remove(place);
            }
        }
        self.write()
    }

    /// Puts everything back as it was.
    pub(super) fn restore(&mut self, shell: &mut Shell, deadline: &Deadline) -> Result<(), AdbError> {
        while let Some(changed) = self.changed.last() {
            shell.run(&changed.undo, deadline)?;
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
        let what = format!("{namespace} {name}");
        if self.knows(&what) {
            return Ok(());
        }
        let undo = match parse::setting(&shell.run(&format!("settings get {what}"), deadline)?.text()) {
            Some(value) => format!("settings put {what} {}", quote(&value)),
            None => format!("settings delete {what}"),
        };
        self.changed.push(Changed { what, undo, by_event: false });
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
