//! `retap explore`: goes through an app.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use retap_explore::{Category, Selection, StrategyKind, TimeTravelSettings};
use retap_job::explore::{LookPolicy, MonkeyShare, time_travel};
use retap_job::{ExplorePlan, JobPlan};
use toml::Spanned;

use super::{Context, idle, reduce};
use crate::args::ExploreArgs;
use crate::config::{Config, OptionValue};
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
    let typed = args.events.or(args.minutes).or(args.idle_minutes).is_some();
    let limit = |option: &str, value: Option<u64>, set: &Option<Spanned<u64>>| {
        let given = config.given(option, value.as_ref(), set.as_ref().filter(|_| !typed));
        let some = |given: OptionValue<u64>| given.among("more than 0", |limit| *limit > 0);
        given.map(some).transpose()
    };
    let events = limit("--events", args.events, &set.events)?;
    let minutes = limit("--minutes", args.minutes, &set.minutes)?;
    let idle_minutes = limit("--idle-minutes", args.idle_minutes, &set.idle_minutes)?;
    let unlimited = events.or(minutes).or(idle_minutes).is_none();
    let published = args.timetravel.iter().any(|text| text == PUBLISHED);
    if published {
        alone(args)?;
    }
    let shares = if published { &BTreeMap::new() } else { &set.pct };
    let strategy = config.given("--strategy", args.strategy.as_ref(), set.strategy.as_ref());
    let strategy: Option<StrategyKind> = strategy.map(|name| name.parse()).transpose()?;
    let device = context.choice(args.device.as_deref(), &args.mode).device()?;
    let usual = ExplorePlan::monkey(device, 5000, context.seed());
    let plan = ExplorePlan {
        devices: config::devices("--devices", args.devices, config)?,
        strategy: strategy.unwrap_or(usual.strategy),
        percentages: percentages(&args.monkey.typed(), shares, config)?,
        throttle: args.throttle.or(set.throttle).unwrap_or(0),
        blind: args.blind || set.blind || published,
        time_travel: time_travel_settings(args, config, published)?,
        snapshots: !args.no_snapshots && set.snapshots.unwrap_or(true),
        look: match config.given("--look", args.look.as_ref(), set.look.as_ref()) {
            Some(when) => when.word(
                "always or adaptive",
                &[("always", LookPolicy::Always), ("adaptive", LookPolicy::Adaptive)],
            )?,
            None => LookPolicy::Always,
        },
        events: if unlimited { usual.events } else { events },
        minutes,
        idle_minutes,
        rules: set.rules.clone(),
        start: args.start.clone().or_else(|| set.start.clone()),
        reduce: if args.reduce || set.reduce { Some(reduce::usual_options(config)?) } else { None },
        ..usual
    };
    // What can be wrong with them together is that they are more than everything.
    plan.check().map_err(|error| match shares.values().next() {
        Some(first) => config.set("pct", first).wrong(error.in_words()),
        None => error.into(),
    })?;
    Ok(plan)
}

fn time_travel_settings(
    args: &ExploreArgs,
    config: &Config,
    published: bool,
) -> anyhow::Result<TimeTravelSettings> {
    let set = &config.explore;
    let mut settings = time_travel::usual();
    for (name, value) in set.timetravel.iter().filter(|(name, _)| !published || *name == UNPUBLISHED) {
        let given = config.set("timetravel", value);
        time_travel::set(&mut settings, name, given.value).map_err(|why| given.wrong(why.in_words()))?;
    }
    if published {
        time_travel::set(&mut settings, "no-progress", 200.0)?;
    }
    for text in args.timetravel.iter().filter(|text| *text != PUBLISHED) {
        let (name, value) = named(text)?;
        time_travel::set(&mut settings, &name, value).with_context(|| format!("--timetravel {text}"))?;
    }
    if let Some(how) = config.given("--select", args.select.as_ref(), set.select.as_ref()) {
        settings.selection = how.word(
            "own or neighbourhood",
            &[("own", Selection::Own), ("neighbourhood", Selection::NEIGHBOURHOOD)],
        )?;
    }
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
    set: &BTreeMap<String, Spanned<u32>>,
    config: &Config,
) -> anyhow::Result<Vec<MonkeyShare>> {
    let mut given = BTreeMap::new();
    for (name, percent) in set {
        let share = config.set(&format!("pct.{name}"), percent);
        name.parse::<Category>().map_err(|why| share.wrong(why))?;
        given.insert(name.clone(), share.among("a whole number from 0 to 100", |percent| *percent <= 100)?);
    }
    for (name, value) in typed {
        let percent = value.parse().ok().filter(|percent| *percent <= 100);
        let percent = percent
            .with_context(|| format!("--pct-{name} takes a whole number from 0 to 100, not '{value}'"))?;
        given.insert((*name).to_owned(), percent);
    }
    let share = |(name, percent): (String, u32)| Ok(MonkeyShare { category: name.parse()?, percent });
    given.into_iter().map(share).collect()
}
