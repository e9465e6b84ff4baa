//! `retap replay`: how often does a trace reach its target?

use std::sync::Arc;

use anyhow::{Context as _, ensure};
use retap_lab::{
    Deadlines, Done, Flow, Leaving, Oracle, Recorded, Report, SessionJournal, drive, recorded_runs,
};
use retap_reduce::{Measurement, Outcome, Rate, Subset};
use retap_trace::{Level, Micros, Seed, Trace};
use serde::Serialize;

use super::reduce::{Confirmed, RateResult};
use super::{Context, target};
use crate::args::ReplayArgs;
use crate::config;
use crate::devices;
use crate::exit::Exit;
use crate::output::{bad, count, good, strong};
use crate::progress::Progress;
use crate::{folder, tracefile};

#[derive(Serialize)]
struct Settings {
    trace: String,
    target: String,
    device: String,
    devices: u32,
    times: u32,
    seed: u64,
}

#[derive(Serialize)]
struct ReplayResult {
    command: &'static str,
    status: &'static str,
    target: String,
    events: usize,
    confirmed: Confirmed,
    rate: RateResult,
    missed: Vec<Missed>,
    runs: u32,
    runs_inconclusive: u32,
    device_seconds: f64,
    devices: u32,
    seed: u64,
}

/// Runs that missed the target alike.
#[derive(Serialize)]
struct Missed {
    /// The step after which they were elsewhere, or crashed; 0 is the start. The last one when they were never seen
    /// elsewhere.
    after_step: usize,
    /// That step, in words; none for the start.
    event: Option<String>,
    /// The state in which they ended, in words; none after a crash.
    state: Option<String>,
    /// The signature of the other crash that ended them.
    crash: Option<String>,
    runs: u32,
}

impl Missed {
    fn of(leaving: Leaving, trace: &Trace) -> Self {
        let Leaving { after, state, crash, runs } = leaving;
        let event = after.checked_sub(1).and_then(|last| trace.events().nth(last)).map(ToString::to_string);
        Self { after_step: after, event, state, crash: crash.map(|crash| crash.signature.to_string()), runs }
    }

    fn in_words(&self, events: usize) -> String {
        let runs = count(self.runs, "run");
        let at = match &self.event {
            None => "at the start".to_owned(),
            Some(event) => format!("after step {}, {event}", self.after_step),
        };
        let ended = self.state.as_ref().map_or_else(String::new, |state| format!(": ended in {state}"));
        match &self.crash {
            Some(crash) => format!("{runs} left {at}: ended in another crash, {crash}"),
            None if self.after_step == events => {
                format!("{runs} performed all {events} steps without the target{ended}")
            }
            None => format!("{runs} left {at}{ended}"),
        }
    }
}

/// Runs a trace several times. A rate is for people to judge; the exit code says whether the target was ever
/// reached.
pub(super) fn run(args: &ReplayArgs, context: &Context) -> anyhow::Result<Exit> {
    let file = args.trace.as_deref().context("no trace is given")?;
    let trace = Arc::new(tracefile::read(file)?);
    let target = target::of(&trace, args.run.to.as_deref(), file)?;
    let named = [args.run.device.as_deref(), context.config.device.as_deref()];
    let settings = Settings {
        trace: tracefile::fingerprint(&trace)?,
        target: target.to_string(),
        device: devices::choose_for(named, &trace.header, file)?,
        devices: config::devices(args.run.devices, &context.config)?,
        times: args.times.or(context.config.replay.times).unwrap_or(20),
        seed: context.seed(),
    };
    ensure!((1..=100_000).contains(&settings.times), "--times takes 1 to 100000, not {}", settings.times);

    let events = u32::try_from(trace.steps.len())?;
    let mut measurement = Measurement::new(Subset::all(events), settings.times);
    let oracle = Oracle {
        trace: trace.clone(),
        target: target.clone(),
        level: Level::Activity,
        seed: Seed(settings.seed),
        deadlines: Deadlines::default(),
    };
    devices::check_app(&trace.header, file, &settings.device)?;
    let fleet = context.fleet(&settings.device, settings.devices)?;
    fleet.accept(&trace.header, &file.display(), context.output)?;
    let lab = fleet.witnesses(&oracle, &context.interrupt);
    let progress = Progress::new(context.output, "replay", u64::from(settings.times));
    let mut runs: Vec<Report> = Vec::new();
    let mut watch = |measurement: &mut Measurement, done: &Done| {
        runs.push(done.report.clone());
        let tally = measurement.tally();
        progress.set(u64::from(tally.runs()), format!("runs, {} reached", tally.reached));
        if let (Outcome::Inconclusive, Some(why)) = (done.report.ended.outcome, &done.report.why) {
            context.output.detail(format!("run {}: inconclusive, {why}", done.order.ticket.0));
        }
        if context.interrupt.asked() { Flow::Stop } else { Flow::Continue }
    };
    let finished = match context.out() {
        // A folder only when one is asked for: people who replay again want fresh runs.
        None => drive(&mut measurement, &mut { lab }, &mut Vec::new(), &mut watch)?,
        Some(out) => {
            let mut session = folder::open(Some(out), "replay", &settings)?;
            let recorded = recorded_runs(&session)?;
            let mut journal = SessionJournal::new(&mut session, recorded.len());
            drive(&mut measurement, &mut Recorded::new(lab, recorded), &mut journal, &mut watch)?
        }
    };
    drop(progress);
    report(&measurement, &settings, &trace, &runs, finished, context)
}

fn report(
    measurement: &Measurement,
    settings: &Settings,
    trace: &Trace,
    runs: &[Report],
    finished: bool,
    context: &Context,
) -> anyhow::Result<Exit> {
    let (tally, events) = (measurement.tally(), trace.steps.len());
    let device_time = runs.iter().fold(Micros::ZERO, |sum, run| sum + run.took);
    let missed: Vec<Missed> =
        Leaving::of(trace, runs).into_iter().map(|leaving| Missed::of(leaving, trace)).collect();
    let rate = Rate::of(tally);
    let shown = format!("{} of {}", tally.reached, tally.runs());
    let shown = if tally.missed == 0 { good(shown) } else { bad(shown) };
    context.output.say(format!(
        "{events} events reached {} {} times: rate {:.2}, 95 % interval {:.2} to {:.2} ({device_time} of device time)",
        strong(&settings.target),
        shown,
        rate.estimate,
        rate.low,
        rate.high,
    ));
    for missed in &missed {
        context.output.say(format!("  {}", missed.in_words(events)));
    }
    if measurement.inconclusive() > 0 {
        context
            .output
            .say(format!("{} runs were inconclusive: the device failed", measurement.inconclusive()));
    }
    let status = match (finished, tally.reached) {
        (false, _) => "interrupted",
        (true, 0) => "not_reproducible",
        (true, _) => "done",
    };
    context.output.result(&ReplayResult {
        command: "replay",
        status,
        target: settings.target.clone(),
        events,
        confirmed: Confirmed { reached: tally.reached, of: tally.runs() },
        rate: RateResult::of(tally),
        missed,
        runs: tally.runs(),
        runs_inconclusive: measurement.inconclusive(),
        device_seconds: device_time.as_secs_f64(),
        devices: settings.devices,
        seed: settings.seed,
    })?;
    Ok(match (finished, tally.reached) {
        (false, _) => Exit::Interrupted,
        (true, 0) => Exit::Found,
        (true, _) => Exit::Done,
    })
}
