//! How two traces, two sessions or two suites differ.

mod align;
mod covered;
mod event;
mod session;
mod settings;
mod suite;
mod trace;

pub use session::SessionDifference;
pub use suite::{SuiteDifference, SuiteSide};
pub use trace::{TraceDifference, TraceSide};

use std::path::Path;

use serde::Serialize;

use crate::page::{TextLine, TextPage, Tone};
use crate::words::path;

/// Something that has a name and is not the same in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Changed {
    name: String,
    before: Option<String>,
    after: Option<String>,
}

/// A name and a value, as people read them.
type Fact = (String, String);

/// Facts whose names are known.
fn named(facts: impl IntoIterator<Item = (&'static str, String)>) -> Vec<Fact> {
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What differs between two lists of facts.
fn changed(before: &[Fact], after: &[Fact]) -> Vec<Changed> {
    let value = |facts: &[Fact], name: &str| {
        facts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    };
    let only_after = after.iter().filter(|(name, _)| value(before, name).is_none());
    let names = before.iter().chain(only_after).map(|(name, _)| name);
    let all = names.map(|name| Changed {
        name: name.clone(),
        before: value(before, name),
        after: value(after, name),
    });
    all.filter(|fact| fact.before != fact.after).collect()
}

/// How two things differ, whatever they are.
#[derive(Debug, Serialize)]
pub struct Difference<'a, F> {
    command: &'static str,
    what: &'static str,
    before: &'a Path,
    after: &'a Path,
    same: bool,
    #[serde(flatten)]
    found: F,
}

/// What was found when two things were compared.
trait Findings {
    /// What they are, for programs.
    const WHAT: &'static str;

    /// Whether nothing differs.
    fn are_none(&self) -> bool;

    /// How large both are, in words.
    fn sizes(&self) -> (String, String);

    /// The facts that differ.
    fn facts(&self) -> &[Changed];

    /// All but sizes and facts, for people.
    fn body(&self, page: &mut TextPage);
}

#[expect(private_bounds, reason = "what can be compared is decided here")]
impl<'a, F: Findings> Difference<'a, F> {
    fn new(before: &'a Path, after: &'a Path, found: F) -> Self {
        Self { command: "diff", what: F::WHAT, before, after, same: found.are_none(), found }
    }

    /// Whether nothing differs.
    pub const fn is_same(&self) -> bool {
        self.same
    }

    /// For people: nothing, where nothing differs.
    pub fn page(&self) -> TextPage {
        let mut page = TextPage::new();
        if self.same {
            return page;
        }
        let (one, other) = self.found.sizes();
        heads(&mut page, (self.before, &one), (self.after, &other));
        facts(&mut page, self.found.facts());
        self.found.body(&mut page);
        page
    }
}

/// The two things that are compared, as the first lines of a page.
fn heads(page: &mut TextPage, before: (&Path, &str), after: (&Path, &str)) {
    let head = |mark: &str, tone: Tone, (file, what): (&Path, &str)| {
        TextLine::new().toned(tone, format!("{mark} {}", path(file))).text(format!(": {what}")).hanging(4)
    };
    page.add(head("---", Tone::Removed, before));
    page.add(head("+++", Tone::Added, after));
}

/// Facts that differ, one below the other.
fn facts(page: &mut TextPage, changed: &[Changed]) {
    let width = changed.iter().map(|fact| fact.name.chars().count()).max().unwrap_or(0).max(9);
    for Changed { name, before, after } in changed {
        let of = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let line = TextLine::new().toned(Tone::Faint, format!("  {name:<width$} "));
        page.add(line.toned(Tone::Removed, format!("- {}", of(before))).hanging(width + 5));
        let line = TextLine::new().text(" ".repeat(width + 3));
        page.add(line.toned(Tone::Added, format!("+ {}", of(after))).hanging(width + 5));
    }
}
