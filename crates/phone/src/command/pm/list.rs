//! `pm list`: what there is.

use crate::command::options::Options;
use crate::phone::Package;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let what = args.next().unwrap_or_default();
    match &*what {
        "packages" | "package" => packages(process, args),
        "permissions" => Ok(0),
        _ => process.fail(255, format!("Error: unknown list type '{what}'")),
    }
}

fn packages(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let (mut others_only, mut filter) = (false, String::new());
    while let Some(arg) = args.next() {
        match &*arg {
            "-3" => others_only = true,
            option if option.starts_with('-') => {
                return process.fail(255, format!("Error: Unknown option: {option}"));
            }
            _ => filter = arg,
        }
    }
    let text: String = process.phone().with(|state| {
        let wanted = |package: &&Package| !(others_only && package.system) && package.name.contains(&filter);
        let packages = state.world.packages.all().filter(wanted);
        packages.map(|package| format!("package:{}\n", package.name)).collect()
    });
    process.done(text)
}
