//! One seed, one run: two processes explore the same app with the same seed, and everything must be the same.

use std::collections::BTreeSet;

use retap_device::Device as _;
use retap_lab::{Exploration, Segment};
use retap_trace::{CoverageId, Micros, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cells::Cells;
use super::work::{Job, Work};
use crate::apks::{Bed, PaperApp, Scout};
use crate::table;

/// Whether two processes did the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Compared {
    app: String,
    seed: u64,
    events: u64,
    starts: u64,
    covered: usize,
    states: usize,
    crashes: usize,
    /// Steps with another event, time, state or crash, and steps that only one of the two has.
    other_steps: usize,
    /// Steps that differ in nothing but the code that they are credited with.
    other_code: usize,
    /// Code that only one of the two has covered in the end.
    code_of_one: usize,
    /// The first difference, in words.
    difference: Option<String>,
}

pub(super) fn work<'a>(bed: &'a Bed, cells: &'a Cells, apps: &'a [PaperApp], events: u64) -> Work<'a> {
    let job = |app: &'a PaperApp| {
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let weight = 2.0 * events as f64;
        Job {
            key: format!("{}/{events}", app.name),
            groups: vec![app.name.clone()],
            weight,
            measure: Box::new(move || Ok(serde_json::to_value(compare(bed, app, events)?)?)),
        }
    };
    Work { part: "same", cells, jobs: apps.iter().map(job).collect() }
}

fn compare(bed: &Bed, app: &PaperApp, events: u64) -> anyhow::Result<Compared> {
    const SEED: u64 = 7;
    let scout = Scout { strategy: "aware", events, throttle: Micros::ZERO, seed: SEED };
    let explore = || -> anyhow::Result<_> {
        // Each in a process that has done nothing before.
        let device = bed.open(&bed.spec(app, false))?;
        let mut exploration = scout.exploration(&device)?;
        let scouted = scout.explore(&device, &mut exploration);
        Ok((exploration, scouted, device))
    };
    let ((one, scouted, first), (other, _, second)) = (explore()?, explore()?);
    let name = |id: CoverageId| {
        let name = first.code_name(id).or_else(|| second.code_name(id));
        name.map_or_else(|| id.0.to_string(), |name| name.to_string())
    };
    let (other_steps, other_code) = unlike(&steps(&one), &steps(&other));
    Ok(Compared {
        app: app.name.clone(),
        seed: SEED,
        events: scouted.events,
        starts: scouted.starts,
        covered: scouted.covered,
        states: scouted.states,
        crashes: scouted.crashes.len(),
        other_steps,
        other_code,
        code_of_one: one.covered().symmetric_difference(other.covered()).count(),
        difference: difference(&one, &other, &name),
    })
}

/// A step, with its segment and its number in it.
type Placed<'a> = (u32, usize, &'a Step);

fn steps(exploration: &Exploration) -> Vec<Placed<'_>> {
    let of = |segment: &'_ Segment| segment.id.0;
    let segments = exploration.segments().iter();
    let all = segments.flat_map(|segment| {
        let steps = segment.steps.iter().enumerate();
        steps.map(move |(nth, step)| (of(segment), nth, step))
    });
    all.collect()
}

/// Whether two steps are the same but for the code that they are credited with.
fn alike(one: &Placed<'_>, other: &Placed<'_>) -> bool {
    let bare = |step: &Step| Step { coverage: Vec::new(), ..step.clone() };
    (one.0, one.1) == (other.0, other.1) && bare(one.2) == bare(other.2)
}

/// How many steps differ, those that only one of the two has included, and how many in nothing but their code.
fn unlike(ours: &[Placed<'_>], theirs: &[Placed<'_>]) -> (usize, usize) {
    let pairs = || ours.iter().zip(theirs);
    let other = pairs().filter(|(ours, theirs)| !alike(ours, theirs)).count();
    let code = pairs().filter(|(ours, theirs)| alike(ours, theirs) && ours != theirs).count();
    (other + ours.len().abs_diff(theirs.len()), code)
}

/// Where two explorations first differ; code counts least.
fn difference(one: &Exploration, other: &Exploration, name: &dyn Fn(CoverageId) -> String) -> Option<String> {
    let (ours, theirs) = (steps(one), steps(other));
    let pairs = || ours.iter().zip(&theirs);
    let unlike = pairs().find(|(ours, theirs)| !alike(ours, theirs));
    if let Some((ours, theirs)) = unlike.or_else(|| pairs().find(|(ours, theirs)| ours != theirs)) {
        let (segment, nth, step) = ours;
        let elsewhere = (ours.0, ours.1) != (theirs.0, theirs.1);
        let place = if elsewhere { format!(" against {}, {}", theirs.0, theirs.1) } else { String::new() };
        return Some(format!("segment {segment}, step {nth}{place}: {}", in_words(step, theirs.2, name)));
    }
    if ours.len() != theirs.len() {
        return Some(format!("{} steps and {}", ours.len(), theirs.len()));
    }
    let words = code(one.covered(), other.covered(), name);
    (one.covered() != other.covered()).then(|| format!("covered by one alone: {words}"))
}

/// How two steps differ.
fn in_words(one: &Step, other: &Step, name: &dyn Fn(CoverageId) -> String) -> String {
    let parts = |step: &Step| {
        [
            ("event", format!("{}", step.event)),
            ("time", format!("{:?}", step.at)),
            ("state before", format!("{:?}", step.before)),
            ("state after", format!("{:?}", step.after)),
            ("crash", format!("{:?}", step.crash.as_ref().map(|crash| &crash.signature))),
        ]
    };
    let pairs = parts(one).into_iter().zip(parts(other));
    let differing = pairs.filter(|(one, other)| one != other);
    let words = differing.map(|((name, one), (_, other))| format!("{name} {one} against {other}"));
    let covered = |step: &Step| step.coverage.iter().copied().collect::<BTreeSet<_>>();
    let (ours, theirs) = (covered(one), covered(other));
    let coverage = (ours != theirs).then(|| format!("covered by one alone: {}", code(&ours, &theirs, name)));
    words.chain(coverage).collect::<Vec<_>>().join("; ")
}

/// The code that only one has covered, by its names.
fn code(
    one: &BTreeSet<CoverageId>,
    other: &BTreeSet<CoverageId>,
    name: &dyn Fn(CoverageId) -> String,
) -> String {
    const SHOWN: usize = 12;
    let only: Vec<CoverageId> = one.symmetric_difference(other).copied().collect();
    let names = only.iter().take(SHOWN).map(|id| name(*id)).collect::<Vec<_>>().join(", ");
    if only.len() > SHOWN { format!("{names} and {} more", only.len() - SHOWN) } else { names }
}

pub(super) fn report(all: &[Compared]) -> Value {
    let row = |one: &Compared| {
        let figures = [one.events, one.starts].map(|number| number.to_string());
        let counts = [one.states, one.covered, one.crashes, one.other_steps, one.other_code, one.code_of_one];
        let counts = counts.map(|number| number.to_string());
        let difference = one.difference.as_deref().unwrap_or("none");
        let difference: String = difference.chars().take(160).collect();
        [one.app.clone()].into_iter().chain(figures).chain(counts).chain([difference]).collect::<Vec<_>>()
    };
    let head = [
        "two processes, one seed",
        "events",
        "starts",
        "states",
        "code",
        "crashes",
        "other steps",
        "other code",
        "code of one",
        "first difference",
    ];
    table::print(&head, &all.iter().map(row).collect::<Vec<_>>());
    table::say(
        "other steps: with another event, time, state or crash, or of one process only; other code: steps credited with other code only",
    );
    let same = all.iter().filter(|one| one.difference.is_none()).count();
    table::say(&format!("the same in everything: {same} of {} apps", all.len()));
    table::say("");
    json!(all)
}

#[cfg(test)]
mod tests {
    use retap_trace::Event;

    use super::*;

    #[test]
    fn steps_that_only_one_has_are_other_steps() {
        let launch = Step::new(Event::Launch);
        let back = Step::new(Event::key("back".parse().unwrap()));
        let covers = Step { coverage: vec![CoverageId(1)], ..launch.clone() };
        let one = [(0, 0, &launch), (0, 1, &back), (0, 2, &back), (0, 3, &launch)];
        assert_eq!(unlike(&one, &one), (0, 0));
        assert_eq!((unlike(&one, &one[..2]), unlike(&one[..1], &one)), ((2, 0), (3, 0)));
        let other = [(0, 0, &covers), (0, 1, &launch), (1, 0, &back)];
        assert_eq!(unlike(&one, &other), (3, 1));
    }
}
