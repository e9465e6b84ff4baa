//! `retap reduce`: the fewest events that still reach the target.

mod batches;
mod build;
mod choice;
mod each;
mod finish;
mod list;
mod prior;
mod result;
mod settings;
mod spent;
mod subject;
mod words;

use std::path::{Path, PathBuf};

use anyhow::bail;
use retap_lab::{Done, DriveError, Flow, LabError, Recorded, Report, SessionJournal, drive, recorded_runs};
use retap_reduce::{EventRun, ReducedList, Reducing, ReductionEnding, Subset, Tally};
use retap_store::Session;
use retap_trace::{Header, Level, Step, Target, Trace};

use super::Context;
use crate::args::ReduceArgs;
use crate::devices::{self, Fleet};
use crate::exit::Exit;
use crate::output::{bad, count};
use crate::progress::Progress;
use crate::{folder, tracefile};

pub(crate) use each::in_folder_of_its_own;
use finish::Finish;
pub(crate) use prior::file as prior_in;
use result::BatchResult;
pub(crate) use result::{Confirmed, RateResult, ReduceResult};
pub(crate) use settings::ReduceSettings;
use spent::Spent;
pub(crate) use subject::Subject;

/// A reduction under way: what is being reduced, and what its runs have shown besides.
pub(crate) struct Job<'a> {
    subject: Subject,
    settings: ReduceSettings,
    session: Session,
    /// A file for the answer, besides the one in the session.
    write: Option<PathBuf>,
    context: &'a Context,
    spent: Spent,
    /// The header of traces that are confirmed here; none for lists that are no traces.
    header: Option<Header>,
    /// The devices; none when a command judges.
    fleet: Option<Fleet>,
    /// Why no device was left, after the events were settled.
    lost: Option<LabError>,
}

pub(super) fn run(args: &ReduceArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.all {
        return each::run(args, context);
    }
    let file = input(args)?;
    let subject = Subject::read(&file, args.run.to.as_deref(), args.crash.as_deref())?;
    let write = write_to(args, &file, &subject)?;
    let (subject, settings) = plan(subject, args, &file, context)?;
    let mut job = Job::open(subject, settings, write, context.out(), context)?;
    let (result, exit) = job.run()?;
    context.output.result(&result)?;
    Ok(exit)
}

/// The file: the one that was named, or the one in the folder of an exploration that shows the crash.
fn input(args: &ReduceArgs) -> anyhow::Result<PathBuf> {
    if !args.input.is_dir() {
        return Ok(args.input.clone());
    }
    choice::one(&args.input, args.crash.as_deref(), args.run.to.as_deref())
}

/// What is reduced, how, and on which device.
fn plan(
    mut subject: Subject,
    args: &ReduceArgs,
    file: &Path,
    context: &Context,
) -> anyhow::Result<(Subject, ReduceSettings)> {
    let device = match &subject {
        Subject::Played { trace, .. } => {
            check_level(args.level.as_deref(), trace, file)?;
            let named = [args.run.device.as_deref(), context.config.device.as_deref()];
            let device = devices::choose_for(named, &trace.header, file)?;
            devices::check_app(&trace.header, file, &device)?;
            Some(device)
        }
        Subject::Judged { trace, .. } => {
            match trace {
                Some(trace) => check_level(args.level.as_deref(), trace, file)?,
                None if args.level.is_some() => bail!(
                    "--level does nothing with {}, whose lines have no states; leave it out",
                    file.display()
                ),
                None => {}
            }
            None
        }
    };
    subject.played_on(device.as_deref());
    let settings = ReduceSettings::join(args, context, &subject, device)?;
    Ok((subject, settings))
}

/// Refuses a level at which the trace does not tell its states: a search would go on without them, unasked.
fn check_level(typed: Option<&str>, trace: &Trace, file: &Path) -> anyhow::Result<()> {
    let level: Option<Level> = typed.map(str::parse).transpose().map_err(anyhow::Error::msg)?;
    let Some(level) = level else { return Ok(()) };
    let told = |step: &Step| step.before.as_ref().is_some_and(|before| before.key(level).is_some());
    match trace.steps.iter().position(|step| !told(step)) {
        None => Ok(()),
        Some(step) => bail!(
            "--level {level} does nothing with {}, which does not record the state before step {} at that level; leave \
             it out",
            file.display(),
            step + 1
        ),
    }
}

/// Where the answer goes besides the session: never over the input.
fn write_to(args: &ReduceArgs, input: &Path, subject: &Subject) -> anyhow::Result<Option<PathBuf>> {
    let usual = || matches!(subject, Subject::Judged { .. }).then(|| list::beside(input));
    let Some(path) = args.write.clone().or_else(usual) else { return Ok(None) };
    let whole = |path: &Path| path.canonicalize().ok();
    if path == input || (path.exists() && whole(&path) == whole(input)) {
        bail!("--write {} is the input, and the input is never overwritten", path.display());
    }
    if path.is_dir() {
        bail!("--write {} is a folder; name a file", path.display());
    }
    Ok(Some(path))
}

impl<'a> Job<'a> {
    pub(crate) fn open(
        subject: Subject,
        mut settings: ReduceSettings,
        write: Option<PathBuf>,
        out: Option<&Path>,
        context: &'a Context,
    ) -> anyhow::Result<Self> {
        let place = folder::place(out, "reduce", &settings)?;
        if let Some(prior) = &mut settings.prior {
            prior.learn(&place, context)?;
        }
        // Whatever is wrong with the settings is said before a folder is made.
        settings.reduction(&subject.material(settings.level()?), context)?;
        let fleet = match &settings.device {
            Some(device) => Some(context.fleet(device, settings.devices)?),
            None => None,
        };
        let header = subject.check(&settings, fleet.as_ref(), context)?;
        let mut session = folder::open(out, "reduce", &settings)?;
        if let (Some(header), Some(device)) = (&header, &settings.device) {
            build::same(&mut session, &header.app, device)?;
        }
        if let Some(prior) = &settings.prior {
            prior.keep(session.dir())?;
        }
        Ok(Self {
            subject,
            settings,
            session,
            write,
            context,
            spent: Spent::default(),
            header,
            fleet,
            lost: None,
        })
    }

    /// Reduces, or goes on reducing.
    pub(crate) fn run(&mut self) -> anyhow::Result<(ReduceResult, Exit)> {
        let material = self.subject.material(self.settings.level()?);
        let mut reduction = self.settings.reduction(&material, self.context)?;
        let cut_short = match self.drive(&mut *reduction) {
            Ok(()) => None,
            Err(error) => match error.downcast::<DriveError>()? {
                DriveError::Lab(LabError::Stopped) => None,
                DriveError::Lab(error @ LabError::NoDeviceLeft { .. }) => Some(error),
                error => return Err(error.into()),
            },
        };
        match (reduction.ending().cloned(), cut_short) {
            (Some(ReductionEnding::Reduced(answer)), _) => self.reduced(&*reduction, &answer),
            (Some(ReductionEnding::Refused { tally, needed }), _) => self.refused(&*reduction, tally, needed),
            (None, Some(error)) => Ok(self.cut_short(&*reduction, &error)),
            (None, None) => Ok(self.interrupted(&*reduction)),
        }
    }

    fn drive(&mut self, reduction: &mut (dyn Reducing + 'static)) -> anyhow::Result<()> {
        let lab = self.subject.lab(&self.settings, self.fleet.as_ref(), self.context)?;
        let recorded = recorded_runs(&self.session).map_err(DriveError::from)?;
        let values = recorded_runs::<EventRun, Report>(&self.session).map_err(DriveError::from)?.len();
        if !recorded.is_empty() {
            let all = (recorded.len() + values) as u64;
            self.context.output.say(format!("going on after {}", count(all, "recorded run")));
        }
        let mut journal = SessionJournal::new(&mut self.session, recorded.len());
        let mut lab = Recorded::new(lab, recorded);
        let progress = Progress::new(self.context.output, "reduce", 0);
        let (context, spent, target) = (self.context, &mut self.spent, self.subject.target());
        let mut watch = |reduction: &mut (dyn Reducing + 'static), done: &Done| {
            spent.note(done, target);
            progress.reduction(reduction);
            context.output.detail(words::run(done));
            if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
        };
        drive(reduction, &mut lab, &mut journal, &mut watch)?;
        Ok(())
    }

    fn reduced(
        &mut self,
        reduction: &dyn Reducing,
        answer: &ReducedList,
    ) -> anyhow::Result<(ReduceResult, Exit)> {
        let mut finish = self.finish(reduction, answer)?;
        if finish.whole() {
            batches::write(&mut self.session, &finish.batches)?;
        }
        let before = self.subject.events();
        if let Some(short) = &mut finish.short {
            short.header.target = Some(self.subject.target().clone());
            short.header.note = Some(match finish.claim {
                Some(claim) => format!(
                    "reduced from {before} events; reached {} of {} times",
                    claim.reached,
                    claim.runs()
                ),
                None => format!("reduced from {before} events; not yet confirmed"),
            });
        }
        let path = self.save(&finish)?;
        let (status, exit) = match finish.claim.filter(|_| finish.whole()) {
            None if self.lost.is_some() => ("cut_short", Exit::Usage),
            None => ("interrupted", Exit::Interrupted),
            Some(Tally { reached: 0, .. }) => ("not_confirmed", Exit::Found),
            Some(_) if finish.below => ("below_the_rule", Exit::Found),
            Some(_) => ("reduced", Exit::Done),
        };
        self.say_reduced(&finish, answer, &reduction.rule());
        let others = self.save_others()?;
        self.context.output.say(format!("saved: {}", path.display()));
        if !finish.whole() {
            let what = if finish.claim.is_some() { "written down" } else { "confirmed" };
            self.context.output.say(match &self.lost {
                Some(error) => format!("{} before the answer was {what}: {error}", bad("cut short")),
                None => format!("{} before the answer was {what}", bad("interrupted")),
            });
            self.how_to_go_on();
        }
        let claim = finish.claim.unwrap_or_default();
        let mut result = self.result(status, reduction, &finish.kept, claim, others);
        result.p2 = self.minimality(&finish, answer);
        result.before = Confirmed::of(finish.before);
        result.retreats = answer.retreats;
        result.batches = finish.batches.iter().map(BatchResult::of).collect();
        (result.trace, result.values, result.flaked) = (Some(path), finish.values, finish.flaked);
        Ok((result, exit))
    }

    /// Writes the answer; says where it is.
    fn save(&self, finish: &Finish) -> anyhow::Result<PathBuf> {
        let mut path = None;
        if let Some(short) = &finish.short {
            let in_session = self.session.dir().join("reduced.trace.jsonl");
            for file in [Some(&in_session), self.write.as_ref()].into_iter().flatten() {
                tracefile::write(file, short)?;
            }
            path = Some(in_session);
        }
        if let (Some(file), Some(text)) = (&self.write, self.subject.kept(&finish.kept)) {
            retap_store::write_beside(file, |to| to.write_all(&text))?;
        }
        Ok(self.write.clone().or(path).expect("lists always have a file of their own"))
    }

    fn refused(
        &mut self,
        reduction: &dyn Reducing,
        tally: Tally,
        needed: Option<(u32, u32)>,
    ) -> anyhow::Result<(ReduceResult, Exit)> {
        self.say_refused(tally, needed);
        let whole = Subset::all(self.subject.events());
        let events: Vec<_> =
            self.subject.trace().map(|trace| trace.events().cloned().collect()).unwrap_or_default();
        let flaked = self.spent.parting(&whole).map(|parting| finish::flaked(parting, &events));
        self.say_flaked(flaked.as_ref());
        let others = self.save_others()?;
        let mut result = self.result("not_reproducible", reduction, &whole, tally, others);
        result.flaked = flaked;
        Ok((result, Exit::Found))
    }

    fn interrupted(&self, reduction: &dyn Reducing) -> (ReduceResult, Exit) {
        self.context.output.say(format!(
            "\n{} after {}; best so far: {} of {}, not yet confirmed",
            bad("interrupted"),
            count(reduction.counts().runs, "run"),
            reduction.best().len(),
            count(self.subject.events(), self.subject.noun()),
        ));
        self.say_steps(reduction.best());
        self.how_to_go_on();
        let result = self.result("interrupted", reduction, reduction.best(), Tally::default(), Vec::new());
        (result, Exit::Interrupted)
    }

    fn cut_short(&self, reduction: &dyn Reducing, error: &LabError) -> (ReduceResult, Exit) {
        self.context.output.say(format!(
            "{} after {}: {error}; best so far: {} of {}, not yet confirmed",
            bad("cut short"),
            count(reduction.counts().runs, "run"),
            reduction.best().len(),
            count(self.subject.events(), self.subject.noun()),
        ));
        self.how_to_go_on();
        let result = self.result("cut_short", reduction, reduction.best(), Tally::default(), Vec::new());
        (result, Exit::Usage)
    }

    fn how_to_go_on(&self) {
        self.context.output.say(format!(
            "everything is saved in {}; go on with\n  {}",
            self.session.dir().display(),
            folder::this_command()
        ));
    }

    /// The header of a trace that was confirmed here.
    fn header(&self) -> Header {
        self.header.clone().expect("what is no trace has no header")
    }

    /// Crashes with other signatures are findings of their own: each is kept as a trace.
    fn save_others(&self) -> anyhow::Result<Vec<String>> {
        let Some(long) = self.subject.trace() else { return Ok(Vec::new()) };
        let mut signatures = Vec::new();
        for (crash, subset) in &self.spent.others {
            let target = Target::Crash(crash.signature.clone());
            let mut trace = tracefile::subset(long, subset, &target, "seen while reducing".to_owned());
            trace.header = Header { target: Some(target), note: trace.header.note, ..self.header() };
            if let Some(last) = trace.steps.last_mut() {
                last.crash = Some(crash.clone());
            }
            let name = crash.signature.0.replace(|char: char| !char.is_alphanumeric() && char != '.', "-");
            let path = self.session.dir().join("found").join(format!("{name}.trace.jsonl"));
            tracefile::write(&path, &trace)?;
            self.context.output.say(format!("another crash was seen: {crash}\nsaved: {}", path.display()));
            signatures.push(crash.signature.to_string());
        }
        Ok(signatures)
    }

    fn result(
        &self,
        status: &'static str,
        reduction: &dyn Reducing,
        kept: &Subset,
        claim: Tally,
        other_crashes: Vec<String>,
    ) -> ReduceResult {
        let counts = reduction.counts();
        let ReduceSettings { search, schedule, devices, seed, target, .. } = self.settings.clone();
        ReduceResult {
            command: "reduce",
            status,
            target,
            events_before: self.subject.events(),
            events_after: kept.len(),
            looks: self.subject.trace().map(|trace| retap_model::count_looks(&trace.steps)),
            kept: kept.positions().map(|position| position + 1).collect(),
            runs: self.spent.runs,
            runs_inconclusive: self.spent.inconclusive,
            runs_withdrawn: counts.withdrawn + self.spent.withdrawn,
            // The confirmation counts as one more, as in the paper that counts trials.
            trials: counts.trials + u32::from(claim.runs() > 0),
            recordings: self.spent.recordings,
            executed_events: self.spent.events,
            steps: counts.rounds,
            device_seconds: self.spent.time.as_secs_f64(),
            confirmed: Confirmed::of(claim),
            rate: RateResult::of(claim),
            before: Confirmed::of(Tally::default()),
            retreats: 0,
            batches: Vec::new(),
            p1: result::reliability(&self.settings.prior(), claim),
            p2: None,
            search,
            rule: reduction.rule(),
            schedule,
            devices,
            seed,
            other_crashes,
            values: Vec::new(),
            flaked: None,
            trace: None,
            session: self.session.dir().to_owned(),
        }
    }
}
