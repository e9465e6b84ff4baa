//! Installing in pieces: `install-create`, `install-write`, `install-commit`, `install-abandon`.

use super::install::{add, content, refuse};
use crate::command::options::Options;
use crate::shell::{CommandOutcome, Process};

/// Sessions that may be open at once, and pieces in each.
const MOST_SESSIONS: usize = 16;
const MOST_PARTS: usize = 64;

pub(super) fn create(process: &Process<'_>) -> CommandOutcome {
    let number = process.phone().with(|state| {
        let packages = &mut state.world.packages;
        if packages.sessions.len() >= MOST_SESSIONS {
            return None;
        }
        let number = packages.next_session;
        packages.next_session += 1;
        packages.sessions.insert(number, Vec::new());
        Some(number)
    });
    match number {
        Some(number) => process.done(format!("Success: created install session [{number}]\n")),
        None => {
            process.exception("install-create", "java.lang.IllegalStateException: Too many active sessions")
        }
    }
}

pub(super) fn write(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let mut size = None;
    let mut words = Vec::new();
    while let Some(arg) = args.next() {
        match &*arg {
            "-S" => size = args.next().and_then(|size| size.parse::<u64>().ok()),
            _ => words.push(arg),
        }
    }
    let number = words.first().and_then(|number| number.parse::<u32>().ok());
    let name = words.get(1).cloned().unwrap_or_default();
    let content = match content(process, words.get(2).map(String::as_str), size) {
        Ok(content) => content,
        Err(said) => return said,
    };
    let streamed = content.len();
    let kept = process.phone().with(|state| {
        let parts = state.world.packages.sessions.get_mut(&number?)?;
        (parts.len() < MOST_PARTS).then(|| parts.push((name, content)))
    });
    if kept.is_none() {
        let number = words.first().cloned().unwrap_or_default();
        let why = format!("java.lang.SecurityException: Caller has no access to session {number}");
        return process.exception("install-write", &why);
    }
    process.done(format!("Success: streamed {streamed} bytes\n"))
}

pub(super) fn commit(process: &Process<'_>, args: Options) -> CommandOutcome {
    let Some(parts) = take(process, args) else {
        return process
            .exception("install-commit", "java.lang.SecurityException: Caller has no access to session");
    };
    // The base comes first; what else there is are parts of the same app.
    let base = parts.iter().position(|(name, _)| name.contains("base")).unwrap_or(0);
    match parts.into_iter().nth(base) {
        Some((_, content)) => add(process, content),
        None => refuse(process, "INSTALL_FAILED_INVALID_APK: No packages staged"),
    }
}

pub(super) fn abandon(process: &Process<'_>, args: Options) -> CommandOutcome {
    match take(process, args) {
        Some(_) => process.done("Success\n"),
        None => process
            .exception("install-abandon", "java.lang.SecurityException: Caller has no access to session"),
    }
}

fn take(process: &Process<'_>, args: Options) -> Option<Vec<(String, Vec<u8>)>> {
    let number = args.rest().iter().find_map(|arg| arg.parse::<u32>().ok())?;
    process.phone().with(|state| state.world.packages.sessions.remove(&number))
}
