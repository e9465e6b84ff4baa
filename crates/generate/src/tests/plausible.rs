//! Generated apps are shaped like real ones, as far as their recipes ask for it.

use std::collections::BTreeSet;

use retap_trace::{Flag, Key, Point};

use super::*;
use crate::map::SpotId;
use crate::route::{Depths, NOWHERE, Walk};
use crate::sketch::{LinkKind, Role, ScreenId};
use retap_sim::app::{Effect, Gesture, WidgetKind, WindowKind};

const SEEDS: u64 = 30;

/// Does what leads to a spot, on a fresh phone; `None` for spots behind a switch.
fn drive_to(program: &Arc<Program>, map: &Map, depths: &Depths, spot: SpotId) -> Option<Machine> {
    if depths.real[spot.0] == NOWHERE {
        return None;
    }
    let mut walk = Walk::start(map);
    for edge in depths.path(map, spot) {
        walk.take(map, edge);
    }
    let mut dice = Seed(0).dice();
    let mut machine = Machine::new(program.clone(), &mut dice);
    let mut act = |machine: &mut Machine, event: &Event| {
        machine.perform(event, &mut dice);
        machine.settle(PATIENCE, &mut dice);
    };
    act(&mut machine, &Event::Launch);
    for step in walk.moves {
        // A keyboard that came up by itself hides the lower part of a form.
        if machine.keyboard() {
            act(&mut machine, &Event::key(Key::BACK));
        }
        act(&mut machine, &step.event(&program.app().package, Point::new(540, 960)));
    }
    Some(machine)
}

fn sees(machine: &Machine, id: &str) -> Option<bool> {
    let tree = machine.tree();
    let node = tree.nodes().iter().find(|node| node.id.rsplit('/').next() == Some(id));
    node.map(|node| node.flags.has(Flag::Enabled))
}

#[test]
fn the_map_is_true() {
    for text in [RECIPES[0], RECIPES[4]] {
        let recipe = Recipe { nondet: Share::NONE, ..seeded(text, 5) };
        let (sketch, map) = outline(&recipe);
        let (program, depths) = (program(&made(&recipe).app), Depths::of(&map));
        let mut reached = 0;
        for number in 0..map.spots.len() {
            let screen = map.spots[number].screen;
            if let Some(machine) = drive_to(&program, &map, &depths, SpotId(number)) {
                let spot = &map.spots[number];
                let shown = [map.menus[screen.0], map.dialogs[screen.0]].map(|at| at == Some(SpotId(number)));
                let expected = match shown {
                    [true, _] => sketch.id(screen, "version"),
                    [_, true] => sketch.id(screen, "question"),
                    _ => sketch.id(screen, "head"),
                };
                let scrolled = !spot.overlay && map.base(screen) != SpotId(number);
                let there = sees(&machine, &expected).is_some() || scrolled;
                assert!(there, "{recipe}: {expected} is not there");
                reached += 1;
            }
        }
        assert!(reached * 4 > map.spots.len() * 3, "{recipe}: only {reached} of {}", map.spots.len());
    }
}

#[test]
fn dead_ends_let_nobody_through_at_once() {
    let mut seen = 0;
    for seed in 0..SEEDS {
        let recipe = seeded("screens=40&deadends=0.2", seed);
        let (sketch, map) = outline(&recipe);
        let forms: Vec<ScreenId> = sketch.ids().filter(|&id| sketch.screen(id).role == Role::Form).collect();
        assert_eq!(forms.len(), 8, "{recipe}");
        let (program, depths) = (program(&made(&recipe).app), Depths::of(&map));
        for id in forms.into_iter().take(2) {
            if let Some(machine) = drive_to(&program, &map, &depths, map.base(id)) {
                let open = sees(&machine, &sketch.id(id, "done"));
                assert_ne!(open, Some(true), "{recipe}: {} is no dead end", sketch.screen(id).name);
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn loops_lead_round() {
    for seed in 0..SEEDS {
        let recipe = seeded("screens=50&loops=0.3", seed);
        let (sketch, _) = outline(&recipe);
        let next = |id: ScreenId| {
            let mut links = sketch.screen(id).links.iter().filter(|link| link.kind != LinkKind::Also);
            links.next().map(|link| link.to)
        };
        let round: Vec<ScreenId> = sketch.ids().filter(|&id| next(id).is_some()).collect();
        assert_eq!(round.len(), 15, "{recipe}");
        for id in round {
            let mut way = std::iter::successors(next(id), |&here| next(here)).take(4);
            assert!(way.any(|here| here == id), "{recipe}: {} leads away", sketch.screen(id).name);
        }
    }
    assert!(outline(&recipe("loops=0&links=0")).0.screens.iter().all(|screen| screen.links.is_empty()));
}

#[test]
fn a_few_hubs_have_many_ways_and_most_screens_few() {
    for seed in 0..SEEDS {
        let recipe = seeded("screens=80&tabs=0", seed);
        let (sketch, map) = outline(&recipe);
        let mut degrees: Vec<usize> = sketch.screens.iter().map(|screen| screen.children.len()).collect();
        degrees.sort_unstable();
        assert!(degrees[40] <= 1 && degrees[79] >= 7, "{recipe}: {degrees:?}");
        assert!(
            sketch.screens.iter().all(|screen| screen.children.len() <= screen.role.capacity()),
            "{recipe}"
        );
        let depths = Depths::of(&map);
        let deepest = map.bases.iter().map(|spot| depths.least[spot.0]).max();
        assert!((5..40).contains(&deepest.unwrap()), "{recipe}: {deepest:?}");
    }
}

#[test]
fn screens_have_what_they_are_asked_to_have() {
    for seed in 0..SEEDS {
        let recipe =
            seeded("screens=60&lists=0.25&dialogs=0.2&menus=0.1&gates=0.05&tabs=0.1&bugs=0&idle=0.2", seed);
        let app = made(&recipe).app;
        let windows =
            |fits: fn(&WindowKind) -> bool| app.windows.iter().filter(|window| fits(&window.kind)).count();
        assert_eq!(windows(|kind| matches!(kind, WindowKind::Dialog { .. })), 12, "{recipe}");
        assert_eq!(windows(|kind| *kind == WindowKind::Menu), 6, "{recipe}");
        assert_eq!(app.activities.len(), 54, "{recipe}");
        let widgets: Vec<_> = app.windows.iter().flat_map(|window| &window.widgets).collect();
        let lists = widgets.iter().filter(|widget| matches!(widget.kind, WidgetKind::List(_))).count();
        assert_eq!(lists, 15, "{recipe}");
        let switches = app.vars.iter().filter(|var| var.name.ends_with("_mode")).count();
        assert!((1..=3).contains(&switches), "{recipe}: {switches}");
        let buttons =
            widgets.iter().filter(|widget| widget.kind == WidgetKind::Button && widget.id.contains("id"));
        let (idle, all) = buttons.fold((0, 0), |(idle, all), button| {
            (idle + usize::from(button.handler(Gesture::Tap).is_none()), all + 1)
        });
        assert!((10..25).contains(&(100 * idle / all)), "{recipe}: {idle} of {all} buttons do nothing");
    }
}

#[test]
fn a_tenth_of_the_code_is_most_of_it() {
    for seed in 0..SEEDS {
        let recipe = seeded("screens=80&branches=20000", seed);
        let app = made(&recipe).app;
        let size = |effect: &Effect| if let Effect::Cover(from, to) = effect { to - from } else { 0 };
        let mut sizes: Vec<u32> = app.blocks.iter().map(|block| block.iter().map(size).sum()).collect();
        sizes.sort_unstable();
        let top: u32 = sizes.iter().rev().take(sizes.len() / 10).sum();
        assert!((8_000..18_000).contains(&top), "{recipe}: {top} of 20000 in a tenth of the blocks");
    }
}

#[test]
fn the_share_of_transitions_that_vary_is_as_asked_for() {
    for seed in 0..SEEDS {
        let recipe = seeded("screens=80&nondet=0.05&bugs=3", seed);
        let (_, map) = outline(&recipe);
        let ways = map.edges.iter().filter(|edge| edge.rest.is_some()).count();
        let app = made(&recipe).app;
        let chances = app.blocks.iter().flat_map(|block| block.iter());
        let chances = chances.filter(|effect| matches!(effect, Effect::Chance(..))).count();
        assert_eq!(chances, recipe.nondet.of(ways), "{recipe}");
    }
}

#[test]
fn apps_of_different_seeds_are_different() {
    let texts: BTreeSet<String> =
        (0..SEEDS).map(|seed| made(&seeded("screens=5&bugs=1&depth=2", seed)).text).collect();
    assert_eq!(texts.len(), 30);
}
