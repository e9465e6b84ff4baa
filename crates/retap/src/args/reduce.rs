//! `retap reduce` and `retap replay`.

use std::path::PathBuf;

use clap::Args;

const REDUCE_HELP: &str = "\
Examples:
  retap reduce samples/dalvik.trace.jsonl
  retap reduce samples/diner.trace.jsonl --to activity:LoginActivity --rule 18/20 --devices 4
  retap reduce night --crash IllegalStateException";

const REPLAY_HELP: &str = "\
Examples:
  retap replay samples/dalvik.trace.jsonl
  retap replay samples/diner.trace.jsonl --times 100 --devices 4";

/// What reduce and replay have in common.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What a run must reach: crash, crash:SIGNATURE, activity:NAME, state:KEY or coverage:ID
    /// [default: the trace's own target, else its crash]
    #[arg(long, value_name = "TARGET")]
    pub(crate) to: Option<String>,
    /// The device [default: where the trace was recorded]
    #[arg(long, short, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Use this many devices at once [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) devices: Option<u32>,
}

#[derive(Debug, Args)]
#[command(after_help = REDUCE_HELP)]
pub(crate) struct ReduceArgs {
    /// A trace file, or the folder of an exploration
    #[arg(value_name = "TRACE|DIR")]
    pub(crate) input: PathBuf,
    /// The crash to reduce, by its signature or a part of it
    #[arg(long, value_name = "SIGNATURE", conflicts_with = "to")]
    pub(crate) crash: Option<String>,
    /// How to search: ddmin [default: ddmin]
    #[arg(long, value_name = "NAME")]
    pub(crate) search: Option<String>,
    /// When a candidate counts as reproducing: K/N, at least K of N runs [default: 1/1]
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<String>,
    /// Which candidate gets a free device: sequential [default: sequential]
    #[arg(long, value_name = "NAME")]
    pub(crate) schedule: Option<String>,
    /// Fresh runs that confirm the answer [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) confirm: Option<u32>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArgs {
    /// A trace file
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// How many times to run it [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) times: Option<u32>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
