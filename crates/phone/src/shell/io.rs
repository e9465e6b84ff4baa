//! Where commands read and write.

use std::sync::{Arc, Mutex, PoisonError};

use crate::transport::Broken;

/// What a command that reads everything may hold.
pub(crate) const MOST_CAPTURED: usize = 32 << 20;
/// The longest line that is read.
const LONGEST_LINE: usize = 1 << 20;

/// Takes what is written.
pub(crate) trait Sink: Send + Sync {
    /// Takes these bytes, or says that nobody wants them any more.
    fn put(&self, data: &[u8]) -> Result<(), Broken>;

    /// Whether it is known already that nobody wants anything any more.
    fn is_gone(&self) -> bool {
        false
    }
}

/// Where a command writes. Clones are the same place.
#[derive(Clone)]
pub(crate) struct CommandOutput(Arc<dyn Sink>);

/// Gives what is read.
pub(crate) trait Source: Send {
    /// The next bytes; none at the end.
    fn get(&mut self) -> Option<Vec<u8>>;
}

/// Where a command reads. Clones are the same place.
#[derive(Clone)]
pub(crate) struct Input(Arc<Mutex<Buffered>>);

struct Buffered {
    source: Box<dyn Source>,
    bytes: Vec<u8>,
    /// How many of the bytes were read.
    at: usize,
    ended: bool,
}

/// The three places of a command.
#[derive(Clone)]
pub(crate) struct Streams {
    pub(crate) input: Input,
    pub(crate) out: CommandOutput,
    pub(crate) err: CommandOutput,
}

/// Says whether nobody waits for a command any more.
#[derive(Clone)]
pub(crate) struct CancelFlag(Arc<dyn Fn() -> bool + Send + Sync>);

/// Keeps what is written.
#[cfg(test)]
#[derive(Debug, Clone, Default)]
pub(crate) struct Capture(Arc<Mutex<Vec<u8>>>);

struct Nowhere;

impl CommandOutput {
    pub(crate) fn new(sink: impl Sink + 'static) -> Self {
        Self(Arc::new(sink))
    }

    /// A place where everything is forgotten.
    pub(crate) fn nowhere() -> Self {
        Self::new(Nowhere)
    }

    pub(crate) fn put(&self, data: impl AsRef<[u8]>) -> Result<(), Broken> {
        let data = data.as_ref();
        if data.is_empty() { Ok(()) } else { self.0.put(data) }
    }

    /// Whether nobody reads here any more. Who writes seldom would not notice.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.is_gone()
    }

    pub(crate) fn line(&self, text: impl AsRef<str>) -> Result<(), Broken> {
        self.put(format!("{}\n", text.as_ref()))
    }
}

impl Input {
    pub(crate) fn new(source: impl Source + 'static) -> Self {
        let source = Box::new(source);
        Self(Arc::new(Mutex::new(Buffered { source, bytes: Vec::new(), at: 0, ended: false })))
    }

    /// A place where there is nothing to read.
    pub(crate) fn nothing() -> Self {
        Self::of(Vec::new())
    }

    /// A place where these bytes are read.
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        Self::new(Some(bytes))
    }

    /// What there is to read now; waits when there is nothing. None at the end.
    pub(crate) fn read(&self) -> Option<Vec<u8>> {
        let mut buffered = self.buffered();
        (!buffered.rest().is_empty() || buffered.fetch()).then(|| buffered.take(usize::MAX))
    }

    /// Exactly so many bytes, or fewer at the end.
    pub(crate) fn read_exactly(&self, count: usize) -> Vec<u8> {
        let mut buffered = self.buffered();
        while buffered.rest().len() < count && buffered.fetch() {}
        buffered.take(count)
    }

    /// Everything up to the end, if it is not more than is kept.
    pub(crate) fn read_all(&self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(more) = self.read() {
            all.extend_from_slice(&more);
            if all.len() > MOST_CAPTURED {
                all.truncate(MOST_CAPTURED);
                break;
            }
        }
        all
    }

    /// The next line without its end; none at the end.
    pub(crate) fn read_line(&self) -> Option<Vec<u8>> {
        let mut buffered = self.buffered();
        loop {
            if let Some(end) = buffered.rest().iter().position(|byte| *byte == b'\n') {
                let mut line = buffered.take(end + 1);
                line.pop();
                return Some(line);
            }
            if buffered.rest().len() >= LONGEST_LINE || !buffered.fetch() {
                return Some(buffered.take(usize::MAX)).filter(|line| !line.is_empty());
            }
        }
    }

    fn buffered(&self) -> std::sync::MutexGuard<'_, Buffered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buffered {
    /// What has come and was not read.
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Waits for more. `false` at the end.
    fn fetch(&mut self) -> bool {
        let more = if self.ended { None } else { self.source.get() };
        self.ended = more.is_none();
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(&more.unwrap_or_default());
        !self.ended
    }

    /// Reads so many bytes, or all there are.
    fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.rest()[..count.min(self.rest().len())].to_vec();
        self.at += taken.len();
        taken
    }
}

impl CancelFlag {
    pub(crate) fn new(gone: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(gone))
    }

    pub(crate) fn is_set(&self) -> bool {
        (self.0)()
    }
}

#[cfg(test)]
impl Capture {
    /// What was written so far.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
impl Sink for Capture {
    fn put(&self, data: &[u8]) -> Result<(), Broken> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + data.len() > MOST_CAPTURED {
            return Err(Broken);
        }
        kept.extend_from_slice(data);
        Ok(())
    }
}

impl Sink for Nowhere {
    fn put(&self, _: &[u8]) -> Result<(), Broken> {
        Ok(())
    }
}

/// One piece of bytes.
impl Source for Option<Vec<u8>> {
    fn get(&mut self) -> Option<Vec<u8>> {
        self.take()
    }
}
