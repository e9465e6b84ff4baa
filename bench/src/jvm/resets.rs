//! How much memory an app takes that is started afresh again and again, and what it costs that its process is replaced.
//!
//! The app is the largest of those there are. Memory is the most that the system has seen of each process, as it tells it
//! (`VmHWM`), so nothing between two looks is missed.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Context as _;
use serde::Serialize;

use super::JvmArgs;
use super::processes::{Process, descendants};
use super::speed::fresh;
use crate::apks::{Bed, PaperApp};
use crate::table;

/// What was measured.
#[derive(Debug, Serialize)]
struct Endurance {
    bench: &'static str,
    app: String,
    apk_bytes: u64,
    resets: u32,
    seconds: f64,
    /// Fresh starts in a process that was there.
    fresh: Times,
    /// Fresh starts that needed another process.
    replaced: Times,
    /// What replacing costs, as a part of the whole time.
    replacing_percent: f64,
    /// The most memory that one process took, in MB, and all at one time.
    peak_megabytes: u64,
    peak_together_megabytes: u64,
}

#[derive(Debug, Default, Serialize)]
struct Times {
    count: usize,
    median_seconds: f64,
    longest_seconds: f64,
}

impl Times {
    fn of(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        Self {
            count: seconds.len(),
            median_seconds: seconds.get(seconds.len() / 2).copied().unwrap_or_default(),
            longest_seconds: seconds.last().copied().unwrap_or_default(),
        }
    }
}

/// What may be taken.
const GOAL_MEGABYTES: u64 = 1_536;

pub(super) fn run(args: &JvmArgs, bed: &Bed, apps: &[PaperApp], resets: u32) -> anyhow::Result<()> {
    let size = |app: &PaperApp| bed.apk(app).metadata().map_or(0, |file| file.len());
    let app = apps.iter().max_by_key(|app| size(app)).context("there is no app")?;
    let mut device = bed.open(&bed.spec(app, false))?;
    let began = Instant::now();
    let (mut kept, mut replaced) = (Vec::new(), Vec::new());
    let mut peaks: BTreeMap<u32, u64> = BTreeMap::new();
    let mut together = 0;
    let mut before = largest(&descendants());
    for number in 1..=resets {
        let at = Instant::now();
        fresh(&mut device, args.seed + u64::from(number))?;
        let seconds = at.elapsed().as_secs_f64();
        let running = descendants();
        together = together.max(running.iter().map(|process| process.peak_kb).sum());
        for process in &running {
            peaks.insert(process.number, process.peak_kb);
        }
        let now = largest(&running);
        if now == before { &mut kept } else { &mut replaced }.push(seconds);
        before = now;
        if number % 100 == 0 {
            table::progress(&format!("{number} of {resets} fresh starts"));
        }
    }
    let whole = began.elapsed().as_secs_f64();
    let (fresh, replaced) = (Times::of(kept), Times::of(replaced));
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let lost = replaced.count as f64 * (replaced.median_seconds - fresh.median_seconds);
    let done = Endurance {
        bench: "jvm-resets",
        app: app.name.clone(),
        apk_bytes: size(app),
        resets,
        seconds: whole,
        fresh,
        replaced,
        replacing_percent: 100.0 * lost / whole,
        peak_megabytes: peaks.values().max().map_or(0, |peak| peak >> 10),
        peak_together_megabytes: together >> 10,
    };
    print(&done);
    table::json(&done)
}

/// The JVM: its sandbox takes next to nothing.
fn largest(processes: &[Process]) -> Option<u32> {
    processes.iter().max_by_key(|process| process.peak_kb).map(|process| process.number)
}

fn print(done: &Endurance) {
    let times = |times: &Times| {
        vec![
            times.count.to_string(),
            format!("{:.3}", times.median_seconds),
            format!("{:.3}", times.longest_seconds),
        ]
    };
    let row = |what: &str, of: &Times| [vec![what.to_owned()], times(of)].concat();
    let head = format!("{} ({} kB)", done.app, done.apk_bytes / 1000);
    table::print(
        &[&head, "count", "median s", "longest s"],
        &[row("in the same process", &done.fresh), row("in another process", &done.replaced)],
    );
    table::say(&format!(
        "{} fresh starts in {:.0} s; replacing processes took {:.1} % of it",
        done.resets, done.seconds, done.replacing_percent
    ));
    let goal = if done.peak_together_megabytes <= GOAL_MEGABYTES { "within" } else { "beyond" };
    table::say(&format!(
        "memory: {} MB at most in one process, {} MB with its sandbox; {goal} {GOAL_MEGABYTES} MB",
        done.peak_megabytes, done.peak_together_megabytes
    ));
}
