//! The default reducer: group testing with beliefs, one run a question, and an honest claim.
//!
//! 1. **Guesses** (`paths`): where states were recorded, the shortest ways to the last event.
//! 2. **Descent** (`descent`): one run a question, a hit is believed and so is a miss.
//! 3. **Pass** (`pass`): single events of the short list, judged more strictly (`test`).
//!    Ways there and back, and blocks of a text, are tried as a whole (`together`): neither half can go alone.
//! 4. **Batch**: fresh runs of the short list. When they miss too often, **repair** (`repair`) puts events back,
//!    and the pass goes on from there. Where nothing raises the rate, the list is shortened at the rate it has.
//! 5. **Claim**: fresh runs that helped to choose nothing, reported whatever they say.
//!
//! Strictness on the way costs runs and gains nothing, because only the short list at the end counts.

mod ahead;
mod belief;
mod descent;
mod pass;
mod paths;
mod procedure;
mod repair;
mod stage;
mod test;
mod together;

pub use ahead::Ahead;
pub use belief::{DensityBelief, Mass};
pub use descent::{Descent, DescentStart};
pub use pass::Pass;
pub use paths::StatePaths;
pub(crate) use procedure::HOPELESS;
pub use procedure::{Auto, AutoSettings};
pub use repair::{Known, Repair, RepairStep};
pub use stage::WantedRun;
pub use test::{Reference, Test, evidence, mean};
