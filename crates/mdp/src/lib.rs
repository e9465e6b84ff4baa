//! The optimal schedule of ND3MIN (section 4.3), and what it is measured against.
//!
//! Several candidates, several devices, and a rule such as "18 of 20 runs": which candidate should the next step
//! run how often, so that one is confirmed, or all are refuted, in as few steps as possible? [`solve()`] answers that
//! exactly for every state of a small [`Setting`] under a [`Prior`] over success rates; the answer is a [`Policy`].
//! [`evaluate`] says exactly what any schedule costs; to it, a schedule is a function from tallies to runs.
//!
//! Tallies are pairs `(successes, failures)`.
//!
//! Absent: clock, file, device, randomness. Threads exist only inside [`solve()`], which waits for them: its result
//! does not depend on them. A policy reads and writes itself through the traits of `std::io`.

mod confidence;
pub mod evaluate;
mod layout;
mod levels;
mod policy;
mod prior;
mod ranks;
mod setting;
mod solve;
mod splits;

pub use confidence::{RELIABLE, minimality, reliability, truncated};
pub use policy::{POLICY_VERSION, Policy, PolicyError};
pub use prior::{Prior, PriorError};
pub use setting::{Setting, SettingError};
pub use solve::{SolveError, solve};
