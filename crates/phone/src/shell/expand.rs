//! Words become arguments: variables and outputs are put in, split at blanks, and patterns become paths.

use super::glob;
use super::io::{Capture, Output, Streams};
use super::run::{End, Shell};
use super::tree::{Other, Part, Word};

/// Arguments beyond this many are not made.
const MOST_FIELDS: usize = 100_000;

/// An argument in the making.
#[derive(Debug, Default)]
struct Field {
    text: String,
    /// The same with a backslash before each character that is no pattern because it was quoted.
    pattern: String,
    has_pattern: bool,
    /// Whether anything stands here, were it only a pair of quotes.
    begun: bool,
}

impl Field {
    fn push(&mut self, text: &str, quoted: bool) {
        self.begun = true;
        self.text.push_str(text);
        for letter in text.chars() {
            let special = glob::is_special(letter);
            if quoted && (special || letter == '\\') {
                self.pattern.push('\\');
            }
            self.has_pattern |= special && !quoted;
            self.pattern.push(letter);
        }
    }
}

impl Shell {
    /// The arguments that words make.
    pub(super) fn expand(&mut self, words: &[Word], streams: &Streams) -> Result<Vec<String>, End> {
        let mut all = Vec::new();
        for word in words {
            for field in self.fields(word, streams)? {
                let found = if field.has_pattern { self.find_paths(&field.pattern) } else { Vec::new() };
                if found.is_empty() {
                    all.push(field.text);
                } else {
                    all.extend(found);
                }
                if all.len() > MOST_FIELDS {
                    return Err(End::Exit(1));
                }
            }
        }
        Ok(all)
    }

    /// The text that a word makes where nothing is split: in assignments and redirections.
    pub(super) fn expand_text(&mut self, word: &Word, streams: &Streams) -> Result<String, End> {
        let mut text = String::new();
        for part in &word.0 {
            match part {
                Part::Text { text: plain, quoted } => {
                    let home = !quoted && text.is_empty() && (plain == "~" || plain.starts_with("~/"));
                    text.push_str(if home { plain.trim_start_matches('~') } else { plain });
                }
                _ => text.push_str(&self.value(part, streams)?),
            }
        }
        Ok(text)
    }

    fn fields(&mut self, word: &Word, streams: &Streams) -> Result<Vec<Field>, End> {
        let mut fields = vec![Field::default()];
        let last = |fields: &mut Vec<Field>| fields.len() - 1;
        for part in &word.0 {
            let at = last(&mut fields);
            match part {
                Part::Text { text, quoted } => fields[at].push(text, *quoted),
                Part::Var { name, other: None, quoted: true } if name == "@" => {
                    for (number, argument) in self.args.clone().iter().enumerate() {
                        if number > 0 {
                            fields.push(Field::default());
                        }
                        let at = last(&mut fields);
                        fields[at].push(argument, true);
                    }
                }
                Part::Var { quoted: true, .. } | Part::Output { quoted: true, .. } => {
                    let value = self.value(part, streams)?;
                    fields[at].push(&value, true);
                }
                Part::Var { .. } | Part::Output { .. } | Part::Length { .. } => {
                    let value = self.value(part, streams)?;
                    split_into(&mut fields, &value);
                }
            }
        }
        Ok(fields.into_iter().filter(|field| field.begun).collect())
    }

    fn value(&mut self, part: &Part, streams: &Streams) -> Result<String, End> {
        match part {
            Part::Text { text, .. } => Ok(text.clone()),
            Part::Length { name } => Ok(self.var(name).unwrap_or_default().chars().count().to_string()),
            Part::Output { script, .. } => {
                let capture = Capture::default();
                let inner = Streams { out: Output::new(capture.clone()), ..streams.clone() };
                let mut shell = self.deeper()?;
                self.status = match shell.carry_out(script, &inner) {
                    Ok(status) | Err(End::Exit(status)) => status,
                    Err(end) => return Err(end),
                };
                let output = String::from_utf8_lossy(&capture.take()).into_owned();
                Ok(output.trim_end_matches('\n').to_owned())
            }
            Part::Var { name, other, .. } => {
                let value = self.var(name).filter(|value| other.is_none() || !value.is_empty());
                match (value, other) {
                    (Some(_), Some((Other::Alternative, word))) => self.expand_text(word, streams),
                    (Some(value), _) => Ok(value),
                    (None, None | Some((Other::Alternative, _))) => Ok(String::new()),
                    (None, Some((Other::Default, word))) => self.expand_text(word, streams),
                    (None, Some((Other::Assign, word))) => {
                        let value = self.expand_text(word, streams)?;
                        self.set_var(name, &value);
                        Ok(value)
                    }
                }
            }
        }
    }

    fn find_paths(&self, pattern: &str) -> Vec<String> {
        let folder = self.folder.clone();
        self.phone.with(|state| glob::find(&state.world.files, &folder, pattern))
    }
}

/// Splits a value at blanks: its first piece belongs to the field before, its last to what comes after.
fn split_into(fields: &mut Vec<Field>, value: &str) {
    let blank = |letter: char| matches!(letter, ' ' | '\t' | '\n');
    let mut apart = value.starts_with(blank);
    for piece in value.split(blank).filter(|piece| !piece.is_empty()) {
        if apart && fields.last().is_some_and(|field| field.begun) {
            fields.push(Field::default());
        }
        if let Some(field) = fields.last_mut() {
            field.push(piece, false);
        }
        apart = true;
    }
    if value.ends_with(blank) && fields.last().is_some_and(|field| field.begun) {
        fields.push(Field::default());
    }
}
