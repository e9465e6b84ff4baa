//! A tiny app with snapshots, and a driver that checks what time travel promises.

use std::collections::{BTreeMap, BTreeSet};

use retap_trace::{Dice, Event, Micros, Seed, Size};

use crate::sample::{View, screen};
use crate::{Explorer, Lane, Move, Reply, SaveId, Sight};

const BUTTONS: usize = 10;
const WIDTH: u32 = 1_000;
/// An event and a look at what came of it.
const EVENT: Micros = Micros::from_millis(400);

/// An app as a table: for each state, where each of ten buttons side by side leads to. Keys do nothing.
#[derive(Debug, Clone)]
pub(super) struct App {
    ways: Vec<[usize; BUTTONS]>,
    /// The state in which the app crashes.
    crash: Option<usize>,
}

/// What the devices can do.
#[derive(Debug, Clone, Copy)]
pub(super) struct World {
    pub(super) lanes: u32,
    /// Room for so many saves on all devices together.
    pub(super) room: usize,
    /// How often a restore ends in a fresh start, and how often it shows another state.
    pub(super) loss: f64,
    /// A look after so many events.
    pub(super) window: u32,
    /// Whether coverage is measured.
    pub(super) coverage: bool,
    pub(super) seed: u64,
}

/// What came of a run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// The states that were reached, by number.
    pub(super) reached: BTreeSet<usize>,
    pub(super) moves: Vec<(u32, Move)>,
    pub(super) crashes: u32,
    pub(super) restores: u32,
    pub(super) restarts: u32,
    /// The most saves at a time.
    pub(super) most_saves: usize,
}

/// One device.
#[derive(Debug)]
struct Phone {
    state: usize,
    /// The state of the last look.
    shown: usize,
    now: Micros,
    reply: Reply,
    fresh: bool,
    crashed: bool,
    new_coverage: Option<usize>,
    unseen: u32,
    /// The save that it was last told to go back to.
    claim: Option<SaveId>,
}

struct Run<'a> {
    app: &'a App,
    world: World,
    phones: Vec<Phone>,
    saves: BTreeMap<SaveId, usize>,
    made: u64,
    /// The saves that the explorer has heard of.
    told: BTreeSet<SaveId>,
    dice: Dice,
    outcome: Outcome,
}

impl App {
    /// A way of so many states. From each only one button leads on, four lead into traps, the others nowhere. There is
    /// no way out of the traps: one is a dead end, the others are a loop.
    pub(super) fn trapped_way(length: usize) -> Self {
        let (dead_end, round, about) = (length, length + 1, length + 2);
        let step = |state: usize| {
            let mut buttons = [state; BUTTONS];
            for (nth, button) in buttons.iter_mut().enumerate() {
                match (nth + state * 3) % BUTTONS {
                    0 => *button = (state + 1).min(length - 1),
                    1 | 2 => *button = dead_end,
                    3 | 4 => *button = round,
                    _ => {}
                }
            }
            buttons
        };
        let mut ways: Vec<_> = (0..length).map(step).collect();
        ways.extend([[dead_end; BUTTONS], [about; BUTTONS], [round; BUTTONS]]);
        Self { ways, crash: None }
    }

    /// The same, and it crashes at the end of the way.
    pub(super) fn crashing_way(length: usize) -> Self {
        Self { crash: Some(length - 1), ..Self::trapped_way(length) }
    }

    /// Any app of so many states.
    pub(super) fn any(states: usize, seed: u64) -> Self {
        let mut dice = Seed(seed).dice();
        let ways = (0..states).map(|_| [(); BUTTONS].map(|()| dice.index(states))).collect();
        Self { ways, crash: seed.is_multiple_of(2).then_some(states - 1) }
    }

    fn press(&self, state: usize, event: &Event) -> usize {
        match event {
            Event::Tap(aim) => {
                let button = usize::try_from(aim.at.x).unwrap() * BUTTONS / WIDTH as usize;
                self.ways[state][button]
            }
            Event::Launch if Some(state) == self.crash => 0,
            _ => state,
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self { lanes: 1, room: 1_000, loss: 0.0, window: 1, coverage: true, seed: 1 }
    }
}

impl World {
    /// Lets an explorer make so many moves on each lane.
    pub(super) fn run(self, app: &App, explorer: &mut dyn Explorer, moves: u32) -> Outcome {
        let phone = |_| Phone {
            state: 0,
            shown: 0,
            now: Micros::ZERO,
            reply: Reply::Started,
            fresh: true,
            crashed: false,
            new_coverage: None,
            unseen: 0,
            claim: None,
        };
        let mut run = Run {
            app,
            world: self,
            phones: (0..self.lanes).map(phone).collect(),
            saves: BTreeMap::new(),
            made: 0,
            told: BTreeSet::new(),
            dice: Seed(self.seed).branch("world", 0).dice(),
            outcome: Outcome::default(),
        };
        let views: Vec<_> = (0..app.ways.len()).map(view).collect();
        for lane in 0..self.lanes {
            run.start(lane);
        }
        for _ in 0..moves {
            for lane in 0..self.lanes {
                run.hear(lane);
                let made = explorer.next(Lane(lane), &run.sight(lane, &views));
                run.outcome.moves.push((lane, made.clone()));
                run.make(lane, made);
            }
        }
        run.outcome
    }
}

impl Run<'_> {
    fn sight<'a>(&self, lane: u32, views: &'a [View]) -> Sight<'a> {
        let phone = &self.phones[lane as usize];
        Sight {
            fresh: phone.fresh,
            at: phone.now,
            reply: phone.reply,
            in_front: self.in_front(phone.shown),
            new_coverage: phone.new_coverage,
            crashed: phone.crashed,
            ..views[phone.shown].inside()
        }
    }

    /// The explorer is about to hear of what has happened on a lane.
    fn hear(&mut self, lane: u32) {
        let phone = &mut self.phones[lane as usize];
        if let Reply::Saved(save) = phone.reply {
            self.told.insert(save);
        }
    }

    fn make(&mut self, lane: u32, made: Move) {
        let phone = &mut self.phones[lane as usize];
        (phone.fresh, phone.crashed, phone.new_coverage) = (false, false, None);
        phone.reply = Reply::Done;
        match made {
            Move::Act(event) => self.act(lane, &event),
            Move::Save => self.save(lane),
            Move::Forget(save) => {
                assert!(self.saves.remove(&save).is_some(), "{save:?} is forgotten but not there");
                let claimed = |phone: &Phone| phone.claim == Some(save);
                assert!(!self.phones.iter().any(claimed), "{save:?} is forgotten but claimed");
            }
            Move::Restore(save) => self.restore(lane, save),
            Move::Restart => {
                self.outcome.restarts += 1;
                self.start(lane);
            }
            Move::Stop => panic!("nobody stops"),
        }
    }

    fn act(&mut self, lane: u32, event: &Event) {
        let phone = &mut self.phones[lane as usize];
        phone.state = self.app.press(phone.state, event);
        phone.unseen += 1;
        phone.crashed = Some(phone.state) == self.app.crash;
        self.outcome.crashes += u32::from(phone.crashed);
        if phone.crashed || phone.unseen >= self.world.window {
            self.look(lane);
        }
    }

    fn save(&mut self, lane: u32) {
        let phone = &mut self.phones[lane as usize];
        assert!(Some(phone.state) != self.app.crash, "outside is never saved");
        if self.saves.len() >= self.world.room {
            phone.reply = Reply::Refused;
            return;
        }
        self.made += 1;
        let save = SaveId(self.made);
        phone.reply = Reply::Saved(save);
        self.saves.insert(save, phone.state);
        self.outcome.most_saves = self.outcome.most_saves.max(self.saves.len());
    }

    fn restore(&mut self, lane: u32, save: SaveId) {
        let state = *self.saves.get(&save).unwrap_or_else(|| panic!("{save:?} is restored but not there"));
        self.phones[lane as usize].claim = None;
        let others: BTreeSet<_> = self.phones.iter().filter_map(|phone| phone.claim).collect();
        if others.contains(&save) {
            // A save that does not hold may be there without being of use.
            let free = self.told.iter().find(|save| !others.contains(save) && self.saves.contains_key(save));
            assert!(free.is_none() || self.world.loss > 0.0, "{save:?} is claimed twice, {free:?} is free");
        }
        self.outcome.restores += 1;
        if self.dice.chance(self.world.loss) {
            return self.start(lane);
        }
        let lost = self.dice.chance(self.world.loss);
        let phone = &mut self.phones[lane as usize];
        phone.claim = Some(save);
        phone.state = if lost { 0 } else { state };
        phone.reply = Reply::Restored(save);
        self.look(lane);
    }

    fn start(&mut self, lane: u32) {
        let phone = &mut self.phones[lane as usize];
        (phone.state, phone.reply, phone.claim) = (0, Reply::Started, None);
        self.look(lane);
    }

    fn look(&mut self, lane: u32) {
        let phone = &mut self.phones[lane as usize];
        phone.now += EVENT;
        let new = usize::from(self.outcome.reached.insert(phone.state));
        phone.new_coverage = self.world.coverage.then_some(new);
        (phone.shown, phone.fresh, phone.unseen) = (phone.state, true, 0);
    }

    fn in_front(&self, state: usize) -> bool {
        Some(state) != self.app.crash
    }
}

fn view(state: usize) -> View {
    View::keyed(screen(Size { width: WIDTH, height: 100 }, None), state as u64 + 1)
}
