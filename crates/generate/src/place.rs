//! Finds places for bugs such that their shortest reproductions are known.
//!
//! The steps of a bug count only in their order, each is an event of its own, and none of them leads to a spot that
//! was not visited before. So the shortest reproduction of a **straight** bug, whose steps lie on a shortest path
//! from the start, has one event for each edge of the path and one for each step: see the bound *depth* in
//! [`super::route`]. That of a **winding** bug, whose steps lie anywhere, has one event for each step and as many
//! between two steps as the bound *distance* says; places where no walk is as short as the bound are not taken.
//! A bug behind a switch is winding, with the switch as a step before the first.

use retap_trace::Dice;

use super::bug::{Act, Bug, Step, Turn};
use super::map::{Map, SpotId};
use super::moves::Move;
use super::recipe::{ROOM, Recipe};
use super::route::{Depths, Walk, distances};
use super::sketch::{Role, ScreenId, Sketch, ToggleId};
use super::words::{BROADCASTS, TRICKY, VERBS, snake};

/// Drafts that are tried before the bug is put on a screen that surely takes it.
const MOST_DRAFTS: usize = 16;
/// Places that are tried for a step of a winding bug.
const MOST_PLACES: usize = 6;
/// Items of a menu that bugs take at most.
const MOST_ITEMS: usize = 2;

/// What a step of a bug is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Act,
    System,
    Rotate(Turn),
}

/// What a bug needs besides actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Special {
    Nothing,
    System,
    Rotation,
}

/// Steps with places, and the walk that takes them.
#[derive(Debug)]
struct Draft {
    steps: Vec<Step>,
    walk: Walk,
}

struct Placer<'a> {
    sketch: &'a Sketch,
    map: &'a Map,
    depths: Depths,
    /// Screens that take steps, by how deep they are.
    hosts: Vec<ScreenId>,
    /// For each screen, the steps that are on it already.
    taken: Vec<Vec<Act>>,
}

/// Puts all bugs of a recipe into an app.
pub(super) fn place(sketch: &Sketch, map: &Map, recipe: &Recipe, dice: &mut Dice) -> Vec<Bug> {
    let depths = Depths::of(map);
    let mut hosts: Vec<ScreenId> = sketch.ids().filter(|&id| sketch.screen(id).role != Role::Form).collect();
    hosts.sort_by_key(|&id| depths.least[map.base(id).0]);
    let mut placer = Placer { sketch, map, depths, hosts, taken: vec![Vec::new(); sketch.screens.len()] };

    let orders = orders(recipe, dice);
    let mut bugs = Vec::new();
    // The deepest first, while there is room.
    for (rank, (depth, special, flaky)) in orders.into_iter().enumerate().rev() {
        let pattern = pattern(depth, special, dice);
        let kept = dice.below(3) == 0;
        let Draft { steps, walk } = placer.draft(&pattern, rank, recipe.bugs as usize, kept, dice);
        for step in &steps {
            if let Step::Act(screen, act) = step {
                placer.taken[screen.0].push(*act);
            }
        }
        bugs.push(Bug {
            number: rank + 1,
            steps,
            kept,
            strict: dice.below(3) == 0,
            rate: flaky.then_some(recipe.rate),
            native: dice.below(8) == 0,
            moves: walk.moves,
            edges: walk.edges,
        });
    }
    bugs.reverse();
    bugs
}

/// For each bug its depth, what else it needs, and whether it is flaky. Depths grow from 1 to the greatest.
fn orders(recipe: &Recipe, dice: &mut Dice) -> Vec<(usize, Special, bool)> {
    let (bugs, depth) = (recipe.bugs as usize, recipe.depth as usize);
    let last = bugs.saturating_sub(1);
    let mut ranks: Vec<usize> = (0..bugs).collect();
    // The shallowest last: it has one step and no room for more.
    ranks.reverse();
    let deep = bugs - usize::from(bugs > 1 && depth > 1);
    dice.shuffle(&mut ranks[..deep]);
    let (system, rotation) = (recipe.system.of(bugs), recipe.rotation.of(bugs));
    let mut flaky: Vec<usize> = (0..bugs).collect();
    dice.shuffle(&mut flaky);
    let flaky = &flaky[..recipe.flaky.of(bugs)];
    let order = |rank: usize| {
        let place = ranks.iter().position(|&other| other == rank).unwrap_or(0);
        let special = match place {
            _ if place < system => Special::System,
            _ if place < system + rotation => Special::Rotation,
            _ => Special::Nothing,
        };
        let least = if special == Special::Nothing { 1 } else { 2 };
        let above = (rank * (depth - 1) + last / 2).checked_div(last);
        let own = above.map_or(depth, |above| 1 + above);
        (own.max(least), special, flaky.contains(&rank))
    };
    (0..bugs).map(order).collect()
}

fn pattern(depth: usize, special: Special, dice: &mut Dice) -> Vec<Slot> {
    let mut pattern = vec![Slot::Act; depth];
    match special {
        Special::Nothing => {}
        Special::System => pattern[dice.index(depth)] = Slot::System,
        Special::Rotation if depth >= 3 && dice.below(2) == 0 => {
            pattern[depth - 2] = Slot::Rotate(Turn::Forget);
        }
        Special::Rotation => pattern[depth - 1] = Slot::Rotate(Turn::Crash),
    }
    pattern
}

/// How many of the last actions are on one screen, which its activity begins with: those around a rotation.
fn around_rotation(pattern: &[Slot]) -> usize {
    match pattern.iter().position(|slot| matches!(slot, Slot::Rotate(_))) {
        None => 0,
        Some(place) => 1 + pattern[place..].iter().filter(|slot| **slot == Slot::Act).count(),
    }
}

impl Placer<'_> {
    fn draft(&self, pattern: &[Slot], rank: usize, bugs: usize, kept: bool, dice: &mut Dice) -> Draft {
        for turn in 0..MOST_DRAFTS {
            // Deep bugs stand on deep screens, unless that does not work out.
            let hosts = self.hosts.len();
            let (from, to) = if turn < MOST_DRAFTS / 2 {
                (rank * hosts / bugs, (rank + 1) * hosts / bugs)
            } else {
                (0, hosts)
            };
            let target = self.hosts[from + dice.index((to - from).max(1)).min(hosts - 1 - from)];
            let winds = self.sketch.screen(target).behind.is_some() || dice.below(5) < 2;
            let draft = if winds {
                self.winding(pattern, target, kept, dice)
            } else {
                self.straight(pattern, target, false, dice)
            };
            if let Some(draft) = draft {
                return draft;
            }
        }
        let surely = self.hosts.iter().find_map(|&target| self.straight(pattern, target, true, dice));
        surely.expect("the recipe was checked: some screen takes all steps")
    }

    /// Steps along the path to the target; with `alone`, all of them on the target.
    fn straight(&self, pattern: &[Slot], target: ScreenId, alone: bool, dice: &mut Dice) -> Option<Draft> {
        let goal = self.map.base(target);
        let around = around_rotation(pattern);
        if !self.depths.sure(goal) || (around > 0 && !self.map.begins(goal)) {
            return None;
        }
        let path = self.depths.path(self.map, goal);
        let spots = std::iter::once(self.map.root()).chain(path.iter().map(|edge| self.map.edges[edge.0].to));
        let stations: Vec<ScreenId> = spots
            .filter(|&spot| self.map.base(self.map.spots[spot.0].screen) == spot)
            .map(|spot| self.map.spots[spot.0].screen)
            .filter(|screen| self.sketch.screen(*screen).role != Role::Form)
            .collect();
        let acts = pattern.iter().filter(|slot| **slot == Slot::Act).count();
        let free = acts.saturating_sub(around.max(1));
        let mut on: Vec<usize> =
            (0..free).map(|_| if alone { stations.len() - 1 } else { dice.index(stations.len()) }).collect();
        on.sort_unstable();
        let mut hosts = on.into_iter().map(|place| stations[place]).chain(std::iter::repeat(target));

        let mut draft = Draft { steps: Vec::new(), walk: Walk::start(self.map) };
        let mut path = path.into_iter();
        for slot in pattern {
            if *slot == Slot::Act {
                let host = hosts.next()?;
                while draft.walk.here() != self.map.base(host) {
                    draft.walk.take(self.map, path.next()?);
                }
                let act = self.act(host, &draft, dice)?;
                self.step(&mut draft, Step::Act(host, act));
            } else {
                self.step(&mut draft, free_step(*slot, target, dice));
            }
        }
        Some(draft)
    }

    /// Steps here and there, the first of them on the target.
    fn winding(&self, pattern: &[Slot], target: ScreenId, kept: bool, dice: &mut Dice) -> Option<Draft> {
        let mut draft = Draft { steps: Vec::new(), walk: Walk::start(self.map) };
        if let Some(toggle) = self.sketch.screen(target).behind {
            self.turn_on(&mut draft.walk, toggle)?;
        }
        let around = around_rotation(pattern);
        let acts = pattern.iter().filter(|slot| **slot == Slot::Act).count();
        let mut host = target;
        let mut done = 0;
        for slot in pattern {
            if *slot != Slot::Act {
                self.step(&mut draft, free_step(*slot, host, dice));
                continue;
            }
            done += 1;
            let stays = around > 0 && acts - done < around - 1;
            let at_rotation = around > 0 && acts - done < around;
            let tries = if done == 1 || stays { 1 } else { MOST_PLACES };
            let found = (0..tries).find_map(|_| {
                let next = if done == 1 || stays { host } else { self.near(host, target, dice)? };
                let (spot, act) = self.act_anywhere(next, &draft, at_rotation, dice)?;
                let fits = !at_rotation || self.map.begins(spot);
                // Before the first step nothing is lost with the process: a switch stays on.
                let survives = kept || done == 1;
                let walk = fits.then(|| self.walk_on(&draft.walk, spot, survives)).flatten()?;
                Some((next, act, walk))
            });
            let (next, act, walk) = found?;
            (host, draft.walk) = (next, walk);
            self.step(&mut draft, Step::Act(host, act));
        }
        Some(draft)
    }

    /// Goes to a spot as shortly as can be.
    fn walk_on(&self, walk: &Walk, spot: SpotId, kept: bool) -> Option<Walk> {
        if walk.edges.is_empty() && walk.on.is_none() {
            let path = self.depths.sure(spot).then(|| self.depths.path(self.map, spot))?;
            let mut walk = walk.clone();
            for edge in path {
                walk.take(self.map, edge);
            }
            return Some(walk);
        }
        walk.go(self.map, &distances(self.map, spot, kept))
    }

    /// Goes to a switch and turns it on.
    fn turn_on(&self, walk: &mut Walk, toggle: ToggleId) -> Option<()> {
        let place = self.sketch.ids().find(|&id| self.sketch.screen(id).switches.contains(&toggle))?;
        let spot = self.map.base(place);
        *walk = self.walk_on(walk, spot, true)?;
        let id = self.sketch.id(place, &snake(&self.sketch.toggles[toggle.0]));
        walk.act(Move::Tap(id), spot);
        walk.on = Some(toggle);
        Some(())
    }

    /// A screen near another one, on the same side of all switches as the target.
    fn near(&self, from: ScreenId, target: ScreenId, dice: &mut Dice) -> Option<ScreenId> {
        let mut here = from;
        for _ in 0..dice.index(3) {
            here = self.sketch.screen(here).parent.unwrap_or(here);
        }
        for _ in 0..dice.index(3) {
            here = dice.pick(&self.sketch.screen(here).children).copied().unwrap_or(here);
        }
        let screen = self.sketch.screen(here);
        let fits = screen.role != Role::Form && screen.behind == self.sketch.screen(target).behind;
        fits.then_some(here)
    }

    /// Adds a step and what the user does for it.
    fn step(&self, draft: &mut Draft, step: Step) {
        let here = draft.walk.here();
        match step {
            Step::Act(screen, act) => draft.walk.act(act.how(self.sketch, screen), self.map.base(screen)),
            Step::Rotate(..) => draft.walk.act(Move::Rotate, here),
            Step::System(action) => draft.walk.act(Move::System(action), here),
        }
        draft.steps.push(step);
    }

    /// An action on a screen, in its menu or in its dialog, and where it is done.
    fn act_anywhere(
        &self,
        screen: ScreenId,
        draft: &Draft,
        plain: bool,
        dice: &mut Dice,
    ) -> Option<(SpotId, Act)> {
        let here = |act: &Act| self.acts(screen, draft).any(|other| other == *act);
        if !plain && dice.below(2) == 0 {
            let items = self.acts(screen, draft).filter(|act| matches!(act, Act::Item(_))).count();
            if let Some(menu) = self.map.menus[screen.0]
                && items < MOST_ITEMS
            {
                return Some((menu, Act::Item(self.word(screen, draft, dice))));
            }
            let has_door = self.sketch.behind_doors(screen, super::sketch::Door::Dialog).next().is_some();
            if let Some(dialog) = self.map.dialogs[screen.0]
                && !has_door
                && !here(&Act::Ok)
            {
                return Some((dialog, Act::Ok));
            }
        }
        Some((self.map.base(screen), self.act(screen, draft, dice)?))
    }

    /// An action on a screen, if it has room for one more.
    fn act(&self, screen: ScreenId, draft: &Draft, dice: &mut Dice) -> Option<Act> {
        if self.acts(screen, draft).filter(|act| act.takes_room()).count() >= ROOM {
            return None;
        }
        let word = self.word(screen, draft, dice);
        Some(match dice.below(18) {
            0..8 => Act::Button(word),
            8..10 => Act::LongTap(word),
            10..12 => Act::Swipe(word),
            12 => Act::Pinch(word),
            13..15 => Act::Check(word),
            15 => Act::Switch(word),
            16 => Act::Type(word, None),
            _ => Act::Type(word, dice.pick(&TRICKY).copied()),
        })
    }

    /// A word that no action of the screen has.
    fn word(&self, screen: ScreenId, draft: &Draft, dice: &mut Dice) -> &'static str {
        let first = dice.index(VERBS.len());
        let mut words = (0..VERBS.len()).map(|turn| VERBS[(first + turn) % VERBS.len()]);
        let free = |word: &&str| self.acts(screen, draft).all(|act| act.word() != *word);
        words.find(free).expect("a screen has room for fewer actions than there are words")
    }

    /// The actions that a screen has so far.
    fn acts(&self, screen: ScreenId, draft: &Draft) -> impl Iterator<Item = Act> {
        let own = draft.steps.iter().filter_map(move |step| match step {
            Step::Act(place, act) if *place == screen => Some(*act),
            _ => None,
        });
        own.chain(self.taken[screen.0].iter().copied())
    }
}

/// A step that needs no widget.
fn free_step(slot: Slot, screen: ScreenId, dice: &mut Dice) -> Step {
    match slot {
        Slot::Rotate(turn) => Step::Rotate(screen, turn),
        Slot::System | Slot::Act => Step::System(dice.pick(&BROADCASTS).expect("there are broadcasts")),
    }
}
