//! The logbook of an exploration: every leg is a trace file that grows with each step, and stands in the session's
//! log when it begins and when it is over.
//!
//! A killed process leaves a file with whole lines behind, so that nothing that was seen is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use retap_explore::{Lane, SaveId};
use retap_lab::{Leg, LegEnd, LegId, Legs, Log, Origin, Travels, state_in_words};
use retap_reduce::Tally;
use retap_store::{Session, StoreError};
use retap_trace::{
    After, CoverageId, Crash, Header, Micros, Observation, Seen, Step, Target, Trace, TraceWriter,
};

use super::entries::{
    BEGUN, Begun, CRASHED, CrashEntry, ENDED, Ended, REDUCED, ReducedEntry, SAVED, SavedEntry, SeenEntry,
    TravelsEntry,
};
use super::names::{self, Named};
use super::settings::traces;
use crate::findings::{Findings, Proof};
use crate::tracefile;

/// A file that holds whole lines, whatever happens: what a full disk cuts off is taken back.
struct WholeLines {
    file: File,
    length: u64,
}

impl WholeLines {
    /// Goes on with a file, or begins it.
    fn append(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }
}

impl Write for WholeLines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(line) {
            // If even this fails there is nothing left to try; the first failure is what people should hear of.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// How far the logbook is written.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages {
    /// Legs of each lane.
    pub(super) counts: BTreeMap<Lane, u32>,
    /// Device time of all legs that are over.
    pub(super) time: Micros,
    /// What going back in time has cost.
    travels: TravelsEntry,
    /// Code whose name is written down.
    named: BTreeSet<CoverageId>,
}

/// Writes legs down.
pub(super) struct Logbook<'a> {
    session: &'a mut Session,
    header: &'a Header,
    pub(super) findings: &'a mut Findings,
    names: &'a mut BTreeMap<LegId, String>,
    pages: Pages,
    open: BTreeMap<LegId, TraceWriter<WholeLines>>,
    /// The file of names, once there are any.
    naming: Option<WholeLines>,
    /// Crashes that were seen for the first time, for whoever wants to look into them.
    pub(super) new: Vec<Crash>,
    /// What went wrong first; nothing is written after that.
    pub(super) trouble: Option<anyhow::Error>,
}

impl<'a> Logbook<'a> {
    pub(super) fn new(
        session: &'a mut Session,
        header: &'a Header,
        findings: &'a mut Findings,
        names: &'a mut BTreeMap<LegId, String>,
        pages: Pages,
    ) -> Self {
        let (open, new) = (BTreeMap::new(), Vec::new());
        Self { session, header, findings, names, pages, open, naming: None, new, trouble: None }
    }

    /// Crashes that are known already and fit are to be looked into as if they were new.
    pub(super) fn look_into(&mut self, fits: impl Fn(&Crash) -> bool) {
        let known = self.findings.crashes().map(|finding| &finding.crash);
        self.new = known.filter(|crash| fits(crash)).cloned().collect();
    }

    /// Writes down that the reduction of a crash has come to an end.
    pub(super) fn reduced(&mut self, entry: &ReducedEntry) {
        self.attempt(|book| Ok(book.session.append(REDUCED, book.pages.time, entry).map(drop)?));
    }

    fn attempt(&mut self, what: impl FnOnce(&mut Self) -> anyhow::Result<()>) {
        if self.trouble.is_none() {
            self.trouble = what(self).err();
        }
    }

    fn begin(&mut self, leg: &Leg) -> anyhow::Result<()> {
        let count = self.pages.counts.entry(leg.lane).or_default();
        let name = format!("d{}-{count:04}.trace.jsonl", leg.lane.0);
        *count += 1;
        let mut header = self.header.clone();
        let after = match leg.origin {
            Origin::Start => None,
            Origin::Save { leg, steps } => Some((leg, steps)),
        };
        if let Some((leg, steps)) = after {
            header.after = Some(After { trace: self.names[&leg].clone(), steps: u32::try_from(steps)? });
        }
        let path = self.session.dir().join(traces()).join(&name);
        let writer = open(&path, &header, &leg.steps).map_err(|error| cannot_write(&path, error))?;
        self.open.insert(leg.id, writer);
        let after = after.map(|(leg, steps)| (leg.0, steps));
        let (first, travels) = (SeenEntry::of(&leg.first), self.pages.travels);
        let entry = Begun { leg: leg.id.0, lane: leg.lane.0, trace: name.clone(), after, first, travels };
        self.names.insert(leg.id, name);
        self.session.append(BEGUN, self.pages.time, &entry)?;
        Ok(())
    }

    fn end(&mut self, leg: &Leg, end: &LegEnd, took: Micros) -> anyhow::Result<()> {
        self.pages.time += took;
        if let Some(writer) = self.open.remove(&leg.id) {
            writer.finish()?;
        }
        let entry =
            Ended { leg: leg.id.0, events: leg.steps.len() as u64, took: took.0, end: end.to_string() };
        self.session.append(ENDED, self.pages.time, &entry)?;
        Ok(())
    }

    /// Writes a name down.
    fn name(&mut self, named: &Named) -> anyhow::Result<()> {
        let path = names::file(self.session.dir());
        let written = match &mut self.naming {
            Some(file) => names::write(file, named),
            empty => WholeLines::append(&path).and_then(|file| names::write(empty.insert(file), named)),
        };
        written.map_err(|error| cannot_write(&path, error))
    }

    /// Keeps the shortest trace of each crash, whole, in a file of its own.
    fn crash(&mut self, legs: &Legs, leg: LegId, crash: &Crash, tried: Option<Tally>) -> anyhow::Result<()> {
        let tried_again = tried.map(|tally| (tally.reached, tally.runs()));
        let entry = CrashEntry { leg: leg.0, signature: crash.signature.to_string(), tried_again };
        self.session.append(CRASHED, self.pages.time, &entry)?;
        let way = legs.way(leg, legs.get(leg).steps.len());
        let file = traces().join(&self.names[&leg]);
        let known = self.findings.knows(crash);
        let proof = proof(legs.get(leg), tried);
        if let Some(path) = self.findings.add_crash(crash, &file, &way, proof) {
            let trace = whole(self.header, legs, leg, crash);
            tracefile::write(&self.session.dir().join(path), &trace)?;
        }
        if !known {
            self.new.push(crash.clone());
        }
        Ok(())
    }
}

impl Log for Logbook<'_> {
    fn began(&mut self, leg: &Leg) {
        self.attempt(|book| book.begin(leg));
    }

    fn step(&mut self, leg: LegId, step: &Step) {
        self.attempt(|book| match book.open.get_mut(&leg) {
            Some(writer) => writer.step(step).map_err(|error| {
                cannot_write(&book.session.dir().join(traces()).join(&book.names[&leg]), error)
            }),
            None => Ok(()),
        });
    }

    fn travelled(&mut self, travels: Travels) {
        self.pages.travels = TravelsEntry::of(travels);
    }

    fn saved(&mut self, save: SaveId, leg: &Leg) {
        let travels = self.pages.travels;
        let entry = SavedEntry { save: save.0, leg: leg.id.0, steps: leg.steps.len(), travels };
        self.attempt(|book| Ok(book.session.append(SAVED, book.pages.time, &entry).map(drop)?));
    }

    fn ended(&mut self, leg: &Leg, end: &LegEnd, took: Micros) {
        // Also when nothing can be written any more: it is in its file, and counts when this is gone on with.
        self.findings.add(&leg.steps);
        self.attempt(|book| book.end(leg, end, took));
    }

    fn crashed(&mut self, legs: &Legs, leg: LegId, crash: &Crash, confirmed: Option<Tally>) {
        self.attempt(|book| book.crash(legs, leg, crash, confirmed));
    }

    fn named(&mut self, names: &[(CoverageId, Arc<str>)]) {
        // Several devices tell the same.
        let new = names.iter().filter(|(id, _)| self.pages.named.insert(*id));
        let names: BTreeMap<u32, String> = new.map(|(id, name)| (id.0, name.to_string())).collect();
        if !names.is_empty() {
            self.attempt(|book| book.name(&Named::Code(names)));
        }
    }

    fn state(&mut self, keys: &Seen, seen: &Observation) {
        let named = Named::State { seen: SeenEntry::of(keys), words: state_in_words(seen) };
        self.attempt(|book| book.name(&named));
    }
}

/// The file of a leg that has begun with these steps.
fn open(path: &Path, header: &Header, steps: &[Step]) -> io::Result<TraceWriter<WholeLines>> {
    std::fs::create_dir_all(path.parent().expect("a folder"))?;
    let mut writer = TraceWriter::new(WholeLines { file: File::create(path)?, length: 0 }, header)?;
    steps.iter().try_for_each(|step| writer.step(step))?;
    Ok(writer)
}

fn cannot_write(path: &Path, error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            StoreError::Full { path: path.to_owned() }.into()
        }
        _ => anyhow::Error::new(error).context(format!("cannot write {}", path.display())),
    }
}

/// The trace that leads to the crash at the end of a leg, whole.
pub(super) fn whole(header: &Header, legs: &Legs, leg: LegId, crash: &Crash) -> Trace {
    let mut header = header.clone();
    header.target = Some(Target::Crash(crash.signature.clone()));
    let steps = legs.way(leg, legs.get(leg).steps.len());
    Trace { header, steps: steps.into_iter().cloned().collect() }
}

/// What speaks for the crash at the end of a leg.
pub(super) fn proof(leg: &Leg, tried: Option<Tally>) -> Proof {
    match (leg.origin, tried) {
        (Origin::Start, _) => Proof::CleanStart,
        (Origin::Save { .. }, Some(tally)) => Proof::Tried(tally),
        (Origin::Save { .. }, None) => Proof::Untried,
    }
}
