//! `cut`: parts of lines.

use super::options::Options;
use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let (mut delimiter, mut ranges) = ("\t".to_owned(), Vec::new());
    let mut paths = Vec::new();
    while let Some(arg) = args.next() {
        let (name, joined) =
            if arg.len() > 2 && arg.starts_with('-') { arg.split_at(2) } else { (&*arg, "") };
        let mut value =
            || if joined.is_empty() { args.next().unwrap_or_default() } else { joined.to_owned() };
        match name {
            "-d" => delimiter = value(),
            "-f" => ranges = read_ranges(&value()),
            flag if flag.starts_with('-') => return process.fail(1, format!("cut: Unknown option '{flag}'")),
            _ => paths.push(arg),
        }
    }
    if ranges.is_empty() {
        return process.fail(1, "cut: no -f");
    }
    let text = process.text_of(&paths)?;
    let mut out = String::new();
    for line in text.lines() {
        if line.contains(&*delimiter) {
            let fields = line.split(&*delimiter).enumerate().filter(|(place, _)| chosen(&ranges, *place));
            out.push_str(&fields.map(|(_, field)| field).collect::<Vec<_>>().join(&delimiter));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    process.put(out)?;
    Ok(0)
}

fn chosen(ranges: &[(usize, usize)], place: usize) -> bool {
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&(place + 1)))
}

fn read_ranges(text: &str) -> Vec<(usize, usize)> {
    let range = |part: &str| match part.split_once('-') {
        Some((from, to)) => Some((from.parse().unwrap_or(1), to.parse().unwrap_or(usize::MAX))),
        None => part.parse().ok().map(|place| (place, place)),
    };
    text.split(',').filter_map(range).collect()
}
