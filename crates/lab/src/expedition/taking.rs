//! Taking in what a scout reports.

use retap_explore::{PERMISSION_DIALOGS, Reply, SaveId};
use retap_trace::{CoverageId, Event, Level, Micros, Observation, Seen, Step};

use super::{Became, Doing, Doubtful, Expedition, Leg, LegEnd, Log, Origin, Sighting, lane_of};

impl Expedition {
    /// Takes in what a scout reports of a lane.
    pub(super) fn take(&mut self, lane: usize, sighting: Sighting, log: &mut dyn Log) {
        let state = &mut self.lanes[lane];
        state.began.get_or_insert(sighting.time.0);
        state.now = state.now.max(sighting.time.1);
        let took = sighting.took();
        if !sighting.names.is_empty() {
            log.named(&sighting.names);
        }
        let doing = std::mem::replace(&mut state.doing, Doing::Nothing);
        match (doing, sighting.became.clone()) {
            (_, Became::Failed(why)) => self.failed(lane, why, log),
            (Doing::Chore, _) => {}
            (doing, Became::Started { lost }) => {
                if let (Doing::Restoring(_), true) = (doing, lost) {
                    self.travels.lost += 1;
                    self.travels.restoring += took;
                }
                self.started(lane, sighting, log);
            }
            (Doing::Acting(_), Became::Unable(what)) => {
                self.unable.insert(what);
                // The explorer is to try something else from where it is.
                self.lanes[lane].fresh = true;
            }
            (Doing::Acting(event), _) => self.acted(lane, event, sighting, log),
            (Doing::Saving(save), Became::Saved) => {
                self.travels.saving += took;
                log.travelled(self.travels);
                self.keep(lane, save, log);
                self.lanes[lane].reply = Reply::Saved(save);
            }
            (Doing::Restoring(save), Became::Restored { replayed }) => {
                self.travels.restores += 1;
                self.travels.restoring += took;
                self.travels.replayed += u64::from(replayed);
                self.restored(lane, save, sighting, log);
            }
            (Doing::Confirming(crash), Became::Confirmed(tally)) => {
                let Doubtful { leg, crash } = *crash;
                log.crashed(&self.legs, leg, &crash, Some(tally));
                // The explorer still has to hear of the crash.
                (self.lanes[lane].crashed, self.lanes[lane].fresh) = (true, true);
            }
            (Doing::Saving(_) | Doing::Restoring(_), _) => self.lanes[lane].reply = Reply::Refused,
            _ => {}
        }
    }

    fn failed(&mut self, lane: usize, why: String, log: &mut dyn Log) {
        self.end(lane, &LegEnd::DeviceFailed(why.clone()), log);
        let state = &mut self.lanes[lane];
        state.look = None;
        state.doubtful = None;
        if state.health.note(true) {
            state.over = Some(why);
        }
    }

    /// The app is fresh: a new leg.
    fn started(&mut self, lane: usize, sighting: Sighting, log: &mut dyn Log) {
        self.end(lane, &LegEnd::Restart, log);
        self.lanes[lane].on_the_way.clear();
        self.begin(lane, Origin::Start, Reply::Started, sighting, log);
    }

    /// The device shows a saved state: a new leg, whose way has executed what led there.
    fn restored(&mut self, lane: usize, save: SaveId, sighting: Sighting, log: &mut dyn Log) {
        let Some(saved) = self.saves.get(&save) else { return self.started(lane, sighting, log) };
        let (leg, steps) = (saved.leg, saved.steps);
        let way = self.legs.way(leg, steps);
        let on_the_way = way.iter().flat_map(|step| &step.coverage).copied().collect();
        self.lanes[lane].on_the_way = on_the_way;
        self.begin(lane, Origin::Save { leg, steps }, Reply::Restored(save), sighting, log);
    }

    fn begin(&mut self, lane: usize, origin: Origin, reply: Reply, sighting: Sighting, log: &mut dyn Log) {
        let Sighting { seen: Some(seen), keys: Some(keys), coverage, crash, time, .. } = sighting else {
            return self.failed(lane, "nothing was seen after a start".to_owned(), log);
        };
        let mut steps = Vec::new();
        if origin == Origin::Start {
            steps.extend(self.settings.script.iter().cloned().map(Step::new));
        }
        let gained = self.credit(lane, &coverage);
        if let Some(last) = steps.last_mut() {
            (last.after, last.coverage) = (Some(keys.clone()), gained);
        }
        let id = self.legs.next();
        let leg = Leg { id, lane: lane_of(lane), origin, first: keys.clone(), steps };
        log.travelled(self.travels);
        log.began(&leg);
        self.legs.add(leg);
        let begins = self.legs.begins_at(origin);
        let state = &mut self.lanes[lane];
        (state.leg, state.reply) = (Some(id), reply);
        state.leg_began = Micros(time.1.0.saturating_sub(begins.0));
        let _ = state.health.note(false);
        self.look(lane, seen, keys, log);
        if let Some(crash) = crash {
            self.lanes[lane].crashed = true;
            log.crashed(&self.legs, id, &crash, None);
            self.end(lane, &LegEnd::Crash(Box::new(crash)), log);
        }
    }

    fn acted(&mut self, lane: usize, event: Event, sighting: Sighting, log: &mut dyn Log) {
        let Some(leg) = self.lanes[lane].leg else { return };
        let (Some(seen), Some(after)) = (sighting.seen, sighting.keys) else { return };
        let gained = self.credit(lane, &sighting.coverage);
        let state = &mut self.lanes[lane];
        let _ = state.health.note(false);
        let step = Step {
            at: Some(sighting.time.0.since(state.leg_began)),
            before: state.keys.clone(),
            after: Some(after.clone()),
            coverage: gained,
            crash: sighting.crash.clone(),
            ..Step::new(event)
        };
        self.events += 1;
        log.step(leg, &step);
        self.legs.get_mut(leg).steps.push(step);
        if seen.tree.is_some() {
            self.look(lane, seen, after, log);
        } else {
            state.keys = Some(after);
        }
        let Some(crash) = sighting.crash else { return };
        self.lanes[lane].crashed = true;
        self.lanes[lane].fresh = true;
        self.end(lane, &LegEnd::Crash(Box::new(crash.clone())), log);
        let length = self.legs.length(leg, self.legs.get(leg).steps.len());
        let travelled = self.legs.get(leg).origin != Origin::Start;
        let worth = self.tried.get(&crash.signature).is_none_or(|tried| length * 2 <= *tried);
        if travelled && worth && self.settings.confirm > 0 {
            self.tried.insert(crash.signature.clone(), length);
            self.lanes[lane].doubtful = Some(Box::new(Doubtful { leg, crash }));
        } else {
            log.crashed(&self.legs, leg, &crash, None);
        }
    }

    /// Takes a look at the whole screen for what it is: the latest.
    fn look(&mut self, lane: usize, seen: Observation, keys: Seen, log: &mut dyn Log) {
        let new_state = keys.key(Level::Layout).is_some_and(|key| self.states.insert(key));
        if new_state {
            log.state(&keys, &seen);
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
            state.news = state.elapsed();
        }
        state.in_front = in_front;
        state.fresh = true;
        state.keys = Some(keys.clone());
        state.look = Some((seen, keys));
    }

    /// Counts code that was executed: what is new to the exploration, and what is new on the way of this lane.
    fn credit(&mut self, lane: usize, coverage: &[CoverageId]) -> Vec<CoverageId> {
        self.measured |= !coverage.is_empty();
        let new = coverage.iter().filter(|id| self.covered.insert(**id)).count();
        let state = &mut self.lanes[lane];
        state.new_coverage += new;
        if new > 0 {
            state.news = state.elapsed();
        }
        coverage.iter().copied().filter(|id| state.on_the_way.insert(*id)).collect()
    }
}
