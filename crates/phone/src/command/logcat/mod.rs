//! `logcat`: the log, up to now or as it goes on.

mod options;
mod print;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use options::{Since, Wanted};

use crate::phone::LogRecord;
use crate::shell::{CommandOutcome, End, Process};

/// How often somebody who follows looks for more.
const GLANCE: Duration = Duration::from_millis(20);

pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let now = process.phone().with(|state| state.now());
    let wanted = match Wanted::read(process.args(), now) {
        Ok(wanted) => wanted,
        Err(why) => return process.fail(1, why),
    };
    if wanted.clear {
        process.phone().with(|state| state.world.log.clear(&wanted.buffers));
        return Ok(0);
    }
    follow(process, &wanted)
}

fn follow(process: &Process<'_>, wanted: &Wanted) -> CommandOutcome {
    let (mut lines, mut next) = read(process, wanted, 0);
    if let Since::Last(count) = wanted.since {
        lines.drain(..lines.len().saturating_sub(count));
    }
    let mut printer = print::Printer::new(wanted);
    loop {
        process.put(printer.print(&lines))?;
        if !wanted.follows {
            return Ok(0);
        }
        if process.shell.cancel.is_set() || process.streams.out.is_gone() {
            return Err(End::Broken);
        }
        thread::sleep(GLANCE);
        (lines, next) = read(process, wanted, next);
    }
}

fn read(process: &Process<'_>, wanted: &Wanted, from: u64) -> (Vec<Arc<LogRecord>>, u64) {
    process.phone().with(|state| {
        let log = &state.world.log;
        let lines = log.from(from).filter(|(_, entry)| wanted.fits(entry));
        (lines.map(|(_, entry)| entry.clone()).collect(), log.next())
    })
}

/// `log`: writes a line into the log.
pub(super) fn log(process: &mut Process<'_>) -> CommandOutcome {
    let mut args = super::options::Options::new(process.args());
    let (mut level, mut tag) = ('I', "log".to_owned());
    while let Some(option) = args.option() {
        match &*option {
            "-p" => {
                level = args.next().and_then(|word| word.chars().next()).unwrap_or('i').to_ascii_uppercase();
            }
            "-t" => tag = args.next().unwrap_or_default(),
            _ => {}
        }
    }
    let text = args.rest().join(" ");
    process.phone().with(|state| state.note(level, &tag, &text));
    Ok(0)
}
