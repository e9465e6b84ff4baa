//! Files about a result, for build servers.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "For build servers")]
pub(crate) struct ReportArgs {
    #[arg(long, value_name = "FILE", help = "Also write the result as JUnit XML")]
    pub(crate) junit: Option<PathBuf>,
    /// Also write the crashes as SARIF 2.1.0, with the lines of source that their stacks name
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// The folder of the app's source, in a git checkout, for the paths in SARIF and in annotations on GitHub
    /// [default: this folder, where it is in one]
    #[arg(long, value_name = "DIR")]
    pub(crate) sources: Option<PathBuf>,
}
