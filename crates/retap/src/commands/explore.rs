//! `retap explore`: goes through an app.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use retap_explore::{Selection, StrategyKind, TimeTravelSettings};
use retap_job::explore::{LookPolicy, MonkeyShare, time_travel};
use retap_job::{ExplorePlan, JobPlan};

use super::{Context, idle, reduce};
use crate::args::ExploreArgs;
use crate::config::ExploreConfig;
use crate::exit::Exit;
use crate::{config, devices};

/// The word of `--timetravel` for everything as in the paper: 200 events without progress, and Monkey's blind events in
/// its own mix.
const PUBLISHED: &str = "published";
/// The setting of time travel that the paper does not have.
const UNPUBLISHED: &str = "snapshots";

pub(super) fn run(args: &ExploreArgs, context: &Context) -> anyhow::Result<Exit> {
    let (plan, here, folder) = if let Some(folder) = &args.resume {
        let (plan, here) = resumed(folder)?;
        (plan, here, Some(folder.as_path()))
    } else {
        let plan = join(args, context)?;
        idle::explore(args, &plan.strategy)?;
        let here = plan.device.clone();
        (plan, here, context.out())
    };
    let devices = context.devices_to_explore(&here, plan.devices, plan.reduce.is_some())?;
    context.outputs().run(&JobPlan::Explore(plan), Some(&devices), folder)
}

/// The plan of the exploration in a folder, and its device with the file of its app where it is now.
pub(super) fn resumed(folder: &Path) -> anyhow::Result<(ExplorePlan, String)> {
    let JobPlan::Explore(plan) = retap_job::plan_in(folder)? else {
        bail!("{} is not the folder of an exploration", folder.display());
    };
    let above = folder.parent().unwrap_or(Path::new(""));
    let here = devices::located(&plan.device, &folder.display(), &[folder, above, Path::new("")], "")?;
    Ok((plan, here))
}

/// What was typed wins over what is set.
pub(super) fn join(args: &ExploreArgs, context: &Context) -> anyhow::Result<ExplorePlan> {
    let config = &context.config;
    let set = &config.explore;
    // What is typed wins as a whole: events on the command line beat minutes in the file.
    let typed = (args.events, args.minutes, args.idle_minutes);
    let limits =
        if typed == (None, None, None) { (set.events, set.minutes, set.idle_minutes) } else { typed };
    let (events, minutes, idle_minutes) = limits;
    ensure!(
        events != Some(0) && minutes != Some(0) && idle_minutes != Some(0),
        "an exploration of nothing finds nothing; give more than 0"
    );
    let published = args.timetravel.iter().any(|text| text == PUBLISHED);
    if published {
        alone(args)?;
    }
    let shares = if published { &BTreeMap::new() } else { &set.pct };
    let strategy = args.strategy.as_ref().or(set.strategy.as_ref());
    let strategy: Option<StrategyKind> =
        strategy.map(|name| name.parse()).transpose().map_err(anyhow::Error::msg)?;
    let device = context.choice(args.device.as_deref(), &args.mode).device()?;
    let usual = ExplorePlan::monkey(device, 5000, context.seed());
    let plan = ExplorePlan {
        devices: config::devices(args.devices, config)?,
        strategy: strategy.unwrap_or(usual.strategy),
        percentages: percentages(&args.monkey.typed(), shares)?,
        throttle: args.throttle.or(set.throttle).unwrap_or(0),
        blind: args.blind || set.blind || published,
        time_travel: time_travel_settings(args, set, published)?,
        snapshots: !args.no_snapshots && set.snapshots.unwrap_or(true),
        look: match args.look.as_ref().or(set.look.as_ref()).map(String::as_str) {
            None | Some("always") => LookPolicy::Always,
            Some("adaptive") => LookPolicy::Adaptive,
            Some(other) => bail!("--look takes always or adaptive, not '{other}'"),
        },
        events: if limits == (None, None, None) { usual.events } else { events },
        minutes,
        idle_minutes,
        rules: set.rules.clone(),
        start: args.start.clone().or_else(|| set.start.clone()),
        reduce: if args.reduce || set.reduce { Some(reduce::usual_options(&config.reduce)?) } else { None },
        ..usual
    };
    plan.check()?;
    Ok(plan)
}

fn time_travel_settings(
    args: &ExploreArgs,
    set: &ExploreConfig,
    published: bool,
) -> anyhow::Result<TimeTravelSettings> {
    let mut settings = time_travel::usual();
    for (name, value) in set.timetravel.iter().filter(|(name, _)| !published || *name == UNPUBLISHED) {
        time_travel::set(&mut settings, name, *value)?;
    }
    if published {
        time_travel::set(&mut settings, "no-progress", 200.0)?;
    }
    for text in args.timetravel.iter().filter(|text| *text != PUBLISHED) {
        let (name, value) = named(text)?;
        time_travel::set(&mut settings, &name, value)?;
    }
    settings.selection = match args.select.as_ref().or(set.select.as_ref()).map(String::as_str) {
        None | Some("own") => Selection::Own,
        Some("neighbourhood") => Selection::NEIGHBOURHOOD,
        Some(other) => bail!("--select takes own or neighbourhood, not '{other}'"),
    };
    Ok(settings)
}

/// What is published leaves nothing of this to choose.
fn alone(args: &ExploreArgs) -> anyhow::Result<()> {
    let set = |text: &&String| *text != PUBLISHED && !text.starts_with("snapshots=");
    if let Some(other) = args.timetravel.iter().find(set) {
        bail!("--timetravel published and --timetravel {other} exclude each other; leave one of them out");
    }
    ensure!(
        !args.blind,
        "--blind does nothing with --timetravel published, which touches anywhere; leave it out"
    );
    if let Some((name, _)) = args.monkey.typed().first() {
        bail!(
            "--timetravel published has Monkey's own mix of events, and --pct-{name} changes it; leave one of them out"
        );
    }
    Ok(())
}

fn named(text: &str) -> anyhow::Result<(String, f64)> {
    let wrong =
        || format!("--timetravel takes published or NAME=NUMBER, such as no-progress=100, not '{text}'");
    let (name, value) = text.split_once('=').with_context(wrong)?;
    Ok((name.to_owned(), value.parse().ok().filter(|value: &f64| value.is_finite()).with_context(wrong)?))
}

fn percentages(
    typed: &[(&'static str, &str)],
    set: &BTreeMap<String, u32>,
) -> anyhow::Result<Vec<MonkeyShare>> {
    let mut given = set.clone();
    for (name, value) in typed {
        let percent = value.parse().ok().filter(|percent| *percent <= 100);
        let percent = percent
            .with_context(|| format!("--pct-{name} takes a whole number from 0 to 100, not '{value}'"))?;
        given.insert((*name).to_owned(), percent);
    }
    let share = |(name, percent): (String, u32)| Ok(MonkeyShare { category: name.parse()?, percent });
    given.into_iter().map(share).collect()
}
