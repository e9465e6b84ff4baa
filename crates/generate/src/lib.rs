//! The generator of plausible apps: random, but shaped like real ones, with bugs whose shortest reproductions are
//! known.
//!
//! A recipe says how large the app is and what it is made of; a seed settles the rest. What comes out is a text in
//! the language of apps, so it can be read, kept and changed. The shapes to imitate are those of the published
//! tables: tens to hundreds of screens, hundreds to tens of thousands of branches of which a few handlers hold
//! most, forms that are dead ends, screens that lead round, hubs.
//!
//! | file | what |
//! |---|---|
//! | `recipe`, `share` | what is asked for |
//! | `words` | what apps are written with |
//! | `sketch`, `tree`, `furnish` | screens and the ways between them |
//! | `map`, `route` | every spot of the app, and shortest ways with their proof |
//! | `bug`, `place`, `moves` | bugs, where they stand, and how a user gets to them |
//! | `code`, `cover`, `steps`, `window`, `source` | the text |
//! | `rehearse` | where on the display the widgets of a reproduction stand |
//! | `spec` | devices whose apps may be generated ones |
//!
//! Each part draws from dice of its own: another number of bugs does not change the screens, and another number of
//! branches changes nothing but the coverage.

mod bug;
mod code;
mod cover;
mod furnish;
mod map;
mod moves;
mod place;
mod recipe;
mod rehearse;
mod route;
mod share;
mod sketch;
mod source;
mod spec;
mod steps;
mod tree;
mod window;
mod words;

#[cfg(test)]
mod tests;

use retap_trace::Seed;

pub use bug::KnownBug;
pub use recipe::{Recipe, RecipeError};
pub use share::Share;
pub use spec::{load, open};

use map::Map;
use sketch::Sketch;

use retap_sim::app::App;
use retap_sim::language;

/// A generated app.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// Its text, as a file would hold it.
    pub text: String,
    /// The app that the text describes.
    pub app: App,
    /// Its bugs, from the shallowest to the deepest.
    pub known: Vec<KnownBug>,
}

/// Makes the app of a recipe. The same recipe makes the same app, everywhere and always.
pub fn generate(recipe: &Recipe) -> Result<Generated, RecipeError> {
    recipe.check()?;
    let dice = |part: &str| Seed(recipe.seed).branch(part, 0).dice();
    let (sketch, map) = outline(recipe);
    let bugs = place::place(&sketch, &map, recipe, &mut dice("bugs"));
    let mut source = source::write(recipe, &sketch, &map, &bugs, dice("source"));
    cover::spread(&mut source.handlers(), recipe.branches, &mut dice("cover"));
    let text = source.write();

    let name = format!("gen{}.app", recipe.seed);
    let app = language::parse(&name, &text, &|_| Err("generated apps include nothing".to_owned()))
        .unwrap_or_else(|error| unreachable!("a generated app is written in the language: {error}"));
    let program = rehearse::program(app.clone());
    let package = source::package(recipe);
    let known = bugs.iter().map(|bug| bug.known(&sketch, &package, rehearse::rehearse(&program, &bug.moves)));
    Ok(Generated { known: known.collect(), text, app })
}

/// The screens of a recipe, and the map of them.
fn outline(recipe: &Recipe) -> (Sketch, Map) {
    let dice = |part: &str| Seed(recipe.seed).branch(part, 0).dice();
    let mut sketch = tree::grow(recipe, &mut dice("tree"));
    furnish::furnish(&mut sketch, recipe, &mut dice("furnish"));
    let map = Map::of(&sketch);
    (sketch, map)
}
