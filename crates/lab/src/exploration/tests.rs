//! What must never happen to an exploration, each brought about on purpose: by a wrong driver, by reports that no
//! device makes, or by changing what it has noted.

use retap_explore::{Move, Reply, Sight};
use retap_sim::SimDevice;
use retap_trace::{Crash, CrashKind};

use super::*;
use crate::Worker as _;

/// Makes these moves, one after the other, and then waits on the spot.
struct Scripted(Vec<Move>);

impl Explorer for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn next(&mut self, _: Lane, _: &Sight<'_>) -> Move {
        if self.0.is_empty() { wait() } else { self.0.remove(0) }
    }
}

fn wait() -> Move {
    Move::Act(Event::Wait { time: Micros(1) })
}

/// An exploration with one lane, and its device.
struct Tour {
    exploration: Exploration,
    worker: ExploreWorker,
}

impl Tour {
    fn new(moves: Vec<Move>) -> Self {
        let settings = ExplorationSettings::default();
        let device = SimDevice::open("sim:notes", &|name| Err(format!("there is no {name}")));
        let devices: Vec<Box<dyn Device>> = vec![Box::new(device.expect("the app is built in"))];
        let mut workers = ExploreWorker::fleet(&settings, Seed(1), devices);
        let worker = workers.remove(0);
        Self {
            exploration: Exploration::new(settings, Box::new(Scripted(moves)), "org.retap.notes", 1),
            worker,
        }
    }

    /// Carries out the next order, with this change of what is reported.
    fn step(&mut self, change: impl Fn(&mut ExploreReport)) -> ExploreReport {
        let order = self.exploration.order().expect("there is something to do");
        let mut report = self.worker.run(&order, &|| false);
        change(&mut report);
        self.exploration.settle(order.ticket, &report);
        report
    }

    /// So many orders, carried out as they are.
    fn steps(mut self, count: u32) -> Self {
        for _ in 0..count {
            self.step(|_| {});
        }
        self
    }
}

#[test]
fn what_happens_is_in_order() {
    let mut tour = Tour::new(vec![wait(), Move::Save, wait(), Move::Restart, wait()]).steps(6);
    assert_eq!(tour.exploration.performed(), 3);
    assert_eq!(tour.exploration.ended(Ok(false)).ok(), Some(ExplorationEnd::Stopped));
}

/// It must be so many in a row: one start that works in between, and the count is back at 0.
#[test]
fn crashes_of_starts_count_when_they_come_in_a_row() {
    let mut tour = Tour::new(vec![Move::Restart; 100]);
    let crashes = |tour: &mut Tour, count: u32| {
        for _ in 0..count {
            tour.step(|report| report.crash = Some(crash()));
        }
    };
    crashes(&mut tour, CRASHED_STARTS_IN_A_ROW - 1);
    tour.step(|_| {});
    crashes(&mut tour, CRASHED_STARTS_IN_A_ROW - 1);
    assert!(!tour.exploration.over());
    // A device that fails says nothing of the app.
    tour.step(|report| *report = ExploreReport::failed(Failure::Device("it is gone".to_owned())));
    assert!(!tour.exploration.over());
    crashes(&mut tour, 1);
    assert!(tour.exploration.over() && tour.exploration.order().is_none());
    let Ok(ExplorationEnd::CrashesAtStart(why)) = tour.exploration.ended(Ok(true)) else {
        panic!("it is over")
    };
    assert_eq!(
        why,
        "the app crashes when it starts, in the last 20 launches, so nothing more could be explored"
    );
}

#[test]
#[should_panic(expected = "a report is of an order that was given")]
fn an_order_is_settled_once() {
    let mut tour = Tour::new(Vec::new());
    let order = tour.exploration.order().expect("the app is started");
    let report = tour.worker.run(&order, &|| false);
    tour.exploration.settle(order.ticket, &report);
    tour.exploration.settle(order.ticket, &report);
}

#[test]
#[should_panic(expected = "lane 0 gets an order while it carries one out")]
fn a_lane_has_one_order() {
    let mut tour = Tour::new(Vec::new());
    tour.exploration.order();
    tour.exploration.choose(0);
}

#[test]
fn a_lane_with_an_order_is_asked_for_none() {
    let mut tour = Tour::new(Vec::new());
    assert!(tour.exploration.order().is_some() && tour.exploration.order().is_none());
}

#[test]
#[should_panic(expected = "lane 0 begins a segment while it is in one")]
fn a_lane_is_in_one_segment() {
    let mut tour = Tour::new(vec![Move::Save]).steps(1);
    let Reply::Saved(save) = tour.step(|_| {}).reply else { panic!("the device has snapshots") };
    let (to, look, back) = (Move::Restore(save), retap_device::Look::Tree, None);
    // Nobody has ended the segment before the device went back.
    let mut report = tour.step(|_| {});
    report.reply = Reply::Restored(save);
    report.keys = tour.exploration.lanes[0].keys.clone();
    tour.exploration.take(0, ExploreTask::Move { to, look, back }, report);
}

#[test]
#[should_panic(expected = "is saved twice")]
fn a_state_is_saved_once() {
    let mut tour = Tour::new(vec![Move::Save, Move::Save]).steps(2);
    tour.step(|report| report.reply = Reply::Saved(SaveId(1)));
}

#[test]
#[should_panic(expected = "lane 0 is at another saved state than it was to go to")]
fn a_device_goes_back_to_what_was_asked_for() {
    let mut tour = Tour::new(vec![Move::Save, Move::Restore(SaveId(1))]).steps(2);
    tour.step(|report| report.reply = Reply::Restored(SaveId(7)));
}

#[test]
#[should_panic(expected = "lane 0 reports after it is over")]
fn a_lane_that_is_over_reports_nothing() {
    let mut tour = Tour::new(Vec::new()).steps(1);
    tour.exploration.lanes[0].over = Some(LaneEnd::Done);
    let report = ExploreReport::failed(Failure::Interrupted);
    tour.exploration.take(
        0,
        ExploreTask::Confirm { events: Arc::new([]), crash: Signature("a".into()), times: 1 },
        report,
    );
}

#[test]
#[should_panic(expected = "more events were performed than ordered")]
fn only_what_was_ordered_is_performed() {
    let mut tour = Tour::new(Vec::new()).steps(1);
    let report = tour.step(|_| {});
    let task = ExploreTask::Move { to: wait(), look: retap_device::Look::Tree, back: None };
    tour.exploration.take(0, task, report);
}

#[test]
#[should_panic(expected = "lane 0 adds to a segment of another lane")]
fn a_segment_belongs_to_a_lane() {
    let mut tour = Tour::new(Vec::new()).steps(1);
    tour.exploration.segments.get_mut(SegmentId(0)).lane = Lane(3);
    tour.step(|_| {});
}

#[test]
#[should_panic(expected = "the segments have other steps than were performed")]
fn every_step_was_performed() {
    let mut tour = Tour::new(Vec::new()).steps(3);
    tour.exploration.segments.get_mut(SegmentId(0)).steps.pop();
    let _ = tour.exploration.ended(Ok(false));
}

#[test]
#[should_panic(expected = "lane 0 has told of more time than it took")]
fn segments_take_no_more_time_than_there_was() {
    let mut tour = Tour::new(vec![Move::Restart]).steps(1);
    tour.exploration.lanes[0].accounted = Micros(u64::MAX);
    tour.step(|_| {});
}

#[test]
#[should_panic(expected = "lane 0 tries two crashes again at a time")]
fn a_lane_tries_one_crash_again_at_a_time() {
    let mut tour = Tour::new(Vec::new()).steps(2);
    let crash = lane::CrashToConfirm { segment: SegmentId(0), crash: Box::new(crash()) };
    tour.exploration.lanes[0].confirming = Some(crash.clone());
    tour.exploration.lanes[0].to_confirm = Some(crash);
    tour.exploration.order();
}

fn crash() -> Crash {
    Crash {
        kind: CrashKind::Java,
        signature: Signature("a crash".into()),
        exception: "java.lang.IllegalStateException".to_owned(),
        message: String::new(),
        root_cause: None,
        frames: Vec::new(),
    }
}
