//! The map of an app: every spot a user can be at, and what leads from one to the next.
//!
//! A spot is a screen with what makes a difference on it: its menu or dialog open, a form filled or scrolled. The
//! map holds what the app's own widgets do. The back key, rotations and restarts depend on what happened
//! before; [`super::route`] adds them.

use super::moves::Move;
use super::sketch::{Door, Need, ROOT, ScreenId, Sketch, ToggleId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpotId(pub(super) usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeId(pub(super) usize);

/// Where a user can be.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) screen: ScreenId,
    /// Whether a menu or dialog is on top.
    pub(super) overlay: bool,
}

/// What leads from one spot to the next, in one event.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) from: SpotId,
    pub(super) to: SpotId,
    /// When it opens an activity: where the back key leads to from there.
    pub(super) rest: Option<SpotId>,
    /// The switch that opens it.
    pub(super) gate: Option<ToggleId>,
    /// Whether it is certain to be there. The others only make sure that no way is missing.
    pub(super) certain: bool,
    pub(super) act: Move,
}

#[derive(Debug)]
pub(super) struct Map {
    pub(super) spots: Vec<Spot>,
    pub(super) edges: Vec<Edge>,
    /// For each spot, the edges that leave it.
    pub(super) leaving: Vec<Vec<EdgeId>>,
    /// For each spot, the edges that arrive there.
    pub(super) arriving: Vec<Vec<EdgeId>>,
    /// For each screen, the spot where it is fresh.
    pub(super) bases: Vec<SpotId>,
    pub(super) menus: Vec<Option<SpotId>>,
    pub(super) dialogs: Vec<Option<SpotId>>,
    /// For each screen, that which its activity begins with.
    pub(super) heads: Vec<ScreenId>,
    /// For each activity, by its first screen: all its spots.
    pub(super) members: Vec<Vec<SpotId>>,
    /// For each activity, by its first screen: the activities that it opens.
    pub(super) opened: Vec<Vec<ScreenId>>,
}

impl Map {
    pub(super) fn of(sketch: &Sketch) -> Self {
        let screens = sketch.screens.len();
        let mut map = Self {
            spots: Vec::new(),
            edges: Vec::new(),
            leaving: Vec::new(),
            arriving: Vec::new(),
            bases: Vec::new(),
            menus: vec![None; screens],
            dialogs: vec![None; screens],
            heads: sketch.screens.iter().map(|screen| screen.head).collect(),
            members: vec![Vec::new(); screens],
            opened: vec![Vec::new(); screens],
        };
        for id in sketch.ids() {
            map.add_spots(sketch, id);
        }
        for id in sketch.ids() {
            map.add_edges(sketch, id);
        }
        map.index();
        map
    }

    pub(super) fn base(&self, screen: ScreenId) -> SpotId {
        self.bases[screen.0]
    }

    pub(super) fn root(&self) -> SpotId {
        self.base(ROOT)
    }

    /// The first screen of the activity that a spot is in.
    pub(super) fn head(&self, spot: SpotId) -> ScreenId {
        self.heads[self.spots[spot.0].screen.0]
    }

    /// Whether it is the spot that an activity begins with.
    pub(super) fn begins(&self, spot: SpotId) -> bool {
        self.base(self.head(spot)) == spot
    }

    fn add_spots(&mut self, sketch: &Sketch, id: ScreenId) {
        let screen = sketch.screen(id);
        let base = self.spot(id, false);
        self.bases.push(base);
        if let Some(form) = &screen.form {
            let modes = 1 << (form.needs.len() + usize::from(form.out_of_sight));
            for _ in 1..modes {
                self.spot(id, false);
            }
        }
        self.menus[id.0] = screen.menu.then(|| self.spot(id, true));
        self.dialogs[id.0] = screen.dialog.then(|| self.spot(id, true));
    }

    fn spot(&mut self, screen: ScreenId, overlay: bool) -> SpotId {
        self.spots.push(Spot { screen, overlay });
        SpotId(self.spots.len() - 1)
    }

    fn add_edges(&mut self, sketch: &Sketch, id: ScreenId) {
        let base = self.base(id);
        if let Some(menu) = self.menus[id.0] {
            self.stay(base, menu, Move::Tap(sketch.id(id, "more")), true);
        }
        if let Some(dialog) = self.dialogs[id.0] {
            self.stay(base, dialog, Move::Tap(sketch.id(id, "ask")), true);
        }
        let tabs = sketch.tabs(sketch.screen(id).head);
        for &tab in tabs.iter().filter(|&&tab| tab != id) {
            self.stay(base, self.base(tab), Move::Tap(sketch.tab_id(id, tab)), true);
        }
        if sketch.screen(id).form.is_some() {
            self.add_form(sketch, id);
            return;
        }
        for &child in &sketch.screen(id).children {
            let from = match sketch.screen(child).door {
                Door::Tab => continue,
                Door::Menu => self.menus[id.0],
                Door::Dialog => self.dialogs[id.0],
                _ => Some(base),
            };
            let widget = sketch.door_id(child);
            let act = match sketch.screen(child).door {
                Door::Swipe => Move::SwipeLeft(widget),
                Door::LongTap => Move::LongTap(widget),
                _ => Move::Tap(widget),
            };
            self.open(from.unwrap_or(base), base, child, act, sketch.screen(child).gate);
        }
        for &link in &sketch.screen(id).links {
            self.open(base, base, link.to, Move::Tap(sketch.link_id(id, link)), None);
        }
    }

    /// A form: each need is met by one event, in any order, and so is being out of sight.
    fn add_form(&mut self, sketch: &Sketch, id: ScreenId) {
        let Some(form) = &sketch.screen(id).form else { return };
        let base = self.base(id);
        let mode = |bits: usize| SpotId(base.0 + bits);
        let all = (1 << form.needs.len()) - 1;
        let scrolled = if form.out_of_sight { all + 1 } else { 0 };
        for bits in 0..=(all | scrolled) {
            for (number, need) in form.needs.iter().enumerate() {
                let filled = bits | 1 << number;
                if filled != bits {
                    let widget = sketch.id(id, &need.word().to_lowercase());
                    let act = match need {
                        Need::Field(_) => Move::Type(widget, "a"),
                        Need::Box(_) => Move::Tap(widget),
                    };
                    self.stay(mode(bits), mode(filled), act, bits & scrolled == 0);
                }
            }
            if bits & scrolled != scrolled {
                self.stay(mode(bits), mode(bits | scrolled), Move::ScrollDown, true);
                self.stay(mode(bits | scrolled), mode(bits), Move::ScrollDown, false);
            }
        }
        for &child in &sketch.screen(id).children {
            let ready = mode(all | scrolled);
            self.open(ready, ready, child, Move::Tap(sketch.door_id(child)), None);
        }
    }

    /// An edge within an activity.
    fn stay(&mut self, from: SpotId, to: SpotId, act: Move, certain: bool) {
        self.edges.push(Edge { from, to, rest: None, gate: None, certain, act });
    }

    /// An edge that opens the activity of a screen.
    fn open(&mut self, from: SpotId, rest: SpotId, child: ScreenId, act: Move, gate: Option<ToggleId>) {
        let to = self.base(child);
        self.edges.push(Edge { from, to, rest: Some(rest), gate, certain: true, act });
    }

    fn index(&mut self) {
        self.leaving = vec![Vec::new(); self.spots.len()];
        self.arriving = vec![Vec::new(); self.spots.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            self.leaving[edge.from.0].push(EdgeId(number));
            self.arriving[edge.to.0].push(EdgeId(number));
            if edge.rest.is_some() {
                let (opener, opened) = (self.head(edge.from), self.head(edge.to));
                self.opened[opener.0].push(opened);
            }
        }
        for number in 0..self.spots.len() {
            let head = self.head(SpotId(number));
            self.members[head.0].push(SpotId(number));
        }
    }
}
