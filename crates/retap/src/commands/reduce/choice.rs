//! Which crash of an exploration is meant. Nothing is chosen silently.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use retap_job::explore::{Crashed, crashes_in, crashes_named};
use retap_trace::{Signature, Target};

use retap_show::quoted_path;

use crate::commands::quoted;
use crate::output::count;

/// The trace of the one crash in the folder of an exploration that is meant.
pub(super) fn one(dir: &Path, crash: Option<&str>, to: Option<&Target>) -> anyhow::Result<PathBuf> {
    let all = every(dir)?;
    let wanted = match (crash, to) {
        (Some(words), _) => named(&all, words, dir)?,
        (None, Some(Target::Crash(Signature(signature)))) => {
            let exactly: Vec<&Crashed> = all.iter().filter(|known| *known.signature == **signature).collect();
            ensure!(
                !exactly.is_empty(),
                "{} has no crash {signature}; it has{}",
                dir.display(),
                list(&all.iter().collect::<Vec<_>>())
            );
            exactly
        }
        (None, Some(_)) if all.len() > 1 => bail!(
            "{} has {}, each with a trace of its own; with --to, name the trace:{}",
            dir.display(),
            crashes(all.len()),
            lines(&all, |known| format!("retap reduce {}", quoted_path(&known.trace)))
        ),
        (None, _) => all.iter().collect(),
    };
    match &wanted[..] {
        [known] => Ok(known.trace.clone()),
        several => bail!(
            "{}; name one with --crash, or reduce each with --all:{}",
            match crash {
                Some(words) =>
                    format!("--crash {words} fits {} of {}", crashes(several.len()), dir.display()),
                None => format!("{} has {}", dir.display(), crashes(several.len())),
            },
            lines(several, |known| format!(
                "retap reduce {} --crash {}",
                quoted_path(dir),
                quoted(&known.signature)
            ))
        ),
    }
}

/// All crashes in the folder of an exploration: at least one.
pub(super) fn every(dir: &Path) -> anyhow::Result<Vec<Crashed>> {
    let all = crashes_in(dir)?;
    ensure!(!all.is_empty(), "{} has no crash to reduce", dir.display());
    Ok(all)
}

/// The crashes that these words mean: at least one.
fn named<'a>(all: &'a [Crashed], words: &str, dir: &Path) -> anyhow::Result<Vec<&'a Crashed>> {
    let fits = crashes_named(all, words);
    ensure!(
        !fits.is_empty(),
        "{} has no crash whose signature contains '{words}'; it has{}",
        dir.display(),
        list(&all.iter().collect::<Vec<_>>())
    );
    Ok(fits)
}

fn list(known: &[&Crashed]) -> String {
    known.iter().map(|known| format!(" {}", known.signature)).collect::<Vec<_>>().join(",")
}

fn lines<T: std::borrow::Borrow<Crashed>>(known: &[T], command: impl Fn(&Crashed) -> String) -> String {
    let mut text = String::new();
    for known in known.iter().map(std::borrow::Borrow::borrow) {
        let events = count(known.events as u64, "event");
        write!(text, "\n  {} (a trace of {events})\n    {}", known.signature, command(known))
            .expect("memory takes all");
    }
    text
}

fn crashes(number: usize) -> String {
    if number == 1 { "1 crash".to_owned() } else { format!("{number} crashes") }
}
