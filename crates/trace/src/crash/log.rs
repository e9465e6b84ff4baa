//! Lines of a log without what logcat and Monkey put in front of them.

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogLine<'t> {
    /// Who wrote it: all before the message but the time. None for a line without a prefix.
    pub(super) writer: Option<Writer<'t>>,
    /// The message, with the indent it has.
    pub(super) text: &'t str,
}

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Writer<'t> {
    tag: &'t str,
    process: &'t str,
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> Vec<LogLine<'_>> {
    text.lines().map(LogLine::of).collect()
}

impl<'t> LogLine<'t> {
    fn of(line: &'t str) -> Self {
        if let Some(text) = line.strip_prefix("// ") {
            return Self { writer: None, text };
        }
        let (dated, rest) = without_time(line);
        threadtime(rest)
            .filter(|_| dated)
            .or_else(|| brief(rest))
            .unwrap_or(Self { writer: None, text: line })
    }

    /// Whether the line can belong to what another line began. A line without a prefix belongs to what is above it.
    pub(super) fn continues(&self, first: &Self) -> bool {
        self.writer.is_none() || self.writer == first.writer
    }

    /// How far the message is indented.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }
}

/// `07-04 10:16:34.898 ` or `2024-07-04 10:16:34.898 ` in front.
fn without_time(line: &str) -> (bool, &str) {
    let made_of = |word: &str, mark: char| {
        word.contains(mark) && word.chars().all(|char| char.is_ascii_digit() || char == mark || char == '.')
    };
    let mut words = line.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(date), Some(time), Some(rest)) if made_of(date, '-') && made_of(time, ':') => (true, rest),
        _ => (false, line),
    }
}

/// `5368  5368 W System.err: message`
fn threadtime(line: &str) -> Option<LogLine<'_>> {
    let (process, rest) = word(line)?;
    let (thread, rest) = word(rest)?;
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let (level, rest) = word(rest)?;
    if !number(process) || !number(thread) || !is_level(level) {
        return None;
    }
    let (tag, text) = message(rest)?;
    Some(LogLine { writer: Some(Writer { tag: tag.trim(), process }), text })
}

/// `E/AndroidRuntime( 5368): message`, `E/AndroidRuntime: message`, or `E AndroidRuntime: message`.
fn brief(line: &str) -> Option<LogLine<'_>> {
    // Android Studio puts process and app in front: `1234-1240/com.example E/AndroidRuntime: `.
    let line = match line.split_once(' ') {
        Some((process, rest))
            if process.contains('/') && process.starts_with(|char: char| char.is_ascii_digit()) =>
        {
            rest
        }
        _ => line,
    };
    let level = line.get(..1).filter(|level| is_level(level))?;
    let rest = line[level.len()..].strip_prefix(['/', ' '])?;
    let (tag, text) = message(rest)?;
    let (tag, process) = tag.split_once('(').unwrap_or((tag, ""));
    let tag = tag.trim();
    let plain = !tag.is_empty() && !tag.contains(char::is_whitespace);
    plain.then_some(LogLine {
        writer: Some(Writer { tag, process: process.trim_end_matches(')').trim() }),
        text,
    })
}

fn word(line: &str) -> Option<(&str, &str)> {
    line.trim_start().split_once(' ')
}

/// The tag and the message behind it; the message may be empty.
fn message(line: &str) -> Option<(&str, &str)> {
    line.split_once(": ").or_else(|| line.strip_suffix(':').map(|tag| (tag, "")))
}

fn is_level(word: &str) -> bool {
    matches!(word, "V" | "D" | "I" | "W" | "E" | "F" | "A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_is_taken_off() {
        for line in [
            "07-04 10:16:34.898  5368  5368 E AndroidRuntime: \tat a.B.c(B.java:1)",
            "2024-07-04 10:16:34.898123  5368  5370 E AndroidRuntime: \tat a.B.c(B.java:1)",
            "07-04 10:16:34.898 E/AndroidRuntime( 5368): \tat a.B.c(B.java:1)",
            "E/AndroidRuntime( 5368): \tat a.B.c(B.java:1)",
            "E/AndroidRuntime: \tat a.B.c(B.java:1)",
            "E AndroidRuntime: \tat a.B.c(B.java:1)",
            "2024-07-04 10:16:34.898 5368-5368/com.example E/AndroidRuntime: \tat a.B.c(B.java:1)",
        ] {
            let found = LogLine::of(line);
            assert_eq!(found.text, "\tat a.B.c(B.java:1)", "{line}");
            assert_eq!(found.writer.unwrap().tag, "AndroidRuntime", "{line}");
        }
        assert_eq!(LogLine::of("// \tat a.B.c(B.java:1)").text, "\tat a.B.c(B.java:1)");
    }

    #[test]
    fn plain_text_stays() {
        for line in ["\tat a.B.c(B.java:1)", "java.lang.Error: no E/x", "", "E", "Reason: x", "Ä: x"] {
            assert_eq!(LogLine::of(line), LogLine { writer: None, text: line });
        }
    }

    #[test]
    fn lines_of_others_do_not_continue() {
        let first = LogLine::of("E/AndroidRuntime( 5): FATAL EXCEPTION: main");
        assert!(LogLine::of("E/AndroidRuntime( 5): x").continues(&first));
        assert!(LogLine::of("    at a.b(c)").continues(&first));
        assert!(!LogLine::of("E/AndroidRuntime( 6): x").continues(&first));
        assert!(!LogLine::of("E/Other( 5): x").continues(&first));
    }
}
