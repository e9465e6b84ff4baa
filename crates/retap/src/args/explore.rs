//! `retap explore`.

use clap::Args;

use super::{ModeArgs, ReportArgs, named};

const AFTER_HELP: &str = "\
Examples:
  retap explore --device sim:notes --events 5000 --seed 7 --out night
  retap explore --device 'sim:notes?drop=0.02&profile=phone' --strategy aware --minutes 60 --devices 4
  retap explore --device sim:flashcards --strategy timetravel --minutes 60
  retap explore --device sim:flashcards --strategy timetravel --timetravel published --minutes 60
  retap explore --device sim:./my.app --pct-touch 60 --pct-rotation 5
  retap explore --device jvm:sample --wild --events 2000
  retap explore --device sim:notes --events 5000 --junit results.xml --sarif crashes.sarif
  retap explore --resume night

Settings of timetravel: loop-length=10, no-progress=50, frequent=0.2, easy=0.8, reward=0.1, \
penalty=0.1, interesting=6, snapshots=100. 'published' is timetravel or mr as in the paper: no-progress=200, and \
touches anywhere in the mix of Android's Monkey; --select and --throttle (200 there) stay yours.";

#[derive(Debug, Default, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ExploreArgs {
    /// The device: sim:APP, adb?app=PACKAGE, adb:SERIAL?app=PACKAGE or jvm:APP.apk, with options as in
    /// sim:notes?flaky=1
    #[arg(long, short, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) mode: ModeArgs,
    /// How to choose events [default: monkey]
    #[arg(long, value_name = "NAME", value_parser = named::STRATEGY)]
    pub(crate) strategy: Option<String>,
    /// Stop after this many events in all [default: 5000, when nothing else stops it]
    #[arg(long, value_name = "N")]
    pub(crate) events: Option<u64>,
    /// Stop after this many minutes of device time
    #[arg(long, value_name = "M")]
    pub(crate) minutes: Option<u64>,
    /// Stop when no new code was executed (without coverage: no new state was seen) for this many minutes
    #[arg(long, value_name = "M")]
    pub(crate) idle_minutes: Option<u64>,
    /// Go on with the exploration in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "out", "device", "strategy", "events", "minutes", "idle_minutes", "devices", "seed", "reduce", "start", "look",
        "throttle", "blind", "timetravel", "select", "no_snapshots", "MonkeyArgs", "ModeArgs"
    ])]
    pub(crate) resume: Option<std::path::PathBuf>,
    /// Reduce each new crash: at once on devices of its own, or, on real ones, when the exploration is over
    #[arg(long)]
    pub(crate) reduce: bool,
    /// A trace that each start begins with, such as a login
    #[arg(long, value_name = "TRACE")]
    pub(crate) start: Option<std::path::PathBuf>,
    /// When to look at the whole screen: after every event (always), or less often while nothing is new (adaptive)
    /// [default: always]
    #[arg(long, value_name = "WHEN")]
    pub(crate) look: Option<String>,
    /// Wait this many milliseconds between events [default: 0]
    #[arg(long, value_name = "MS")]
    pub(crate) throttle: Option<u64>,
    /// With ms, mr and timetravel: touch anywhere, as Android's Monkey does, not at widgets
    #[arg(long)]
    pub(crate) blind: bool,
    /// A setting of timetravel: NAME=NUMBER; or published, for all as in the paper (see below)
    #[arg(long, value_name = "NAME=N|published")]
    pub(crate) timetravel: Vec<String>,
    /// With timetravel, what decides where to go back to: a state's own promise (own) or that of the states around
    /// it (neighbourhood) [default: own]
    #[arg(long, value_name = "HOW")]
    pub(crate) select: Option<String>,
    /// Do not use the device's snapshots; go back in time by replaying what led to a state
    #[arg(long)]
    pub(crate) no_snapshots: bool,
    /// Explore with this many devices at once [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) devices: Option<u32>,
    #[command(flatten)]
    pub(crate) reports: ReportArgs,
    #[command(flatten)]
    pub(crate) monkey: MonkeyArgs,
}

/// Monkey's percentages. What is not given shares the rest in the proportions of Android's defaults.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Monkey's mix of events, in percent")]
#[expect(clippy::struct_field_names, reason = "clap makes the names of Monkey's own options of them")]
pub(crate) struct MonkeyArgs {
    /// Taps
    #[arg(long, value_name = "P")]
    pub(crate) pct_touch: Option<String>,
    /// Swipes
    #[arg(long, value_name = "P")]
    pub(crate) pct_motion: Option<String>,
    /// Pinches
    #[arg(long, value_name = "P")]
    pub(crate) pct_pinchzoom: Option<String>,
    /// Trackball: direction keys
    #[arg(long, value_name = "P")]
    pub(crate) pct_trackball: Option<String>,
    /// Rotations
    #[arg(long, value_name = "P")]
    pub(crate) pct_rotation: Option<String>,
    /// Direction keys
    #[arg(long, value_name = "P")]
    pub(crate) pct_nav: Option<String>,
    /// Menu and centre keys
    #[arg(long, value_name = "P")]
    pub(crate) pct_majornav: Option<String>,
    /// Home, back, volume and call keys
    #[arg(long, value_name = "P")]
    pub(crate) pct_syskeys: Option<String>,
    /// Launches
    #[arg(long, value_name = "P")]
    pub(crate) pct_appswitch: Option<String>,
    /// Keyboard flips
    #[arg(long, value_name = "P")]
    pub(crate) pct_flip: Option<String>,
    /// Any other key
    #[arg(long, value_name = "P")]
    pub(crate) pct_anyevent: Option<String>,
}

impl MonkeyArgs {
    /// The percentages that were typed, by Monkey's names.
    pub(crate) fn typed(&self) -> Vec<(&'static str, &str)> {
        [
            ("touch", &self.pct_touch),
            ("motion", &self.pct_motion),
            ("pinchzoom", &self.pct_pinchzoom),
            ("trackball", &self.pct_trackball),
            ("rotation", &self.pct_rotation),
            ("nav", &self.pct_nav),
            ("majornav", &self.pct_majornav),
            ("syskeys", &self.pct_syskeys),
            ("appswitch", &self.pct_appswitch),
            ("flip", &self.pct_flip),
            ("anyevent", &self.pct_anyevent),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.as_deref().map(|value| (name, value)))
        .collect()
    }
}
