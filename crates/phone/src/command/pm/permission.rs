//! `pm grant` and `pm revoke`.

use super::package;
use crate::command::options::Options;
use crate::shell::{CommandOutcome, Process};

pub(super) fn change(process: &Process<'_>, mut args: Options, granted: bool) -> CommandOutcome {
    let command = if granted { "grant" } else { "revoke" };
    let (Some(name), Some(permission)) = (package(&mut args), args.next()) else {
        return process.fail(255, "Error: no package or permission specified");
    };
    let known = process.phone().with(|state| {
        let package = state.world.packages.get(&name)?;
        Some(package.permissions.contains(&permission))
    });
    match known {
        None => process
            .exception(command, &format!("java.lang.IllegalArgumentException: Unknown package: {name}")),
        Some(false) => {
            let why = format!("Package {name} has not requested permission {permission}");
            process.exception(command, &format!("java.lang.SecurityException: {why}"))
        }
        Some(true) => {
            process.phone().with(|state| {
                if name == state.package() {
                    let had = state.machine().granted(&permission);
                    state.grant(&permission, granted);
                    // An app that loses what it has is ended.
                    if !granted && had == Some(true) {
                        state.end_app("permissions revoked");
                    }
                }
            });
            Ok(0)
        }
    }
}
