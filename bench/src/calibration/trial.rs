//! One reduction by the program that people use, and what it says against what is true.

use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use retap_trace::{Event, Seed, Trace};
use serde::Serialize;
use serde_json::Value;

use super::world::{CalibrationWorld, ChanceKind};

/// What is asked of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Group {
    /// The rate of the needed events alone.
    pub(crate) rate: f64,
    pub(crate) rule: &'static str,
    /// Its name, perhaps with `+1`: single events afterwards.
    pub(crate) search: &'static str,
    /// Whether values are made simpler.
    pub(crate) values: bool,
    /// How many runs go on at once.
    pub(crate) devices: u32,
}

/// What came of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TrialOutcome {
    /// Nothing when the trace was refused.
    pub(crate) claim: Option<Claim>,
    pub(crate) runs: u64,
}

/// What was printed of a saved answer, and its exact rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Claim {
    pub(crate) estimate: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) exact: f64,
    pub(crate) length: usize,
    /// Whether it was said that the answer falls short of its rule, or that no run confirmed it.
    pub(crate) short: bool,
}

impl Claim {
    /// Whether the interval holds the exact rate. A hair is left for the rounding of sums.
    pub(crate) fn covers(&self) -> bool {
        self.low - 1e-9 <= self.exact && self.exact <= self.high + 1e-9
    }
}

/// Reduces the world of this number with the program `retap`, in a folder that is gone afterwards.
pub(crate) fn trial(
    retap: &Path,
    folder: &Path,
    group: Group,
    number: usize,
    seed: Seed,
) -> anyhow::Result<TrialOutcome> {
    let kind = ChanceKind::ALL[number % ChanceKind::ALL.len()];
    let world = CalibrationWorld::new(kind, group.rate, seed, "calib.app")?;
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("calib.app"), &world.text)?;
    world.trace.write(std::fs::File::create(folder.join("long.trace.jsonl"))?)?;
    let (search, one_by_one) = match group.search.strip_suffix("+1") {
        Some(search) => (search, Some("--one-by-one")),
        None => (group.search, None),
    };
    let number = seed.0.to_string();
    let said = Command::new(retap)
        .args(["reduce", "long.trace.jsonl", "--json", "--quiet", "--out", "short"])
        .args(["--search", search, "--rule", group.rule, "--seed", &number])
        .args(["--devices", &group.devices.to_string()])
        .args(one_by_one)
        .arg(if group.values { "--values" } else { "--no-values" })
        .current_dir(folder)
        .output()
        .with_context(|| format!("{} cannot be started", retap.display()))?;
    let words = || format!("{group:?} {kind:?} {seed:?}: {}", String::from_utf8_lossy(&said.stderr));
    ensure!(matches!(said.status.code(), Some(0 | 1)), "{}", words());
    let text = String::from_utf8(said.stdout.clone())?;
    let result: Value = serde_json::from_str(text.lines().last().with_context(words)?)?;
    let outcome = outcome(&world, folder, &result).with_context(words)?;
    std::fs::remove_dir_all(folder)?;
    Ok(outcome)
}

fn outcome(world: &CalibrationWorld, folder: &Path, result: &Value) -> anyhow::Result<TrialOutcome> {
    let runs = result["runs"].as_u64().context("runs")?;
    let status = result["status"].as_str().context("a status")?;
    if status == "not_reproducible" {
        return Ok(TrialOutcome { claim: None, runs });
    }
    ensure!(matches!(status, "reduced" | "below_the_rule" | "not_confirmed"), "it ended as {status}");
    let rate = |name: &str| result["rate"][name].as_f64().context("a rate");
    let file = folder.join(result["trace"].as_str().context("a file")?);
    let reader = BufReader::new(std::fs::File::open(&file)?);
    let saved = Trace::read(file.display().to_string(), reader)?;
    let events: Vec<Event> = saved.events().cloned().collect();
    let claim = Claim {
        estimate: rate("estimate")?,
        low: rate("low")?,
        high: rate("high")?,
        exact: world.rate(&events)?,
        length: events.len(),
        short: status != "reduced",
    };
    Ok(TrialOutcome { claim: Some(claim), runs })
}
