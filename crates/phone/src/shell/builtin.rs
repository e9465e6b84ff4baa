//! Commands that change the shell itself, or that need to know it.

use super::run::{End, Outcome, Process};
use crate::command;
use crate::files::FileError;

/// Their names.
pub(crate) const NAMES: [&str; 26] = [
    ".", ":", "break", "builtin", "cd", "command", "continue", "eval", "exec", "exit", "export", "local",
    "nohup", "read", "return", "set", "sh", "shift", "source", "time", "trap", "type", "umask", "unset",
    "wait", "which",
];

/// Runs a command of the shell itself; none when there is none of that name.
pub(super) fn run(process: &mut Process<'_>, name: &str) -> Option<Outcome> {
    Some(match name {
        ":" | "trap" | "umask" | "wait" => Ok(0),
        "break" => Err(End::Break),
        "continue" => Err(End::Continue),
        "cd" => change_folder(process),
        "exit" | "return" => Err(End::Exit(exit_status(process))),
        "export" | "local" => export(process),
        "unset" => {
            for name in process.args().to_vec() {
                process.shell.vars.remove(&name);
            }
            Ok(0)
        }
        "read" => read(process),
        "shift" => {
            if !process.shell.args.is_empty() {
                process.shell.args.remove(0);
            }
            Ok(0)
        }
        "set" => set(process),
        "eval" => {
            let text = process.args().join(" ");
            // It works on this shell; the depth keeps it from calling itself for ever.
            process.shell.deeper().and_then(|_| process.shell.run(&text, process.streams))
        }
        "exec" if process.args().is_empty() => Ok(0),
        "exec" => {
            let words = process.args().to_vec();
            let ended = process.instead(&words);
            ended.and_then(|status| Err(End::Exit(status)))
        }
        "command" | "builtin" | "nohup" | "time" => {
            let words = process.args().to_vec();
            if words.first().is_some_and(|flag| flag == "-v") {
                which(process, &words[1..])
            } else {
                process.instead(&words)
            }
        }
        "type" | "which" => {
            let names = process.args().to_vec();
            which(process, &names)
        }
        "sh" | "/system/bin/sh" | "/bin/sh" => shell(process),
        "." | "source" => source(process),
        _ => return None,
    })
}

fn exit_status(process: &Process<'_>) -> u8 {
    let said = process.args().first().and_then(|status| status.parse::<i64>().ok());
    said.map_or(process.shell.status, |status| u8::try_from(status.rem_euclid(256)).unwrap_or(1))
}

fn change_folder(process: &mut Process<'_>) -> Outcome {
    let argument = process.args().first().cloned().unwrap_or_else(|| "/".to_owned());
    let path = process.path(&argument);
    let found = process.phone().with(|state| {
        let files = &state.world.files;
        let real = files.resolve(&path)?;
        match files.stat(&real) {
            Ok(node) if node.is_folder() => Ok(real),
            Ok(_) => Err(FileError::NotFolder),
            Err(error) => Err(error),
        }
    });
    match found {
        Ok(real) => {
            process.shell.folder = real;
            Ok(0)
        }
        Err(error) => {
            let complaint = process.shell.complaint();
            process.fail(2, format!("{complaint}cd: {argument}: {error}"))
        }
    }
}

fn export(process: &mut Process<'_>) -> Outcome {
    for pair in process.args().to_vec() {
        if let Some((name, value)) = pair.split_once('=') {
            process.shell.set_var(name, value);
        }
    }
    Ok(0)
}

fn set(process: &mut Process<'_>) -> Outcome {
    if process.args().is_empty() {
        let lines: String =
            process.shell.vars.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        process.put(lines)?;
    }
    Ok(0)
}

fn read(process: &mut Process<'_>) -> Outcome {
    let names: Vec<String> = process.args().iter().filter(|name| !name.starts_with('-')).cloned().collect();
    let Some(line) = process.streams.input.read_line() else { return Ok(1) };
    let line = String::from_utf8_lossy(&line).into_owned();
    let mut rest = line.trim();
    for (number, name) in names.iter().enumerate() {
        let last = number + 1 == names.len();
        let (value, after) = if last {
            (rest, "")
        } else {
            rest.split_once([' ', '\t']).map_or((rest, ""), |(value, after)| (value, after.trim_start()))
        };
        process.shell.set_var(name, value);
        rest = after;
    }
    if names.is_empty() {
        process.shell.set_var("REPLY", &line);
    }
    Ok(0)
}

fn which(process: &Process<'_>, names: &[String]) -> Outcome {
    let mut status = 0;
    for name in names {
        if command::find(name).is_some() || ["sh", "which", "nohup", "time"].contains(&&**name) {
            process.say(format!("/system/bin/{}", crate::files::name(name)))?;
        } else if NAMES.contains(&&**name) {
            process.say(name)?;
        } else {
            status = 1;
        }
    }
    Ok(status)
}

/// `sh -c TEXT`, `sh FILE`, or a shell that reads its script.
fn shell(process: &mut Process<'_>) -> Outcome {
    let mut args = process.args().to_vec();
    while args.first().is_some_and(|flag| flag.starts_with('-') && flag.len() > 1 && !flag.contains('c')) {
        args.remove(0);
    }
    match args.first().map(String::as_str) {
        Some(flag) if flag.starts_with('-') && flag.len() > 1 => {
            let Some(text) = args.get(1).cloned() else {
                return process.fail(1, "/system/bin/sh: -c: requires an argument");
            };
            let name = args.get(2).cloned();
            inside(process, |shell, streams| {
                shell.name = name.unwrap_or_else(|| shell.name.clone());
                shell.args = args.get(3..).unwrap_or_default().to_vec();
                shell.run(&text, streams)
            })
        }
        Some(path) => {
            let file = process.path(path);
            let content = process.phone().with(|state| state.world.files.read(&file));
            match content {
                Ok(content) => inside(process, |shell, streams| {
                    shell.name.clone_from(&args[0]);
                    shell.args = args[1..].to_vec();
                    shell.run(&String::from_utf8_lossy(&content), streams)
                }),
                Err(error) => process.fail(127, format!("/system/bin/sh: {path}: {error}")),
            }
        }
        None => inside(process, |shell, streams| Ok(shell.interact(streams, None))),
    }
}

fn source(process: &mut Process<'_>) -> Outcome {
    let Some(name) = process.args().first().cloned() else { return Ok(0) };
    let file = process.path(&name);
    match process.phone().with(|state| state.world.files.read(&file)) {
        Ok(content) => process.shell.run(&String::from_utf8_lossy(&content), process.streams),
        Err(error) => {
            let complaint = process.shell.complaint();
            process.fail(1, format!("{complaint}{name}: {error}"))
        }
    }
}

/// Does something in a shell of its own.
fn inside(
    process: &mut Process<'_>,
    run: impl FnOnce(&mut super::Shell, &super::Streams) -> Outcome,
) -> Outcome {
    let mut shell = process.shell.deeper()?;
    match run(&mut shell, process.streams) {
        Err(End::Exit(status)) => Ok(status),
        other => other,
    }
}
