//! `ime`: keyboards.

use crate::phone::State;
use crate::shell::{CommandOutcome, Process};

const LATIN: &str = "com.android.inputmethod.latin/.LatinIME";
/// A keyboard app that types what it is told by broadcast. It is there once its package is installed.
pub(super) const BROADCAST: &str = "com.android.adbkeyboard/.AdbIME";

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    // Since Android 10 it says for whom.
    let whom = if process.phone().settings().android.api() >= 29 { " for user #0" } else { "" };
    let (done, id) = match words[..] {
        ["list", "-s", ref flags @ ..] => return list(process, flags.contains(&"-a")),
        ["enable", id] => (format!("Input method {id}: now enabled{whom}\n"), id),
        ["set", id] => (format!("Input method {id} selected{whom}\n"), id),
        _ => return process.fail(255, "ime <command>: list -s [-a], enable <ID>, set <ID>"),
    };
    if !process.phone().with(|state| keyboards(state).contains(&id)) {
        return process.fail(255, format!("Unknown input method {id} cannot be selected{whom}"));
    }
    process.phone().with(|state| {
        let tables = &mut state.world.tables;
        if words[0] == "set" {
            tables.put("secure", "default_input_method", id);
        } else if !enabled(tables.get("secure", ENABLED)).any(|known| known == id) {
            let all = format!("{}:{id}", tables.get("secure", ENABLED).unwrap_or_default());
            tables.put("secure", ENABLED, &all);
        }
    });
    process.done(done)
}

const ENABLED: &str = "enabled_input_methods";

fn keyboards(state: &State) -> Vec<&'static str> {
    let package = BROADCAST.split('/').next().unwrap_or_default();
    let other = state.world.packages.get(package).map(|_| BROADCAST);
    [LATIN].into_iter().chain(other).collect()
}

fn enabled(setting: Option<&str>) -> impl Iterator<Item = &str> {
    setting.unwrap_or_default().split(':').filter(|id| !id.is_empty())
}

fn list(process: &Process<'_>, all: bool) -> CommandOutcome {
    let text: String = process.phone().with(|state| {
        let line = |id: &str| format!("{id}\n");
        if all {
            keyboards(state).into_iter().map(line).collect()
        } else {
            enabled(state.world.tables.get("secure", ENABLED)).map(line).collect()
        }
    });
    process.done(text)
}
