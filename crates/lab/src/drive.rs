//! The one loop: orders go to the lab, results go to the journal, then to the algorithm.

use std::collections::BTreeMap;

use retap_reduce::{Algorithm, Ticket};

use crate::{Account, Done, Errand, Journal, JournalError, Lab, LabError, Withdrawn};

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Continue,
    /// Stop here; everything so far is in the journal.
    Stop,
}

/// Why a drive ended before the algorithm was over.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The lab cannot go on.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A result could not be recorded, so it was not used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Drives an algorithm until it is over or `watch` says stop. Returns whether it is over.
///
/// Every finished run is in the journal before the algorithm hears of it, and so is every run that it withdraws before the
/// next one ends.
pub fn drive<O: Errand, R: Account, I: Algorithm<Order = O, Evidence = R::Evidence> + ?Sized>(
    algorithm: &mut I,
    lab: &mut dyn Lab<O, R>,
    journal: &mut dyn Journal<O, R>,
    watch: &mut dyn FnMut(&mut I, &Done<O, R>) -> Flow,
) -> Result<bool, DriveError> {
    // Of each run under way, how many had ended when it was ordered.
    let (mut under_way, mut ended): (BTreeMap<Ticket, u64>, u64) = (BTreeMap::new(), 0);
    while !algorithm.over() {
        while lab.idle() > 0 {
            let Some(order) = algorithm.order() else { break };
            under_way.insert(order.ticket(), ended);
            lab.launch(order);
        }
        if algorithm.over() {
            break;
        }
        let done = lab.next()?;
        let ordered_after = under_way.remove(&done.order.ticket()).unwrap_or(ended);
        journal.record(&done, ordered_after)?;
        ended += 1;
        algorithm.settle(done.order.ticket(), done.report.evidence());
        for ticket in algorithm.withdraw() {
            lab.cancel(ticket);
            let ordered_after = under_way.remove(&ticket).unwrap_or(ended);
            journal.withdrawn(Withdrawn { ticket, at: lab.now(), ordered_after })?;
        }
        if watch(algorithm, &done) == Flow::Stop {
            break;
        }
    }
    Ok(algorithm.over())
}
