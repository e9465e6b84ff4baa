//! Delta debugging with one run a candidate, driven directly on a phone.

use retap_reduce::search::{Ddmin, Reducer as _, Settled};
use retap_reduce::{Subset, Verdict};
use retap_trace::Event;

use crate::play::Phone;

/// The positions of the events that delta debugging keeps.
pub(crate) fn ddmin(phone: &mut Phone, events: &[Event], signature: &str) -> Vec<usize> {
    let mut search = Ddmin::new(Subset::all(u32::try_from(events.len()).expect("short")), 2);
    let mut seed = 0;
    while !search.frontier().is_empty() {
        for candidate in search.frontier().to_vec() {
            seed += 1;
            let kept = candidate.subset.positions().map(|position| &events[position as usize]);
            let reached = phone.reaches(kept, signature, seed);
            let verdict = if reached { Verdict::Pass } else { Verdict::Fail };
            if search.settle(candidate.id, verdict) == Settled::Moved {
                break;
            }
        }
    }
    search.best().positions().map(|position| position as usize).collect()
}
