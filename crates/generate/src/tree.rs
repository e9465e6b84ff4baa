//! Draws the screens of an app and the tree that they form.
//!
//! Hubs take a good part of all screens, so a few screens have many ways on and most have few; the rest prefer
//! screens that came late, so some ways are long.

use std::collections::BTreeSet;

use retap_trace::Dice;

use super::recipe::Recipe;
use super::sketch::{Door, ROOT, Role, Screen, ScreenId, Sketch};
use super::words::{NOUNS, QUALIFIERS};

/// Further tabs that an activity has at most.
const MOST_TABS: usize = 3;
/// Screens for one with settings.
const SCREENS_PER_SETTINGS: usize = 25;
/// Fewer screens than this do without settings.
const FEWEST_FOR_SETTINGS: usize = 4;

/// Draws the tree.
pub(super) fn grow(recipe: &Recipe, dice: &mut Dice) -> Sketch {
    let mut tree = Tree {
        sketch: Sketch::default(),
        taken: BTreeSet::new(),
        open: Vec::new(),
        hubs: Vec::new(),
        heads: Vec::new(),
    };
    tree.add(Role::Hub, None, Door::Button, "Home".to_owned(), "Home");
    for (role, tab) in deck(recipe, dice) {
        tree.attach(role, tab, dice);
    }
    tree.sketch
}

/// The roles of all screens but the first, and which of them would be tabs.
fn deck(recipe: &Recipe, dice: &mut Dice) -> Vec<(Role, bool)> {
    let screens = recipe.screens as usize;
    let settings = if screens >= FEWEST_FOR_SETTINGS { screens.div_ceil(SCREENS_PER_SETTINGS) } else { 0 };
    let asked = [
        (Role::Form, recipe.deadends.of(screens)),
        (Role::Settings, settings),
        (Role::Hub, recipe.hubs.of(screens).saturating_sub(1)),
        (Role::List, recipe.lists.of(screens)),
        (Role::Detail, screens),
    ];
    let mut roles: Vec<Role> = Vec::new();
    for (role, count) in asked {
        let room = screens - 1 - roles.len();
        roles.extend(std::iter::repeat_n(role, count.min(room)));
    }
    dice.shuffle(&mut roles);
    let mut tabs = recipe.tabs.of(screens);
    let mut deck = Vec::new();
    for (place, role) in roles.iter().enumerate() {
        // Each of the screens that can be a tab is one with the same probability.
        let fit = |role: &Role| matches!(role, Role::List | Role::Detail);
        let left = roles[place..].iter().filter(|role| fit(role)).count();
        let tab = fit(role) && tabs > 0 && dice.index(left) < tabs;
        tabs -= usize::from(tab);
        deck.push((*role, tab));
    }
    deck
}

struct Tree {
    sketch: Sketch,
    /// Names of screens.
    taken: BTreeSet<String>,
    /// Screens that have room for another child, hubs not counted.
    open: Vec<ScreenId>,
    /// Hubs that have room.
    hubs: Vec<ScreenId>,
    /// Screens that have room for another tab.
    heads: Vec<ScreenId>,
}

impl Tree {
    fn attach(&mut self, role: Role, tab: bool, dice: &mut Dice) {
        if tab && !self.heads.is_empty() {
            let place = dice.index(self.heads.len());
            let head = self.heads[place];
            if self.sketch.tabs(head).len() == MOST_TABS {
                self.heads.swap_remove(place);
            }
            self.append(role, head, Door::Tab, dice);
            return;
        }
        let parent = self.parent(role, dice);
        let door = match self.sketch.screen(parent).role {
            Role::Hub => Door::Tile,
            Role::Form => Door::Submit,
            Role::List if self.sketch.behind_doors(parent, Door::Row).next().is_none() => Door::Row,
            Role::Detail => *dice
                .pick(&[Door::Button, Door::Button, Door::Button, Door::Button, Door::Swipe, Door::LongTap])
                .expect("there are doors"),
            Role::List | Role::Settings => Door::Button,
        };
        self.append(role, parent, door, dice);
    }

    /// A screen that has room for a child; settings stand near the entrance.
    fn parent(&mut self, role: Role, dice: &mut Dice) -> ScreenId {
        let to_hub = self.open.is_empty() || role == Role::Settings || dice.below(100) < 45;
        let (list, place) = if to_hub && !self.hubs.is_empty() {
            let place = if role == Role::Settings { 0 } else { dice.index(self.hubs.len()) };
            (&mut self.hubs, place)
        } else {
            // The later of two: ways get long.
            let place = dice.index(self.open.len()).max(dice.index(self.open.len()));
            (&mut self.open, place)
        };
        let parent = list[place];
        let screen = self.sketch.screen(parent);
        let doors = screen.children.iter().filter(|&&child| self.sketch.screen(child).door != Door::Tab);
        if doors.count() + 1 >= screen.role.capacity() {
            // The order stays: late screens stand last.
            list.remove(place);
        }
        parent
    }

    fn append(&mut self, role: Role, parent: ScreenId, door: Door, dice: &mut Dice) {
        let before = self.sketch.screen(parent);
        let keeps = before.role != Role::Hub && before.role != Role::Settings && before.noun != "Home";
        let noun = if keeps { before.noun } else { dice.pick(&NOUNS).expect("there are nouns") };
        let (name, noun) = self.name(noun, role, dice);
        self.add(role, Some(parent), door, name, noun);
    }

    /// A name that no other screen has.
    fn name(&mut self, noun: &'static str, role: Role, dice: &mut Dice) -> (String, &'static str) {
        let mut noun = noun;
        for turn in 0_u32.. {
            let qualifier = match turn {
                0 => "",
                _ => dice.pick(&QUALIFIERS).expect("there are qualifiers"),
            };
            let number = if turn < 8 { String::new() } else { (turn - 6).to_string() };
            let name = format!("{qualifier}{noun}{}{number}", role.word());
            if self.taken.insert(name.clone()) {
                return (name, noun);
            }
            if turn % 2 == 1 {
                noun = dice.pick(&NOUNS).expect("there are nouns");
            }
        }
        unreachable!("numbers do not run out")
    }

    fn add(&mut self, role: Role, parent: Option<ScreenId>, door: Door, name: String, noun: &'static str) {
        let id = ScreenId(self.sketch.screens.len());
        let head = match (door, parent) {
            (Door::Tab, Some(head)) => head,
            _ => id,
        };
        self.sketch.screens.push(Screen {
            name,
            noun,
            role,
            parent,
            door,
            children: Vec::new(),
            head,
            gate: None,
            behind: None,
            menu: false,
            dialog: false,
            form: None,
            links: Vec::new(),
            switches: Vec::new(),
            extras: Vec::new(),
        });
        if let Some(parent) = parent {
            self.sketch.screens[parent.0].children.push(id);
        }
        match role {
            Role::Hub => self.hubs.push(id),
            _ => self.open.push(id),
        }
        if role != Role::Form && head == id && (id == ROOT || role != Role::Hub) {
            self.heads.push(id);
        }
    }
}
