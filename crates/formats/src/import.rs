//! Recordings of other tools as traces.
//!
//! An importer is a file and a line in [`IMPORTERS`]. It is given bytes and hands back what it made of them, with an
//! account of what it skipped. What says nothing of events is known by [name](foreign) too, and refused with a sentence.

mod droidbot;
mod files;
mod finger;
mod foreign;
mod getevent;
mod keys;
mod lines;
mod maestro;
mod monkey;
mod monkey_log;
mod monkey_network;
mod numbers;
mod robo;
pub mod simplydroid;
mod tally;

pub use files::{FileProblem, FilesBeside, NoFilesBeside};
pub use tally::Skipped;

use retap_trace::{Size, Target, Trace};

use tally::Made;

/// The most bytes that a recording may have.
pub const LARGEST: usize = 256 << 20;
/// The most steps that a recording may come to. A loop in a flow is written out.
pub const MOST_STEPS: usize = 200_000;

/// A tool whose recordings can be read.
#[derive(Debug, Clone, Copy)]
pub struct Importer {
    /// What `--from` calls it.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// By what the input is known to be of this tool; nothing when it is not.
    sniff: fn(&ImportInput<'_>) -> Option<&'static str>,
    read: fn(&ImportInput<'_>, &ImportOptions) -> Result<Made, ImportError>,
}

/// Every tool whose recordings can be read.
pub const IMPORTERS: &[Importer] = &[
    monkey::IMPORTER,
    monkey_log::IMPORTER,
    monkey_network::IMPORTER,
    simplydroid::IMPORTER,
    droidbot::IMPORTER,
    maestro::IMPORTER,
    getevent::IMPORTER,
    robo::IMPORTER,
];

/// What is to be imported.
#[derive(Clone, Copy)]
pub struct ImportInput<'a> {
    /// The name of the file in its folder; empty when a folder or stdin was named.
    pub name: &'a str,
    /// What is in it; nothing when a folder was named.
    pub bytes: &'a [u8],
    /// The files of its folder and below; of the folder itself, when that was named.
    pub files: &'a dyn FilesBeside,
}

/// What the user says, where the recording does not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// The app.
    pub app: Option<String>,
    /// Where the trace is to be replayed, as `--device` takes it.
    pub device: Option<String>,
    /// The screen that coordinates refer to.
    pub screen: Option<Size>,
    /// The highest values of a touch screen's axes, where they are not pixels.
    pub axes: Option<Size>,
    /// What the trace is there to reach.
    pub target: Option<Target>,
}

/// A trace, and what did not get into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Which tool wrote the recording.
    pub from: &'static str,
    /// By what that is known, when it was guessed.
    pub because: Option<&'static str>,
    /// The trace.
    pub trace: Trace,
    /// What has no event in the trace, by kind.
    pub skipped: Vec<Skipped>,
    /// What the user should know, each once.
    pub notes: Vec<String>,
}

/// Why there is no trace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Nothing that can be read looks like this.
    #[error("retap does not know what wrote this; say it with --from: {}", names(", "))]
    Unknown,
    /// It is known what it is, and that it has no events, or none that can be read.
    #[error("it is {what}; {instead}")]
    Foreign {
        /// What it is.
        what: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// It looks like several things.
    #[error("it looks like {}; say which with --from", .0.join(" and like "))]
    Ambiguous(Vec<&'static str>),
    /// There is no such importer.
    #[error("--from: {0}")]
    NoImporter(String),
    /// Something in it cannot be expressed, or is wrong.
    #[error("{}{what}", place(*.line))]
    Refused {
        /// The line, from 1; none where lines mean nothing.
        line: Option<usize>,
        /// What, and what to do.
        what: String,
    },
    /// The recording does not say which app it is of.
    #[error("the recording does not say which app it is of; add --app PACKAGE")]
    NoApp,
    /// Nothing in it is an event.
    #[error("there is no event in it{0}")]
    NoEvents(String),
    /// It is too large.
    #[error("it has more than {LARGEST} bytes or comes to more than {MOST_STEPS} steps; import a part of it")]
    TooLarge,
}

fn place(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

fn names(between: &str) -> String {
    IMPORTERS.iter().map(|importer| importer.name).collect::<Vec<_>>().join(between)
}

impl ImportError {
    fn at(line: usize, what: impl Into<String>) -> Self {
        Self::Refused { line: Some(line), what: printable(&what.into()) }
    }

    fn whole(what: impl Into<String>) -> Self {
        Self::Refused { line: None, what: printable(&what.into()) }
    }
}

/// A sentence holds no more than this of what stands in a file.
const LONGEST_SENTENCE: usize = 400;

/// Text of a file in a sentence for people: one line, not too long, and nothing that moves a terminal.
fn printable(text: &str) -> String {
    let shown = |letter: char| if retap_trace::steers(letter) { ' ' } else { letter };
    text.chars().take(LONGEST_SENTENCE).map(shown).collect()
}

impl std::fmt::Debug for ImportInput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportInput")
            .field("name", &self.name)
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// Reads a recording. Without the name of an importer, the input itself says which one it is for.
pub fn import(
    from: Option<&str>,
    input: &ImportInput<'_>,
    given: &ImportOptions,
) -> Result<Imported, ImportError> {
    if input.bytes.len() > LARGEST {
        return Err(ImportError::TooLarge);
    }
    let (importer, because) = match from {
        Some(name) => (importer(name)?, None),
        None => guess(input).map(|(importer, because)| (importer, Some(because)))?,
    };
    if given.axes.is_some() && importer.name != getevent::IMPORTER.name {
        let what = "does nothing with a recording that has no axes of a touch screen; leave it out";
        return Err(ImportError::whole(format!("--axes {what} (it is read as {})", importer.name)));
    }
    let made = (importer.read)(input, given)?;
    if made.steps() > MOST_STEPS {
        return Err(ImportError::TooLarge);
    }
    made.finish(importer.name, because, given)
}

fn importer(name: &str) -> Result<&'static Importer, ImportError> {
    let known: Vec<&str> = IMPORTERS.iter().map(|importer| importer.name).collect();
    (IMPORTERS.iter().find(|importer| importer.name == name))
        .ok_or_else(|| ImportError::NoImporter(retap_trace::unknown("importer", name, &known)))
}

/// Which importer an input is for, and why.
fn guess(input: &ImportInput<'_>) -> Result<(&'static Importer, &'static str), ImportError> {
    let fits: Vec<_> =
        IMPORTERS.iter().filter_map(|importer| Some((importer, (importer.sniff)(input)?))).collect();
    match fits[..] {
        [one] => Ok(one),
        [] => Err(foreign::known(input)),
        _ => Err(ImportError::Ambiguous(fits.iter().map(|(importer, _)| importer.name).collect())),
    }
}
