//! Time travel: save the device in interesting states, and go back to the most promising one when stuck
//! [TimeMachine, algorithms 1 to 3].
//!
//! Events come from another explorer, published as Monkey with system events
//! ([`SystemMonkey`](crate::SystemMonkey)); this one decides from where they go on. A state is what a screen is
//! made of without its text values. All lanes share the states and the saves: what one has found, another goes on
//! from. A lane claims the save that it goes back to, until it goes back to another one, so that lanes spread.
//!
//! What is not in the paper:
//! - A crash ends a trace, so the lane has to go on from somewhere: from a saved state, as if it were stuck.
//! - A state that has just been found to be interesting is not left for another one at once.
//! - There is a budget for saves; the least promising one makes room.
//! - Where a device cannot save, or has nothing to go back to, a stuck lane starts over.

use std::collections::{BTreeMap, BTreeSet};
use std::{fmt, mem};

use crate::corpus::{Corpus, Room};
use crate::explorer::{Explorer, Lane, Move, SaveId};
use crate::fitness::FitnessSettings;
use crate::neighbourhood::Selection;
use crate::separate::Separate;
use crate::sight::{Reply, Sight};
use crate::states::{Place, StateId, States};
use crate::strategy::{StrategyKind, Uses};
use crate::stuck::StuckSettings;
use crate::track::{Arrival, Track};

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

/// A lane whose saves were refused so many times in a row asks for no more.
const REFUSALS: u32 = 3;

pub(crate) const STRATEGY: StrategyKind = StrategyKind {
    name: "timetravel",
    about: "ms that goes back to a saved state when it is stuck",
    uses: Uses { mix: true, aim: true, stuck: true, time_travel: true },
    make: |settings, seed| {
        let lane = settings.with_system_events(seed);
        let source = Separate::new(move |number| Box::new(lane(number)));
        Box::new(TimeTravel::new(settings.time_travel, Box::new(source)))
    },
};

/// How time travel behaves. The defaults are the values of the published program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeTravelSettings {
    /// When a lane counts as stuck.
    pub stuck: StuckSettings,
    /// How promising a state is.
    pub fitness: FitnessSettings,
    /// By what the state to go back to is chosen.
    pub selection: Selection,
    /// The most saves at a time, over all lanes. A session of TimeMachine has fewer than 100.
    pub snapshots: usize,
}

/// Goes back in time when it is stuck.
pub struct TimeTravel {
    settings: TimeTravelSettings,
    source: Box<dyn Explorer>,
    states: States,
    corpus: Corpus,
    lanes: Lanes,
}

/// All lanes, each from when it is first heard of.
#[derive(Debug)]
struct Lanes {
    stuck: StuckSettings,
    lanes: BTreeMap<Lane, Traveller>,
}

/// One lane.
#[derive(Debug)]
struct Traveller {
    track: Track,
    asked: Asked,
    /// The save that it went back to.
    claim: Option<SaveId>,
    /// Saves that could not be restored here.
    barred: BTreeSet<SaveId>,
    /// Saves in a row that were refused.
    refusals: u32,
}

/// The move that a lane was told to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Asked {
    #[default]
    Event,
    Save(StateId),
    /// A save goes, perhaps to make room for this state.
    Forget(Option<StateId>),
    Restore(SaveId),
}

impl Default for TimeTravelSettings {
    fn default() -> Self {
        Self {
            stuck: StuckSettings::default(),
            fitness: FitnessSettings::default(),
            selection: Selection::default(),
            snapshots: 100,
        }
    }
}

impl TimeTravel {
    /// Time travel with the events of another explorer, which must know all lanes. When that one wants to
    /// restart, it is taken for stuck.
    pub fn new(settings: TimeTravelSettings, source: Box<dyn Explorer>) -> Self {
        Self {
            settings,
            source,
            states: States::new(settings.fitness),
            corpus: Corpus::new(settings.selection, settings.snapshots),
            lanes: Lanes { stuck: settings.stuck, lanes: BTreeMap::new() },
        }
    }

    /// Takes in what became of the move before; says whether the lane must go elsewhere because of it.
    fn take_reply(&mut self, lane: Lane, asked: Asked, reply: Reply) -> bool {
        let Self { corpus, .. } = self;
        let traveller = self.lanes.at(lane);
        match (asked, reply) {
            (Asked::Save(state), Reply::Saved(save)) => {
                corpus.saved(save, state);
                traveller.refusals = 0;
            }
            (Asked::Save(_), _) => {
                corpus.not_saved(reply == Reply::Refused);
                traveller.refusals += u32::from(reply == Reply::Refused);
            }
            (Asked::Forget(_), _) => corpus.forgotten(),
            (Asked::Restore(save), Reply::Refused) => {
                traveller.barred.insert(save);
                return true;
            }
            (Asked::Restore(save), Reply::Started | Reply::Done) => corpus.lost(save),
            (Asked::Restore(_) | Asked::Event, _) => {}
        }
        if reply == Reply::Started {
            traveller.barred.clear();
            traveller.leave_claim(corpus);
        }
        false
    }

    /// Takes in a fresh look; says what it tells, if anything.
    fn look(&mut self, lane: Lane, asked: Asked, seen: &Sight<'_>) -> Option<Arrival> {
        let place = Place::of(seen.keys, seen.in_front);
        let Self { states, corpus, .. } = self;
        let track = &mut self.lanes.at(lane).track;
        match seen.reply {
            Reply::Started => Some(track.start(states, place)),
            Reply::Restored(save) => Some(jump(track, states, corpus, save, place, seen.new_coverage)),
            _ if seen.crashed => {
                track.leave();
                None
            }
            // Without an event nothing was come to, unless the app went on by itself.
            _ if asked != Asked::Event && states.find(place) == track.at() => None,
            _ => Some(track.walk(states, place, seen.new_coverage)),
        }
    }

    /// The move that leads to a save of this state, if it can be had.
    fn save(&mut self, lane: Lane, state: StateId) -> Option<Move> {
        let traveller = self.lanes.at(lane);
        if traveller.refusals >= REFUSALS {
            return None;
        }
        match self.corpus.make_room(&self.states, state) {
            Room::Free => {
                traveller.asked = Asked::Save(state);
                Some(Move::Save)
            }
            Room::After(save) => {
                traveller.asked = Asked::Forget(Some(state));
                Some(Move::Forget(save))
            }
            Room::None => None,
        }
    }

    /// Goes back to the most promising save, or to the very start when there is none.
    fn travel(&mut self, lane: Lane) -> Move {
        let traveller = self.lanes.at(lane);
        traveller.leave_claim(&mut self.corpus);
        traveller.claim = self.corpus.claim(&self.states, &traveller.barred);
        match traveller.claim {
            Some(save) => {
                traveller.asked = Asked::Restore(save);
                Move::Restore(save)
            }
            None => Move::Restart,
        }
    }

    fn event(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        match self.source.next(lane, seen) {
            act @ Move::Act(_) => act,
            Move::Stop => Move::Stop,
            Move::Restart | Move::Save | Move::Restore(_) | Move::Forget(_) => self.travel(lane),
        }
    }
}

impl Explorer for TimeTravel {
    fn name(&self) -> &'static str {
        "timetravel"
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        let asked = mem::take(&mut self.lanes.at(lane).asked);
        let lost = self.take_reply(lane, asked, seen.reply);
        let arrival = if seen.fresh { self.look(lane, asked, seen) } else { None };
        let traveller = self.lanes.at(lane);
        match asked {
            Asked::Forget(Some(state)) if traveller.track.at() == Some(state) => {
                self.corpus.reserve();
                traveller.asked = Asked::Save(state);
                return Move::Save;
            }
            // Perhaps the device only has no room: something goes, and it is asked again.
            Asked::Save(state) if seen.reply == Reply::Refused && traveller.track.at() == Some(state) => {
                if let Some(made) = self.save(lane, state) {
                    return made;
                }
            }
            _ => {}
        }
        // An app that crashes when it is launched must not be launched again and again for that.
        let anew_in_vain = seen.reply == Reply::Started && self.corpus.is_empty();
        if lost || (seen.crashed && !anew_in_vain) {
            return self.travel(lane);
        }
        let found = arrival.filter(|arrival| arrival.interesting);
        if let Some(made) = found.and_then(|found| self.save(lane, found.state)) {
            return made;
        }
        if found.is_none() && arrival.is_some_and(|arrival| arrival.lack.is_some()) {
            return self.travel(lane);
        }
        if let Some(save) = self.corpus.surplus(&self.states) {
            self.lanes.at(lane).asked = Asked::Forget(None);
            return Move::Forget(save);
        }
        self.event(lane, seen)
    }
}

impl Lanes {
    fn at(&mut self, lane: Lane) -> &mut Traveller {
        self.lanes.entry(lane).or_insert_with(|| Traveller::new(self.stuck))
    }
}

impl Traveller {
    const fn new(settings: StuckSettings) -> Self {
        Self {
            track: Track::new(settings),
            asked: Asked::Event,
            claim: None,
            barred: BTreeSet::new(),
            refusals: 0,
        }
    }

    fn leave_claim(&mut self, corpus: &mut Corpus) {
        if let Some(save) = self.claim.take() {
            corpus.release(save);
        }
    }
}

/// A lane was put back to a save, and shows this place.
fn jump(
    track: &mut Track,
    states: &mut States,
    corpus: &mut Corpus,
    save: SaveId,
    place: Place,
    new_coverage: Option<usize>,
) -> Arrival {
    if states.find(place).is_some_and(|here| corpus.state(save) == Some(here)) {
        corpus.restored(save);
    } else {
        corpus.lost(save);
    }
    track.jump(states, place, new_coverage)
}

impl fmt::Debug for TimeTravel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimeTravel")
            .field("settings", &self.settings)
            .field("source", &self.source.name())
            .field("states", &self.states.len())
            .field("lanes", &self.lanes)
            .finish_non_exhaustive()
    }
}
