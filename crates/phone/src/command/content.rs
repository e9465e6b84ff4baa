//! `content`: the providers. The one that is known is that of the settings.

use super::options::Options;
use super::settings;
use crate::phone::TABLES;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let Some(command) = args.next() else { return process.fail(1, "[ERROR] Unsupported operation: null") };
    let (mut uri, mut name, mut value, mut condition) = (String::new(), None, None, String::new());
    while let Some(arg) = args.next() {
        match &*arg {
            "--uri" => uri = args.next().unwrap_or_default(),
            "--where" => condition = args.next().unwrap_or_default(),
            "--bind" => {
                let bound = args.next().unwrap_or_default();
                let mut parts = bound.splitn(3, ':');
                match (parts.next(), parts.next(), parts.next()) {
                    (Some("name"), _, Some(text)) => name = Some(text.to_owned()),
                    (Some("value"), _, Some(text)) => value = Some(text.to_owned()),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let rest = uri.strip_prefix("content://settings/").unwrap_or_default();
    let (table, of_uri) =
        rest.split_once('/').map_or((rest, None), |(table, name)| (table, Some(name.to_owned())));
    let Some(table) = TABLES.into_iter().find(|known| *known == table) else {
        return process
            .fail(1, format!("[ERROR] Could not find provider: {}", uri.trim_start_matches("content://")));
    };
    let of_condition =
        condition.split_once('=').map(|(_, text)| text.trim().trim_matches(['\'', '"']).to_owned());
    let name = name.or(of_uri).or(of_condition);
    match (&*command, name, value) {
        ("insert" | "update", Some(name), Some(value)) => settings::put(process, table, &name, &value),
        ("delete", Some(name), _) => {
            process.phone().with(|state| state.world.tables.delete(table, &name));
            Ok(0)
        }
        ("query", name, _) => query(process, table, name.as_deref()),
        _ => process.fail(1, format!("[ERROR] Unsupported operation: {command}")),
    }
}

fn query(process: &Process<'_>, table: &str, name: Option<&str>) -> Outcome {
    let rows: Vec<String> = process.phone().with(|state| {
        let all = state.world.tables.all(table).enumerate();
        let wanted = all.filter(|(_, (known, _))| name.is_none_or(|name| name == *known));
        let row =
            |(row, (id, (name, value)))| format!("Row: {row} _id={}, name={name}, value={value}\n", id + 1);
        wanted.enumerate().map(row).collect()
    });
    process.put(if rows.is_empty() { "No result found.\n".to_owned() } else { rows.concat() })?;
    Ok(0)
}
