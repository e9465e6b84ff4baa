//! The logbook of an exploration: every leg is a trace file that grows with each step, and stands in the session's
//! log when it begins and when it is over.
//!
//! A killed process leaves a file with whole lines behind, so that nothing that was seen is lost.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use retap_explore::{Lane, SaveId};
use retap_lab::{Leg, LegEnd, LegId, Legs, Log, Origin};
use retap_reduce::Tally;
use retap_store::{Seq, Session, SessionView};
use retap_trace::{After, Crash, Header, Micros, Seen, Step, Trace, TraceWriter};
use serde::{Deserialize, Serialize};

use super::settings::traces;
use crate::findings::{Findings, Proof};
use crate::tracefile;

const BEGUN: &str = "leg begun";
const ENDED: &str = "leg ended";
const SAVED: &str = "saved";
const CRASHED: &str = "crash";

/// A leg that has begun.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) leg: u32,
    pub(super) lane: u32,
    pub(super) trace: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<(u32, usize)>,
    first: SeenEntry,
}

/// A state, as it stands in the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SeenEntry {
    activity: String,
    keys: [Option<u64>; 3],
}

/// A leg that is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Ended {
    leg: u32,
    pub(super) events: u64,
    took: u64,
    pub(super) end: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct SavedEntry {
    save: u64,
    leg: u32,
    steps: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CrashEntry {
    leg: u32,
    signature: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tried_again: Option<(u32, u32)>,
}

/// A leg of an earlier process.
pub(super) struct Past {
    pub(super) leg: Leg,
    pub(super) saves: Vec<(SaveId, usize)>,
    pub(super) took: Micros,
    /// Crashes that were seen at its end, with what trying again showed.
    crashes: Vec<Option<Tally>>,
    /// Whether the log says how it ended.
    whole: bool,
    file: PathBuf,
}

/// A file that holds whole lines, whatever happens: what a full disk cuts off is taken back.
struct WholeLines {
    file: File,
    length: u64,
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

/// Writes legs down.
pub(super) struct Logbook<'a> {
    session: &'a mut Session,
    header: &'a Header,
    pub(super) findings: &'a mut Findings,
    names: &'a mut BTreeMap<LegId, String>,
    counts: BTreeMap<Lane, u32>,
    open: BTreeMap<LegId, TraceWriter<WholeLines>>,
    /// Crashes that were seen for the first time, for whoever wants to look into them.
    pub(super) new: Vec<Crash>,
    time: Micros,
    /// What went wrong first; nothing is written after that.
    pub(super) trouble: Option<anyhow::Error>,
}

impl<'a> Logbook<'a> {
    pub(super) fn new(
        session: &'a mut Session,
        header: &'a Header,
        findings: &'a mut Findings,
        names: &'a mut BTreeMap<LegId, String>,
        counts: BTreeMap<Lane, u32>,
    ) -> Self {
        let open = BTreeMap::new();
        let (new, time) = (Vec::new(), Micros::ZERO);
        Self { session, header, findings, names, counts, open, new, time, trouble: None }
    }

    fn attempt(&mut self, what: impl FnOnce(&mut Self) -> anyhow::Result<()>) {
        if self.trouble.is_none() {
            self.trouble = what(self).err();
        }
    }

    fn begin(&mut self, leg: &Leg) -> anyhow::Result<()> {
        let count = self.counts.entry(leg.lane).or_default();
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
        std::fs::create_dir_all(path.parent().expect("a folder"))?;
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut writer = TraceWriter::new(WholeLines { file, length: 0 }, &header)?;
        leg.steps.iter().try_for_each(|step| writer.step(step))?;
        self.open.insert(leg.id, writer);
        let after = after.map(|(leg, steps)| (leg.0, steps));
        let first = SeenEntry::of(&leg.first);
        let entry = Begun { leg: leg.id.0, lane: leg.lane.0, trace: name.clone(), after, first };
        self.names.insert(leg.id, name);
        self.session.append(BEGUN, self.time, &entry)?;
        Ok(())
    }

    fn end(&mut self, leg: &Leg, end: &LegEnd, took: Micros) -> anyhow::Result<()> {
        self.time += took;
        if let Some(writer) = self.open.remove(&leg.id) {
            writer.finish()?;
        }
        self.findings.add(&leg.steps);
        let entry =
            Ended { leg: leg.id.0, events: leg.steps.len() as u64, took: took.0, end: end.to_string() };
        self.session.append(ENDED, self.time, &entry)?;
        Ok(())
    }

    /// Keeps the shortest trace of each crash, whole, in a file of its own.
    fn crash(&mut self, legs: &Legs, leg: LegId, crash: &Crash, tried: Option<Tally>) -> anyhow::Result<()> {
        let tried_again = tried.map(|tally| (tally.reached, tally.runs()));
        let entry = CrashEntry { leg: leg.0, signature: crash.signature.to_string(), tried_again };
        self.session.append(CRASHED, self.time, &entry)?;
        let steps = legs.way(leg, legs.get(leg).steps.len());
        let file = traces().join(&self.names[&leg]);
        let known = self.findings.knows(crash);
        let proof = proof(legs.get(leg), tried);
        if let Some(path) = self.findings.add_crash(crash, &file, steps.len(), proof) {
            let mut header = self.header.clone();
            header.target = Some(retap_trace::Target::Crash(crash.signature.clone()));
            let trace = Trace { header, steps: steps.into_iter().cloned().collect() };
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
            Some(writer) => writer.step(step).context("cannot write a step of the exploration"),
            None => Ok(()),
        });
    }

    fn saved(&mut self, save: SaveId, leg: &Leg) {
        let entry = SavedEntry { save: save.0, leg: leg.id.0, steps: leg.steps.len() };
        self.attempt(|book| Ok(book.session.append(SAVED, book.time, &entry).map(drop)?));
    }

    fn ended(&mut self, leg: &Leg, end: &LegEnd, took: Micros) {
        self.attempt(|book| book.end(leg, end, took));
    }

    fn crashed(&mut self, legs: &Legs, leg: LegId, crash: &Crash, confirmed: Option<Tally>) {
        self.attempt(|book| book.crash(legs, leg, crash, confirmed));
    }
}

/// The legs of earlier processes, in the order in which they began.
pub(super) fn past(session: &SessionView) -> anyhow::Result<Vec<Past>> {
    let ended: BTreeMap<u32, Ended> =
        entries(session, ENDED)?.into_iter().map(|ended: Ended| (ended.leg, ended)).collect();
    let saves: Vec<SavedEntry> = entries(session, SAVED)?;
    let crashes: Vec<CrashEntry> = entries(session, CRASHED)?;
    let begun: Vec<Begun> = entries(session, BEGUN)?;
    let past = |begun: Begun| -> anyhow::Result<Past> {
        let file = traces().join(&begun.trace);
        let steps = tracefile::read_growing(&session.dir().join(&file))?;
        let last = steps.last().and_then(|step| step.at).unwrap_or_default();
        let took = ended.get(&begun.leg).map_or(last, |ended| Micros(ended.took));
        let origin =
            begun.after.map_or(Origin::Start, |(leg, steps)| Origin::Save { leg: LegId(leg), steps });
        let of_leg = saves.iter().filter(|saved| saved.leg == begun.leg && saved.steps <= steps.len());
        let tally =
            |entry: &CrashEntry| entry.tried_again.map(|(reached, runs)| Tally::new(reached, runs - reached));
        Ok(Past {
            saves: of_leg.map(|saved| (SaveId(saved.save), saved.steps)).collect(),
            crashes: crashes.iter().filter(|crash| crash.leg == begun.leg).map(tally).collect(),
            whole: ended.contains_key(&begun.leg),
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
    };
    begun.into_iter().map(past).collect()
}

impl Past {
    /// Takes note of what was found, of a leg that is already among these.
    pub(super) fn find(&self, legs: &Legs, findings: &mut Findings) {
        findings.add(&self.leg.steps);
        let Some(crash) = self.leg.steps.last().and_then(|step| step.crash.as_ref()) else { return };
        let length = legs.length(self.leg.id, self.leg.steps.len());
        for tried in &self.crashes {
            findings.add_crash(crash, &self.file, length, proof(&self.leg, *tried));
        }
        if self.crashes.is_empty() {
            findings.add_crash(crash, &self.file, length, proof(&self.leg, None));
        }
    }

    /// Writes into the log that a leg is over whose process was killed.
    pub(super) fn close(&self, session: &mut Session) -> anyhow::Result<()> {
        if !self.whole {
            let (leg, events) = (self.leg.id.0, self.leg.steps.len() as u64);
            let entry = Ended { leg, events, took: self.took.0, end: "killed".to_owned() };
            session.append(ENDED, Micros::ZERO, &entry)?;
        }
        Ok(())
    }

    pub(super) fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// What speaks for the crash at the end of a leg.
fn proof(leg: &Leg, tried: Option<Tally>) -> Proof {
    match (leg.origin, tried) {
        (Origin::Start, _) => Proof::CleanStart,
        (Origin::Save { .. }, Some(tally)) => Proof::Tried(tally),
        (Origin::Save { .. }, None) => Proof::Untried,
    }
}

/// The shortest trace in the folder of an exploration that shows a crash whose signature contains these words.
pub(crate) fn shortest_trace(dir: &Path, wanted: Option<&str>) -> anyhow::Result<PathBuf> {
    let session = SessionView::open(dir)?;
    anyhow::ensure!(
        session.plan().command == "explore",
        "{} is not the folder of an exploration",
        dir.display()
    );
    let mut findings = Findings::new();
    let mut legs = Legs::default();
    for past in past(&session)? {
        legs.add(past.leg.clone());
        past.find(&legs, &mut findings);
    }
    let fits = |signature: &str| wanted.is_none_or(|wanted| signature.contains(wanted));
    let found = findings.crashes().filter(|finding| fits(&finding.crash.signature.0));
    match (found.min_by_key(|finding| finding.shortest.1), wanted) {
        (Some(finding), _) => Ok(dir.join(&finding.shortest.0)),
        (None, Some(wanted)) => {
            anyhow::bail!("{} has no crash whose signature contains '{wanted}'", dir.display())
        }
        (None, None) => anyhow::bail!("{} has no crash to reduce", dir.display()),
    }
}

fn entries<T: for<'de> Deserialize<'de>>(session: &SessionView, kind: &str) -> anyhow::Result<Vec<T>> {
    let entries = session.read(&[kind], Seq::START).map(|entry| {
        let entry = entry?;
        serde_json::from_value(entry.data)
            .with_context(|| format!("entry {} of the log is damaged", entry.seq))
    });
    entries.collect()
}

impl SeenEntry {
    fn of(seen: &Seen) -> Self {
        let keys = [seen.actionable, seen.layout, seen.full].map(|key| key.map(|key| key.0));
        Self { activity: seen.activity.to_string(), keys }
    }

    fn seen(&self) -> Seen {
        let [actionable, layout, full] = self.keys.map(|key| key.map(retap_trace::StateKey));
        Seen { actionable, layout, full, ..Seen::activity(self.activity.as_str()) }
    }
}
