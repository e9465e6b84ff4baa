//! `pm resolve-activity --brief`: which activity an intent means.

use crate::command::am::Intent;
use crate::command::options::Options;
use crate::phone::short_component;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>, args: Options) -> CommandOutcome {
    let intent = Intent::read(args);
    let found = process.phone().with(|state| {
        let packages = &state.world.packages;
        let home = intent.categories.iter().any(|category| category == "android.intent.category.HOME");
        let name = if home { Some("com.android.launcher3".to_owned()) } else { intent.package.clone() };
        match (&intent.component, name) {
            (Some((package, activity)), _) => {
                let known = packages.get(package)?;
                known.activities.contains(activity).then(|| (package.clone(), activity.clone()))
            }
            (None, Some(name)) => {
                let package = packages.get(&name)?;
                package.activities.first().map(|activity| (name.clone(), activity.clone()))
            }
            (None, None) => None,
        }
    });
    let Some((package, activity)) = found else {
        return process.done("No activity found\n");
    };
    let facts = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false";
    process.done(format!("{facts}\n{}\n", short_component(&package, &activity)))
}
