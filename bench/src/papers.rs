//! The papers' experiments on their own apps, unmodified, in a JVM.
//!
//! Every figure is a cell that is measured once and kept, in `bench/results/papers`; the same command goes on after a
//! stop. The APKs are not part of the project: where they are not at hand there is nothing to measure.

mod builds;
mod cells;
mod explore;
mod flaky;
mod folder;
mod recorded;
mod reduce;
mod replay;
mod same;
mod suite;
mod told;
mod work;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use builds::{BUILD, Builds};
use cells::Cells;
use clap::{Args, ValueEnum};
use folder::Folder;
use recorded::Published;
use serde_json::{Map, Value};
use work::{Work, minutes};

use crate::apks::{Bed, PaperApp, apps};
use crate::table;

#[derive(Debug, Args)]
pub(crate) struct PapersArgs {
    /// The folder with `apks`, `simplydroid` and `papers` [default: ../shared/data, from the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Only these parts
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    /// Only these apps
    #[arg(long, value_name = "APP", value_delimiter = ',')]
    apps: Vec<String>,
    /// Events of an exploration [default: 2000, or 500 where two processes are compared]
    #[arg(long, value_name = "N")]
    events: Option<u64>,
    /// How often an app is explored [default: 5 times those of SimplyDroid, twice the others]
    #[arg(long, value_name = "K")]
    seeds: Option<u64>,
    /// Cells that are measured at once, each with a process of its own
    #[arg(long, value_name = "J", default_value_t = 2)]
    jobs: usize,
    /// Where cells are kept [default: bench/results/papers, in the project]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Measure again what is kept
    #[arg(long)]
    again: bool,
    /// Measure nothing, and say what the kept cells say
    #[arg(long)]
    kept: bool,
    /// Measure one cell of each part, and say how long the whole takes
    #[arg(long)]
    estimate: bool,
}

/// The parts of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Part {
    /// The 92 traces of SimplyDroid, replayed
    Replay,
    /// Two processes with the same seed, compared
    Same,
    /// SimplyDroid: the traces that reproduce, reduced
    A,
    /// DetReduce and SwiftHand: explorations made into suites
    B,
    /// TimeMachine and its rivals: code covered and crashes found
    C,
    /// ND3MIN: flaky crashes, reduced
    D,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Same => "same",
            Self::A => "a",
            Self::B => "b",
            Self::C => "c",
            Self::D => "d",
        }
    }
}

/// Everything that the parts share.
struct Shared {
    bed: Bed,
    apps: Vec<PaperApp>,
    traces: Vec<Published>,
    cells: Vec<Cells>,
    folder: Folder,
    /// Whether only some apps are asked for.
    named: bool,
    papers: PathBuf,
    events: Option<u64>,
    seeds: Option<u64>,
}

/// Events of an exploration.
const EVENTS: u64 = 2000;

pub(crate) fn run(args: &PapersArgs) -> anyhow::Result<()> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let data = args.data.clone().unwrap_or_else(|| project.join("../shared/data"));
    if !data.join("apks").is_dir() {
        table::say(&format!("skipped: there are no APKs in {}", data.join("apks").display()));
        return Ok(());
    }
    ensure!(args.jobs > 0, "nothing was measured; ask for more than 0");
    let results = args.results.clone().unwrap_or_else(|| project.join("bench/results/papers"));
    let parts = if args.only.is_empty() { Part::value_variants() } else { &args.only };
    let opened = Part::value_variants().iter().map(|part| Cells::open(&results, part.name(), BUILD));
    let shared = Shared {
        bed: Bed::new(&data.join("apks")),
        apps: apps(&args.apps)?,
        traces: Published::all(&data.join("simplydroid"))?,
        cells: opened.collect::<anyhow::Result<_>>()?,
        folder: Folder::new()?,
        named: !args.apps.is_empty(),
        papers: data.join("papers"),
        events: args.events,
        seeds: args.seeds,
    };
    if !args.kept {
        measure(args, parts, &shared)?;
    }
    let (mut all, mut builds) = (Map::new(), Map::new());
    all.insert("bench".to_owned(), "papers".into());
    for &part in parts {
        let (said, with) = shared.report(part)?;
        all.insert(part.name().to_owned(), said);
        builds.insert(part.name().to_owned(), serde_json::to_value(with)?);
    }
    all.insert("builds".to_owned(), Value::Object(builds));
    table::json(&Value::Object(all))
}

fn measure(args: &PapersArgs, parts: &[Part], shared: &Shared) -> anyhow::Result<()> {
    let works = || parts.iter().map(|&part| shared.work(part)).collect::<anyhow::Result<Vec<_>>>();
    if args.again {
        for work in works()? {
            work.cells.forget(&work.keys());
        }
    }
    for work in works()? {
        work.measure_first();
    }
    let mut whole = 0.0;
    for work in works()? {
        let (all, left) = (work.whole(args.jobs), work.to_come(args.jobs));
        whole += all;
        let (all, left) = (minutes(all), minutes(left));
        table::progress(&format!("{}: about {all} min in all, {left} of them to come", work.part));
    }
    table::progress(&format!("all parts: about {} min", minutes(whole)));
    if !args.estimate {
        for &part in parts {
            // What an earlier part has found decides what there is to do.
            shared.work(part)?.carry_out(args.jobs);
        }
    }
    Ok(())
}

impl Shared {
    fn work(&self, part: Part) -> anyhow::Result<Work<'_>> {
        let Self { bed, apps, folder, .. } = self;
        let (cells, events) = (&self.cells[part as usize], self.events.unwrap_or(EVENTS));
        Ok(match part {
            Part::Replay => replay::work(bed, cells, apps, &self.traces),
            Part::Same => same::work(bed, cells, apps, self.events.unwrap_or(500)),
            Part::A => {
                let replays = &self.cells[Part::Replay as usize];
                reduce::work(bed, (cells, replays), folder, apps, &self.traces)?
            }
            Part::B => suite::work(bed, cells, folder, apps, events),
            Part::C => explore::work(bed, cells, apps, events, self.seeds),
            Part::D => flaky::work(bed, cells, folder, apps, self.named)?,
        })
    }

    /// Says what the cells of a part say, and what they were measured with.
    fn report(&self, part: Part) -> anyhow::Result<(Value, Builds)> {
        let work = self.work(part)?;
        let (keys, cells) = (work.keys(), work.cells);
        let kept = keys.iter().filter(|key| cells.has(key)).count();
        table::say(&format!("{}: {kept} of {} cells", part.name(), keys.len()));
        let builds = cells.builds(&keys);
        for words in builds.words() {
            table::say(&words);
        }
        let said = match part {
            Part::Replay => replay::report(&cells.all(&keys)?),
            Part::Same => same::report(&cells.all(&keys)?),
            Part::A => reduce::report(&cells.all(&keys)?),
            Part::B => suite::report(&cells.all(&keys)?, &self.apps, &self.papers)?,
            Part::C => explore::report(&cells.all(&keys)?, &self.apps),
            Part::D => flaky::report(&cells.all(&keys)?),
        };
        Ok((said, builds))
    }
}
