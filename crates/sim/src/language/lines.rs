//! Indentation: a file becomes a tree of lines, two spaces a level. Empty lines and comments are gone after it.

use super::error::{Checked, Place};
use super::limit;

/// A line and the lines below it that belong to it.
#[derive(Debug)]
pub(super) struct Line {
    /// Where its first character stands.
    pub(super) place: Place,
    /// What it says, without the indentation.
    pub(super) text: String,
    /// The lines that are indented under it.
    pub(super) children: Vec<Self>,
}

/// The lines of a file that are not indented, each with the lines under it.
pub(super) fn tree(file: u32, source: &str) -> Checked<Vec<Line>> {
    let mut roots = Vec::new();
    // The last line of each level, which the next deeper one belongs to.
    let mut open: Vec<Line> = Vec::new();
    for (number, raw) in source.strip_prefix('\u{feff}').unwrap_or(source).lines().enumerate() {
        let content = raw.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let line = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let level = level(Place { file, line, column: 1 }, raw, open.len())?;
        fold(&mut open, &mut roots, level);
        let column = u32::try_from(2 * level + 1).unwrap_or(u32::MAX);
        let text = raw[2 * level..].trim_end().to_owned();
        open.push(Line { place: Place { file, line, column }, text, children: Vec::new() });
    }
    fold(&mut open, &mut roots, 0);
    Ok(roots)
}

/// Closes lines until only `level` of them are open.
fn fold(open: &mut Vec<Line>, roots: &mut Vec<Line>, level: usize) {
    while open.len() > level {
        let Some(done) = open.pop() else { break };
        match open.last_mut() {
            Some(parent) => parent.children.push(done),
            None => roots.push(done),
        }
    }
}

/// How deep a line is indented; `deepest` is as deep as it may be after the line before it.
fn level(start: Place, raw: &str, deepest: usize) -> Checked<usize> {
    let spaces = raw.bytes().take_while(|&byte| byte == b' ').count();
    let here = Place { column: u32::try_from(spaces + 1).unwrap_or(u32::MAX), ..start };
    if raw[spaces..].starts_with('\t') {
        return Err(here.fault("a tab cannot indent a line; use two spaces for each level"));
    }
    if !spaces.is_multiple_of(2) {
        return Err(here.fault(format!(
            "the indentation of this line has an odd number of spaces ({spaces}); use two for each level",
        )));
    }
    let level = spaces / 2;
    if level > deepest {
        let fix = match deepest {
            0 => "start it at the left edge".to_owned(),
            _ => format!("indent it by at most {} spaces", 2 * deepest),
        };
        return Err(here.fault(format!("this line is indented too far under the one above; {fix}")));
    }
    if level > limit::NESTING {
        let limit = limit::NESTING;
        return Err(here.fault(format!("lines nest at most {limit} levels deep; split this part up")));
    }
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(lines: &[Line]) -> String {
        let parts: Vec<String> =
            lines.iter().map(|line| format!("{}({})", line.text, shape(&line.children))).collect();
        parts.concat()
    }

    #[test]
    fn indentation_makes_a_tree() {
        let source = "\u{feff}a\n\n  b # kept for the tokens\r\n    c\n  # gone\n  d\ne\n";
        let lines = tree(3, source).unwrap();
        assert_eq!(shape(&lines), "a(b # kept for the tokens(c())d())e()");
        assert_eq!(lines[0].children[0].children[0].place, Place { file: 3, line: 4, column: 5 });
    }

    #[test]
    fn deep_nesting_is_refused_and_the_limit_is_not() {
        let deep =
            |levels: usize| (0..=levels).map(|level| " ".repeat(2 * level) + "x\n").collect::<String>();
        assert!(tree(0, &deep(limit::NESTING)).is_ok());
        assert!(tree(0, &deep(limit::NESTING + 1)).unwrap_err().message.contains("64"));
    }
}
