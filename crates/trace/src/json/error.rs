//! What is wrong with a piece of JSON, and where.

use serde_json::error::Category;

use super::Wrong;
use super::path::{self, PathPart};
use super::position;

/// Why JSON text could not be read: the place, the field, and what to do.
///
/// Lines and columns count from 1; columns count characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {}", in_words(field, message))]
pub struct JsonError {
    /// The line in the text.
    pub line: u64,
    /// The column in the line.
    pub column: u64,
    /// The field, such as `nodes[3].bounds`; empty when the text as a whole is meant.
    pub field: String,
    /// What is wrong and what to do.
    pub message: String,
    /// Whether this is no JSON at all, rather than JSON with a wrong meaning.
    pub(crate) syntax: bool,
    /// Whether the text ends in the middle of a value.
    pub(crate) cut: bool,
}

impl JsonError {
    /// The text is JSON, but a field means nothing.
    pub(crate) fn wrong(text: &str, wrong: Wrong) -> Self {
        let (line, column) = line_and_column(text, position::offset_of(text, &wrong.at));
        Self { line, column, field: wrong.field(), message: wrong.message, syntax: false, cut: false }
    }

    /// The text is not JSON.
    pub(super) fn syntax(text: &str, error: &serde_json::Error) -> Self {
        let cut = error.classify() == Category::Eof;
        let offset = offset_of(text, error.line(), error.column());
        let (path, start) = position::around(text, offset);
        let word = text[start..].split(|char: char| "{}[],:\"".contains(char) || char.is_whitespace());
        let (offset, message) = match explain(word.into_iter().next().unwrap_or_default(), &path) {
            Some(message) if !cut => (start, message),
            _ => {
                let full = error.to_string();
                let said = full.rsplit_once(" at line ").map_or(full.as_str(), |(said, _)| said);
                (offset, format!("this is not JSON: {said}"))
            }
        };
        let (line, column) = line_and_column(text, offset);
        Self { line, column, field: path::name(&path), message, syntax: true, cut }
    }
}

/// A field and what is said about it, or only that when the whole line is meant.
pub(crate) fn in_words(field: &str, message: &str) -> String {
    if field.is_empty() { message.to_owned() } else { format!("{field}: {message}") }
}

/// Words that other languages print where JSON has none.
fn explain(word: &str, path: &[PathPart]) -> Option<String> {
    let bare = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    match bare.as_str() {
        "nan" | "inf" | "infinity" => {
            let names = |names: &[&str]| matches!(path, [.., PathPart::Field(name), PathPart::Item(_)] if names.contains(&name.as_str()));
            let hint =
                if names(&["at", "to"]) { "coordinates are whole numbers" } else { "write a whole number" };
            Some(format!("{word} is not a JSON number; {hint}"))
        }
        "none" | "nil" | "undefined" => {
            Some(format!("{word} is not JSON; write null, or leave the field out"))
        }
        "true" | "false" if word != bare => Some(format!("{word} is not JSON; write {bare}")),
        _ if word.starts_with('\'') => {
            Some("JSON strings stand in double quotes, not in single ones".to_owned())
        }
        _ => None,
    }
}

/// serde counts lines and bytes from 1; at the end of the text it counts one less.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut offset = (before + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn line_and_column(text: &str, offset: usize) -> (u64, u64) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line as u64, before[line_start..].chars().count() as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::super::Json;

    fn said(text: &str) -> String {
        Json::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn words_of_other_languages_are_explained() {
        assert_eq!(
            said(r#"{"event":{"do":"tap","at":[NaN,1]}}"#),
            "1:28: event.at[0]: NaN is not a JSON number; coordinates are whole numbers"
        );
        assert_eq!(
            said(r#"{"event":{"do":"tap","at":[0,-Infinity]}}"#),
            "1:30: event.at[1]: -Infinity is not a JSON number; coordinates are whole numbers"
        );
        assert_eq!(said(r#"{"at": nan}"#), "1:8: at: nan is not a JSON number; write a whole number");
        assert_eq!(said(r#"{"at":None}"#), "1:7: at: None is not JSON; write null, or leave the field out");
        assert_eq!(said(r#"{"keyboard":True}"#), "1:13: keyboard: True is not JSON; write true");
        assert_eq!(said("{'at':1}"), "1:2: JSON strings stand in double quotes, not in single ones");
    }

    #[test]
    fn other_breaks_are_named_with_their_place() {
        assert_eq!(
            said(r#"{"event":{"do":"tap" "at":[1,2]}}"#),
            "1:22: event: this is not JSON: expected `,` or `}`"
        );
        assert_eq!(said(r#"{"é":1,}"#), "1:8: this is not JSON: trailing comma");
        assert_eq!(said("{\"a\":1,\n \"b\" 2}"), "2:6: b: this is not JSON: expected `:`");
        assert_eq!(said("{} {}"), "1:4: this is not JSON: trailing characters");
    }

    #[test]
    fn a_text_that_ends_too_early_is_cut() {
        for text in [r#"{"a":"#, r#"{"a":"b"#, r#"{"a":[1"#, r#"{"a":tru"#, "{"] {
            assert!(Json::parse(text).unwrap_err().cut, "{text}");
        }
        assert!(!Json::parse("{]").unwrap_err().cut);
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(Json::parse(&nested(127)).is_ok());
        assert!(said(&nested(128)).contains("recursion limit exceeded"));
        assert!(said(&"[".repeat(100_000)).contains("recursion limit exceeded"));
    }
}
