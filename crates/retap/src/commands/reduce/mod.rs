//! `retap reduce`: the fewest events that still reach the target.

mod finish;
mod list;
mod result;
mod settings;
mod subject;

use std::path::{Path, PathBuf};

use anyhow::bail;
use retap_lab::{
    Done, DriveError, Flow, LabError, Parting, Recorded, Report, SessionJournal, Way, drive, recorded_runs,
};
use retap_mdp::Prior;
use retap_reduce::{Answer, Ending, Outcome, Rate, Reduction, Subset, Tally};
use retap_store::Session;
use retap_trace::{Crash, Micros, Target, Trace};

use super::Context;
use crate::args::ReduceArgs;
use crate::devices;
use crate::exit::Exit;
use crate::output::{bad, count, faint, good, strong};
use crate::progress::Progress;
use crate::{folder, tracefile};

pub(crate) use result::{Confirmed, RateResult, ReduceResult};
use result::{Flaked, FlakedState, Simpler, reliability};
pub(crate) use settings::Settings;
pub(crate) use subject::Subject;

/// A reduction under way: what is being reduced, and what its runs have shown besides.
pub(crate) struct Job<'a> {
    subject: Subject,
    settings: Settings,
    session: Session,
    /// A file for the answer, besides the one in the session.
    write: Option<PathBuf>,
    context: &'a Context,
    spent: Spent,
}

#[derive(Default)]
struct Spent {
    /// Runs that gave evidence.
    runs: u32,
    /// Runs in which the device failed.
    inconclusive: u32,
    events: u64,
    time: Micros,
    /// Where the runs went that measured a rate.
    ways: Vec<(Subset, Way)>,
    others: Vec<(Crash, Subset)>,
    /// What was last said about a run that did not end well.
    trouble: Option<String>,
}

pub(super) fn run(args: &ReduceArgs, context: &Context) -> anyhow::Result<Exit> {
    let file = input(args)?;
    let subject = Subject::read(&file, args.run.to.as_deref(), args.crash.as_deref())?;
    let device = match &subject {
        Subject::Played { trace, .. } => {
            let [typed, set] = [args.run.device.as_deref(), context.config.device.as_deref()];
            Some(devices::choose([typed, set, trace.header.device.as_deref()])?)
        }
        Subject::Judged { .. } => None,
    };
    let write = write_to(args, &file, &subject)?;
    let settings = Settings::join(args, context, &subject, device)?;
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
    super::explore::shortest_trace(&args.input, args.crash.as_deref())
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
        settings: Settings,
        write: Option<PathBuf>,
        out: Option<&Path>,
        context: &'a Context,
    ) -> anyhow::Result<Self> {
        // Whatever is wrong with the settings is said before a folder is made.
        settings.reduction(&subject.material(settings.level()?), context)?;
        subject.check(&settings, context)?;
        let session = folder::open(out, "reduce", &settings)?;
        Ok(Self { subject, settings, session, write, context, spent: Spent::default() })
    }

    /// Reduces, or goes on reducing.
    pub(crate) fn run(&mut self) -> anyhow::Result<(ReduceResult, Exit)> {
        let material = self.subject.material(self.settings.level()?);
        let mut reduction = self.settings.reduction(&material, self.context)?;
        let cut_short = match self.drive(&mut reduction) {
            Ok(()) => None,
            Err(error) => match error.downcast::<DriveError>()? {
                DriveError::Lab(LabError::Stopped) => None,
                DriveError::Lab(error @ LabError::NoDeviceLeft { .. }) => Some(error),
                error => return Err(error.into()),
            },
        };
        match (reduction.ending().cloned(), cut_short) {
            (Some(Ending::Reduced(answer)), _) => self.reduced(&reduction, &answer),
            (Some(Ending::Refused { tally, needed }), _) => self.refused(&reduction, tally, needed),
            (None, Some(error)) => Ok(self.cut_short(&reduction, &error)),
            (None, None) => Ok(self.interrupted(&reduction)),
        }
    }

    fn drive(&mut self, reduction: &mut Reduction) -> anyhow::Result<()> {
        let lab = self.subject.lab(&self.settings, self.context)?;
        let recorded = recorded_runs(&self.session).map_err(DriveError::from)?;
        if !recorded.is_empty() {
            self.context
                .output
                .say(format!("going on after {}", count(recorded.len() as u64, "recorded run")));
        }
        let mut journal = SessionJournal::new(&mut self.session, recorded.len());
        let mut lab = Recorded::new(lab, recorded);
        let progress = Progress::new(self.context.output, "reduce", 0);
        let (context, spent, target) = (self.context, &mut self.spent, self.subject.target());
        let mut watch = |reduction: &Reduction, done: &Done| {
            spent.note(done, target);
            progress.reduction(reduction);
            context.output.detail(in_words(done));
            if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
        };
        drive(reduction, &mut lab, &mut journal, &mut watch)?;
        Ok(())
    }

    fn reduced(&mut self, reduction: &Reduction, answer: &Answer) -> anyhow::Result<(ReduceResult, Exit)> {
        let mut finish = self.finish(reduction, answer)?;
        let confirmed = finish.confirmed;
        let before = u64::from(self.subject.events());
        if let Some(short) = &mut finish.short {
            let (reached, of) = (confirmed.reached, confirmed.runs());
            short.header.target = Some(self.subject.target().clone());
            short.header.note =
                Some(format!("reduced from {before} events; reached {reached} of {of} times"));
        }
        let path = self.save(&answer.subset, finish.short.as_ref())?;
        let rate = Rate::of(confirmed);
        let output = self.context.output;
        output.say(format!(
            "\n{} {} to {}; fresh runs reached {} {} of {} times (rate {:.2}, 95 % interval {:.2} to {:.2}):\n",
            good("reduced"),
            count(before, self.subject.noun()),
            strong(answer.subset.len()),
            self.subject.target(),
            confirmed.reached,
            confirmed.runs(),
            rate.estimate,
            rate.low,
            rate.high,
        ));
        match &finish.short {
            Some(short) => self.say_trace(short),
            None => self.say_steps(&answer.subset),
        }
        for Simpler { step, before, after } in &finish.values {
            output.say(format!("step {step} was simplified: {before} -> {after}"));
        }
        if answer.retreats > 0 {
            output.say(format!("\n{} shorter answers were not confirmed and taken back", answer.retreats));
        }
        self.say_flaked(finish.flaked.as_ref());
        self.say_cost(confirmed, &answer.subset);
        let others = self.save_others()?;
        output.say(format!("saved: {}", path.display()));
        let status = if finish.interrupted { "interrupted" } else { "reduced" };
        let mut result = self.result(status, reduction, &answer.subset, confirmed, others);
        (result.trace, result.values, result.flaked) = (Some(path), finish.values, finish.flaked);
        if finish.interrupted {
            output.say(format!("{} while values were made simpler", bad("interrupted")));
            self.how_to_go_on();
        }
        Ok((result, if finish.interrupted { Exit::Interrupted } else { Exit::Done }))
    }

    /// Writes the answer; says where it is.
    fn save(&self, kept: &Subset, short: Option<&Trace>) -> anyhow::Result<PathBuf> {
        let mut path = None;
        if let Some(short) = short {
            let in_session = self.session.dir().join("reduced.trace.jsonl");
            for file in [Some(&in_session), self.write.as_ref()].into_iter().flatten() {
                tracefile::write(file, short)?;
            }
            path = Some(in_session);
        }
        if let (Some(file), Some(text)) = (&self.write, self.subject.kept(kept)) {
            retap_store::write_beside(file, |to| to.write_all(&text))?;
        }
        Ok(self.write.clone().or(path).expect("lists always have a file of their own"))
    }

    fn say_trace(&self, short: &Trace) {
        for (number, event) in short.events().enumerate() {
            self.context.output.say(format!("  {:>3}. {event}", number + 1));
        }
        if let Some(crash) = short.steps.last().and_then(|step| step.crash.as_ref()) {
            self.context.output.say(format!("       {} {crash}", bad("crash:")));
        }
    }

    fn say_flaked(&self, flaked: Option<&Flaked>) {
        let Some(Flaked { after, event, states }) = flaked else { return };
        self.context.output.say(match after {
            0 => "\nflaky: runs differ from the start:".to_owned(),
            after => format!("\nflaky: runs part after step {after}, {event}:"),
        });
        for FlakedState { state, runs, reached } in states {
            self.context.output.say(format!("  {runs:>3} in {state}; {reached} of them reached the target"));
        }
    }

    fn say_cost(&self, confirmed: Tally, kept: &Subset) {
        let output = self.context.output;
        if let Some(p1) = reliability(confirmed) {
            let p2 = self.minimality(confirmed, kept);
            let p2 = p2.map_or_else(String::new, |p2| format!(", p2 {}", retap_mdp::truncated(p2)));
            output.say(faint(format!("\np1 {}{p2} (see docs/papers.md)", retap_mdp::truncated(p1))));
        }
        output.say(faint(format!(
            "{} ({} inconclusive), {} performed, {} of {} time",
            count(self.spent.runs, "run"),
            self.spent.inconclusive,
            count(self.spent.events, self.subject.noun()),
            self.spent.time,
            if self.settings.device.is_some() { "device" } else { "the command's" },
        )));
    }

    fn refused(
        &mut self,
        reduction: &Reduction,
        tally: Tally,
        needed: (u32, u32),
    ) -> anyhow::Result<(ReduceResult, Exit)> {
        let (least, runs) = needed;
        let why = self.spent.trouble.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        self.context.output.say(format!(
            "{}: the whole {} reached {} {} of {} times{why}; at least {least} of {runs} are needed. \
             Nothing was reduced.",
            bad("not reproducible"),
            if self.subject.trace().is_some() { "trace" } else { "list" },
            self.subject.target(),
            tally.reached,
            tally.runs(),
        ));
        let whole = Subset::all(self.subject.events());
        let flaked = self.spent.parting(&whole).map(|parting| self.flaked(parting, &whole));
        self.say_flaked(flaked.as_ref());
        let others = self.save_others()?;
        let mut result = self.result("not_reproducible", reduction, &whole, tally, others);
        result.flaked = flaked;
        Ok((result, Exit::Found))
    }

    fn interrupted(&self, reduction: &Reduction) -> (ReduceResult, Exit) {
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

    fn cut_short(&self, reduction: &Reduction, error: &LabError) -> (ReduceResult, Exit) {
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

    /// The first of these events in words.
    fn say_steps(&self, kept: &Subset) {
        const SHOWN: u32 = 20;
        for (position, number) in kept.positions().zip(1..=SHOWN) {
            self.context.output.say(format!("  {number:>3}. {}", self.subject.words(position)));
        }
        if kept.len() > SHOWN {
            self.context.output.say(format!("       ... and {} more", kept.len() - SHOWN));
        }
    }

    fn how_to_go_on(&self) {
        self.context.output.say(format!(
            "everything is saved in {}; go on with\n  {}",
            self.session.dir().display(),
            folder::this_command()
        ));
    }

    fn minimality(&self, confirmed: Tally, kept: &Subset) -> Option<f64> {
        let (st, nr) = self.settings.fixed().filter(|(_, nr)| *nr > 1 && confirmed.runs() > 0)?;
        Some(retap_mdp::minimality(&Prior::recovered(), st, nr, kept.len()))
    }

    /// Crashes with other signatures are findings of their own: each is kept as a trace.
    fn save_others(&self) -> anyhow::Result<Vec<String>> {
        let Some(long) = self.subject.trace() else { return Ok(Vec::new()) };
        let mut signatures = Vec::new();
        for (crash, subset) in &self.spent.others {
            let target = Target::Crash(crash.signature.clone());
            let mut trace = tracefile::subset(long, subset, &target, "seen while reducing".to_owned());
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
        reduction: &Reduction,
        kept: &Subset,
        confirmed: Tally,
        other_crashes: Vec<String>,
    ) -> ReduceResult {
        let counts = reduction.counts();
        let Settings { search, schedule, devices, seed, target, .. } = self.settings.clone();
        let rule = reduction.rule().to_string();
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
            runs_withdrawn: counts.withdrawn,
            // The confirmation counts as one more, as in the paper that counts trials.
            trials: counts.trials + u32::from(confirmed.runs() > 0),
            executed_events: self.spent.events,
            steps: counts.rounds,
            device_seconds: self.spent.time.as_secs_f64(),
            confirmed: Confirmed::of(confirmed),
            rate: RateResult::of(confirmed),
            p1: reliability(confirmed),
            p2: self.minimality(confirmed, kept),
            search,
            rule,
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

impl Spent {
    fn note(&mut self, done: &Done, target: &Target) {
        self.add(&done.report);
        let reached = done.report.outcome == Outcome::Reached;
        if done.order.measures && done.report.outcome != Outcome::Inconclusive {
            let way = Way::of_activities(&done.report.path, done.report.events, reached);
            self.ways.push((done.order.subset.clone(), way));
        }
        let Some(crash) = &done.report.crash else { return };
        let wanted = match target {
            Target::AnyCrash => true,
            Target::Crash(signature) => *signature == crash.signature,
            _ => false,
        };
        if !wanted && !self.others.iter().any(|(known, _)| known.signature == crash.signature) {
            let performed = done.order.subset.part(&(0..done.report.events));
            self.others.push((crash.clone(), performed));
        }
    }

    fn add(&mut self, report: &Report) {
        match report.outcome {
            Outcome::Inconclusive => self.inconclusive += 1,
            _ => self.runs += 1,
        }
        self.events += u64::from(report.events);
        self.time += report.took;
        self.trouble.clone_from(&report.why);
    }

    /// Where the measured runs of these events part, by their activities.
    fn parting(&self, kept: &Subset) -> Option<Parting> {
        let of_kept = self.ways.iter().filter(|(subset, _)| subset == kept);
        Parting::of(&of_kept.map(|(_, way)| way.clone()).collect::<Vec<_>>())
    }
}

fn in_words(done: &Done) -> String {
    let why = || done.report.why.as_deref();
    let ended = match done.report.outcome {
        Outcome::Reached => "reached".to_owned(),
        Outcome::Missed => match (&done.report.crash, why()) {
            (Some(crash), _) => format!("missed, another crash: {}", crash.signature),
            (None, Some(why)) => format!("missed, {why}"),
            (None, None) => "missed".to_owned(),
        },
        Outcome::Inconclusive => format!("inconclusive, {}", why().unwrap_or("stopped")),
    };
    let order = &done.order;
    format!("run {}: {}, {} events: {ended}", order.ticket.0, order.label, order.subset.len())
}
