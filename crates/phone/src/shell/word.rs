//! Words: text, quotes, variables and substitution.

use super::parse::{ParseError, Parser};
use super::tree::{Other, Part, Word};

type Parsed<T> = Result<T, ParseError>;

/// What ends a word outside quotes.
const ENDS: &str = " \t\r\n;&|()<>";
/// Names that are not letters: `$?`, `$1`.
const SPECIAL: &str = "?$#@*!0123456789-";

impl Parser<'_> {
    /// The next word; none where a word cannot begin.
    pub(super) fn word(&mut self) -> Parsed<Option<Word>> {
        self.skip_blanks();
        if self.peek().is_none_or(|next| ENDS.contains(next)) {
            return Ok(None);
        }
        let mut parts = Vec::new();
        while let Some(next) = self.peek().filter(|next| !ENDS.contains(*next)) {
            self.part(next, &mut parts)?;
        }
        Ok(Some(Word(parts)))
    }

    fn part(&mut self, next: char, parts: &mut Vec<Part>) -> Parsed<()> {
        self.at += next.len_utf8();
        match next {
            '\'' => {
                let rest = &self.text[self.at..];
                let end = rest.find('\'').ok_or(ParseError::Incomplete)?;
                push(parts, &rest[..end], true);
                self.at += end + 1;
            }
            '"' => self.double_quoted(parts)?,
            '\\' => match self.peek() {
                None => push(parts, "\\", true),
                Some('\n') => self.at += 1,
                Some(escaped) => {
                    self.at += escaped.len_utf8();
                    push(parts, escaped.encode_utf8(&mut [0; 4]), true);
                }
            },
            '$' => self.dollar(parts, false)?,
            '`' => self.backticks(parts, false)?,
            _ => push(parts, next.encode_utf8(&mut [0; 4]), false),
        }
        Ok(())
    }

    fn double_quoted(&mut self, parts: &mut Vec<Part>) -> Parsed<()> {
        // Quotes around nothing are a word as well.
        push(parts, "", true);
        loop {
            let next = self.peek().ok_or(ParseError::Incomplete)?;
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(()),
                '\\' => {
                    let escaped = self.peek().ok_or(ParseError::Incomplete)?;
                    self.at += escaped.len_utf8();
                    if !"\"\\$`\n".contains(escaped) {
                        push(parts, "\\", true);
                    }
                    if escaped != '\n' {
                        push(parts, escaped.encode_utf8(&mut [0; 4]), true);
                    }
                }
                '$' => self.dollar(parts, true)?,
                '`' => self.backticks(parts, true)?,
                _ => push(parts, next.encode_utf8(&mut [0; 4]), true),
            }
        }
    }

    /// What follows a dollar sign.
    fn dollar(&mut self, parts: &mut Vec<Part>, quoted: bool) -> Parsed<()> {
        if self.eat("(") {
            let script = self.script(&[])?;
            if !self.eat(")") {
                return Err(self.unexpected());
            }
            parts.push(Part::Output { script, quoted });
            return Ok(());
        }
        if self.eat("{") {
            return self.braces(parts, quoted);
        }
        let name = self.variable();
        if name.is_empty() {
            push(parts, "$", quoted);
        } else {
            parts.push(Part::Var { name, other: None, quoted });
        }
        Ok(())
    }

    fn braces(&mut self, parts: &mut Vec<Part>, quoted: bool) -> Parsed<()> {
        if self.eat("#") && self.peek() != Some('}') {
            let name = self.variable();
            parts.push(Part::Length { name });
            return if self.eat("}") { Ok(()) } else { Err(self.unexpected()) };
        }
        let name = self.variable();
        if name.is_empty() {
            return Err(self.unexpected());
        }
        let operators = [
            (":-", Other::Default),
            (":=", Other::Assign),
            (":+", Other::Alternative),
            ("-", Other::Default),
            ("=", Other::Assign),
            ("+", Other::Alternative),
        ];
        let operator = operators.into_iter().find(|(token, _)| self.eat(token));
        let other = match operator {
            Some((_, other)) => Some((other, self.inside_braces()?)),
            None => None,
        };
        if !self.eat("}") {
            return Err(self.unexpected());
        }
        parts.push(Part::Var { name, other, quoted });
        Ok(())
    }

    fn inside_braces(&mut self) -> Parsed<Word> {
        self.deeper()?;
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                None => return Err(ParseError::Incomplete),
                Some('}') => break,
                Some(next) => self.part(next, &mut parts)?,
            }
        }
        self.depth -= 1;
        Ok(Word(parts))
    }

    fn variable(&mut self) -> String {
        match self.peek() {
            Some(special) if SPECIAL.contains(special) => {
                self.at += 1;
                special.to_string()
            }
            _ => self.name().to_owned(),
        }
    }

    fn backticks(&mut self, parts: &mut Vec<Part>, quoted: bool) -> Parsed<()> {
        let mut inside = String::new();
        loop {
            let next = self.peek().ok_or(ParseError::Incomplete)?;
            self.at += next.len_utf8();
            match next {
                '`' => break,
                '\\' => {
                    let escaped = self.peek().ok_or(ParseError::Incomplete)?;
                    self.at += escaped.len_utf8();
                    if !"`\\$".contains(escaped) {
                        inside.push('\\');
                    }
                    inside.push(escaped);
                }
                other => inside.push(other),
            }
        }
        self.deeper()?;
        let mut inner = Parser { text: &inside, at: 0, depth: self.depth };
        let script = inner.script(&[])?;
        if inner.peek().is_some() {
            return Err(inner.unexpected());
        }
        self.depth -= 1;
        parts.push(Part::Output { script, quoted });
        Ok(())
    }
}

fn push(parts: &mut Vec<Part>, more: &str, is_quoted: bool) {
    match parts.last_mut() {
        Some(Part::Text { text, quoted }) if *quoted == is_quoted => text.push_str(more),
        _ => parts.push(Part::Text { text: more.to_owned(), quoted: is_quoted }),
    }
}
