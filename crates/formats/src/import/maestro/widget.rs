//! Which widget or place a command of Maestro means.

use retap_trace::{Aim, Point, Selector, Size};

use super::Flow;
use super::yaml::{Node, Yaml};
use crate::import::ImportError;
use crate::import::numbers::whole;

/// What says nothing of the widget.
const PASSED_OVER: [&str; 6] =
    ["label", "repeat", "delay", "retryTapIfNoChange", "waitToSettleTimeoutMs", "waitUntilVisible"];
/// What narrows the choice among widgets of the same name; retap does not look at it.
const STATES: [&str; 4] = ["enabled", "checked", "focused", "selected"];

impl Flow<'_> {
    /// The aim of a command: `tapOn: Save`, `tapOn: {id: save, index: 1}`, `tapOn: {point: "50%,50%"}`.
    pub(super) fn aim(&mut self, command: &str, node: &Node) -> Result<Aim, ImportError> {
        if let Some(point) = node.field("point") {
            let named = ["text", "id"].iter().any(|name| node.field(name).is_some());
            if named {
                return Err(self.refused(
                    point.line,
                    format!("{command} at a point of a widget; retap aims at its middle"),
                ));
            }
            for (name, value) in node.fields().iter().filter(|(name, _)| name != "point") {
                self.besides(command, name, value)?;
            }
            let text = self.plain(point)?;
            return self.point(point.line, &text).map(Aim::place);
        }
        self.widget(command, node).map(Aim::anywhere)
    }

    pub(super) fn widget(&mut self, command: &str, node: &Node) -> Result<Selector, ImportError> {
        if let Yaml::Text(_) = node.value {
            let words = Some(self.literal(node, Name::Text)?.into());
            return Ok(Selector { words, ..Selector::default() });
        }
        let mut widget = Selector::default();
        for (name, value) in node.fields() {
            match name.as_str() {
                "text" => widget.words = Some(self.literal(value, Name::Text)?.into()),
                "id" => widget.id = Some(self.literal(value, Name::Id)?.into()),
                "index" => {
                    let index = value.number().and_then(|index| u32::try_from(index).ok());
                    let index =
                        index.ok_or_else(|| self.refused(value.line, "an index is a whole number from 0"))?;
                    (widget.id_index, widget.label_index) = (Some(index), Some(index));
                }
                name => self.besides(command, name, value)?,
            }
        }
        if widget.id.is_none() {
            widget.id_index = None;
        }
        if widget.words.is_none() {
            widget.label_index = None;
        }
        if widget.named() {
            return Ok(widget);
        }
        Err(self.refused(node.line, format!("{command} without a widget; name it by its id or its text")))
    }

    /// A field that names neither a widget nor a place.
    fn besides(&mut self, command: &str, name: &str, value: &Node) -> Result<(), ImportError> {
        let what = match name {
            _ if PASSED_OVER.contains(&name) => return Ok(()),
            "optional" => return self.optional(command, value),
            _ if STATES.contains(&name) => {
                self.made.skip(format!("the condition '{name}' of a widget"), Some(value.line));
                return Ok(());
            }
            "longPress" => {
                format!("{command} with longPress, which Maestro does not know; write longPressOn")
            }
            _ => format!("{command} by '{name}'; name the widget by its id or its text"),
        };
        Err(self.refused(value.line, what))
    }

    /// A name of a widget.
    fn literal(&self, node: &Node, name: Name) -> Result<String, ImportError> {
        let pattern = self.plain(node)?;
        match literal(&pattern, name) {
            Some(text) if !text.is_empty() => Ok(text),
            Some(_) => Err(self.refused(node.line, "a widget with an empty name; name it by what it shows")),
            None => {
                let what = match name {
                    Name::Id => "id of the widget",
                    Name::Text => "text that the widget shows",
                };
                let why = format!(
                    "'{pattern}' is a regular expression; write the whole {what}, with \\ before signs that mean themselves"
                );
                Err(self.refused(node.line, why))
            }
        }
    }

    /// `100, 200` or `50%,50%`.
    pub(super) fn point(&self, line: usize, text: &str) -> Result<Point, ImportError> {
        let wrong = || self.refused(line, format!("'{text}' is no place; write 100,200 or 50%,50%"));
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let pixels = |part: &str, of: fn(Size) -> u32| -> Result<i32, ImportError> {
            let part = part.trim();
            let number = |text: &str| text.trim().parse::<f64>().ok();
            match part.strip_suffix('%') {
                Some(percent) => {
                    let screen = self.screen(line, "a place in percent")?;
                    let share = number(percent).map(|percent| percent * f64::from(of(screen)) / 100.0);
                    share.and_then(whole).ok_or_else(wrong)
                }
                None => number(part).and_then(whole).ok_or_else(wrong),
            }
        };
        Ok(Point::new(pixels(x, |screen| screen.width)?, pixels(y, |screen| screen.height)?))
    }

    /// The size of the screen, which this needs.
    pub(super) fn screen(&self, line: usize, what: &str) -> Result<Size, ImportError> {
        let why = format!("{what} needs the size of the screen; add --screen WIDTHxHEIGHT");
        self.screen.ok_or_else(|| self.refused(line, why))
    }
}

/// By which name of a widget Maestro looks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    /// The id matches the regular expression.
    Id,
    /// A text matches the regular expression, or is what stands there, letter by letter.
    Text,
}

/// The name that a pattern matches alone; nothing when it is meant for several. A dot is taken for itself, and where a text is
/// compared letter by letter so are brackets, `+` and question marks: they are usual in texts (`C++`, `Tags (3)`).
fn literal(pattern: &str, name: Name) -> Option<String> {
    let (whole, pattern) = (pattern, unanchored(pattern));
    // Texts do not have the `\` that a pattern is written with, nor both of its ends.
    let by_letters = name == Name::Text && !whole.contains('\\');
    let by_letters = match whole.len() - pattern.len() {
        0 => by_letters,
        // By `US$` Maestro finds "US" and "US$".
        1 if by_letters => return None,
        _ => false,
    };
    if is_group(pattern) {
        return None;
    }
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    let mut last = None;
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let before = last.replace(letter);
        match (letter, next) {
            ('\\', Some(escaped)) if escaped.is_ascii_alphanumeric() => return None,
            ('\\', Some(escaped)) => {
                text.push(escaped);
                letters.next();
            }
            ('.' | ')' | ']', Some('*' | '+' | '{')) | ('.' | '(', Some('?')) | ('|' | '[', _) => {
                return None;
            }
            ('*' | '+' | '?' | '(' | ')' | '{' | '^' | '$', _) if !by_letters => return None,
            ('*', _) if before.is_some_and(char::is_alphanumeric) => return None,
            ('{', _) if before.is_some() && is_count(letters.clone()) => return None,
            _ => text.push(letter),
        }
    }
    Some(text)
}

/// The pattern without `^` in front and `$` at the end: it is of the whole name anyway.
fn unanchored(pattern: &str) -> &str {
    let escaped = |before: &str| before.chars().rev().take_while(|letter| *letter == '\\').count() % 2 == 1;
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    pattern.strip_suffix('$').filter(|before| !escaped(before)).unwrap_or(pattern)
}

/// Whether these letters are how often something comes, as behind the bracket of `{2,3}`.
fn is_count(letters: impl Iterator<Item = char>) -> bool {
    let mut letters = letters.peekable();
    let number = letters.peek().is_some_and(char::is_ascii_digit);
    number && letters.find(|letter| !letter.is_ascii_digit() && *letter != ',') == Some('}')
}

/// Whether the whole is in a pair of brackets: `(Save)`, and not `(a) or (b)`.
fn is_group(pattern: &str) -> bool {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, letter) in pattern.char_indices() {
        match letter {
            _ if escaped => {
                escaped = false;
                continue;
            }
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at > 0 && at + 1 == pattern.len() && letter == ')';
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_text_unless_it_is_a_pattern() {
        for (pattern, text) in [
            ("Save", "Save"),
            ("Tags (3)", "Tags (3)"),
            ("Really?", "Really?"),
            ("com.example:id/a", "com.example:id/a"),
            (r"org\.retap\.notes:id/new", "org.retap.notes:id/new"),
            (r"a\*\[b\] \$\{x\}", "a*[b] ${x}"),
            ("C++", "C++"),
            ("$5", "$5"),
            ("^Save$", "Save"),
            (r"\^Save\$", "^Save$"),
            (r"Save\\$", r"Save\"),
            ("(a) or (b)", "(a) or (b)"),
            (r"\(Save\)", "(Save)"),
            ("Name *", "Name *"),
            ("{2} of {x}", "{2} of {x}"),
            ("a {}", "a {}"),
            ("US$5", "US$5"),
            (r"US\$", "US$"),
            (r"Really\?$", "Really?"),
            (r"Loading\.\*", "Loading.*"),
        ] {
            assert_eq!(literal(pattern, Name::Text).as_deref(), Some(text), "{pattern}");
        }
        for pattern in [
            ".*Save.*",
            "Item .+",
            r"\d items",
            "a|b",
            "[0-9]x",
            "(?i)save",
            "Item.?",
            "a{2}",
            "a{2,}",
            "ab*",
            "(Save)",
            "^(Save)$",
            "((a) b)",
        ] {
            assert_eq!(literal(pattern, Name::Text), None, "{pattern}");
            assert_eq!(literal(pattern, Name::Id), None, "{pattern}");
        }
    }

    /// Maestro finds a text by the pattern and by what stands there; which one is meant, nothing tells.
    #[test]
    fn one_end_of_a_text_alone_is_refused() {
        for pattern in ["US$", "R$", "^_^", "^Save", "Save$", "^", "$"] {
            assert_eq!(literal(pattern, Name::Text), None, "{pattern}");
        }
        for pattern in ["^save", "save$", "^save$"] {
            assert_eq!(literal(pattern, Name::Id).as_deref(), Some("save"), "{pattern}");
        }
    }

    /// What has `\` or both ends of a pattern is no text letter by letter, and an id never is.
    #[test]
    fn signs_of_what_is_a_pattern_alone_are_no_letters() {
        for pattern in [
            r"Loading\.*",
            r"a\++",
            r"Really\.?",
            r"\.{3}",
            r"\$5 (net)",
            r"\^_^",
            r"\+$+",
            "^C++$",
            "^Tags (3)$",
        ] {
            assert_eq!(literal(pattern, Name::Text), None, "{pattern}");
        }
        for pattern in ["row (3)", "c++", "really?", "name *", "a {}", "a$b", "a^b"] {
            assert_eq!(literal(pattern, Name::Id), None, "{pattern}");
        }
        for (pattern, id) in [("com.example:id/a", "com.example:id/a"), (r"row \(3\)", "row (3)")] {
            assert_eq!(literal(pattern, Name::Id).as_deref(), Some(id), "{pattern}");
        }
    }
}
