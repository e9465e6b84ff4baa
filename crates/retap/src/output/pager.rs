//! Pages on stdout: painted on a terminal, and through a pager where they do not fit.

use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Child, Command, Stdio};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use retap_show::{TextLine, TextPage, Tone};
use serde::Serialize;

use super::{BAD, FAINT, GOOD, Output, STRONG, guarded, print_json};

const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();

/// Shows a page to people, or prints the same as data. `pages`: whether a pager may be used.
pub(crate) fn show<T: Serialize>(
    output: Output,
    page: impl FnOnce() -> TextPage,
    data: impl FnOnce() -> T,
    pages: bool,
) -> anyhow::Result<()> {
    if output.is_for_programs() {
        return print_json(&serde_json::to_string(&data())?);
    }
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let size = terminal.then(terminal_size::terminal_size).flatten();
    let page = match size {
        Some((width, _)) => page().wrapped(width.0.into()),
        None => page(),
    };
    let colours = AutoStream::choice(&stdout) != ColorChoice::Never;
    let text = guarded(painted(&page, colours));
    let long = size.is_some_and(|(_, height)| page.lines().len() >= usize::from(height.0));
    if pages && long && paged(&text)? {
        return Ok(());
    }
    quietly(stdout.lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()))
}

/// A reader that has gone away is no failure.
fn quietly(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Shows a text in the user's pager; says whether there is one that took it.
fn paged(text: &str) -> anyhow::Result<bool> {
    let Some(mut pager) = pager() else { return Ok(false) };
    if let Some(mut to) = pager.stdin.take() {
        quietly(to.write_all(text.as_bytes()))?;
    }
    // A shell that did not find the pager has said so.
    Ok(!matches!(pager.wait()?.code(), Some(126 | 127)))
}

/// Starts the pager: the user's, else less. One that says nothing, or `cat`, is none.
fn pager() -> Option<Child> {
    let named = ["RETAP_PAGER", "PAGER"].into_iter().find_map(|name| env::var(name).ok());
    let named = named.as_deref().map(str::trim);
    if matches!(named, Some("" | "cat")) {
        return None;
    }
    let mut command = Command::new(if named.is_some() { "sh" } else { "less" });
    match named {
        // As it is typed: it may have options.
        Some(named) => command.args(["-c", named]),
        None => command.arg("-FRX"),
    };
    if env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    command.stdin(Stdio::piped()).spawn().ok()
}

fn painted(page: &TextPage, colours: bool) -> String {
    if !colours {
        return page.plain();
    }
    let mut text = String::new();
    for line in page.lines() {
        paint(&mut text, line);
        text.push('\n');
    }
    text
}

fn paint(text: &mut String, line: &TextLine) {
    for span in line.spans() {
        let style = match span.tone() {
            Tone::Plain => Style::new(),
            Tone::Strong => STRONG,
            Tone::Faint => FAINT,
            Tone::Good => GOOD,
            Tone::Bad => BAD,
            Tone::Added => ADDED,
            Tone::Removed => REMOVED,
        };
        write!(text, "{style}{}{style:#}", span.text()).expect("memory takes all");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_are_colours_where_there_are_some() {
        let mut page = TextPage::new();
        page.add(TextLine::new().text("a ").toned(Tone::Bad, "b\u{1b}[0m"));
        assert_eq!(painted(&page, false), "a b\\u{1b}[0m\n");
        assert_eq!(painted(&page, true), "a \u{1b}[1m\u{1b}[31mb\\u{1b}[0m\u{1b}[0m\n");
    }
}
