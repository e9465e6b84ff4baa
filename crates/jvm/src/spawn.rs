//! Starting processes, and ending them with all that they have started.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

type Request = (Command, Sender<io::Result<Child>>);

/// Starts a process in a group of its own, from a thread that lives as long as this program.
///
/// Linux ends a process with its parent when asked to, and takes the parent to be the thread that started it. The
/// threads that drive devices come and go.
pub(crate) fn spawn(mut command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Option<Sender<Request>>> = OnceLock::new();
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    let gone = || io::Error::other("the thread that starts processes is gone");
    let starter = STARTER.get_or_init(start).as_ref().ok_or_else(gone)?;
    let (answer, started) = channel();
    starter.send((command, answer)).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}

fn start() -> Option<Sender<Request>> {
    let (send, requests) = channel::<Request>();
    let thread = std::thread::Builder::new().name("starts JVMs".to_owned());
    let started = thread.spawn(move || {
        for (mut command, answer) in requests {
            if let Err(unheard) = answer.send(command.spawn())
                && let Ok(mut child) = unheard.0
            {
                end(&mut child);
            }
        }
    });
    started.ok().map(|_| send)
}

/// Kills a process and its group, and waits for its end.
pub(crate) fn end(child: &mut Child) {
    // After its end has been seen, its number may be another's.
    if matches!(child.try_wait(), Ok(Some(_))) {
        return;
    }
    kill(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

/// Kills a process of this number with its group. It must not have been waited for.
pub(crate) fn kill(number: u32) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(number).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    let _ = number;
}
