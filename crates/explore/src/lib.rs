//! Which event next: the explorers.
//!
//! An [`Explorer`] is a step machine. It is told what was seen ([`Sight`]) and says what to do next ([`Move`]);
//! it never calls a device. [`Monkey`] draws events as Android's Monkey does, blindly or aware of the widgets;
//! [`Random`] draws evenly from the [`actions`] that a screen offers.
//!
//! Absent here: devices, clocks, threads, files, hash order, and limits. Whoever drives an explorer counts its
//! events and its time, paces it, and stops it. An explorer owns its dice, so one seed and the same sights give
//! the same moves, on every platform.

mod actions;
mod aim;
mod explorer;
mod monkey;
mod outside;
mod percentages;
mod random;
mod sight;
mod texts;

#[cfg(test)]
mod sample;

pub use actions::{Action, Deed, actions};
pub use explorer::{Explorer, Move, SaveId};
pub use monkey::{Monkey, MonkeySettings};
pub use percentages::{Category, Percentages, PercentagesError};
pub use random::{Random, RandomSettings};
pub use sight::{Reply, Sight};
