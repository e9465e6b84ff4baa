//! `retap import`.

use std::path::PathBuf;

use clap::Args;
use retap_trace::{Size, Target};

use super::named;

const AFTER_HELP: &str = "\
Examples:
  retap import flow.yaml --device sim:notes --to crash > flow.trace.jsonl
  retap import monkey.log --out traces               what wrote it is guessed, and said
  (adb shell getevent -lp; adb shell getevent -lt) | retap import - --app com.example --screen 1080x1920 --out traces
  retap import droidbot-out --out traces             DroidBot's folder

What has no event in the trace is counted by kind and said. What retap cannot do is refused with its line. \
Without --out the trace goes to stdout.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ImportArgs {
    /// The recording: a file, a folder, or - for stdin
    #[arg(value_name = "FILE|DIR|-")]
    pub(crate) recording: PathBuf,
    /// What wrote it [default: as it looks]
    #[arg(long, value_name = "NAME", value_parser = named::IMPORTER)]
    pub(crate) from: Option<String>,
    /// The package of the app, where the recording does not name it
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) app: Option<String>,
    /// Where the trace is to be replayed; it is written into the trace
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// The screen that the recording is of, such as 1080x1920
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub(crate) screen: Option<Size>,
    /// The highest values of the touch screen's axes, for getevent: 32767x32767 of an emulator
    #[arg(long, value_name = "XxY", value_parser = size)]
    pub(crate) axes: Option<Size>,
    /// What the trace is to reach [default: the crash that the recording names]
    #[arg(long, value_name = "TARGET")]
    pub(crate) to: Option<Target>,
    /// Overwrite a trace in --out that has other content
    #[arg(long)]
    pub(crate) force: bool,
}

fn size(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', 'X', '*']);
    let side = |side: &str| side.trim().parse().ok().filter(|pixels| (1..=100_000).contains(pixels));
    let size = sides.and_then(|(width, height)| Some(Size { width: side(width)?, height: side(height)? }));
    size.ok_or_else(|| "write it as 1080x1920".to_owned())
}
