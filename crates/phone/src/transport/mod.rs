//! What adbd speaks: connections over any two-way line, each with many streams.
//!
//! | file | what |
//! |---|---|
//! | `message` | one message, read and written |
//! | `wire` | the sending half of a connection |
//! | `stream` | one stream, with its flow control |
//! | `connection` | who is connected, and what becomes of each message |
//! | `lines` | all connections of a phone, so that they can be cut |
//!
//! Everything is bounded: payloads, streams of a connection, connections of a phone. Nothing that a host sends
//! makes this panic; what is no message ends the connection.

mod connection;
mod lines;
mod message;
mod stream;
#[cfg(test)]
pub(crate) mod tests;
mod wire;

pub(crate) use connection::attend;
pub(crate) use lines::Lines;
pub(crate) use stream::HostStream;
pub(crate) use wire::{Broken, HangUp, PacketWire};
