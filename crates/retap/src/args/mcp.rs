//! `retap mcp`.

use std::path::PathBuf;

use clap::Args;

const AFTER_HELP: &str = "\
Examples:
  claude mcp add retap -- retap mcp                       for Claude Code, in this project
  codex mcp add retap -- retap mcp --root /home/me/app    for Codex
  retap mcp < messages.jsonl                              one message a line, as clients send them

It is part of builds with the feature mcp: cargo install --path crates/retap --features mcp

A client starts it, speaks on its standard input and output, and ends it by closing them; what jobs have found is \
saved then. The tools are explore, reduce, replay, show and export. retap.toml holds for them too. docs/agents.md \
has the set-up of the common clients.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct McpArgs {
    /// The folder in which clients may read and write, and that their paths are relative to [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Let clients have commands run on this computer: the target cmd:COMMAND, and jvm:APP?jvm=PROGRAM
    #[arg(long)]
    pub(crate) allow_commands: bool,
}
