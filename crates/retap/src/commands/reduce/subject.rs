//! What is being reduced, and who judges its candidates.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use retap_lab::{CommandOracle, Deadlines, Lab, Oracle, Patience, ThreadLab};
use retap_reduce::Subset;
use retap_reduce::search::Material;
use retap_trace::{Header, Level, Seed, Signature, Target, Trace};

use super::list::List;
use super::settings::ReduceSettings;
use crate::commands::{Context, target};
use crate::devices::Fleet;
use crate::tracefile;

/// A trace or a list.
#[derive(Debug, Clone)]
pub(crate) enum Subject {
    /// A trace whose candidates are played on devices.
    Played { trace: Arc<Trace>, target: Target },
    /// A list whose candidates a command judges; the steps of a trace, or the lines of any text.
    Judged { list: List, trace: Option<Arc<Trace>>, target: Target, command: String },
}

impl Subject {
    /// Reads what was named.
    pub(super) fn read(file: &Path, to: Option<&str>, crash: Option<&str>) -> anyhow::Result<Self> {
        if let Some(Target::Command(command)) = typed(to)? {
            let trace = if is_trace(file) { Some(Arc::new(tracefile::read(file)?)) } else { None };
            let list = match &trace {
                Some(trace) => List::of_trace(trace, file)?,
                None => List::read(file)?,
            };
            return Ok(Self::Judged { list, trace, target: Target::Command(command.clone()), command });
        }
        let trace = tracefile::read(file)?;
        let target = match crash {
            Some(wanted) => crash_in(&trace, wanted, file)?,
            None => target::of(&trace, to, file)?,
        };
        Ok(Self::Played { trace: Arc::new(trace), target })
    }

    /// The trace in a file, to be reduced to the crash with this signature.
    pub(crate) fn of_crash(file: &Path, signature: &str) -> anyhow::Result<Self> {
        Self::read(file, None, Some(signature))
    }

    /// The answer is recorded on this device, so its trace names it.
    pub(super) fn played_on(&mut self, device: Option<&str>) {
        if let Self::Played { trace, .. } = self
            && trace.header.device.as_deref() != device
        {
            Arc::make_mut(trace).header.device = device.map(str::to_owned);
        }
    }

    pub(super) const fn target(&self) -> &Target {
        let (Self::Played { target, .. } | Self::Judged { target, .. }) = self;
        target
    }

    /// The trace, unless it is any other list.
    pub(super) fn trace(&self) -> Option<&Arc<Trace>> {
        match self {
            Self::Played { trace, .. } => Some(trace),
            Self::Judged { trace, .. } => trace.as_ref(),
        }
    }

    pub(super) fn events(&self) -> u32 {
        let events = match self {
            Self::Played { trace, .. } => trace.steps.len(),
            Self::Judged { list, .. } => list.lines.len(),
        };
        u32::try_from(events).expect("longer ones are not read")
    }

    /// What it is made of: events, or lines.
    pub(super) fn noun(&self) -> &'static str {
        if self.trace().is_some() { "event" } else { "line" }
    }

    pub(super) fn fingerprint(&self) -> anyhow::Result<String> {
        match self {
            Self::Played { trace, .. } => tracefile::fingerprint(trace),
            // A check that was changed is another check.
            Self::Judged { list, command, .. } => Ok(format!("{} {}", list.fingerprint(), script(command))),
        }
    }

    pub(super) fn material(&self, level: Option<Level>) -> Material {
        match self {
            Self::Played { trace, target } | Self::Judged { trace: Some(trace), target, .. } => {
                Material::of(trace, target, level)
            }
            Self::Judged { list, .. } => Material::text(list.lines.iter().map(|line| &**line)),
        }
    }

    /// One of its events or lines, in words.
    pub(super) fn words(&self, position: u32) -> String {
        match self {
            Self::Played { trace, .. } | Self::Judged { trace: Some(trace), .. } => {
                trace.steps[position as usize].event.to_string()
            }
            Self::Judged { list, .. } => {
                let line = String::from_utf8_lossy(&list.lines[position as usize]);
                let line = line.trim_end();
                match line.char_indices().nth(100) {
                    Some((end, _)) => format!("{} ...", &line[..end]),
                    None => line.to_owned(),
                }
            }
        }
    }

    /// The part of a list that is kept, as it is written to a file.
    pub(super) fn kept(&self, kept: &Subset) -> Option<Vec<u8>> {
        match self {
            Self::Judged { list, trace: None, .. } => Some(list.keep(kept)),
            _ => None,
        }
    }

    /// How candidates of a trace are judged on devices.
    pub(super) fn oracle(&self, settings: &ReduceSettings) -> Option<Oracle> {
        let Self::Played { trace, target } = self else { return None };
        Some(Oracle {
            trace: trace.clone(),
            target: target.clone(),
            level: settings.level().ok().flatten().unwrap_or(Level::Activity),
            seed: Seed(settings.seed),
            deadlines: Deadlines::default(),
        })
    }

    /// Says what is wrong with the place where its candidates are to be run, before anything is begun. Returns the
    /// header of what is confirmed there: its start is that of the trace, and the app, the device, the screen and the
    /// seed are those of the runs to come. Where a command judges, nothing is known of them.
    pub(super) fn check(
        &self,
        settings: &ReduceSettings,
        fleet: Option<&Fleet>,
        context: &Context,
    ) -> anyhow::Result<Option<Header>> {
        let (Self::Played { trace, .. }, Some(fleet)) = (self, fleet) else {
            drop(self.lab(settings, fleet, context)?);
            return Ok(self.trace().map(|trace| trace.header.clone()));
        };
        fleet.accept(&trace.header, &"the trace", context.output)?;
        let header = trace.header.clone();
        Ok(Some(Header {
            app: fleet.header.app.clone(),
            device: settings.device.clone(),
            screen: fleet.header.screen.or(header.screen),
            seed: Some(settings.seed),
            ..header
        }))
    }

    /// Where its candidates are run.
    pub(super) fn lab(
        &self,
        settings: &ReduceSettings,
        fleet: Option<&Fleet>,
        context: &Context,
    ) -> anyhow::Result<Box<dyn Lab>> {
        if let (Some(oracle), Some(fleet)) = (self.oracle(settings), fleet) {
            return Ok(fleet.lab(&oracle, &context.interrupt));
        }
        let Self::Judged { list, command, .. } = self else { bail!("no device is given") };
        let oracle = CommandOracle {
            command: command.clone(),
            file: list.name.clone(),
            head: list.head.clone(),
            lines: list.lines.clone(),
            timeout: Duration::from_secs(settings.timeout.unwrap_or(300)),
            folder: std::env::current_dir().context("this folder cannot be found")?,
        };
        if let Some(fault) = oracle.fault() {
            bail!("--to cmd:{command}: {fault}");
        }
        let interrupt = context.interrupt.clone();
        // The oracle keeps its own time, and a command needs no rest as a phone does.
        let patience = Patience { run: oracle.timeout + Duration::from_mins(1), rest: Duration::ZERO };
        let lab = ThreadLab::new(oracle.judges(settings.devices), patience);
        Ok(Box::new(lab.stopping_when(move || interrupt.asked())))
    }
}

/// A hash of the script that a command runs, if it is one that can be found.
fn script(command: &str) -> String {
    let word = command.split_whitespace().next().filter(|word| word.contains('/'));
    let text = word.and_then(|word| std::fs::read(word).ok());
    text.map_or_else(String::new, |text| blake3::hash(&text).to_hex()[..16].to_owned())
}

fn typed(to: Option<&str>) -> anyhow::Result<Option<Target>> {
    to.map(str::parse).transpose().map_err(anyhow::Error::msg)
}

/// Whether a file begins as traces do.
fn is_trace(file: &Path) -> bool {
    use std::io::Read as _;
    let mut start = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(64).read_to_end(&mut start));
    let start: Vec<u8> = start.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
    read.is_ok() && start.starts_with(b"{\"retap\":\"trace\"")
}

fn crash_in(trace: &Trace, wanted: &str, file: &Path) -> anyhow::Result<Target> {
    let crashes = trace.steps.iter().filter_map(|step| step.crash.as_ref()).map(|crash| &crash.signature);
    let fits: BTreeSet<&Signature> = crashes.filter(|signature| signature.0.contains(wanted)).collect();
    let fits: Vec<&Signature> = fits.into_iter().collect();
    match (fits.iter().find(|signature| *signature.0 == *wanted), &fits[..]) {
        (Some(signature), _) | (None, [signature]) => Ok(Target::Crash((*signature).clone())),
        (None, []) => bail!("{} records no crash whose signature contains '{wanted}'", file.display()),
        (None, several) => bail!(
            "--crash {wanted} fits {} crashes that {} records; name one of {}",
            several.len(),
            file.display(),
            several.iter().map(|signature| signature.0.to_string()).collect::<Vec<_>>().join(", ")
        ),
    }
}
