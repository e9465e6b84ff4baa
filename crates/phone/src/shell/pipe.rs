//! What stands between two commands: one writes, the other reads, and neither runs far ahead.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::io::{CommandOutput, Input, Sink, Source};
use crate::transport::Broken;

/// Pieces that may wait between two commands.
const MOST_WAITING: usize = 16;

struct WriteEnd {
    sender: Mutex<SyncSender<Vec<u8>>>,
    /// There as long as the other end is.
    reader: Weak<()>,
}

struct ReadEnd {
    receiver: Receiver<Vec<u8>>,
    _here: Arc<()>,
}

/// A pipe. Its end comes when all clones of the output are gone; writing fails when the input is.
pub(super) fn pipe() -> (CommandOutput, Input) {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let here = Arc::new(());
    let write = WriteEnd { sender: Mutex::new(sender), reader: Arc::downgrade(&here) };
    (CommandOutput::new(write), Input::new(ReadEnd { receiver, _here: here }))
}

impl Sink for WriteEnd {
    fn put(&self, data: &[u8]) -> Result<(), Broken> {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).clone();
        sender.send(data.to_vec()).map_err(|_| Broken)
    }

    fn is_gone(&self) -> bool {
        self.reader.strong_count() == 0
    }
}

impl Source for ReadEnd {
    fn get(&mut self) -> Option<Vec<u8>> {
        self.receiver.recv().ok()
    }
}
