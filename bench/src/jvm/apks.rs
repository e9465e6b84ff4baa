//! Every app: does it start, does the device hold, which crashes come, and whose are they?

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use retap_device::{Device, Look};
use retap_trace::{Event, Micros, Seed};
use serde::Serialize;
use serde_json::json;

use super::JvmArgs;
use crate::apks::{Bed, FoundCrash, PaperApp, Scout, Scouted, Watched};
use crate::table;

/// What became of an app.
#[derive(Debug, Serialize)]
struct Tried {
    app: String,
    /// Widgets of the first screen.
    nodes: usize,
    /// The time of this computer from nothing to the first screen.
    first_seconds: f64,
    activity: String,
    #[serde(flatten)]
    scouted: Option<Scouted>,
    /// Why there is no more to say.
    why: Option<String>,
}

const WITHIN: Micros = Micros::from_secs(60);

pub(super) fn run(args: &JvmArgs, bed: &Bed, apps: &[PaperApp]) -> anyhow::Result<()> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((number, app)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            apps.get(number).map(|app| (number, app))
        } {
            let tried = attempt(args, bed, app);
            table::progress(&row(&tried).join("  "));
            done.lock().expect("nobody panics with it").push((number, tried));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.min(apps.len()) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner()?;
    done.sort_by_key(|(number, _)| *number);
    let done: Vec<Tried> = done.into_iter().map(|(_, tried)| tried).collect();
    let head = [
        "app", "nodes", "start s", "events", "events/s", "starts", "states", "code %", "failures", "crashes",
        "device's",
    ];
    table::print(&head, &done.iter().map(row).collect::<Vec<_>>());
    table::say("failures: calls of the device that failed; device's: ends of the app because of the device");
    print_crashes(&done);
    let sound = done.iter().filter(|tried| tried.sound()).count();
    table::say(&format!("{sound} of {} apps without a failure of the device", done.len()));
    table::json(&json!({
        "bench": "jvm",
        "strategy": args.strategy,
        "events": args.events,
        "seed": args.seed,
        "sound": sound,
        "apps": done,
    }))
}

fn attempt(args: &JvmArgs, bed: &Bed, app: &PaperApp) -> Tried {
    let mut tried = Tried {
        app: app.name.clone(),
        nodes: 0,
        first_seconds: 0.0,
        activity: String::new(),
        scouted: None,
        why: None,
    };
    let began = Instant::now();
    let done = bed.with(app, false, |device| {
        first_screen(device, &mut tried)?;
        tried.first_seconds = began.elapsed().as_secs_f64();
        let scout =
            Scout { strategy: &args.strategy, events: args.events, throttle: Micros::ZERO, seed: args.seed };
        let mut exploration = scout.exploration(device)?;
        tried.scouted = Some(scout.explore(device, &mut exploration));
        Ok(())
    });
    tried.why = done.err().map(|error| format!("{error:#}"));
    tried
}

fn first_screen(device: &Watched, tried: &mut Tried) -> anyhow::Result<()> {
    let mut device = device.clone();
    device.reset(Seed(1), WITHIN)?;
    device.perform(&Event::Launch, WITHIN)?;
    device.settle(Micros::from_secs(5))?;
    let seen = device.observe(Look::Tree, WITHIN)?;
    tried.nodes = seen.tree.map_or(0, |tree| tree.nodes().len());
    tried.activity = seen.activity.to_string();
    Ok(())
}

impl Tried {
    /// Whether it was explored to the end, and no call of the device failed.
    fn sound(&self) -> bool {
        let held = |scouted: &Scouted| scouted.failures.is_empty() && scouted.ended.is_none();
        self.why.is_none() && self.scouted.as_ref().is_some_and(held)
    }
}

fn row(tried: &Tried) -> Vec<String> {
    let mut row = vec![tried.app.clone(), tried.nodes.to_string(), format!("{:.1}", tried.first_seconds)];
    let Some(scouted) = &tried.scouted else {
        row.push(tried.why.clone().unwrap_or_default());
        row.resize(11, "-".to_owned());
        return row;
    };
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let (rate, covered) = (scouted.events as f64 / scouted.seconds.max(0.001), scouted.covered as f64);
    row.extend([
        scouted.events.to_string(),
        format!("{rate:.1}"),
        scouted.starts.to_string(),
        scouted.states.to_string(),
        scouted.total.map_or_else(|| "-".to_owned(), |of| format!("{:.1}", covered * 100.0 / f64::from(of))),
        scouted.failures.len().to_string(),
        scouted.crashes.len().to_string(),
        scouted.device_crashes.len().to_string(),
    ]);
    row
}

fn print_crashes(done: &[Tried]) {
    let show = |whose: &str, found: &FoundCrash| {
        table::say(&format!("  {whose}, {} times: {}", found.seen, found.signature));
        found.stack.iter().take(8).for_each(|line| table::say(&format!("      {line}")));
    };
    for tried in done {
        let Some(scouted) = &tried.scouted else { continue };
        let failed = scouted.failures.iter().chain(&scouted.ended).next();
        if scouted.crashes.is_empty() && scouted.device_crashes.is_empty() && failed.is_none() {
            continue;
        }
        table::say(&format!("\n{}", tried.app));
        if let Some(why) = failed {
            table::say(&format!("  failure: {why}"));
        }
        scouted.crashes.iter().for_each(|found| show("the app's", found));
        scouted.device_crashes.iter().for_each(|found| show("the device's", found));
    }
    table::say("");
}
