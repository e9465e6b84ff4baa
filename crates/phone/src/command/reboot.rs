//! `reboot`.

use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    crate::service::restart(process.phone());
    process.phone().lines().drop_all();
    Ok(0)
}
