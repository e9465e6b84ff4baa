//! Words: text, quotes and variables.

use super::parse::{ParseError, Parser};
use super::tree::{Part, Word};

type Parsed<T> = Result<T, ParseError>;

/// What ends a word outside quotes.
const ENDS: &str = " \t\r\n;&|()<>";

impl Parser<'_> {
    /// The next word; none where a word cannot begin.
    pub(super) fn word(&mut self) -> Parsed<Option<Word>> {
        self.skip_blanks();
        if self.peek().is_none_or(|next| ENDS.contains(next)) {
            return Ok(None);
        }
        let mut parts = Vec::new();
        while let Some(next) = self.peek().filter(|next| !ENDS.contains(*next)) {
            self.at += next.len_utf8();
            match next {
                '\'' => {
                    let rest = &self.text[self.at..];
                    let end = rest.find('\'').ok_or(ParseError::Incomplete)?;
                    push(&mut parts, &rest[..end]);
                    self.at += end + 1;
                }
                '"' => self.double_quoted(&mut parts)?,
                '\\' => match self.peek() {
                    None => push(&mut parts, "\\"),
                    Some('\n') => self.at += 1,
                    Some(escaped) => {
                        self.at += escaped.len_utf8();
                        push(&mut parts, escaped.encode_utf8(&mut [0; 4]));
                    }
                },
                '$' | '`' => self.dollar(next, &mut parts, false)?,
                _ => push(&mut parts, next.encode_utf8(&mut [0; 4])),
            }
        }
        Ok(Some(Word(parts)))
    }

    fn double_quoted(&mut self, parts: &mut Vec<Part>) -> Parsed<()> {
        // Quotes around nothing are a word as well.
        push(parts, "");
        loop {
            let next = self.peek().ok_or(ParseError::Incomplete)?;
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(()),
                '\\' => {
                    let escaped = self.peek().ok_or(ParseError::Incomplete)?;
                    self.at += escaped.len_utf8();
                    if !"\"\\$`\n".contains(escaped) {
                        push(parts, "\\");
                    }
                    if escaped != '\n' {
                        push(parts, escaped.encode_utf8(&mut [0; 4]));
                    }
                }
                '$' | '`' => self.dollar(next, parts, true)?,
                _ => push(parts, next.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// What follows a dollar sign. Outputs of commands cannot be put in.
    fn dollar(&mut self, sign: char, parts: &mut Vec<Part>, quoted: bool) -> Parsed<()> {
        if sign == '`' || self.peek() == Some('(') {
            return Err(ParseError::Unexpected(sign.to_string()));
        }
        let braces = self.eat("{");
        let name = if self.eat("?") { "?" } else { self.name() }.to_owned();
        if braces && (name.is_empty() || !self.eat("}")) {
            return Err(self.unexpected());
        }
        if name.is_empty() {
            push(parts, "$");
        } else {
            parts.push(Part::Var { name, quoted });
        }
        Ok(())
    }
}

fn push(parts: &mut Vec<Part>, more: &str) {
    match parts.last_mut() {
        Some(Part::Text(text)) => text.push_str(more),
        _ => parts.push(Part::Text(more.to_owned())),
    }
}
