//! The names of Android's packages.

/// Longer than any that Android takes.
const LONGEST: usize = 255;

/// Whether an app on Android can be called so, by the rule of its package parser: parts of ASCII letters, digits and
/// underscores that begin with a letter, at least two of them, with dots in between.
///
/// Where a package becomes a word of a command or a part of a script, this is what keeps it a word.
pub fn is_package(name: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
    };
    name.len() <= LONGEST && name.contains('.') && name.split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_told_from_other_words() {
        for name in ["org.retap.notes", "a.b", "com.example.App_2", "a.b1.c_"] {
            assert!(is_package(name), "{name}");
        }
        for name in [
            "", "notes", ".a.b", "a.b.", "a..b", "a.1b", "1a.b", "_a.b", "a-b.c", "a.b$c", "a b.c",
            "\u{fc}.b", "a.b\n",
        ] {
            assert!(!is_package(name), "{name:?}");
        }
        assert!(!is_package(&format!("a.{}", "b".repeat(LONGEST))));
    }
}
