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
    rest: Vec<u8>,
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

    /// Writes a line.
    pub(crate) fn line(&self, text: impl AsRef<str>) -> Result<(), Broken> {
        self.put(format!("{}\n", text.as_ref()))
    }
}

impl Input {
    pub(crate) fn new(source: impl Source + 'static) -> Self {
        Self(Arc::new(Mutex::new(Buffered { source: Box::new(source), rest: Vec::new(), ended: false })))
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
        if buffered.rest.is_empty() {
            return buffered.fetch();
        }
        Some(std::mem::take(&mut buffered.rest))
    }

    /// Exactly so many bytes, or fewer at the end.
    pub(crate) fn read_exactly(&self, count: usize) -> Vec<u8> {
        let mut buffered = self.buffered();
        while buffered.rest.len() < count {
            match buffered.fetch() {
                Some(more) => buffered.rest.extend_from_slice(&more),
                None => return std::mem::take(&mut buffered.rest),
            }
        }
        let rest = buffered.rest.split_off(count);
        std::mem::replace(&mut buffered.rest, rest)
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
            if let Some(end) = buffered.rest.iter().position(|byte| *byte == b'\n') {
                let rest = buffered.rest.split_off(end + 1);
                let mut line = std::mem::replace(&mut buffered.rest, rest);
                line.pop();
                return Some(line);
            }
            match buffered.fetch() {
                Some(more) if buffered.rest.len() < LONGEST_LINE => buffered.rest.extend_from_slice(&more),
                _ if buffered.rest.is_empty() => return None,
                _ => return Some(std::mem::take(&mut buffered.rest)),
            }
        }
    }

    fn buffered(&self) -> std::sync::MutexGuard<'_, Buffered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buffered {
    fn fetch(&mut self) -> Option<Vec<u8>> {
        if self.ended {
            return None;
        }
        let more = self.source.get();
        self.ended = more.is_none();
        more
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

impl Source for Box<dyn Source> {
    fn get(&mut self) -> Option<Vec<u8>> {
        (**self).get()
    }
}

/// One piece of bytes.
impl Source for Option<Vec<u8>> {
    fn get(&mut self) -> Option<Vec<u8>> {
        self.take()
    }
}

impl std::fmt::Debug for Streams {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Streams")
    }
}

impl std::fmt::Debug for CancelFlag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("CancelFlag").field(&self.is_set()).finish()
    }
}
