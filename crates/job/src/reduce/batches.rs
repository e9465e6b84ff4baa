//! Which runs were fresh runs of an answer. With several devices the labels of runs do not tell: what was run ahead for
//! one purpose may be used for another.

use retap_lab::{Done, Logged};
use retap_reduce::{Batch, EventRun, Replayed, Tally, Ticket};
use retap_store::{Seq, Session};
use retap_trace::Micros;
use serde_json::{Value, json};

/// The kind of the entries that say it.
const KIND: &str = "batch";

/// Fresh runs of an answer.
pub(super) struct Fresh {
    /// Events of that answer.
    pub(super) events: u32,
    pub(super) tally: Tally,
    /// Whether these are the runs that are claimed.
    pub(super) claimed: bool,
    /// The kind of their entries in the log.
    of: &'static str,
    runs: Vec<Ticket>,
}

impl Fresh {
    pub(super) fn of(batch: &Batch) -> Self {
        Self {
            events: batch.list.len(),
            tally: batch.tally,
            claimed: batch.claimed,
            of: Done::<retap_reduce::Order>::KIND,
            runs: batch.runs.clone(),
        }
    }

    /// Of replays; whether the claim was `made` in full.
    pub(super) fn replayed(batch: &Replayed, made: bool) -> Self {
        Self {
            events: u32::try_from(batch.events.len()).unwrap_or(u32::MAX),
            tally: batch.tally,
            claimed: batch.claimed && made,
            of: Done::<EventRun>::KIND,
            runs: batch.runs.clone(),
        }
    }

    fn entry(&self) -> Value {
        let runs: Vec<u64> = self.runs.iter().map(|Ticket(ticket)| *ticket).collect();
        json!({ "of": self.of, "claimed": self.claimed, "runs": runs })
    }
}

/// Writes down the batches of a reduction that is over, unless they stand there.
pub(super) fn write(session: &mut Session, batches: &[Fresh]) -> crate::Result<()> {
    let known = session.read(&[KIND], Seq::START).collect::<Result<Vec<_>, _>>()?.len();
    let new = batches.iter().skip(known);
    session.append_all(new.map(|batch| (KIND, Micros::ZERO, batch.entry())))?;
    Ok(())
}
