//! `retap policy`: the optimal schedule, and what schedules cost.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{bail, ensure};
use retap_job::reduce::prior_in;
use retap_mdp::evaluate::evaluate;
use retap_mdp::{Policy, Prior, Setting};
use retap_reduce::rule::Fixed;
use retap_reduce::schedule::{Heuristic, Optimal, RoundRobin, Schedule, Sequential, next_step};
use serde::Serialize;

use super::Context;
use crate::args::{PolicyCommand, SettingArgs};
use crate::exit::Exit;
use crate::output::Terminal;

#[derive(Serialize)]
struct SolveResult {
    command: &'static str,
    n: u32,
    m: u32,
    nr: u32,
    st: u32,
    value: f64,
    states: usize,
    solved: bool,
    seconds: f64,
    file: Option<PathBuf>,
}

#[derive(Serialize)]
struct Row {
    schedule: String,
    steps: f64,
    runs: f64,
}

pub(super) fn run(command: &PolicyCommand, context: &Context) -> anyhow::Result<Exit> {
    match command {
        PolicyCommand::Solve { setting, write } => solve(setting, write.clone(), context),
        PolicyCommand::Show { setting, tallies } => show(setting, tallies, context),
        PolicyCommand::Evaluate { setting } => costs(setting, context),
    }
}

fn solve(args: &SettingArgs, write: Option<PathBuf>, context: &Context) -> anyhow::Result<Exit> {
    let (setting, prior) = read(args)?;
    let began = Instant::now();
    let (policy, solved) = solved(setting, &prior, context)?;
    let seconds = began.elapsed().as_secs_f64();
    if let Some(file) = &write {
        retap_store::write_beside(file, |to| policy.write_to(to))?;
    }
    let value = policy.expected_steps();
    let how = if solved { "solved" } else { "known from before, read" };
    context
        .output
        .say(format!("{value:.9} expected steps, {} states; {how} in {seconds:.2} s", policy.states()));
    let SettingArgs { n, m, nr, st, .. } = *args;
    let states = policy.states();
    let result =
        SolveResult { command: "policy solve", n, m, nr, st, value, states, solved, seconds, file: write };
    context.output.result(&result)?;
    Ok(Exit::Done)
}

fn show(args: &SettingArgs, tallies: &str, context: &Context) -> anyhow::Result<Exit> {
    let (setting, prior) = read(args)?;
    let tallies = read_tallies(tallies, &setting)?;
    let (policy, _) = solved(setting, &prior, context)?;
    let runs = policy.schedule(&tallies).unwrap_or_else(|| step(&setting, Heuristic::default(), &tallies));
    let value = policy.value(&tallies);
    let covered = if policy.covers(&tallies) { "" } else { " (by the heuristic: no full steps lead here)" };
    context.output.say(format!("next step: {runs:?}{covered}"));
    if let Some(value) = value {
        context.output.say(format!("{value:.6} more steps expected"));
    }
    let result = serde_json::json!({ "command": "policy show", "runs": runs, "value": value });
    context.output.result(&result)?;
    Ok(Exit::Done)
}

fn costs(args: &SettingArgs, context: &Context) -> anyhow::Result<Exit> {
    let (setting, prior) = read(args)?;
    let (policy, _) = solved(setting, &prior, context)?;
    let rows = [
        row(&setting, &prior, || Optimal::new(policy.clone()))?,
        row(&setting, &prior, Heuristic::default)?,
        // New to each step, it begins with the first candidate, as in the paper.
        row(&setting, &prior, RoundRobin::default)?,
        row(&setting, &prior, Sequential::default)?,
    ];
    context.output.say("schedule     expected steps  expected runs");
    for Row { schedule, steps, runs } in &rows {
        context.output.say(format!("{schedule:<11}  {steps:>14.9}  {runs:>13.6}"));
    }
    context.output.result(&serde_json::json!({ "command": "policy evaluate", "schedules": rows }))?;
    Ok(Exit::Done)
}

/// What a schedule costs that is new to each step.
fn row<S: Schedule>(setting: &Setting, prior: &Prior, schedule: impl Fn() -> S) -> anyhow::Result<Row> {
    let cost = evaluate(setting, prior, |tallies| step(setting, schedule(), tallies))?;
    Ok(Row { schedule: schedule().to_string(), steps: cost.steps, runs: cost.runs })
}

/// The runs of the next step.
fn step(setting: &Setting, mut schedule: impl Schedule, tallies: &[(u32, u32)]) -> Vec<u32> {
    let rule = Fixed::new(setting.st(), setting.nr()).expect("a setting has a rule");
    next_step(&mut schedule, &rule, setting.m(), tallies)
}

/// The policy, and whether it had to be solved.
fn solved(setting: Setting, prior: &Prior, context: &Context) -> anyhow::Result<(Arc<Policy>, bool)> {
    let mut terminal = Terminal::new(context.output, context.interrupt.stop.clone());
    Ok(retap_job::policy(setting, prior, &mut terminal)?)
}

fn read(args: &SettingArgs) -> anyhow::Result<(Setting, Prior)> {
    let setting = Setting::new(args.n, args.m, args.nr, args.st)?;
    let prior = match &args.prior {
        None => Prior::recovered(),
        Some(path) => prior_in(path)?,
    };
    Ok((setting, prior))
}

fn read_tallies(text: &str, setting: &Setting) -> anyhow::Result<Vec<(u32, u32)>> {
    let one = |part: &str| {
        let (s, f) = part.split_once('/')?;
        Some((s.trim().parse().ok()?, f.trim().parse().ok()?))
    };
    let tallies: Option<Vec<(u32, u32)>> = text.split(',').map(one).collect();
    let Some(tallies) = tallies else {
        bail!("'{text}' are no tallies; write successes/failures: 4/1,2/3,5/0")
    };
    let (n, nr) = (setting.n(), setting.nr());
    ensure!(tallies.len() <= n as usize, "these are {} tallies, and the policy is for {n}", tallies.len());
    for (s, f) in &tallies {
        ensure!(s.saturating_add(*f) <= nr, "{s}/{f} are more than {nr} runs");
    }
    Ok(tallies)
}
