//! `settings`: the tables of settings. Some of them do something.

use retap_trace::Orientation;

use crate::phone::TABLES;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    let table = words.get(1).copied().unwrap_or_default();
    if words.first().is_some_and(|command| ["get", "put", "delete"].contains(command))
        && !TABLES.contains(&table)
    {
        return process.fail(255, format!("Invalid namespace '{table}'"));
    }
    match words[..] {
        ["get", table, name] => {
            let value = process.phone().with(|state| state.world.tables.get(table, name).map(str::to_owned));
            process.done(format!("{}\n", value.as_deref().unwrap_or("null")))
        }
        ["put", table, name, value, ..] => put(process, table, name, value),
        ["delete", table, name] => {
            let gone = process.phone().with(|state| state.world.tables.delete(table, name));
            process.done(format!("Deleted {} rows\n", u8::from(gone)))
        }
        _ => process.fail(255, "settings: get or delete, or put with a value"),
    }
}

/// Sets a value, and does what it means.
pub(super) fn put(process: &Process<'_>, table: &str, name: &str, value: &str) -> CommandOutcome {
    process.phone().with(|state| state.world.tables.put(table, name, value));
    match (table, name) {
        ("system", "user_rotation" | "accelerometer_rotation") => process.does(|state| {
            let tables = &state.world.tables;
            let fixed = tables.get("system", "accelerometer_rotation") != Some("1");
            let turned = matches!(tables.get("system", "user_rotation"), Some("1" | "3"));
            let to = if turned { Orientation::Landscape } else { Orientation::Portrait };
            if !fixed || state.machine().orientation() == to { Ok(()) } else { state.rotate(to) }
        }),
        ("global", "airplane_mode_on") => {
            let on = value == "1";
            process.does(|state| state.set_network(|world| world.airplane = on))
        }
        _ => Ok(0),
    }
}
