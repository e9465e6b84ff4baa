//! What each command does: from arguments to a plan, and from a result to an exit code.

mod demo;
mod device;
mod diff;
mod explore;
mod export;
mod idle;
mod import;
#[cfg(feature = "mcp")]
mod mcp;
mod policy;
mod record;
mod reduce;
mod replay;
mod report_files;
mod same_file;
mod show;
mod suite;

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::Arc;

use clap::CommandFactory as _;
use retap_job::overview::Showable;
use retap_job::{Devices, JobEvent, JobPlan, JobResult, Stop, Time, Watch, textfile, tracefile};
pub(crate) use retap_show::quoted;
use retap_trace::Trace;

use crate::args::{Command, ModeArgs, ReportArgs, Retap, RunArgs};
use crate::config::Config;
use crate::devices::{self, DeviceChoice, NoticeTo, Opening};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{JsonResult, Output, Reports, Terminal, print_data};

/// What commands are given besides their own arguments.
pub(crate) struct Context {
    pub(crate) config: Config,
    pub(crate) global: crate::args::Global,
    pub(crate) output: Output,
    pub(crate) interrupt: Interrupt,
    /// The devices that the command uses, once they are open: how they are written, and how many.
    open: RefCell<Option<(String, u32, Devices)>>,
    /// Where devices say what there is to know of them.
    notices: NoticeTo,
    /// The reports that are made of it.
    pub(crate) reports: RefCell<Reports>,
}

pub(crate) fn run(typed: Retap, output: Output) -> anyhow::Result<Exit> {
    #[cfg(feature = "mcp")]
    if let Command::Mcp(args) = &typed.command {
        mcp::enter(args)?;
    }
    let config = Config::load(&typed.global)?;
    idle::check(&typed, &config)?;
    report_files::check(&typed.command)?;
    let interrupt = Interrupt::listen()?;
    let reports = RefCell::new(reports(&typed.command, &config)?);
    let (global, open) = (typed.global, RefCell::new(None));
    let notices: NoticeTo = Arc::new(crate::output::notice);
    let context = Context { config, global, output, interrupt, open, notices, reports };
    let ended = carry_out(typed.command, &context);
    match (ended, context.reports.into_inner()) {
        (ended @ Ok(_), reports) => reports.end(&ended).and(ended),
        (ended @ Err(_), reports) => {
            if let Err(also) = reports.end(&ended) {
                crate::output::error(&also);
            }
            ended
        }
    }
}

/// The reports of a command. Those of `replay --suite` and of a trace are alike.
fn reports(command: &Command, config: &Config) -> anyhow::Result<Reports> {
    let (name, typed) = match command {
        Command::Explore(args) => ("explore", &args.reports),
        Command::Reduce(args) => ("reduce", &args.reports),
        Command::Replay(args) => ("replay", &args.reports),
        _ => return Ok(Reports::none()),
    };
    let sources = typed.sources.clone().or_else(|| config.sources.clone());
    Reports::begin(name, ReportArgs { junit: typed.junit.clone(), sarif: typed.sarif.clone(), sources })
}

fn carry_out(command: Command, context: &Context) -> anyhow::Result<Exit> {
    match command {
        Command::Demo(args) => demo::run(&args, context),
        Command::Explore(args) => explore::run(&args, context),
        Command::Reduce(args) => reduce::run(&args, context),
        Command::Suite(args) => suite::run(&args, context),
        Command::Replay(args) => match &args.suite {
            Some(folder) => replay::suite(folder, &args, context),
            None => replay::trace(&args, context),
        },
        Command::Record(args) => record::run(&args, context),
        Command::Show(args) => show::run(&args, context),
        Command::Diff(args) => diff::run(&args, context),
        Command::Export(args) => export::run(&args, context),
        Command::Import(args) => import::run(&args, context),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args, context),
        #[cfg(not(feature = "mcp"))]
        Command::Mcp(_) => anyhow::bail!(
            "this retap was built without the server for coding agents; build one with: cargo install --path crates/retap \
             --features mcp"
        ),
        Command::Policy { command } => policy::run(&command, context),
        Command::Device { command } => device::run(&command, context),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Retap::command(), "retap", &mut script);
            print_data(&String::from_utf8(script)?)?;
            Ok(Exit::Done)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Retap::command()).render(&mut page)?;
            print_data(&String::from_utf8(page)?)?;
            Ok(Exit::Done)
        }
    }
}

/// Everything that consumes the events of a job.
pub(crate) struct Outputs<'a> {
    terminal: Terminal,
    json: Option<JsonResult>,
    reports: &'a RefCell<Reports>,
}

impl Watch for Outputs<'_> {
    fn event(&mut self, event: &JobEvent<'_>) {
        self.terminal.event(event);
        if let Some(json) = &mut self.json {
            json.event(event);
        }
        self.reports.borrow_mut().event(event);
    }

    fn stop(&self) -> Stop {
        self.terminal.stop()
    }
}

impl Outputs<'_> {
    /// Does the job that a command is.
    pub(crate) fn run(
        mut self,
        plan: &JobPlan,
        devices: Option<&Devices>,
        folder: Option<&Path>,
    ) -> anyhow::Result<Exit> {
        let result = retap_job::run(plan, devices, folder, &mut self)?;
        self.json.map_or(Ok(()), |json| json.written)?;
        Ok(Exit::of(&result))
    }
}

impl Context {
    /// The seed that was typed or is set.
    pub(crate) fn seed(&self) -> u64 {
        self.global.seed.or(self.config.seed).unwrap_or(1)
    }

    /// The folder that was typed or is set.
    pub(crate) fn out(&self) -> Option<&Path> {
        self.global.out.as_deref().or(self.config.out.as_deref())
    }

    /// Which device is meant.
    pub(crate) fn choice<'a>(&'a self, typed: Option<&'a str>, mode: &ModeArgs) -> DeviceChoice<'a> {
        DeviceChoice { typed, set: self.config.device(), mode: mode.typed() }
    }

    /// The same for what reduce and replay have in common.
    pub(crate) fn choice_for<'a>(&'a self, run: &'a RunArgs) -> DeviceChoice<'a> {
        self.choice(run.device.as_deref(), &run.mode)
    }

    /// The devices of this command, which are opened once.
    pub(crate) fn devices(&self, spec: &str, count: u32) -> anyhow::Result<Devices> {
        let mut open = self.open.borrow_mut();
        if let Some((_, _, devices)) =
            open.as_ref().filter(|(known, many, _)| known == spec && *many == count)
        {
            return Ok(devices.clone());
        }
        let devices = self.open_devices(spec, count)?;
        *open = Some((spec.to_owned(), count, devices.clone()));
        Ok(devices)
    }

    fn open_devices(&self, spec: &str, count: u32) -> anyhow::Result<Devices> {
        let opening = Opening { output: self.output, notices: &self.notices };
        let opened = self.opened(spec, || devices::open(spec, count, &opening));
        let devices = opened.map_err(|error| self.config.of_device(spec, error))?;
        for device in devices.handles() {
            self.output.detail(format!("opened {}", device.name()));
        }
        Ok(devices)
    }

    /// Opens something of a device. Where nothing must be undone after that, Ctrl-C ends it.
    pub(crate) fn opened<T>(&self, spec: &str, open: impl FnOnce() -> T) -> T {
        if devices::leaves_nothing(spec) { self.interrupt.ends(open) } else { open() }
    }

    /// The devices of an exploration. Simulated crashes are reduced while it goes on, on devices of their own.
    pub(crate) fn devices_to_explore(&self, spec: &str, count: u32, reduce: bool) -> anyhow::Result<Devices> {
        let devices = self.devices(spec, count)?;
        if !reduce || devices.time == Time::Real {
            return Ok(devices);
        }
        Ok(devices.with_spare(&self.open_devices(spec, count)?))
    }

    /// What shows a job that is all that a command does.
    pub(crate) fn outputs(&self) -> Outputs<'_> {
        let json = self.output.is_for_programs().then(JsonResult::new);
        Outputs { json, ..self.outputs_of_a_part() }
    }

    fn outputs_of_a_part(&self) -> Outputs<'_> {
        let terminal = Terminal::new(self.output, self.interrupt.stop.clone());
        Outputs { terminal, json: None, reports: &self.reports }
    }

    /// Does a job that is a part of a command, which has a result of its own for programs.
    pub(crate) fn part(
        &self,
        plan: &JobPlan,
        devices: Option<&Devices>,
        folder: &Path,
    ) -> anyhow::Result<JobResult> {
        Ok(retap_job::run(plan, devices, Some(folder), &mut self.outputs_of_a_part())?)
    }
}

/// How stdin is named in place of a trace.
pub(crate) const STDIN: &str = "-";

/// The trace in a file, or on stdin.
fn trace_in(file: &Path) -> anyhow::Result<Trace> {
    if file.as_os_str() != STDIN {
        return Ok(tracefile::read(file)?);
    }
    let trace = Trace::read("stdin", io::stdin().lock())?;
    if let Some(before) = &trace.header.after {
        anyhow::bail!(
            "the trace on stdin goes on from {}; name its file, beside which that is",
            before.trace
        );
    }
    Ok(trace)
}

/// What a path names; `-` is a trace on stdin.
fn showable(path: &Path) -> anyhow::Result<Showable> {
    if path.as_os_str() == STDIN {
        return Ok(Showable::Trace(path.to_owned(), Box::new(trace_in(path)?)));
    }
    Ok(Showable::read(path)?)
}

/// The command that was typed, to type it again.
pub(crate) fn this_command() -> String {
    let typed = std::env::args_os().skip(1).map(|arg| quoted(&arg.to_string_lossy())).collect::<Vec<_>>();
    format!("retap {}", typed.join(" "))
}

/// Refuses to write over a file with other content, on which somebody may have worked, unless that is asked for.
fn keep_other(file: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    let folder = file.parent().unwrap_or(Path::new(""));
    anyhow::ensure!(
        !folder.is_file(),
        "--out {} is a file; name a folder, in which {} is written",
        folder.display(),
        file.file_name().unwrap_or_default().display()
    );
    anyhow::ensure!(
        force || !textfile::is_other(file, text),
        "{} has other content; --force overwrites it, another --out keeps it",
        file.display()
    );
    Ok(())
}
