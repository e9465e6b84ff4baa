//! Starting the server with the user's own adb.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{AdbError, Deadline};

/// Runs `adb -P PORT start-server` and waits until it is done.
pub(super) fn start_server(program: &Path, port: u16, deadline: &Deadline) -> Result<(), AdbError> {
    let not_started = |why: String| AdbError::NotStarted { program: program.display().to_string(), why };
    // The server inherits what its starter has open: a pipe would never end, so all but errors go nowhere.
    let child = Command::new(program)
        .args(["-P", &port.to_string(), "start-server"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| not_started(error.to_string()))?;
    match wait(child, deadline)? {
        0 => Ok(()),
        status => Err(not_started(format!("it ended with status {status}"))),
    }
}

/// What a program prints, for questions such as `adb version`. Bounded in time and size.
pub(crate) fn output_of(program: &Path, arguments: &[&str], deadline: &Deadline) -> Result<String, AdbError> {
    const LONGEST: u64 = 64 << 10;
    let failed = |error: &std::io::Error| AdbError::File {
        path: program.display().to_string(),
        why: error.to_string(),
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&error))?;
    let stdout = child.stdout.take();
    wait(child, deadline)?;
    let mut said = Vec::new();
    if let Some(stdout) = stdout {
        stdout.take(LONGEST).read_to_end(&mut said).map_err(|error| failed(&error))?;
    }
    Ok(String::from_utf8_lossy(&said).into_owned())
}

fn wait(mut child: Child, deadline: &Deadline) -> Result<i32, AdbError> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code().unwrap_or(-1)),
            Ok(None) => {}
            Err(error) => return Err(AdbError::Dropped { what: deadline.what(), why: error.to_string() }),
        }
        if let Err(late) = deadline.sleep(Duration::from_millis(10)) {
            // It is ours and nobody waits for it any more; when it is gone already, so much the better.
            let _ = child.kill();
            let _ = child.wait();
            return Err(late);
        }
    }
}
