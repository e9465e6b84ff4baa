//! Reading the tokens of a line one after the other, with errors that show how the line is written.

use retap_trace::Micros;

use super::error::{Checked, Fault, Place, quote};
use super::lines::Line;
use super::token::{Lexeme, Piece, Token, tokens};
use retap_trace::did_you_mean;

/// A name and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
}

/// The tokens of a line that were not read yet.
pub(super) struct Cursor<'a> {
    rest: std::vec::IntoIter<Token<'a>>,
    /// Just after the last token that was read.
    end: Place,
    /// How the last token that was read is written.
    last: &'a str,
    /// How the whole statement is written, for errors; empty inside a text.
    usage: &'static str,
}

impl<'a> Cursor<'a> {
    /// The tokens of a line whose statement is written like `usage`.
    pub(super) fn of(line: &'a Line, usage: &'static str) -> Checked<Self> {
        Ok(Self { rest: tokens(&line.text, line.place)?.into_iter(), end: line.place, last: "", usage })
    }

    /// The tokens of an expression in a text, whose brace stands at `brace`.
    pub(super) fn inside_text(tokens: Vec<Token<'a>>, brace: Place) -> Self {
        Self { rest: tokens.into_iter(), end: brace, last: "{", usage: "" }
    }

    /// From here on, errors say that the statement is written like this.
    pub(super) fn usage(&mut self, usage: &'static str) {
        self.usage = usage;
    }

    pub(super) fn peek(&self) -> Option<&Lexeme<'a>> {
        self.rest.as_slice().first().map(|token| &token.lexeme)
    }

    pub(super) fn next(&mut self) -> Option<Lexeme<'a>> {
        let token = self.rest.next()?;
        let width = u32::try_from(token.source.chars().count()).unwrap_or(u32::MAX);
        self.end = Place { column: token.place.column.saturating_add(width), ..token.place };
        self.last = token.source;
        Some(token.lexeme)
    }

    /// Where the next token stands, or where the line ends.
    pub(super) fn place(&self) -> Place {
        self.rest.as_slice().first().map_or(self.end, |token| token.place)
    }

    /// The next word, without reading it.
    pub(super) fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Lexeme::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn peek_mark(&self) -> Option<&'static str> {
        match self.peek() {
            Some(Lexeme::Mark(mark)) => Some(mark),
            _ => None,
        }
    }

    pub(super) fn peek_text(&self) -> bool {
        matches!(self.peek(), Some(Lexeme::Text(_)))
    }

    /// Reads the word if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let here = self.peek_word() == Some(word);
        if here {
            self.next();
        }
        here
    }

    /// Reads the mark if it comes next.
    pub(super) fn eat_mark(&mut self, mark: &str) -> bool {
        let here = self.peek_mark() == Some(mark);
        if here {
            self.next();
        }
        here
    }

    pub(super) fn mark(&mut self, mark: &str) -> Checked<()> {
        if self.eat_mark(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    /// Reads a name; `what` says whose: "the name of a screen".
    pub(super) fn name(&mut self, what: &str) -> Checked<Name<'a>> {
        let place = self.place();
        let Some(text) = self.peek_word() else { return Err(self.expected(what)) };
        self.next();
        Ok(Name { text, place })
    }

    /// Reads a name without dots.
    pub(super) fn simple_name(&mut self, what: &str) -> Checked<Name<'a>> {
        let name = self.name(what)?;
        if name.text.contains(['.', '$']) {
            let shown = quote(name.text);
            let message = format!("{shown} cannot be {what}; use letters, digits and `_` only");
            return Err(name.place.fault(message));
        }
        Ok(name)
    }

    /// Reads one of a few words.
    pub(super) fn one_of<T: Copy>(&mut self, what: &str, known: &[(&'static str, T)]) -> Checked<T> {
        let name = self.name(what)?;
        if let Some((_, value)) = known.iter().find(|(word, _)| *word == name.text) {
            return Ok(*value);
        }
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        let fix = did_you_mean(name.text, words.iter().copied())
            .unwrap_or_else(|| format!("; write {}", alternatives(&words)));
        Err(name.place.fault(format!("{} is not {what}{fix}", quote(name.text))))
    }

    pub(super) fn text(&mut self, what: &str) -> Checked<Vec<Piece<'a>>> {
        if !self.peek_text() {
            return Err(self.expected(what));
        }
        match self.next() {
            Some(Lexeme::Text(pieces)) => Ok(pieces),
            _ => Err(self.expected(what)),
        }
    }

    /// Reads a text without expressions in it.
    pub(super) fn plain_text(&mut self, what: &str) -> Checked<String> {
        let pieces = self.text(what)?;
        let mut plain = String::new();
        for piece in pieces {
            match piece {
                Piece::Literal(text) => plain.push_str(&text),
                Piece::Expr(_, brace) => {
                    return Err(brace.fault(
                        "this text is fixed and holds no expression; write `\\{` for a brace that is just text",
                    ));
                }
            }
        }
        Ok(plain)
    }

    pub(super) fn time(&mut self, what: &str) -> Checked<Micros> {
        match self.peek() {
            Some(&Lexeme::Time(time)) => {
                self.next();
                Ok(time)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Reads a whole number, which may be negative.
    pub(super) fn int(&mut self, what: &str) -> Checked<i64> {
        let negative = self.eat_mark("-");
        match self.peek() {
            Some(&Lexeme::Int(number)) => {
                self.next();
                Ok(if negative { -number } else { number })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Reads a number with or without a decimal point, which may be negative.
    pub(super) fn number(&mut self, what: &str) -> Checked<f64> {
        let negative = self.eat_mark("-");
        let number = match self.peek() {
            #[expect(clippy::cast_precision_loss, reason = "nobody turns a knob by more than 2^53")]
            Some(&Lexeme::Int(number)) => number as f64,
            Some(&Lexeme::Decimal(number)) => number,
            _ => return Err(self.expected(what)),
        };
        self.next();
        Ok(if negative { -number } else { number })
    }

    /// The next token is not what it should be.
    pub(super) fn expected(&self, what: &str) -> Fault {
        let after = match self.last {
            "" => String::new(),
            last => format!(" after {}", quote(last)),
        };
        let found = self.found();
        self.place().fault(format!("expected {what}{after}, but found {found}{}", self.how()))
    }

    /// The next token should not be there.
    pub(super) fn unexpected(&self) -> Fault {
        if self.peek_mark() == Some("=") {
            return self.place().fault("a single `=` does not compare; write `==`");
        }
        let how = if self.usage.is_empty() { "; write a `}` before it".to_owned() } else { self.how() };
        self.place().fault(format!("{} does not belong here{how}", self.found()))
    }

    /// Makes sure that everything was read.
    pub(super) fn finish(&self) -> Checked<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Makes sure that everything was read, and that nothing is indented under the line.
    pub(super) fn finish_leaf(&self, line: &Line) -> Checked<()> {
        self.finish()?;
        match line.children.first() {
            None => Ok(()),
            Some(child) => {
                let above = quote(&line.text);
                Err(child
                    .place
                    .fault(format!("nothing can be indented under {above}; move this line to the left")))
            }
        }
    }

    fn how(&self) -> String {
        if self.usage.is_empty() { String::new() } else { format!("; write `{}`", self.usage) }
    }

    fn found(&self) -> String {
        match self.rest.as_slice().first() {
            None if self.usage.is_empty() => "the closing `}`".to_owned(),
            None => "the end of the line".to_owned(),
            Some(token) => quote(token.source),
        }
    }
}

/// The words as a choice: `a`, `b` or `c`.
pub(super) fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
