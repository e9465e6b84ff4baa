//! Going on where an earlier process was stopped: its legs are taken in, one after the other.

use retap_explore::{Lane, Looked, Past, SaveId};
use retap_trace::{Level, Micros, Seen};

use super::{Expedition, LONGEST_ROUTE, Leg, LegId, Origin, Saved, Travels};

impl Expedition {
    /// Takes in what going back in time has cost earlier processes.
    pub const fn recall_travels(&mut self, travels: Travels) {
        self.travels = travels;
    }

    /// Takes in a leg of an earlier process, and the time it took.
    pub fn recall(&mut self, leg: Leg, saves: &[(SaveId, usize)], took: Micros) {
        let (id, lane) = (leg.id, leg.lane);
        let events = leg.steps.len().saturating_sub(self.scripted(&leg)) as u64;
        (self.events, self.issued) = (self.events + events, self.issued + events);
        self.legs.add(leg);
        if let Some(state) = self.lanes.get_mut(lane.0 as usize) {
            state.before += took;
            state.accounted = state.before;
        }
        let leg = self.legs.get(id).clone();
        let looked = Looked { keys: &leg.first, in_front: true, new_coverage: None };
        self.explorer.recall(&match leg.origin {
            Origin::Start => Past::Started { lane, looked },
            Origin::Save { leg, steps } => {
                let save = self.saves.iter().find(|(_, saved)| (saved.leg, saved.steps) == (leg, steps));
                Past::Restored { lane, save: save.map_or(SaveId(u64::MAX), |(save, _)| *save), looked }
            }
        });
        self.states.extend(leg.first.key(Level::Layout));
        let last = leg.steps.iter().rev().find_map(|step| step.at).unwrap_or_default();
        for (number, step) in leg.steps.iter().enumerate() {
            let new = step.coverage.iter().filter(|id| self.covered.insert(**id)).count();
            self.measured |= new > 0;
            let shown = step.after.as_ref().and_then(|after| after.key(Level::Layout));
            let new_state = shown.is_some_and(|key| self.states.insert(key));
            if new > 0 || (new_state && !self.measured) {
                self.recall_news(lane, last.since(step.at.unwrap_or(last)));
            }
            let new_coverage = self.measured.then_some(new);
            self.explorer.recall(&Past::Step { lane, step, in_front: true, new_coverage });
            for (save, _) in saves.iter().filter(|(_, steps)| *steps == number + 1) {
                self.recall_save(*save, lane, id, number + 1, step.after.clone());
            }
        }
        for (save, _) in saves.iter().filter(|(_, steps)| *steps == 0) {
            self.recall_save(*save, lane, id, 0, Some(leg.first.clone()));
        }
    }

    /// A lane saw something new, so long before the end of the leg that was taken in last.
    fn recall_news(&mut self, lane: Lane, ago: Micros) {
        if let Some(state) = self.lanes.get_mut(lane.0 as usize) {
            state.news = state.news.max(state.before.since(ago));
        }
    }

    /// A state that an earlier process saved can be reached again on foot, if it is not too far.
    fn recall_save(&mut self, save: SaveId, lane: Lane, leg: LegId, steps: usize, shown: Option<Seen>) {
        self.next_save = self.next_save.max(save.0 + 1);
        let Some(shown) = shown.filter(|_| self.legs.length(leg, steps) <= LONGEST_ROUTE) else { return };
        self.explorer.recall(&Past::Saved { lane, save, keys: &shown });
        self.saves.insert(save, Saved { lane: Lane(u32::MAX), leg, steps, shown });
    }

    /// How many steps of a leg are the start script's.
    fn scripted(&self, leg: &Leg) -> usize {
        if leg.origin == Origin::Start { self.settings.script.len() } else { 0 }
    }
}
