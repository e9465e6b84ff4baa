//! Commands that change the shell itself, or that need to know it.

use super::run::{CommandOutcome, End, NAME, Process};
use crate::files::FileError;

/// Runs a command of the shell itself; none when there is none of that name.
pub(super) fn run(process: &mut Process<'_>, name: &str) -> Option<CommandOutcome> {
    Some(match name {
        ":" => Ok(0),
        "cd" => change_folder(process),
        "pwd" => process.say(&process.shell.folder).map(|()| 0),
        "exit" => Err(End::Exit(exit_status(process))),
        "export" => {
            for pair in process.args().to_vec() {
                if let Some((name, value)) = pair.split_once('=') {
                    process.shell.set_var(name, value);
                }
            }
            Ok(0)
        }
        "exec" if process.args().is_empty() => Ok(0),
        "exec" => {
            let words = process.args().to_vec();
            let ended = process.instead(&words);
            ended.and_then(|status| Err(End::Exit(status)))
        }
        "sh" | "/system/bin/sh" | "/bin/sh" => shell(process),
        _ => return None,
    })
}

fn exit_status(process: &Process<'_>) -> u8 {
    let said = process.args().first().and_then(|status| status.parse::<i64>().ok());
    said.map_or(process.shell.status, |status| u8::try_from(status.rem_euclid(256)).unwrap_or(1))
}

fn change_folder(process: &mut Process<'_>) -> CommandOutcome {
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
        Err(error) => process.fail(2, format!("{NAME}: cd: {argument}: {error}")),
    }
}

/// `sh -c TEXT`, or a shell that reads its commands.
fn shell(process: &Process<'_>) -> CommandOutcome {
    let mut shell = process.shell.deeper()?;
    let ended = match process.args() {
        [] => Ok(shell.interact(process.streams)),
        [flag, text, ..] if flag == "-c" => shell.run(text, process.streams),
        [flag] if flag == "-c" => return process.fail(1, format!("{NAME}: -c: requires an argument")),
        [path, ..] => return process.fail(127, format!("{NAME}: {path}: No such file or directory")),
    };
    match ended {
        Err(End::Exit(status)) => Ok(status),
        other => other,
    }
}
