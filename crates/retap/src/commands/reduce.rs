//! `retap reduce`: the fewest events that still reach the target.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{bail, ensure};
use retap_lab::{
    Deadlines, Done, DriveError, Flow, LabError, Oracle, Recorded, SessionJournal, drive, record,
    recorded_runs,
};
use retap_mdp::{Policy, Prior, Setting};
use retap_reduce::search::{self, Material};
use retap_reduce::{Answer, Ending, Outcome, Rate, Reduction, Subset, Tally, rule, schedule};
use retap_store::Session;
use retap_trace::{Crash, Level, Micros, Seed, Target, Trace};
use serde::Serialize;

use super::{Context, target};
use crate::args::ReduceArgs;
use crate::config::{self, Config};
use crate::devices::{self, Fleet};
use crate::exit::Exit;
use crate::output::{bad, count, faint, good, strong};
use crate::progress::Progress;
use crate::{folder, policies, tracefile};

/// The rule of `auto` as long as nothing flakes.
const TRUSTING: &str = "1/1";
/// Its rule from then on: sequential testing for a rate of 0.9.
const DOUBTING: &str = "bayes:0.9@0.97";

/// What a reduction is: everything that decides how it goes.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Settings {
    pub(super) trace: String,
    pub(super) target: String,
    pub(super) device: String,
    pub(super) devices: u32,
    pub(super) search: String,
    pub(super) rule: String,
    pub(super) schedule: String,
    pub(super) level: Option<String>,
    pub(super) one_by_one: bool,
    pub(super) confirm: u32,
    pub(super) min_rate: Option<f64>,
    pub(super) seed: u64,
}

/// The result for programs.
#[derive(Debug, Serialize)]
pub(super) struct ReduceResult {
    command: &'static str,
    status: &'static str,
    target: String,
    pub(super) events_before: u32,
    pub(super) events_after: u32,
    /// The kept events, counted from 1.
    kept: Vec<u32>,
    runs: u32,
    runs_inconclusive: u32,
    runs_withdrawn: u32,
    trials: u32,
    executed_events: u64,
    /// Rounds of runs.
    steps: u32,
    pub(super) device_seconds: f64,
    pub(super) confirmed: Confirmed,
    pub(super) rate: RateResult,
    /// The probability that the answer's rate is at least 0.85 (ND3MIN's p1), under the recovered prior.
    p1: Option<f64>,
    /// The probability that no single event can go (ND3MIN's p2), for rules K/N.
    p2: Option<f64>,
    search: String,
    rule: String,
    schedule: String,
    devices: u32,
    seed: u64,
    other_crashes: Vec<String>,
    pub(super) trace: Option<PathBuf>,
    session: PathBuf,
}

/// How many of how many fresh runs reached the target.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Confirmed {
    pub(super) reached: u32,
    pub(super) of: u32,
}

/// A rate with its 95 % interval.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct RateResult {
    estimate: f64,
    low: f64,
    high: f64,
}

/// A reduction under way: what is being reduced, and what its runs have shown besides.
pub(super) struct Job<'a> {
    trace: Arc<Trace>,
    target: Target,
    settings: Settings,
    fleet: Fleet,
    session: Session,
    context: &'a Context,
    spent: Spent,
}

#[derive(Default)]
struct Spent {
    events: u64,
    time: Micros,
    others: Vec<(Crash, Subset)>,
}

pub(super) fn run(args: &ReduceArgs, context: &Context) -> anyhow::Result<Exit> {
    let file = input(args)?;
    let trace = tracefile::read(&file)?;
    let typed = args.run.to.clone().or_else(|| args.crash.as_ref().map(|_| "crash".to_owned()));
    let mut target = target::of(&trace, typed.as_deref(), &file)?;
    if let Some(wanted) = &args.crash {
        target = crash_in(&trace, wanted, &file)?;
    }
    let named =
        [args.run.device.as_deref(), context.config.device.as_deref(), trace.header.device.as_deref()];
    let device = devices::choose(named)?;
    let settings = Settings::join(args, &context.config, &trace, &target, device, context.seed())?;
    let mut job = Job::open(trace, target, settings, context.out(), context)?;
    let (result, exit) = job.run()?;
    context.output.result(&result)?;
    Ok(exit)
}

/// The trace file: the one that was named, or the one in the folder of an exploration that shows the crash.
fn input(args: &ReduceArgs) -> anyhow::Result<PathBuf> {
    if !args.input.is_dir() {
        return Ok(args.input.clone());
    }
    super::explore::shortest_trace(&args.input, args.crash.as_deref())
}

fn crash_in(trace: &Trace, wanted: &str, file: &Path) -> anyhow::Result<Target> {
    let crashes = trace.steps.iter().filter_map(|step| step.crash.as_ref());
    match crashes.map(|crash| &crash.signature).find(|signature| signature.0.contains(wanted)) {
        Some(signature) => Ok(Target::Crash(signature.clone())),
        None => bail!("{} records no crash whose signature contains '{wanted}'", file.display()),
    }
}

impl Settings {
    fn join(
        args: &ReduceArgs,
        config: &Config,
        trace: &Trace,
        target: &Target,
        device: String,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let set = &config.reduce;
        let choose = |typed: &Option<String>, set: &Option<String>, usual: &str| {
            typed.clone().or_else(|| set.clone()).unwrap_or_else(|| usual.to_owned())
        };
        let confirm = args.confirm.or(set.confirm).unwrap_or(20);
        let min_rate = args.min_rate.or(set.min_rate);
        ensure!(
            min_rate.is_none_or(|rate| (0.0..=1.0).contains(&rate)),
            "--min-rate takes a rate from 0 to 1, not {}",
            min_rate.unwrap_or_default()
        );
        ensure!((1..=100_000).contains(&confirm), "--confirm takes 1 to 100000, not {confirm}");
        Ok(Self {
            trace: tracefile::fingerprint(trace)?,
            target: target.to_string(),
            device,
            devices: config::devices(args.run.devices, config)?,
            search: choose(&args.search, &set.search, "auto"),
            rule: choose(&args.rule, &set.rule, "auto"),
            schedule: choose(&args.schedule, &set.schedule, "async"),
            level: args.level.clone().or_else(|| set.level.clone()),
            one_by_one: args.one_by_one || set.one_by_one,
            confirm,
            min_rate,
            seed,
        })
    }

    /// The step machine that these settings describe.
    fn reduction(&self, trace: &Trace, target: &Target, context: &Context) -> anyhow::Result<Reduction> {
        let material = Material::of(trace, target, self.level()?);
        let search = || search::parse(&self.search, &material, self.one_by_one).map_err(anyhow::Error::msg);
        let rule = |text: &str| rule::parse(text).map_err(anyhow::Error::msg);
        let policy = || self.policy(context).map_err(|error| format!("{error:#}"));
        let schedule = schedule::parse(&self.schedule, policy).map_err(anyhow::Error::msg)?;
        let settings = retap_reduce::Settings {
            events: material.all().len(),
            devices: self.devices,
            confirm_runs: self.confirm,
            min_rate: self.min_rate,
        };
        Ok(match &*self.rule {
            "auto" => Reduction::new(settings, search()?, rule(TRUSTING)?, schedule)
                .escalating(rule(DOUBTING)?, search()?),
            text => Reduction::new(settings, search()?, rule(text)?, schedule),
        })
    }

    /// The rule as ND3MIN has it, st of nr, if it is one.
    fn fixed(&self) -> Option<(u32, u32)> {
        let (st, nr) = self.rule.split_once('/')?;
        Some((st.trim().parse().ok()?, nr.trim().parse().ok()?))
    }

    /// The policy of the schedule `optimal`, for up to five candidates, as in the paper.
    fn policy(&self, context: &Context) -> anyhow::Result<Arc<Policy>> {
        let Some((st, nr)) = self.fixed() else {
            bail!("the schedule optimal is for rules K/N, not for the rule {}", self.rule);
        };
        let setting = Setting::new(5, self.devices, nr, st)?;
        Ok(policies::get(setting, &Prior::recovered(), context.output, &context.interrupt)?.0)
    }

    fn level(&self) -> anyhow::Result<Option<Level>> {
        self.level.as_deref().map(str::parse).transpose().map_err(anyhow::Error::msg)
    }
}

impl<'a> Job<'a> {
    pub(super) fn open(
        trace: Trace,
        target: Target,
        settings: Settings,
        out: Option<&Path>,
        context: &'a Context,
    ) -> anyhow::Result<Self> {
        // Whatever is wrong with the settings is said before a folder is made.
        settings.reduction(&trace, &target, context)?;
        let fleet = Fleet::open(&settings.device, settings.devices)?;
        let session = folder::open(out, "reduce", &settings)?;
        let (trace, spent) = (Arc::new(trace), Spent::default());
        Ok(Self { trace, target, settings, fleet, session, context, spent })
    }

    /// Reduces, or goes on reducing.
    pub(super) fn run(&mut self) -> anyhow::Result<(ReduceResult, Exit)> {
        let mut reduction = self.settings.reduction(&self.trace, &self.target, self.context)?;
        let driven = self.drive(&mut reduction);
        let result = match driven {
            Ok(_) => None,
            Err(DriveError::Lab(error @ LabError::NoDeviceLeft { .. })) => Some(error),
            Err(error) => return Err(error.into()),
        };
        match (reduction.ending().cloned(), result) {
            (Some(Ending::Reduced(answer)), _) => self.reduced(&reduction, &answer),
            (Some(Ending::Refused { tally, needed }), _) => self.refused(&reduction, tally, needed),
            (None, Some(error)) => Ok(self.cut_short(&reduction, &error)),
            (None, None) => Ok(self.interrupted(&reduction)),
        }
    }

    fn drive(&mut self, reduction: &mut Reduction) -> Result<bool, DriveError> {
        let oracle = self.oracle();
        let devices = std::mem::take(&mut self.fleet.devices);
        let recorded = recorded_runs(&self.session)?;
        if !recorded.is_empty() {
            self.context
                .output
                .say(format!("going on after {}", count(recorded.len() as u64, "recorded run")));
        }
        let mut journal = SessionJournal::new(&mut self.session, recorded.len());
        let mut lab = Recorded::new(devices::lab(&oracle, devices), recorded);
        let progress = Progress::new(self.context.output, "reduce", 0);
        let (context, spent, target) = (self.context, &mut self.spent, &self.target);
        let mut watch = |reduction: &Reduction, done: &Done| {
            spent.note(done, target);
            progress.reduction(reduction);
            context.output.detail(in_words(done));
            if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
        };
        drive(reduction, &mut lab, &mut journal, &mut watch)
    }

    fn oracle(&self) -> Oracle {
        Oracle {
            trace: self.trace.clone(),
            target: self.target.clone(),
            level: self.settings.level().ok().flatten().unwrap_or(Level::Activity),
            seed: Seed(self.settings.seed),
            deadlines: Deadlines::default(),
        }
    }

    /// The short trace with what is seen around its own events; where no recording shows the target, with nothing.
    fn record(&self, kept: &Subset, note: String) -> anyhow::Result<Trace> {
        let mut device = Fleet::open(&self.settings.device, 1)?.devices.remove(0);
        let mut short = record(&self.oracle(), &mut *device, kept)
            .unwrap_or_else(|| tracefile::subset(&self.trace, kept, &self.target, String::new()));
        short.header.target = Some(self.target.clone());
        short.header.note = Some(note);
        Ok(short)
    }

    fn reduced(&mut self, reduction: &Reduction, answer: &Answer) -> anyhow::Result<(ReduceResult, Exit)> {
        let Tally { reached, .. } = answer.confirmed;
        let of = answer.confirmed.runs();
        let note = format!("reduced from {} events; reached {reached} of {of} times", self.trace.steps.len());
        let short = self.record(&answer.subset, note)?;
        let path = self.session.dir().join("reduced.trace.jsonl");
        tracefile::write(&path, &short)?;
        let rate = Rate::of(answer.confirmed);
        let output = self.context.output;
        output.say(format!(
            "\n{} {} to {}; fresh runs reached {} {reached} of {of} times (rate {:.2}, 95 % interval {:.2} to {:.2}):\n",
            good("reduced"),
            count(self.trace.steps.len() as u64, "event"),
            strong(answer.subset.len()),
            self.target,
            rate.estimate,
            rate.low,
            rate.high,
        ));
        for (number, event) in short.events().enumerate() {
            output.say(format!("  {:>3}. {event}", number + 1));
        }
        if let Some(crash) = short.steps.last().and_then(|step| step.crash.as_ref()) {
            output.say(format!("       {} {crash}", bad("crash:")));
        }
        if answer.retreats > 0 {
            output.say(format!("\n{} shorter answers were not confirmed and taken back", answer.retreats));
        }
        if let Some(p1) = reliability(answer.confirmed) {
            let p2 = self.minimality(answer.confirmed, &answer.subset);
            let p2 = p2.map_or_else(String::new, |p2| format!(", p2 {}", retap_mdp::truncated(p2)));
            output.say(faint(format!("\np1 {}{p2} (see docs/papers.md)", retap_mdp::truncated(p1))));
        }
        let counts = reduction.counts();
        output.say(faint(format!(
            "{} ({} inconclusive), {} performed, {} of device time",
            count(counts.runs, "run"),
            counts.inconclusive,
            count(self.spent.events, "event"),
            self.spent.time
        )));
        let others = self.save_others()?;
        output.say(format!("saved: {}", path.display()));
        let mut result = self.result("reduced", reduction, &answer.subset, answer.confirmed, others);
        result.trace = Some(path);
        Ok((result, Exit::Done))
    }

    fn refused(
        &mut self,
        reduction: &Reduction,
        tally: Tally,
        needed: (u32, u32),
    ) -> anyhow::Result<(ReduceResult, Exit)> {
        let (least, runs) = needed;
        self.context.output.say(format!(
            "{}: the whole trace reached {} {} of {} times; at least {least} of {runs} are needed. \
             Nothing was reduced.",
            bad("not reproducible"),
            self.target,
            tally.reached,
            tally.runs(),
        ));
        let others = self.save_others()?;
        let whole = Subset::all(u32::try_from(self.trace.steps.len())?);
        Ok((self.result("not_reproducible", reduction, &whole, tally, others), Exit::Found))
    }

    fn interrupted(&self, reduction: &Reduction) -> (ReduceResult, Exit) {
        self.context.output.say(format!(
            "\n{} after {} runs; best so far: {} of {} events, not yet confirmed",
            bad("interrupted"),
            reduction.counts().runs,
            reduction.best().len(),
            self.trace.steps.len(),
        ));
        self.say_steps(reduction.best());
        self.how_to_go_on();
        let result = self.result("interrupted", reduction, reduction.best(), Tally::default(), Vec::new());
        (result, Exit::Interrupted)
    }

    fn cut_short(&self, reduction: &Reduction, error: &LabError) -> (ReduceResult, Exit) {
        self.context.output.say(format!(
            "{} after {} runs: {error}; best so far: {} of {} events, not yet confirmed",
            bad("cut short"),
            reduction.counts().runs,
            reduction.best().len(),
            self.trace.steps.len(),
        ));
        self.how_to_go_on();
        let result = self.result("cut_short", reduction, reduction.best(), Tally::default(), Vec::new());
        (result, Exit::Usage)
    }

    /// The first of these events in words.
    fn say_steps(&self, kept: &Subset) {
        const SHOWN: u32 = 20;
        for (position, number) in kept.positions().zip(1..=SHOWN) {
            self.context.output.say(format!("  {number:>3}. {}", self.trace.steps[position as usize].event));
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
        let mut signatures = Vec::new();
        for (crash, subset) in &self.spent.others {
            let target = Target::Crash(crash.signature.clone());
            let mut trace = tracefile::subset(&self.trace, subset, &target, "seen while reducing".to_owned());
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
            events_before: u32::try_from(self.trace.steps.len()).unwrap_or(u32::MAX),
            events_after: kept.len(),
            kept: kept.positions().map(|position| position + 1).collect(),
            runs: counts.runs,
            runs_inconclusive: counts.inconclusive,
            runs_withdrawn: counts.withdrawn,
            // The confirmation counts as one more, as in the paper that counts trials.
            trials: counts.trials + u32::from(confirmed.runs() > 0),
            executed_events: self.spent.events,
            steps: counts.rounds,
            device_seconds: self.spent.time.as_secs_f64(),
            confirmed: Confirmed { reached: confirmed.reached, of: confirmed.runs() },
            rate: RateResult::of(confirmed),
            p1: reliability(confirmed),
            p2: self.minimality(confirmed, kept),
            search,
            rule,
            schedule,
            devices,
            seed,
            other_crashes,
            trace: None,
            session: self.session.dir().to_owned(),
        }
    }
}

impl Spent {
    fn note(&mut self, done: &Done, target: &Target) {
        self.events += u64::from(done.report.events);
        self.time += done.report.took;
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
}

impl RateResult {
    pub(super) fn of(tally: Tally) -> Self {
        let Rate { estimate, low, high } = Rate::of(tally);
        Self { estimate, low, high }
    }
}

/// ND3MIN's p1, once there are confirming runs.
fn reliability(confirmed: Tally) -> Option<f64> {
    let (reached, runs) = (confirmed.reached, confirmed.runs());
    (runs > 0).then(|| retap_mdp::reliability(&Prior::recovered(), reached, runs))
}

fn in_words(done: &Done) -> String {
    let ended = match done.report.outcome {
        Outcome::Reached => "reached".to_owned(),
        Outcome::Missed => match &done.report.crash {
            Some(crash) => format!("missed, another crash: {}", crash.signature),
            None => "missed".to_owned(),
        },
        Outcome::Inconclusive => format!("inconclusive, {}", done.report.why.as_deref().unwrap_or("stopped")),
    };
    let order = &done.order;
    format!("run {}: {}, {} events: {ended}", order.ticket.0, order.label, order.subset.len())
}
