//! Does a crash that was found come from a clean start, too? And is that what the generator says of it?

use std::sync::Arc;

use anyhow::ensure;
use retap_device::Device as _;
use retap_generate::{KnownBug, Share};
use retap_lab::{Deadlines, Oracle};
use retap_reduce::{EventRun, Outcome, Ticket};
use retap_trace::{Event, Header, Level, Seed, Start, Target, Trace};
use serde::Serialize;

use super::subject::Subject;

/// Replays of each crash.
pub(super) const REPLAYS: u32 = 5;

/// What replays of the way to a crash showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Proof {
    /// Events of the way.
    pub(super) events: usize,
    /// How many of the replays ended with that crash.
    pub(super) reached: u32,
    /// How many of the others died on the way of a bug that crashes only sometimes, and had not when it was found.
    pub(super) died: u32,
    /// Actions in the right order that the bug takes.
    pub(super) depth: u32,
    /// Whether the bug was planted to crash only sometimes.
    pub(super) flaky: bool,
}

/// All proofs of a strategy.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Proofs {
    /// Crashes that were found.
    pub(super) found: u32,
    /// Those that every replay reached.
    pub(super) always: u32,
    /// Those that some replays reached.
    pub(super) sometimes: u32,
    /// Those that are marked as not reproduced.
    pub(super) never: u32,
    /// Replays that died on the way of a bug that crashes only sometimes.
    pub(super) died: u32,
    /// The share of replays that reached their crash.
    pub(super) rate: f64,
}

/// Replays the way to a crash.
pub(super) fn prove(
    subject: &Subject,
    bug: &KnownBug,
    way: &Arc<[Event]>,
    seed: Seed,
) -> anyhow::Result<Proof> {
    let mut device = subject.device();
    let header = Header { start: Start::Launched, ..Header::new(device.package()) };
    let oracle = Oracle {
        trace: Arc::new(Trace { header, steps: Vec::new() }),
        target: Target::Crash(bug.signature.clone()),
        level: Level::Activity,
        seed,
        deadlines: Deadlines::default(),
        strict: false,
    };
    let events = way.len();
    let (mut reached, mut died) = (0, 0);
    for number in 0..REPLAYS {
        let play = EventRun { ticket: Ticket(u64::from(number)), events: way.clone(), label: String::new() };
        let report = oracle.play(&mut device, &play, &|| false);
        ensure!(report.ended.outcome != Outcome::Inconclusive, "a replay failed: {:?}", report.why);
        reached += u32::from(report.ended.outcome == Outcome::Reached);
        let other = report.crash.and_then(|crash| subject.known.get(&crash.signature));
        died += u32::from(other.is_some_and(|other| other != bug && flaky(other)));
    }
    ensure!(
        reached == 0 || events >= bug.length(),
        "{} on {} was reached by {events} events, and the generator says that it takes {}",
        bug.signature.0,
        subject.name(),
        bug.length()
    );
    Ok(Proof { events, reached, died, depth: bug.depth, flaky: flaky(bug) })
}

/// Whether a bug was planted to crash only sometimes.
fn flaky(bug: &KnownBug) -> bool {
    bug.rate != Share::ALL
}

impl Proofs {
    pub(super) fn of<'a>(proofs: impl Iterator<Item = &'a Proof>) -> Self {
        let mut sum = Self::default();
        let mut reached = 0;
        for proof in proofs {
            sum.found += 1;
            reached += proof.reached;
            sum.died += proof.died;
            match proof.reached {
                REPLAYS => sum.always += 1,
                0 => sum.never += 1,
                _ => sum.sometimes += 1,
            }
        }
        sum.rate = f64::from(reached) / f64::from((sum.found * REPLAYS).max(1));
        sum
    }
}
