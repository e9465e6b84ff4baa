//! `head` and `tail`, and the text that such programs read.

use super::options::Options;
use super::read_file;
use crate::shell::{End, Outcome, Process};

impl Process<'_> {
    /// The text of files, or of the input when there are none.
    pub(super) fn text_of(&self, paths: &[String]) -> Result<String, End> {
        let mut bytes = Vec::new();
        if paths.is_empty() {
            bytes = self.streams.input.read_all();
        }
        for path in paths {
            let place = self.path(path);
            match self.phone().with(|state| read_file(state, &place)) {
                Ok(content) => bytes.extend_from_slice(&content),
                Err(error) => self.streams.err.line(format!("{}: {path}: {error}", self.name()))?,
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// How many, of what, and where from.
struct Wanted {
    count: usize,
    bytes: bool,
    /// `tail -n +3`: from the third on.
    from: bool,
    paths: Vec<String>,
}

fn read(args: &[String]) -> Wanted {
    let mut wanted = Wanted { count: 10, bytes: false, from: false, paths: Vec::new() };
    let mut args = Options::new(args);
    while let Some(arg) = args.next() {
        let Some(flag) = arg.strip_prefix('-').filter(|flag| !flag.is_empty()) else {
            wanted.paths.push(arg);
            continue;
        };
        let number = match flag.strip_prefix(['n', 'c']) {
            Some("") => args.next().unwrap_or_default(),
            Some(joined) => joined.to_owned(),
            None => flag.to_owned(),
        };
        wanted.bytes |= flag.starts_with('c');
        wanted.from |= number.starts_with('+');
        wanted.count = number.trim_start_matches('+').parse().unwrap_or(wanted.count);
    }
    wanted
}

pub(super) fn head(process: &mut Process<'_>) -> Outcome {
    let wanted = read(process.args());
    if wanted.paths.is_empty() && !wanted.bytes {
        // Whoever has seen enough stops reading, and whoever writes notices.
        for _ in 0..wanted.count {
            let Some(line) = process.streams.input.read_line() else { break };
            process.put([line, b"\n".to_vec()].concat())?;
        }
        return Ok(0);
    }
    let text = process.text_of(&wanted.paths)?;
    if wanted.bytes {
        process.put(&text.as_bytes()[..wanted.count.min(text.len())])?;
    } else {
        process.put(text.split_inclusive('\n').take(wanted.count).collect::<String>())?;
    }
    Ok(0)
}

pub(super) fn tail(process: &mut Process<'_>) -> Outcome {
    let wanted = read(process.args());
    let text = process.text_of(&wanted.paths)?;
    if wanted.bytes {
        process.put(&text.as_bytes()[text.len().saturating_sub(wanted.count)..])?;
        return Ok(0);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let skipped =
        if wanted.from { wanted.count.saturating_sub(1) } else { lines.len().saturating_sub(wanted.count) };
    process.put(lines.get(skipped..).unwrap_or_default().concat())?;
    Ok(0)
}
