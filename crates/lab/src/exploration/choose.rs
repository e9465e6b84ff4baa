//! Asking the explorer for a lane's next move, and making an order of it.

use std::sync::Arc;

use retap_device::Look;
use retap_explore::{Move, Reply, SaveId, Sight};
use retap_reduce::Ticket;
use retap_trace::Event;

use super::lane::{CrashToConfirm, LaneEnd};
use super::{
    Exploration, ExploreEvent, ExploreOrder, ExploreTask, LONGEST_DETOUR, LONGEST_ROUTE, Saved, SegmentEnd,
    WayBack, lane_of,
};

impl Exploration {
    /// The next order for a lane without one. None when the lane has done its share.
    pub(super) fn choose(&mut self, lane: usize) -> Option<ExploreOrder> {
        assert!(self.lanes[lane].order.is_none(), "lane {lane} gets an order while it carries one out");
        let task = self.task(lane)?;
        let order = ExploreOrder { ticket: self.ticket(), lane: lane_of(lane), task };
        self.lanes[lane].order = Some(order.clone());
        Some(order)
    }

    fn task(&mut self, lane: usize) -> Option<ExploreTask> {
        if let Some(save) = self.lanes[lane].to_forget.pop() {
            return Some(task(Move::Forget(save)));
        }
        if let Some(crash) = self.lanes[lane].to_confirm.take() {
            return Some(self.try_again(lane, crash));
        }
        if self.enough(lane) {
            self.end(lane, &SegmentEnd::Stopped);
            self.lanes[lane].over = Some(LaneEnd::Done);
            return None;
        }
        if self.lanes[lane].look.is_none() {
            return Some(task(Move::Restart));
        }
        while self.lanes[lane].over.is_none() {
            if let Some(task) = self.ask(lane) {
                return Some(task);
            }
        }
        None
    }

    /// Asks the explorer what a lane should do. A move that needs no device is made at once, and gives no task.
    fn ask(&mut self, lane: usize) -> Option<ExploreTask> {
        let state = &self.lanes[lane];
        let (observation, keys) = state.look.as_ref().expect("a lane that has begun was looked at");
        let sight = Sight {
            observation,
            keys,
            fresh: state.fresh,
            at: state.elapsed,
            reply: state.reply,
            in_front: state.in_front,
            new_coverage: self.measured.then_some(state.new_coverage),
            crashed: state.crashed,
        };
        let made = self.explorer.next(lane_of(lane), &sight);
        let state = &mut self.lanes[lane];
        if state.fresh {
            state.new_coverage = 0;
        }
        let crashed = std::mem::take(&mut state.crashed);
        (state.fresh, state.reply) = (false, Reply::Done);
        match made {
            Move::Act(_) if crashed || state.segment.is_none() => Some(task(Move::Restart)),
            Move::Act(_) => {
                let look = if state.window.event() { Look::Tree } else { Look::Activity };
                self.issued += 1;
                Some(ExploreTask::Move { to: made, look, back: None })
            }
            Move::Save => self.save(lane),
            Move::Restore(save) => self.restore(lane, save),
            Move::Forget(save) => self.forget(lane, save),
            Move::Restart => {
                self.end(lane, &SegmentEnd::Restart);
                Some(task(Move::Restart))
            }
            Move::Stop => {
                self.end(lane, &SegmentEnd::Finished);
                self.lanes[lane].over = Some(LaneEnd::Done);
                None
            }
        }
    }

    fn save(&mut self, lane: usize) -> Option<ExploreTask> {
        let Some(segment) = self.lanes[lane].segment else {
            self.lanes[lane].reply = Reply::Refused;
            return None;
        };
        if self.settings.snapshots {
            return Some(task(Move::Save));
        }
        // Without snapshots a saved state is the steps that lead to it.
        let steps = self.segments.get(segment).steps.len();
        self.lanes[lane].reply = if self.segments.length(segment, steps) <= LONGEST_ROUTE {
            let save = SaveId(self.ticket().0);
            self.keep(lane, save);
            Reply::Saved(save)
        } else {
            Reply::Refused
        };
        None
    }

    /// Takes note of a saved state.
    pub(super) fn keep(&mut self, lane: usize, save: SaveId) {
        let Some(segment) = self.lanes[lane].segment else { return };
        let steps = self.segments.get(segment).steps.len();
        let shown = self.lanes[lane].look.as_ref().map(|(_, keys)| keys.clone());
        let shown = shown.expect("a lane that has begun was looked at");
        self.events.push(ExploreEvent::Saved { save, segment, steps, cost: self.cost });
        self.cost.saves += 1;
        let before = self.saves.insert(save, Saved { lane: lane_of(lane), segment, steps, shown });
        assert!(before.is_none(), "{save:?} is saved twice");
    }

    fn restore(&mut self, lane: usize, save: SaveId) -> Option<ExploreTask> {
        let Some(back) = self.way_back(lane, save) else {
            self.lanes[lane].reply = Reply::Refused;
            return None;
        };
        self.end(lane, &SegmentEnd::TimeTravel);
        let to = Move::Restore(save);
        Some(ExploreTask::Move { to, look: Look::Tree, back: Some(back) })
    }

    fn way_back(&self, lane: usize, save: SaveId) -> Option<WayBack> {
        let Saved { lane: owner, segment, steps, shown } = self.saves.get(&save)?;
        let own = self.settings.snapshots && *owner == lane_of(lane);
        // A snapshot of another device is no use here; where there are snapshots, others are cheaper to go to.
        let longest = if self.settings.snapshots && !own { LONGEST_DETOUR } else { LONGEST_ROUTE };
        let near = self.segments.length(*segment, *steps) <= longest;
        let route = near.then(|| self.route(*segment, *steps));
        (own || near).then(|| WayBack { shown: shown.clone(), route })
    }

    /// The events from a clean start to where a segment was after so many steps.
    fn route(&self, segment: super::SegmentId, steps: usize) -> Arc<[Event]> {
        self.segments.path(segment, steps).into_iter().map(|step| step.event.clone()).collect()
    }

    fn forget(&mut self, lane: usize, save: SaveId) -> Option<ExploreTask> {
        let saved = self.saves.remove(&save)?;
        if !self.settings.snapshots {
            return None;
        }
        if saved.lane == lane_of(lane) {
            return Some(task(Move::Forget(save)));
        }
        // Its snapshot is on another device, which may be busy.
        self.lanes[saved.lane.0 as usize].to_forget.push(save);
        None
    }

    /// A crash that came after going back in time is tried from a clean start.
    fn try_again(&mut self, lane: usize, crash: CrashToConfirm) -> ExploreTask {
        let events = self.route(crash.segment, self.segments.get(crash.segment).steps.len());
        let signature = crash.crash.signature.clone();
        let before = self.lanes[lane].confirming.replace(crash);
        assert!(before.is_none(), "lane {lane} tries two crashes again at a time");
        ExploreTask::Confirm { events, crash: signature, times: self.settings.confirm }
    }

    /// Whether a lane has done its share.
    fn enough(&self, lane: usize) -> bool {
        let news = self.lanes.iter().map(|lane| lane.news).max().unwrap_or_default();
        let elapsed = self.lanes[lane].elapsed;
        self.issued >= self.settings.events
            || elapsed >= self.settings.time
            || elapsed.since(news) >= self.settings.idle
    }

    fn ticket(&mut self) -> Ticket {
        self.next_ticket += 1;
        Ticket(self.next_ticket - 1)
    }
}

const fn task(to: Move) -> ExploreTask {
    ExploreTask::Move { to, look: Look::Tree, back: None }
}
