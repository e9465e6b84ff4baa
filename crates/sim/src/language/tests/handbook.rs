//! The handbook shows apps: each of them must be one.

use super::{parse, read};
use crate::language::effects::EFFECTS;

const HANDBOOK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/simulator.md"));

/// The fenced blocks that are marked as apps, with the line each starts in.
pub(crate) fn apps() -> Vec<(usize, String)> {
    let mut apps: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in HANDBOOK.lines().enumerate() {
        match line {
            "```app" => {
                inside = true;
                apps.push((number + 1, String::new()));
            }
            "```" => inside = false,
            _ if inside => {
                let (_, text) = apps.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
            _ => {}
        }
    }
    apps
}

#[test]
fn every_app_in_the_handbook_is_one() {
    let apps = apps();
    assert!(apps.len() > 10, "only {} apps found", apps.len());
    for (line, source) in apps {
        if let Err(error) = read(&source) {
            panic!("docs/simulator.md, the app in line {line}: {error}\n{source}");
        }
    }
}

#[test]
fn the_first_app_has_thirty_lines() {
    let (_, first) = &apps()[0];
    assert_eq!(first.lines().count(), 30);
}

#[test]
fn the_handbook_shows_every_keyword() {
    let apps = apps();
    let first_words: Vec<&str> = apps
        .iter()
        .flat_map(|(_, source)| source.lines())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let statements = ["app", "package", "knob", "permission", "kept", "var", "on", "timer", "activity"];
    let windows =
        ["screen", "dialog", "menu", "item", "reply", "error", "granted", "denied", "at", "uncovered"];
    let widgets = ["label", "button", "image", "field", "check", "switch", "radio", "list", "row", "column"];
    for keyword in statements.iter().chain(&windows).chain(&widgets).chain(&EFFECTS) {
        assert!(first_words.contains(keyword), "no app in docs/simulator.md shows `{keyword}`");
    }
}

#[test]
fn the_messages_in_the_handbook_are_the_real_ones() {
    let (_, first) = &apps()[0];
    for (right, wrong) in [("        dialog sure", "        dialog shure"), ("=len(items) > 0", "=items")] {
        let error = parse("todo.app", &first.replace(right, wrong), &|_| Err(String::new())).unwrap_err();
        assert!(HANDBOOK.contains(&error.to_string()), "{error}");
    }
}
