//! What is being reduced, and who judges its candidates.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use retap_lab::{CommandOracle, Deadlines, Lab, Oracle, Patience, ThreadLab};
use retap_reduce::Subset;
use retap_reduce::search::Material;
use retap_trace::{Header, Level, Seed, Signature, Target, Trace};

use super::list::List;
use super::{ReducePlan, ReducedOf};
use crate::devices::Devices;
use crate::error::{Doing as _, Result, refuse};
use crate::target::target_of;
use crate::tracefile;
use crate::watch::{Stop, Watching};

/// A trace or a list, and what its runs must reach.
#[derive(Debug, Clone)]
pub struct Subject {
    file: PathBuf,
    target: Target,
    kind: SubjectKind,
}

#[derive(Debug, Clone)]
enum SubjectKind {
    /// A trace whose candidates are played on devices.
    Played(Arc<Trace>),
    /// A list whose candidates a command judges; the steps of a trace, or the lines of any text.
    Judged { list: List, trace: Option<Arc<Trace>>, command: String },
}

impl Subject {
    /// Reads what was named. Its target is the one that is given, or the crash whose signature contains these words, or
    /// what the trace itself says.
    pub fn read(file: &Path, target: Option<&Target>, crash: Option<&str>) -> Result<Self> {
        if let Some(Target::Command(command)) = target {
            let trace = if is_trace(file) { Some(Arc::new(tracefile::read(file)?)) } else { None };
            let list = match &trace {
                Some(trace) => List::of_trace(trace, file)?,
                None => List::read(file)?,
            };
            let kind = SubjectKind::Judged { list, trace, command: command.clone() };
            return Ok(Self { file: file.to_owned(), target: Target::Command(command.clone()), kind });
        }
        let trace = tracefile::read(file)?;
        let target = match crash {
            Some(wanted) => crash_in(&trace, wanted, file)?,
            None => target_of(&trace, target, file)?,
        };
        Ok(Self { file: file.to_owned(), target, kind: SubjectKind::Played(Arc::new(trace)) })
    }

    /// The answer is recorded on this device, so its trace names it.
    pub(super) fn played_on(&mut self, device: Option<&str>) {
        if let SubjectKind::Played(trace) = &mut self.kind
            && trace.header.device.as_deref() != device
        {
            let header = &mut Arc::make_mut(trace).header;
            (header.device, header.platform) = (device.map(str::to_owned), None);
        }
    }

    /// The file that it was read from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What a run must reach.
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// The trace, unless it is any other list.
    pub const fn trace(&self) -> Option<&Arc<Trace>> {
        match &self.kind {
            SubjectKind::Played(trace) => Some(trace),
            SubjectKind::Judged { trace, .. } => trace.as_ref(),
        }
    }

    /// What it is.
    pub(super) const fn of(&self) -> ReducedOf {
        if self.trace().is_some() { ReducedOf::Trace } else { ReducedOf::Text }
    }

    /// Whether its candidates are played on devices.
    pub const fn is_played(&self) -> bool {
        matches!(self.kind, SubjectKind::Played(_))
    }

    pub(super) fn events(&self) -> u32 {
        let events = match &self.kind {
            SubjectKind::Played(trace) => trace.steps.len(),
            SubjectKind::Judged { list, .. } => list.lines.len(),
        };
        u32::try_from(events).expect("longer ones are not read")
    }

    pub(super) fn fingerprint(&self) -> Result<String> {
        match &self.kind {
            SubjectKind::Played(trace) => tracefile::fingerprint(trace),
            // A check that was changed is another check.
            SubjectKind::Judged { list, command, .. } => {
                Ok(format!("{} {}", list.fingerprint(), script(command)))
            }
        }
    }

    pub(super) fn material(&self, level: Option<Level>) -> Material {
        match &self.kind {
            SubjectKind::Played(trace) | SubjectKind::Judged { trace: Some(trace), .. } => {
                Material::of(trace, &self.target, level)
            }
            SubjectKind::Judged { list, .. } => Material::text(list.lines.iter().map(|line| &**line)),
        }
    }

    /// One of its events or lines, in words.
    pub(super) fn words(&self, position: u32) -> String {
        match &self.kind {
            SubjectKind::Played(trace) | SubjectKind::Judged { trace: Some(trace), .. } => {
                trace.steps[position as usize].event.to_string()
            }
            SubjectKind::Judged { list, .. } => {
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
        match &self.kind {
            SubjectKind::Judged { list, trace: None, .. } => Some(list.keep(kept)),
            _ => None,
        }
    }

    /// How candidates of a trace are judged on devices.
    pub(super) fn oracle(&self, plan: &ReducePlan) -> Option<Oracle> {
        let SubjectKind::Played(trace) = &self.kind else { return None };
        Some(Oracle {
            trace: trace.clone(),
            target: self.target.clone(),
            level: plan.options.level.unwrap_or(Level::Activity),
            seed: Seed(plan.seed),
            deadlines: Deadlines::default(),
            strict: false,
        })
    }

    /// Says what is wrong with the place where its candidates are to be run, before anything is begun. Returns the
    /// header of what is confirmed there: its start is that of the trace, and the app, the device, the screen and the
    /// seed are those of the runs to come. Where a command judges, nothing is known of them.
    pub(super) fn check(
        &self,
        plan: &ReducePlan,
        devices: Option<&Devices>,
        watching: &Watching<'_>,
    ) -> Result<Option<Header>> {
        let (SubjectKind::Played(trace), Some(devices)) = (&self.kind, devices) else {
            drop(self.lab(plan, devices, watching.stop())?);
            return Ok(self.trace().map(|trace| trace.header.clone()));
        };
        devices.accept(&trace.header, &"the trace", watching)?;
        let header = trace.header.clone();
        Ok(Some(Header {
            app: devices.header.app.clone(),
            device: plan.device.clone(),
            platform: devices.header.platform.clone(),
            screen: devices.header.screen.or(header.screen),
            seed: Some(plan.seed),
            ..header
        }))
    }

    /// Where its candidates are run.
    pub(super) fn lab(
        &self,
        plan: &ReducePlan,
        devices: Option<&Devices>,
        stop: &Stop,
    ) -> Result<Box<dyn Lab>> {
        if let (Some(oracle), Some(devices)) = (self.oracle(plan), devices) {
            return Ok(devices.lab(&oracle, stop));
        }
        let SubjectKind::Judged { list, command, .. } = &self.kind else { refuse!("no device is given") };
        let oracle = CommandOracle {
            command: command.clone(),
            file: list.name.clone(),
            head: list.head.clone(),
            lines: list.lines.clone(),
            timeout: Duration::from_secs(plan.timeout.unwrap_or(300)),
            folder: std::env::current_dir().doing(|| "this folder cannot be found")?,
        };
        if let Some(fault) = oracle.fault() {
            refuse!("--to cmd:{command}: {fault}");
        }
        let stop = stop.clone();
        // The oracle keeps its own time, and a command needs no rest as a phone does.
        let patience = Patience { run: oracle.timeout + Duration::from_mins(1), rest: Duration::ZERO };
        let lab = ThreadLab::new(oracle.judges(plan.devices), patience);
        Ok(Box::new(lab.stopping_when(move || stop.asked())))
    }
}

/// A hash of the script that a command runs, if it is one that can be found.
fn script(command: &str) -> String {
    let word = command.split_whitespace().next().filter(|word| word.contains('/'));
    let text = word.and_then(|word| std::fs::read(word).ok());
    text.map_or_else(String::new, |text| blake3::hash(&text).to_hex()[..16].to_owned())
}

/// Whether a file begins as traces do.
fn is_trace(file: &Path) -> bool {
    use std::io::Read as _;
    let mut start = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(64).read_to_end(&mut start));
    let start: Vec<u8> = start.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
    read.is_ok() && start.starts_with(b"{\"retap\":\"trace\"")
}

fn crash_in(trace: &Trace, wanted: &str, file: &Path) -> Result<Target> {
    let crashes = trace.steps.iter().filter_map(|step| step.crash.as_ref()).map(|crash| &crash.signature);
    // No step has the crash of an app that crashes when it starts; the header names it.
    let named = match &trace.header.target {
        Some(Target::Crash(signature)) => Some(signature),
        _ => None,
    };
    let known = crashes.chain(named);
    let fits: BTreeSet<&Signature> = known.filter(|signature| signature.0.contains(wanted)).collect();
    let fits: Vec<&Signature> = fits.into_iter().collect();
    match (fits.iter().find(|signature| *signature.0 == *wanted), &fits[..]) {
        (Some(signature), _) | (None, [signature]) => Ok(Target::Crash((*signature).clone())),
        (None, []) => refuse!("{} records no crash whose signature contains '{wanted}'", file.display()),
        (None, several) => refuse!(
            "--crash {wanted} fits {} crashes that {} records; name one of {}",
            several.len(),
            file.display(),
            several.iter().map(|signature| signature.0.to_string()).collect::<Vec<_>>().join(", ")
        ),
    }
}
