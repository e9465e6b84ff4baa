//! Running a program to its end, with a limit of time.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::spawn;

/// How a program ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Why a program did not come to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("it cannot be started: {0}")]
    Start(#[from] io::Error),
    #[error("it did not finish within {} s", .0.as_secs())]
    Late(Duration),
}

/// More than this of what it prints is not kept.
const MOST: u64 = 4 << 20;
const PAUSE: Duration = Duration::from_millis(5);
/// How long to wait for the rest of the output of a program that has ended: others may hold it open.
const REST: Duration = Duration::from_secs(2);

/// Runs a program. It gets no input.
pub(crate) fn run(mut command: Command, within: Duration) -> Result<Ran, RunError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn::spawn(command)?;
    let (stdout, stderr) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let ended = wait(&mut child, within);
    let Some(status) = ended? else {
        spawn::end(&mut child);
        return Err(RunError::Late(within));
    };
    let text = |output: &Receiver<Vec<u8>>| {
        String::from_utf8_lossy(&output.recv_timeout(REST).unwrap_or_default()).into_owned()
    };
    Ok(Ran { status, stdout: text(&stdout), stderr: text(&stderr) })
}

/// How it ended; none when it is still running after this time.
pub(crate) fn wait(child: &mut Child, within: Duration) -> io::Result<Option<ExitStatus>> {
    let until = Instant::now() + within;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}

fn collect(output: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, text) = channel();
    if let Some(mut output) = output {
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            let _ = output.by_ref().take(MOST).read_to_end(&mut kept);
            let _ = send.send(kept);
            // It must not wait for somebody to read the rest.
            let _ = io::copy(&mut output, &mut io::sink());
        });
    }
    text
}

/// How a process ended, in words.
pub(crate) fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return format!("was ended by signal {signal}");
        }
    }
    match status.code() {
        // What starts a program in a sandbox tells its signal so.
        Some(code @ 129..=192) => format!("was ended by signal {}", code - 128),
        Some(code) => format!("ended with exit code {code}"),
        None => "ended".to_owned(),
    }
}
