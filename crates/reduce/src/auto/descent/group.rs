//! Events of which something is known together.

use crate::auto::belief::Mass;

/// Events in order; they need not be neighbours.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) events: Vec<u32>,
    /// The mass of the first events, from none to all.
    pub(super) sums: Vec<Mass>,
    /// Whether it is known to hold a needed event.
    pub(super) needed: bool,
}

impl Group {
    /// `end` is the position behind the last event.
    pub(super) fn new(events: Vec<u32>, needed: bool, end: u32, weights: Option<&[f64]>) -> Self {
        let mut sums = Vec::with_capacity(events.len() + 1);
        let mut sum = Mass::default();
        sums.push(sum);
        for &event in &events {
            let weight = weights.map_or(1.0, |weights| weights[event as usize]);
            sum.count += weight;
            sum.nearness += weight / f64::max(1.0, f64::from(end) - f64::from(event) - 0.5);
            sums.push(sum);
        }
        Self { events, sums, needed }
    }
}
