//! The apps that are explored: in pairs of the same size and seed, one with dead ends and loops and one without.

use std::collections::BTreeMap;
use std::sync::Arc;

use retap_generate::{KnownBug, Recipe, Share, generate};
use retap_sim::machine::Program;
use retap_sim::{Profile, SimDevice, SimSpec};
use retap_trace::Signature;

/// An app that is explored.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) recipe: Recipe,
    /// Whether it has dead ends and loops.
    pub(super) traps: bool,
    spec: SimSpec,
    program: Arc<Program>,
    /// Its bugs by what their crashes are recognised by.
    pub(super) known: BTreeMap<Signature, KnownBug>,
}

/// What all apps have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Dead ends, and screens that lead round, in apps that have any.
    pub(super) traps: Share,
    /// Screens with a link to any other one.
    pub(super) links: Share,
    /// How many actions the deepest bug takes.
    pub(super) depth: u32,
    /// What things cost on the device.
    pub(super) profile: Profile,
}

/// Bugs of each app. One of them needs a system event, one a rotation, and one crashes only every other time.
const BUGS: u32 = 8;
/// Screens of the smallest app, and how many more each further pair has. 17 pairs have 88 on average.
const SCREENS: (u32, u32) = (24, 8);
/// Pieces of code for each screen.
const BRANCHES: u32 = 25;

impl Subject {
    /// The app of this number. Those with an even number have dead ends and loops, the others are the same without.
    pub(super) fn generate(number: u32, seed: u64, shape: Shape) -> anyhow::Result<Self> {
        let (pair, trapped) = (number / 2, number.is_multiple_of(2));
        let screens = SCREENS.0 + SCREENS.1 * pair;
        let share = if trapped { shape.traps } else { Share::NONE };
        let one = Share::percent(100 / BUGS);
        let recipe = Recipe {
            seed: seed * 1000 + u64::from(pair),
            screens,
            branches: BRANCHES * screens,
            bugs: BUGS,
            depth: shape.depth,
            links: shape.links,
            deadends: share,
            loops: share,
            system: one,
            rotation: one,
            flaky: one,
            ..Recipe::default()
        };
        let generated = generate(&recipe)?;
        let spec: SimSpec = format!("sim:gen?{recipe}&profile={}", shape.profile).parse()?;
        let program = Arc::new(spec.program(Arc::new(generated.app))?);
        let known = generated.known.into_iter().map(|bug| (bug.signature.clone(), bug)).collect();
        Ok(Self { recipe, traps: trapped, spec, program, known })
    }

    /// A device with the app on it.
    pub(super) fn device(&self) -> SimDevice {
        SimDevice::running(&self.spec, self.program.clone())
    }

    /// How many pieces of code it has.
    pub(super) fn pieces(&self) -> usize {
        self.program.app().coverage.len()
    }

    /// What it is called in tables.
    pub(super) fn name(&self) -> String {
        format!("gen{}{}", self.recipe.seed, if self.traps { "-traps" } else { "" })
    }
}
