//! Did you mean: the known name that is closest to a mistyped one.

/// `; did you mean `x`?` when a known name is close, otherwise nothing.
///
/// A full name such as `org.example.Main` is also looked up by its last part.
pub fn did_you_mean<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let last = word.rsplit('.').next().unwrap_or(word);
    closest(word, known.iter().copied())
        .or_else(|| closest(last, known))
        .map(|name| format!("; did you mean `{name}`?"))
}

/// What to say of a name that is not in a table of names: which ones are, and which was meant.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let meant = did_you_mean(name, known.iter().copied()).unwrap_or_default();
    let all = match known {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    };
    format!("there is no {what} '{name}'{meant}{} there are {all}", if meant.is_empty() { ";" } else { "" })
}

/// The closest known name; the first of equally close ones. None when all are too far to be meant.
fn closest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    const LONGEST: usize = 60;
    let lower =
        |text: &str| -> String { text.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect() };
    let length = |text: &str| text.chars().count();
    let word = lower(word);
    if length(&word) > LONGEST {
        return None;
    }
    let allowed = length(&word).div_ceil(4);
    let mut best = None;
    for name in known {
        // Letters to insert, delete, replace or swap with their neighbour.
        let distance = strsim::osa_distance(&word, &lower(name));
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
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
        let said = unknown("widget", "scren", &known);
        assert_eq!(
            said,
            "there is no widget 'scren'; did you mean `screen`? there are screen, dialog, menu and var"
        );
        assert_eq!(unknown("widget", "x", &["menu"]), "there is no widget 'x'; there are menu");
    }
}
