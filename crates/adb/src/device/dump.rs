//! The GUI tree by `uiautomator dump`.
//!
//! There are two ways to get it: straight through the connection, which is quicker, and by a file with a fresh name,
//! which works everywhere. What comes is believed only when it is a whole tree; the way that works is kept.

use std::time::Duration;

use crate::client::{AdbError, Deadline, Transport};
use crate::parse::{self, DumpError, UiDump};

use super::shell::Shell;

#[derive(Debug)]
pub(super) struct Dumper {
    way: Way,
    /// How often the way in use has failed in a row.
    failures: u32,
    count: u64,
    run: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Straight,
    File,
}

const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(150);

impl Dumper {
    /// `run` goes into the names of files, so that two of us do not meet.
    pub(super) const fn new(run: u64) -> Self {
        Self { way: Way::Straight, failures: 0, count: 0, run }
    }

    /// The tree as it is now.
    pub(super) fn dump(
        &mut self,
        shell: &mut Shell,
        transport: &Transport,
        deadline: &Deadline,
    ) -> Result<UiDump, AdbError> {
        let mut last = DumpError::Empty;
        for attempt in 0..TRIES {
            let bytes = match self.way {
                Way::Straight => transport.exec("uiautomator dump /dev/tty", deadline)?,
                Way::File => self.by_file(shell, transport, deadline)?,
            };
            match parse::hierarchy(&bytes) {
                // Right after a change there may be no window at all. If it stays so, the screen is really empty.
                Ok(tree) if tree.tree.nodes().is_empty() && attempt + 1 < TRIES => last = DumpError::Empty,
                Ok(tree) => {
                    self.failures = 0;
                    return Ok(tree);
                }
                Err(error @ (DumpError::TooLong { .. } | DumpError::TooManyNodes)) => {
                    return Err(refused(&error));
                }
                Err(error) => {
                    self.blame(&error);
                    last = error;
                }
            }
            deadline.sleep(PAUSE)?;
        }
        Err(refused(&last))
    }

    /// A way that fails twice gives way to the other. That the app never rests is not the way's fault.
    fn blame(&mut self, error: &DumpError) {
        if matches!(error, DumpError::Said { said } if said.contains("idle state") || said.contains("null root"))
        {
            return;
        }
        self.failures += 1;
        if self.failures >= 2 {
            self.failures = 0;
            self.way = if self.way == Way::Straight { Way::File } else { Way::Straight };
        }
    }

    fn by_file(
        &mut self,
        shell: &mut Shell,
        transport: &Transport,
        deadline: &Deadline,
    ) -> Result<Vec<u8>, AdbError> {
        self.count += 1;
        let file = format!("/data/local/tmp/retap-{}-{}.xml", self.run, self.count);
        let said = shell.run(&format!("uiautomator dump {file}"), deadline)?;
        let bytes = transport.exec(&format!("cat {file}"), deadline)?;
        shell.run(&format!("rm -f {file}"), deadline)?;
        // Without a file, cat only says that there is none; uiautomator said why.
        let is_tree = bytes.windows(10).any(|window| window == b"<hierarchy");
        Ok(if is_tree { bytes } else { said.said().into_bytes() })
    }
}

fn refused(error: &DumpError) -> AdbError {
    AdbError::Refused { request: "uiautomator dump".to_owned(), why: error.to_string() }
}
