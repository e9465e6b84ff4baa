//! `ls`: what is in folders.

use super::Date;
use super::options::flags;
use crate::files::{FileError, Files, Kind, Node};
use crate::shell::{Outcome, Process};

/// A name, and what it names.
type Entry = (String, Node);

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (letters, mut paths) = flags(process.args());
    if paths.is_empty() {
        paths.push(".".into());
    }
    if let Some(unknown) = letters.chars().find(|letter| !"1Aadl".contains(*letter)) {
        return process.fail(1, format!("ls: Unknown option '{unknown}'"));
    }
    let (mut status, mut out) = (0, String::new());
    let (mut single, mut folders) = (Vec::new(), Vec::new());
    for path in &paths {
        let place = process.path(path);
        let found =
            process.phone().with(|state| look(&state.world.files, &place, path, letters.contains('d')));
        match found {
            Ok(Found::One(node)) => single.push((path.clone(), node)),
            Ok(Found::Folder(entries)) => folders.push((path.clone(), entries)),
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("ls: {path}: {error}"))?;
            }
        }
    }
    let titled = folders.len() > 1 || !single.is_empty();
    out.push_str(&print(&single, &letters));
    for (place, (path, mut entries)) in folders.into_iter().enumerate() {
        if titled {
            let gap = if place > 0 || !single.is_empty() { "\n" } else { "" };
            out.push_str(&format!("{gap}{path}:\n"));
        }
        entries.retain(|(name, _)| !name.starts_with('.') || letters.contains(['a', 'A']));
        if letters.contains('l') {
            let blocks: u64 = entries.iter().map(|(_, node)| node.size().div_ceil(4096) * 4).sum();
            out.push_str(&format!("total {blocks}\n"));
        }
        out.push_str(&print(&entries, &letters));
    }
    process.put(out)?;
    Ok(status)
}

enum Found {
    One(Node),
    Folder(Vec<Entry>),
}

fn look(files: &Files, place: &str, path: &str, itself: bool) -> Result<Found, FileError> {
    let node = if path.ends_with('/') { files.stat(place)? } else { files.lstat(place)? };
    // A link to a folder is listed only where it is clear that the folder is meant.
    let folder = node.is_folder() || (files.stat(place)?.is_folder() && !itself);
    if itself || !folder {
        return Ok(Found::One(node.clone()));
    }
    let entries = files.list(place)?;
    Ok(Found::Folder(entries.into_iter().map(|(name, node)| (name.to_owned(), node.clone())).collect()))
}

fn print(entries: &[Entry], letters: &str) -> String {
    if !letters.contains('l') {
        return entries.iter().map(|(name, _)| format!("{name}\n")).collect();
    }
    let size = entries.iter().map(|(_, node)| node.size().to_string().len()).max().unwrap_or(0);
    entries.iter().map(|(name, node)| long(name, node, size)).collect()
}

fn long(path: &str, node: &Node, width: usize) -> String {
    let date = Date::of(node.changed * 1_000_000);
    let time =
        format!("{:04}-{:02}-{:02} {:02}:{:02}", date.year, date.month, date.day, date.hour, date.minute);
    let to = if let Kind::Link(to) = &node.kind { format!(" -> {to}") } else { String::new() };
    let links = if node.is_folder() { 2 } else { 1 };
    format!("{} {links} shell shell {:>width$} {time} {path}{to}\n", mode_text(node), node.size())
}

/// `drwxr-xr-x`.
fn mode_text(node: &Node) -> String {
    let kind = match node.kind {
        Kind::Folder => 'd',
        Kind::File(_) => '-',
        Kind::Link(_) => 'l',
        Kind::Device => 'c',
    };
    let bits = (0..9).rev().map(|bit| if node.mode >> bit & 1 == 0 { '-' } else { ['x', 'w', 'r'][bit % 3] });
    std::iter::once(kind).chain(bits).collect()
}
