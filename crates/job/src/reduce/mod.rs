//! The fewest events that still reach the target.

mod batches;
mod finish;
mod list;
mod plan;
mod prior;
mod result;
mod spent;
mod subject;

use std::fs::File;
use std::path::{Path, PathBuf};

use retap_lab::{Done, Recorded, Report, SessionJournal, drive, recorded_runs};
use retap_reduce::{EventRun, Phase, ReducedList, Reducing, ReductionEnding, Subset, Tally};
use retap_store::{Seq, Session};
use retap_trace::{ConfirmedRate, Header, Micros, Target};
use serde_json::json;

use crate::devices::{self, Devices};
use crate::driven::Driven;
use crate::error::{Doing as _, Result, require};
use crate::watch::{JobEvent, JobProgress, Unit, Watching};
use crate::{build, choices, folder, kept, platform, record, tracefile};

use finish::Finish;
pub use list::beside;
pub use plan::{ReduceOptions, ReducePlan};
pub use prior::{Belief, prior_in};
pub use result::{
    BY_WIDGET, BatchResult, Confirmed, Flaked, FlakedState, RateResult, ReduceDetails, ReduceResult,
    ReduceStatus, ReducedOf, Simpler,
};
pub(crate) use spent::ReduceSpent;
pub use subject::Subject;

/// The name of the job in its session.
pub(crate) const COMMAND: &str = "reduce";
/// The name of the answer in the folder of its session.
pub(crate) const ANSWER: &str = "reduced.trace.jsonl";
/// The same for the lines of a text.
const TEXT_ANSWER: &str = "reduced.txt";

/// The kind of the entry that says how many events or lines are reduced, so that nobody needs to look for them again.
pub(crate) const SUBJECT: &str = "subject";

/// The most events or lines of an answer that are put into words.
const IN_WORDS: usize = 20;

/// A reduction under way: what is being reduced, and what its runs have shown besides.
struct ReduceJob<'a> {
    plan: ReducePlan,
    subject: Subject,
    session: Session,
    watching: &'a Watching<'a>,
    spent: ReduceSpent,
    /// The header of traces that are confirmed here; none for lists that are no traces.
    header: Option<Header>,
    /// The devices; none when a command judges.
    devices: Option<Devices>,
    /// Why no device was left, after the events were settled.
    lost: Option<String>,
    /// The pipe or the device that the answer goes to, so that its reader waits for the end.
    _pipe: Option<File>,
}

/// Reduces, or goes on reducing, in a folder.
pub(crate) fn run(
    plan: &ReducePlan,
    devices: Option<&Devices>,
    folder: Option<&Path>,
    watching: &Watching<'_>,
) -> Result<ReduceResult> {
    let (mut job, reduction) = ReduceJob::open(plan.clone(), devices, folder, watching)?;
    job.run(reduction)
}

/// The one trace that a folder is about: the answer of a reduction, or a recording. Nothing when the path is no folder.
pub fn answer_in(path: &Path) -> Result<Option<PathBuf>> {
    if !path.is_dir() {
        return Ok(None);
    }
    let trace = [ANSWER, record::FILE].map(|name| path.join(name)).into_iter().find(|file| file.is_file());
    require!(
        trace.is_some(),
        "{} is not the folder of a recording, or of a reduction that has come to an answer{}",
        path.display(),
        choices::traces_in(path)
    );
    Ok(trace)
}

/// Reduces in a folder below this one that is named after the file of the trace: the one in which it was begun, else a
/// new one. A reduction that was stopped is not gone on with when a better trace was found since, or its plan was
/// changed.
pub fn folder_below(folder: &Path, plan: &ReducePlan) -> Result<PathBuf> {
    let name = plan.input.file_name().unwrap_or_default().to_string_lossy().replace(".trace.jsonl", "");
    let mut dir = folder.join(&name);
    let mut number = 2;
    while folder::is_of_another(&dir, COMMAND, plan)? {
        dir = folder.join(format!("{name}-{number}"));
        number += 1;
    }
    Ok(dir)
}

impl<'a> ReduceJob<'a> {
    fn open(
        mut plan: ReducePlan,
        devices: Option<&Devices>,
        folder: Option<&Path>,
        watching: &'a Watching<'a>,
    ) -> Result<(Self, Box<dyn Reducing>)> {
        let subject = plan.subject()?;
        let place = folder::place(folder, COMMAND, &plan)?;
        if let Some(prior) = &mut plan.options.prior {
            prior.learn(&place, watching)?;
        }
        // Whatever is wrong with the plan is said before a folder is made.
        let reduction = plan.reduction(&subject.material(plan.options.level), watching)?;
        let devices =
            if subject.is_played() { Some(devices::given(devices, plan.devices)?.clone()) } else { None };
        let header = subject.check(&plan, devices.as_ref(), watching)?;
        plan.check_write(&place)?;
        let pipe = plan.write.as_deref().map(retap_store::open_directly).transpose()?.flatten();
        let mut session = folder::open(folder, COMMAND, &plan)?;
        if let (Some(header), Some(device)) = (&header, &plan.device) {
            build::same(&mut session, &header.app, device)?;
        }
        platform::same(
            &mut session,
            devices.as_ref().and_then(|devices| devices.header.platform.as_deref()),
        )?;
        if session.read(&[SUBJECT], Seq::START).next().transpose()?.is_none() {
            session.append(SUBJECT, Micros::ZERO, &json!({ "events": subject.events() }))?;
        }
        if let Some(prior) = &plan.options.prior {
            prior.keep(session.dir())?;
        }
        let spent = ReduceSpent::default();
        let job = Self { plan, subject, session, watching, spent, header, devices, lost: None, _pipe: pipe };
        Ok((job, reduction))
    }

    fn run(&mut self, mut reduction: Box<dyn Reducing>) -> Result<ReduceResult> {
        let driven = self.drive(&mut *reduction)?;
        let result = match (reduction.ending().cloned(), driven.no_device_left) {
            (Some(ReductionEnding::Reduced(answer)), _) => self.reduced(&*reduction, &answer)?,
            (Some(ReductionEnding::Refused { tally, needed }), _) => {
                self.refused(&*reduction, tally, needed)?
            }
            (None, no_device_left) => self.stopped(&*reduction, no_device_left),
        };
        if result.status.is_final() {
            kept::keep(&mut self.session, &result)?;
        }
        if result.details.answered {
            self.write()?;
        }
        Ok(result)
    }

    fn drive(&mut self, reduction: &mut (dyn Reducing + 'static)) -> Result<Driven> {
        let lab = self.subject.lab(&self.plan, self.devices.as_ref(), self.watching.stop())?;
        let recorded = recorded_runs(&self.session)?;
        let values = recorded_runs::<EventRun, Report>(&self.session)?.len();
        if !recorded.is_empty() {
            let done = (recorded.len() + values) as u64;
            self.watching.tell(&JobEvent::Resumed { done, unit: Unit::Runs });
        }
        let (mut told, known) = (0, recorded.len());
        let mut journal = SessionJournal::new(&mut self.session, known);
        let mut lab = Recorded::new(lab, recorded);
        let (watching, spent, target) = (self.watching, &mut self.spent, self.subject.target());
        watching.tell(&JobEvent::Progress(progress(reduction)));
        let mut watch = |reduction: &mut (dyn Reducing + 'static), done: &Done| {
            spent.note(done, target);
            watching.tell(&JobEvent::Progress(progress(reduction)));
            watching.tell(&JobEvent::Run(done));
            told += 1;
            watching.flow(told, known)
        };
        Driven::of(drive(reduction, &mut lab, &mut journal, &mut watch))
    }

    fn reduced(&mut self, reduction: &dyn Reducing, answer: &ReducedList) -> Result<ReduceResult> {
        let mut finish = self.finish(reduction, answer)?;
        if finish.whole() {
            batches::write(&mut self.session, &finish.batches)?;
        }
        let before = self.subject.events();
        if let Some(short) = &mut finish.short {
            short.header.target = Some(self.subject.target().clone());
            let digest = Some(short.digest());
            let claim = finish.claim.filter(|claim| claim.runs() > 0);
            short.header.claim = claim.map(|claim| ConfirmedRate {
                reached: claim.reached,
                runs: claim.runs(),
                before,
                digest,
            });
            // How often it reached the target stands in the claim alone, which is no longer believed once the steps change.
            let events = if before == 1 { "1 event".to_owned() } else { format!("{before} events") };
            short.header.note = Some(match claim {
                Some(_) => format!("reduced from {events}"),
                None => format!("reduced from {events}; not yet confirmed"),
            });
        }
        self.save(&finish)?;
        let status = match finish.claim.filter(|_| finish.whole()) {
            None if self.lost.is_some() => ReduceStatus::CutShort,
            None => ReduceStatus::Interrupted,
            Some(Tally { reached: 0, .. }) => ReduceStatus::NotConfirmed,
            Some(_) if finish.below => ReduceStatus::BelowTheRule,
            Some(_) => ReduceStatus::Reduced,
        };
        let mut result = self.result(status, reduction, &finish.kept, finish.claim);
        self.save_others(&mut result)?;
        result.p2 = self.minimality(&finish, answer);
        result.before = Confirmed::of(finish.before);
        result.retreats = answer.retreats;
        result.batches = finish.batches.iter().map(BatchResult::of).collect();
        let path = self.plan.write.clone().unwrap_or_else(|| self.answer());
        (result.trace, result.values, result.flaked) = (Some(path), finish.values, finish.flaked);
        (result.details.answered, result.details.answer) = (true, finish.short);
        result.details.no_device_left.clone_from(&self.lost);
        Ok(result)
    }

    /// The file of the answer in the session.
    fn answer(&self) -> PathBuf {
        self.session.dir().join(if self.subject.trace().is_some() { ANSWER } else { TEXT_ANSWER })
    }

    /// Writes the answer into the session.
    fn save(&self, finish: &Finish) -> Result<()> {
        let file = self.answer();
        match (&finish.short, self.subject.kept(&finish.kept)) {
            (Some(short), _) => tracefile::write(&file, short),
            (None, text) => {
                let text = text.expect("what is no trace is a list");
                Ok(retap_store::write_beside(file, |to| to.write_all(&text))?)
            }
        }
    }

    /// Writes the answer to where it is wanted besides, once the session has everything.
    fn write(&self) -> Result<()> {
        let Some(wanted) = &self.plan.write else { return Ok(()) };
        let file = self.answer();
        let saved = || format!("the answer is saved in {}", file.display());
        let answer = std::fs::read(&file).doing(saved)?;
        retap_store::write_beside(wanted, |to| to.write_all(&answer)).doing(saved)
    }

    fn refused(
        &mut self,
        reduction: &dyn Reducing,
        tally: Tally,
        needed: Option<(u32, u32)>,
    ) -> Result<ReduceResult> {
        let whole = Subset::all(self.subject.events());
        let events: Vec<_> =
            self.subject.trace().map(|trace| trace.events().cloned().collect()).unwrap_or_default();
        let flaked = self.spent.divergence(&whole).map(|divergence| finish::flaked(divergence, &events));
        let mut result = self.result(ReduceStatus::NotReproducible, reduction, &whole, Some(tally));
        self.save_others(&mut result)?;
        (result.flaked, result.details.needed) = (flaked, needed);
        Ok(result)
    }

    /// It was stopped before there was an answer, or no device was left.
    fn stopped(&self, reduction: &dyn Reducing, no_device_left: Option<String>) -> ReduceResult {
        let status =
            if no_device_left.is_some() { ReduceStatus::CutShort } else { ReduceStatus::Interrupted };
        let mut result = self.result(status, reduction, reduction.best(), None);
        result.details.no_device_left = no_device_left;
        result
    }

    /// The header of a trace that was confirmed here.
    fn header(&self) -> Header {
        self.header.clone().expect("what is no trace has no header")
    }

    /// Crashes with other signatures are findings of their own: each is kept as a trace.
    fn save_others(&self, result: &mut ReduceResult) -> Result<()> {
        let Some(long) = self.subject.trace() else { return Ok(()) };
        for (crash, subset) in &self.spent.others {
            let target = Target::Crash(crash.signature.clone());
            let mut trace = tracefile::subset(long, subset, &target, "seen while reducing".to_owned());
            trace.header =
                Header { target: Some(target), note: trace.header.note, crash: None, ..self.header() };
            match trace.steps.last_mut() {
                Some(last) => last.crash = Some(crash.clone()),
                None => trace.header.crash = Some(crash.clone()),
            }
            let path = self.session.dir().join("found").join(tracefile::name_of(&crash.signature));
            tracefile::write(&path, &trace)?;
            result.other_crashes.push(crash.signature.to_string());
            result.details.other_crashes.push((crash.clone(), path));
        }
        Ok(())
    }

    /// ND3MIN's p2. Its Lemma 1 is about an answer whose every shorter neighbour was turned down by the rule.
    fn minimality(&self, finish: &Finish, answer: &ReducedList) -> Option<f64> {
        let options = &self.plan.options;
        let (st, nr) = options.rule.fixed().filter(|(_, nr)| *nr > 1)?;
        let minimal = options.one_by_one || options.search.minimal;
        let untouched = answer.retreats == 0 && finish.values.is_empty() && finish.kept == answer.subset;
        let applies = minimal && untouched && finish.claim.is_some_and(|claim| claim.runs() > 0);
        applies.then(|| retap_mdp::minimality(&self.plan.prior(), st, nr, finish.kept.len()))
    }

    fn result(
        &self,
        status: ReduceStatus,
        reduction: &dyn Reducing,
        kept: &Subset,
        claim: Option<Tally>,
    ) -> ReduceResult {
        let (counts, tally, spent) = (reduction.counts(), claim.unwrap_or_default(), &self.spent);
        let ReducePlan { devices, seed, target, .. } = &self.plan;
        ReduceResult {
            command: COMMAND,
            status,
            target: target.clone(),
            events_before: self.subject.events(),
            events_after: kept.len(),
            looks: self.subject.trace().map(|trace| retap_model::count_looks(&trace.steps)),
            kept: kept.positions().map(|position| position + 1).collect(),
            runs: spent.runs,
            runs_inconclusive: spent.inconclusive,
            runs_withdrawn: counts.withdrawn + spent.withdrawn,
            // The confirmation counts as one more, as in the paper that counts trials.
            trials: counts.trials + u32::from(tally.runs() > 0),
            recordings: spent.recordings,
            executed_events: spent.events,
            steps: counts.rounds,
            device_seconds: spent.time.as_secs_f64(),
            confirmed: Confirmed::of(tally),
            rate: RateResult::of(tally),
            before: Confirmed::of(Tally::default()),
            retreats: 0,
            batches: Vec::new(),
            p1: result::reliability(&self.plan.prior(), tally),
            p2: None,
            search: self.plan.options.search,
            rule: reduction.rule(),
            schedule: self.plan.options.schedule,
            devices: *devices,
            platform: self.devices.as_ref().and_then(|devices| devices.header.platform.clone()),
            seed: *seed,
            other_crashes: Vec::new(),
            values: Vec::new(),
            flaked: None,
            trace: None,
            session: self.session.dir().to_owned(),
            details: self.details(kept, claim),
        }
    }

    fn details(&self, kept: &Subset, claim: Option<Tally>) -> ReduceDetails {
        let words = kept.positions().take(IN_WORDS).map(|position| self.subject.words(position));
        ReduceDetails {
            of: self.subject.of(),
            device: self.plan.device.clone(),
            answered: false,
            answer: None,
            kept_in_words: words.collect(),
            claimed: claim.is_some(),
            needed: None,
            trouble: self.spent.trouble.clone(),
            no_device_left: None,
            whose_prior: self.plan.options.prior.as_ref().map_or("ND3MIN's", Belief::whose),
            device_time: self.spent.time,
            other_crashes: Vec::new(),
        }
    }
}

/// Where a reduction stands. How long a search takes is not known.
fn progress(reduction: &dyn Reducing) -> JobProgress {
    let phase = reduction.phase();
    let to_come = matches!(phase, Phase::Confirm).then(|| u64::from(reduction.outlook()));
    let runs = u64::from(reduction.counts().runs);
    JobProgress::Reduce { phase, runs, to_come, best: reduction.best().len() }
}
