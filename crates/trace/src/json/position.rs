//! Finds places in JSON text: the offset of a value, and the value around an offset.
//!
//! Reading keeps no positions, since good lines do not need them. Only when something is wrong is the line walked
//! again, by a scanner that is content with broken JSON too: it must get as far as the break.

use std::ops::ControlFlow;

use super::path::PathPart;

/// The offset of the value at a path. Where the text does not have it, the offset of the innermost value on the
/// way that it does have; of several that bear one name, the last.
pub(super) fn offset_of(text: &str, path: &[PathPart]) -> usize {
    let (mut deepest, mut found) = (0, text.len() - text.trim_start().len());
    walk(text, |levels, token| {
        let here: Vec<&PathPart> = levels.iter().filter_map(|level| level.part.as_ref()).collect();
        let on_the_way = here.len() >= deepest
            && here.len() == levels.len()
            && here.into_iter().eq(path.iter().take(levels.len()));
        if token.starts_value && on_the_way {
            (deepest, found) = (levels.len(), token.start);
        }
        ControlFlow::Continue(())
    });
    found
}

/// The path of the innermost value around an offset, and where the token there begins.
pub(super) fn around(text: &str, offset: usize) -> (Vec<PathPart>, usize) {
    let (mut path, mut start) = (Vec::new(), offset);
    walk(text, |levels, token| {
        if token.start > offset {
            return ControlFlow::Break(());
        }
        path = levels.iter().filter_map(|level| level.part.clone()).collect();
        // Where a comma is missing, the two values around it are fine: it is their object that is wrong.
        let finished = levels.last().is_some_and(|level| level.finished);
        if finished && token.text != "," {
            path.pop();
        }
        start = if offset < token.start + token.text.len() { token.start } else { offset };
        ControlFlow::Continue(())
    });
    (path, start)
}

/// One level of nesting that the walk is in.
struct Level {
    list: bool,
    /// The field or item that it is at; none before the name of a field.
    part: Option<PathPart>,
    /// Whether the value of that field or item has been passed.
    finished: bool,
}

struct Token<'t> {
    start: usize,
    text: &'t str,
    starts_value: bool,
}

fn walk(text: &str, mut visit: impl FnMut(&[Level], &Token<'_>) -> ControlFlow<()>) {
    let mut levels: Vec<Level> = Vec::new();
    let mut at = 0;
    while let Some((start, end)) = next_token(text, at) {
        at = end;
        let word = &text[start..end];
        let names_field =
            word.starts_with('"') && levels.last().is_some_and(|level| !level.list && level.part.is_none());
        if names_field {
            let name = serde_json::from_str(word).unwrap_or_else(|_| word.trim_matches('"').to_owned());
            set_part(&mut levels, Some(PathPart::Field(name)));
        } else if word == "," {
            let next = levels.last().and_then(|level| match level.part {
                Some(PathPart::Item(nth)) => Some(PathPart::Item(nth + 1)),
                _ => None,
            });
            set_part(&mut levels, next);
        } else if matches!(word, "}" | "]") {
            levels.pop();
        }
        let starts_value = !names_field && !matches!(word, "," | ":" | "}" | "]");
        if visit(&levels, &Token { start, text: word, starts_value }).is_break() {
            return;
        }
        match word {
            "{" => levels.push(Level { list: false, part: None, finished: false }),
            "[" => levels.push(Level { list: true, part: Some(PathPart::Item(0)), finished: false }),
            _ if starts_value || matches!(word, "}" | "]") => {
                if let Some(level) = levels.last_mut() {
                    level.finished = true;
                }
            }
            _ => {}
        }
    }
}

fn set_part(levels: &mut [Level], part: Option<PathPart>) {
    if let Some(level) = levels.last_mut() {
        level.part = part;
        level.finished = false;
    }
}

/// Start and end of the next token: a mark, a string, or a run of anything else.
fn next_token(text: &str, from: usize) -> Option<(usize, usize)> {
    let rest = &text[from..];
    let start = from + (rest.len() - rest.trim_start().len());
    let token = &text[start..];
    let length = match token.chars().next()? {
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        '"' => string_length(token),
        _ => {
            token.find(|char: char| "{}[],:\"".contains(char) || char.is_whitespace()).unwrap_or(token.len())
        }
    };
    Some((start, start + length))
}

fn string_length(token: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in token.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    token.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::path::name;
    use super::*;

    const LINE: &str =
        r#"{"event": {"do":"tap", "at":[12, 34]}, "after":{"activity":"a\"b"}, "x":[[1],[2,3]]}"#;

    fn field(name: &str) -> PathPart {
        PathPart::Field(name.to_owned())
    }

    #[test]
    fn a_path_leads_to_its_value() {
        let there = |path: &[PathPart]| &LINE[offset_of(LINE, path)..];
        assert!(there(&[field("event"), field("at"), PathPart::Item(1)]).starts_with("34]}"));
        assert!(there(&[field("after"), field("activity")]).starts_with(r#""a\"b"}"#));
        assert!(there(&[field("x"), PathPart::Item(1), PathPart::Item(0)]).starts_with("2,3"));
        assert!(there(&[]).starts_with(r#"{"event""#));
    }

    #[test]
    fn what_is_missing_is_looked_for_where_it_should_be() {
        let there = |path: &[PathPart]| &LINE[offset_of(LINE, path)..];
        assert!(there(&[field("event"), field("hold")]).starts_with(r#"{"do""#));
        assert!(there(&[field("crash"), field("kind")]).starts_with(r#"{"event""#));
    }

    #[test]
    fn of_two_the_last_is_meant() {
        let text = r#"{"a":{"do":1,"do":2}}"#;
        assert_eq!(offset_of(text, &[field("a"), field("do")]), 18);
    }

    #[test]
    fn an_offset_leads_back_to_its_path() {
        for (text, path) in
            [("34", "event.at[1]"), ("\"tap", "event.do"), ("a\\", "after.activity"), ("3]]", "x[1][1]")]
        {
            let offset = LINE.find(text).unwrap();
            assert_eq!(name(&around(LINE, offset).0), path, "{text}");
        }
    }

    #[test]
    fn a_missing_comma_is_the_fault_of_the_object() {
        let text = r#"{"event":{"do":"tap" "at":[1,2]}}"#;
        assert_eq!(name(&around(text, text.find("\"at\"").unwrap()).0), "event");
    }

    #[test]
    fn broken_text_is_walked_as_far_as_it_goes() {
        let text = r#"{"event":{"do":"tap","at":[-Infinity,1]}}"#;
        let (path, start) = around(text, text.find("Infinity").unwrap());
        assert_eq!((name(&path).as_str(), &text[start..start + 9]), ("event.at[0]", "-Infinity"));
    }

    proptest! {
        #[test]
        fn any_text_can_be_walked(text in r#"[\[\]{}",:\\a-zé1 ]{0,40}"#, offset in 0_usize..50) {
            let (path, _) = around(&text, offset);
            prop_assert!(offset_of(&text, &path) <= text.len());
        }
    }
}
