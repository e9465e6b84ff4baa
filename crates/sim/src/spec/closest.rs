//! Did you mean: the known name that is closest to a mistyped one.

/// `; did you mean 'x'?` when a name is close, otherwise nothing.
pub(super) fn did_you_mean(word: &str, known: &[&str]) -> String {
    const LONGEST: usize = 40;
    if word.len() > LONGEST {
        return String::new();
    }
    let far = (word.chars().count() / 3).max(1) + 1;
    let closest = known.iter().map(|name| (distance(word, name), name)).min_by_key(|(distance, _)| *distance);
    match closest {
        Some((distance, name)) if distance < far => format!("; did you mean '{name}'?"),
        _ => String::new(),
    }
}

/// Letters to insert, delete or replace.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, from) in left.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, &to) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(from != to);
            current.push(replaced.min(above[column + 1] + 1).min(current[column] + 1));
        }
        above = current;
    }
    above[right.len()]
}
