//! `ime`: keyboards.

use crate::phone::State;
use crate::shell::{Outcome, Process};

const LATIN: &str = "com.android.inputmethod.latin/.LatinIME";
/// A keyboard app that types what it is told by broadcast. It is there once its package is installed.
pub(super) const BROADCAST: &str = "com.android.adbkeyboard/.AdbIME";

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    // Since Android 10 it says for whom.
    let whom = if process.phone().settings().android.api() >= 29 { " for user #0" } else { "" };
    match words[..] {
        ["list", ref flags @ ..] => list(process, flags),
        ["enable", id] => change(
            process,
            id,
            |enabled| {
                if !enabled.contains(&id.to_owned()) {
                    enabled.push(id.to_owned());
                }
            },
            &format!("Input method {id}: now enabled{whom}"),
        ),
        ["disable", id] => change(
            process,
            id,
            |enabled| enabled.retain(|known| known != id),
            &format!("Input method {id}: now disabled{whom}"),
        ),
        ["set", id] => {
            let known = process.phone().with(|state| {
                let known = keyboards(state).contains(&id);
                if known {
                    state.world.tables.put("secure", "default_input_method", id);
                }
                known
            });
            if known {
                process.say(format!("Input method {id} selected{whom}"))?;
                return Ok(0);
            }
            process.fail(255, format!("Unknown input method {id} cannot be selected{whom}"))
        }
        _ => {
            process.put("ime <command>:\n  list [-a] [-s]\n    prints all enabled input methods.\n  enable [--user <USER_ID>] <ID>\n  disable [--user <USER_ID>] <ID>\n  set [--user <USER_ID>] <ID>\n")?;
            Ok(255)
        }
    }
}

/// All keyboards on the phone.
fn keyboards(state: &State) -> Vec<&'static str> {
    let package = BROADCAST.split('/').next().unwrap_or_default();
    let other = state.world.packages.get(package).map(|_| BROADCAST);
    [LATIN].into_iter().chain(other).collect()
}

fn enabled(state: &State) -> Vec<String> {
    let all = state.world.tables.get("secure", "enabled_input_methods").unwrap_or_default();
    all.split(':').filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

fn list(process: &Process<'_>, flags: &[&str]) -> Outcome {
    let ids = process.phone().with(|state| {
        if flags.contains(&"-a") {
            keyboards(state).into_iter().map(str::to_owned).collect()
        } else {
            enabled(state)
        }
    });
    for id in ids {
        if flags.contains(&"-s") {
            process.say(id)?;
        } else {
            process.put(format!(
                "{id}:\n  mId={id} mSettingsActivityName=com.android.inputmethod.latin.settings.SettingsActivity \
                 mIsVrOnly=false mSupportsSwitchingToNextInputMethod=true\n  mIsDefaultResId=0x7f050000\n"
            ))?;
        }
    }
    Ok(0)
}

fn change(process: &Process<'_>, id: &str, change: impl FnOnce(&mut Vec<String>), said: &str) -> Outcome {
    if !process.phone().with(|state| keyboards(state).contains(&id)) {
        return process.fail(255, format!("Unknown input method {id} cannot be enabled for user #0"));
    }
    process.phone().with(|state| {
        let mut ids = enabled(state);
        change(&mut ids);
        state.world.tables.put("secure", "enabled_input_methods", &ids.join(":"));
    });
    process.say(said)?;
    Ok(0)
}
