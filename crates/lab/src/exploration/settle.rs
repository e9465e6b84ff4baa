//! Taking in what a device reports.

use std::sync::Arc;

use retap_explore::{Move, PERMISSION_DIALOGS, Reply, SaveId};
use retap_trace::{CoverageId, Crash, Event, Level, Micros, Observation, Seen, Step};

use super::lane::{CrashToConfirm, LaneEnd};
use super::{
    Exploration, ExploreEvent, ExploreReport, ExploreTask, Failure, Origin, Segment, SegmentEnd, SegmentId,
    lane_of,
};
use crate::state_in_words;

/// A device that has no means for so many events in a row is given up.
const UNABLE_IN_A_ROW: u32 = 1000;
/// A lane whose app has crashed in so many starts in a row, with no event between them, is over: no budget of events
/// would ever end it. An app that crashes in every second start does so once in a million starts.
pub(super) const CRASHED_STARTS_IN_A_ROW: u32 = 20;

impl Exploration {
    /// Takes in what the device of a lane reports of its order.
    pub(super) fn take(&mut self, lane: usize, task: ExploreTask, report: ExploreReport) {
        let before = self.lanes[lane].elapsed;
        self.lanes[lane].elapsed += report.took;
        if !report.names.is_empty() {
            self.events.push(ExploreEvent::Named(report.names.clone()));
        }
        if let Some(failure) = report.failure {
            if let ExploreTask::Move { to: Move::Act(_), .. } = task {
                // It was not performed, so it is still to come.
                self.issued -= 1;
            }
            return self.failed(lane, failure);
        }
        let ExploreTask::Move { to, .. } = task else { return self.confirmed(lane, &report) };
        match (to, report.reply) {
            (to, Reply::Started) => {
                if let Move::Restore(_) = to {
                    self.cost.failed += 1;
                    self.cost.restoring += report.took;
                }
                self.started(lane, report);
            }
            (Move::Act(event), _) => match report.unable {
                Some(what) => self.unable_to(lane, what),
                None => self.acted(lane, event, before, report),
            },
            (Move::Save, Reply::Saved(save)) => {
                self.cost.saving += report.took;
                self.keep(lane, save);
                self.lanes[lane].reply = Reply::Saved(save);
            }
            (Move::Restore(save), Reply::Restored(to)) => {
                assert_eq!(save, to, "lane {lane} is at another saved state than it was to go to");
                self.cost.restores += 1;
                self.cost.restoring += report.took;
                self.cost.replayed += u64::from(report.replayed);
                self.restored(lane, save, report);
            }
            (Move::Save | Move::Restore(_), _) => self.lanes[lane].reply = Reply::Refused,
            _ => {}
        }
    }

    /// The device has no means for an event: it was not performed, so it is still to come, and the explorer is to try
    /// something else from where it is. A device that does nothing that is chosen would be tried for ever.
    fn unable_to(&mut self, lane: usize, what: String) {
        self.issued -= 1;
        let state = &mut self.lanes[lane];
        (state.fresh, state.unable_in_a_row) = (true, state.unable_in_a_row + 1);
        if state.unable_in_a_row == UNABLE_IN_A_ROW {
            let why = format!("{UNABLE_IN_A_ROW} events in a row are not supported, the last one: {what}");
            self.failed(lane, Failure::GivenUp(why));
        }
        self.unable.insert(what);
    }

    fn failed(&mut self, lane: usize, failure: Failure) {
        if let Failure::Device(why) | Failure::GivenUp(why) = &failure {
            *self.device_failures.entry(why.clone()).or_default() += 1;
        }
        let (end, over) = match failure {
            Failure::Device(why) => (SegmentEnd::DeviceFailed(why), None),
            Failure::GivenUp(why) => (SegmentEnd::DeviceFailed(why.clone()), Some(LaneEnd::GivenUp(why))),
            Failure::Interrupted => {
                self.interrupted += 1;
                (SegmentEnd::Interrupted, None)
            }
        };
        self.end(lane, &end);
        let state = &mut self.lanes[lane];
        assert!(state.over.is_none(), "lane {lane} reports after it is over");
        (state.look, state.over) = (None, over);
        // A crash that was seen is told also when it cannot be tried again.
        let waiting = if state.over.is_some() { state.to_confirm.take() } else { None };
        for CrashToConfirm { segment, crash } in state.confirming.take().into_iter().chain(waiting) {
            self.events.push(ExploreEvent::Crashed(segment, crash, None));
        }
    }

    fn confirmed(&mut self, lane: usize, report: &ExploreReport) {
        let confirming = self.lanes[lane].confirming.take();
        let CrashToConfirm { segment, crash } = confirming.expect("a crash is tried again on its lane");
        self.events.push(ExploreEvent::Crashed(segment, crash, Some(report.confirmed)));
        // The explorer still has to hear of the crash.
        (self.lanes[lane].crashed, self.lanes[lane].fresh) = (true, true);
    }

    /// The app is fresh: a new segment.
    fn started(&mut self, lane: usize, report: ExploreReport) {
        self.end(lane, &SegmentEnd::Restart);
        self.lanes[lane].covered.clear();
        self.begin(lane, Origin::Start, report);
    }

    /// The device shows a saved state: a new segment, before which everything was executed that led there.
    fn restored(&mut self, lane: usize, save: SaveId, report: ExploreReport) {
        let Some(saved) = self.saves.get(&save) else { return self.started(lane, report) };
        let (segment, steps) = (saved.segment, saved.steps);
        let path = self.segments.path(segment, steps);
        self.lanes[lane].covered = path.iter().flat_map(|step| &step.coverage).copied().collect();
        self.begin(lane, Origin::Save { segment, steps }, report);
    }

    fn begin(&mut self, lane: usize, origin: Origin, report: ExploreReport) {
        let ExploreReport { reply, seen: Some(seen), keys: Some(keys), coverage, crash, .. } = report else {
            return self.failed(lane, Failure::Device("nothing was seen after a start".to_owned()));
        };
        let mut steps = Vec::new();
        if origin == Origin::Start {
            steps.extend(self.settings.script.iter().cloned().map(Step::new));
        }
        let gained = self.credit(lane, &coverage);
        if let Some(last) = steps.last_mut() {
            (last.after, last.coverage) = (Some(keys.clone()), gained);
        }
        let id = self.segments.next();
        self.segments.add(Segment { id, lane: lane_of(lane), origin, first: keys.clone(), steps });
        self.events.push(ExploreEvent::Began { segment: id, cost: self.cost });
        let begins = self.segments.begins_at(origin);
        let state = &mut self.lanes[lane];
        assert!(state.segment.is_none(), "lane {lane} begins a segment while it is in one");
        (state.segment, state.reply) = (Some(id), reply);
        state.started = Micros(state.elapsed.0.saturating_sub(begins.0));
        self.look(lane, seen, keys);
        match crash {
            Some(crash) => self.crashed_at_start(lane, id, crash),
            None => self.lanes[lane].crashed_starts = 0,
        }
    }

    fn crashed_at_start(&mut self, lane: usize, segment: SegmentId, crash: Crash) {
        self.events.push(ExploreEvent::Crashed(segment, Box::new(crash.clone()), None));
        self.end(lane, &SegmentEnd::Crash(Box::new(crash)));
        let state = &mut self.lanes[lane];
        (state.crashed, state.crashed_starts) = (true, state.crashed_starts + 1);
        if state.crashed_starts == CRASHED_STARTS_IN_A_ROW {
            state.over = Some(LaneEnd::CrashesAtStart);
        }
    }

    fn acted(&mut self, lane: usize, event: Event, at: Micros, report: ExploreReport) {
        let segment = self.lanes[lane].segment.expect("an event is performed in a segment");
        let (Some(seen), Some(after)) = (report.seen, report.keys) else {
            return self.failed(lane, Failure::Device("nothing was seen after an event".to_owned()));
        };
        self.lanes[lane].unable_in_a_row = 0;
        let gained = self.credit(lane, &report.coverage);
        let state = &mut self.lanes[lane];
        let step = Step {
            at: Some(at.since(state.started)),
            before: state.keys.clone(),
            after: Some(after.clone()),
            coverage: gained,
            crash: report.crash.clone(),
            ..Step::new(event)
        };
        self.performed += 1;
        assert!(self.performed <= self.issued, "more events were performed than ordered");
        let of = self.segments.get_mut(segment);
        assert_eq!(of.lane, lane_of(lane), "lane {lane} adds to a segment of another lane");
        let steps = &mut of.steps;
        self.events.push(ExploreEvent::Step(segment, steps.len()));
        steps.push(step);
        if seen.tree.is_some() {
            self.look(lane, seen, after);
        } else {
            state.keys = Some(after);
        }
        let Some(crash) = report.crash else { return };
        (self.lanes[lane].crashed, self.lanes[lane].fresh) = (true, true);
        self.end(lane, &SegmentEnd::Crash(Box::new(crash.clone())));
        let length = self.segments.length(segment, self.segments.get(segment).steps.len());
        let travelled = self.segments.get(segment).origin != Origin::Start;
        let worth = self.confirmed.get(&crash.signature).is_none_or(|tried| length * 2 <= *tried);
        let crash = Box::new(crash);
        if travelled && worth && self.settings.confirm > 0 {
            self.confirmed.insert(crash.signature.clone(), length);
            self.lanes[lane].to_confirm = Some(CrashToConfirm { segment, crash });
        } else {
            self.events.push(ExploreEvent::Crashed(segment, crash, None));
        }
    }

    /// Takes a look at the whole screen for what it is: the latest.
    fn look(&mut self, lane: usize, seen: Arc<Observation>, keys: Seen) {
        let new_state = keys.key(Level::Layout).is_some_and(|key| self.states.insert(key));
        if new_state {
            self.events.push(ExploreEvent::State(keys.clone(), state_in_words(&seen)));
        }
        let ours = |package: &str| {
            package == self.package
                || PERMISSION_DIALOGS.contains(&package)
                || self.settings.packages.iter().any(|other| other == package)
        };
        let in_front = ours(&seen.package);
        let state = &mut self.lanes[lane];
        state.window.look(new_state);
        if new_state && !self.measured {
            state.news = state.elapsed;
        }
        state.in_front = in_front;
        state.fresh = true;
        state.keys = Some(keys.clone());
        state.look = Some((seen, keys));
    }

    /// Counts code that was executed: what is new to the exploration, and what is new since this lane's clean start.
    fn credit(&mut self, lane: usize, coverage: &[CoverageId]) -> Vec<CoverageId> {
        self.measured |= !coverage.is_empty();
        let new = coverage.iter().filter(|id| self.covered.insert(**id)).count();
        let state = &mut self.lanes[lane];
        state.new_coverage += new;
        if new > 0 {
            state.news = state.elapsed;
        }
        coverage.iter().copied().filter(|id| state.covered.insert(*id)).collect()
    }
}
