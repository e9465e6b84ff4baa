//! `retap export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::named;

const AFTER_HELP: &str = "\
Examples:
  retap export reduced.trace.jsonl --as maestro > crash.yaml
  retap export night-reduced --as appium --out tests     the answer of 'retap reduce --out night-reduced'
  retap export reduced.trace.jsonl --as markdown         for a bug report
  retap export reduced.trace.jsonl --as adb --expect crash

Touches go by the name of a widget where the reduction has confirmed that, else by coordinates. What the tool \
cannot express is refused by name. A template of yours, DIR/NAME.jinja, takes the place of ours with --templates DIR.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ExportArgs {
    /// The trace, - for one on stdin, or the folder of a reduction
    #[arg(value_name = "TRACE|DIR|-")]
    pub(crate) trace: PathBuf,
    /// The tool that the test is for
    #[arg(long = "as", value_name = "NAME", value_parser = named::EXPORTER)]
    pub(crate) tool: String,
    /// What the test expects of the app: no-crash fails while the crash is there, crash passes [default: no-crash]
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "no-crash",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) expect: Expected,
    /// A folder with templates in the place of ours
    #[arg(long, value_name = "DIR")]
    pub(crate) templates: Option<PathBuf>,
    /// Overwrite a file in --out that has other content
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expected {
    NoCrash,
    Crash,
}
