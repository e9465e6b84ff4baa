//! Flows of Maestro: a YAML document with the app, and one with a list of commands.

mod commands;
mod widget;
mod yaml;

use retap_trace::Size;

use super::files::{FilesBeside, resolve};
use super::lines::{numbered, text};
use super::tally::Made;
use super::{ImportError, ImportInput, ImportOptions, Importer};
use yaml::{Node, Wrong, Yaml, documents};

pub(super) const IMPORTER: Importer =
    Importer { name: "maestro", about: "a flow of Maestro (YAML)", sniff, read };

/// The largest flow.
const LARGEST: usize = 4 << 20;
/// So much may be done before a flow is given up: a command is one, a file counts by its length.
const MOST_WORK: u64 = 1_000_000;
/// Flows that run each other, in each other.
const DEEPEST: usize = 16;
/// The name of a flow that has none.
const FLOW: &str = "flow.yaml";

fn sniff(input: &ImportInput<'_>) -> Option<&'static str> {
    let text = text(&input.bytes[..input.bytes.len().min(1 << 16)]);
    let begins = |start: &str| numbered(&text).any(|(_, line)| line.starts_with(start));
    let named = begins("appId:") || begins("url:") || begins("\"appId\":");
    (named && begins("---")).then_some("it is YAML with an 'appId', and commands behind '---'")
}

fn read(input: &ImportInput<'_>, given: &ImportOptions) -> Result<Made, ImportError> {
    let name = if input.name.is_empty() { FLOW } else { input.name };
    let mut flow = Flow {
        made: Made::of(given),
        files: input.files,
        folder: !input.name.is_empty(),
        screen: given.screen,
        open: vec![name.to_owned()],
        begun: false,
        cleared: false,
        launch: Launch::First,
        erased: Erased::Nothing,
        work: 0,
    };
    flow.run(input.bytes, true)?;
    flow.tell_beginning();
    Ok(flow.made)
}

/// A flow that is being read.
struct Flow<'a> {
    made: Made,
    files: &'a dyn FilesBeside,
    /// Whether the flow is in a folder: one on stdin is in none.
    folder: bool,
    screen: Option<Size>,
    /// The files that are being read, each run by the one before.
    open: Vec<String>,
    /// Whether the app has been launched, or something was done.
    begun: bool,
    /// Whether the flow has cleared the app's data before it began.
    cleared: bool,
    launch: Launch,
    /// What the command before took out of a field.
    erased: Erased,
    work: u64,
}

/// When a flow launches the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Launch {
    /// Before anything is done, as far as is known.
    First,
    /// Something was done, and no launch has come yet.
    NotYet,
    /// After something was done.
    Late,
}

/// What the command before took out of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Erased {
    Nothing,
    Some,
    All,
}

impl Flow<'_> {
    /// Reads the commands of a file.
    fn run(&mut self, bytes: &[u8], main: bool) -> Result<(), ImportError> {
        if bytes.len() > LARGEST {
            return Err(self.refused(1, "a flow has no more than 4 MiB"));
        }
        self.spend(bytes.len() as u64 / 64)?;
        let documents = documents(&text(bytes)).map_err(|wrong| self.wrong(wrong))?;
        let (config, commands) = match &documents[..] {
            [config, commands] => (Some(config), commands),
            [commands] if matches!(commands.value, Yaml::List(_)) => (None, commands),
            [config] => {
                return Err(
                    self.refused(config.line, "the commands are missing; they stand behind a line '---'")
                );
            }
            _ => return Err(self.refused(1, "a flow is two YAML documents: the app, and a list of commands")),
        };
        let hook = |name: &str| config.and_then(|config| config.field(name)).cloned();
        if let Some(config) = config.filter(|_| main) {
            self.config(config)?;
        }
        if let Some(before) = hook("onFlowStart") {
            self.commands(&before)?;
        }
        self.commands(commands)?;
        hook("onFlowComplete").map_or(Ok(()), |after| self.commands(&after))
    }

    fn config(&mut self, config: &Node) -> Result<(), ImportError> {
        if let Some(url) = config.field("url") {
            return Err(self.refused(url.line, "the flow is for a web page; retap drives Android apps"));
        }
        let Some(app) = config.field("appId") else { return Ok(()) };
        // Where the user names the app, the flow may leave it to a script.
        match (self.plain(app), self.made.package.clone()) {
            (own, None) => self.made.package = Some(own?),
            (Ok(own), Some(given)) if own != given => {
                self.made.note(format!("the flow is of {own}; with --app the trace is of {given}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a file that a command runs.
    fn run_file(&mut self, node: &Node) -> Result<(), ImportError> {
        let named = self.plain(node)?;
        let from = self.open.last().map_or(FLOW, String::as_str);
        let refused = |what: String| Err(self.refused(node.line, what));
        if !self.folder {
            return refused(format!(
                "runFlow: {named}: a flow on stdin has no folder; name the file of the flow"
            ));
        }
        let Some(path) = resolve(from, &named) else {
            return refused(format!("runFlow: {named} lies outside the folder of the flow; put it there"));
        };
        if self.open.contains(&path) {
            return refused(format!("runFlow: {named} runs itself"));
        }
        if self.open.len() >= DEEPEST {
            return refused(format!("runFlow: more than {DEEPEST} flows run each other"));
        }
        let bytes = match self.files.read(&path) {
            Ok(bytes) => bytes,
            Err(problem) => return refused(format!("runFlow: {named} {problem}")),
        };
        self.open.push(path);
        self.run(&bytes, false)?;
        self.open.pop();
        Ok(())
    }

    /// A text of the flow. What Maestro would evaluate is refused; what is kept from that is unpacked.
    fn plain(&self, node: &Node) -> Result<String, ImportError> {
        let Some(text) = node.text() else {
            return Err(self.refused(node.line, "a text is expected here"));
        };
        let mut done = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let (before, inside) = (&rest[..at], &rest[at + 2..]);
            let closed = inside.find('}').is_some_and(|end| !inside[..end].contains('$'));
            match before.strip_suffix('\\') {
                Some(before) if closed => done.push_str(before),
                None if closed => {
                    let end = inside.find('}').unwrap_or_default();
                    let what = format!(
                        "${{{}}} is a script of Maestro; write the value in its place",
                        &inside[..end]
                    );
                    return Err(self.refused(node.line, what));
                }
                _ => done.push_str(before),
            }
            done.push_str("${");
            rest = inside;
        }
        done.push_str(rest);
        Ok(done)
    }

    /// The whole number of a field; nothing where the field is absent.
    fn number_of(&self, name: &str, node: Option<&Node>) -> Result<Option<u64>, ImportError> {
        let Some(node) = node.filter(|node| node.value != Yaml::Null) else { return Ok(None) };
        let text = self.plain(node)?;
        let what = || self.refused(node.line, format!("{name}: '{text}' is not a whole number"));
        node.number().map(Some).ok_or_else(what)
    }

    /// Whether a field is true or false; nothing where the field is absent.
    fn switch_of(&self, name: &str, node: Option<&Node>) -> Result<Option<bool>, ImportError> {
        let Some(node) = node.filter(|node| node.value != Yaml::Null) else { return Ok(None) };
        let text = self.plain(node)?;
        let what = || self.refused(node.line, format!("{name}: '{text}' is neither true nor false"));
        text.to_ascii_lowercase().parse().map(Some).map_err(|_| what())
    }

    fn spend(&mut self, work: u64) -> Result<(), ImportError> {
        self.work = self.work.saturating_add(work);
        let over = self.work > MOST_WORK || self.made.steps() > super::MOST_STEPS;
        if over { Err(ImportError::TooLarge) } else { Ok(()) }
    }

    fn wrong(&self, (line, what): Wrong) -> ImportError {
        self.refused(line, what)
    }

    /// A sentence about a line of the file that is being read.
    fn refused(&self, line: usize, what: impl Into<String>) -> ImportError {
        match &self.open[..] {
            [_, .., file] => ImportError::whole(format!("{file}, line {line}: {}", what.into())),
            _ => ImportError::at(line, what),
        }
    }
}
