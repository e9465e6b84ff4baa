//! `pm`: the package manager.

mod install;
mod list;
mod permission;
mod resolve;
mod session;

use super::options::Options;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let args = process.args().to_vec();
    run_with(process, &args)
}

/// The same for `cmd package`.
pub(super) fn run_with(process: &mut Process<'_>, args: &[String]) -> CommandOutcome {
    let mut args = Options::new(args);
    let command = args.next().unwrap_or_default();
    match &*command {
        "list" => list::run(process, args),
        "path" => path(process, args),
        "clear" => clear(process, args),
        "grant" => permission::change(process, args, true),
        "revoke" => permission::change(process, args, false),
        "install" | "install-streaming" => install::install(process, args),
        "install-create" => session::create(process),
        "install-write" => session::write(process, args),
        "install-commit" => session::commit(process, args),
        "install-abandon" => session::abandon(process, args),
        "uninstall" => install::uninstall(process, args),
        "resolve-activity" => resolve::run(process, args),
        _ => {
            process.say(format!("Unknown command: {command}"))?;
            Ok(255)
        }
    }
}

/// The first argument that is not an option; `--user` takes a value.
pub(super) fn package(args: &mut Options) -> Option<String> {
    while let Some(option) = args.option() {
        if option == "--user" {
            args.next();
        }
    }
    args.next()
}

fn path(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let name = package(&mut args).unwrap_or_default();
    let path =
        process.phone().with(|state| state.world.packages.get(&name).map(|package| package.path.clone()));
    match path {
        Some(path) => process.done(format!("package:{path}\n")),
        None => Ok(1),
    }
}

fn clear(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let name = package(&mut args).unwrap_or_default();
    let (known, app) =
        process.phone().with(|state| (state.world.packages.get(&name).is_some(), state.package()));
    let cleared = known && (name != app || process.device(|state| state.clear_app("clear data"))?.is_ok());
    process.say(if cleared { "Success" } else { "Failed" })?;
    Ok(u8::from(!cleared))
}
