//! Everything that is printed. People's text goes to stderr; stdout carries results for programs.

mod annotations;
mod cases;
#[cfg(test)]
mod hostile;
mod json;
mod junit;
mod learnt;
mod pager;
mod progress;
mod reports;
mod sarif;
mod sources;
mod summary;
mod terminal;

use std::fmt::Display;
use std::sync::{LazyLock, Mutex, PoisonError};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

pub(crate) use json::JsonResult;
pub(crate) use pager::show;
pub(crate) use reports::Reports;
pub(crate) use retap_show::count;
pub(crate) use terminal::Terminal;

use crate::args::Global;

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// What devices had to say. They tell it from threads of their own, whatever the job is.
static NOTICES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Whether this is a step of a workflow of GitHub, which takes some lines of a log for commands.
static ON_GITHUB: LazyLock<bool> =
    LazyLock::new(|| std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"));

/// Where words go, and how many.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    verbose: u8,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        Self { json: global.json, quiet: global.quiet, verbose: global.verbose }
    }

    /// A line for people.
    pub(crate) fn say(self, line: impl Display) {
        if !self.quiet {
            tell(format_args!("{line}"));
        }
    }

    /// A line for people who asked for more.
    pub(crate) fn detail(self, line: impl Display) {
        if self.verbose > 0 && !self.quiet {
            tell(format_args!("{FAINT}{line}{FAINT:#}"));
        }
    }

    /// The result for programs: one JSON object as the last line of stdout.
    pub(crate) fn result(self, result: &impl Serialize) -> anyhow::Result<()> {
        if self.json {
            print_json(&serde_json::to_string(result)?)?;
        }
        Ok(())
    }

    /// Whether results are printed for programs.
    pub(crate) const fn is_for_programs(self) -> bool {
        self.json
    }

    /// Whether nothing but errors is said.
    pub(crate) const fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Whether bars may be drawn.
    pub(crate) fn draws(self) -> bool {
        use std::io::IsTerminal as _;
        !self.quiet && std::io::stderr().is_terminal()
    }
}

/// A line on stderr. Where it cannot be written, as on a full disk, there is nobody to be told, and the work goes on.
pub(crate) fn tell(line: std::fmt::Arguments<'_>) {
    tell_command(&guarded(harmless(&line.to_string())));
}

/// Text in which nothing steers a terminal but ends of lines and the styles that are used here. What an app calls its widgets
/// may be anything.
fn harmless(text: &str) -> String {
    let ours = [GOOD, BAD, STRONG, FAINT].map(|style| format!("{style}"));
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(retap_trace::steers) {
        let (plain, from) = rest.split_at(at);
        safe.push_str(plain);
        let style =
            ours.iter().map(String::as_str).chain(["\u{1b}[0m", "\n"]).find(|ours| from.starts_with(ours));
        let end = style.map_or_else(|| from.chars().next().map_or(0, char::len_utf8), str::len);
        match style {
            Some(style) => safe.push_str(style),
            None => safe.push_str(&retap_trace::harmless(&from[..end])),
        }
        rest = &from[end..];
    }
    safe + rest
}

/// A line on stderr as it is, which may be a command of GitHub's workflows.
fn tell_command(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Whether this is a step of a workflow of GitHub.
pub(crate) fn on_github() -> bool {
    *ON_GITHUB
}

/// A line that says that something is amiss, also to those who asked for quiet.
pub(crate) fn warn(line: impl Display) {
    tell(format_args!("{BAD}warning:{BAD:#} {line}"));
}

/// What a device has to say in the course of a job. It stands in the result as well.
pub(crate) fn notice(line: &str) {
    warn(line);
    NOTICES.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
}

/// All that devices had to say so far.
pub(crate) fn notices() -> Vec<String> {
    NOTICES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The one sentence about what went wrong: what was attempted, then why it failed.
pub(crate) fn error(error: &anyhow::Error) {
    tell(format_args!("{BAD}error:{BAD:#} {error:#}"));
}

/// Text for people in which GitHub finds no command of a workflow.
fn guarded(text: String) -> String {
    if on_github() { annotations::harmless(&text) } else { text }
}

/// Whether GitHub would take something in this text, as it is, for a command of a workflow.
pub(crate) fn commands_github(text: &str) -> bool {
    on_github() && annotations::has_command(text)
}

/// JSON on a line of stdout.
pub(crate) fn print_json(line: &str) -> anyhow::Result<()> {
    if on_github() { print_data(&annotations::harmless_json(line)) } else { print_data(line) }
}

/// A line for people on stdout, with styles where it is a terminal that has them.
pub(crate) fn print_line(line: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    unless_gone(writeln!(anstream::stdout(), "{line}"))
}

/// Data with a line end on stdout. A file or a program gets every character of it.
pub(crate) fn print_data(data: &str) -> anyhow::Result<()> {
    use std::io::{IsTerminal as _, Write as _};
    let mut stdout = std::io::stdout();
    if stdout.is_terminal() { print_line(data) } else { unless_gone(writeln!(stdout, "{data}")) }
}

/// A reader that has gone away is no failure.
fn unless_gone(written: std::io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// In bold.
pub(crate) fn strong(text: impl Display) -> String {
    format!("{STRONG}{text}{STRONG:#}")
}

/// In green.
pub(crate) fn good(text: impl Display) -> String {
    format!("{GOOD}{text}{GOOD:#}")
}

/// In red.
pub(crate) fn bad(text: impl Display) -> String {
    format!("{BAD}{text}{BAD:#}")
}

/// In grey.
pub(crate) fn faint(text: impl Display) -> String {
    format!("{FAINT}{text}{FAINT:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_styles_of_our_own_reach_a_terminal() {
        let line = format!("{} \u{1b}]0;title\u{7}\u{1b}[2J\r::error::\n\u{9b}x\u{202e}", bad("tap 'ü'"));
        assert_eq!(
            harmless(&line),
            format!(
                "{} \\u{{1b}}]0;title\\u{{7}}\\u{{1b}}[2J\\u{{d}}::error::\n\\u{{9b}}x\\u{{202e}}",
                bad("tap 'ü'")
            )
        );
        for style in [good("a"), strong("a"), faint("a")] {
            assert_eq!(harmless(&style), style);
        }
    }
}
