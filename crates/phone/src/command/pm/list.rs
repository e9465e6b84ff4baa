//! `pm list`: what there is.

use crate::command::options::Options;
use crate::phone::Package;
use crate::shell::{Outcome, Process};

const FEATURES: [&str; 8] = [
    "android.hardware.camera",
    "android.hardware.location",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.touchscreen.multitouch",
    "android.hardware.wifi",
];

pub(super) fn run(process: &Process<'_>, mut args: Options) -> Outcome {
    let what = args.next().unwrap_or_default();
    match &*what {
        "packages" | "package" => packages(process, args),
        "features" => {
            let text: String = FEATURES.iter().map(|feature| format!("feature:{feature}\n")).collect();
            process.put(text)?;
            Ok(0)
        }
        "permissions" => Ok(0),
        _ => process.fail(255, format!("Error: unknown list type '{what}'")),
    }
}

/// Which packages, and what of them.
#[derive(Default)]
struct Wanted {
    files: bool,
    system_only: bool,
    others_only: bool,
    filter: String,
}

fn packages(process: &Process<'_>, mut args: Options) -> Outcome {
    let mut wanted = Wanted::default();
    while let Some(arg) = args.next() {
        match &*arg {
            "-f" => wanted.files = true,
            "-s" => wanted.system_only = true,
            "-3" => wanted.others_only = true,
            "--user" => {
                args.next();
            }
            option if option.starts_with('-') => {
                return process.fail(255, format!("Error: Unknown option: {option}"));
            }
            _ => wanted.filter = arg,
        }
    }
    let text: String = process.phone().with(|state| {
        let packages = state.world.packages.all().filter(|package| wanted.fits(package));
        packages.map(|package| wanted.line(package)).collect()
    });
    process.put(text)?;
    Ok(0)
}

impl Wanted {
    fn fits(&self, package: &Package) -> bool {
        (package.system || !self.system_only)
            && (!package.system || !self.others_only)
            && package.name.contains(&self.filter)
    }

    fn line(&self, package: &Package) -> String {
        let mut line = String::from("package:");
        if self.files {
            line.push_str(&format!("{}=", package.path));
        }
        line.push_str(&package.name);
        line.push('\n');
        line
    }
}
