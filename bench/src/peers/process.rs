//! Other programs: started in a process group of their own, given up after a time, ended with everything they have
//! started.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Whether somebody asked to stop.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// By itself, with this code; without one, by a signal.
    Code(Option<i32>),
    TooLate,
    Stopped,
}

impl Stop {
    /// Asked by ctrl-c, or by being told to end.
    pub(super) fn on_signals() -> anyhow::Result<Self> {
        let stop = Self::default();
        let asked = stop.0.clone();
        ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed))
            .context("cannot listen for ctrl-c")?;
        Ok(stop)
    }

    pub(super) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs a program to its end, but not for ever.
pub(super) fn run(command: &mut Command, limit: Duration, stop: &Stop) -> anyhow::Result<Ended> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .with_context(|| format!("{name} cannot be started"))?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("a process has a number")?;
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    let early = loop {
        // It stays a zombie until its group is gone: until then its number cannot become another's.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::Pid(pid), options)?.is_some() {
            break None;
        }
        if stop.asked() {
            break Some(Ended::Stopped);
        }
        if began.elapsed() >= limit {
            break Some(Ended::TooLate);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    Ok(early.unwrap_or(Ended::Code(status.code())))
}

/// What a program prints, if it ends well; without its line ends.
pub(super) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Some(String::from_utf8_lossy(&text).trim().to_owned())
}
