//! Generated apps have what was asked for, exactly.

use std::collections::BTreeSet;

use super::*;
use retap_sim::app::WindowKind;

/// An app has what its recipe asks for.
pub(super) fn check(recipe: &Recipe, made: &Generated) {
    let app = &made.app;
    let screens = app.windows.iter().filter(|window| window.kind == WindowKind::Screen).count();
    assert_eq!(screens, recipe.screens as usize, "{recipe}");
    assert_eq!(app.coverage.len(), recipe.branches as usize, "{recipe}");
    assert_eq!(made.known.len(), recipe.bugs as usize, "{recipe}");
    assert_eq!(app.sites.len(), recipe.bugs as usize, "{recipe}");
    let signatures: BTreeSet<_> = made.known.iter().map(|bug| &bug.signature).collect();
    assert_eq!(signatures.len(), made.known.len(), "{recipe}: two bugs look alike");

    let ids = app.windows.iter().flat_map(|window| &window.widgets).map(|widget| &widget.id);
    let ids: Vec<_> = ids.filter(|id| !id.is_empty()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{recipe}: two widgets share an id");
}

#[test]
fn the_edges_of_the_ranges() {
    for text in [
        "screens=1&branches=0&bugs=0",
        "screens=1&branches=200000&bugs=0",
        "screens=2&branches=1&bugs=1&depth=1&tabs=1",
        "screens=9&bugs=0&deadends=1&lists=0&hubs=0",
        "screens=9&bugs=0&lists=1&deadends=0&hubs=0&loops=1&dialogs=1&menus=1&tabs=1&gates=1&links=1&idle=1",
        "screens=400&bugs=20&depth=9&system=0.5&rotation=0.5&flaky=1&rate=1&nondet=1",
        "screens=2000&branches=200000&bugs=100&depth=5&system=0.1&rotation=0.1",
        "screens=2000&branches=0&bugs=0&lists=1&deadends=0&hubs=0&loops=1&dialogs=1&menus=1&tabs=0&links=1&idle=1",
    ] {
        let recipe = recipe(text);
        check(&recipe, &made(&recipe));
    }
}

#[test]
fn depths_grow_up_to_the_one_asked_for() {
    for seed in 0..50 {
        let recipe = seeded("screens=60&bugs=7&depth=7", seed);
        let depths: Vec<u32> = made(&recipe).known.iter().map(|bug| bug.depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7], "{recipe}");
    }
}

#[test]
fn bugs_do_not_change_the_screens_nor_branches_the_bugs() {
    for seed in 0..20 {
        let plain = made(&seeded("screens=30&bugs=0", seed));
        let buggy = made(&seeded("screens=30&bugs=5", seed));
        let names = |made: &Generated| -> Vec<_> {
            made.app.windows.iter().map(|window| window.name.clone()).collect()
        };
        assert_eq!(names(&plain), names(&buggy), "seed {seed}");
        let more = made(&seeded("screens=30&bugs=5&branches=9000", seed));
        assert_eq!(buggy.known, more.known, "seed {seed}");
    }
}
