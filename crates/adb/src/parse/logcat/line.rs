//! One line of `logcat -v threadtime`.

/// A line, taken apart: `07-04 10:16:34.898  5368  5370 E AndroidRuntime: FATAL EXCEPTION: main`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogcatLine<'t> {
    /// Date and time as printed.
    pub time: &'t str,
    pub process: u32,
    pub thread: u32,
    /// `V`, `D`, `I`, `W`, `E`, `F`.
    pub level: char,
    /// Who it says it is.
    pub tag: &'t str,
    pub text: &'t str,
}

impl<'t> LogcatLine<'t> {
    /// Reads a line. None for dividers and whatever else is no line.
    pub fn parse(line: &'t str) -> Option<Self> {
        let line = line.trim_end_matches(['\r', '\n']);
        let (date, rest) = line.split_once(' ')?;
        let (clock, rest) = rest.trim_start().split_once(' ')?;
        let digits = |text: &str, marks: &str| {
            text.chars().all(|char| char.is_ascii_digit() || marks.contains(char))
                && text.contains(|char| marks.contains(char))
        };
        if !digits(date, "-") || !digits(clock, ":.") {
            return None;
        }
        let time = &line[..date.len() + 1 + (line[date.len() + 1..].find(clock)?) + clock.len()];
        // A zone may stand behind the clock, and the user before the process.
        let mut words = Words(rest);
        let mut word = words.next()?;
        if word.starts_with(['+', '-']) {
            word = words.next()?;
        }
        let first = number(word);
        let second = words.next()?;
        let third = words.next()?;
        let (process, thread, level) = match (first, number(second), number(third)) {
            (_, Some(process), Some(thread)) => (process, thread, words.next()?),
            (Some(process), Some(thread), None) => (process, thread, third),
            _ => return None,
        };
        let mut letters = level.chars();
        let (Some(level), None) = (letters.next(), letters.next()) else { return None };
        if !"VDIWEFA".contains(level) {
            return None;
        }
        let rest = words.0.strip_prefix(' ').unwrap_or(words.0);
        let (tag, text) = rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|tag| (tag, "")))?;
        Some(Self { time, process, thread, level, tag: tag.trim(), text })
    }
}

fn number(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// Words one by one, with the rest still at hand.
struct Words<'t>(&'t str);

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let text = self.0.trim_start();
        let end = text.find(' ').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        let line = LogcatLine::parse("07-04 10:16:34.898  5368  5370 E AndroidRuntime: \tat a.B.c(B.java:1)")
            .unwrap();
        assert_eq!((line.time, line.process, line.thread), ("07-04 10:16:34.898", 5368, 5370));
        assert_eq!((line.level, line.tag, line.text), ('E', "AndroidRuntime", "\tat a.B.c(B.java:1)"));
        let year =
            LogcatLine::parse("2024-07-04 10:16:34.898123 +0200 10101 5368 5370 I DEBUG   : x: y").unwrap();
        assert_eq!(
            (year.time, year.process, year.tag, year.text),
            ("2024-07-04 10:16:34.898123", 5368, "DEBUG", "x: y")
        );
        assert_eq!(LogcatLine::parse("07-04 10:16:34.898     1     2 I a b c : \r").unwrap().tag, "a b c");
        assert_eq!(LogcatLine::parse("07-04 10:16:34.898  1  2 I Tag:").unwrap().text, "");
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "",
            "--------- beginning of crash",
            "07-04 10:16:34.898",
            "07-04 10:16:34.898  5368  5370 X Tag: x",
            "07-04 10:16:34.898  a  5370 I Tag: x",
            "\tat a.B.c(B.java:1)",
            "07-04 10:16:34.898  99999999999  5370 I Tag: x",
            "é-ü ö:ä",
        ] {
            assert_eq!(LogcatLine::parse(line), None, "{line}");
        }
    }
}
