//! `retap mcp`: the commands as tools of the Model Context Protocol.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use retap_job::reduce::Subject;
use retap_job::{Devices, ExplorePlan, ReducePlan, ReplayPlan};
use retap_mcp::{
    DeviceNeeds, ExploreRequest, McpHost, McpOptions, NoticeSink, ReduceRequest, ReplayRequest, ServeEnd,
    SetName, SetNames, serve,
};

use super::{Context, explore, idle, reduce, replay};
use crate::args::{ExploreArgs, Global, McpArgs, ReduceArgs, ReplayArgs, RunArgs};
use crate::config::{Config, OptionValue};
use crate::devices;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, Reports, warn};

/// Goes to the folder that paths are relative to.
pub(super) fn enter(args: &McpArgs) -> anyhow::Result<()> {
    let Some(root) = &args.root else { return Ok(()) };
    std::env::set_current_dir(root).with_context(|| format!("--root {} cannot be used", root.display()))
}

pub(super) fn run(args: &McpArgs, context: &Context) -> anyhow::Result<Exit> {
    let Context { config, global, output, interrupt, .. } = context;
    let here = std::env::current_dir().context("the current folder cannot be used")?;
    output.say(format!("serving the Model Context Protocol in {}", here.display()));
    let options =
        McpOptions { root: &here, commands: args.allow_commands, version: env!("CARGO_PKG_VERSION") };
    let host = Arc::new(CommandHost { config: config.clone(), seed: global.seed, output: *output });
    match serve(host, &options, &interrupt.stop).map_err(|why| anyhow!(why))? {
        ServeEnd::Closed => Ok(Exit::Done),
        ServeEnd::Interrupted => Ok(Exit::Interrupted),
    }
}

/// Does for calls what the commands do: what is asked for is joined with what is set.
struct CommandHost {
    config: Config,
    seed: Option<u64>,
    output: Output,
}

impl CommandHost {
    /// What a command would be given.
    fn context(&self, seed: Option<u64>) -> Context {
        self.context_with(seed, Arc::new(|_| {}))
    }

    /// The same, with devices that say there what there is to know of them.
    fn context_with(&self, seed: Option<u64>, notices: NoticeSink) -> Context {
        let global = Global { seed: seed.or(self.seed), ..Global::default() };
        let (config, open) = (self.config.clone(), RefCell::new(None));
        let reports = RefCell::new(Reports::none());
        let (output, interrupt) = (self.output, Interrupt::default());
        Context { config, global, output, interrupt, open, notices, reports }
    }
}

impl McpHost for CommandHost {
    fn explore(&self, asked: &ExploreRequest) -> Result<ExplorePlan, String> {
        let args = ExploreArgs {
            device: asked.device.clone(),
            strategy: asked.strategy.clone(),
            events: asked.events,
            minutes: asked.minutes,
            idle_minutes: asked.idle_minutes,
            reduce: asked.reduce,
            start: asked.start.clone(),
            devices: asked.devices,
            ..ExploreArgs::default()
        };
        explore::join(&args, &self.context(asked.seed)).map_err(|error| in_words(&error))
    }

    fn resumed(&self, folder: &Path) -> Result<(ExplorePlan, String), String> {
        explore::resumed(folder).map_err(|error| in_words(&error))
    }

    fn reduce(&self, subject: Subject, asked: &ReduceRequest) -> Result<ReducePlan, String> {
        let judged = !subject.is_played();
        let (devices, jobs) = if judged { (None, asked.devices) } else { (asked.devices, None) };
        let to = judged.then(|| subject.target().to_string());
        let args = ReduceArgs {
            run: RunArgs { to, device: asked.device.clone(), devices, ..RunArgs::default() },
            search: asked.search.clone(),
            rule: asked.rule.clone(),
            schedule: asked.schedule.clone(),
            confirm: asked.confirm,
            min_rate: asked.min_rate,
            values: asked.values == Some(true),
            no_values: asked.values == Some(false),
            jobs,
            ..ReduceArgs::default()
        };
        idle::reduce(&args, &self.config)
            .and_then(|()| reduce::plan(subject, &args, &self.context(asked.seed)))
            .map_err(|error| in_words(&error))
    }

    fn replay(&self, trace: &Path, asked: &ReplayRequest) -> Result<ReplayPlan, String> {
        let ReplayRequest { to, device, devices, times, seed, expect_no_crash } = asked.clone();
        let run = RunArgs { to, device, devices, ..RunArgs::default() };
        let args = ReplayArgs { expect_no_crash, times, run, ..ReplayArgs::default() };
        replay::plan(trace, &args, &self.context(seed)).map_err(|error| in_words(&error))
    }

    fn needs(&self, device: &str, folder: &Path) -> DeviceNeeds {
        devices::needs(device, folder)
    }

    fn set(&self) -> SetNames {
        let name = |set: OptionValue<String>| SetName { place: set.name, named: set.value };
        let config = &self.config;
        let prior = config.reduce.prior.as_ref().map(|prior| name(config.set("prior", prior)));
        SetNames { device: config.set_device().map(name), prior }
    }

    fn app_folders(&self, trace: &Path) -> Vec<PathBuf> {
        devices::app_folders(trace)
    }

    fn open(&self, device: &str, count: u32, spare: bool, notices: NoticeSink) -> Result<Devices, String> {
        let also_here: NoticeSink = Arc::new(move |notice| {
            warn(notice);
            notices(notice);
        });
        let context = self.context_with(None, also_here);
        context.devices_to_explore(device, count, spare).map_err(|error| in_words(&error))
    }

    fn log(&self, line: &str) {
        self.output.say(line);
    }
}

fn in_words(error: &anyhow::Error) -> String {
    format!("{error:#}")
}
