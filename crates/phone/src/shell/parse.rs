//! Text becomes a script.

use super::tree::{Body, Item, Link, Pipeline, Redirect, Script, Stage, To, Word};

/// Constructs may stand so deep in each other.
const DEEPEST: u32 = 48;
/// Words that mean something where a command begins.
const RESERVED: [&str; 13] =
    ["if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "{", "}", "!"];

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
    let script = parser.script(&[])?;
    match parser.peek() {
        None => Ok(script),
        Some(next) => Err(ParseError::Unexpected(next.to_string())),
    }
}

impl<'a> Parser<'a> {
    /// Items up to the end of the text, a closing parenthesis, or one of the words.
    pub(super) fn script(&mut self, until: &[&str]) -> Parsed<Script> {
        self.deeper()?;
        let mut items = Vec::new();
        loop {
            self.skip_lines();
            let ends = match self.peek() {
                None | Some(')') => true,
                Some(_) => self.next_plain().is_some_and(|word| until.contains(&word)),
            };
            if ends {
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
        let background = self.eat("&");
        if !background {
            self.skip_separator()?;
        }
        Ok(Item { first, rest, background })
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
        self.skip_blanks();
        let mut negated = false;
        while self.next_plain() == Some("!") {
            self.at += 1;
            negated = !negated;
            self.skip_blanks();
        }
        let mut stages = vec![self.stage()?];
        loop {
            self.skip_blanks();
            let another = !self.text[self.at..].starts_with("||") && self.eat("|");
            if !another {
                return Ok(Pipeline { negated, stages });
            }
            self.skip_lines();
            stages.push(self.stage()?);
        }
    }

    fn stage(&mut self) -> Parsed<Stage> {
        self.deeper()?;
        self.skip_blanks();
        let word = self.next_plain();
        let body = match (self.peek(), word) {
            (None, _) => return Err(ParseError::Incomplete),
            (Some('('), _) => {
                self.at += 1;
                let script = self.script(&[])?;
                self.expect(")")?;
                Body::Subshell(script)
            }
            (_, Some("{")) => {
                self.at += 1;
                let script = self.script(&["}"])?;
                self.expect("}")?;
                Body::Group(script)
            }
            (_, Some("if")) => self.branches()?,
            (_, Some("for")) => self.for_loop()?,
            (_, Some(word @ ("while" | "until"))) => {
                let until = word == "until";
                self.at += word.len();
                let condition = self.script(&["do"])?;
                let body = self.do_done()?;
                Body::While { until, condition, body }
            }
            (_, Some(word)) if RESERVED.contains(&word) => {
                return Err(ParseError::Unexpected(word.to_owned()));
            }
            _ => {
                self.depth -= 1;
                return self.simple();
            }
        };
        self.depth -= 1;
        let mut redirects = Vec::new();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
        }
        Ok(Stage { body, redirects })
    }

    fn branches(&mut self) -> Parsed<Body> {
        let mut arms = Vec::new();
        self.at += "if".len();
        loop {
            let condition = self.script(&["then"])?;
            self.expect("then")?;
            let then = self.script(&["elif", "else", "fi"])?;
            arms.push((condition, then));
            if !self.eat_word("elif") {
                break;
            }
        }
        let otherwise = if self.eat_word("else") { Some(self.script(&["fi"])?) } else { None };
        self.expect("fi")?;
        Ok(Body::If { arms, otherwise })
    }

    fn for_loop(&mut self) -> Parsed<Body> {
        self.at += "for".len();
        self.skip_blanks();
        let name = self.name().to_owned();
        if name.is_empty() {
            return Err(self.unexpected());
        }
        self.skip_lines();
        let mut words = Vec::new();
        if self.eat_word("in") {
            while let Some(word) = self.word()? {
                words.push(word);
            }
            self.skip_separator()?;
        }
        self.skip_lines();
        Ok(Body::For { name, words, body: self.do_done()? })
    }

    fn do_done(&mut self) -> Parsed<Script> {
        self.skip_lines();
        self.expect("do")?;
        let body = self.script(&["done"])?;
        self.expect("done")?;
        Ok(body)
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
        } else if self.eat(">&-") || self.eat("<&-") {
            To::Nowhere
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

    fn eat_word(&mut self, word: &str) -> bool {
        self.skip_blanks();
        self.next_plain() == Some(word) && self.eat(word)
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        self.skip_lines();
        if self.eat(token) { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn unexpected(&self) -> ParseError {
        match self.peek() {
            None => ParseError::Incomplete,
            Some('\n') => ParseError::Unexpected("newline".into()),
            Some(next) => ParseError::Unexpected(next.to_string()),
        }
    }

    pub(super) fn deeper(&mut self) -> Parsed<()> {
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
