//! DetReduce's experiment on generated apps: what explorers leave behind in eight hours, made into a suite by the
//! published algorithm and by ours.
//!
//! Synthetic: 18 generated apps with the names and proportions of the paper's table 1 (branches) and table 2 (screens
//! that SwiftHand saw). Inputs are eight virtual hours of `swifthand` and of `random`, cut off after 10,000 events.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use retap_device::Device;
use retap_explore::{Explorer, Random, RandomSettings, SwiftHand, SwiftHandSettings};
use retap_lab::{
    Deadlines, Done, Exploration, ExplorationSettings, Flow, FollowReport, Follower, Guide, VirtualLab, drive,
};
use retap_sim::machine::Program;
use retap_sim::{SimDevice, SimSpec};
use retap_suite::{
    Item, Leg, Mode, Purpose, Reading, ReplayOrder, Shrink, SuiteInput, SuitePhase, SuiteReport,
    SuiteSettings,
};
use retap_trace::{AppId, Header, Level, Micros, Seed, StateKey, Trace};
use serde::Serialize;

use crate::table;

/// Name, branches (table 1), screens that SwiftHand saw (table 2).
const APPS: [(&str, u32, u32); 18] = [
    ("acar", 20380, 171),
    ("amemo", 6394, 114),
    ("amoney", 28141, 159),
    ("astrid", 16844, 170),
    ("cnote", 14524, 102),
    ("dmoney", 5099, 47),
    ("emobile", 3201, 214),
    ("explore", 54302, 105),
    ("mileage", 7728, 81),
    ("mnote", 1959, 76),
    ("moneyfy", 22615, 62),
    ("sanity", 4610, 186),
    ("tippy", 5243, 15),
    ("todo", 11858, 58),
    ("ttable", 11858, 125),
    ("vlc", 14410, 60),
    ("whohas", 369, 15),
    ("xmp", 5855, 50),
];

#[derive(Debug, Args)]
pub(crate) struct BenchSuiteArgs {
    /// Only the first so many apps
    #[arg(long, value_name = "N", default_value_t = 18)]
    only: usize,
    /// Events of each input, at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    events: u64,
    /// Let this share of the transitions vary from run to run, and replay every suite 20 times afresh
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    flaky: f64,
    /// Only one app, with our algorithm, and its cost in our own time and memory
    #[arg(long)]
    large: bool,
    /// Where chance starts
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// One input made into a suite by one algorithm.
#[derive(Debug, Clone, Serialize)]
struct Made {
    transitions: usize,
    traces: usize,
    suite_seconds: f64,
    replays: u32,
    /// Device time of all replays.
    spent_hours: f64,
    /// The part of it that went into finding out how far each trace of the input replays. Ours has no such stage.
    prepare_hours: f64,
    lost: usize,
    /// Items that this one lost and the other kept.
    lost_alone: usize,
    own_seconds: f64,
    /// The fewest of 20 fresh replays that followed a trace, with `--flaky`.
    worst: Option<u32>,
}

#[derive(Debug, Clone, Serialize)]
struct Row {
    app: &'static str,
    input: &'static str,
    traces: usize,
    transitions: usize,
    input_seconds: f64,
    classic: Made,
    ours: Made,
}

impl Made {
    /// Device time without the preparation of the input.
    fn phases_hours(&self) -> f64 {
        self.spent_hours - self.prepare_hours
    }
}

impl Row {
    /// What ours took, all told, by what classic's phases took without the preparation.
    fn spent_to_phases(&self) -> f64 {
        self.ours.spent_hours / self.classic.phases_hours().max(0.001)
    }
}

#[derive(Debug, Serialize)]
struct Summary {
    bench: &'static str,
    synthetic: bool,
    inputs: usize,
    median_fewer_transitions: f64,
    median_fewer_transitions_classic: f64,
    median_suite_time_to_classic: f64,
    worst_suite_time_to_classic: f64,
    /// Device time of making all suites, by that of classic ..
    spent_to_classic: f64,
    /// .. and by that of its phases 1 and 2 alone, without what makes the input replayable.
    spent_to_classic_phases: f64,
    /// The least and the most of that among the inputs.
    least_spent_to_classic_phases: f64,
    most_spent_to_classic_phases: f64,
    lost_that_classic_kept: usize,
    rows: Vec<Row>,
}

struct App {
    spec: SimSpec,
    program: Arc<Program>,
    header: Header,
}

pub(crate) fn run(args: &BenchSuiteArgs) -> anyhow::Result<()> {
    if args.large {
        return large(args);
    }
    let rows = rows(args)?;
    anyhow::ensure!(!rows.is_empty(), "no apps");
    print(&rows, args.flaky > 0.0);
    report(&Summary::of(&rows))
}

fn rows(args: &BenchSuiteArgs) -> anyhow::Result<Vec<Row>> {
    let jobs: Vec<(usize, &'static str)> =
        (0..args.only.min(APPS.len())).flat_map(|app| [(app, "swifthand"), (app, "random")]).collect();
    // Two threads take every other job; the result does not depend on who is faster.
    let half = |first: usize| -> anyhow::Result<Vec<(usize, Row)>> {
        let mine = jobs.iter().enumerate().filter(|(number, _)| number % 2 == first);
        mine.map(|(number, (app, input))| Ok((number, row(*app, input, args)?))).collect()
    };
    let halves = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        [half(0), other.join().expect("a thread of ours")]
    });
    let mut rows = Vec::new();
    for half in halves {
        rows.extend(half?);
    }
    rows.sort_by_key(|(number, _)| *number);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

impl App {
    fn generate(number: usize, args: &BenchSuiteArgs) -> anyhow::Result<Self> {
        let (_, branches, screens) = APPS[number];
        let seed = args.seed * 1000 + number as u64;
        let spec: SimSpec =
            format!("sim:gen?seed={seed}&screens={screens}&branches={branches}&bugs=4&nondet={}", args.flaky)
                .parse()?;
        let app =
            retap_generate::load(&spec, &|path| Err(format!("{path} is not needed for a generated app")))?;
        let mut header = Header::new(app.package.clone());
        header.app = AppId { package: app.package.clone(), build: Some(app.build.to_string()) };
        let program = Arc::new(spec.program(Arc::new(app))?);
        Ok(Self { spec, program, header })
    }

    fn devices(&self, count: u32) -> Vec<Box<dyn Device>> {
        let device = |_| Box::new(SimDevice::running(&self.spec, self.program.clone())) as Box<dyn Device>;
        (0..count).map(device).collect()
    }

    /// What an explorer leaves behind in eight hours.
    fn explore(&self, input: &str, events: u64, seed: Seed) -> Vec<Trace> {
        let settings = ExplorationSettings {
            events,
            time: Micros::from_secs(8 * 3600),
            ..ExplorationSettings::default()
        };
        let dice = seed.branch("explorer", 0).dice();
        let explorer: Box<dyn Explorer> = match input {
            "random" => Box::new(Random::new(RandomSettings::default(), dice)),
            _ => Box::new(SwiftHand::new(SwiftHandSettings::default(), dice)),
        };
        let mut exploration = Exploration::new(settings, explorer, &*self.header.app.package, 1);
        exploration.virtually(self.devices(1), seed, &mut |_| true);
        let legs = exploration.segments().iter().filter(|segment| !segment.steps.is_empty());
        legs.map(|segment| Trace { header: self.header.clone(), steps: segment.steps.clone() }).collect()
    }
}

fn row(number: usize, input: &'static str, args: &BenchSuiteArgs) -> anyhow::Result<Row> {
    let app = App::generate(number, args)?;
    let seed = Seed(args.seed).branch(input, number as u64);
    let traces: Arc<[Trace]> = app.explore(input, args.events, seed).into();
    let material = Arc::new(SuiteInput::read(&traces, Reading::default())?);
    let (classic, classic_report) = make(&app, &traces, &material, Mode::Classic, args)?;
    let (mut ours, report) = make(&app, &traces, &material, Mode::Planned, args)?;
    let lost =
        |report: &SuiteReport| report.lost.iter().map(|lost| lost.item.clone()).collect::<BTreeSet<Item>>();
    ours.lost_alone = lost(&report).difference(&lost(&classic_report)).count();
    Ok(Row {
        app: APPS[number].0,
        input,
        traces: report.before.traces,
        transitions: report.before.transitions,
        input_seconds: report.before.time.as_secs_f64(),
        classic,
        ours,
    })
}

fn make(
    app: &App,
    traces: &Arc<[Trace]>,
    material: &Arc<SuiteInput>,
    mode: Mode,
    args: &BenchSuiteArgs,
) -> anyhow::Result<(Made, SuiteReport)> {
    let began = Instant::now();
    let mut shrink = Shrink::new(material.clone(), SuiteSettings { mode, ..SuiteSettings::default() });
    let guide = Guide {
        traces: traces.clone(),
        level: Level::Actionable,
        seed: Seed(args.seed).branch("suite", 0),
        deadlines: Deadlines::default(),
        snapshots: false,
    };
    let mut lab = VirtualLab::new(Follower::fleet(&guide, app.devices(1)));
    let mut prepared = Micros(0);
    let mut phase = shrink.progress().phase;
    let mut watch = |shrink: &mut Shrink, _: &Done<ReplayOrder, FollowReport>| {
        // A run belongs to the phase that was under way when it ended.
        if phase == SuitePhase::Replayable {
            prepared = shrink.spent().time;
        }
        phase = shrink.progress().phase;
        Flow::Continue
    };
    let over = drive(&mut shrink, &mut lab, &mut (), &mut watch)?;
    anyhow::ensure!(over, "it ended before there was a suite");
    let report = shrink.report();
    let made = Made {
        transitions: report.after.transitions,
        traces: report.after.traces,
        suite_seconds: report.after.time.as_secs_f64(),
        replays: report.spent.search + report.spent.confirm,
        spent_hours: report.spent.time.as_secs_f64() / 3600.0,
        prepare_hours: prepared.as_secs_f64() / 3600.0,
        lost: report.lost.len(),
        lost_alone: 0,
        own_seconds: began.elapsed().as_secs_f64(),
        worst: (args.flaky > 0.0).then(|| check(&report, &guide, app)),
    };
    Ok((made, report))
}

/// The fewest of 20 fresh replays that followed a trace of the suite.
fn check(report: &SuiteReport, guide: &Guide, app: &App) -> u32 {
    let guide = Guide { seed: guide.seed.branch("check", 0), ..guide.clone() };
    let mut device = app.devices(1).remove(0);
    let expect = |step: &retap_suite::StepRef| {
        let step = &guide.traces[step.trace.0 as usize].steps[step.position as usize];
        match &step.crash {
            Some(crash) => retap_model::crash_key(&crash.signature),
            None => step.after.as_ref().and_then(|seen| seen.key(guide.level)).unwrap_or(StateKey(0)),
        }
    };
    let legs = |kept: &retap_suite::Kept| -> Arc<[Leg]> {
        kept.steps.iter().map(|step| Leg { step: *step, expect: expect(step) }).collect()
    };
    let followed = |(number, kept): (u64, &retap_suite::Kept)| {
        let legs = legs(kept);
        let follows = |again: &u64| {
            let ticket = retap_reduce::Ticket(number * 20 + again);
            let order = ReplayOrder {
                ticket,
                start: None,
                legs: legs.clone(),
                purpose: Purpose::Confirm,
                label: String::new(),
            };
            let seen = guide.follow(&mut *device, &order, &|| false).followed.sightings;
            seen.len() == legs.len() && legs.last().zip(seen.last()).is_none_or(|(leg, seen)| leg.met(seen))
        };
        u32::try_from((0..20).filter(follows).count()).expect("at most 20")
    };
    (0..).zip(&report.kept).map(followed).min().unwrap_or(20)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

#[expect(clippy::cast_precision_loss, reason = "ratios of counts")]
fn print(rows: &[Row], flaky: bool) {
    let cells = |row: &Row| {
        let fewer = |made: &Made| row.transitions as f64 / made.transitions.max(1) as f64;
        let mut cells = vec![
            row.app.to_owned(),
            row.input.to_owned(),
            row.traces.to_string(),
            table::thousands(row.transitions as u64),
        ];
        for made in [&row.classic, &row.ours] {
            cells.extend([
                made.transitions.to_string(),
                made.traces.to_string(),
                format!("{:.1}", fewer(made)),
                format!("{:.0}", made.suite_seconds),
                made.replays.to_string(),
                format!("{:.2}", made.prepare_hours),
                format!("{:.2}", made.phases_hours()),
                made.lost.to_string(),
            ]);
        }
        cells.push(format!("{:.2}", row.ours.suite_seconds / row.classic.suite_seconds.max(0.001)));
        cells.push(format!("{:.2}", row.spent_to_phases()));
        cells.push(row.ours.lost_alone.to_string());
        if flaky {
            cells.push(row.ours.worst.map_or_else(String::new, |worst| format!("{worst}/20")));
        }
        cells
    };
    table::say("synthetic: generated apps with the proportions of DetReduce's tables 1 and 2\n");
    let half = ["transitions", "traces", "x fewer", "suite s", "replays", "prepare h", "phases h", "lost"];
    let classic = half.map(|name| format!("classic {name}"));
    let mut head: Vec<&str> = vec!["app", "input", "traces", "transitions"];
    head.extend(classic.iter().map(String::as_str));
    head.extend(half.map(|name| match name {
        "transitions" => "ours transitions",
        "suite s" => "ours suite s",
        "phases h" => "ours h",
        other => other,
    }));
    head.extend(["suite / classic", "h / phases h", "lost alone"]);
    if flaky {
        head.push("worst trace");
    }
    table::print(&head, &rows.iter().map(cells).collect::<Vec<_>>());
}

impl Summary {
    #[expect(clippy::cast_precision_loss, reason = "ratios of counts")]
    fn of(rows: &[Row]) -> Self {
        let ratio = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
        let costs = ratio(&|row| row.ours.suite_seconds / row.classic.suite_seconds.max(0.001));
        let spent = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
        let ours = spent(&|row| row.ours.spent_hours);
        let to_phases = ratio(&Row::spent_to_phases);
        Self {
            bench: "suite",
            synthetic: true,
            inputs: rows.len(),
            median_fewer_transitions: median(ratio(&|row| {
                row.transitions as f64 / row.ours.transitions.max(1) as f64
            })),
            median_fewer_transitions_classic: median(ratio(&|row| {
                row.transitions as f64 / row.classic.transitions.max(1) as f64
            })),
            median_suite_time_to_classic: median(costs.clone()),
            worst_suite_time_to_classic: costs.iter().copied().fold(0.0, f64::max),
            spent_to_classic: ours / spent(&|row| row.classic.spent_hours),
            spent_to_classic_phases: ours / spent(&|row| row.classic.phases_hours()),
            least_spent_to_classic_phases: to_phases.iter().copied().fold(f64::INFINITY, f64::min),
            most_spent_to_classic_phases: to_phases.iter().copied().fold(0.0, f64::max),
            lost_that_classic_kept: rows.iter().map(|row| row.ours.lost_alone).sum(),
            rows: rows.to_vec(),
        }
    }
}

fn report(summary: &Summary) -> anyhow::Result<()> {
    table::say(&format!(
        "\nours: {:.1}x fewer transitions on the median (classic {:.1}x); a suite takes {:.2} of classic's device time \
         on the median and {:.2} at worst; making it takes {:.2} of the device time of classic's phases 1 and 2 ({:.2} \
         to {:.2}), and {:.2} with the preparation of the input, which ours does without; items lost that classic kept: \
         {}",
        summary.median_fewer_transitions,
        summary.median_fewer_transitions_classic,
        summary.median_suite_time_to_classic,
        summary.worst_suite_time_to_classic,
        summary.spent_to_classic_phases,
        summary.least_spent_to_classic_phases,
        summary.most_spent_to_classic_phases,
        summary.spent_to_classic,
        summary.lost_that_classic_kept,
    ));
    table::json(summary)
}

/// One long input: what it costs us, apart from the devices' time.
fn large(args: &BenchSuiteArgs) -> anyhow::Result<()> {
    let app = App::generate(0, args)?;
    let settings = BenchSuiteArgs { events: 100_000, ..*args };
    let mut traces = Vec::new();
    let (mut part, mut steps) = (0, 0);
    while steps < settings.events {
        let more = app.explore("random", settings.events - steps, Seed(args.seed).branch("large", part));
        steps += more.iter().map(|trace| trace.steps.len() as u64).sum::<u64>();
        traces.extend(more);
        part += 1;
    }
    let traces: Arc<[Trace]> = traces.into();
    let began = Instant::now();
    let material = Arc::new(SuiteInput::read(&traces, Reading::default())?);
    let (made, report) = make(&app, &traces, &material, Mode::Planned, &settings)?;
    let seconds = began.elapsed().as_secs_f64();
    let peak = peak_kb().context("the kernel does not say how much memory was used")?;
    table::print(
        &["transitions", "kept", "lost", "replays", "seconds in all", "peak MB"],
        &[vec![
            table::thousands(report.before.transitions as u64),
            made.transitions.to_string(),
            made.lost.to_string(),
            made.replays.to_string(),
            format!("{seconds:.1}"),
            (peak / 1024).to_string(),
        ]],
    );
    table::json(&serde_json::json!({
        "bench": "suite --large",
        "transitions": report.before.transitions,
        "kept": made.transitions,
        "seconds": seconds,
        "peak_mb": peak / 1024,
    }))
}

/// The most memory that this process has used so far, in KB.
fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").trim().parse().ok()
}
