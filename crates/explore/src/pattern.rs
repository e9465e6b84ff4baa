//! How users point at widgets and activities they have rules for.

use std::fmt;

use retap_trace::Node;

/// A pattern for widgets: `Delete*`, `id:delete_account`, `text:Delete`, `desc:More options`.
///
/// Without a prefix it may be the widget's id, its text or its content description. `*` stands for any characters,
/// everything else for itself. An id goes by its full name (`org.example:id/delete`) or by its last part. An empty text
/// field shows its hint as its text, so `text:` also finds hints; an id holds when something has been typed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    part: Option<Part>,
    like: String,
}

/// A part of a widget that has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    Id,
    Text,
    Desc,
}

impl Pattern {
    /// Whether a widget is meant.
    pub fn fits(&self, node: &Node) -> bool {
        let is = |part| self.part.is_none_or(|meant| meant == part);
        (is(Part::Id) && fits_name(&self.like, &node.id, '/'))
            || (is(Part::Text) && fits(&self.like, &node.text))
            || (is(Part::Desc) && fits(&self.like, &node.desc))
    }
}

/// Never fails: without one of the prefixes it is a pattern for everything.
impl From<&str> for Pattern {
    fn from(text: &str) -> Self {
        let parts = [("id:", Part::Id), ("text:", Part::Text), ("desc:", Part::Desc)];
        let prefixed =
            parts.iter().find_map(|(prefix, part)| Some((Some(*part), text.strip_prefix(prefix)?)));
        let (part, like) = prefixed.unwrap_or((None, text));
        Self { part, like: like.to_owned() }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = match self.part {
            Some(Part::Id) => "id:",
            Some(Part::Text) => "text:",
            Some(Part::Desc) => "desc:",
            None => "",
        };
        write!(f, "{prefix}{}", self.like)
    }
}

/// Whether a name fits as a whole or by what stands behind its last `mark`.
pub(crate) fn fits_name(like: &str, name: &str, mark: char) -> bool {
    let last = name.rsplit(mark).next().unwrap_or_default();
    fits(like, name) || fits(like, last)
}

/// Whether a text fits a pattern with `*`. What is not there fits nothing, not even `*`.
pub(crate) fn fits(like: &str, text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let mut pieces = like.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    // Between two stars, the first place where a piece fits leaves the most for the others.
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn node(id: &str, text: &str, desc: &str) -> Node {
        Node { id: id.into(), text: text.into(), desc: desc.into(), ..Node::default() }
    }

    #[test]
    fn a_prefix_says_which_part_is_meant() {
        let delete = node("org.example:id/delete", "Löschen", "Remove");
        for meant in
            ["delete", "org.example:id/delete", "id:del*", "text:Löschen", "L*sch*n", "desc:Remove", "*"]
        {
            assert!(Pattern::from(meant).fits(&delete), "{meant}");
        }
        for other in ["text:delete", "id:Remove", "desc:Löschen", "del", "lete", "", "delete ", "löschen"] {
            assert!(!Pattern::from(other).fits(&delete), "{other}");
        }
        assert!(!Pattern::from("*").fits(&node("", "", "")), "nothing is not anything");
    }

    #[test]
    fn patterns_read_as_they_were_written() {
        for text in ["id:delete", "text:a:b*", "desc:", "Delete", "idle:x"] {
            assert_eq!(Pattern::from(text).to_string(), text);
        }
    }

    /// The definition, slowly.
    fn slow(like: &[char], text: &[char]) -> bool {
        match like.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|skipped| slow(rest, &text[skipped..])),
            Some((char, rest)) => text.first() == Some(char) && slow(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn stars_stand_for_anything(like in "[abü*]{0,7}", text in "[abü]{1,9}") {
            let (pattern, word): (Vec<_>, Vec<_>) = (like.chars().collect(), text.chars().collect());
            prop_assert_eq!(fits(&like, &text), slow(&pattern, &word), "{} {}", like, text);
        }
    }
}
