//! The handbook shows apps: each of them must be one.

use super::read;

const HANDBOOK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/simulator.md"));

/// The fenced blocks that are marked as apps, with the line each starts in.
fn apps() -> Vec<(usize, String)> {
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
