//! What must never happen to a lab with a journal, each brought about on purpose.

use retap_reduce::{Goal, Subset};

use super::*;

/// A lab with one place that does nothing.
#[derive(Debug)]
struct Still;

impl Lab for Still {
    fn idle(&self) -> u32 {
        1
    }

    fn launch(&mut self, _: Order) {}

    fn cancel(&mut self, _: Ticket) {}

    fn next(&mut self) -> Result<Done, LabError> {
        Err(LabError::NothingRuns)
    }

    fn now(&self) -> Micros {
        Micros::ZERO
    }

    fn occupy(&mut self, _: u32) {}

    fn catch_up(&mut self, _: &Done) {}

    fn revive(&mut self) {}
}

fn order(ticket: u64, events: u32) -> Order {
    let (ticket, subset) = (Ticket(ticket), Subset::all(events));
    Order { ticket, subset, goal: Goal::Target, label: String::new(), measures: false }
}

fn done(ticket: u64, events: u32) -> Done {
    Done { order: order(ticket, events), place: 0, at: Micros::ZERO, report: Report::begun("still") }
}

/// After runs 0 and 1 of 3 events each.
fn after_two() -> Recorded<Still> {
    Recorded::new(Still, vec![done(0, 3), done(1, 3)])
}

#[test]
fn what_is_recorded_is_handed_out_in_order() {
    let mut lab = after_two();
    lab.launch(order(0, 3));
    lab.launch(order(1, 3));
    assert_eq!(lab.next(), Ok(done(0, 3)));
    assert_eq!(lab.next(), Ok(done(1, 3)));
    assert_eq!(lab.next(), Err(LabError::NothingRuns));
}

#[test]
fn a_run_of_other_events_is_another_story() {
    let mut lab = after_two();
    lab.launch(order(0, 2));
    assert_eq!(lab.next(), Err(LabError::AnotherStory { ticket: 0 }));
}

#[test]
fn a_run_that_ended_then_and_is_cancelled_now_is_another_story() {
    let mut lab = after_two();
    lab.launch(order(0, 3));
    lab.cancel(Ticket(0));
    assert_eq!(lab.next(), Err(LabError::AnotherStory { ticket: 0 }));
}

#[test]
fn a_journal_with_a_run_twice_is_another_story() {
    let mut lab = Recorded::new(Still, vec![done(0, 3), done(0, 2)]);
    lab.launch(order(0, 2));
    assert_eq!(lab.next(), Err(LabError::AnotherStory { ticket: 0 }));
}

#[test]
#[should_panic(expected = "Ticket(0) is launched after a later one, or twice")]
fn a_run_is_launched_once() {
    let mut lab = after_two();
    lab.launch(order(0, 3));
    lab.next().expect("it is recorded");
    lab.launch(order(0, 3));
}

#[test]
#[should_panic(expected = "Ticket(2) is launched after a later one, or twice")]
fn tickets_ascend() {
    let mut lab = after_two();
    lab.launch(order(3, 3));
    lab.launch(order(2, 3));
}

#[test]
#[should_panic(expected = "gets the result of")]
fn a_run_gets_its_own_result() {
    let mut lab = after_two();
    lab.launch(order(0, 3));
    lab.done[0].order = order(0, 2);
    let _ = lab.next();
}

#[test]
#[should_panic(expected = "wait for a journal that is over")]
fn nobody_waits_for_a_journal_that_is_over() {
    let mut lab = after_two();
    lab.launch(order(0, 3));
    lab.launch(order(1, 3));
    lab.done.pop_back();
    let _ = lab.next();
}
