//! The default under a rule of the user's: cut what is clearly idle, guess by the graph, ask by beliefs, and finish one
//! by one.

use super::{BeliefSearch, Chain, Material, OneByOne, Proposals, SearchKind, shortest_ways};
use crate::Subset;

pub(super) const KIND: SearchKind = SearchKind {
    name: "auto",
    about: "what is best known; with the rule auto, one procedure that needs the fewest runs",
    states: true,
    minimal: true,
    make: |base, material, _| Ok(Box::new(auto(base, material))),
};

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
