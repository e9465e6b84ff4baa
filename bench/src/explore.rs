//! Strategies of exploring, compared on generated apps. **Synthetic**: no figure here is of a real app.
//!
//! The shape is that of TimeMachine's experiment [TimeMachine §5]: several apps, several seeds, six hours of device
//! time, a pause of 200 ms before each event, an emulator that takes ten seconds to save itself and nine to go back (what else takes
//! time there is our guess, see `Profile::EMULATOR_2020`).
//! Apps come in pairs that differ in their dead ends and loops only (see [`subject`]). `ms`, `mr` and time travel draw
//! events from one source with one mix, which aims at widgets; `monkey` is Android's, blind and with its own mix. The
//! rows named `published` are `mr` and time travel with the events of `monkey` and system events, and the published
//! patience, as in the paper.
//!
//! What differs from the paper: each event is followed by a look at the screen, with every strategy, and the app's
//! data is cleared when a strategy starts over.
//!
//! Every crash is then replayed from a clean start, outside of the six hours, and held against what the generator
//! knows: one that nobody planted, or one that fewer events reach than the generator proves to be needed, ends the
//! benchmark with an error.

mod comparison;
mod estimate;
mod experiment;
mod plot;
mod proof;
mod strategy;
mod subject;
#[cfg(test)]
mod tests;
mod trial;

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use comparison::{Group, Line, Pair};
pub(crate) use estimate::{Estimate, mean};
use experiment::Experiment;
use proof::{Proofs, REPLAYS};
use retap_generate::Share;
use retap_sim::Profile;
use retap_trace::{Micros, Seed};
use serde_json::json;
use strategy::Strategy;
use subject::{Shape, Subject};

use crate::jobs::on_all_cores;
use crate::table;

#[derive(Debug, Args)]
pub(crate) struct BenchExploreArgs {
    /// The first so many apps; every other one has dead ends and loops
    #[arg(long, default_value_t = 34)]
    only: u32,
    /// How often each app is explored with each strategy
    #[arg(long, default_value_t = 5)]
    seeds: usize,
    /// Device time of each exploration, in minutes
    #[arg(long, default_value_t = 360)]
    minutes: u64,
    /// How many screens in a hundred are dead ends, and how many lead round, in apps that have any
    #[arg(long, default_value_t = 25)]
    traps: u32,
    /// How many screens in a hundred have a link to any other screen, in all apps
    #[arg(long, default_value_t = 20)]
    links: u32,
    /// How many actions in the right order the deepest bug of each app takes
    #[arg(long, default_value_t = 5)]
    depth: u32,
    /// System keys in a hundred events of ms, mr and timetravel, instead of 7; each seventh of them is the back key.
    /// Those named published have the published share, 2
    #[arg(long)]
    syskeys: Option<u32>,
    /// What things cost on the device; of emulator2020 the paper tells saving (10 s), going back (9 s) and the pause
    /// between events (0.2 s), the rest is ours
    #[arg(long, default_value = "emulator2020")]
    profile: Profile,
    /// Where chance starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A line for each app, too
    #[arg(long)]
    apps: bool,
    /// Time travel with other settings, too, and mr with some of them
    #[arg(long)]
    variants: bool,
    /// Writes coverage over time to this file, as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(args: &BenchExploreArgs) -> anyhow::Result<()> {
    ensure!(args.only > 0 && args.seeds > 0 && args.minutes > 0, "nothing was explored; ask for more than 0");
    let experiment = carry_out(args)?;
    let lines: Vec<Line> = Group::ALL
        .into_iter()
        .flat_map(|group| (0..experiment.strategies.len()).map(move |strategy| (group, strategy)))
        .filter(|(group, _)| !group.apps(&experiment).is_empty())
        .map(|(group, strategy)| Line::of(&experiment, group, strategy))
        .collect();
    let pairs = Group::ALL.into_iter().filter(|group| !group.apps(&experiment).is_empty());
    let pairs: Vec<Pair> = pairs.flat_map(|group| Pair::all(&experiment, group)).collect();
    if let Some(file) = &args.svg {
        let hours = Micros::from_secs(args.minutes * 60).as_secs_f64() / 3600.0;
        std::fs::write(file, plot::plot(&lines, hours))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }

    table::say("synthetic: generated apps on simulated phones; compare these figures with each other only");
    if args.apps {
        print_apps(&experiment);
    }
    print_lines(&lines);
    print_pairs(&pairs);
    print_depths(&lines);
    print_proofs(&lines);
    let unknown = unknown(&experiment);
    table::json(&json!({
        "bench": "explore",
        "synthetic": true,
        "apps": experiment.subjects.len(),
        "planted": experiment.subjects.iter().map(|subject| subject.known.len()).sum::<usize>(),
        "seeds": args.seeds,
        "minutes": args.minutes,
        "traps_percent": args.traps,
        "links_percent": args.links,
        "depth": args.depth,
        "syskeys_percent": args.syskeys,
        "profile": args.profile.name,
        "seed": args.seed,
        "unknown_crashes": unknown.len(),
        "timetravel_by_mr": pairs,
        "lines": lines,
    }))?;
    ensure!(unknown.is_empty(), "crashes that nobody planted: {}", unknown.join("; "));
    Ok(())
}

/// Explores as the arguments say.
fn carry_out(args: &BenchExploreArgs) -> anyhow::Result<Experiment> {
    let apps = args.only as usize;
    let shape = Shape {
        traps: Share::percent(args.traps),
        links: Share::percent(args.links),
        depth: args.depth,
        profile: args.profile,
    };
    let subjects = on_all_cores(apps, |app| {
        let number = u32::try_from(app).expect("so many were asked for");
        Subject::generate(number, args.seed, shape)
    });
    let subjects = subjects.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let mut strategies = Strategy::USUAL.to_vec();
    if args.variants {
        strategies.extend(Strategy::VARIANTS);
    }
    let time = Micros::from_secs(args.minutes * 60);
    let mix = strategy::mix(args.syskeys)?;
    Experiment::carry_out(subjects, strategies, args.seeds, &mix, time, Seed(args.seed))
}

/// Crashes that the generator does not know, with who found them.
fn unknown(experiment: &Experiment) -> Vec<String> {
    let mut unknown = Vec::new();
    for (app, subject) in experiment.subjects.iter().enumerate() {
        for (strategy, name) in experiment.strategies.iter().enumerate() {
            let found = experiment.trials(app, strategy).iter().flat_map(|trial| &trial.unknown);
            unknown.extend(found.map(|signature| format!("{} by {name} on {}", signature.0, subject.name())));
        }
    }
    unknown
}

/// A line for each app: coverage in percent and crashes of each strategy, on average over the seeds.
fn print_apps(experiment: &Experiment) {
    let strategies = 0..experiment.strategies.len();
    let names = experiment.strategies.iter().flat_map(|name| [format!("{name}: %"), "crashes".to_owned()]);
    let head = ["app", "screens", "code", "bugs"].map(str::to_owned).into_iter().chain(names);
    let head: Vec<String> = head.collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let row = |(app, subject): (usize, &Subject)| {
        let cells = strategies.clone().flat_map(|strategy| {
            let coverage = mean(&experiment.coverage(app, strategy)) * 100.0;
            [format!("{coverage:.1}"), format!("{:.1}", mean(&experiment.crashes(app, strategy)))]
        });
        let (screens, code) = (subject.recipe.screens.to_string(), subject.pieces().to_string());
        [subject.name(), screens, code, subject.known.len().to_string()].into_iter().chain(cells).collect()
    };
    table::print(&head, &experiment.subjects.iter().enumerate().map(row).collect::<Vec<Vec<_>>>());
    table::say("");
}

fn print_lines(lines: &[Line]) {
    let none = || "-".to_owned();
    let row = |line: &Line| {
        let against = line.timetravel.as_ref();
        vec![
            line.group.name().to_owned(),
            line.strategy.to_owned(),
            line.coverage.percent().show(1),
            against.map_or_else(none, |against| against.coverage.show(2)),
            against.map_or_else(none, |against| format!("{:.2}", against.coverage_a12)),
            line.crashes.show(1),
            against.map_or_else(none, |against| against.crashes.show(2)),
            against.map_or_else(none, |against| format!("{:.2}", against.crashes_a12)),
            format!("{:.0}", line.events),
            format!("{:.0}", line.saves),
            format!("{:.0}", line.restores),
        ]
    };
    let head = [
        "apps",
        "strategy",
        "coverage %",
        "timetravel by it",
        "A12",
        "crashes",
        "timetravel by it",
        "A12",
        "events",
        "saves",
        "restores",
    ];
    table::print(&head, &lines.iter().map(row).collect::<Vec<_>>());
    table::say("crashes: unique ones of one exploration, summed over the apps, on average over the seeds");
    table::say(
        "in brackets: 95 % intervals by a bootstrap over apps, paired where two strategies are compared",
    );
    table::say("A12: how probable it is that time travel has more, by app, on average over the apps");
    table::say("");
}

/// What going back is worth, with each way to choose events.
fn print_pairs(pairs: &[Pair]) {
    let row = |pair: &Pair| {
        let against = &pair.against;
        vec![
            pair.group.name().to_owned(),
            pair.both.to_owned(),
            against.coverage.show(2),
            format!("{:.2}", against.coverage_a12),
            against.crashes.show(2),
            format!("{:.2}", against.crashes_a12),
        ]
    };
    let head = ["timetravel by mr", "both", "coverage", "A12", "crashes", "A12"];
    table::print(&head, &pairs.iter().map(row).collect::<Vec<_>>());
    table::say("");
}

/// How many of the planted bugs were found, by how deep they are.
fn print_depths(lines: &[Line]) {
    let all: Vec<&Line> = lines.iter().filter(|line| line.group == Group::All).collect();
    let Some(first) = all.first() else { return };
    let head = first.depths.iter().map(|(depth, found)| format!("{depth} ({})", found.planted));
    let head: Vec<String> = ["found %, by depth (planted)".to_owned()].into_iter().chain(head).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let row = |line: &&Line| {
        let cells = line.depths.values().map(|found| format!("{:.1}", found.share * 100.0));
        [line.strategy.to_owned()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    table::print(&head, &all.iter().map(row).collect::<Vec<_>>());
    table::say(
        "depth: actions in the right order that a bug takes; planted in all apps, found on average over seeds",
    );
    table::say("");
}

/// What replays of all crashes showed.
fn print_proofs(lines: &[Line]) {
    let cells = |proofs: &Proofs| {
        let counts = [proofs.found, proofs.always, proofs.sometimes, proofs.never, proofs.died];
        let rate = format!("{:.3}", proofs.rate);
        counts.map(|count| count.to_string()).into_iter().chain([rate]).collect::<Vec<_>>()
    };
    let row = |line: &Line| {
        let name = [line.strategy.to_owned()];
        name.into_iter().chain(cells(&line.certain)).chain(cells(&line.flaky)).collect::<Vec<_>>()
    };
    let always = format!("{REPLAYS} of {REPLAYS}");
    let head = [
        "replays from a clean start",
        "certain bugs",
        &*always,
        "some",
        "NOT reproduced",
        "died",
        "rate",
        "flaky bugs",
        &*always,
        "some",
        "NOT reproduced",
        "died",
        "rate",
    ];
    let rows = lines.iter().filter(|line| line.group == Group::All).map(row);
    table::print(&head, &rows.collect::<Vec<_>>());
    table::say("crashes over all apps and seeds, each replayed by the shortest way that was found");
    table::say(
        "died: replays that a flaky bug ended on the way, which it had not done when the crash was found",
    );
}
