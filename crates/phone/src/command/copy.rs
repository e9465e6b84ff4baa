//! `cp`, `mv` and `ln`.

use super::options::flags;
use crate::files::{FileError, Files, Kind, Node, join, name};
use crate::shell::{Outcome, Process};

/// Files that one copy may make.
const MOST: usize = 10_000;

pub(super) fn cp(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let deep = letters.contains(['r', 'R', 'a']);
    each(process, &paths, |files, from, to, now| {
        if files.stat(from)?.is_folder() {
            if !deep {
                return Err(FileError::IsFolder);
            }
            return copy_folder(files, from, to, now);
        }
        let (content, mode) = (files.read(from)?, files.stat(from)?.mode);
        files.write(to, content.to_vec(), mode, now)
    })
}

pub(super) fn mv(process: &mut Process<'_>) -> Outcome {
    let (_, paths) = flags(process.args());
    each(process, &paths, |files, from, to, _| files.rename(from, to))
}

pub(super) fn ln(process: &mut Process<'_>) -> Outcome {
    let (letters, paths) = flags(process.args());
    let [to, at] = &paths[..] else { return process.fail(1, "ln: Needs 2 arguments") };
    let at = process.path(at);
    let made = process.phone().with(|state| {
        let now = state.now_secs();
        if letters.contains('f') {
            // Nothing there to replace is as good.
            let _ = state.world.files.remove(&at, false);
        }
        state.world.files.make_link(&at, to, now)
    });
    match made {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, format!("ln: cannot create symlink from '{to}' to '{at}': {error}")),
    }
}

/// Does something to each source and the place where it goes: the last path, or inside it if it is a folder.
fn each(
    process: &Process<'_>,
    paths: &[String],
    act: impl Fn(&mut Files, &str, &str, u64) -> Result<(), FileError>,
) -> Outcome {
    let program = process.name().to_owned();
    let Some((last, sources)) = paths.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        return process.fail(1, format!("{program}: Needs 2 arguments"));
    };
    let target = process.path(last);
    let mut status = 0;
    for source in sources {
        let from = process.path(source);
        let done = process.phone().with(|state| {
            let now = state.now_secs();
            let files = &mut state.world.files;
            let folder = files.stat(&target).is_ok_and(Node::is_folder);
            let to = if folder { join(&target, name(&from)) } else { target.clone() };
            act(files, &from, &to, now)
        });
        if let Err(error) = done {
            status = 1;
            process.streams.err.line(format!("{program}: bad '{source}': {error}"))?;
        }
    }
    Ok(status)
}

fn copy_folder(files: &mut Files, from: &str, to: &str, now: u64) -> Result<(), FileError> {
    let mut todo = vec![(from.to_owned(), to.to_owned())];
    let mut made = 0;
    while let Some((from, to)) = todo.pop() {
        files.make_folder(&to, true, now)?;
        let entries: Vec<(String, Kind, u32)> = files
            .list(&from)?
            .into_iter()
            .map(|(name, node)| (name.to_owned(), node.kind.clone(), node.mode))
            .collect();
        for (name, kind, mode) in entries {
            made += 1;
            let place = join(&to, &name);
            match kind {
                Kind::Folder if made < MOST && !place.starts_with(&format!("{from}/")) => {
                    todo.push((join(&from, &name), place));
                }
                Kind::File(content) => files.write(&place, content.to_vec(), mode, now)?,
                Kind::Link(to) => files.make_link(&place, &to, now)?,
                Kind::Folder | Kind::Device => {}
            }
        }
    }
    Ok(())
}
