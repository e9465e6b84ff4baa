//! Tombstones: what `debuggerd` prints when a signal ends a process.

use super::log::lines;
use super::{Crash, CrashKind, Frame, NoCrash, is_process_of};

/// One tombstone, as far as it was told.
#[derive(Debug, Default)]
struct Tombstone<'t> {
    process: Option<&'t str>,
    signal: Option<&'t str>,
    message: Vec<&'t str>,
    frames: Vec<Frame>,
}

pub(super) fn parse(text: &str, package: &str) -> Result<Crash, NoCrash> {
    let tombstones = tombstones(text);
    let is_ours =
        |stone: &&Tombstone<'_>| stone.process.is_none_or(|process| is_process_of(process, package));
    let ours = || tombstones.iter().filter(is_ours);
    // A log tells of the signal in one line first, and with the stack later.
    let best =
        ours().find(|stone| stone.process.is_some() && !stone.frames.is_empty()).or_else(|| ours().next());
    // That one line names no process. Once it is known whose tombstone follows, it cannot be ours.
    let other =
        tombstones.iter().filter_map(|stone| stone.process).find(|process| !is_process_of(process, package));
    match (best, other) {
        (Some(stone), None) => Ok(crash(stone, package)),
        (Some(stone), Some(_)) if stone.process.is_some() => Ok(crash(stone, package)),
        (_, Some(process)) => {
            Err(NoCrash::OtherProcess { process: process.to_owned(), package: package.to_owned() })
        }
        (None, None) => Err(NoCrash::Nothing { what: "native crash" }),
    }
}

fn crash(stone: &Tombstone<'_>, package: &str) -> Crash {
    let signal = stone.signal.unwrap_or_default();
    Crash::new(CrashKind::Native, signal, stone.message.join("; "), None, stone.frames.clone(), package)
}

/// All that have a signal.
fn tombstones(text: &str) -> Vec<Tombstone<'_>> {
    let mut stones = vec![Tombstone::default()];
    for line in lines(text) {
        let line = line.text.trim();
        if line.starts_with("*** *** ***") {
            stones.push(Tombstone::default());
        }
        let Some(stone) = stones.last_mut() else { continue };
        if let Some((_, rest)) = line.split_once(">>> ") {
            stone.process = rest.split_once(" <<<").map(|(process, _)| process.trim()).or(stone.process);
        } else if let Some(message) = line.strip_prefix("Abort message: ") {
            stone.message.push(message.trim_matches(['\'', '"']));
        } else if let Some(frame) = frame(line) {
            stone.frames.push(frame);
        } else if stone.signal.is_none()
            && let Some((signal, rest)) = signal(line)
        {
            stone.signal = Some(signal);
            stone.message.extend((!rest.is_empty()).then_some(rest));
        }
    }
    stones.retain(|stone| stone.signal.is_some());
    for stone in &mut stones {
        end_at_second_thread(&mut stone.frames);
    }
    stones
}

/// After the thread that crashed come the others. Frames count up from #00 in each.
fn end_at_second_thread(frames: &mut Vec<Frame>) {
    let number =
        |frame: &Frame| frame.0[1..].split(' ').next().and_then(|number| number.parse::<usize>().ok());
    let first = frames.iter().enumerate().take_while(|(nth, frame)| number(frame) == Some(*nth)).count();
    frames.truncate(first);
    for frame in frames {
        frame.0 = frame.0.split_once(' ').map_or_else(String::new, |(_, rest)| rest.trim_start().to_owned());
    }
}

/// `#00 pc 0001a2b3  /system/lib/libc.so (abort+12)`
fn frame(line: &str) -> Option<Frame> {
    let (number, rest) = line.strip_prefix('#')?.split_once(char::is_whitespace)?;
    let is_frame = number.parse::<usize>().is_ok() && rest.trim_start().starts_with("pc ");
    is_frame.then(|| Frame(format!("#{number} {}", rest.trim_start())))
}

/// `signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0`, also after `Fatal`.
fn signal(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("Fatal ").unwrap_or(line).strip_prefix("signal ")?;
    let (number, rest) = rest.split_once(" (")?;
    let (signal, rest) = rest.split_once(')')?;
    let named =
        signal.starts_with("SIG") && signal.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (named && number.parse::<u8>().is_ok()).then(|| (signal, rest.trim_start_matches([',', ' '])))
}
