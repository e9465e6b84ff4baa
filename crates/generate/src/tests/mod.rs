//! What is known of generated apps, checked on the simulated phone.

mod bugs;
mod golden;
mod numbers;
mod plausible;
mod recipes;
mod shortest;

use std::sync::Arc;

use retap_trace::{Event, Micros, Seed, Signature};

use super::*;
use retap_sim::machine::{Machine, Program, Settings};

const PATIENCE: Micros = Micros::from_secs(10);

/// Recipes of many kinds, without their seeds.
const RECIPES: [&str; 5] = [
    "screens=80&branches=2000&bugs=6&depth=5",
    "screens=12&branches=300&bugs=3&depth=3&system=0.3&rotation=0.3",
    "screens=30&branches=5000&bugs=8&depth=6&system=0.3&rotation=0.4&flaky=0.3&rate=0.5&nondet=0.1",
    "screens=1&branches=7&bugs=2&depth=2",
    "screens=60&branches=100&bugs=12&depth=4&hubs=0.2&deadends=0.3&loops=0.5&lists=0.3&tabs=0.3&dialogs=0.5&\
     menus=0.6&gates=0.3&links=0.8&idle=0.5&system=0.2&rotation=0.2&nondet=0.02",
];

/// Reads `seed=1&screens=80`.
fn read(text: &str) -> Result<Recipe, RecipeError> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    let pairs = parts.map(|part| part.split_once('=').unwrap_or((part, "")));
    Recipe::parse(&pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>())
}

fn recipe(text: &str) -> Recipe {
    read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn seeded(text: &str, seed: u64) -> Recipe {
    Recipe { seed, ..recipe(text) }
}

fn made(recipe: &Recipe) -> Generated {
    generate(recipe).unwrap_or_else(|error| panic!("{recipe}: {error}"))
}

fn program(app: &App) -> Arc<Program> {
    Arc::new(Program::new(Arc::new(app.clone()), &Settings::default()))
}

/// The crashes of one run from a fresh installation.
fn crashes<'e>(
    program: &Arc<Program>,
    events: impl IntoIterator<Item = &'e Event>,
    seed: u64,
) -> Vec<Signature> {
    let mut dice = Seed(seed).dice();
    let mut machine = Machine::new(program.clone(), &mut dice);
    for event in std::iter::once(&Event::Launch).chain(events) {
        machine.perform(event, &mut dice);
        machine.settle(PATIENCE, &mut dice);
    }
    machine.take_crashes().into_iter().map(|crash| crash.signature).collect()
}
