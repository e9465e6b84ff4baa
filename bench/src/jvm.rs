//! Apps in a JVM: how fast they are, against the virtual phone behind real adb; how far the device gets with each of the
//! papers' apps; and what memory a long run takes.

mod apks;
mod processes;
mod resets;
mod speed;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use crate::apks::{Bed, apps};
use crate::table;

#[derive(Debug, Args)]
pub(crate) struct JvmArgs {
    /// The folder with the APKs [default: ../shared/data/apks, from the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Explore every app instead: its first screen, its crashes, and what the device cannot do
    #[arg(long)]
    apks: bool,
    /// Only these apps; the first of them is the one whose speed is measured
    #[arg(long, value_name = "APP", value_delimiter = ',')]
    apps: Vec<String>,
    /// Events of each measurement
    #[arg(long, value_name = "N", default_value_t = 500)]
    events: u64,
    /// Start the largest app afresh so often instead, and tell what memory that takes
    #[arg(long, value_name = "N", conflicts_with = "apks")]
    resets: Option<u32>,
    /// Apps that are explored at once, each with a process of its own
    #[arg(long, value_name = "J", default_value_t = 2)]
    jobs: usize,
    /// How events are chosen
    #[arg(long, value_name = "STRATEGY", default_value = "aware")]
    strategy: String,
    /// Where chance starts
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &JvmArgs) -> anyhow::Result<()> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let data = args.data.clone().unwrap_or_else(|| project.join("../shared/data/apks"));
    if !data.is_dir() {
        table::say(&format!("skipped: there are no APKs in {}", data.display()));
        return Ok(());
    }
    ensure!(args.events > 0 && args.resets != Some(0) && args.jobs > 0, "ask for more than 0");
    let (bed, apps) = (Bed::new(&data), apps(&args.apps)?);
    match args.resets {
        Some(resets) => resets::run(args, &bed, &apps, resets),
        None if args.apks => apks::run(args, &bed, &apps),
        None => speed::run(args, &bed, &apps),
    }
}
