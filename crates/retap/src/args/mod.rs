//! What was typed: clap's structs and nothing else. What to do is decided where settings are joined.

mod device;
mod explore;
mod export;
mod import;
mod mcp;
mod mode;
mod named;
mod policy;
mod record;
mod reduce;
mod report;
mod show;
mod suite;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use device::{DeviceCommand, ServeArgs};
pub(crate) use explore::ExploreArgs;
pub(crate) use export::{Expected, ExportArgs};
pub(crate) use import::ImportArgs;
pub(crate) use mcp::McpArgs;
pub(crate) use mode::ModeArgs;
pub(crate) use policy::{PolicyCommand, SettingArgs};
pub(crate) use record::RecordArgs;
pub(crate) use reduce::{ReduceArgs, ReplayArgs, RunArgs};
pub(crate) use report::ReportArgs;
pub(crate) use show::{DiffArgs, ShowArgs};
pub(crate) use suite::SuiteArgs;

const AFTER_HELP: &str = "\
Examples:
  retap demo                                          no device needed
  retap demo --apk                                    the same with an Android app, in a JVM
  retap explore --device sim:notes --events 5000 --seed 7 --out night
  retap replay night/traces/d0-0000.trace.jsonl --times 20
  retap reduce night/traces/d0-0000.trace.jsonl

Exit codes: 0 done; 1 crashes found (explore, replay --expect-no-crash), not reproducible (reduce, replay), \
something lost (suite), a trace failed (replay --suite) or something differs (diff); 2 wrong usage or environment; \
3 a bug in retap; 130 interrupted, with what was found so far saved.";

/// Explores an app's GUI, finds crashes, and hands back the fewest taps that reproduce each one.
#[derive(Debug, Parser)]
#[command(name = "retap", version, about, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Retap {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is for all commands. Some of them have no use for all of it.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "For all commands; --json, --seed and --out are refused where they do nothing")]
pub(crate) struct Global {
    /// Print one JSON object as the last line of stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The number from which all chance comes: on the simulator, one seed and one number of devices is one run
    #[arg(long, global = true, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// The folder for everything that is saved; the same command on the same folder goes on
    #[arg(long, short, global = true, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Settings file [default: retap.toml, where it exists]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Say more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Say nothing but errors and warnings
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

const DEMO_HELP: &str = "\
Examples:
  retap demo                         an app of the simulator; takes a moment
  retap demo --apk                   an Android app (an APK) in a JVM, without a phone; see docs/jvm.md

--apk needs a JDK of version 17 or later and Maven. Its first use downloads up to 360 MB from Maven Central.";

#[derive(Debug, Args)]
#[command(after_help = DEMO_HELP)]
pub(crate) struct DemoArgs {
    /// The same with an Android app that is part of retap, run in a JVM: the device jvm:sample
    #[arg(long)]
    pub(crate) apk: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find a crash in a built-in app and reduce it; no device needed
    Demo(DemoArgs),
    /// Explore an app and collect crashes
    Explore(Box<ExploreArgs>),
    /// Reduce a trace to the fewest events that still reach its target
    Reduce(Box<ReduceArgs>),
    /// Make a small regression suite out of many traces, with the same coverage
    Suite(SuiteArgs),
    /// Run a trace several times and measure how often it reaches its target; or run a suite
    Replay(ReplayArgs),
    /// Write down what a person does, on a page or on a phone, as a trace
    Record(RecordArgs),
    /// Show a trace, a session or a suite in words: steps and states, crashes and rates, and what to do next
    Show(ShowArgs),
    /// Say how two traces, sessions or suites differ
    Diff(DiffArgs),
    /// Write a trace down as a test of another tool, or as steps in words
    Export(ExportArgs),
    /// Make a trace out of a recording of another tool
    Import(ImportArgs),
    /// Serve coding agents: the commands as tools of the Model Context Protocol
    Mcp(McpArgs),
    /// The optimal schedule of runs over devices
    Policy {
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Devices that retap can use
    Device {
        #[command(subcommand)]
        command: DeviceCommand,
    },
    /// Print a script that completes retap's words in your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}
