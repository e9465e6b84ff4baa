//! `retap policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const AFTER_HELP: &str = "\
Examples:
  retap policy solve --n 5 --m 15 --nr 20 --st 18
  retap policy show --n 3 --m 15 --nr 20 --st 18 --tallies 4/1,2/3,5/0
  retap policy evaluate --n 3 --m 15 --nr 20 --st 18";

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum PolicyCommand {
    /// Find the schedule with the fewest expected steps, and keep it for later
    Solve {
        #[command(flatten)]
        setting: SettingArgs,
        /// Also write the policy to this file
        #[arg(long, value_name = "FILE")]
        write: Option<PathBuf>,
    },
    /// Say what the best next step is
    Show {
        #[command(flatten)]
        setting: SettingArgs,
        /// The tallies of the candidates, as successes/failures: 4/1,2/3,5/0
        #[arg(long, value_name = "S/F,...")]
        tallies: String,
    },
    /// Expected steps and runs of every schedule, exactly
    Evaluate {
        #[command(flatten)]
        setting: SettingArgs,
    },
}

/// What a policy is for.
#[derive(Debug, Args)]
pub(crate) struct SettingArgs {
    /// Candidates
    #[arg(long, default_value_t = 5)]
    pub(crate) n: u32,
    /// Devices
    #[arg(long, default_value_t = 15)]
    pub(crate) m: u32,
    /// Runs of each candidate, at most
    #[arg(long, default_value_t = 20)]
    pub(crate) nr: u32,
    /// Successes that make a candidate pass
    #[arg(long, default_value_t = 18)]
    pub(crate) st: u32,
    /// What is believed of success rates before any run, as JSON: {"p":[...],"weight":[...]}
    /// [default: the prior recovered from ND3MIN's printed figures]
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
}
