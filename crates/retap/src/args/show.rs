//! `retap show` and `retap diff`.

use std::path::PathBuf;

use clap::Args;
use retap_show::StepRanges;
use retap_trace::Level;

const SHOW_HELP: &str = "\
Examples:
  retap show samples/dalvik.trace.jsonl                steps in words, with states and times
  retap show long.trace.jsonl --steps -20,400-         the first 20, and all from the 400th on
  retap show night                                     the folder of an exploration: its crashes, and what to do next
  retap show retap-out/reduce-6c85f745                 a reduction: what is claimed, and how to go on if it was stopped
  retap show small/suite                               a suite: what each trace covers

A session may be finished, stopped, or written by another process at this moment. On a terminal, long output goes \
through $RETAP_PAGER, else $PAGER, else less.";

const DIFF_HELP: &str = "\
Examples:
  retap diff long.trace.jsonl reduced.trace.jsonl      which steps were removed, added, changed
  retap diff monday tuesday                            two explorations: crashes, rates, states, code
  retap diff small/suite smaller/suite

Ends with 0 when nothing differs, with 1 when something does, and with 2 when they cannot be compared. The folder of a \
reduction stands for its answer when it is compared with a trace.";

#[derive(Debug, Args)]
#[command(after_help = SHOW_HELP)]
pub(crate) struct ShowArgs {
    /// A trace, - for one on stdin, or the folder of a session or a suite
    #[arg(value_name = "TRACE|SESSION|SUITE|-")]
    pub(crate) path: PathBuf,
    /// Of a trace, only these steps: 10-20, -20, 10-, 7, or several with commas
    #[arg(long, value_name = "RANGES", allow_hyphen_values = true)]
    pub(crate) steps: Vec<StepRanges>,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}

#[derive(Debug, Args)]
#[command(after_help = DIFF_HELP)]
pub(crate) struct DiffArgs {
    /// A trace, - for one on stdin, or the folder of a session or a suite
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// Another of the same kind
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}

/// What both have in common.
#[derive(Debug, Args)]
pub(crate) struct ShownArgs {
    /// Of traces, how finely states are told apart: activity, actionable, layout or full [default: layout]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<Level>,
    /// Print everything at once, also on a terminal
    #[arg(long)]
    pub(crate) no_pager: bool,
}
