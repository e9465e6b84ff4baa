//! `dumpsys meminfo`: how much memory an app takes. A simulated one takes none, so the figures are those of a small
//! app, and always the same.

use crate::command::options::Options;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &Process<'_>, args: Options) -> Outcome {
    let name = args.rest().into_iter().find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let app = process.phone().with(|state| (state.package(), state.machine().process(), state.uptime()));
    let uptime = app.2.as_millis();
    match app.1.filter(|number| name == app.0 || name == number.to_string()) {
        Some(number) => {
            process.put(format!(
                "Applications Memory Usage (in Kilobytes):\nUptime: {uptime} Realtime: {uptime}\n\n** MEMINFO in pid \
                 {number} [{}] **\n                   Pss  Private  Private  SwapPss      Rss     Heap     Heap     \
                 Heap\n                 Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free\n            \
                 \x20   ------   ------   ------   ------   ------   ------   ------   ------\n        TOTAL    41234    \
                 30120     4096        0    98304    24576    18432     6144\n",
                app.0
            ))?;
            Ok(0)
        }
        None if name.is_empty() => Ok(0),
        None => {
            process.say(format!("No process found for: {name}"))?;
            Ok(0)
        }
    }
}
