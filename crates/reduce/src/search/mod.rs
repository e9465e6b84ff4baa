//! Which subsequences are worth trying next?

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

    /// The best so far.
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

/// The names of all searches.
pub const NAMES: [&str; 9] = ["auto", "belief", "ddmin", "cdd", "hdd", "bhdd", "lhdd", "lhdd-nopre", "echo"];

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
    let base = material.removable(base);
    let boxed = |search: Hdd| Box::new(search) as Box<dyn Reducer>;
    let by_levels = |search: Lhdd| Box::new(search) as Box<dyn Reducer>;
    let search: Option<Box<dyn Reducer>> = match name {
        "auto" => Some(Box::new(auto(base, material))),
        "belief" => Some(Box::new(BeliefSearch::new(base))),
        "ddmin" => Some(Box::new(Ddmin::new(base, options.parts))),
        "cdd" => Some(Box::new(Cdd::new(base))),
        "hdd" => Hdd::by_nodes(&base, material).map(boxed),
        "bhdd" => Hdd::by_events(&base, material).map(boxed),
        "lhdd" => Lhdd::new(&base, material, true).map(by_levels),
        "lhdd-nopre" => Lhdd::new(&base, material, false).map(by_levels),
        "echo" => echo(&base, material).map(|search| Box::new(search) as Box<dyn Reducer>),
        _ => {
            let [most @ .., last] = NAMES;
            return Err(format!("there is no search '{name}'; there are {} and {last}", most.join(", ")));
        }
    };
    let mut search = search.ok_or_else(|| {
        let lacks = match name {
            "echo" => "states, and the trace hardly records any",
            _ => "the state before each event, and the trace does not record them all",
        };
        format!("the search {name} needs {lacks}; belief, ddmin and cdd do without")
    })?;
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

/// Whether a search ends with a trace from which no single event can be removed under its rule.
pub fn is_minimal(name: &str, one_by_one: bool) -> bool {
    one_by_one || matches!(name, "auto" | "ddmin")
}

/// The default under a rule of the user's: cut what is clearly idle, guess by the graph, ask by beliefs, and finish
/// one by one.
fn auto(base: Subset, material: &Material) -> Chain {
    let guesses = material.trimmed().into_iter().map(|guess| guess.common(&base)).collect();
    let trim = Proposals::new("trim", base, guesses);
    let for_ways = material.clone();
    Chain::new("auto", Box::new(trim))
        .then(move |found| match shortest_ways(&found, &for_ways) {
            Some(ways) => Box::new(ways),
            None => Box::new(Proposals::new("echo", found, Vec::new())),
        })
        .then(|found| Box::new(BeliefSearch::new(found)))
        .then(|found| Box::new(OneByOne::new(found)))
}
