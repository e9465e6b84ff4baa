//! What must never happen to a reduction, each brought about on purpose: by a wrong driver, a wrong search, a wrong
//! schedule, or by changing what it has noted.

use super::*;
use crate::schedule::Sequential;
use crate::search::Ddmin;
use crate::{Candidate, Label, rule};

const EVENTS: u32 = 8;

/// A search that finds what it is told to: its candidates and its best, one turn after the other.
struct Scripted(Vec<Turn>);

#[derive(Clone)]
struct Turn {
    candidates: Vec<Candidate>,
    best: Subset,
}

impl Reducer for Scripted {
    fn frontier(&self) -> &[Candidate] {
        &self.0[0].candidates
    }

    fn settle(&mut self, _: CandidateId, _: Verdict) -> Settled {
        self.0.remove(0);
        Settled::Moved
    }

    fn best(&self) -> &Subset {
        &self.0[0].best
    }
}

impl std::fmt::Display for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("scripted")
    }
}

/// A schedule that picks what is not there.
struct Blind;

impl Schedule for Blind {
    fn pick(&mut self, _: &Board<'_>) -> Option<CandidateId> {
        Some(CandidateId(99))
    }
}

impl std::fmt::Display for Blind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("blind")
    }
}

fn events(range: std::ops::Range<u32>) -> Subset {
    Subset::from_ranges([range])
}

fn turn(best: Subset, candidates: &[(u64, Subset)]) -> Turn {
    let label = Label { round: ("scripted", 1), role: "candidate", nth: 1, of: 1 };
    let candidate = |(id, subset): &(u64, Subset)| Candidate {
        id: CandidateId(*id),
        subset: subset.clone(),
        goal: Goal::Target,
        label: label.clone(),
    };
    Turn { best, candidates: candidates.iter().map(candidate).collect() }
}

fn made(devices: u32, within: Within, schedule: Box<dyn Schedule>) -> Reduction {
    let settings = ReductionSettings { events: EVENTS, devices, confirm_runs: 2, min_rate: None };
    Reduction::new(settings, within, rule::parse("1/1").expect("a rule"), schedule)
}

fn plain(devices: u32) -> Reduction {
    made(devices, Box::new(|base| Box::new(Ddmin::new(base, 5))), Box::<Sequential>::default())
}

/// With a search that goes through these turns, when the whole trace has reached its target.
fn scripted(devices: u32, turns: Vec<Turn>) -> Reduction {
    let within: Within = Box::new(move |_| Box::new(Scripted(turns.clone())));
    let mut reduction = made(devices, within, Box::<Sequential>::default());
    step(&mut reduction, Outcome::Reached);
    reduction
}

/// One run, from order to end.
fn step(reduction: &mut Reduction, outcome: Outcome) {
    let order = reduction.order().expect("a run is wanted");
    reduction.settle(order.ticket, &outcome.into());
    reduction.withdraw();
}

/// One run before the first batch has all its runs.
fn nearly_confirmed() -> Reduction {
    let mut reduction = plain(1);
    while !matches!(&reduction.state, State::Confirming(measure) if measure.left() == 1) {
        step(&mut reduction, Outcome::Reached);
    }
    reduction
}

#[test]
#[should_panic(expected = "Ticket(0) ends, but it is not under way")]
fn a_run_is_settled_once() {
    let mut reduction = plain(1);
    let order = reduction.order().expect("the whole trace is run");
    reduction.settle(order.ticket, &Outcome::Reached.into());
    reduction.settle(order.ticket, &Outcome::Reached.into());
}

#[test]
#[should_panic(expected = "Ticket(7) ends, but it is not under way")]
fn what_was_never_ordered_does_not_end() {
    plain(1).settle(Ticket(7), &Outcome::Reached.into());
}

#[test]
fn a_run_that_was_withdrawn_may_end_all_the_same() {
    let mut reduction = plain(2);
    let (first, second) = (reduction.order().expect("one"), reduction.order().expect("another"));
    reduction.settle(first.ticket, &Outcome::Reached.into());
    assert_eq!(reduction.withdraw(), [second.ticket]);
    let before = reduction.counts();
    reduction.settle(second.ticket, &Outcome::Missed.into());
    assert_eq!(reduction.counts(), before);
}

#[test]
#[should_panic(expected = "Ticket(1) is ordered while all 1 devices run")]
fn no_more_runs_than_devices() {
    let mut reduction = plain(1);
    reduction.order();
    reduction.order();
}

#[test]
#[should_panic(expected = "Ticket(0) is ordered after a later one")]
fn tickets_ascend() {
    let mut reduction = plain(2);
    reduction.order();
    reduction.next_ticket = 0;
    reduction.order();
}

#[test]
#[should_panic(expected = "the answer grew from 4 to 6 events")]
fn an_answer_does_not_grow() {
    let turns = vec![turn(events(0..4), &[(0, events(0..2))]), turn(events(0..6), &[])];
    step(&mut scripted(1, turns), Outcome::Reached);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "the answer has events that the one before it lacks")]
fn an_answer_is_part_of_the_one_before() {
    let turns = vec![turn(events(0..4), &[(0, events(0..2))]), turn(events(5..7), &[])];
    step(&mut scripted(1, turns), Outcome::Reached);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "CandidateId(0) has events that the trace lacks")]
fn candidates_are_part_of_the_trace() {
    scripted(1, vec![turn(Subset::all(EVENTS), &[(0, events(0..20))])]);
}

#[test]
#[should_panic(expected = "a frontier is in the order of its numbers")]
fn frontiers_are_in_order() {
    let candidates = [(2, events(0..2)), (1, events(0..1))];
    scripted(1, vec![turn(Subset::all(EVENTS), &candidates)]).order();
}

#[test]
#[should_panic(expected = "a schedule picks from the board")]
fn schedules_pick_what_is_there() {
    let mut reduction = made(1, Box::new(|base| Box::new(Ddmin::new(base, 5))), Box::new(Blind));
    step(&mut reduction, Outcome::Reached);
    reduction.order();
}

#[test]
#[should_panic(expected = "a search begins while runs of the one before it are under way")]
fn what_is_useless_is_withdrawn_before_a_new_search() {
    let candidates = [(0, events(0..4)), (1, events(4..8))];
    let turns = vec![turn(Subset::all(EVENTS), &candidates), turn(events(0..4), &[])];
    let mut reduction = scripted(2, turns);
    let (first, _) = (reduction.order().expect("one"), reduction.order().expect("another"));
    reduction.settle(first.ticket, &Outcome::Reached.into());
    // Nobody asks what to withdraw, and the answer is not confirmed.
    for _ in 0..2 {
        let order = reduction.order().expect("a batch");
        reduction.settle(order.ticket, &Outcome::Missed.into());
    }
}

#[test]
#[should_panic(expected = "has more results than runs")]
fn a_candidate_has_no_more_results_than_runs() {
    tried(0);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "has runs that nobody knows of")]
fn a_candidate_has_the_runs_that_are_under_way() {
    tried(2);
}

/// Settles a run of a candidate that is thought to have so many.
fn tried(running: u32) {
    let mut reduction = plain(1);
    step(&mut reduction, Outcome::Reached);
    let order = reduction.order().expect("a candidate");
    for candidate in reduction.open.values_mut() {
        candidate.running = running;
    }
    reduction.settle(order.ticket, &Outcome::Missed.into());
}

#[test]
#[should_panic(expected = "measure 0 has more results than runs")]
fn a_measure_has_no_more_results_than_runs() {
    let mut reduction = plain(1);
    let order = reduction.order().expect("the whole trace is run");
    reduction.measure_mut().expect("it is checked").running = 0;
    reduction.settle(order.ticket, &Outcome::Reached.into());
}

#[test]
#[should_panic(expected = "a reduction that is over searches on")]
fn over_is_over() {
    let mut reduction = plain(1);
    reduction.refuse();
    reduction.look_at_frontier();
}

#[test]
#[should_panic(expected = "one batch is claimed, the last")]
fn one_batch_is_claimed() {
    let mut reduction = nearly_confirmed();
    let first = reduction.batches[0].clone();
    reduction.batches.insert(0, Batch { claimed: true, ..first });
    while !reduction.over() {
        step(&mut reduction, Outcome::Reached);
    }
}

#[test]
#[should_panic(expected = "the claim is of another list than the answer")]
fn the_claim_is_of_the_answer() {
    let mut reduction = nearly_confirmed();
    reduction.batches[0].list = Subset::all(EVENTS);
    step(&mut reduction, Outcome::Reached);
}

#[test]
#[should_panic(expected = "the claim does not count each of its runs once")]
fn a_claim_counts_each_run_once() {
    let mut reduction = nearly_confirmed();
    reduction.batches[0].runs.push(Ticket(99));
    step(&mut reduction, Outcome::Reached);
}

#[test]
#[should_panic(expected = "the claim counts runs that were not made")]
fn a_claim_counts_runs_that_were_made() {
    let mut reduction = nearly_confirmed();
    reduction.ran = Ledger::default();
    step(&mut reduction, Outcome::Reached);
}
