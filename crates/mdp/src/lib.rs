//! wip
mod confidence;
pub mod evaluate;
mod layout;
mod levels;
mod policy;
mod prior;
mod ranks;
pub mod schedules;
mod setting;
mod solve;
mod splits;
mod table;
pub use confidence::*;
pub use policy::Policy;
pub use prior::{Prior, PriorError};
pub use setting::{Setting, SettingError};
pub use solve::{SolveError, solve};
