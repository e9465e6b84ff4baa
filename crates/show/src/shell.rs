//! Commands as a shell takes them.

use std::fmt::Write as _;
use std::path::Path;

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    if word.chars().any(char::is_control) {
        return escaped(word);
    }
    let plain = |char: char| char.is_alphanumeric() || "-_./:=,@%+".contains(char);
    // A hash begins a comment only at the beginning of a word.
    let rest = word.strip_prefix(plain).unwrap_or("#'");
    if rest.chars().all(|char| plain(char) || char == '#') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A path as a shell takes it, such that no program takes it for an option.
pub fn quoted_path(path: &Path) -> String {
    let text = path.display().to_string();
    if text.starts_with('-') { quoted(&format!("./{text}")) } else { quoted(&text) }
}

/// A word with characters that nobody can see or type.
fn escaped(word: &str) -> String {
    let mut text = "$'".to_owned();
    for char in word.chars() {
        match char {
            '\'' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            char if char.is_control() => {
                let mut bytes = [0; 4];
                for byte in char.encode_utf8(&mut bytes).bytes() {
                    write!(text, "\\x{byte:02x}").expect("memory takes all");
                }
            }
            char => text.push(char),
        }
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (word, typed) in [
            ("night/crashes/A-b.1.trace.jsonl", "night/crashes/A-b.1.trace.jsonl"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("#x", "'#x'"),
            ("a#x", "a#x"),
            ("$(rm)", "'$(rm)'"),
            ("a\nb\u{1b}'", r"$'a\nb\x1b\''"),
        ] {
            assert_eq!(quoted(word), typed);
        }
        assert_eq!(quoted_path(Path::new("-x.trace.jsonl")), "./-x.trace.jsonl");
    }
}
