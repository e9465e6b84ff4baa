//! What programs have in common when the phone itself fails, and how Android words it when a service throws.

use std::thread;
use std::time::{Duration, Instant};

use retap_device::DeviceError;

use crate::phone::State;
use crate::shell::{CommandOutcome, End, Process};

/// Nobody waits longer than this for a phone that hangs.
const LONGEST_HANG: Duration = Duration::from_mins(1);

/// A phone that hangs lets its callers wait.
pub(crate) fn hang(gone: impl Fn() -> bool) {
    let began = Instant::now();
    while !gone() && began.elapsed() < LONGEST_HANG {
        thread::sleep(Duration::from_millis(20));
    }
}

impl Process<'_> {
    /// Asks something of the simulated device. A phone that is offline drops its connections, and one that hangs
    /// lets everybody wait; other failures are for the program to put into words.
    pub(crate) fn device<T>(
        &self,
        call: impl FnOnce(&mut State) -> Result<T, DeviceError>,
    ) -> Result<Result<T, DeviceError>, End> {
        match self.phone().call(call) {
            Err(DeviceError::Offline { .. }) => Err(End::Broken),
            Err(DeviceError::Timeout { .. }) => {
                hang(|| self.shell.cancel.is_set());
                Err(End::Broken)
            }
            other => Ok(other),
        }
    }

    /// The same for a deed that prints nothing when it succeeds, and its failure when not.
    pub(crate) fn does(&self, deed: impl FnOnce(&mut State) -> Result<(), DeviceError>) -> CommandOutcome {
        match self.device(deed)? {
            Ok(()) => Ok(0),
            Err(error) => self.fail(1, format!("Error: {error}")),
        }
    }

    /// What a service prints that throws.
    pub(crate) fn exception(&self, command: &str, exception: &str) -> CommandOutcome {
        let named =
            if self.phone().settings().android.api() >= 30 { format!(" '{command}'") } else { String::new() };
        let frames = "\tat android.os.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)\n\
                      \tat android.os.Binder.execTransact(Binder.java:1339)\n";
        self.streams
            .err
            .put(format!("\nException occurred while executing{named}:\n{exception}\n{frames}"))?;
        Ok(255)
    }
}
