//! `kill` and `reboot`.

use super::options::flags;
use crate::shell::{Outcome, Process};

/// Ends a process of the shell's user; others it must not touch.
pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (_, numbers) = flags(process.args());
    let mut status = 0;
    for number in &numbers {
        let ended = process.phone().with(|state| match number.parse::<u32>() {
            Ok(number @ 7100..=7199) => {
                let port = state.world.automators.iter().nth((number - 7100) as usize).copied();
                port.is_some_and(|port| state.world.automators.remove(&port))
            }
            _ => false,
        });
        if !ended {
            status = 1;
            process.streams.err.line(format!("/system/bin/sh: kill: {number}: Operation not permitted"))?;
        }
    }
    Ok(status)
}

pub(super) fn reboot(process: &mut Process<'_>) -> Outcome {
    crate::service::restart(process.phone());
    process.phone().lines().drop_all();
    Ok(0)
}
