//! A page: lines of text, in pieces with a tone each.

use retap_trace::harmless;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What a piece of text is, for those who paint it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Text.
    #[default]
    Plain,
    /// What the line is about.
    Strong,
    /// What can be passed over.
    Faint,
    /// Good news.
    Good,
    /// Bad news, and crashes.
    Bad,
    /// Only in the second of two.
    Added,
    /// Only in the first of two.
    Removed,
}

/// A piece of a line. Its text has no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSpan {
    tone: Tone,
    text: String,
}

/// A line. Where it is too long it goes on in the next one, so many columns from the left, unless it is to stay whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextLine {
    spans: Vec<TextSpan>,
    hang: usize,
    whole: bool,
}

/// Lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextPage {
    lines: Vec<TextLine>,
}

impl TextSpan {
    /// A piece of text, made harmless.
    pub fn new(tone: Tone, text: impl AsRef<str>) -> Self {
        Self { tone, text: harmless(text.as_ref()) }
    }

    /// What it is.
    pub const fn tone(&self) -> Tone {
        self.tone
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl TextLine {
    /// An empty line, to be filled.
    pub const fn new() -> Self {
        Self { spans: Vec::new(), hang: 0, whole: false }
    }

    /// Adds plain text.
    #[must_use]
    pub fn text(self, text: impl AsRef<str>) -> Self {
        self.toned(Tone::Plain, text)
    }

    /// Adds text with a tone.
    #[must_use]
    pub fn toned(mut self, tone: Tone, text: impl AsRef<str>) -> Self {
        if !text.as_ref().is_empty() {
            self.spans.push(TextSpan::new(tone, text));
        }
        self
    }

    /// Says where it goes on when it is too long.
    #[must_use]
    pub const fn hanging(mut self, columns: usize) -> Self {
        self.hang = columns;
        self
    }

    /// Says that its first piece is never broken, such as a command that people copy; what follows may go below it.
    #[must_use]
    pub const fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Its pieces.
    pub fn spans(&self) -> &[TextSpan] {
        &self.spans
    }

    /// Its text alone.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| &*span.text).collect()
    }

    /// Columns that it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.width()).sum()
    }

    /// The same in lines that are not wider than so many columns, broken between words where that is possible.
    pub fn wrapped(self, width: usize) -> Vec<Self> {
        let width = width.max(20);
        if self.width() <= width {
            return vec![self];
        }
        if self.whole {
            return self.after_the_first(width);
        }
        let hang = self.hang.min(width / 2);
        let mut lines = vec![Self::new().hanging(hang)];
        let mut used = 0;
        for TextSpan { tone, text } in self.spans {
            for word in text.split_inclusive(' ') {
                // A space at the end of a line is no reason for another one.
                let needed = word.trim_end_matches(' ').width();
                if used > hang && used + needed > width && needed <= width - hang {
                    lines.last_mut().expect("there is one").trim();
                    lines.push(Self::continued(hang));
                    used = hang;
                }
                for piece in pieces(word, width - hang, width.saturating_sub(used)) {
                    if used + piece.trim_end().width() > width {
                        lines.push(Self::continued(hang));
                        used = hang;
                    }
                    used += piece.width();
                    lines.last_mut().expect("there is one").push(tone, piece);
                }
            }
        }
        lines
    }

    /// The first piece whole, and what follows in lines below it.
    fn after_the_first(self, width: usize) -> Vec<Self> {
        let mut pieces = self.spans.into_iter();
        let mut first = Self { spans: pieces.by_ref().take(1).collect(), ..Self::new() };
        first.trim();
        let below = pieces
            .fold(Self::continued(self.hang), |line, span| line.toned(span.tone, span.text.trim_start()));
        let below = if below.spans.len() > 1 { below.hanging(self.hang).wrapped(width) } else { Vec::new() };
        std::iter::once(first).chain(below).collect()
    }

    /// Takes spaces away at the end, which would count as a column.
    fn trim(&mut self) {
        if let Some(last) = self.spans.last_mut() {
            last.text.truncate(last.text.trim_end_matches(' ').len());
        }
    }

    fn continued(hang: usize) -> Self {
        Self::new().text(" ".repeat(hang)).hanging(hang)
    }

    /// Adds text that is harmless already, to the last piece where that has the same tone.
    fn push(&mut self, tone: Tone, text: &str) {
        match self.spans.last_mut().filter(|last| last.tone == tone) {
            Some(last) => last.text.push_str(text),
            None => self.spans.push(TextSpan { tone, text: text.to_owned() }),
        }
    }
}

/// A word in pieces that fit a line, the first of them into what is left of one.
fn pieces(word: &str, width: usize, left: usize) -> Vec<&str> {
    if word.trim_end().width() <= width {
        return vec![word];
    }
    let (mut found, mut start, mut used, mut room) = (Vec::new(), 0, 0, left.max(1));
    for (at, char) in word.char_indices() {
        let columns = char.width().unwrap_or(0);
        if used + columns > room && at > start {
            found.push(&word[start..at]);
            (start, used, room) = (at, 0, width);
        }
        used += columns;
    }
    found.push(&word[start..]);
    found
}

impl TextPage {
    /// A page without lines.
    pub const fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Adds a line.
    pub fn add(&mut self, line: TextLine) {
        self.lines.push(line);
    }

    /// Adds a line of plain text, which goes on two columns further in than it begins.
    pub fn say(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let indent = text.len() - text.trim_start_matches(' ').len();
        self.add(TextLine::new().text(text).hanging(indent + 2));
    }

    /// Adds an empty line, unless one stands there.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.spans.is_empty()) {
            self.lines.push(TextLine::new());
        }
    }

    /// Adds a fact: what it is, and what is known of it.
    pub fn fact(&mut self, name: &str, value: impl AsRef<str>) {
        let line = TextLine::new().toned(Tone::Faint, format!("  {name:<9} ")).text(value);
        self.add(line.hanging(12));
    }

    /// Its lines.
    pub fn lines(&self) -> &[TextLine] {
        &self.lines
    }

    /// The same with no line wider than so many columns.
    #[must_use]
    pub fn wrapped(self, width: usize) -> Self {
        Self { lines: self.lines.into_iter().flat_map(|line| line.wrapped(width)).collect() }
    }

    /// Its text alone.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(line.plain().trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_go_on_further_in() {
        let line =
            TextLine::new().text("  1. ").toned(Tone::Strong, "one two three four five six").hanging(5);
        let lines: Vec<String> = line.wrapped(20).iter().map(TextLine::plain).collect();
        assert_eq!(lines, ["  1. one two three", "     four five six"]);
    }

    #[test]
    fn words_that_fit_no_line_are_broken_by_columns() {
        let line = TextLine::new().text(format!("x {}", "字".repeat(25))).hanging(2);
        for line in line.wrapped(20) {
            assert!(line.width() <= 20, "{line:?}");
        }
        let text = TextLine::new().text("a".repeat(95)).wrapped(20);
        assert_eq!(text.iter().map(TextLine::plain).collect::<String>(), "a".repeat(95));
    }

    #[test]
    fn a_short_line_stays_as_it_is() {
        let line = TextLine::new().text("short").hanging(4);
        assert_eq!(line.clone().wrapped(80), [line]);
        let command =
            TextLine::new().text("retap show x.trace.jsonl  ").toned(Tone::Faint, "  # shows it").whole();
        let lines: Vec<String> = command.hanging(4).wrapped(20).iter().map(TextLine::plain).collect();
        assert_eq!(lines, ["retap show x.trace.jsonl", "    # shows it"]);
    }
}
