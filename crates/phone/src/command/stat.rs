//! `stat`, `readlink` and `realpath`.

use super::Date;
use super::ls::mode_text;
use super::options::{Options, flags};
use crate::files::{Kind, Node};
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let (mut form, mut paths, mut follow) = (None, Vec::new(), false);
    while let Some(arg) = args.next() {
        match &*arg {
            "-c" => form = args.next(),
            "-L" => follow = true,
            _ => paths.push(arg),
        }
    }
    let mut status = 0;
    for path in &paths {
        let place = process.path(path);
        let found = process.phone().with(|state| {
            let files = &state.world.files;
            if follow { files.stat(&place).cloned() } else { files.lstat(&place).cloned() }
        });
        match found {
            Ok(node) => process.put(match &form {
                Some(form) => format!("{}\n", formed(form, path, &node)),
                None => usual(path, &node),
            })?,
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("stat: '{path}': {error}"))?;
            }
        }
    }
    Ok(status)
}

fn kind(node: &Node) -> &'static str {
    match node.kind {
        Kind::Folder => "directory",
        Kind::File(_) => "regular file",
        Kind::Link(_) => "symbolic link",
        Kind::Device => "character device",
    }
}

fn usual(path: &str, node: &Node) -> String {
    let time = Date::of(node.changed * 1_000_000).long();
    format!(
        "  File: {path}\n  Size: {}\t Blocks: {}\t IO Blocks: 4096\t{}\nDevice: fd05h/64773d\t Inode: {}\t Links: 1\n\
         Access: ({:04o}/{})\tUid: ( 2000/   shell)\tGid: ( 2000/   shell)\nAccess: {time}.000000000 +0000\nModify: \
         {time}.000000000 +0000\nChange: {time}.000000000 +0000\n",
        node.size(),
        node.size().div_ceil(512),
        kind(node),
        node.number,
        node.mode,
        mode_text(node)
    )
}

fn formed(form: &str, path: &str, node: &Node) -> String {
    let mut text = String::new();
    let mut letters = form.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        text.push_str(&match letters.next() {
            Some('n') => path.to_owned(),
            Some('s') => node.size().to_string(),
            Some('Y' | 'X' | 'Z') => node.changed.to_string(),
            Some('a') => format!("{:o}", node.mode),
            Some('A') => mode_text(node),
            Some('F') => kind(node).to_owned(),
            Some('i') => node.number.to_string(),
            Some('u' | 'g') => "2000".to_owned(),
            Some('U' | 'G') => "shell".to_owned(),
            Some(other) => other.to_string(),
            None => "%".to_owned(),
        });
    }
    text
}

pub(super) fn readlink(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    if letters.contains('f') {
        return real(process, &paths);
    }
    let Some(path) = paths.first() else { return process.fail(1, "readlink: Needs 1 argument") };
    let place = process.path(path);
    let to =
        process.phone().with(|state| match state.world.files.lstat(&place).map(|node| node.kind.clone()) {
            Ok(Kind::Link(to)) => Some(to),
            _ => None,
        });
    match to {
        Some(to) => {
            process.say(to)?;
            Ok(0)
        }
        None => Ok(1),
    }
}

pub(super) fn realpath(process: &mut Process<'_>) -> Outcome {
    let (_, paths) = flags(process.args());
    real(process, &paths)
}

fn real(process: &Process<'_>, paths: &[String]) -> Outcome {
    let mut status = 0;
    for path in paths {
        let place = process.path(path);
        match process.phone().with(|state| state.world.files.resolve(&place)) {
            Ok(real) => process.say(real)?,
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("realpath: {path}: {error}"))?;
            }
        }
    }
    Ok(status)
}
