//! How fast is an app in a JVM, against the virtual phone behind real adb?
//!
//! Both do the same: taps with the rest that follows and a look at the whole screen, fresh starts, and a start from
//! nothing. The phone runs `sim:notes` and has no waits of its own, so its figures are those of the way to it. Ratios are
//! of one run on one computer.

use std::time::Instant;

use anyhow::Context as _;
use retap_device::{Device, Look};
use retap_trace::{Event, Micros, Seed};
use serde::Serialize;
use serde_json::json;

use super::JvmArgs;
use super::processes::descendants;
use crate::adb::AdbLab;
use crate::apks::{Bed, PaperApp};
use crate::table;

/// What was measured of one device.
#[derive(Debug, Clone, Serialize)]
struct Speed {
    events_per_second: f64,
    /// A fresh start of the app, until it shows its first screen.
    fresh_start_seconds: f64,
    /// From nothing to the first screen.
    start_seconds: f64,
}

/// Memory of the processes, in MB, after so many fresh starts.
#[derive(Debug, Clone, Serialize)]
struct Memory {
    after: u32,
    megabytes: u64,
}

/// Fresh starts after which memory is looked at.
const STARTS: u32 = 20;
const RESETS: u32 = 120;
const WITHIN: Micros = Micros::from_secs(60);
const SETTLE: Micros = Micros::from_secs(5);

pub(super) fn run(args: &JvmArgs, bed: &Bed, apps: &[PaperApp]) -> anyhow::Result<()> {
    let app = apps.first().context("there is no app")?;
    let began = Instant::now();
    let mut device = bed.open(&bed.spec(app, false))?;
    fresh(&mut device, 1)?;
    let start = began.elapsed().as_secs_f64();
    let jvm = measure(&mut device, args, start)?;
    let memory = memory(&mut device, RESETS)?;
    drop(device);
    let adb = match AdbLab::open() {
        Ok(lab) => Some(adb(&lab, args)?),
        Err(error) => {
            table::say(&format!("skipped: the phone behind adb ({error:#})"));
            None
        }
    };
    print(app, &jvm, adb.as_ref());
    let words: Vec<String> =
        memory.iter().map(|at| format!("{} MB after {}", at.megabytes, at.after)).collect();
    table::say(&format!("memory of the process by fresh starts: {}", words.join(", ")));
    table::json(&json!({
        "bench": "jvm",
        "app": app.name,
        "events": args.events,
        "resets": RESETS,
        "jvm": jvm,
        "adb": adb,
        "memory": memory,
    }))
}

fn adb(lab: &AdbLab, args: &JvmArgs) -> anyhow::Result<Speed> {
    let began = Instant::now();
    let mut device = lab.open_device()?;
    fresh(&mut device, 1)?;
    let start = began.elapsed().as_secs_f64();
    measure(&mut device, args, start)
}

fn print(app: &PaperApp, jvm: &Speed, adb: Option<&Speed>) {
    let row = |what: &str, ours: f64, theirs: Option<f64>, faster: fn(f64, f64) -> f64| {
        let none = || "-".to_owned();
        vec![
            what.to_owned(),
            format!("{ours:.3}"),
            theirs.map_or_else(none, |theirs| format!("{theirs:.3}")),
            theirs.map_or_else(none, |theirs| format!("{:.2}x", faster(ours, theirs))),
        ]
    };
    let rate: fn(f64, f64) -> f64 = |ours, theirs| ours / theirs;
    let time: fn(f64, f64) -> f64 = |ours, theirs| theirs / ours;
    let head = format!("{} in a JVM", app.name);
    table::print(
        &[&head, "jvm", "adb", "times as fast"],
        &[
            row(
                "events/s: tap, rest, look",
                jvm.events_per_second,
                adb.map(|adb| adb.events_per_second),
                rate,
            ),
            row("fresh start, s", jvm.fresh_start_seconds, adb.map(|adb| adb.fresh_start_seconds), time),
            row("from nothing to a screen, s", jvm.start_seconds, adb.map(|adb| adb.start_seconds), time),
        ],
    );
}

/// A fresh start of the app, until it shows its first screen.
pub(super) fn fresh(device: &mut dyn Device, seed: u64) -> anyhow::Result<()> {
    device.reset(Seed(seed), WITHIN)?;
    device.perform(&Event::Launch, WITHIN)?;
    device.settle(SETTLE)?;
    device.observe(Look::Tree, WITHIN)?;
    Ok(())
}

fn measure(device: &mut dyn Device, args: &JvmArgs, start_seconds: f64) -> anyhow::Result<Speed> {
    // Places all over the screen, so that taps do what taps do.
    let screen = device.screen();
    let mut dice = Seed(args.seed).branch("taps", 0).dice();
    let began = Instant::now();
    for _ in 0..args.events {
        let (x, y) = (dice.index(screen.width as usize), dice.index(screen.height as usize));
        device.perform(&Event::tap(i32::try_from(x)?, i32::try_from(y)?), WITHIN)?;
        device.settle(SETTLE)?;
        device.observe(Look::Tree, WITHIN)?;
    }
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let events_per_second = args.events as f64 / began.elapsed().as_secs_f64();
    let began = Instant::now();
    for seed in 0..STARTS {
        fresh(device, u64::from(seed))?;
    }
    let fresh_start_seconds = began.elapsed().as_secs_f64() / f64::from(STARTS);
    Ok(Speed { events_per_second, fresh_start_seconds, start_seconds })
}

/// What all processes that this one has started take, in the course of fresh starts.
fn memory(device: &mut dyn Device, resets: u32) -> anyhow::Result<Vec<Memory>> {
    let every = (resets / 6).max(1);
    let mut all = Vec::new();
    for number in 1..=resets {
        fresh(device, u64::from(number))?;
        if number % every == 0 || number == resets {
            all.push(Memory { after: number, megabytes: children_megabytes() });
        }
    }
    Ok(all)
}

/// The memory of all descendants of this process, in MB.
fn children_megabytes() -> u64 {
    descendants().iter().map(|process| process.resident_kb).sum::<u64>() >> 10
}
