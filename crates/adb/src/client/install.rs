//! Installing an app from a file here.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{AdbError, Deadline, Transport, quote};

/// Lets Android 14 and later take apps that are built for very old versions.
const OLD_TARGET: &str = "--bypass-low-target-sdk-block";

impl Transport {
    /// Installs an app, over an older build of it where there is one. `grant` gives it all permissions it asks for.
    pub fn install(&self, apk: &Path, grant: bool, deadline: &Deadline) -> Result<(), AdbError> {
        // Over an older build, also a test build, with all permissions.
        let mut flags = if grant { vec!["-r", "-t", "-g"] } else { vec!["-r", "-t"] };
        let mut stream = self.features(deadline)?.cmd();
        loop {
            let said = if stream {
                self.install_stream(apk, &flags.join(" "), deadline)?
            } else {
                self.install_copy(apk, &flags.join(" "), deadline)?
            };
            if is_success(&said) {
                return Ok(());
            }
            if said.contains("INSTALL_FAILED_DEPRECATED_SDK_VERSION") && !flags.contains(&OLD_TARGET) {
                flags.push(OLD_TARGET);
            } else if stream && refuses_stream(&said) {
                stream = false;
            } else if unknown_option(&said) && flags.contains(&"-g") {
                // Before Android 6 an app has all permissions anyway.
                flags.retain(|flag| *flag != "-g");
            } else {
                return Err(refused(apk, &said));
            }
        }
    }

    fn install_stream(&self, apk: &Path, flags: &str, deadline: &Deadline) -> Result<String, AdbError> {
        let (mut file, size) = open(apk)?;
        let command = format!("cmd package 'install' {flags} -S {size}");
        let mut wire = self.open(&format!("exec:{command}"), deadline)?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            match file.read(&mut buffer).map_err(|error| unreadable(apk, &error))? {
                0 => break,
                count => match wire.write(&buffer[..count], deadline) {
                    // The package manager closes early when it refuses; it has then said why.
                    Err(AdbError::Dropped { .. }) => break,
                    written => written?,
                },
            }
        }
        let said = wire.read_to_end(1 << 20, deadline)?;
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    fn install_copy(&self, apk: &Path, flags: &str, deadline: &Deadline) -> Result<String, AdbError> {
        let name = apk.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name: String =
            name.chars().filter(|char| char.is_ascii_alphanumeric() || "._-".contains(*char)).collect();
        let remote = format!("/data/local/tmp/retap-{name}");
        let (mut file, _) = open(apk)?;
        self.push(&mut file, &remote, 0o644, deadline)?;
        let command = format!("pm install {flags} {}", quote(&remote));
        let installed = self.shell(&command, deadline);
        let removed = self.shell(&format!("rm -f {}", quote(&remote)), deadline);
        let said = installed?.said();
        removed?;
        Ok(said)
    }
}

/// A device may have `cmd` and yet not take a stream.
fn refuses_stream(said: &str) -> bool {
    unknown_option(said) || said.contains("Can't find service") || said.trim().is_empty()
}

fn unknown_option(said: &str) -> bool {
    said.contains("Unknown option")
}

/// Old package managers exit with 0 whatever happens: the word counts.
fn is_success(said: &str) -> bool {
    said.lines().any(|line| line.trim() == "Success")
}

fn refused(apk: &Path, said: &str) -> AdbError {
    let why = said
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| line.starts_with("Failure") || line.starts_with("Error"));
    let why =
        why.unwrap_or_else(|| if said.trim().is_empty() { "the device said nothing" } else { said.trim() });
    AdbError::Install { apk: apk.display().to_string(), why: why.to_owned() }
}

fn open(apk: &Path) -> Result<(File, u64), AdbError> {
    let file = File::open(apk).map_err(|error| unreadable(apk, &error))?;
    let size = file.metadata().map_err(|error| unreadable(apk, &error))?.len();
    Ok((file, size))
}

fn unreadable(apk: &Path, error: &std::io::Error) -> AdbError {
    AdbError::File { path: apk.display().to_string(), why: error.to_string() }
}
