//! How long an explorer stays outside the app under test, and how it comes back.

use retap_trace::{Event, Key};

/// Counts the moves made while another app is in front.
#[derive(Debug)]
pub(crate) struct Outside {
    limit: Option<u32>,
    moves: u32,
}

impl Outside {
    /// Leaves so many moves free; without a limit, all of them.
    pub(crate) const fn new(limit: Option<u32>) -> Self {
        Self { limit, moves: 0 }
    }

    /// The event that leads back, once the free moves are spent: back, then launch, then both again for as
    /// long as it takes. Back comes first because it keeps the app's own history; launch may start a new one.
    pub(crate) fn way_back(&mut self, in_front: bool) -> Option<Event> {
        if in_front {
            self.moves = 0;
            return None;
        }
        let over = self.moves.checked_sub(self.limit?);
        self.moves = self.moves.saturating_add(1);
        over.map(|over| if over % 2 == 0 { Event::key(Key::BACK) } else { Event::Launch })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_is_back_then_launch() {
        let mut outside = Outside::new(Some(2));
        let tried: Vec<_> = (0..6).map(|_| outside.way_back(false)).collect();
        let (back, launch) = (Some(Event::key(Key::BACK)), Some(Event::Launch));
        assert_eq!(tried, [None, None, back.clone(), launch.clone(), back, launch]);
    }

    #[test]
    fn being_back_gives_all_free_moves_again() {
        let mut outside = Outside::new(Some(1));
        for _ in 0..3 {
            assert_eq!(outside.way_back(false), None);
            assert_eq!(outside.way_back(true), None);
        }
        assert_eq!(outside.way_back(false), None);
        assert!(outside.way_back(false).is_some());
    }

    #[test]
    fn without_a_limit_it_stays_for_ever() {
        let mut outside = Outside::new(None);
        assert!((0..1000).all(|_| outside.way_back(false).is_none()));
    }
}
