//! Did you mean: the known name that is closest to a mistyped one.

/// `; did you mean `x`?` when a known name is close, otherwise nothing.
///
/// A full name such as `org.example.Main` is also looked up by its last part.
pub(crate) fn did_you_mean<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let last = word.rsplit('.').next().unwrap_or(word);
    closest(word, known.iter().copied())
        .or_else(|| closest(last, known))
        .map(|name| format!("; did you mean `{name}`?"))
}

/// The closest known name; the first of equally close ones. None when all are too far to be meant.
fn closest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    const LONGEST: usize = 60;
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    if word.len() > LONGEST {
        return None;
    }
    let allowed = word.len().div_ceil(4);
    let mut best = None;
    for name in known {
        let letters: Vec<char> = name.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
        if letters.len().abs_diff(word.len()) > allowed {
            continue;
        }
        let distance = distance(&word, &letters);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Letters to insert, delete, replace or swap with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, &from) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &to) in right.iter().enumerate() {
            let mut least = (above[column] + usize::from(from != to)).min(above[column + 1] + 1);
            least = least.min(current[column] + 1);
            if row > 0 && column > 0 && from == right[column - 1] && left[row - 1] == to {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["screen", "dialog", "menu", "var"];
        assert_eq!(closest("scren", known), Some("screen"));
        assert_eq!(closest("Dialgo", known), Some("dialog"));
        assert_eq!(closest("vra", known), Some("var"));
        assert_eq!(closest("button", known), None);
        assert_eq!(closest("", known), None);
        assert_eq!(did_you_mean("android.widget.menu", known).as_deref(), Some("; did you mean `menu`?"));
        assert_eq!(closest(&"x".repeat(1_000), known), None);
    }

    #[test]
    fn counts_edits() {
        let between =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(between("", "abc"), 3);
        assert_eq!(between("kitten", "sitting"), 3);
        assert_eq!(between("ab", "ba"), 1);
        assert_eq!(between("same", "same"), 0);
    }
}
