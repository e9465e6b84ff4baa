//! What is wrong with an app file, and where.

/// Why an app file was refused: one sentence, with the place and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct LanguageError {
    /// The file, as the caller or an `include` names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// What is wrong and how to put it right.
    pub message: String,
}

/// A place in the sources. The number of the file stands for its name, since every token has a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// An error on its way out, before the number of the file is turned into its name.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) message: String,
    /// Where the first of two things with one name stands.
    pub(super) first: Option<Place>,
}

/// What all parts of the language return.
pub(super) type Checked<T> = Result<T, Fault>;

impl Place {
    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        Fault { place: self, message: message.into(), first: None }
    }
}

impl Fault {
    /// Says where the first of two things with one name stands.
    pub(super) fn after_first(self, first: Place) -> Self {
        Self { first: Some(first), ..self }
    }

    /// The error for the caller.
    pub(super) fn explain(self, files: &[String]) -> LanguageError {
        let name = |place: Place| files.get(place.file as usize).map_or("", String::as_str);
        let message = match self.first {
            None => self.message,
            Some(first) if first.file == self.place.file => {
                format!("{} (the first stands in line {})", self.message, first.line)
            }
            Some(first) => format!("{} (the first stands in {}:{})", self.message, name(first), first.line),
        };
        LanguageError {
            file: name(self.place).to_owned(),
            line: self.place.line,
            column: self.place.column,
            message,
        }
    }
}

/// A piece of the source as a message shows it: short, and without characters that upset a terminal.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String =
        text.chars().take(LONGEST).map(|char| if char.is_control() { '\u{fffd}' } else { char }).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
