//! One exploration: what it covered as time went by, and which crashes it found.

use std::collections::BTreeMap;

use anyhow::ensure;
use retap_device::Device as _;
use retap_explore::Percentages;
use retap_lab::{Exploration, ExplorationEnd, ExplorationSettings, SegmentEnd, SegmentId, TimeTravelCost};
use retap_trace::{Event, Micros, Seed, Signature};

use super::proof::{Proof, prove};
use super::strategy::Strategy;
use super::subject::Subject;

/// Looks at the coverage in the course of an exploration, besides the one at its start.
pub(super) const SAMPLES: usize = 72;
/// The time between two events, as published.
const THROTTLE: Micros = Micros::from_millis(200);

/// What an exploration came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trial {
    /// Pieces of code that were covered, at the start and at the end of each of [`SAMPLES`] parts of the time.
    pub(super) covered: Vec<usize>,
    pub(super) events: u64,
    pub(super) travels: TimeTravelCost,
    /// Each crash that was found, and what its shortest way does from a clean start.
    pub(super) crashes: Vec<Proof>,
    /// Crashes that nobody planted.
    pub(super) unknown: Vec<Signature>,
}

/// Explores an app for so long.
pub(super) fn explore(
    subject: &Subject,
    strategy: Strategy,
    mix: &Percentages,
    time: Micros,
    seed: Seed,
) -> anyhow::Result<Trial> {
    // What replays show is learnt afterwards, in time that does not count.
    let settings =
        ExplorationSettings { time, throttle: THROTTLE, confirm: 0, ..ExplorationSettings::default() };
    let explorer = strategy.explorer(mix, seed.branch("explorer", 0));
    let device = subject.device();
    let mut exploration = Exploration::new(settings, explorer, device.package().to_owned(), 1);
    let mut curve = Curve::new(time);
    let (end, ends) = exploration.virtually(vec![Box::new(device)], seed.branch("scout", 0), &mut |now| {
        curve.note(now.elapsed(), now.covered().len());
        true
    });
    ensure!(end == ExplorationEnd::Done, "{strategy} on {} ended early: {end:?}", subject.name());
    let mut trial = Trial {
        covered: curve.finish(),
        events: exploration.performed(),
        travels: exploration.time_travel_cost(),
        crashes: Vec::new(),
        unknown: Vec::new(),
    };
    for (signature, way) in shortest_ways(&exploration, &ends) {
        match subject.known.get(&signature) {
            Some(bug) => trial.crashes.push(prove(subject, bug, &way.into(), seed.branch("proof", 0))?),
            None => trial.unknown.push(signature),
        }
    }
    Ok(trial)
}

/// For each crash the events of the shortest way to it, from a clean start through all saved states.
fn shortest_ways(
    exploration: &Exploration,
    ends: &[(SegmentId, SegmentEnd)],
) -> BTreeMap<Signature, Vec<Event>> {
    let segments = exploration.segments();
    let length = |segment| segments.length(segment, segments.get(segment).steps.len());
    let mut shortest: BTreeMap<Signature, SegmentId> = BTreeMap::new();
    for (segment, end) in ends {
        let SegmentEnd::Crash(crash) = end else { continue };
        let kept = shortest.entry(crash.signature.clone()).or_insert(*segment);
        if length(*segment) < length(*kept) {
            *kept = *segment;
        }
    }
    let way = |segment: SegmentId| {
        let steps = segments.path(segment, segments.get(segment).steps.len());
        steps.into_iter().map(|step| step.event.clone()).collect()
    };
    shortest.into_iter().map(|(signature, segment)| (signature, way(segment))).collect()
}

/// Coverage over time.
#[derive(Debug)]
struct Curve {
    time: Micros,
    covered: Vec<usize>,
    last: usize,
}

impl Curve {
    const fn new(time: Micros) -> Self {
        Self { time, covered: Vec::new(), last: 0 }
    }

    /// So much was covered by now. What is reported late was not covered in time.
    fn note(&mut self, now: Micros, covered: usize) {
        while self.covered.len() <= SAMPLES && self.next() < now {
            self.covered.push(self.last);
        }
        self.last = covered;
    }

    /// When the next sample is due.
    fn next(&self) -> Micros {
        Micros(self.time.0 * self.covered.len() as u64 / SAMPLES as u64)
    }

    fn finish(mut self) -> Vec<usize> {
        self.covered.resize(SAMPLES + 1, self.last);
        self.covered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_what_was_covered_by_then() {
        let mut curve = Curve::new(Micros(72));
        curve.note(Micros(1), 10);
        curve.note(Micros(3), 20);
        curve.note(Micros(4), 25);
        let samples = curve.finish();
        assert_eq!(samples[..5], [0, 10, 10, 20, 25]);
        assert_eq!((samples.len(), samples[72]), (73, 25));
    }

    #[test]
    fn what_comes_after_the_end_does_not_count() {
        let mut curve = Curve::new(Micros(72));
        curve.note(Micros(72), 10);
        curve.note(Micros(90), 99);
        assert_eq!(curve.finish()[72], 10);
    }
}
