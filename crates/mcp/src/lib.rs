//! retap for coding agents: explore, reduce, replay, show and export as tools of the Model Context Protocol.
//!
//! [`serve`] speaks the protocol on standard input and output. What the tools do is the jobs' (`retap-job`) and the
//! exporters' (`retap-formats`); which devices there are, and what `retap.toml` says, is told by an [`McpHost`]. A call is
//! carried out on a thread of its own; it can be watched by its progress, and stopped, and then what it has found is
//! saved.
//!
//! Absent: any backend, any argument of a command line, any printing but the protocol.

mod arguments; // the fields of a tool: their schema, and whether what was given fits
mod call; // one call of a tool
mod host; // what the program knows that serves
mod progress; // how far a job is, for clients
mod root; // paths stay in a folder
mod running; // the calls under way, and the devices that they use
mod server; // the protocol
mod tools; // the tools

pub use host::{
    DeviceNeeds, ExploreRequest, McpHost, NoticeSink, ReduceRequest, ReplayRequest, SetName, SetNames,
};
pub use server::{McpOptions, ServeEnd, TOOL_THREAD, serve};
