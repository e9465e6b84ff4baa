//! `retap reduce` and `retap replay`.

use std::path::PathBuf;

use clap::Args;
use retap_trace::Target;

use super::{ModeArgs, ReportArgs, named};
use crate::config::typed;

const REDUCE_HELP: &str = "\
Examples:
  retap reduce samples/dalvik.trace.jsonl
  retap reduce samples/diner.trace.jsonl --to activity:LoginActivity --rule 18/20 --devices 4
  retap reduce night --crash IllegalStateException
  retap reduce night --all                                each crash of an exploration
  retap reduce samples/diner.trace.jsonl --search ddmin --parts 5 --rule 18/20 --schedule heuristic --devices 15
  retap reduce samples/diner.trace.jsonl --search ddmin --rule 18/20 --schedule optimal --prior prior.json
  retap reduce night --all --junit results.xml --sarif crashes.sarif
  retap reduce list.txt --to 'cmd:./check.sh' -j 8 --write short.txt
     check.sh gets the candidate as a file ($1 and stdin); it ends with 0 if it reproduces, 1 if not";

const REPLAY_HELP: &str = "\
Examples:
  retap replay samples/dalvik.trace.jsonl
  retap replay samples/diner.trace.jsonl --times 100 --devices 4
  retap replay samples/dalvik.trace.jsonl --expect-no-crash --times 5 --junit results.xml
  retap replay --suite small/suite --junit results.xml";

/// What reduce and replay have in common.
#[derive(Debug, Default, Args)]
pub(crate) struct RunArgs {
    /// What a run must reach: crash, crash:SIGNATURE, activity:NAME, state:KEY, coverage:ID, or cmd:COMMAND
    /// (reduce only): a command that judges each candidate
    /// [default: the trace's own target, else its crash]
    #[arg(long, value_name = "TARGET")]
    pub(crate) to: Option<String>,
    /// The device [default: where the trace was recorded]
    #[arg(long, short, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) mode: ModeArgs,
    /// Use this many devices at once [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) devices: Option<u32>,
}

impl RunArgs {
    pub(crate) fn target(&self) -> anyhow::Result<Option<Target>> {
        typed("--to", self.to.as_ref()).map(|to| to.parse()).transpose()
    }
}

#[derive(Debug, Default, Args)]
#[command(after_help = REDUCE_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that takes no value")]
pub(crate) struct ReduceArgs {
    /// A trace file, the folder of an exploration (of several crashes, say which with --crash, or --all), or, with
    /// --to cmd:COMMAND, any text file
    #[arg(value_name = "TRACE|DIR|LIST")]
    pub(crate) input: PathBuf,
    /// The crash to reduce, by its signature or a part of it
    #[arg(long, value_name = "SIGNATURE", conflicts_with = "to")]
    pub(crate) crash: Option<String>,
    /// Reduce each crash in the folder of an exploration, one after the other
    #[arg(long, conflicts_with_all = ["crash", "to", "write"])]
    pub(crate) all: bool,
    /// How to search [default: auto]
    #[arg(long, value_name = "NAME", value_parser = named::SEARCH)]
    pub(crate) search: Option<String>,
    #[arg(long, value_name = "RULE", help = named::rule_help())]
    pub(crate) rule: Option<String>,
    /// Which candidate gets a free device; not for the default search and rule, which plan their runs themselves
    /// [default: async]
    #[arg(long, value_name = "NAME", value_parser = named::SCHEDULE)]
    pub(crate) schedule: Option<String>,
    /// With --search ddmin: into how many parts the trace is cut at first, and again after each part that reproduces;
    /// 5 in ND3MIN's experiments [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) parts: Option<u32>,
    /// With a rule K/N: what is believed of success rates before any run, for the schedule optimal and for ND3MIN's p1
    /// and p2. A file such as {"p":[0,0.5,0.99],"weight":[0.5,0.1,0.4]}, or learnt: from the reductions in retap-out,
    /// or in another folder with learnt:DIR [default: the prior recovered from ND3MIN's printed figures]
    #[arg(long, value_name = "FILE|learnt")]
    pub(crate) prior: Option<String>,
    /// How finely states are told apart: activity, actionable, layout or full
    /// [default: as in the paper of the search]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<String>,
    /// After the search, try to remove single events until none can go; auto does so anyway
    #[arg(long)]
    pub(crate) one_by_one: bool,
    /// Fresh runs that confirm the answer [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) confirm: Option<u32>,
    /// Refuse a trace that reaches its target less often than this when it is run as it is, from 0 to 1
    /// [default: refuse only what never does so in 12 runs]
    #[arg(long, value_name = "RATE")]
    pub(crate) min_rate: Option<f64>,
    /// In the end, make waits, texts and swipes shorter and aim at widgets instead of places; auto does so anyway
    #[arg(long)]
    pub(crate) values: bool,
    /// Leave waits, texts, swipes and aims as they are
    #[arg(long, conflicts_with = "values")]
    pub(crate) no_values: bool,
    /// Also write the answer to this file [default for cmd: NAME.reduced.EXT beside the input]
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    /// Write the answer there also where a file with other content is
    #[arg(long)]
    pub(crate) force: bool,
    /// With cmd: run this many commands at once [default: 1]
    #[arg(long, short, value_name = "N", conflicts_with = "devices")]
    pub(crate) jobs: Option<u32>,
    /// With cmd: stop a command after this many seconds; it then counts as missed [default: 300]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) reports: ReportArgs,
}

#[derive(Debug, Default, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArgs {
    /// A trace file, or the folder of a reduction or a recording
    #[arg(value_name = "TRACE", required_unless_present = "suite")]
    pub(crate) trace: Option<PathBuf>,
    /// Run each trace of this suite once, and see whether it goes where it should
    #[arg(long, value_name = "DIR", conflicts_with_all = ["trace", "times", "to"])]
    pub(crate) suite: Option<PathBuf>,
    /// Fail when any run crashes: 0 when all went without a crash, 1 when some did not, 2 when the device failed
    #[arg(long, conflicts_with_all = ["suite", "to"])]
    pub(crate) expect_no_crash: bool,
    /// How many times to run it [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) times: Option<u32>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) reports: ReportArgs,
}
