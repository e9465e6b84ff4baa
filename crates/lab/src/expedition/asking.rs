//! Asking the explorer for a lane's next move, and making a task of it.

use retap_device::Look;
use retap_explore::{Move, Reply, SaveId, Sight};

use super::{
    Crew, Doing, Doubtful, Expedition, LONGEST_DETOUR, LONGEST_ROUTE, LegEnd, Log, Saved, Task, lane_of,
};

/// What comes of asking.
enum Next {
    Task(Task),
    /// The move needed no device: it must be asked again.
    Ask,
    /// The lane is done.
    Nothing,
}

impl Expedition {
    /// Gives a lane without a task its next one, unless it is over.
    pub(super) fn employ(&mut self, lane: usize, crew: &mut dyn Crew, log: &mut dyn Log) {
        if let Some(task) = self.next_task(lane, log) {
            crew.give(lane_of(lane), task);
        }
    }

    fn next_task(&mut self, lane: usize, log: &mut dyn Log) -> Option<Task> {
        if self.lanes[lane].over.is_some() {
            return None;
        }
        if let Some(save) = self.lanes[lane].chores.pop() {
            self.lanes[lane].doing = Doing::Chore;
            return Some(Task::Forget(save));
        }
        if let Some(crash) = self.lanes[lane].doubtful.take() {
            return Some(self.try_again(lane, *crash));
        }
        if self.enough(lane) {
            self.end(lane, &LegEnd::Stopped, log);
            self.lanes[lane].doing = Doing::Nothing;
            return None;
        }
        if self.lanes[lane].look.is_none() {
            return Some(self.start(lane));
        }
        loop {
            match self.ask(lane, log) {
                Next::Task(task) => return Some(task),
                Next::Ask => {}
                Next::Nothing => return None,
            }
        }
    }

    /// Asks the explorer what a lane should do.
    fn ask(&mut self, lane: usize, log: &mut dyn Log) -> Next {
        let state = &self.lanes[lane];
        let (observation, keys) = state.look.as_ref().expect("a lane that has begun was looked at");
        let sight = Sight {
            observation,
            keys,
            fresh: state.fresh,
            at: state.elapsed(),
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
            Move::Act(_) if crashed || state.leg.is_none() => Next::Task(self.start(lane)),
            Move::Act(event) => {
                let look = if state.window.event() { Look::Tree } else { Look::Activity };
                state.doing = Doing::Acting(event.clone());
                self.issued += 1;
                Next::Task(Task::Act { event, look })
            }
            Move::Save => self.save(lane, log).into(),
            Move::Restore(save) => self.restore(lane, save, log).into(),
            Move::Forget(save) => self.forget(lane, save).into(),
            Move::Restart => {
                self.end(lane, &LegEnd::Restart, log);
                Next::Task(self.start(lane))
            }
            Move::Stop => {
                self.end(lane, &LegEnd::Finished, log);
                self.lanes[lane].doing = Doing::Nothing;
                Next::Nothing
            }
        }
    }

    fn start(&mut self, lane: usize) -> Task {
        self.lanes[lane].doing = Doing::Starting;
        Task::Start
    }

    fn save(&mut self, lane: usize, log: &mut dyn Log) -> Option<Task> {
        let Some(leg) = self.lanes[lane].leg else {
            self.lanes[lane].reply = Reply::Refused;
            return None;
        };
        let save = SaveId(self.next_save);
        if self.settings.snapshots {
            self.next_save += 1;
            self.lanes[lane].doing = Doing::Saving(save);
            return Some(Task::Save(save));
        }
        // Without snapshots a saved state is the way to it.
        let steps = self.legs.get(leg).steps.len();
        self.lanes[lane].reply = if self.legs.length(leg, steps) <= LONGEST_ROUTE {
            self.next_save += 1;
            self.keep(lane, save, log);
            Reply::Saved(save)
        } else {
            Reply::Refused
        };
        None
    }

    /// Takes note of a saved state.
    pub(super) fn keep(&mut self, lane: usize, save: SaveId, log: &mut dyn Log) {
        let Some(leg) = self.lanes[lane].leg else { return };
        let steps = self.legs.get(leg).steps.len();
        let shown = self.lanes[lane].look.as_ref().map(|(_, keys)| keys.clone());
        let shown = shown.expect("a lane that has begun was looked at");
        self.travels.saves += 1;
        log.saved(save, self.legs.get(leg));
        self.saves.insert(save, Saved { lane: lane_of(lane), leg, steps, shown });
    }

    fn restore(&mut self, lane: usize, save: SaveId, log: &mut dyn Log) -> Option<Task> {
        let here = lane_of(lane);
        let route = self.saves.get(&save).and_then(|saved| {
            if self.settings.snapshots && saved.lane == here {
                return Some((saved.shown.clone(), None));
            }
            // A snapshot of another device is no use here; where there are snapshots, others are cheaper to go to.
            let longest = if self.settings.snapshots { LONGEST_DETOUR } else { LONGEST_ROUTE };
            let near = self.legs.length(saved.leg, saved.steps) <= longest;
            let way = || self.legs.way(saved.leg, saved.steps).into_iter().map(|step| step.event.clone());
            near.then(|| (saved.shown.clone(), Some(way().collect())))
        });
        let Some((shown, route)) = route else {
            self.lanes[lane].reply = Reply::Refused;
            return None;
        };
        self.end(lane, &LegEnd::Travel, log);
        self.lanes[lane].doing = Doing::Restoring(save);
        Some(Task::Restore { save, shown, route })
    }

    fn forget(&mut self, lane: usize, save: SaveId) -> Option<Task> {
        let saved = self.saves.remove(&save)?;
        if !self.settings.snapshots {
            return None;
        }
        if saved.lane == lane_of(lane) {
            self.lanes[lane].doing = Doing::Forgetting;
            return Some(Task::Forget(save));
        }
        // Its snapshot is on another device, which may be busy.
        if let Some(owner) = self.lanes.get_mut(saved.lane.0 as usize) {
            owner.chores.push(save);
        }
        None
    }

    /// A crash that came after going back in time is tried from a clean start.
    fn try_again(&mut self, lane: usize, crash: Doubtful) -> Task {
        let way = self.legs.way(crash.leg, self.legs.get(crash.leg).steps.len());
        let events = way.into_iter().map(|step| step.event.clone()).collect();
        let task =
            Task::Confirm { events, crash: crash.crash.signature.clone(), times: self.settings.confirm };
        self.lanes[lane].doing = Doing::Confirming(Box::new(crash));
        task
    }

    /// Whether a lane has done its share.
    fn enough(&self, lane: usize) -> bool {
        let news = self.lanes.iter().map(|lane| lane.news).max().unwrap_or_default();
        let elapsed = self.lanes[lane].elapsed();
        self.issued >= self.settings.events
            || elapsed >= self.settings.time
            || elapsed.since(news) >= self.settings.idle
    }
}

/// A move that needed no device was answered at once.
impl From<Option<Task>> for Next {
    fn from(task: Option<Task>) -> Self {
        task.map_or(Self::Ask, Self::Task)
    }
}
