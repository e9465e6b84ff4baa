//! Lanes that do not share what they learn.

use std::collections::BTreeMap;
use std::fmt;

use crate::explorer::{Explorer, Lane, Move};
use crate::sight::Sight;

/// Gives every lane an explorer of its own.
pub struct Separate {
    make: Box<dyn FnMut(Lane) -> Box<dyn Explorer> + Send>,
    lanes: BTreeMap<Lane, Box<dyn Explorer>>,
    name: String,
}

impl Separate {
    /// Explorers that `make` makes, each when its lane is first heard of. Lane 0 is made at once, for its name.
    pub fn new(mut make: impl FnMut(Lane) -> Box<dyn Explorer> + Send + 'static) -> Self {
        let first = make(Lane(0));
        let name = first.name().to_owned();
        Self { make: Box::new(make), lanes: BTreeMap::from([(Lane(0), first)]), name }
    }

    fn lane(&mut self, lane: Lane) -> &mut dyn Explorer {
        self.lanes.entry(lane).or_insert_with(|| (self.make)(lane))
    }
}

impl Explorer for Separate {
    fn name(&self) -> &str {
        &self.name
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        self.lane(lane).next(lane, seen)
    }
}

impl fmt::Debug for Separate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Separate")
            .field("name", &self.name)
            .field("lanes", &self.lanes.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use retap_trace::Seed;

    use super::*;
    use crate::sample::{View, notes};
    use crate::{Monkey, MonkeySettings};

    fn monkey(seed: u64) -> Monkey {
        Monkey::new(MonkeySettings::default(), Seed(seed).dice())
    }

    #[test]
    fn every_lane_goes_its_own_way() {
        let view = View::new(notes());
        let mut together = Separate::new(|lane| Box::new(monkey(u64::from(lane.0))));
        let mut apart: Vec<_> = (0..3).map(monkey).collect();
        assert_eq!(together.name(), "monkey");
        // Lanes may come in any order and as often as they like.
        for nth in [2, 0, 2, 2, 1, 0, 1, 2] {
            let lane = Lane(nth);
            let expected = apart[nth as usize].next(lane, &view.inside());
            assert_eq!(together.next(lane, &view.inside()), expected);
        }
    }
}
