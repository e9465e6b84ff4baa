//! Which event next: the explorers.
//!
//! An [`Explorer`] is a step machine. It is told what was seen ([`Sight`]) and says what to do next ([`Move`]);
//! it never calls a device. It may drive several devices, each a [`Lane`].
//!
//! [`Monkey`] draws events as Android's Monkey does, blindly or aware of the widgets; [`Random`] draws evenly from
//! the [`actions`] that a screen offers; [`SwiftHand`] learns a model of the app and goes where something is untried;
//! [`SystemMonkey`] is Monkey with [`SystemEvents`]. Those know one lane, and [`Separate`] gives each lane one of
//! them. Two explorers decide where another one's events go on from: [`RestartMonkey`] starts over when it is
//! stuck, [`TimeTravel`] goes back to a saved state. [`Ruled`] makes any of them keep to a user's [`Rules`].
//! [`LookWindow`] tells the driver when to look.
//!
//! Absent here: devices, clocks, threads, files, hash order, and limits. The driver of an explorer counts its
//! events and its time, paces it, and stops it. An explorer owns its dice, so one seed and the same sights give
//! the same moves, on every platform.

mod actions;
mod aim;
mod avoided;
mod corpus;
mod explorer;
mod fitness;
mod interesting;
mod monkey;
mod neighbourhood;
mod outside;
mod pattern;
mod percentages;
mod permission;
mod random;
mod restart_monkey;
mod ruled;
mod rules;
mod separate;
mod sight;
mod states;
mod strategy;
mod stuck;
mod swifthand;
mod system;
mod system_monkey;
mod texts;
mod timetravel;
mod track;
mod window;

#[cfg(test)]
mod sample;

pub use actions::{Action, Deed, actions};
pub use explorer::{Explorer, Lane, Move, SaveId};
pub use fitness::FitnessSettings;
pub use monkey::{Monkey, MonkeySettings};
pub use neighbourhood::Selection;
pub use pattern::Pattern;
pub use percentages::{Category, Percentages, PercentagesError};
pub use permission::{Answer, PERMISSION_DIALOGS};
pub use random::{Random, RandomSettings};
pub use restart_monkey::RestartMonkey;
pub use ruled::Ruled;
pub use rules::{FieldTexts, Rules};
pub use separate::Separate;
pub use sight::{Reply, Sight};
pub use strategy::{StrategyKind, StrategySettings, Uses};
pub use stuck::StuckSettings;
pub use swifthand::{SwiftHand, SwiftHandSettings};
pub use system::{BROADCASTS, Components, SystemEvents, SystemKind, SystemSettings};
pub use system_monkey::{SystemMonkey, SystemMonkeySettings};
pub use timetravel::{TimeTravel, TimeTravelSettings};
pub use window::{LookWindow, WindowSettings};

/// All strategies. A new one is a file with a [`StrategyKind`], its `mod` above, and a line here.
pub const STRATEGIES: &[StrategyKind] = &[
    monkey::STRATEGY,
    monkey::AWARE,
    random::STRATEGY,
    swifthand::STRATEGY,
    system_monkey::STRATEGY,
    restart_monkey::STRATEGY,
    timetravel::STRATEGY,
];
