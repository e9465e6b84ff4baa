//! A connection: the host introduces itself, then opens streams.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::message::{MOST_DATA, Message, VERSION, Verb};
use super::stream::HostStream;
use super::wire::{Broken, PacketWire};
use crate::phone::Phone;
use crate::service;

/// More streams than this on one connection are refused.
const MOST_STREAMS: usize = 128;
/// Names of services longer than this are refused: a shell command is no longer on a real device either.
const LONGEST_SERVICE: usize = 128 << 10;
/// What AUTH messages are about.
const AUTH_TOKEN: u32 = 1;
const AUTH_SIGNATURE: u32 = 2;
const AUTH_PUBLIC_KEY: u32 = 3;

/// A host that is connected.
#[derive(Debug)]
pub(crate) struct Connection {
    wire: Arc<PacketWire>,
    streams: Mutex<BTreeMap<u32, HostStream>>,
}

/// Talks to a host until one of both hangs up.
pub(crate) fn attend(phone: &Phone, reader: &mut dyn Read, wire: PacketWire) {
    let wire = Arc::new(wire);
    let connection = Arc::new(Connection { wire: wire.clone(), streams: Mutex::default() });
    if let Some(number) = phone.lines().add(&connection) {
        let mut host = Host { phone, connection: connection.clone(), known: false, opened: 0, tokens: 0 };
        while let Ok(message) = Message::read(reader, wire.sums()) {
            if host.handle(message).is_err() || wire.is_dead() {
                break;
            }
        }
        phone.lines().remove(number);
    }
    connection.hang_up();
}

/// What is known of the host at the other end.
struct Host<'a> {
    phone: &'a Phone,
    connection: Arc<Connection>,
    known: bool,
    /// Streams are numbered from 1, and a number is not soon used again.
    opened: u32,
    tokens: u64,
}

impl Host<'_> {
    fn handle(&mut self, message: Message) -> Result<(), Broken> {
        match message.verb {
            Verb::Connect => self.meet(message.arg0, message.arg1),
            Verb::Auth => self.authenticate(message.arg0),
            _ if !self.known => Err(Broken),
            Verb::Open => self.open(message.arg0, &message.payload),
            Verb::Okay => {
                if let Some(stream) = self.connection.stream(message.arg1, message.arg0) {
                    stream.taken();
                }
                Ok(())
            }
            Verb::Write => match self.connection.stream(message.arg1, message.arg0) {
                Some(stream) => {
                    stream.receive(message.payload);
                    Ok(())
                }
                None => self.refuse(message.arg0),
            },
            Verb::Close => {
                if let Some(stream) = self.connection.streams().remove(&message.arg1) {
                    stream.cut();
                }
                Ok(())
            }
        }
    }

    /// A host that introduces itself again starts over.
    fn meet(&mut self, version: u32, most_data: u32) -> Result<(), Broken> {
        self.connection.take_streams().values().for_each(HostStream::end);
        self.connection.wire.meet(version, most_data);
        self.known = false;
        if self.phone.settings().auth { self.ask_for_key() } else { self.welcome() }
    }

    fn welcome(&mut self) -> Result<(), Broken> {
        self.known = true;
        let banner = self.phone.banner();
        self.connection.wire.send_summed(&Message::new(Verb::Connect, VERSION, MOST_DATA, banner))
    }

    /// No signature is known, so each is refused with a new token until the host offers its public key; any key
    /// will do.
    fn authenticate(&mut self, about: u32) -> Result<(), Broken> {
        match about {
            AUTH_SIGNATURE if self.phone.settings().auth => self.ask_for_key(),
            AUTH_PUBLIC_KEY if self.phone.settings().auth => self.welcome(),
            _ => Ok(()),
        }
    }

    fn ask_for_key(&mut self) -> Result<(), Broken> {
        self.tokens += 1;
        let token = self.phone.token(self.tokens);
        self.connection.wire.send_summed(&Message::new(Verb::Auth, AUTH_TOKEN, 0, token))
    }

    fn open(&mut self, remote: u32, payload: &[u8]) -> Result<(), Broken> {
        let name = payload.split(|byte| *byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let crowded = self.connection.streams().len() >= MOST_STREAMS;
        if remote == 0 || crowded || name.len() > LONGEST_SERVICE {
            return self.refuse(remote);
        }
        let Some(job) = service::find(self.phone, &name) else {
            return self.refuse(remote);
        };
        self.opened = self.opened.checked_add(1).unwrap_or(1);
        let stream = HostStream::new(self.connection.wire.clone(), self.opened, remote);
        self.connection.streams().insert(stream.local(), stream.clone());
        self.connection.wire.send(&Message::new(Verb::Okay, stream.local(), remote, Vec::new()))?;
        let connection = self.connection.clone();
        let run = move || {
            job(&stream);
            stream.close();
            connection.streams().remove(&stream.local());
        };
        let spawned = thread::Builder::new().name("service".into()).spawn(run);
        if spawned.is_err() {
            self.connection.streams().remove(&self.opened);
            return self.refuse(remote);
        }
        Ok(())
    }

    fn refuse(&self, remote: u32) -> Result<(), Broken> {
        self.connection.wire.send(&Message::new(Verb::Close, 0, remote, Vec::new()))
    }
}

impl Connection {
    /// Ends everything at once.
    pub(super) fn hang_up(&self) {
        self.wire.kill();
        self.take_streams().values().for_each(HostStream::end);
    }

    /// Ends all streams, and tells the host.
    pub(super) fn cut_streams(&self) {
        self.take_streams().values().for_each(HostStream::cut);
    }

    fn take_streams(&self) -> BTreeMap<u32, HostStream> {
        std::mem::take(&mut *self.streams())
    }

    /// The stream with this number, if it is the one that the host means.
    fn stream(&self, local: u32, remote: u32) -> Option<HostStream> {
        let stream = self.streams().get(&local).cloned();
        stream.filter(|stream| stream.remote() == remote)
    }

    fn streams(&self) -> MutexGuard<'_, BTreeMap<u32, HostStream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
