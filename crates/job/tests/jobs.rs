//! Jobs as a program of one's own sees them: plans that survive being stored, one resume for all, one stream of events.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use retap_device::Device;
use retap_explore::{Category, Selection};
use retap_job::explore::{ExploreStatus, MonkeyShare, PermissionAnswer, time_travel};
use retap_job::reduce::{Belief, ReduceOptions, ReduceStatus, Subject};
use retap_job::suite::{SuiteStatus, SuiteTraces, UseSnapshots};
use retap_job::{
    Devices, ExplorePlan, JobEvent, JobPlan, JobResult, ReducePlan, ReplayPlan, ReplayStatus,
    ReplaySuitePlan, Stop, SuitePlan, Time, Watch, target_of, tracefile,
};
use retap_mdp::Prior;
use retap_sim::SimDevice;
use retap_trace::{Header, Level};
use tempfile::TempDir;

const DEVICE: &str = "sim:notes?flaky=0.9";

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

fn devices(spec: &str, count: usize) -> Devices {
    devices_in(Time::Virtual, spec, count)
}

fn devices_in(time: Time, spec: &str, count: usize) -> Devices {
    let open = || SimDevice::open(spec, &|file| Err(format!("no {file}"))).expect("an app of the library");
    let header = Header { screen: Some(open().screen()), ..Header::new(open().package()) };
    let phones = (0..count).map(|_| Box::new(open()) as Box<dyn Device>).collect();
    Devices::new(phones, header, time)
}

fn reduce_plan() -> ReducePlan {
    let subject = Subject::read(&sample("notes-sync-conflict.trace.jsonl"), None, None).expect("a sample");
    ReducePlan::new(subject, Some(DEVICE.to_owned()), ReduceOptions::default(), 3).expect("a plan")
}

fn replay_plan() -> ReplayPlan {
    let file = sample("notes-sync-conflict.trace.jsonl");
    let trace = tracefile::read(&file).expect("a sample");
    let target = target_of(&trace, None, &file).expect("it ends in a crash");
    ReplayPlan::new(&file, trace, target, DEVICE).expect("a plan")
}

fn suite_plan() -> SuitePlan {
    let files: Vec<PathBuf> =
        (1..=3).map(|n| sample(&format!("filebrowser-splice-{n}.trace.jsonl"))).collect();
    let traces = SuiteTraces::read(&files).expect("samples");
    SuitePlan::new(files, traces, "sim:filebrowser").expect("a plan")
}

/// A plan of each kind, with the device that it is for.
fn plans() -> Vec<(JobPlan, &'static str)> {
    let explore = ExplorePlan {
        reduce: Some(ReduceOptions { confirm: 5, ..ReduceOptions::default() }),
        ..ExplorePlan::monkey("sim:notes", 900, 7)
    };
    vec![
        (JobPlan::Reduce(reduce_plan()), DEVICE),
        (JobPlan::Explore(explore), "sim:notes"),
        (JobPlan::Suite(suite_plan()), "sim:filebrowser"),
        (JobPlan::Replay(replay_plan()), DEVICE),
    ]
}

/// Stops a job after so many reports of progress.
struct StopsAfter {
    left: usize,
    stop: Stop,
}

impl StopsAfter {
    fn new(left: usize) -> Self {
        Self { left, stop: Stop::default() }
    }
}

impl Watch for StopsAfter {
    fn event(&mut self, event: &JobEvent<'_>) {
        if matches!(event, JobEvent::Progress(_)) {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.stop.ask();
            }
        }
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

/// A result without the folder that it stands in.
fn told(result: &JobResult, folder: &TempDir) -> String {
    let text = serde_json::to_string(result).expect("results are data");
    text.replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn a_job_that_is_stopped_goes_on_by_its_folder_alone() {
    for (plan, spec) in plans() {
        let devices = devices(spec, 1);
        let whole = tempfile::tempdir().expect("a folder");
        let undisturbed =
            retap_job::run(&plan, Some(&devices), Some(whole.path()), &mut |_: &JobEvent<'_>| {});
        let undisturbed = told(&undisturbed.expect("a result"), &whole);

        let folder = tempfile::tempdir().expect("a folder");
        let first = retap_job::run(&plan, Some(&devices), Some(folder.path()), &mut StopsAfter::new(4));
        let mut last = told(&first.expect("a result"), &folder);
        assert_ne!(last, undisturbed, "nothing was stopped: {plan:?}");
        for after in (5..).step_by(9) {
            let result = retap_job::resume(folder.path(), Some(&devices), &mut StopsAfter::new(after));
            last = told(&result.expect("a result"), &folder);
            if last == undisturbed {
                break;
            }
            assert!(after < 5000, "it does not come to its end: {last}\n{undisturbed}");
        }
    }
}

/// Devices of this world, whose runs are told from the journal: what an exploration does is then of this process.
#[test]
fn a_job_on_real_devices_goes_on_by_its_folder_alone() {
    for (plan, spec) in plans() {
        let devices = devices_in(Time::Real, spec, 1);
        let folder = tempfile::tempdir().expect("a folder");
        let first = retap_job::run(&plan, Some(&devices), Some(folder.path()), &mut StopsAfter::new(4));
        let mut last = first.expect("a result");
        let mut events = 0;
        for after in (5..).step_by(40) {
            if finished(&last) {
                break;
            }
            last = retap_job::resume(folder.path(), Some(&devices), &mut StopsAfter::new(after))
                .expect("a result");
            if let JobResult::Explore(result) = &last {
                assert!(result.events >= events, "{} after {events}", result.events);
                events = result.events;
            }
            assert!(after < 5000, "it does not come to its end: {last:?}");
        }
        if let (JobResult::Explore(result), JobPlan::Explore(plan)) = (&last, &plan) {
            assert_eq!(Some(result.events), plan.events);
        }
        // Asked to stop at once, it still knows what was done.
        let again =
            retap_job::resume(folder.path(), Some(&devices), &mut StopsAfter::new(1)).expect("a result");
        assert_eq!(told(&again, &folder), told(&last, &folder));
    }
}

fn finished(result: &JobResult) -> bool {
    match result {
        JobResult::Reduce(result) => result.status == ReduceStatus::Reduced,
        JobResult::Explore(result) => result.status == ExploreStatus::Done,
        JobResult::Suite(result) => result.status == SuiteStatus::Done,
        JobResult::Replay(result) => result.status == ReplayStatus::Done,
        JobResult::ReplaySuite(result) => result.failed == 0,
    }
}

/// A result that knew only some of what is recorded would be untrue.
#[test]
fn a_wish_to_stop_waits_until_everything_recorded_is_known() {
    for (plan, spec) in plans() {
        let (devices, folder) = (devices(spec, 1), tempfile::tempdir().expect("a folder"));
        let stopped = retap_job::run(&plan, Some(&devices), Some(folder.path()), &mut StopsAfter::new(30));
        let stopped = told(&stopped.expect("a result"), &folder);
        let again = retap_job::resume(folder.path(), Some(&devices), &mut StopsAfter::new(1));
        let again = told(&again.expect("a result"), &folder);
        let figure = |text: &str| {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            ["runs", "events", "replays"].iter().find_map(|name| value[name].as_u64()).expect("a figure")
        };
        assert!(figure(&again) >= figure(&stopped), "{stopped}\n{again}");
        assert!(figure(&stopped) >= 9, "{stopped}");
    }
}

/// Makes a plan another one.
type Change = fn(&mut ReducePlan);

#[test]
fn another_plan_in_the_same_folder_is_refused() {
    let (folder, phone) = (tempfile::tempdir().expect("a folder"), devices(DEVICE, 1));
    let run = |plan: ReducePlan| {
        let watch = &mut |_: &JobEvent<'_>| {};
        retap_job::run(&JobPlan::Reduce(plan), Some(&phone), Some(folder.path()), watch)
    };
    let mut first = reduce_plan();
    first.options.rule = "2/3".parse().expect("a rule");
    first.options.prior = Some(Belief::Given(Prior::recovered()));
    first.options.confirm = 3;
    let without = |change: Change| {
        let mut other = first.clone();
        change(&mut other);
        other
    };
    run(first.clone()).expect("a result");
    run(first.clone()).expect("the same plan goes on");
    let others: [(&str, Change); 5] = [
        ("prior", |plan| plan.options.prior = None),
        ("rule", |plan| plan.options.rule = "1/1".parse().expect("a rule")),
        ("confirm", |plan| plan.options.confirm = 4),
        ("seed", |plan| plan.seed += 1),
        ("parts", |plan| plan.options.parts = Some(5)),
    ];
    for (name, change) in others {
        let said = run(without(change)).expect_err("another plan").to_string();
        assert!(said.contains("holds another session") && said.contains(name), "{name}: {said}");
    }
}

/// Runs of two builds are no evidence of one app.
#[test]
fn a_session_of_another_build_is_not_gone_on_with() {
    for (plan, spec) in plans() {
        if matches!(plan, JobPlan::Explore(_)) {
            continue; // What another build does differently is noticed when it is compared.
        }
        let folder = tempfile::tempdir().expect("a folder");
        let run = |build: &str, after: usize| {
            let mut phone = devices(spec, 1);
            phone.header.app.build = Some(build.into());
            retap_job::run(&plan, Some(&phone), Some(folder.path()), &mut StopsAfter::new(after))
        };
        run("1", 3).expect("a result");
        let said = run("2", 999).expect_err("another build").to_string();
        assert!(said.contains("begun on build 1") && said.contains("runs build 2"), "{said}");
        run("1", 999).expect("the same build goes on");
    }
}

/// Every kind of job, with devices that fail at every event: a result, and why.
#[test]
fn a_lost_device_is_a_result() {
    let suite = tempfile::tempdir().expect("a folder");
    let plan = JobPlan::Suite(suite_plan());
    let phone = devices("sim:filebrowser", 1);
    retap_job::run(&plan, Some(&phone), Some(suite.path()), &mut |_: &JobEvent<'_>| {}).expect("a suite");
    let replay_suite = ReplaySuitePlan {
        suite: suite.path().join("suite"),
        device: "sim:filebrowser".to_owned(),
        devices: 1,
        seed: 1,
    };
    let mut all = plans();
    all.push((JobPlan::ReplaySuite(replay_suite), "sim:filebrowser"));
    for (plan, spec) in all {
        let app = spec.split('?').next().expect("a name");
        let phone = devices(&format!("{app}?offline=1"), 1);
        let folder = tempfile::tempdir().expect("a folder");
        let place = if matches!(plan, JobPlan::ReplaySuite(_)) { None } else { Some(folder.path()) };
        let result =
            retap_job::run(&plan, Some(&phone), place, &mut |_: &JobEvent<'_>| {}).expect("a result");
        let why = match &result {
            JobResult::Reduce(result) => result.details.no_device_left.clone(),
            JobResult::Explore(result) => result.why.clone(),
            JobResult::Suite(result) => result.details.why.clone(),
            JobResult::Replay(result) => result.why.clone(),
            JobResult::ReplaySuite(result) => {
                assert!(!result.not_run.is_empty() && result.traces.is_empty(), "{result:?}");
                result.why.clone()
            }
        };
        assert!(why.is_some_and(|why| why.contains("is offline")), "{result:?}");
    }
}

#[test]
fn plans_survive_being_stored() {
    let mut settings = time_travel::usual();
    time_travel::set(&mut settings, "easy", 0.25).expect("a share");
    settings.selection = Selection::NEIGHBOURHOOD;
    let mut explore = ExplorePlan {
        strategy: "timetravel".parse().expect("a strategy"),
        percentages: vec![MonkeyShare { category: Category::Touch, percent: 60 }],
        time_travel: settings,
        minutes: Some(3),
        until_crash_after: Some(300),
        ..ExplorePlan::monkey("sim:notes", 10, 9)
    };
    explore.rules.avoid = vec!["Delete".to_owned()];
    explore.rules.permissions = PermissionAnswer::Deny;
    let mut reduce = reduce_plan();
    reduce.options = ReduceOptions {
        search: "ddmin".parse().expect("a search"),
        rule: "18/20".parse().expect("a rule"),
        schedule: "heuristic".parse().expect("a schedule"),
        parts: Some(5),
        prior: Some(Belief::Given(Prior::recovered())),
        level: Some(Level::Layout),
        min_rate: Some(0.25),
        ..reduce.options
    };
    let mut suite = suite_plan();
    suite.use_snapshots = UseSnapshots::Off;
    let folder = PathBuf::from("night/suite");
    let replay_suite = ReplaySuitePlan { suite: folder, device: DEVICE.to_owned(), devices: 2, seed: 5 };
    let mut plans: Vec<JobPlan> = plans().into_iter().map(|(plan, _)| plan).collect();
    plans.extend([
        JobPlan::Explore(explore),
        JobPlan::Reduce(reduce),
        JobPlan::Suite(suite),
        JobPlan::ReplaySuite(replay_suite),
    ]);
    for plan in plans {
        let text = serde_json::to_string(&plan).expect("plans are data");
        let again: JobPlan = serde_json::from_str(&text).expect("the same plan");
        assert_eq!(serde_json::to_string(&again).expect("plans are data"), text);
        assert_eq!(again.device(), plan.device());
    }
    for rule in
        ["auto", "1/1", "18/20", "sprt:0.8,0.95,0.2,0.1", "sprt:0.8,0.95,0.2,0.1,30", "bayes:0.85@0.97"]
    {
        let stored = ReduceOptions { rule: rule.parse().expect("a rule"), ..ReduceOptions::default() };
        let text = serde_json::to_string(&stored).expect("plans are data");
        let again: ReduceOptions = serde_json::from_str(&text).expect("the same options");
        assert_eq!(again.rule.to_string(), stored.rule.to_string(), "{text}");
    }
}

#[test]
fn every_run_is_told_once_and_the_end_last() {
    let (folder, devices) = (tempfile::tempdir().expect("a folder"), devices(DEVICE, 2));
    let told = RefCell::new((0, 0, 0, Vec::new()));
    let mut watch = |event: &JobEvent<'_>| {
        let (runs, values, recordings, ends) = &mut *told.borrow_mut();
        match event {
            JobEvent::Run(_) => *runs += 1,
            JobEvent::ValueRun(_) => *values += 1,
            JobEvent::Recording(_) => *recordings += 1,
            _ => {}
        }
        ends.push(matches!(event, JobEvent::Finished(_)));
    };
    let mut plan = reduce_plan();
    plan.devices = 2;
    let plan = JobPlan::Reduce(plan);
    let result = retap_job::run(&plan, Some(&devices), Some(folder.path()), &mut watch).expect("a result");
    let JobResult::Reduce(result) = result else { panic!("a reduction has the result of one") };
    let (runs, values, recordings, ends) = told.into_inner();
    assert_eq!(runs + values, result.runs + result.runs_inconclusive, "{result:?}");
    assert_eq!(recordings, result.recordings);
    assert!(values > 0 && recordings > 0, "{result:?}");
    assert_eq!(ends.iter().position(|end| *end), Some(ends.len() - 1));
}

#[test]
fn what_cannot_be_done_is_refused_with_a_sentence() {
    let scratch = tempfile::tempdir().expect("a folder");
    let refuse = |plan: &JobPlan, devices: Option<&Devices>| {
        let folder = scratch.path().join("session");
        let refused = retap_job::run(plan, devices, Some(&folder), &mut |_: &JobEvent<'_>| {});
        assert!(!folder.exists(), "a folder was made");
        refused.expect_err("it cannot be done").in_words()
    };
    for (plan, _) in plans() {
        assert_eq!(refuse(&plan, None), "no device is given");
    }
    for (plan, spec) in plans() {
        assert_eq!(refuse(&plan, Some(&devices(spec, 3))), "the plan is for 1 devices, and 3 are given");
    }
    let (phone, plan) = (devices("sim:diner", 1), JobPlan::Reduce(reduce_plan()));
    let said = refuse(&plan, Some(&phone));
    assert!(said.contains("is of the app") && said.contains("runs"), "{said}");

    // A plan that is read again names its input, which must say what it said.
    let file = scratch.path().join("x.trace.jsonl");
    std::fs::copy(sample("notes-sync-conflict.trace.jsonl"), &file).expect("room for a file");
    let subject = Subject::read(&file, None, None).expect("a sample");
    let plan =
        ReducePlan::new(subject, Some(DEVICE.to_owned()), ReduceOptions::default(), 3).expect("a plan");
    let text = serde_json::to_string(&JobPlan::Reduce(plan)).expect("plans are data");
    std::fs::copy(sample("notes-thumbnail.trace.jsonl"), &file).expect("room for a file");
    let plan: JobPlan = serde_json::from_str(&text).expect("a plan");
    let said = refuse(&plan, Some(&devices(DEVICE, 1)));
    assert!(said.contains("x.trace.jsonl has changed"), "{said}");
}

#[test]
fn a_folder_of_something_else_is_no_job() {
    let scratch = tempfile::tempdir().expect("a folder");
    assert!(retap_job::plan_in(scratch.path()).is_err());
    let plan = retap_store::Plan::new(env!("CARGO_PKG_VERSION"), "dance", serde_json::json!({}));
    drop(retap_store::Session::create(scratch.path(), &plan).expect("a session"));
    let said = retap_job::plan_in(scratch.path()).expect_err("no job").to_string();
    assert!(said.contains("dance"), "{said}");
    let old = tempfile::tempdir().expect("a folder");
    let plan = retap_store::Plan::new("0.0.1", "reduce", serde_json::json!({}));
    drop(retap_store::Session::create(old.path(), &plan).expect("a session"));
    let said = retap_job::plan_in(old.path()).expect_err("another version").to_string();
    assert!(said.contains("0.0.1") && said.contains(env!("CARGO_PKG_VERSION")), "{said}");
}
