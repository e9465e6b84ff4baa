//! One stream of a connection: a service at this end, and something of the host's at the other.
//!
//! Each side has one message under way and waits until it was taken. So a stream holds at most one payload in each
//! direction; a host that does not wait loses the stream.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::message::{Message, Verb};
use super::wire::{Broken, PacketWire};

/// Payloads that may wait here: the one that is allowed, and one for hosts that are a little early.
const MOST_WAITING: usize = 2;

/// One stream. Clones are the same stream.
#[derive(Debug, Clone)]
pub(crate) struct HostStream(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    wire: Arc<PacketWire>,
    local: u32,
    remote: u32,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    waiting: VecDeque<Vec<u8>>,
    /// Whether the host has taken what was sent last.
    free: bool,
    closed: bool,
}

impl HostStream {
    pub(crate) fn new(wire: Arc<PacketWire>, local: u32, remote: u32) -> Self {
        let state = State { waiting: VecDeque::new(), free: true, closed: false };
        Self(Arc::new(Inner { wire, local, remote, state: Mutex::new(state), changed: Condvar::new() }))
    }

    /// The next data of the host; none once it has closed the stream.
    pub(crate) fn read(&self) -> Option<Vec<u8>> {
        let mut state = self.wait_until(|state| !state.waiting.is_empty());
        let data = state.waiting.pop_front()?;
        drop(state);
        // A host that is gone is noticed by the next write.
        let _ = self.send(Verb::Okay, Vec::new());
        Some(data)
    }

    /// Sends data, in as many messages as it takes.
    pub(crate) fn write(&self, data: &[u8]) -> Result<(), Broken> {
        for part in data.chunks(self.0.wire.most_data()) {
            let mut state = self.wait_until(|state| state.free);
            if state.closed {
                return Err(Broken);
            }
            state.free = false;
            drop(state);
            self.send(Verb::Write, part.to_vec())?;
        }
        Ok(())
    }

    /// Closes the stream, after the host has taken what was sent.
    pub(crate) fn close(&self) {
        let mut state = self.wait_until(|state| state.free);
        let open = !std::mem::replace(&mut state.closed, true);
        drop(state);
        self.0.changed.notify_all();
        if open {
            let _ = self.send(Verb::Close, Vec::new());
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Data has come from the host.
    pub(super) fn receive(&self, data: Vec<u8>) {
        let mut state = self.state();
        if state.waiting.len() >= MOST_WAITING {
            drop(state);
            return self.cut();
        }
        state.waiting.push_back(data);
        drop(state);
        self.0.changed.notify_all();
    }

    /// The host has taken what was sent.
    pub(super) fn taken(&self) {
        self.state().free = true;
        self.0.changed.notify_all();
    }

    /// The stream ends at once, and nobody is told.
    pub(super) fn end(&self) {
        self.state().closed = true;
        self.0.changed.notify_all();
    }

    /// The stream ends at once, and the host is told: the process behind it was ended.
    pub(super) fn cut(&self) {
        if !self.is_closed() {
            self.end();
            let _ = self.send(Verb::Close, Vec::new());
        }
    }

    pub(super) fn remote(&self) -> u32 {
        self.0.remote
    }

    pub(super) fn local(&self) -> u32 {
        self.0.local
    }

    fn send(&self, verb: Verb, payload: Vec<u8>) -> Result<(), Broken> {
        self.0.wire.send(&Message::new(verb, self.0.local, self.0.remote, payload))
    }

    /// Waits until this holds, or the stream is closed.
    fn wait_until(&self, holds: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let waits = |state: &mut State| !holds(state) && !state.closed;
        self.0.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
