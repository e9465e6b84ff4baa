//! Reducers side by side: other people's tools, the papers' algorithms and ours, each as a program of its own that
//! asks one and the same oracle (see [`oracle`]), on models whose true rates are known (see [`model`]).
//!
//! Runs and executed events are counted by the oracle, and the rate of an answer is computed from its file: no tool is
//! asked what it did. What favours ours: the models of traces know activities and nothing else, and that is what
//! searches with states go by. What favours others: runs that confirm an answer are counted, and most confirm none.
//!
//! A tool that edits text within lines gets no credit for it: a line that is not one of the list is an event that
//! does nothing, and counts as an event.

mod job;
mod kept;
mod limit;
mod model;
mod oracle;
mod plot;
mod process;
mod subject;
mod summary;
#[cfg(test)]
mod tests;
mod tool;
mod variant;
mod workshop;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum as _};
use job::{Job, Shared};
use kept::{Done, Kept};
pub(crate) use oracle::{OracleArgs, run as judge};
use process::Stop;
use retap_trace::Seed;
use serde_json::json;
use subject::{Kind, LENGTHS, Subject};
use summary::Group;
use tool::Tool;
use variant::Variant;
use workshop::{Tools, Workshop, say};

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct PeersArgs {
    /// The folder with `hierarchy_parents.csv` and `traces/`
    #[arg(long)]
    data: PathBuf,
    /// Only these tools
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    only: Vec<Tool>,
    /// Only these variants
    #[arg(long, value_name = "VARIANT", value_delimiter = ',', ignore_case = true)]
    variants: Vec<Variant>,
    /// Only so many of the traces, taken evenly
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    traces: usize,
    /// Only lists of up to so many events
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    longest: usize,
    /// How often each reduction is repeated, each time with other chance; V0 has none
    #[arg(long, value_name = "K", default_value_t = 5)]
    seeds: u64,
    /// How many reductions go on at once
    #[arg(long, value_name = "J", default_value_t = 1)]
    jobs: usize,
    /// A reduction that takes longer is given up, and counts as failed
    #[arg(long, value_name = "N", default_value_t = 30)]
    minutes: u64,
    /// The retap to measure [default: built of this source]
    #[arg(long, value_name = "FILE")]
    retap: Option<PathBuf>,
    /// Where finished reductions are kept: the same command goes on after a stop [default: target/peers/results]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Do these again, though their results are kept: the tools have changed
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    again: Vec<Tool>,
    /// Reduce nothing, and say what the kept results say
    #[arg(long)]
    kept: bool,
    /// Writes runs against shares of good answers to this file, as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Where chance starts
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &PeersArgs) -> anyhow::Result<()> {
    ensure!(args.traces > 0 && args.seeds > 0 && args.jobs > 0, "nothing was reduced; ask for more than 0");
    let oracle = std::env::current_exe().context("this program cannot be found")?;
    let target =
        oracle.parent().and_then(|folder| folder.parent()).context("this program is in no folder")?;
    let folder = target.join("peers");
    let published = Subject::published(&args.data)?;
    let tools = or_all(&args.only, Tool::value_variants());
    let plan = plan(args, &tools, published.len());
    let results = args.results.clone().unwrap_or_else(|| folder.join("results"));
    let kept = Kept::open(&results)?;
    let mut prepared = Tools::default();
    if !args.kept {
        kept.forget(&args.again.iter().map(|tool| tool.name()).collect::<Vec<_>>());
        let missing = |job: &&Job| kept.get(&job.key(&published)).is_none();
        let wanted = |tool: &Tool| plan.iter().filter(|job| job.tool == *tool).any(|job| missing(&job));
        let workshop = Workshop { folder: folder.clone(), retap: args.retap.clone() };
        prepared = workshop.prepare(&tools.iter().copied().filter(wanted).collect::<Vec<_>>());
        let stop = Stop::on_signals()?;
        let shared = Shared {
            published: &published,
            folder: folder.join(format!("jobs-{}", std::process::id())),
            oracle,
            limit: Duration::from_secs(args.minutes * 60),
            seed: Seed(args.seed),
            stop: &stop,
        };
        carry_out(&plan, &prepared, &kept, &shared, args.jobs)?;
    }
    let done: Vec<Done> = plan.iter().filter_map(|job| kept.get(&job.key(&published))).collect();
    report(args, &tools, &prepared, &done, plan.len())
}

fn or_all<T: Copy + Ord>(asked: &[T], all: &[T]) -> Vec<T> {
    let mut some: Vec<T> = if asked.is_empty() { all.to_vec() } else { asked.to_vec() };
    some.sort_unstable();
    some.dedup();
    some
}

/// All reductions, those of one seed together: what is finished when it is stopped can be compared.
fn plan(args: &PeersArgs, tools: &[Tool], published: usize) -> Vec<Job> {
    let mut plan = Vec::new();
    for seed in 1..=args.seeds {
        for variant in or_all(&args.variants, &Variant::ALL) {
            if seed > variant.seeds(args.seeds) {
                continue;
            }
            for kind in Kind::all(variant, published, args.traces, args.longest) {
                let fitting = |tool: &&Tool| variant.is_of_traces() || !tool.wants_states();
                let tools = tools.iter().filter(fitting);
                plan.extend(tools.map(|&tool| Job { tool, kind, variant, seed }));
            }
        }
    }
    plan
}

/// Does what is not yet done, until it is done or somebody asks to stop.
fn carry_out(
    plan: &[Job],
    tools: &Tools,
    kept: &Kept,
    shared: &Shared<'_>,
    threads: usize,
) -> anyhow::Result<()> {
    let due =
        |job: &&Job| tools.ready.contains_key(&job.tool) && kept.get(&job.key(shared.published)).is_none();
    let due: Vec<&Job> = plan.iter().filter(due).collect();
    let next = AtomicUsize::new(0);
    let work = || -> anyhow::Result<()> {
        while !shared.stop.asked() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = due.get(number) else { break };
            let Some(done) = job.run(&tools.ready[&job.tool], shared)? else { break };
            kept.keep(&done)?;
            say(&in_words(&done, number + 1, due.len()));
        }
        Ok(())
    };
    let worked: Vec<anyhow::Result<()>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(due.len())).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a job that panics ends it all")).collect()
    });
    let _ = std::fs::remove_dir(&shared.folder);
    if shared.stop.asked() {
        say("stopped; the same command goes on");
    }
    worked.into_iter().collect()
}

fn in_words(done: &Done, number: usize, of: usize) -> String {
    let key = &done.key;
    let answer = match (done.length, done.rate) {
        (Some(length), Some(rate)) => format!("{length} events, rate {rate:.3}"),
        _ => done.ended.clone(),
    };
    format!(
        "{number} of {of}: {} on {} {} seed {}: {answer}, {} runs, {:.1} s",
        key.tool, key.model, key.variant, key.seed, done.runs, done.seconds
    )
}

fn report(
    args: &PeersArgs,
    tools: &[Tool],
    prepared: &Tools,
    done: &[Done],
    planned: usize,
) -> anyhow::Result<()> {
    let mut groups = Vec::new();
    for variant in or_all(&args.variants, &Variant::ALL) {
        let lengths = LENGTHS.into_iter().filter(|&length| length <= args.longest).map(Some);
        let lengths: Vec<_> = if variant.is_of_traces() { vec![None] } else { lengths.collect() };
        groups.extend(lengths.into_iter().map(|length| Group::of(variant, length, tools, done)));
    }
    groups.retain(|group| !group.rows.is_empty());
    table::say(
        "models, not real apps: traces act by their recorded activities, lists have events that are needed",
    );
    for group in &groups {
        group.print();
    }
    table::say("");
    table::say(
        "length, rate: means of the answers that reach the target at all; runs, executed: of all reductions",
    );
    table::say(
        "share: answers whose exact rate is at least 0.9; failed: no answer, or one that never reaches",
    );
    if done.len() < planned {
        table::say(&format!("{} of {planned} reductions are finished", done.len()));
    }
    let skipped: Vec<(&str, &String)> =
        prepared.skipped.iter().map(|(tool, why)| (tool.name(), why)).collect();
    for (tool, why) in &skipped {
        table::say(&format!("skipped: {tool}: {why}"));
    }
    if let Some(file) = &args.svg {
        std::fs::write(file, plot::plot(&groups))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    table::json(&json!({
        "bench": "peers",
        "synthetic": true,
        "seeds": args.seeds,
        "seed": args.seed,
        "planned": planned,
        "finished": done.len(),
        "versions": versions(done),
        "skipped": skipped,
        "groups": groups,
    }))
}

/// The versions with which each tool was measured.
fn versions(done: &[Done]) -> std::collections::BTreeMap<&str, std::collections::BTreeSet<&str>> {
    let mut versions = std::collections::BTreeMap::new();
    for done in done {
        let known: &mut std::collections::BTreeSet<&str> = versions.entry(&*done.key.tool).or_default();
        known.insert(&done.version);
    }
    versions
}
