//! What an exploration leaves in its folder: every segment is a trace file that grows with each step, and stands in
//! the session's log when it begins and when it is over.
//!
//! An exploration that is resumed tells everything again from the beginning, and what stands there already is compared
//! instead of written: it must be the same. So a resumed exploration leaves what an undisturbed one leaves.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use retap_explore::{Lane, SaveId};
use retap_lab::{Exploration, ExploreEvent, Origin, Segment, SegmentEnd, SegmentId, TimeTravelCost};
use retap_reduce::Tally;
use retap_store::{LogEntry, Seq, Session};
use retap_trace::{After, CoverageId, Crash, Header, Micros, Step, Target, Trace, TraceWriter};
use serde::Serialize;

use super::entries::{
    BEGUN, Begun, CRASHED, CostEntry, CrashEntry, ENDED, EndedEntry, KINDS, REDUCED, ReducedEntry, SAVED,
    SavedEntry, SeenEntry,
};
use super::findings::{Findings, Proof};
use super::growing::{CHANGED, GrowingFile};
use super::names::{self, Named};
use crate::devices::Time;
use crate::error::{Doing as _, Result, refuse, require};
use crate::tracefile;
use crate::watch::{JobEvent, Watching};

/// Writes an exploration down.
pub(super) struct Record<'a> {
    session: &'a RefCell<Session>,
    header: &'a Header,
    /// Bytes of lines that may wait to be written to a file.
    room: usize,
    pub(super) findings: &'a mut Findings,
    watching: &'a Watching<'a>,
    /// Entries of the log that an earlier process has written and this one has not come to.
    before: VecDeque<LogEntry>,
    /// Reductions that an earlier process has come to the end of, by their signatures.
    reductions: BTreeMap<String, ReducedEntry>,
    /// Whether an earlier process may have written the best traces as they are now.
    resumed: bool,
    /// The files of segments, and those that are being written.
    files: BTreeMap<SegmentId, String>,
    open: BTreeMap<SegmentId, TraceWriter<GrowingFile>>,
    /// Segments of each lane.
    counts: BTreeMap<Lane, u32>,
    /// Device time of all segments that are over.
    time: Micros,
    /// Code whose name is written down, and the file of names once there are any.
    named: BTreeSet<CoverageId>,
    naming: Option<GrowingFile>,
    /// The best traces to crashes, while everything is as an earlier process has left it.
    best: BTreeMap<PathBuf, (SegmentId, Crash)>,
    /// Crashes that were seen for the first time, to be looked into.
    pub(super) new: Vec<Crash>,
}

impl<'a> Record<'a> {
    pub(super) fn new(
        session: &'a RefCell<Session>,
        header: &'a Header,
        time: Time,
        findings: &'a mut Findings,
        watching: &'a Watching<'a>,
    ) -> Result<Self> {
        let before: VecDeque<LogEntry> =
            session.borrow().read(&KINDS, Seq::START).collect::<Result<_, _>>()?;
        Ok(Self {
            session,
            header,
            // What a killed process has not written, simulated devices repeat; a phone may be watched as it goes.
            room: if time == Time::Virtual { 64 << 10 } else { 0 },
            findings,
            watching,
            reductions: reductions(&session.borrow())?,
            resumed: !before.is_empty(),
            before,
            files: BTreeMap::new(),
            open: BTreeMap::new(),
            counts: BTreeMap::new(),
            time: Micros::ZERO,
            named: BTreeSet::new(),
            naming: None,
            best: BTreeMap::new(),
            new: Vec::new(),
        })
    }

    /// Writes down what has happened.
    pub(super) fn add(&mut self, exploration: &Exploration, event: ExploreEvent) -> Result<()> {
        let segments = exploration.segments();
        let added = match event {
            ExploreEvent::Began { segment, cost } => self.begin(segments.get(segment), cost),
            ExploreEvent::Step(segment, number) => self.step(segment, &segments.get(segment).steps[number]),
            ExploreEvent::Saved { save, segment, steps, cost } => self.saved(save, segment, steps, cost),
            ExploreEvent::Ended(segment, end, took) => self.end(segments.get(segment), &end, took),
            ExploreEvent::Crashed(segment, crash, tried) => self.crash(exploration, segment, &crash, tried),
            ExploreEvent::Named(names) => {
                // Several devices tell the same.
                let new = names.iter().filter(|(id, _)| self.named.insert(*id));
                let names: BTreeMap<u32, String> = new.map(|(id, name)| (id.0, name.to_string())).collect();
                if names.is_empty() { Ok(()) } else { self.name(&Named::Code(names)) }
            }
            ExploreEvent::State(keys, words) => {
                self.name(&Named::State { seen: SeenEntry::of(&keys), words })
            }
        };
        added.and_then(|()| self.write_best(exploration))
    }

    /// What came of the reduction of a crash, if an earlier process has come to its end.
    pub(super) fn known_reduction(&mut self, signature: &str) -> Option<ReducedEntry> {
        let folder = self.session.borrow().dir().to_owned();
        let there =
            |entry: &ReducedEntry| entry.trace.as_ref().is_none_or(|trace| folder.join(trace).is_file());
        // One whose answer was deleted goes through its session again, which writes it.
        self.reductions.remove(signature).filter(there)
    }

    /// Writes down that the reduction of a crash has come to an end. Where that stands in the log depends on when devices
    /// failed, so it is not compared.
    pub(super) fn reduced(&mut self, entry: &ReducedEntry) -> Result<()> {
        self.session.borrow_mut().append(REDUCED, self.time, entry)?;
        Ok(())
    }

    /// Whether an earlier process has come further than this one has by now.
    pub(super) fn is_behind(&self) -> bool {
        let behind = |writer: &TraceWriter<GrowingFile>| writer.get_ref().is_behind();
        !self.before.is_empty() || self.open.values().any(behind)
    }

    /// The exploration came to its end: everything that stands in the log has come again.
    pub(super) fn complete(&mut self) -> Result<()> {
        match self.before.front() {
            None => self.naming.take().map_or(Ok(()), GrowingFile::finish),
            Some(entry) => refuse!("entry {} of the log {CHANGED}", entry.seq),
        }
    }

    /// Crashes that wait to be tried again count as well when the exploration is stopped. They are not yet in the log:
    /// going on tries them.
    pub(super) fn pending(&mut self, exploration: &Exploration) -> Result<()> {
        let segments = exploration.segments();
        for (segment, crash) in exploration.pending_crashes() {
            let path = segments.path(segment, segments.get(segment).steps.len());
            let file = traces().join(&self.files[&segment]);
            if let Some(best) = self.findings.add_crash(crash, &file, &path, Proof::Untried) {
                self.best.insert(best, (segment, crash.clone()));
            }
        }
        self.write_best(exploration)
    }

    /// Nothing more comes: what is under way counts as well, and is in its file.
    pub(super) fn finish(&mut self, exploration: &Exploration) -> Result<()> {
        for segment in exploration.under_way() {
            self.findings.add(&exploration.segments().get(segment).steps);
        }
        for (_, writer) in std::mem::take(&mut self.open) {
            writer.finish()?;
        }
        if let Some(mut file) = self.naming.take() {
            file.flush()?;
        }
        Ok(())
    }

    fn append(&mut self, kind: &str, data: &impl Serialize) -> Result<()> {
        let Some(known) = self.before.pop_front() else {
            self.session.borrow_mut().append(kind, self.time, data)?;
            return Ok(());
        };
        let same = known.kind == kind && known.at == self.time && known.data == serde_json::to_value(data)?;
        require!(same, "entry {} of the log {CHANGED}", known.seq);
        Ok(())
    }

    fn begin(&mut self, segment: &Segment, cost: TimeTravelCost) -> Result<()> {
        let count = self.counts.entry(segment.lane).or_default();
        let name = format!("d{}-{count:04}.trace.jsonl", segment.lane.0);
        *count += 1;
        let mut header = self.header.clone();
        let after = match segment.origin {
            Origin::Start => None,
            Origin::Save { segment, steps } => Some((segment, steps)),
        };
        if let Some((segment, steps)) = after {
            header.after = Some(After {
                trace: self.files[&segment].clone(),
                steps: u32::try_from(steps).expect("few steps"),
            });
        }
        let mut writer = TraceWriter::new(self.file(&name)?, &header)?;
        segment.steps.iter().try_for_each(|step| writer.step(step))?;
        self.open.insert(segment.id, writer);
        let after = after.map(|(segment, steps)| (segment.0, steps));
        let entry = Begun {
            segment: segment.id.0,
            lane: segment.lane.0,
            trace: name.clone(),
            after,
            first: SeenEntry::of(&segment.first),
            cost: CostEntry::of(cost),
        };
        self.files.insert(segment.id, name);
        self.append(BEGUN, &entry)
    }

    fn file(&self, name: &str) -> Result<GrowingFile> {
        GrowingFile::open(&self.session.borrow().dir().join(traces()).join(name), self.room)
    }

    fn step(&mut self, segment: SegmentId, step: &Step) -> Result<()> {
        let writer = self.open.get_mut(&segment).expect("a step is made in a segment that is open");
        Ok(writer.step(step)?)
    }

    fn saved(&mut self, save: SaveId, segment: SegmentId, steps: usize, cost: TimeTravelCost) -> Result<()> {
        let cost = CostEntry::of(cost);
        self.append(SAVED, &SavedEntry { save: save.0, segment: segment.0, steps, cost })
    }

    fn end(&mut self, segment: &Segment, end: &SegmentEnd, took: Micros) -> Result<()> {
        // Also when nothing can be written any more: it is in its file, and counts when this is resumed.
        self.findings.add(&segment.steps);
        self.time += took;
        if let Some(writer) = self.open.remove(&segment.id) {
            writer.finish()?.finish()?;
        }
        let events = segment.steps.len() as u64;
        self.append(ENDED, &EndedEntry { segment: segment.id.0, events, took: took.0, end: end.to_string() })
    }

    /// Writes a name down.
    fn name(&mut self, named: &Named) -> Result<()> {
        let file = match &mut self.naming {
            Some(file) => file,
            empty => empty.insert(GrowingFile::open(&names::file(self.session.borrow().dir()), self.room)?),
        };
        Ok(names::write(file, named)?)
    }

    /// Keeps the best trace of each crash, whole, in a file of its own.
    fn crash(
        &mut self,
        exploration: &Exploration,
        segment: SegmentId,
        crash: &Crash,
        tried: Option<Tally>,
    ) -> Result<()> {
        let segments = exploration.segments();
        let path = segments.path(segment, segments.get(segment).steps.len());
        let file = traces().join(&self.files[&segment]);
        let known = self.findings.knows(crash);
        let proof = proof(segments.get(segment), tried);
        let best = self.findings.add_crash(crash, &file, &path, proof);
        if let Some(file) = &best {
            // The file is there before the log names it.
            self.best.insert(file.clone(), (segment, crash.clone()));
            self.write_best(exploration)?;
        }
        let entry = CrashEntry {
            segment: segment.0,
            signature: crash.signature.to_string(),
            tried_again: tried.map(|tally| (tally.reached, tally.runs())),
            events: path.len(),
            trace: best,
        };
        self.append(CRASHED, &entry)?;
        if !known {
            self.watching.tell(&JobEvent::Crash(crash));
            self.new.push(crash.clone());
        }
        Ok(())
    }

    /// Writes the best traces to crashes, unless the log names better ones that are still to come.
    fn write_best(&mut self, exploration: &Exploration) -> Result<()> {
        if !self.before.is_empty() {
            return Ok(());
        }
        let segments = exploration.segments();
        for (file, (segment, crash)) in std::mem::take(&mut self.best) {
            let steps = segments.path(segment, segments.get(segment).steps.len());
            let mut header = self.header.clone();
            header.target = Some(Target::Crash(crash.signature.clone()));
            header.crash = steps.is_empty().then_some(crash);
            let trace = Trace { header, steps: steps.into_iter().cloned().collect() };
            let path = self.session.borrow().dir().join(file);
            let same = |path: &Path| tracefile::read(path).is_ok_and(|written| written == trace);
            if !(self.resumed && path.exists() && same(&path)) {
                tracefile::write(&path, &trace)?;
            }
        }
        self.resumed = false;
        Ok(())
    }
}

/// What speaks for the crash at the end of a segment.
fn proof(segment: &Segment, tried: Option<Tally>) -> Proof {
    match (segment.origin, tried) {
        (Origin::Start, _) => Proof::CleanStart,
        (Origin::Save { .. }, Some(tally)) => Proof::Tried(tally),
        (Origin::Save { .. }, None) => Proof::Untried,
    }
}

/// The reductions that an earlier process has come to the end of.
fn reductions(session: &Session) -> Result<BTreeMap<String, ReducedEntry>> {
    let mut known = BTreeMap::new();
    for entry in session.read(&[REDUCED], Seq::START) {
        let entry = entry?;
        let reduced: ReducedEntry = serde_json::from_value(entry.data)
            .doing(|| format!("entry {} of the log is damaged", entry.seq))?;
        known.insert(reduced.signature.clone(), reduced);
    }
    Ok(known)
}

/// Events that stand in the traces of an exploration.
pub(super) fn recorded_events(dir: &Path) -> Result<u64> {
    let folder = dir.join(traces());
    if !folder.exists() {
        return Ok(0);
    }
    let mut events = 0;
    for file in std::fs::read_dir(&folder).doing(|| format!("cannot read {}", folder.display()))? {
        let text = std::fs::read(file?.path())?;
        let lines = text.split(|byte| *byte == b'\n').count().saturating_sub(1) as u64;
        events += lines.saturating_sub(1);
    }
    Ok(events)
}

/// Where the segments of an exploration are.
fn traces() -> &'static Path {
    Path::new("traces")
}
