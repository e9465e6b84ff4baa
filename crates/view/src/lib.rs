//! Pages on this computer, for people who watch or take part: a small server that only this computer reaches, and what is
//! shown by it.
//!
//! Everything about safety is in `guard`: who may ask, for what, and what browsers may do with the answers. A page is a
//! [`Site`], which gets what has passed the guard. Text from apps goes out as JSON and is put on pages as text.
//!
//! Absent: devices, algorithms, printing, files of this computer.

mod guard;
mod record;
mod server;

pub use record::{PageEnd, RecordPage};
pub use server::{Loopback, Method, PageAnswer, PageRequest, Site};
