//! One call of a tool: what it was given, what it may do, and a job that it runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use retap_job::{Devices, JobEvent, JobPlan, JobResult, Stop, Unit, Watch, reduce, tracefile};
use retap_show::count;

use crate::arguments::Arguments;
use crate::host::{DeviceNeeds, McpHost, NoticeSink};
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
            if let Some(device) = &header.device {
                self.no_app_outside(field, &file, device)?;
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

    /// A trace names the app that it was recorded in, which is looked for in several folders, and what it includes beside
    /// it.
    fn no_app_outside(&self, field: &str, trace: &Path, device: &str) -> Result<(), String> {
        for folder in self.host.app_folders(trace) {
            let files = self.host.needs(device, &folder).files;
            for file in files.iter().filter(|file| file.exists()) {
                self.root.check(field, file)?;
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

    /// A trace, or the one of the folder that is named.
    pub(crate) fn the_trace(&self, field: &str) -> Result<PathBuf, String> {
        let named = self.existing(field)?;
        let trace = reduce::answer_in(&named).map_err(|error| error.in_words())?.unwrap_or(named);
        self.inside(field, &trace)?;
        Ok(trace)
    }

    /// The device that is asked for, before anything of it, or of the one that is set, is looked at: what stands outside of
    /// the folder is not even told apart from what is not there.
    pub(crate) fn device(&self) -> Result<Option<String>, String> {
        let device = self.arguments.owned("device");
        match (&device, self.host.set().device) {
            (Some(device), _) => drop(self.allowed("device", device)?),
            (None, Some(set)) => drop(self.allowed(&set.place, &set.named)?),
            (None, None) => {}
        }
        Ok(device)
    }

    /// Refuses a belief from outside of the folder, before it is read. Only settings name one.
    pub(crate) fn check_prior(&self) -> Result<(), String> {
        let Some(set) = self.host.set().prior else { return Ok(()) };
        self.inside(&set.place, &reduce::Belief::place(&set.named))
    }

    /// What a device needs, if this server may use that. `who` names the device.
    fn allowed(&self, who: &str, device: &str) -> Result<DeviceNeeds, String> {
        let needs = self.host.needs(device, Path::new(""));
        for file in &needs.files {
            self.root.check(who, file)?;
        }
        match &needs.program {
            Some(program) if !self.commands => Err(format!(
                "{who}: {device} runs the program {}, and this server runs none; leave it out, or start the server with \
                 --allow-commands",
                program.display()
            )),
            _ => Ok(needs),
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
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = said.clone();
        let sink: NoticeSink = Arc::new(move |notice| {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(notice.to_owned());
        });
        let mut watcher = Watcher { call: self, meter: ProgressMeter::default(), notices: Vec::new() };
        let result = self.on(device, plan, sink, |devices| {
            retap_job::run(plan, devices, folder, &mut watcher).map_err(|error| error.in_words())
        })?;
        let mut notices = std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
        notices.append(&mut watcher.notices);
        Ok(JobOutcome { result, notices })
    }

    /// With the devices of a plan, which nobody else uses meanwhile.
    fn on<T>(
        &self,
        device: Option<&str>,
        plan: &JobPlan,
        notices: NoticeSink,
        run: impl FnOnce(Option<&Devices>) -> Result<T, String>,
    ) -> Result<T, String> {
        let (Some(device), Some((_, count))) = (device, plan.device()) else { return run(None) };
        let needs = self.allowed("device", device)?;
        let waiting = || {
            let words = format!("waiting for {device}, which another call uses");
            (self.tell)(CallProgress { words, ..CallProgress::default() });
        };
        let hold = needs.alone.as_deref().map(|what| self.running.take(what, &self.stop, waiting));
        if matches!(hold, Some(None)) {
            return Err(format!("stopped while another call used {device}; nothing was begun"));
        }
        let spare = matches!(plan, JobPlan::Explore(plan) if plan.reduce.is_some());
        let devices = self.host.open(device, count, spare, notices)?;
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
        JobEvent::Resumed { done, unit } => {
            let thing = match unit {
                Unit::Runs => "run",
                Unit::Events => "event",
                Unit::Replays => "replay",
            };
            format!("went on after {} that an earlier call had recorded", count(*done, thing))
        }
        JobEvent::OtherBuild { what, then, device, now } => {
            format!("{what} was recorded on build {then}, and {device} runs build {now}")
        }
        JobEvent::OtherScreen { what, then, device, now } => format!(
            "{what} was recorded on a screen of {}x{}, and {device} has one of {}x{}: touches that go by coordinates may miss",
            then.width, then.height, now.width, now.height
        ),
        JobEvent::TraceChanged { file } => format!(
            "{} was changed since it was confirmed: what was known of it holds no longer",
            file.display()
        ),
        JobEvent::SeveralDevices { others, device } => format!(
            "the traces were recorded on other devices as well ({}); all of them are run on {device}",
            others.join(", ")
        ),
        JobEvent::NoSnapshots { device } => format!("{device} has no snapshots"),
        JobEvent::NotReduced { crash, why } => format!("{crash} was not reduced: {why}"),
        JobEvent::Unsupported { what } => {
            format!("the device does not support {what}; such events were left out")
        }
        JobEvent::SegmentsCut { segments } => {
            format!("{segments} segments end where an earlier process was stopped")
        }
        JobEvent::DeviceFailed { words } => (*words).to_owned(),
        JobEvent::DeviceGivenUp { device, why } => format!("device {device} was not used any more: {why}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use retap_job::reduce::Subject;
    use retap_job::{ExplorePlan, ReducePlan, ReplayPlan, Time};
    use retap_sim::SimDevice;
    use retap_trace::{Event, Header, Step, Target, Trace};

    use super::*;
    use crate::host::{DeviceNeeds, ExploreRequest, ReduceRequest, ReplayRequest, SetNames};

    /// Opens a simulated device that says its own name, while the other call is under way.
    struct Talkative(Barrier);

    impl McpHost for Talkative {
        fn explore(&self, _: &ExploreRequest) -> Result<ExplorePlan, String> {
            unreachable!("nobody explores")
        }
        fn resumed(&self, _: &Path) -> Result<(ExplorePlan, String), String> {
            unreachable!("nobody explores")
        }
        fn reduce(&self, _: Subject, _: &ReduceRequest) -> Result<ReducePlan, String> {
            unreachable!("nobody reduces")
        }
        fn replay(&self, _: &Path, _: &ReplayRequest) -> Result<ReplayPlan, String> {
            unreachable!("the plan is made by hand")
        }
        fn needs(&self, _: &str, _: &Path) -> DeviceNeeds {
            DeviceNeeds::default()
        }
        fn set(&self) -> SetNames {
            SetNames::default()
        }
        fn app_folders(&self, _: &Path) -> Vec<PathBuf> {
            Vec::new()
        }
        fn open(&self, device: &str, _: u32, _: bool, notices: NoticeSink) -> Result<Devices, String> {
            self.0.wait();
            notices(&format!("{device} is open"));
            self.0.wait();
            let opened = SimDevice::open(device, &|file| Err(format!("no {file}")));
            let opened = opened.map_err(|error| error.to_string())?;
            Ok(Devices::new(vec![Box::new(opened)], header(), Time::Virtual))
        }
        fn log(&self, _: &str) {}
    }

    fn header() -> Header {
        Header::new("org.retap.notes")
    }

    /// The notices of a call that replays a trace on this device.
    fn replayed(host: &Talkative, device: &str) -> Vec<String> {
        let root = ServerRoot::to(Path::new(".")).expect("a folder");
        let arguments = Arguments::read(&[], serde_json::Map::new()).expect("none");
        let running = Running::default();
        let call = Call {
            host,
            arguments,
            root: &root,
            commands: false,
            running: &running,
            stop: Stop::default(),
            tell: &|_| {},
        };
        let trace = Trace { header: header(), steps: vec![Step::new(Event::tap(1, 1))] };
        let plan = ReplayPlan::new(Path::new("x"), trace, Target::AnyCrash, device).expect("a plan");
        call.job(&JobPlan::Replay(plan), Some(device), None).expect("it runs").notices
    }

    #[test]
    fn what_a_call_goes_on_after_has_a_name() {
        let said = |unit| notice_of(&JobEvent::Resumed { done: 60, unit });
        for (unit, thing) in [(Unit::Runs, "runs"), (Unit::Events, "events"), (Unit::Replays, "replays")] {
            assert_eq!(
                said(unit),
                Some(format!("went on after 60 {thing} that an earlier call had recorded"))
            );
        }
    }

    #[test]
    fn two_calls_at_once_are_told_of_their_own_devices() {
        let host = Talkative(Barrier::new(2));
        let devices = ["sim:notes", "sim:dalvik"];
        let told = std::thread::scope(|scope| {
            let calls = devices.map(|device| {
                let host = &host;
                scope.spawn(move || replayed(host, device))
            });
            calls.map(|call| call.join().expect("no panic"))
        });
        assert_eq!(told, devices.map(|device| vec![format!("{device} is open")]));
    }
}
