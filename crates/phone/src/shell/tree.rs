//! What a script is.

/// Pipelines, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Script(pub(super) Vec<Item>);

/// A chain of pipelines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Link, Pipeline)>,
}

/// When the next pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// When the one before has succeeded.
    And,
    /// When it has not.
    Or,
}

/// Commands, each of which reads what the one before writes.
pub(super) type Pipeline = Vec<Stage>;

/// A command, and where it reads and writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) body: Body,
    pub(super) redirects: Vec<Redirect>,
}

/// What a command is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    Simple {
        assigns: Vec<(String, Word)>,
        words: Vec<Word>,
    },
    /// `( .. )`
    Subshell(Script),
}

/// Where a command reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Redirect {
    /// 0 for input, 1 for output, 2 for errors.
    pub(super) number: u8,
    pub(super) to: To,
}

/// Where a redirection leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum To {
    /// `< file`
    Read(Word),
    /// `> file`
    Write(Word),
    /// `>> file`
    Append(Word),
    /// `2>&1`
    Same(u8),
}

/// A word before it is expanded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Word(pub(super) Vec<Part>);

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// `$name` or `${name}`; split at blanks where it stands outside quotes.
    Var {
        name: String,
        quoted: bool,
    },
}

impl Stage {
    /// Whether what it writes goes to a file.
    pub(super) fn writes_file(&self) -> bool {
        let file =
            |redirect: &Redirect| redirect.number == 1 && matches!(redirect.to, To::Write(_) | To::Append(_));
        self.redirects.iter().any(file)
    }
}
