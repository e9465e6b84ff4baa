//! Options that would do nothing are refused: a user who types one expects an effect.
//!
//! Only what is typed is looked at. `retap.toml` is for all commands, so a setting in it that one command has no use
//! for is no mistake.

use std::path::Path;

use anyhow::{bail, ensure};
use retap_explore::{STRATEGIES, StrategyKind, Uses};
use retap_job::reduce::ReduceOptions;

use super::STDIN;
use crate::args::{Command, DeviceCommand, ExploreArgs, Global, ReduceArgs, ReplayArgs, ReportArgs, Retap};
use crate::config::Config;
use crate::output::on_github;

/// The settings of time travel that say when it is stuck: mr starts over by the same. Both can be had as published.
const STUCK: [&str; 5] = ["loop-length", "no-progress", "frequent", "easy", "published"];

/// Refuses the first option that would do nothing. Those of an exploration are looked at by [`explore`].
pub(super) fn check(typed: &Retap, config: &Config) -> anyhow::Result<()> {
    everywhere(&typed.command, &typed.global)?;
    no_stdin(&typed.command)?;
    match &typed.command {
        Command::Reduce(args) => {
            reports(&args.reports)?;
            reduce(args, config)
        }
        Command::Replay(args) => {
            reports(&args.reports)?;
            replay(args, &typed.global)
        }
        Command::Explore(args) => reports(&args.reports),
        Command::Mcp(_) => ensure_no_out(&typed.global),
        _ => Ok(()),
    }
}

fn reports(args: &ReportArgs) -> anyhow::Result<()> {
    ensure!(
        args.sources.is_none() || args.sarif.is_some() || on_github(),
        "--sources is for the paths in --sarif FILE, and in annotations on GitHub; add --sarif, or leave it out"
    );
    Ok(())
}

/// A session names the file of its trace, so that it can go on with it; and an answer is a file.
fn no_stdin(command: &Command) -> anyhow::Result<()> {
    let is = |path: &Path| path.as_os_str() == STDIN;
    let (name, named) = match command {
        Command::Reduce(args) => {
            ensure!(
                !args.write.as_deref().is_some_and(is),
                "--write takes a file, and no - for stdout; the answer is saved in the session as well"
            );
            ("reduce", is(&args.input))
        }
        Command::Replay(args) => ("replay", args.trace.as_deref().is_some_and(is)),
        Command::Suite(args) => ("suite", args.input.iter().any(|path| is(path))),
        Command::Explore(args) => ("explore", args.start.as_deref().is_some_and(is)),
        _ => return Ok(()),
    };
    ensure!(
        !named,
        "{name} takes no - for stdin: its session names the file of the trace; save the trace in a file"
    );
    Ok(())
}

/// `--json`, `--seed` and `--out`, which are for all commands and which some have no use for.
fn everywhere(command: &Command, global: &Global) -> anyhow::Result<()> {
    let (name, json, seed, out) = match command {
        Command::Policy { .. } => ("policy", true, false, false),
        Command::Device { command } => match command {
            DeviceCommand::List => ("device list", true, false, false),
            DeviceCommand::Doctor { .. } => ("device doctor", true, false, false),
            DeviceCommand::Serve(_) => ("device serve", true, true, false),
            DeviceCommand::Screenshot { .. } => ("device screenshot", true, true, false),
        },
        Command::Show(_) => ("show", true, false, false),
        Command::Diff(_) => ("diff", true, false, false),
        Command::Export(_) => ("export", true, false, true),
        Command::Import(_) => ("import", true, false, true),
        Command::Mcp(_) => ("mcp", false, true, true),
        Command::Completions { .. } => ("completions", false, false, false),
        Command::Man => ("man", false, false, false),
        Command::Demo(_)
        | Command::Explore(_)
        | Command::Reduce(_)
        | Command::Suite(_)
        | Command::Record(_)
        | Command::Replay(_) => {
            return Ok(());
        }
    };
    let idle = [
        ("--json", global.json && !json, "has no result for programs"),
        ("--seed", global.seed.is_some() && !seed, "leaves nothing to chance"),
        ("--out", global.out.is_some() && !out, "keeps no session"),
    ];
    for (option, idle, why) in idle {
        ensure!(!idle, "{option} does nothing here: 'retap {name}' {why}; leave it out");
    }
    Ok(())
}

/// The same for an exploration with this strategy. What is wrong in itself has been refused before.
pub(super) fn explore(args: &ExploreArgs, strategy: &StrategyKind) -> anyhow::Result<()> {
    let used = strategy.uses;
    let useless = |option: &str, by: fn(&Uses) -> bool| -> anyhow::Result<()> {
        let of: Vec<&str> =
            STRATEGIES.iter().filter(|other| by(&other.uses)).map(|other| other.name).collect();
        let [most @ .., last] = &of[..] else { return Ok(()) };
        let only =
            if most.is_empty() { (*last).to_owned() } else { format!("{} and {last}", most.join(", ")) };
        bail!("{option} does nothing with the strategy {strategy}, only with {only}; leave it out")
    };
    if let (Some((name, _)), false) = (args.monkey.typed().first(), used.mix) {
        return useless(&format!("--pct-{name}"), |uses| uses.mix);
    }
    if args.blind && !used.aim {
        return useless("--blind", |uses| uses.aim);
    }
    for setting in &args.timetravel {
        let name = setting.split('=').next().unwrap_or_default();
        let option = format!("--timetravel {setting}");
        match STUCK.contains(&name) {
            true if !used.stuck => return useless(&option, |uses| uses.stuck),
            false if !used.time_travel => return useless(&option, |uses| uses.time_travel),
            _ => {}
        }
    }
    for (option, typed) in [("--select", args.select.is_some()), ("--no-snapshots", args.no_snapshots)] {
        if typed && !used.time_travel {
            return useless(option, |uses| uses.time_travel);
        }
    }
    Ok(())
}

pub(super) fn reduce(args: &ReduceArgs, config: &Config) -> anyhow::Result<()> {
    let judged = args.run.to.as_deref().is_some_and(|to| to.starts_with("cmd:"));
    if judged {
        ensure!(
            args.run.device.is_none(),
            "--device does nothing with --to cmd:COMMAND, which runs on this computer; leave it out"
        );
        ensure!(
            args.run.mode.typed().is_none(),
            "--calm and --wild do nothing with --to cmd:COMMAND, which runs on this computer; leave them out"
        );
        ensure!(
            args.run.devices.is_none(),
            "--devices does nothing with --to cmd:COMMAND; -j says how many commands run at once"
        );
        ensure!(
            !args.values,
            "--values does nothing with --to cmd:COMMAND, whose candidates are kept as they are; leave it out"
        );
    } else {
        ensure!(
            args.jobs.is_none(),
            "-j is for --to cmd:COMMAND; --devices says how many devices are used at once"
        );
        ensure!(args.timeout.is_none(), "--timeout does nothing without --to cmd:COMMAND; leave it out");
        ensure!(
            !args.force || args.write.is_some(),
            "--force is for the file that --write names; add --write, or leave it out"
        );
    }
    let search = config.given("--search", args.search.as_ref(), config.reduce.search.as_ref());
    let search = search.map_or_else(|| Ok(ReduceOptions::default().search), |name| name.parse())?;
    ensure!(
        args.level.is_none() || search.states,
        "--level does nothing with the search {search}, which knows no states; leave it out"
    );
    ensure!(
        !args.one_by_one || search.name != "auto",
        "--one-by-one does nothing with the search auto, which tries single events anyway; leave it out"
    );
    Ok(())
}

fn ensure_no_out(global: &Global) -> anyhow::Result<()> {
    ensure!(
        global.out.is_none(),
        "--out does nothing here: each call of a tool has a folder of its own; leave it out"
    );
    Ok(())
}

fn replay(args: &ReplayArgs, global: &Global) -> anyhow::Result<()> {
    ensure!(
        args.reports.sarif.is_none() || args.suite.is_none(),
        "--sarif does nothing with --suite, whose verdicts tell no stacks; --junit FILE writes the verdicts"
    );
    ensure!(
        global.out.is_none() || args.suite.is_none(),
        "--out does nothing with --suite, of which no session is kept; --junit FILE writes the verdicts"
    );
    Ok(())
}
