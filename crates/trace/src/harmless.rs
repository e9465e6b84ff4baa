//! Text of apps and files for people: what would steer a terminal is shown, not done.

/// Whether a character steers a terminal, or turns the order of reading.
#[must_use]
pub fn steers(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text in which whatever steers a terminal, or turns the order of reading, stands as `\u{1b}`.
#[must_use]
pub fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\t' => safe.push(' '),
            char if steers(char) => safe.extend(char.escape_unicode()),
            char => safe.push(char),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_and_not_done() {
        assert_eq!(harmless("a\u{1b}[31mred\u{7}\r\n\u{9b}x"), r"a\u{1b}[31mred\u{7}\u{d}\u{a}\u{9b}x");
        assert_eq!(harmless("\u{202e}evil\u{2066}"), r"\u{202e}evil\u{2066}");
        assert_eq!(harmless("größe 字 👍\u{fe0f}\tx"), "größe 字 👍\u{fe0f} x");
    }
}
