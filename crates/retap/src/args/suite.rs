//! `retap suite`.

use std::path::PathBuf;

use clap::Args;

use super::ModeArgs;

const AFTER_HELP: &str = "\
Examples:
  retap suite night                                        all traces of an exploration
  retap suite samples/filebrowser-splice-*.trace.jsonl --out small
  retap replay --suite small/suite --junit results.xml     run what came out

Ends with 0 when the suite covers all that its input does, with 1 when something is lost; each item is named.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SuiteArgs {
    /// Trace files, and folders of explorations
    #[arg(value_name = "TRACE|DIR", required = true)]
    pub(crate) input: Vec<PathBuf>,
    /// The device [default: where the first trace was recorded]
    #[arg(long, short, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) mode: ModeArgs,
    /// Use this many devices at once [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) devices: Option<u32>,
    /// Replays that must all be followed before a trace counts as replayable [default: 8]
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<u32>,
    /// The most fragments of known traces that a new trace is put together from [default: 3]
    #[arg(long, value_name = "N")]
    pub(crate) fragments: Option<u32>,
    /// The published algorithm instead of ours
    #[arg(long)]
    pub(crate) classic: bool,
    /// When traces may be joined: where states look alike (abstract), or only where everything is equal (concrete)
    /// [default: abstract]
    #[arg(long, value_name = "HOW")]
    pub(crate) joins: Option<String>,
    /// Begin replays that only search in snapshots of the device: on, off, or auto. What confirms always begins clean.
    /// auto is on for phones and emulators that have snapshots, and off for the simulator, where replays take no time
    /// of ours and a run must not depend on what the device did before [default: auto]
    #[arg(long, value_name = "WHEN")]
    pub(crate) snapshots: Option<String>,
    /// How finely states are told apart: activity, actionable, layout or full [default: actionable]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<String>,
}
