//! `content`: the providers. The one that is known is that of the settings.

use super::options::Options;
use super::settings;
use crate::phone::TABLES;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let mut args = Options::new(process.args());
    let Some(command) = args.next() else { return process.fail(1, "[ERROR] Unsupported operation: null") };
    let (mut uri, mut name, mut value) = (String::new(), None, None);
    while let Some(arg) = args.next() {
        match &*arg {
            "--uri" => uri = args.next().unwrap_or_default(),
            "--where" => name = args.next().as_deref().and_then(named),
            "--bind" => match args.next().unwrap_or_default().splitn(3, ':').collect::<Vec<_>>()[..] {
                ["name", _, text] => name = Some(text.to_owned()),
                ["value", _, text] => value = Some(text.to_owned()),
                _ => {}
            },
            _ => {}
        }
    }
    let path = uri.trim_start_matches("content://");
    let mut parts = path.splitn(3, '/');
    let table = parts.next().filter(|provider| *provider == "settings").and_then(|_| parts.next());
    let Some(table) = table.filter(|table| TABLES.contains(table)) else {
        return process.fail(1, format!("[ERROR] Could not find provider: {path}"));
    };
    match (&*command, name.or(parts.next().map(str::to_owned)), value) {
        ("insert" | "update", Some(name), Some(value)) => settings::put(process, table, &name, &value),
        ("delete", Some(name), _) => {
            process.phone().with(|state| state.world.tables.delete(table, &name));
            Ok(0)
        }
        ("query", name, _) => query(process, table, name.as_deref()),
        _ => process.fail(1, format!("[ERROR] Unsupported operation: {command}")),
    }
}

/// The name in `name='user_rotation'`.
fn named(condition: &str) -> Option<String> {
    condition.split_once('=').map(|(_, text)| text.trim().trim_matches(['\'', '"']).to_owned())
}

fn query(process: &Process<'_>, table: &str, wanted: Option<&str>) -> CommandOutcome {
    let rows: Vec<String> = process.phone().with(|state| {
        let all = (1_usize..).zip(state.world.tables.all(table));
        let found = all.filter(|(_, (name, _))| wanted.is_none_or(|wanted| wanted == *name));
        let row = |(row, (id, (name, value)))| format!("Row: {row} _id={id}, name={name}, value={value}\n");
        found.enumerate().map(row).collect()
    });
    process.done(if rows.is_empty() { "No result found.\n".to_owned() } else { rows.concat() })
}
