//! Is the claim true? Thousands of reductions by the program itself, of generated apps whose exact rates are known.
//! **Synthetic**: the apps are simulated.

mod trial;
mod world;

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use retap_trace::Seed;
use serde::Serialize;
use trial::{Claim, Group, TrialOutcome, trial};

use crate::jobs::on_all_cores;
use crate::table;

/// The groups, fixed before anything was measured: every rate, every kind of rule and every search several times, and
/// the default at every rate.
#[rustfmt::skip]
const GROUPS: [Group; 30] = [
    group(0.3, "auto", "auto"),
    group(0.5, "auto", "auto"),
    group(0.7, "auto", "auto"),
    group(0.8, "auto", "auto"),
    group(0.9, "auto", "auto"),
    group(0.95, "auto", "auto"),
    group(1.0, "auto", "auto"),
    group(0.3, "auto", "belief"),
    group(0.5, "auto", "ddmin"),
    group(0.8, "auto", "ddmin+1"),
    group(0.7, "auto", "cdd"),
    group(0.9, "auto", "hdd+1"),
    group(0.95, "auto", "bhdd"),
    group(0.5, "auto", "lhdd+1"),
    group(0.3, "auto", "echo+1"),
    group(0.9, "18/20", "auto"),
    group(0.95, "18/20", "ddmin"),
    group(1.0, "18/20", "echo"),
    group(0.8, "18/20", "lhdd-nopre"),
    group(0.7, "4/5", "auto"),
    group(0.9, "4/5", "belief"),
    group(0.5, "4/5", "hdd"),
    group(0.8, "4/5", "lhdd-nopre+1"),
    group(0.95, "sprt:0.8,0.95,0.2,0.1", "auto"),
    group(0.7, "sprt:0.8,0.95,0.2,0.1", "ddmin"),
    group(1.0, "sprt:0.8,0.95,0.2,0.1", "bhdd"),
    group(0.8, "bayes:0.9@0.97", "auto"),
    group(0.95, "bayes:0.9@0.97", "cdd"),
    group(0.7, "bayes:0.5@0.9", "belief+1"),
    group(0.9, "bayes:0.5@0.9", "lhdd"),
];

const fn group(rate: f64, rule: &'static str, search: &'static str) -> Group {
    Group { rate, rule, search, values: true, devices: 1 }
}

#[derive(Debug, Args)]
pub(crate) struct CalibrationArgs {
    /// Reductions in each of the 30 groups
    #[arg(long, default_value_t = 100)]
    each: usize,
    /// Leave values as they are
    #[arg(long)]
    no_values: bool,
    /// How many runs of a reduction go on at once
    #[arg(long, default_value_t = 1)]
    devices: u32,
    /// The program [default: the one beside this one]
    #[arg(long, value_name = "FILE")]
    retap: Option<PathBuf>,
    /// Where chance starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The figures of some reductions.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    reductions: usize,
    /// Traces of which nothing is claimed, since they did not reach the crash in any run.
    refused: usize,
    /// Claims that were said to fall short of the rule, or to be confirmed by no run.
    short: usize,
    covered: f64,
    claimed: f64,
    exact: f64,
    /// The mean of claimed minus exact.
    error: f64,
    length: f64,
    runs: u64,
}

pub(crate) fn run(args: &CalibrationArgs) -> anyhow::Result<()> {
    ensure!(args.each > 0, "nothing was reduced; ask for more than 0 in each group");
    let own = std::env::current_exe().context("this program cannot be found")?;
    let beside = own.parent().context("this program is in no folder")?;
    let retap = args.retap.clone().unwrap_or_else(|| beside.join("retap"));
    ensure!(retap.exists(), "{} is not there; cargo build --release -p retap makes it", retap.display());
    let folder = beside.join(format!("calibration-{}", std::process::id()));
    let trials = on_all_cores(GROUPS.len() * args.each, |job| {
        let (nth, number) = (job / args.each, job % args.each);
        let seed = Seed(args.seed).branch("group", nth as u64).branch("world", number as u64);
        let group = Group { values: !args.no_values, devices: args.devices, ..GROUPS[nth] };
        trial(&retap, &folder.join(job.to_string()), group, number, seed)
    });
    let trials = trials.into_iter().collect::<anyhow::Result<Vec<TrialOutcome>>>()?;
    std::fs::remove_dir_all(&folder).with_context(|| format!("{} cannot be removed", folder.display()))?;
    let done: Vec<(Group, TrialOutcome)> =
        trials.into_iter().enumerate().map(|(job, outcome)| (GROUPS[job / args.each], outcome)).collect();
    report(&done, args)
}

fn report(done: &[(Group, TrialOutcome)], args: &CalibrationArgs) -> anyhow::Result<()> {
    let groups = by(done, |group, _| Some(format!("{} {} {}", group.rate, group.rule, group.search)));
    let rates = by(done, |group, _| Some(format!("rate {}", group.rate)));
    let rules = by(done, |group, _| Some(format!("rule {}", group.rule)));
    let searches = by(done, |group, _| Some(format!("search {}", group.search.trim_end_matches("+1"))));
    let mut exact = by(done, |_, outcome| outcome.claim.map(|claim| within(claim.exact)));
    exact.sort_by(|one, other| one.exact.total_cmp(&other.exact));
    let all = by(done, |_, _| Some("all".to_owned()));
    let how = if args.no_values { "without values" } else { "with values" };
    let devices = args.devices;
    table::say(&format!(
        "synthetic: generated apps of known rates, reduced by retap {how}, --devices {devices}"
    ));
    let head = [
        "rate, rule, search",
        "reductions",
        "refused",
        "short",
        "covered",
        "claimed",
        "exact",
        "claimed - exact",
        "events",
        "runs",
    ];
    let rows = [&groups, &rates, &rules, &searches, &exact, &all].into_iter().flatten();
    table::print(&head, &rows.map(Row::line).collect::<Vec<_>>());
    table::json(&serde_json::json!({
        "bench": "calibration", "synthetic": true, "seed": args.seed, "each": args.each, "values": !args.no_values, "devices": args.devices, "groups": groups,
        "rates": rates, "rules": rules, "searches": searches, "exact": exact, "all": all,
    }))
}

/// Which part of the line from 0 to 1 a rate is in.
fn within(rate: f64) -> String {
    const ENDS: [f64; 8] = [0.0, 0.25, 0.45, 0.65, 0.75, 0.85, 0.93, 1.0 - 1e-9];
    let part = ENDS.iter().rposition(|low| rate >= *low).unwrap_or_default();
    match ENDS.get(part + 1) {
        Some(high) => format!("exactly {} to {high:.2}", ENDS[part]),
        None => "exactly 1".to_owned(),
    }
}

/// The rows of reductions that go by the same name, in the order of their first ones; where there is no name, they are
/// left out.
fn by(done: &[(Group, TrialOutcome)], name: impl Fn(&Group, &TrialOutcome) -> Option<String>) -> Vec<Row> {
    let mut named: Vec<(String, Vec<TrialOutcome>)> = Vec::new();
    for (group, outcome) in done {
        let Some(name) = name(group, outcome) else { continue };
        match named.iter_mut().find(|(known, _)| *known == name) {
            Some((_, outcomes)) => outcomes.push(*outcome),
            None => named.push((name, vec![*outcome])),
        }
    }
    named.into_iter().map(|(name, outcomes)| Row::of(name, &outcomes)).collect()
}

impl Row {
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    fn of(name: String, outcomes: &[TrialOutcome]) -> Self {
        let claims: Vec<Claim> = outcomes.iter().filter_map(|outcome| outcome.claim).collect();
        let mean = |figure: &dyn Fn(&Claim) -> f64| {
            claims.iter().map(figure).sum::<f64>() / claims.len().max(1) as f64
        };
        let mut runs: Vec<u64> = outcomes.iter().map(|outcome| outcome.runs).collect();
        runs.sort_unstable();
        Self {
            name,
            reductions: outcomes.len(),
            refused: outcomes.len() - claims.len(),
            short: claims.iter().filter(|claim| claim.short).count(),
            covered: mean(&|claim| f64::from(u8::from(claim.covers()))),
            claimed: mean(&|claim| claim.estimate),
            exact: mean(&|claim| claim.exact),
            error: mean(&|claim| claim.estimate - claim.exact),
            length: mean(&|claim| claim.length as f64),
            runs: runs[runs.len() / 2],
        }
    }

    fn line(&self) -> Vec<String> {
        vec![
            self.name.clone(),
            self.reductions.to_string(),
            self.refused.to_string(),
            self.short.to_string(),
            format!("{:.3}", self.covered),
            format!("{:.3}", self.claimed),
            format!("{:.3}", self.exact),
            format!("{:+.3}", self.error),
            format!("{:.1}", self.length),
            self.runs.to_string(),
        ]
    }
}

#[cfg(test)]
mod tests;
