//! `cat` and `tee`.

use super::options::flags;
use super::proc::read_file;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let (_, mut paths) = flags(process.args());
    if paths.is_empty() {
        paths.push("-".into());
    }
    let mut status = 0;
    for path in &paths {
        if path == "-" {
            while let Some(data) = process.streams.input.read() {
                process.put(data)?;
            }
            continue;
        }
        let place = process.path(path);
        match process.phone().with(|state| read_file(state, &place)) {
            Ok(content) => process.put(&**content)?,
            Err(error) => {
                status = 1;
                process.streams.err.line(format!("cat: {path}: {error}"))?;
            }
        }
    }
    Ok(status)
}

pub(super) fn tee(process: &mut Process<'_>) -> Outcome {
    let (flags, paths) = flags(process.args());
    let mut status = 0;
    for (first, path) in paths.iter().map(|path| (!flags.contains('a'), process.path(path))) {
        let made = process.phone().with(|state| {
            let now = state.now_secs();
            if first { state.world.files.write(&path, Vec::new(), 0o644, now) } else { Ok(()) }
        });
        if let Err(error) = made {
            status = 1;
            process.streams.err.line(format!("tee: {path}: {error}"))?;
        }
    }
    while let Some(data) = process.streams.input.read() {
        process.put(&data)?;
        for path in paths.iter().map(|path| process.path(path)) {
            let written = process.phone().with(|state| {
                let now = state.now_secs();
                state.world.files.append(&path, &data, now)
            });
            status |= u8::from(written.is_err());
        }
    }
    Ok(status)
}
