//! Patterns become paths.

use crate::files::{Files, join};

/// Paths that a pattern may mean.
const MOST: usize = 10_000;

/// Whether a character makes a pattern.
pub(super) const fn is_special(letter: char) -> bool {
    matches!(letter, '*' | '?' | '[')
}

/// The paths that a pattern means, in order; none when nothing fits.
pub(super) fn find(files: &Files, folder: &str, pattern: &str) -> Vec<String> {
    let absolute = pattern.starts_with('/');
    let mut found = vec![if absolute { "/".to_owned() } else { String::new() }];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for base in &found {
            let real = if base.is_empty() { folder.to_owned() } else { join(folder, base) };
            let extend = |name: &str| if base.is_empty() { name.to_owned() } else { join(base, name) };
            if part.contains(is_special) {
                let names = files.list(&real).unwrap_or_default();
                let fits =
                    |name: &str| (!name.starts_with('.') || part.starts_with('.')) && matches(part, name);
                next.extend(names.into_iter().filter(|(name, _)| fits(name)).map(|(name, _)| extend(name)));
            } else {
                let name: String = unescaped(part);
                if files.lstat(&join(&real, &name)).is_ok() {
                    next.push(extend(&name));
                }
            }
        }
        next.truncate(MOST);
        found = next;
    }
    found
}

fn unescaped(part: &str) -> String {
    let mut letters = part.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter });
    }
    text
}

/// Whether a name fits a pattern. Goes back to the last star only, so it never takes long.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let pattern = atoms(pattern);
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut here, mut star) = (0, 0, None);
    while here < name.len() {
        match pattern.get(at) {
            Some(Atom::Star) => {
                star = Some((at, here));
                at += 1;
            }
            Some(atom) if atom.fits(name[here]) => {
                at += 1;
                here += 1;
            }
            _ => match star {
                Some((back, from)) => {
                    star = Some((back, from + 1));
                    (at, here) = (back + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|atom| matches!(atom, Atom::Star))
}

enum Atom {
    Star,
    Any,
    One(char),
    Set(bool, Vec<(char, char)>),
}

impl Atom {
    fn fits(&self, letter: char) -> bool {
        match self {
            Self::Star => false,
            Self::Any => true,
            Self::One(one) => *one == letter,
            Self::Set(not, ranges) => *not != ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter)),
        }
    }
}

fn atoms(pattern: &str) -> Vec<Atom> {
    let letters: Vec<char> = pattern.chars().collect();
    let mut atoms = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        at += 1;
        atoms.push(match letter {
            '*' => Atom::Star,
            '?' => Atom::Any,
            '\\' if at < letters.len() => {
                at += 1;
                Atom::One(letters[at - 1])
            }
            '[' => match set(&letters[at..]) {
                Some((atom, length)) => {
                    at += length;
                    atom
                }
                None => Atom::One('['),
            },
            other => Atom::One(other),
        });
    }
    atoms
}

fn set(letters: &[char]) -> Option<(Atom, usize)> {
    let end = letters.iter().skip(1).position(|letter| *letter == ']')? + 1;
    let not = matches!(letters.first(), Some('!' | '^'));
    let inside = &letters[usize::from(not)..end];
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < inside.len() {
        if inside.get(at + 1) == Some(&'-') && at + 2 < inside.len() {
            ranges.push((inside[at], inside[at + 2]));
            at += 3;
        } else {
            ranges.push((inside[at], inside[at]));
            at += 1;
        }
    }
    Some((Atom::Set(not, ranges), end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        for (pattern, name, fits) in [
            ("*.xml", "window_dump.xml", true),
            ("*.xml", "xml", false),
            ("a*b*c", "aXbYbZc", true),
            ("?x", "ax", true),
            ("[a-c]1", "b1", true),
            ("[!a-c]1", "b1", false),
            ("\\*", "*", true),
            ("\\*", "x", false),
            ("[", "[", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
        assert!(!matches(&"a*".repeat(50), &"a".repeat(49)));
    }
}
