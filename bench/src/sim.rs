//! How fast is the simulated device, and how small?

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use retap_device::{Device, Look};
use retap_explore::{Monkey, MonkeySettings};
use retap_lab::{Exploration, ExplorationSettings, Segment};
use retap_model::{Keyer, ScreenView};
use retap_sim::{SimDevice, SimSpec};
use retap_trace::{Event, GuiTree, Level, Micros, Seed};
use serde::Serialize;

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    /// The device
    #[arg(long, default_value = "sim:notes")]
    device: String,
    /// Events of each measurement, in millions
    #[arg(long, default_value_t = 2)]
    millions: u64,
}

#[derive(Debug, Serialize)]
struct SimResult {
    bench: &'static str,
    device: String,
    events: u64,
    activity_events_per_second: u64,
    layout_events_per_second: u64,
    tree_events_per_second: u64,
    clone_bytes: u64,
    clones_per_gb: u64,
}

const WITHIN: Micros = Micros::from_secs(600);

pub(crate) fn run(args: &SimArgs) -> anyhow::Result<()> {
    let spec: SimSpec = args.device.parse()?;
    let app = Arc::new(retap_generate::load(&spec, &|path| {
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    })?);
    let program = Arc::new(spec.program(app)?);
    let device = || SimDevice::running(&spec, program.clone());
    let episodes = episodes(Box::new(device()));
    let events = args.millions * 1_000_000;

    let activity = measure(&mut device(), &episodes, events, |device| {
        black_box(device.observe(Look::Activity, WITHIN).expect("no faults")).coverage.len()
    });
    let mut keyer = Keyer::default();
    let mut tree = GuiTree::new();
    let layout = measure(&mut device(), &episodes, events, |device| {
        let machine = device.machine();
        machine.tree_into(&mut tree);
        let sight = ScreenView {
            activity: machine.activity(),
            keyboard: machine.keyboard(),
            orientation: machine.orientation(),
            tree: &tree,
        };
        usize::from(black_box(keyer.key_of(sight, Level::Layout)).0 == 0)
    });
    let full = measure(&mut device(), &episodes, events, |device| {
        black_box(device.observe(Look::Tree, WITHIN).expect("no faults")).coverage.len()
    });
    let clone_bytes = clone_bytes(&mut device(), &episodes)?;

    let clones = (1 << 30) / clone_bytes.max(1);
    let row = |what: &str, found: String, goal: &str| vec![what.to_owned(), found, goal.to_owned()];
    table::print(
        &["simulated device, one core", "measured", "goal"],
        &[
            row("events/s, activity looked at", table::thousands(activity), "1,000,000"),
            row("events/s, layout key made", table::thousands(layout), "200,000"),
            row("events/s, full tree handed out", table::thousands(full), "50,000"),
            row("bytes a clone", table::thousands(clone_bytes), ""),
            row("clones per GB", table::thousands(clones), "1,000"),
        ],
    );
    table::json(&SimResult {
        bench: "sim",
        device: args.device.clone(),
        events,
        activity_events_per_second: activity,
        layout_events_per_second: layout,
        tree_events_per_second: full,
        clone_bytes,
        clones_per_gb: clones,
    })
}

/// Events that do something: what a monkey that aims at widgets did, episode by episode.
fn episodes(device: Box<dyn Device>) -> Vec<Vec<Event>> {
    let settings = ExplorationSettings { events: 20_000, ..ExplorationSettings::default() };
    let monkey = MonkeySettings { aware: true, ..MonkeySettings::default() };
    let monkey = Monkey::new(monkey, Seed(1).dice());
    let mut exploration = Exploration::new(settings, Box::new(monkey), device.package().to_owned(), 1);
    exploration.virtually(vec![device], Seed(1), &mut |_| true);
    let events = |segment: &Segment| segment.steps.iter().map(|step| step.event.clone()).collect();
    exploration.segments().iter().map(events).collect()
}

/// Events a second: each performed, then looked at. Fresh starts between episodes are part of it.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate"
)]
fn measure(
    device: &mut SimDevice,
    episodes: &[Vec<Event>],
    events: u64,
    mut look: impl FnMut(&mut SimDevice) -> usize,
) -> u64 {
    let began = Instant::now();
    let (mut done, mut seen) = (0, 0);
    for episode in episodes.iter().cycle() {
        device.reset(Seed(done), WITHIN).expect("no faults");
        device.perform(&Event::Launch, WITHIN).expect("no faults");
        for event in episode {
            device.perform(event, WITHIN).expect("no faults");
            seen += look(device);
        }
        done += episode.len() as u64;
        if done >= events {
            break;
        }
    }
    black_box(seen);
    (done as f64 / began.elapsed().as_secs_f64()) as u64
}

/// Memory of one more device in the middle of an episode, by the growth of the process over many.
fn clone_bytes(device: &mut SimDevice, episodes: &[Vec<Event>]) -> anyhow::Result<u64> {
    const CLONES: usize = 20_000;
    device.reset(Seed(1), WITHIN).expect("no faults");
    device.perform(&Event::Launch, WITHIN).expect("no faults");
    for event in episodes.iter().flatten().take(200) {
        device.perform(event, WITHIN).expect("no faults");
    }
    let before = resident()?;
    let clones = vec![device.machine().clone(); CLONES];
    let after = resident()?;
    black_box(&clones);
    Ok(after.saturating_sub(before) / CLONES as u64)
}

/// Bytes of memory that the process holds.
fn resident() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/statm")
        .context("memory is read from /proc, which is not here")?;
    let pages: u64 = text.split_whitespace().nth(1).context("statm has two numbers")?.parse()?;
    Ok(pages * 4096)
}
