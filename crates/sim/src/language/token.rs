//! Tokens: what a line is made of. Texts hold the tokens of the expressions in their braces, so every place in
//! an error is the true one.

use std::iter::Peekable;
use std::str::CharIndices;

use retap_trace::Micros;

use super::error::{Checked, Fault, Place, quote};
use super::limit;

/// A token, where it stands, and how it is written.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) lexeme: Lexeme<'a>,
    pub(super) place: Place,
    pub(super) source: &'a str,
}

/// The kinds of token.
#[derive(Debug)]
pub(super) enum Lexeme<'a> {
    /// A name or keyword, dots included: `org.example.Main`.
    Word(&'a str),
    Int(i64),
    /// A number with a decimal point.
    Decimal(f64),
    Time(Micros),
    /// A text in quotes.
    Text(Vec<Piece<'a>>),
    /// An operator or a sign.
    Mark(&'static str),
}

/// A part of a text.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    /// Characters, with escapes resolved.
    Literal(String),
    /// What stands between braces, and where the brace is.
    Expr(Vec<Token<'a>>, Place),
}

/// Longer ones first: the first that fits is taken.
const MARKS: [&str; 18] =
    ["==", "!=", "<=", ">=", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", ":"];

/// The tokens of a line, up to its comment.
pub(super) fn tokens(text: &str, place: Place) -> Checked<Vec<Token<'_>>> {
    Lexer { text, chars: text.char_indices().peekable(), place }.run(0, place)
}

struct Lexer<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    /// Where the next character stands.
    place: Place,
}

impl<'a> Lexer<'a> {
    /// Tokens up to the end of the line or, inside `depth` texts, up to the closing brace.
    fn run(&mut self, depth: usize, opened: Place) -> Checked<Vec<Token<'a>>> {
        let mut tokens = Vec::new();
        loop {
            while self.peek().is_some_and(|char| char == ' ' || char == '\t') {
                self.bump();
            }
            match self.peek() {
                None | Some('#') if depth == 0 => return Ok(tokens),
                None => {
                    let message = "this `{` has no `}`; add it, or write `\\{` for a brace that is just text";
                    return Err(opened.fault(message));
                }
                Some('}') if depth > 0 => {
                    self.bump();
                    return Ok(tokens);
                }
                Some(first) => {
                    let (place, start) = (self.place, self.offset());
                    let lexeme = self.lexeme(first, depth)?;
                    tokens.push(Token { lexeme, place, source: &self.text[start..self.offset()] });
                }
            }
        }
    }

    fn lexeme(&mut self, first: char, depth: usize) -> Checked<Lexeme<'a>> {
        match first {
            '"' => self.text(depth),
            '0'..='9' => self.number(),
            _ if first == '_' || first.is_alphabetic() => Ok(Lexeme::Word(self.word())),
            _ => self.mark(),
        }
    }

    fn word(&mut self) -> &'a str {
        let start = self.offset();
        while let Some(char) = self.peek() {
            let inside = char.is_alphanumeric() || char == '_' || char == '$';
            let joins =
                char == '.' && self.second().is_some_and(|next| next == '_' || next.is_alphanumeric());
            if !inside && !joins {
                break;
            }
            self.bump();
        }
        &self.text[start..self.offset()]
    }

    fn number(&mut self) -> Checked<Lexeme<'a>> {
        let (place, start) = (self.place, self.offset());
        let mut decimal = false;
        while let Some(char) = self.peek() {
            let point = char == '.' && !decimal && self.second().is_some_and(|next| next.is_ascii_digit());
            if !char.is_ascii_digit() && !point {
                break;
            }
            decimal |= point;
            self.bump();
        }
        let digits = &self.text[start..self.offset()];
        if self.peek().is_some_and(|char| char.is_alphanumeric() || char == '_') {
            let unit = self.word();
            return time(digits, unit).map(Lexeme::Time).map_err(|message| place.fault(message));
        }
        let lexeme = if decimal {
            digits.parse().ok().filter(|number: &f64| number.is_finite()).map(Lexeme::Decimal)
        } else {
            digits.parse().ok().map(Lexeme::Int)
        };
        lexeme.ok_or_else(|| {
            place.fault(format!("the number {} is too large; write a smaller one", quote(digits)))
        })
    }

    fn text(&mut self, depth: usize) -> Checked<Lexeme<'a>> {
        let opened = self.place;
        if depth >= limit::NESTING {
            return Err(opened.fault("texts nest too deep in each other; take the inner ones out"));
        }
        self.bump();
        let mut pieces = Vec::new();
        let mut literal = String::new();
        loop {
            let here = self.place;
            match self.bump() {
                None => return Err(unterminated(opened, depth)),
                Some('"') => break,
                Some('\\') => literal.push(self.escape(here)?),
                Some('{') => {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                    pieces.push(Piece::Expr(self.run(depth + 1, here)?, here));
                }
                Some(char) => literal.push(char),
            }
        }
        if !literal.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Ok(Lexeme::Text(pieces))
    }

    fn escape(&mut self, backslash: Place) -> Checked<char> {
        match self.bump() {
            Some('n') => Ok('\n'),
            Some(char @ ('"' | '\\' | '{' | '}')) => Ok(char),
            Some(other) => {
                let other = quote(&format!("\\{other}"));
                Err(backslash.fault(format!(
                    "{other} is no escape; there are `\\\"`, `\\\\`, `\\n`, `\\{{` and `\\}}`"
                )))
            }
            None => Err(backslash.fault("the line ends after this backslash; end the text with a quote")),
        }
    }

    fn mark(&mut self) -> Checked<Lexeme<'a>> {
        let rest = &self.text[self.offset()..];
        let Some(mark) = MARKS.into_iter().find(|mark| rest.starts_with(mark)) else {
            return Err(self.place.fault(strange(rest)));
        };
        for _ in 0..mark.len() {
            self.bump();
        }
        Ok(Lexeme::Mark(mark))
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|&(_, char)| char)
    }

    fn second(&self) -> Option<char> {
        self.chars.clone().nth(1).map(|(_, char)| char)
    }

    fn bump(&mut self) -> Option<char> {
        let (_, char) = self.chars.next()?;
        self.place.column = self.place.column.saturating_add(1);
        Some(char)
    }

    /// Bytes before the next character.
    fn offset(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |&(at, _)| at)
    }
}

fn unterminated(opened: Place, depth: usize) -> Fault {
    opened.fault(match depth {
        0 => "this text has no closing quote; end it with `\"` on the same line",
        _ => {
            "this text has no closing quote; the `{` before it opens an expression, which ends with `}` \
             (write `\\{` for a brace that is just text)"
        }
    })
}

fn strange(rest: &str) -> String {
    let first = rest.chars().next().map_or_else(String::new, |char| quote(&char.to_string()));
    let fix = match rest.chars().next() {
        Some('!') => "write `not`",
        Some('&') => "write `and`",
        Some('|') => "write `or`",
        Some('\'' | '‘' | '’' | '“' | '”' | '„' | '«') => "texts stand in straight double quotes",
        Some('{' | '}') => "braces stand in texts only, blocks are made by indentation",
        Some(';') => "write one statement a line",
        Some('$') => "write the name alone",
        _ => "remove it",
    };
    format!("the character {first} has no meaning here; {fix}")
}

/// The time that digits and a unit stand for.
fn time(digits: &str, unit: &str) -> Result<Micros, String> {
    const DAY: f64 = 86_400e6;
    let scale = match unit {
        "ms" => 1e3,
        "s" => 1e6,
        "min" => 60e6,
        _ => {
            let written = quote(&format!("{digits}{unit}"));
            return Err(format!("{written} is no number and no time; times are `300ms`, `2s` or `5min`"));
        }
    };
    let micros = digits.parse::<f64>().unwrap_or(f64::INFINITY) * scale;
    if micros > DAY {
        return Err(format!(
            "{} is longer than a day; write a shorter time",
            quote(&format!("{digits}{unit}"))
        ));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a day")]
    Ok(Micros(micros.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Place = Place { file: 0, line: 1, column: 1 };

    fn said(text: &str) -> String {
        match tokens(text, START) {
            Ok(tokens) => tokens.iter().map(|token| say(&token.lexeme)).collect::<Vec<_>>().join(" "),
            Err(fault) => format!("{}: {}", fault.place.column, fault.message),
        }
    }

    fn say(lexeme: &Lexeme) -> String {
        match lexeme {
            Lexeme::Word(word) => format!("w:{word}"),
            Lexeme::Int(number) => format!("i:{number}"),
            Lexeme::Decimal(number) => format!("d:{number}"),
            Lexeme::Time(time) => format!("t:{}", time.0),
            Lexeme::Mark(mark) => (*mark).to_owned(),
            Lexeme::Text(pieces) => pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Literal(text) => format!("{text:?}"),
                    Piece::Expr(tokens, _) => {
                        tokens.iter().map(|token| say(&token.lexeme)).collect::<Vec<_>>().join(",")
                    }
                })
                .collect::<Vec<_>>()
                .join("+"),
        }
    }

    #[test]
    fn lines_fall_into_tokens() {
        assert_eq!(said("open org.x.Main$1 # there"), "w:open w:org.x.Main$1");
        assert_eq!(said("if=a<=3==b at=0,-1"), "w:if = w:a <= i:3 == w:b w:at = i:0 , - i:1");
        assert_eq!(
            said("300ms 2s 1.5s 2min 0.25 1:1"),
            "t:300000 t:2000000 t:1500000 t:120000000 d:0.25 i:1 : i:1"
        );
        assert_eq!(said(r#""a # \"b\" \{\n\}""#), r#""a # \"b\" {\n}""#);
        assert_eq!(said(r#""""#), r#""""#);
    }

    #[test]
    fn texts_hold_expressions_and_those_hold_texts() {
        assert_eq!(said(r#""n: {len(items)}!""#), r#""n: "+w:len,(,w:items,)+"!""#);
        assert_eq!(said(r#""{a has "x{b}"}""#), r#"""+w:a,w:has,"x"+w:b"#);
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        assert!(said(r#"label "abc"#).starts_with("7: this text has no closing quote; end it"));
        assert!(said(r#"label "a {b c"#).starts_with("10: this `{` has no `}`"));
        assert!(said(r#"label "{len(items""#).starts_with("18: this text has no closing quote; the `{`"));
        assert!(said("a 12parsecs").starts_with("3: `12parsecs` is no number and no time"));
        assert!(
            said("99999999999999999999")
                .starts_with("1: the number `99999999999999999999` is too large; write a smaller one")
        );
        assert!(said("a && b").ends_with("write `and`"));
        assert!(said("30000min").contains("longer than a day"));
        assert!(said(&r#""{"#.repeat(100)).contains("nest too deep"));
    }
}
