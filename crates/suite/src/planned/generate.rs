//! Thinking of better paths: tours that pay at the prices of the moment, and shorter forms of what is chosen.

use std::collections::BTreeMap;

use super::candidate::Candidates;
use super::cuts::cuts;
use super::round::Round;
use super::tours::{Effort, Tour, Tours};
use crate::item::ItemId;

/// How often the prices are adjusted before tours are looked for.
const PRICING: u32 = 80;

/// Adds tours that pay, so many times; each time the prices are adjusted to what there is.
pub(super) fn tours(round: &Round<'_>, candidates: &mut Candidates, rows: &[ItemId], times: u32) {
    /// A price that is worth looking for, and a value that is worth having, in microseconds.
    const LEAST: (f64, f64) = (1_000.0, 50_000.0);
    for _ in 0..times {
        let prices = candidates.problem(rows).prices(PRICING);
        let priced = rows.iter().copied().zip(prices.rows).filter(|(_, price)| *price > LEAST.0);
        let tours = Tours::new(round, &priced.collect::<Vec<_>>());
        let mut found = from_launch(&tours);
        for place in prices.choice {
            found.extend(going_on(round, &tours, candidates, place));
        }
        let paying = found.into_iter().filter(|tour| tour.value() > LEAST.1);
        let added = paying.filter(|tour| candidates.add(round, tour.clone().into_path(), &[])).count();
        if added == 0 {
            break;
        }
    }
}

fn from_launch(tours: &Tours<'_>) -> Vec<Tour> {
    const OPENINGS: usize = 10;
    let fresh = tours.fresh();
    let mut found = tours.finish(fresh.clone(), Effort { width: 12, goals: 5, keep: 6 });
    for opening in tours.openings(&fresh, OPENINGS) {
        found.extend(tours.finish(opening, Effort { width: 3, goals: 3, keep: 2 }));
    }
    found
}

/// Tours that go on from a chosen path, if they are worth more than it is. Where it ends in a dead end, they go on
/// from before that.
fn going_on(round: &Round<'_>, tours: &Tours<'_>, candidates: &Candidates, place: usize) -> Vec<Tour> {
    let chosen = candidates.get(place);
    let Some(whole) = tours.after(&chosen.path, &chosen.items) else { return Vec::new() };
    let open = chosen.path.iter().rposition(|&id| !round.ways.ends(id)).map_or(0, |last| last + 1);
    let from = if open == chosen.path.len() {
        Some(whole.clone())
    } else {
        tours.after(&chosen.path[..open], &round.predicted(&chosen.path[..open]))
    };
    let found =
        from.map(|from| tours.finish(from, Effort { width: 3, goals: 3, keep: 2 })).unwrap_or_default();
    found.into_iter().filter(|tour| tour.value() > whole.value()).collect()
}

/// Adds shorter forms of the chosen paths that were followed.
pub(super) fn shorter(round: &Round<'_>, candidates: &mut Candidates, rows: &[ItemId]) {
    const FORMS: usize = 4;
    let choice = candidates.problem(rows).prices(PRICING).choice;
    let mut times: BTreeMap<ItemId, u32> = BTreeMap::new();
    for item in choice.iter().flat_map(|&place| &candidates.get(place).items) {
        *times.entry(*item).or_default() += 1;
    }
    for place in choice {
        let chosen = candidates.get(place);
        let Some(node) = chosen.node else { continue };
        let own: Vec<ItemId> = chosen.items.iter().copied().filter(|item| times[item] == 1).collect();
        let mut added = 0;
        for form in cuts(round, node, &own) {
            added += usize::from(candidates.add(round, form, &own));
            if added == FORMS {
                break;
            }
        }
    }
}
