//! `getprop` and `setprop`.

use crate::shell::{CommandOutcome, Process};

pub(super) fn getprop(process: &mut Process<'_>) -> CommandOutcome {
    let args: Vec<&str> =
        process.args().iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).collect();
    let text = process.phone().with(|state| match args[..] {
        [] => state.world.props.all().map(|(name, value)| format!("[{name}]: [{value}]\n")).collect(),
        [name, ..] => {
            let other = args.get(1).copied().unwrap_or_default();
            format!("{}\n", state.world.props.get(name).unwrap_or(other))
        }
    });
    process.done(text)
}

pub(super) fn setprop(process: &mut Process<'_>) -> CommandOutcome {
    let [name, value] = process.args() else { return process.fail(1, "setprop: Needs 2 arguments") };
    let set = process.phone().with(|state| state.world.props.set(name, value));
    if set {
        Ok(0)
    } else {
        process.fail(1, format!("Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason."))
    }
}
