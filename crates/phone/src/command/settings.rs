//! `settings`: the tables of settings. Some of them do something.

use retap_trace::Orientation;

use super::options::Options;
use crate::phone::TABLES;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let mut words = Vec::new();
    while let Some(arg) = args.next() {
        match &*arg {
            "--user" => {
                args.next();
            }
            _ => words.push(arg),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let table = words.get(1).copied().unwrap_or_default();
    if words.first().is_some_and(|command| ["get", "put", "delete", "list"].contains(command))
        && !TABLES.contains(&table)
    {
        return process.fail(255, format!("Invalid namespace '{table}'"));
    }
    match words[..] {
        ["get", table, name] => {
            let value = process.phone().with(|state| state.world.tables.get(table, name).map(str::to_owned));
            process.say(value.as_deref().unwrap_or("null"))?;
            Ok(0)
        }
        ["put", table, name, value, ..] => put(process, table, name, value),
        ["delete", table, name] => {
            let gone = process.phone().with(|state| state.world.tables.delete(table, name));
            process.say(format!("Deleted {} rows", u8::from(gone)))?;
            Ok(0)
        }
        ["list", table] => {
            let text: String = process.phone().with(|state| {
                state.world.tables.all(table).map(|(name, value)| format!("{name}={value}\n")).collect()
            });
            process.put(text)?;
            Ok(0)
        }
        _ => {
            process.put(
                "Settings provider (settings) commands:\n  help\n      Print this help text.\n  get [--user <USER_ID> \
                 | current] NAMESPACE KEY\n  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]\n  \
                 delete [--user <USER_ID> | current] NAMESPACE KEY\n  list [--user <USER_ID> | current] NAMESPACE\n",
            )?;
            Ok(255)
        }
    }
}

/// Sets a value, and does what it means.
pub(super) fn put(process: &Process<'_>, table: &str, name: &str, value: &str) -> Outcome {
    process.phone().with(|state| state.world.tables.put(table, name, value));
    let done = match (table, name) {
        ("system", "user_rotation" | "accelerometer_rotation") => process.device(|state| {
            let tables = &state.world.tables;
            let fixed = tables.get("system", "accelerometer_rotation") != Some("1");
            let turned = matches!(tables.get("system", "user_rotation"), Some("1" | "3"));
            let to = if turned { Orientation::Landscape } else { Orientation::Portrait };
            if !fixed || state.machine().orientation() == to { Ok(()) } else { state.rotate(to) }
        })?,
        ("global", "airplane_mode_on") => {
            let on = value == "1";
            process.device(|state| state.set_network(|world| world.airplane = on))?
        }
        _ => Ok(()),
    };
    match done {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, error.to_string()),
    }
}
