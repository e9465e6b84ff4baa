//! `retap record`.

use clap::Args;

use super::ModeArgs;

const AFTER_HELP: &str = "\
Examples:
  retap record --device sim:notes --out mine            prints the address of a page; act there
  retap record --device jvm:APP.apk
  retap record --device 'adb?app=com.example.app'       act on the phone itself; Ctrl-C when done
  retap record --device 'adb?app=com.example.app' --page
  retap reduce mine/recorded.trace.jsonl                when the recording ended in a crash

Recording begins with a fresh start of the app, and ends with Done on the page, Ctrl-C, or a crash of the app. \
Every step is in DIR/recorded.trace.jsonl when it is over. Exit codes: 0 recorded; 1 nothing was recorded; \
2 wrong usage, or the device failed, with what was recorded until then saved.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RecordArgs {
    /// The device: sim:APP, jvm:APP.apk, adb?app=PACKAGE or adb:SERIAL?app=PACKAGE
    #[arg(long, short, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) mode: ModeArgs,
    /// Act on a page that shows the screen, also where the device has a screen of its own to touch
    #[arg(long)]
    pub(crate) page: bool,
}
