//! One call of a tool: what it was given, what it may do, and a job that it runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use retap_job::{Devices, JobEvent, JobPlan, JobResult, Stop, Watch, tracefile};

use crate::arguments::Arguments;
use crate::host::McpHost;
use crate::progress::{CallProgress, ProgressMeter};
use crate::root::ServerRoot;
use crate::running::Running;

/// One call of a tool.
pub(crate) struct Call<'a> {
    pub(crate) host: &'a dyn McpHost,
    pub(crate) arguments: Arguments,
    pub(crate) root: &'a ServerRoot,
    /// Whether it may run commands of the client's choice.
    pub(crate) commands: bool,
    pub(crate) running: &'a Running,
    pub(crate) stop: Stop,
    /// Tells the client how far it is.
    pub(crate) tell: &'a dyn Fn(CallProgress),
}

/// What came of a job, and what devices and the job had to say of it.
pub(crate) struct JobOutcome {
    pub(crate) result: JobResult,
    pub(crate) notices: Vec<String>,
}

impl Call<'_> {
    /// The path in a field, which must not lead out of the folder.
    pub(crate) fn path(&self, field: &str) -> Result<Option<PathBuf>, String> {
        let path = self.arguments.path(field);
        path.map(|path| self.inside(field, &path).map(|()| path)).transpose()
    }

    /// Refuses a path that leads out of the folder, or from which something would be read or written outside: by links in
    /// a folder, by the trace that a trace goes on from, or by the app that a trace names.
    pub(crate) fn inside(&self, field: &str, path: &Path) -> Result<(), String> {
        self.root.check(field, path)?;
        if path.is_dir() {
            return self.root.check_links(field, path);
        }
        let mut known = BTreeSet::new();
        let mut file = path.to_owned();
        // What is no trace, or a wrong one, is told by who reads it.
        while file.is_file()
            && known.insert(file.clone())
            && let Ok(header) = tracefile::header(&file)
        {
            for app in header.device.iter().flat_map(|device| self.host.needs(device).files) {
                self.no_app_outside(field, path, &app)?;
            }
            let Some(after) = header.after else { break };
            // Other than by name no trace is found, which is told as well.
            if Path::new(&after.trace).file_name() != Some(after.trace.as_ref()) {
                break;
            }
            file.set_file_name(after.trace);
            self.root.check(field, &file)?;
        }
        Ok(())
    }

    /// A trace names the app that it was recorded in, which is looked for in several folders.
    fn no_app_outside(&self, field: &str, trace: &Path, app: &Path) -> Result<(), String> {
        for folder in std::iter::once(Path::new("")).chain(trace.ancestors().skip(1).take(3)) {
            let file = folder.join(app);
            if file.exists() {
                self.root.check(field, &file)?;
            }
        }
        Ok(())
    }

    /// The same of a file or folder that must be there.
    pub(crate) fn existing(&self, field: &str) -> Result<PathBuf, String> {
        let path = self.path(field)?.ok_or_else(|| format!("{field} is missing"))?;
        match path.try_exists() {
            Ok(true) => Ok(path),
            Ok(false) => Err(format!("{field}: there is no file or folder {}", path.display())),
            Err(why) => Err(format!("{field}: {}: {why}", path.display())),
        }
    }

    /// Does a job on a device that is opened for it, in a folder of its own or in this one.
    pub(crate) fn job(
        &self,
        plan: &JobPlan,
        device: Option<&str>,
        folder: Option<&Path>,
    ) -> Result<JobOutcome, String> {
        self.inside("out", folder.unwrap_or(Path::new(retap_job::folder::USUAL)))?;
        let said_before = self.host.notices().len();
        let mut watcher = Watcher { call: self, meter: ProgressMeter::default(), notices: Vec::new() };
        let result = self.on(device, plan, |devices| {
            retap_job::run(plan, devices, folder, &mut watcher).map_err(|error| error.in_words())
        })?;
        let mut notices: Vec<String> = self.host.notices().into_iter().skip(said_before).collect();
        notices.append(&mut watcher.notices);
        Ok(JobOutcome { result, notices })
    }

    /// With the devices of a plan, which nobody else uses meanwhile.
    fn on<T>(
        &self,
        device: Option<&str>,
        plan: &JobPlan,
        run: impl FnOnce(Option<&Devices>) -> Result<T, String>,
    ) -> Result<T, String> {
        let (Some(device), Some((_, count))) = (device, plan.device()) else { return run(None) };
        let needs = self.host.needs(device);
        for file in &needs.files {
            self.root.check("device", file)?;
        }
        if let (Some(program), false) = (&needs.program, self.commands) {
            return Err(format!(
                "device: {device} runs the program {}, and this server runs none; leave it out, or start the server with \
                 --allow-commands",
                program.display()
            ));
        }
        let waiting = || {
            let words = format!("waiting for {device}, which another call uses");
            (self.tell)(CallProgress { words, ..CallProgress::default() });
        };
        let hold = needs.alone.as_deref().map(|what| self.running.take(what, &self.stop, waiting));
        if matches!(hold, Some(None)) {
            return Err(format!("stopped while another call used {device}; nothing was begun"));
        }
        let spare = matches!(plan, JobPlan::Explore(plan) if plan.reduce.is_some());
        let devices = self.host.open(device, count, spare)?;
        run(Some(&devices))
    }
}

/// Tells the client how far a job is, and keeps what is amiss.
struct Watcher<'a> {
    call: &'a Call<'a>,
    meter: ProgressMeter,
    notices: Vec<String>,
}

impl Watch for Watcher<'_> {
    fn event(&mut self, event: &JobEvent<'_>) {
        if let JobEvent::Progress(progress) = event {
            if let Some(at) = self.meter.at(progress) {
                (self.call.tell)(at);
            }
            return;
        }
        if let Some(notice) = notice_of(event) {
            self.call.host.log(&notice);
            self.notices.push(notice);
        }
    }

    fn stop(&self) -> Stop {
        self.call.stop.clone()
    }
}

/// What a client must know of a job besides its result.
fn notice_of(event: &JobEvent<'_>) -> Option<String> {
    Some(match event {
        JobEvent::Resumed { done, .. } => format!("went on after {done} that an earlier call had recorded"),
        JobEvent::OtherBuild { what, then, device, now } => {
            format!("{what} was recorded on build {then}, and {device} runs build {now}")
        }
        JobEvent::OtherScreen { what, then, device, now } => format!(
            "{what} was recorded on a screen of {}x{}, and {device} has one of {}x{}: touches that go by coordinates may miss",
            then.width, then.height, now.width, now.height
        ),
        JobEvent::NoSnapshots { device } => format!("{device} has no snapshots"),
        JobEvent::NotReduced { crash, why } => format!("{crash} was not reduced: {why}"),
        JobEvent::Unsupported { what } => {
            format!("the device does not support {what}; such events were left out")
        }
        JobEvent::SegmentsCut { segments } => {
            format!("{segments} segments end where an earlier process was stopped")
        }
        JobEvent::DeviceGivenUp { device, why } => format!("device {device} was not used any more: {why}"),
        _ => return None,
    })
}
