//! Furnishes the screens of a sketch: menus, dialogs, forms, switches that open ways, links and other buttons.

use retap_trace::Dice;

use super::recipe::{ONE_BEHIND_IN, Recipe};
use super::sketch::{Door, Extra, Form, Link, LinkKind, Need, ROOT, Role, ScreenId, Sketch, ToggleId};
use super::words::{BOXES, FIELDS, IDLE, MODES};

/// Small buttons that a screen has room for.
pub(super) const MOST_SMALL: usize = 6;
/// Switches that a screen has room for.
const MOST_SWITCHES: usize = 3;
/// Doors that a menu has room for.
const MOST_MENU_DOORS: usize = 2;
/// Screens of a round at most.
const LONGEST_ROUND: usize = 4;
/// Heights, as the simulated phone lays widgets out: a field with its label, a check box, and what a form has
/// room for above the lower edge of the display, with its head taken off and a good part of a widget to spare.
const FIELD: usize = 256;
const BOX: usize = 140;
const IN_SIGHT: usize = 1_660;

pub(super) fn furnish(sketch: &mut Sketch, recipe: &Recipe, dice: &mut Dice) {
    forms(sketch, dice);
    overlays(sketch, recipe, dice);
    gates(sketch, recipe, dice);
    rounds(sketch, recipe, dice);
    also(sketch, recipe, dice);
    extras(sketch, dice);
    idle(sketch, recipe, dice);
}

/// Every form is shut, out of sight, or both.
fn forms(sketch: &mut Sketch, dice: &mut Dice) {
    for id in of_role(sketch, |role| role == Role::Form) {
        let kind = dice.below(3);
        let (shut, out_of_sight) = (kind != 0, kind != 1);
        let mut needs = Vec::new();
        if shut {
            needs.push(Need::Field(dice.pick(&FIELDS[..10]).expect("there are fields")));
            match dice.below(3) {
                0 => needs.push(Need::Box(dice.pick(&BOXES).expect("there are boxes"))),
                1 => needs.push(Need::Field(dice.pick(&FIELDS[10..]).expect("there are fields"))),
                _ => {}
            }
        }
        let used: usize =
            needs.iter().map(|need| if matches!(need, Need::Field(_)) { FIELD } else { BOX }).sum();
        let fillers = if out_of_sight { (IN_SIGHT - used).div_ceil(FIELD) } else { dice.index(2) + 1 };
        sketch.screens[id.0].form = Some(Form { needs, out_of_sight, fillers });
    }
}

/// Menus and dialogs, and doors in them.
fn overlays(sketch: &mut Sketch, recipe: &Recipe, dice: &mut Dice) {
    let screens = sketch.screens.len();
    // The menu key opens the first menu of an activity on any of its tabs, so activities with tabs have none.
    let mut alone = of_role(sketch, |role| role != Role::Form);
    alone.retain(|&id| sketch.tabs(sketch.screen(id).head).len() == 1);
    dice.shuffle(&mut alone);
    for &id in alone.iter().take(recipe.menus.of(screens)) {
        sketch.screens[id.0].menu = true;
        let movable: Vec<ScreenId> = movable(sketch, id);
        let count = dice.index(MOST_MENU_DOORS + 1);
        for &child in movable.iter().rev().take(count) {
            sketch.screens[child.0].door = Door::Menu;
        }
    }
    let mut any = of_role(sketch, |role| role != Role::Form);
    dice.shuffle(&mut any);
    for &id in any.iter().take(recipe.dialogs.of(screens)) {
        sketch.screens[id.0].dialog = true;
        if let (Some(&child), 0) = (movable(sketch, id).first(), dice.below(3)) {
            sketch.screens[child.0].door = Door::Dialog;
        }
    }
}

/// Children whose doors may be put elsewhere.
fn movable(sketch: &Sketch, id: ScreenId) -> Vec<ScreenId> {
    let doors = |child: &&ScreenId| matches!(sketch.screen(**child).door, Door::Button | Door::Tile);
    sketch.screen(id).children.iter().filter(doors).copied().collect()
}

/// Shuts doors, and puts up the switches that open them. There is no switch behind a switch.
fn gates(sketch: &mut Sketch, recipe: &Recipe, dice: &mut Dice) {
    let places = of_role(sketch, |role| role == Role::Settings);
    let mut wanted = recipe.gates.of(sketch.screens.len() - 1);
    let mut room = sketch.screens.len() / ONE_BEHIND_IN;
    let mut doors: Vec<ScreenId> = sketch.ids().skip(1).collect();
    dice.shuffle(&mut doors);
    for child in doors {
        if wanted == 0 || places.is_empty() {
            break;
        }
        let region = below(sketch, child);
        let plain = matches!(sketch.screen(child).door, Door::Button | Door::Tile);
        let free =
            |id: &ScreenId| sketch.screen(*id).behind.is_none() && sketch.screen(*id).role != Role::Settings;
        if !plain || region.len() > room || !region.iter().all(free) {
            continue;
        }
        let toggle = toggle(sketch, &places, dice);
        sketch.screens[child.0].gate = Some(toggle);
        for id in &region {
            sketch.screens[id.0].behind = Some(toggle);
        }
        room -= region.len();
        wanted -= 1;
    }
}

/// A new switch, or an old one when there is no room for more.
fn toggle(sketch: &mut Sketch, places: &[ScreenId], dice: &mut Dice) -> ToggleId {
    let place = places[dice.index(places.len())];
    let there = &sketch.screens[place.0].switches;
    if there.len() == MOST_SWITCHES {
        return there[dice.index(there.len())];
    }
    let number = sketch.toggles.len();
    let word = MODES[number % MODES.len()];
    let name =
        if number < MODES.len() { word.to_owned() } else { format!("{word}{}", number / MODES.len() + 1) };
    sketch.toggles.push(name);
    sketch.screens[place.0].switches.push(ToggleId(number));
    ToggleId(number)
}

/// A screen and all below it.
fn below(sketch: &Sketch, top: ScreenId) -> Vec<ScreenId> {
    let mut all = vec![top];
    let mut next = 0;
    while let Some(&id) = all.get(next) {
        all.extend(&sketch.screen(id).children);
        next += 1;
    }
    all
}

/// Ways that lead round: through siblings, or to the same screen again.
fn rounds(sketch: &mut Sketch, recipe: &Recipe, dice: &mut Dice) {
    let mut wanted = recipe.loops.of(sketch.screens.len());
    let mut parents: Vec<ScreenId> = sketch.ids().collect();
    dice.shuffle(&mut parents);
    // Two of three in rounds of several screens.
    let mut in_rounds = wanted - wanted / 3;
    for parent in parents {
        let siblings: Vec<ScreenId> = sketch
            .screen(parent)
            .children
            .iter()
            .copied()
            .filter(|&child| can_link(sketch, child) && sketch.screen(child).gate.is_none())
            .collect();
        let length = siblings.len().min(LONGEST_ROUND).min(in_rounds);
        if length < 2 {
            continue;
        }
        for place in 0..length {
            let link = Link { kind: LinkKind::Next, to: siblings[(place + 1) % length] };
            sketch.screens[siblings[place].0].links.push(link);
        }
        in_rounds -= length;
        wanted -= length;
    }
    let mut alone: Vec<ScreenId> = sketch.ids().skip(1).filter(|&id| can_link(sketch, id)).collect();
    dice.shuffle(&mut alone);
    for &id in alone.iter().take(wanted) {
        sketch.screens[id.0].links.push(Link { kind: LinkKind::Again, to: id });
    }
}

/// Whether a screen can be part of a round and is of none yet.
fn can_link(sketch: &Sketch, id: ScreenId) -> bool {
    let screen = sketch.screen(id);
    let leads_on = matches!(screen.role, Role::Hub | Role::List | Role::Detail);
    sketch.is_head(id) && leads_on && screen.links.is_empty()
}

/// Links to anywhere on the same side of all switches.
fn also(sketch: &mut Sketch, recipe: &Recipe, dice: &mut Dice) {
    let mut from = of_role(sketch, |role| role != Role::Form);
    dice.shuffle(&mut from);
    let heads: Vec<ScreenId> = sketch.ids().filter(|&id| id != ROOT && sketch.is_head(id)).collect();
    for &id in from.iter().take(recipe.links.of(sketch.screens.len())) {
        let Some(&to) = dice.pick(&heads) else { continue };
        let same_side = sketch.screen(id).behind == sketch.screen(to).behind;
        if same_side && sketch.screen(id).head != to && sketch.screen(to).parent != Some(id) {
            sketch.screens[id.0].links.push(Link { kind: LinkKind::Also, to });
        }
    }
}

/// Buttons that screens of their kind have.
fn extras(sketch: &mut Sketch, dice: &mut Dice) {
    for id in of_role(sketch, |role| role != Role::Form) {
        let mut extras = Vec::new();
        if sketch.screen(id).role == Role::List && dice.below(3) > 0 {
            extras.push(Extra::Add);
        }
        match dice.below(12) {
            0 => extras.push(Extra::Share),
            1 => extras.push(Extra::Browse),
            2 => extras.push(Extra::Camera),
            3 | 4 => extras.push(Extra::Refresh),
            _ => {}
        }
        sketch.screens[id.0].extras = extras;
    }
}

/// Buttons without effect, up to their share of all buttons.
fn idle(sketch: &mut Sketch, recipe: &Recipe, dice: &mut Dice) {
    let mut room: Vec<ScreenId> = Vec::new();
    let mut buttons = sketch.screens.len() - 1;
    for id in of_role(sketch, |role| role != Role::Form) {
        let small = small_buttons(sketch, id);
        buttons += small;
        room.extend(std::iter::repeat_n(id, MOST_SMALL.saturating_sub(small)));
    }
    dice.shuffle(&mut room);
    let wanted = recipe.idle.beside(buttons);
    for &id in room.iter().take(wanted) {
        let there = &sketch.screens[id.0].extras;
        let first = dice.index(IDLE.len());
        let mut words = (0..IDLE.len()).map(|turn| IDLE[(first + turn) % IDLE.len()]);
        let fresh = words.find(|word| !there.contains(&Extra::Idle(word)));
        sketch.screens[id.0].extras.extend(fresh.map(Extra::Idle));
    }
}

/// Small buttons that a screen has, further tabs not counted.
fn small_buttons(sketch: &Sketch, id: ScreenId) -> usize {
    let screen = sketch.screen(id);
    usize::from(screen.menu) + usize::from(screen.dialog) + screen.links.len() + screen.extras.len()
}

fn of_role(sketch: &Sketch, fits: impl Fn(Role) -> bool) -> Vec<ScreenId> {
    sketch.ids().filter(|&id| fits(sketch.screen(id).role)).collect()
}
