//! `retap mcp` in the hands of clients: the official one of Python, and one of ours that says what no proper client does.

#[path = "../command/mod.rs"]
mod command;
mod page; // the transcript of docs/agents.md
mod protocol; // garbage, ends, paths, commands
mod python; // the official client of Python
mod replays; // what replays prove of a fix
mod server; // a client of ours
