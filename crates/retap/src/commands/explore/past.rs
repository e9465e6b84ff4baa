//! What earlier processes have left in the folder of an exploration, read back from its log and its legs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use retap_explore::{Lane, SaveId};
use retap_lab::{Leg, LegId, Legs, Origin, Travels};
use retap_reduce::Tally;
use retap_store::{Seq, Session, SessionView};
use retap_trace::{Header, Micros};
use serde::Deserialize;

use super::entries::{
    BEGUN, Begun, CRASHED, CrashEntry, ENDED, Ended, REDUCED, ReducedEntry, SAVED, SavedEntry,
};
use super::logbook::{proof, whole};
use super::settings::traces;
use crate::findings::Findings;
use crate::tracefile;

/// All that earlier processes have left.
pub(super) struct Past {
    /// The legs, in the order in which they began.
    pub(super) legs: Vec<PastLeg>,
    /// What going back in time has cost.
    pub(super) travels: Travels,
    /// Reductions that have come to an end.
    pub(super) reduced: Vec<ReducedEntry>,
}

/// A leg of an earlier process.
pub(super) struct PastLeg {
    pub(super) leg: Leg,
    pub(super) saves: Vec<(SaveId, usize)>,
    /// The time it took; none when its process was killed before it was over.
    took: Option<Micros>,
    /// Crashes that were seen at its end, with what trying again showed.
    crashes: Vec<Option<Tally>>,
    file: PathBuf,
}

impl Past {
    /// Reads the folder of an exploration.
    pub(super) fn read(session: &SessionView) -> anyhow::Result<Self> {
        let begun: Vec<Begun> = entries(session, BEGUN)?;
        let saves: Vec<SavedEntry> = entries(session, SAVED)?;
        let crashes: Vec<CrashEntry> = entries(session, CRASHED)?;
        let ended: Vec<Ended> = entries(session, ENDED)?;
        let ended: BTreeMap<u32, Micros> =
            ended.into_iter().map(|ended| (ended.leg, Micros(ended.took))).collect();
        let latest = begun.iter().map(|begun| begun.travels).chain(saves.iter().map(|saved| saved.travels));
        let travels = latest.max().unwrap_or_default().travels(u32::try_from(saves.len())?);
        let mut legs: Vec<PastLeg> = Vec::new();
        for begun in begun {
            let leg = PastLeg::read(session.dir(), &begun, &saves, &crashes, ended.get(&begun.leg).copied())?;
            leg.check(&legs)?;
            legs.push(leg);
        }
        Ok(Self { legs, travels, reduced: entries(session, REDUCED)? })
    }

    /// Steps of all legs.
    pub(super) fn events(&self) -> u64 {
        self.legs.iter().map(|past| past.leg.steps.len() as u64).sum()
    }

    /// The time of all legs that are over.
    pub(super) fn time(&self) -> Micros {
        self.legs.iter().filter_map(|past| past.took).fold(Micros::ZERO, |sum, took| sum + took)
    }
}

impl PastLeg {
    fn read(
        dir: &Path,
        begun: &Begun,
        saves: &[SavedEntry],
        crashes: &[CrashEntry],
        took: Option<Micros>,
    ) -> anyhow::Result<Self> {
        let file = traces().join(&begun.trace);
        let steps = tracefile::read_growing(&dir.join(&file))?;
        let origin =
            begun.after.map_or(Origin::Start, |(leg, steps)| Origin::Save { leg: LegId(leg), steps });
        let of_leg = saves.iter().filter(|saved| saved.leg == begun.leg && saved.steps <= steps.len());
        let tally =
            |entry: &CrashEntry| entry.tried_again.map(|(reached, runs)| Tally::new(reached, runs - reached));
        Ok(Self {
            saves: of_leg.map(|saved| (SaveId(saved.save), saved.steps)).collect(),
            crashes: crashes.iter().filter(|crash| crash.leg == begun.leg).map(tally).collect(),
            leg: Leg {
                id: LegId(begun.leg),
                lane: Lane(begun.lane),
                origin,
                first: begun.first.seen(),
                steps,
            },
            took,
            file,
        })
    }

    /// Whether what it goes on from is there.
    fn check(&self, earlier: &[Self]) -> anyhow::Result<()> {
        let Origin::Save { leg, steps } = self.leg.origin else { return Ok(()) };
        let found = earlier.get(leg.0 as usize).map_or(0, |past| past.leg.steps.len());
        ensure!(
            steps <= found,
            "{} goes on after step {steps} of leg {}, of which only {found} are left; its file was damaged",
            self.file.display(),
            leg.0
        );
        Ok(())
    }

    /// The time it took; of a killed one, the time until its last step.
    pub(super) fn took(&self, earlier: &Legs) -> Micros {
        self.took.unwrap_or_else(|| {
            let last = self.leg.steps.iter().rev().find_map(|step| step.at).unwrap_or_default();
            last.since(begins_at(earlier, self.leg.origin))
        })
    }

    /// Takes note of what was found, of a leg that is already among these. Where its crash is the best so far, says
    /// which file the whole trace belongs in.
    pub(super) fn find(&self, legs: &Legs, findings: &mut Findings) -> Option<PathBuf> {
        findings.add(&self.leg.steps);
        let crash = self.leg.steps.last().and_then(|step| step.crash.as_ref())?;
        let way = legs.way(self.leg.id, self.leg.steps.len());
        let mut add = |tried| findings.add_crash(crash, &self.file, &way, proof(&self.leg, tried));
        if self.crashes.is_empty() {
            return add(None);
        }
        self.crashes.iter().filter_map(|tried| add(*tried)).last()
    }

    /// Writes the whole trace to its crash, unless the earlier process has come to that.
    pub(super) fn keep_crash(&self, file: &Path, header: &Header, legs: &Legs) -> anyhow::Result<()> {
        let Some(crash) = self.leg.steps.last().and_then(|step| step.crash.as_ref()) else { return Ok(()) };
        let trace = whole(header, legs, self.leg.id, crash);
        let written =
            file.exists() && tracefile::read(file).is_ok_and(|written| written.steps == trace.steps);
        if written { Ok(()) } else { tracefile::write(file, &trace) }
    }

    /// Writes into the log that a leg is over whose process was killed. `time` is that of all legs that are over.
    pub(super) fn close(&self, took: Micros, time: &mut Micros, session: &mut Session) -> anyhow::Result<()> {
        if self.took.is_none() {
            *time += took;
            let (leg, events) = (self.leg.id.0, self.leg.steps.len() as u64);
            let entry = Ended { leg, events, took: took.0, end: "killed".to_owned() };
            session.append(ENDED, *time, &entry)?;
        }
        Ok(())
    }

    /// The name of its file.
    pub(super) fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The time at which a leg begins, counted from the clean start that it goes back to.
fn begins_at(legs: &Legs, origin: Origin) -> Micros {
    let Origin::Save { leg, steps } = origin else { return Micros::ZERO };
    legs.way(leg, steps).iter().rev().find_map(|step| step.at).unwrap_or_default()
}

/// A crash that an exploration has found, with its best trace.
pub(crate) struct Crashed {
    pub(crate) signature: String,
    pub(crate) trace: PathBuf,
    /// Events of the trace.
    pub(crate) events: usize,
}

/// The crashes in the folder of an exploration, in the order in which they were first seen.
pub(crate) fn crashes_in(dir: &Path) -> anyhow::Result<Vec<Crashed>> {
    let session = SessionView::open(dir)?;
    ensure!(session.plan().command == "explore", "{} is not the folder of an exploration", dir.display());
    let mut findings = Findings::new();
    let mut legs = Legs::default();
    for past in Past::read(&session)?.legs {
        legs.add(past.leg.clone());
        past.find(&legs, &mut findings);
    }
    let crashed = |finding: &crate::findings::Finding| Crashed {
        signature: finding.crash.signature.to_string(),
        trace: dir.join(&finding.shortest.0),
        events: finding.shortest.1,
    };
    Ok(findings.crashes().map(crashed).collect())
}

fn entries<T: for<'de> Deserialize<'de>>(session: &SessionView, kind: &str) -> anyhow::Result<Vec<T>> {
    let entries = session.read(&[kind], Seq::START).map(|entry| {
        let entry = entry?;
        serde_json::from_value(entry.data)
            .with_context(|| format!("entry {} of the log is damaged", entry.seq))
    });
    entries.collect()
}
