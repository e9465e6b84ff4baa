//! Which subsequences are worth trying next?

mod auto;
mod belief;
mod cdd;
mod chain;
mod ddmin;
mod echo;
mod frontier;
mod hdd;
mod level;
mod lhdd;
mod material;
mod one_by_one;
mod proposals;
mod rooted;
mod tree;

use std::fmt;

pub use belief::BeliefSearch;
pub use cdd::Cdd;
pub use chain::Chain;
pub use ddmin::Ddmin;
pub use echo::{echo, shortest_ways};
use frontier::Frontier;
pub use hdd::Hdd;
pub use lhdd::Lhdd;
pub use material::{Brackets, Material};
pub use one_by_one::OneByOne;
pub use proposals::Proposals;
use rooted::Rooted;

use crate::{Candidate, CandidateId, Subset, Verdict, Within};

/// A search: told verdicts, says what it wants to know next.
///
/// Any candidate on the frontier may be settled in any order. A pass moves the search on and makes a new
/// frontier; when all have failed the search takes its next turn; an empty frontier means that it is over.
pub trait Reducer: fmt::Display {
    /// What is worth trying now, best first. It stays as it is until [`Settled::Moved`].
    fn frontier(&self) -> &[Candidate];

    /// Takes the verdict on a candidate of the frontier.
    fn settle(&mut self, id: CandidateId, verdict: Verdict) -> Settled;

    fn best(&self) -> &Subset;
}

/// What a verdict did to the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It is noted; the frontier stands.
    Noted,
    /// There is a new frontier.
    Moved,
}

/// A search that can be chosen by name.
#[derive(Debug, Clone, Copy)]
pub struct SearchKind {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Whether it makes use of states.
    pub states: bool,
    /// Whether it ends with a list from which no single event can be removed under its rule.
    pub minimal: bool,
    /// The search within these events; else what it lacks.
    make: MakeSearch,
}

impl std::str::FromStr for SearchKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        named(name).copied()
    }
}

impl fmt::Display for SearchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

type MakeSearch = fn(Subset, &Material, Options) -> Result<Box<dyn Reducer>, &'static str>;

/// All searches. A new one is a file with a [`SearchKind`], and a line here.
pub const SEARCHES: &[SearchKind] = &[
    auto::KIND,
    belief::KIND,
    ddmin::KIND,
    cdd::KIND,
    hdd::KIND,
    hdd::BY_EVENTS,
    lhdd::KIND,
    lhdd::WITHOUT_PRESELECTION,
    echo::KIND,
];

/// What searches by the hierarchy of states lack where there is none.
const ALL_STATES: &str = "the state before each event, and the trace does not record them all";

pub fn names() -> Vec<&'static str> {
    SEARCHES.iter().map(|kind| kind.name).collect()
}

pub fn named(name: &str) -> Result<&'static SearchKind, String> {
    let found = SEARCHES.iter().find(|kind| kind.name == name);
    found.ok_or_else(|| retap_trace::unknown("search", name, &names()))
}

/// How a search is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether a pass follows that makes the answer 1-minimal under its rule; `auto` always has it.
    pub one_by_one: bool,
    /// Into how many parts `ddmin` cuts at first, and again after each part that passes. The classic is 2, and
    /// ND3MIN's experiments have 5.
    pub parts: u32,
}

impl Options {
    /// The classic, perhaps with a pass in the end.
    pub const fn classic(one_by_one: bool) -> Self {
        Self { one_by_one, parts: 2 }
    }
}

/// The search with this name, over a whole trace. With `one_by_one`, a pass follows that makes the answer
/// 1-minimal under its rule; `auto` always has it.
pub fn parse(name: &str, material: &Material, one_by_one: bool) -> Result<Box<dyn Reducer>, String> {
    within(name, &material.all(), material, Options::classic(one_by_one))
}

/// The same within some of its events.
pub fn within(
    name: &str,
    base: &Subset,
    material: &Material,
    options: Options,
) -> Result<Box<dyn Reducer>, String> {
    let kind = named(name)?;
    let base = material.removable(base);
    let mut search = (kind.make)(base, material, options)
        .map_err(|lacks| format!("the search {name} needs {lacks}; belief, ddmin and cdd do without"))?;
    if options.one_by_one && name != "auto" {
        let name = format!("{search} + one-by-one");
        search = Box::new(Chain::new(name, search).then(|found| Box::new(OneByOne::new(found))));
    }
    Ok(if material.rooted() { Box::new(Rooted::new(search)) } else { search })
}

/// Makes the search with this name within any events.
pub fn maker(name: &str, material: &Material, one_by_one: bool) -> Result<Within, String> {
    maker_with(name, material, Options::classic(one_by_one))
}

/// The same with these options.
pub fn maker_with(name: &str, material: &Material, options: Options) -> Result<Within, String> {
    within(name, &material.all(), material, options)?;
    let (name, material) = (name.to_owned(), material.clone());
    let make = move |base| within(&name, &base, &material, options).expect("it was made before");
    Ok(Box::new(make))
}
