//! What is claimed is true as often as it says: a slice of `retap-bench calibration`, which does the same 3,000 times.
//!
//! Everything is a function of the seeds, so this ends the same way every time; how many of the claims must hold
//! leaves room for other seeds.

#[path = "../../../bench/src/calibration/trial.rs"]
mod trial;
#[path = "../../../bench/src/calibration/world.rs"]
mod world;

use std::path::Path;

use retap_trace::Seed;
use trial::{Claim, Group, TrialOutcome, trial};

/// The default at every rate, and one group for each other rule.
const GROUPS: [(f64, &str, &str); 10] = [
    (0.3, "auto", "auto"),
    (0.5, "auto", "auto"),
    (0.7, "auto", "auto"),
    (0.8, "auto", "auto"),
    (0.9, "auto", "auto"),
    (0.95, "auto", "auto"),
    (0.8, "18/20", "ddmin"),
    (0.7, "4/5", "belief"),
    (0.9, "sprt:0.8,0.95,0.2,0.1", "lhdd+1"),
    (0.7, "bayes:0.5@0.9", "echo"),
];
/// Reductions in each; six of them are one of each kind of world.
const EACH: usize = 18;
/// Reductions that go on at once: most of their time is spent waiting for the disk.
const AT_ONCE: usize = 4;

fn outcomes() -> Vec<TrialOutcome> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let retap = Path::new(env!("CARGO_BIN_EXE_retap"));
    let one = |job: usize| {
        let (rate, rule, search) = GROUPS[job / EACH];
        // On one device, and on six: what runs ahead must not choose.
        let devices = if job.is_multiple_of(2) { 1 } else { 6 };
        let group = Group { rate, rule, search, values: true, devices };
        let seed = Seed(3).branch("world", job as u64);
        trial(retap, &folder.path().join(job.to_string()), group, job % EACH, seed).expect("a reduction")
    };
    let share = |first: usize| (first..GROUPS.len() * EACH).step_by(AT_ONCE).map(one).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|first| scope.spawn(move || share(first))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no reduction fails")).collect()
    })
}

#[test]
fn claims_hold_as_often_as_they_say() {
    let outcomes = outcomes();
    let claims: Vec<Claim> = outcomes.iter().filter_map(|outcome| outcome.claim).collect();
    let count = |is: &dyn Fn(&Claim) -> bool| claims.iter().filter(|claim| is(claim)).count();
    assert!(claims.len() >= outcomes.len() - 3, "{} were refused", outcomes.len() - claims.len());
    assert!(outcomes.iter().all(|outcome| outcome.runs > 20), "a claim takes 20 runs: {outcomes:?}");
    // Of 180 claims that hold 95 times in 100, fewer than 162 do so about one time in 550.
    let held = count(&|claim| claim.covers());
    assert!(held >= 162, "{held} of {} intervals hold the exact rate: {claims:?}", claims.len());
    let mean = |figure: &dyn Fn(&Claim) -> f64| {
        claims.iter().map(figure).sum::<f64>() / f64::from(u32::try_from(claims.len()).expect("few"))
    };
    let error = mean(&|claim| claim.estimate - claim.exact);
    // Three times its standard error. Fresh runs that are repeated until 18 of 20 reach the crash are at 0.036.
    assert!(error.abs() < 0.02, "claims are too high by {error} on the mean");
    // It would be no test if rates did not depend on what is kept, or nothing were removed.
    assert!(count(&|claim| claim.exact < 0.6) >= 10 && count(&|claim| claim.exact > 0.99) >= 10);
    assert!(count(&|claim| claim.short) >= 1 && mean(&|claim| f64::from(u8::from(claim.length < 10))) > 0.5);
}
