//! `df`: how much space there is.

use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let (used, all) = process.phone().with(|state| state.world.files.space());
    let (used, all) = (used / 1024, all / 1024);
    let percent = (used * 100).checked_div(all).unwrap_or(0);
    process.done(format!(
        "Filesystem     1K-blocks    Used Available Use% Mounted on\n/dev/block/dm-5  {all:>10} {used:>7} {:>9} \
         {percent:>3}% /data\n/dev/fuse        {all:>10} {used:>7} {:>9} {percent:>3}% /storage/emulated\n",
        all - used,
        all - used
    ))
}
