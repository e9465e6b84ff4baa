//! Ways there and back: runs of kept events after which the recording was in the state it had been in before.
//!
//! Opening a dialog and closing it again are two events of which neither can go alone. Of a list without states only
//! lines that were neighbours from the beginning are taken for such a pair.

use super::paths::Paths;
use crate::Subset;

/// At most so many are tried, the longest first.
const MOST: usize = 12;

/// The list without each of its ways there and back, the one to try first last. The last event leads to the target and
/// is never among them.
pub(super) fn loops(list: &Subset, paths: Option<&Paths>) -> Vec<Subset> {
    let events: Vec<u32> = list.positions().collect();
    let inner = events.len().saturating_sub(1);
    let back = |from: u32, to: u32| match paths {
        Some(paths) => paths.is_loop(from, to),
        None => from + 1 == to,
    };
    let mut found: Vec<(usize, usize)> = (0..inner)
        .flat_map(|from| (from + 1..inner).map(move |to| (from, to)))
        .take_while(|(from, _)| from * inner < 10_000)
        .filter(|(from, to)| back(events[*from], events[*to]))
        .collect();
    found.sort_by_key(|(from, to)| to - from);
    let rank = |rank: usize| u32::try_from(rank).expect("fewer than all events");
    let without = |(from, to): &(usize, usize)| list.without(&(rank(*from)..rank(*to) + 1));
    let first = found.len().saturating_sub(MOST);
    found[first..].iter().map(without).collect()
}

#[cfg(test)]
mod tests {
    use retap_trace::StateKey;

    use super::*;

    #[test]
    fn what_leads_there_and_back_is_left_out_as_a_whole() {
        // Events 1 and 2 lead from state 1 to 2 and back; event 3 is the last.
        let states = [0, 1, 2, 1, 3].map(StateKey);
        let paths = Paths::new(states.into(), false, 3);
        let found = loops(&Subset::all(4), Some(&paths));
        assert_eq!(found, [Subset::from_positions([0, 3])]);
        assert_eq!(loops(&Subset::from_positions([0, 1, 3]), Some(&paths)), []);
    }

    #[test]
    fn of_a_list_neighbours_from_the_beginning_are_taken_for_a_pair() {
        let list = Subset::from_positions([3, 4, 9, 10]);
        assert_eq!(loops(&list, None), [Subset::from_positions([9, 10])], "the last one stays");
        assert_eq!(loops(&Subset::empty(), None), []);
    }
}
