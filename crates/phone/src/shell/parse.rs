//! Text becomes a script.

use super::tree::{Body, Item, Link, Pipeline, Redirect, Script, Stage, To, Word};

/// Constructs may stand so deep in each other.
const DEEPEST: u32 = 48;
/// Words that mean something where a command begins, and that are not understood here.
const RESERVED: [&str; 16] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "function",
    "{", "}", "!",
];

/// Why text is no script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ParseError {
    /// More text could make it one.
    #[error("unexpected EOF")]
    Incomplete,
    #[error("unexpected '{0}'")]
    Unexpected(String),
    #[error("too deep")]
    TooDeep,
}

/// Reads text from left to right.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: u32,
}

type Parsed<T> = Result<T, ParseError>;

/// Reads a whole script.
pub(super) fn parse(text: &str) -> Parsed<Script> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let script = parser.script()?;
    match parser.peek() {
        None => Ok(script),
        Some(next) => Err(ParseError::Unexpected(next.to_string())),
    }
}

impl<'a> Parser<'a> {
    /// Items up to the end of the text, or a closing parenthesis.
    fn script(&mut self) -> Parsed<Script> {
        self.deeper()?;
        let mut items = Vec::new();
        loop {
            self.skip_lines();
            if matches!(self.peek(), None | Some(')')) {
                break;
            }
            items.push(self.item()?);
        }
        self.depth -= 1;
        Ok(Script(items))
    }

    fn item(&mut self) -> Parsed<Item> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let link = if self.eat("&&") {
                Link::And
            } else if self.eat("||") {
                Link::Or
            } else {
                break;
            };
            self.skip_lines();
            rest.push((link, self.pipeline()?));
        }
        self.skip_blanks();
        self.skip_separator()?;
        Ok(Item { first, rest })
    }

    fn skip_separator(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(';') if self.text[self.at..].starts_with(";;") => Err(ParseError::Unexpected(";;".into())),
            Some(';' | '\n') => {
                self.at += 1;
                Ok(())
            }
            None | Some(')') => Ok(()),
            Some(other) => Err(ParseError::Unexpected(other.to_string())),
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let mut stages = vec![self.stage()?];
        loop {
            self.skip_blanks();
            let another = !self.text[self.at..].starts_with("||") && self.eat("|");
            if !another {
                return Ok(stages);
            }
            self.skip_lines();
            stages.push(self.stage()?);
        }
    }

    fn stage(&mut self) -> Parsed<Stage> {
        self.skip_blanks();
        match (self.peek(), self.next_plain()) {
            (None, _) => Err(ParseError::Incomplete),
            (Some('('), _) => {
                self.at += 1;
                let script = self.script()?;
                if !self.eat(")") {
                    return Err(self.unexpected());
                }
                let mut redirects = Vec::new();
                while let Some(redirect) = self.redirect()? {
                    redirects.push(redirect);
                }
                Ok(Stage { body: Body::Subshell(script), redirects })
            }
            (_, Some(word)) if RESERVED.contains(&word) => Err(ParseError::Unexpected(word.to_owned())),
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> Parsed<Stage> {
        let (mut assigns, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
            } else if words.is_empty()
                && let Some(name) = self.assigned_name()
            {
                self.at += name.len() + 1;
                let ends = self.peek().is_none_or(|next| " \t\n;&|()<>".contains(next));
                let value = if ends { None } else { self.word()? };
                assigns.push((name, value.unwrap_or_default()));
            } else if let Some(word) = self.word()? {
                words.push(word);
            } else {
                break;
            }
        }
        if assigns.is_empty() && words.is_empty() && redirects.is_empty() {
            return Err(self.unexpected());
        }
        Ok(Stage { body: Body::Simple { assigns, words }, redirects })
    }

    fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let arrow = &rest[digits..];
        if !arrow.starts_with(['<', '>']) || digits > 1 {
            return Ok(None);
        }
        let reads = arrow.starts_with('<');
        let number = rest[..digits].parse().unwrap_or(u8::from(!reads));
        self.at += digits;
        if self.eat("<<") {
            return Err(ParseError::Unexpected("<<".into()));
        }
        let to = if self.eat(">>") {
            To::Append(self.target()?)
        } else if self.eat(">&") || self.eat("<&") {
            self.skip_blanks();
            let same =
                self.peek().and_then(|digit| digit.to_digit(10)).and_then(|digit| u8::try_from(digit).ok());
            let same = same.ok_or_else(|| self.unexpected())?;
            self.at += 1;
            To::Same(same)
        } else if self.eat(">|") || self.eat(">") {
            To::Write(self.target()?)
        } else {
            self.at += 1;
            To::Read(self.target()?)
        };
        Ok(Some(Redirect { number, to }))
    }

    fn target(&mut self) -> Parsed<Word> {
        match self.word()? {
            Some(word) => Ok(word),
            None => Err(self.unexpected()),
        }
    }

    /// The name in `name=value`.
    fn assigned_name(&mut self) -> Option<String> {
        let before = self.at;
        let name = self.name().to_owned();
        let assigned = !name.is_empty() && self.peek() == Some('=');
        self.at = before;
        assigned.then_some(name)
    }

    /// A name of a variable, empty when there is none here.
    pub(super) fn name(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let fits =
            |(at, c): (usize, char)| c == '_' || c.is_ascii_alphabetic() || (at > 0 && c.is_ascii_digit());
        let end = rest.char_indices().find(|&next| !fits(next)).map_or(rest.len(), |(at, _)| at);
        self.at += end;
        &rest[..end]
    }

    /// The next word, if it has neither quotes nor anything to expand.
    fn next_plain(&self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let end = rest.find([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']).unwrap_or(rest.len());
        let word = &rest[..end];
        let plain = !word.is_empty() && !word.contains(['\'', '"', '\\', '$', '`', '=']);
        plain.then_some(word)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let here = self.text[self.at..].starts_with(token);
        if here {
            self.at += token.len();
        }
        here
    }

    pub(super) fn unexpected(&self) -> ParseError {
        match self.peek() {
            None => ParseError::Incomplete,
            Some('\n') => ParseError::Unexpected("newline".into()),
            Some(next) => ParseError::Unexpected(next.to_string()),
        }
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(ParseError::TooDeep) } else { Ok(()) }
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.text[self.at..].starts_with("\\\n") => self.at += 2,
                Some('#') => {
                    let rest = &self.text[self.at..];
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            if !rest.starts_with('\n') && (!rest.starts_with(';') || rest.starts_with(";;")) {
                return;
            }
            self.at += 1;
        }
    }
}
