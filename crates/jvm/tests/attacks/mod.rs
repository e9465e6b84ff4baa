//! The apps of these tests, above all the hostile one: built from their folders, opened, attacked with.

#![allow(dead_code, reason = "each test binary uses some of it")]
#![allow(clippy::print_stdout, reason = "what an attack came to is shown where a test fails")]

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retap_device::{Device, DeviceError, Look};
use retap_jvm::{JvmDevice, JvmEnvironment, JvmError, JvmHost, JvmNotices, JvmSpec, SetupError, doctor};
use retap_testing::{Requirement, skipped};
use retap_trace::{Aim, Event, Micros, Observation, Point, Seed, Selector};

pub(crate) const PACKAGE: &str = "org.retap.hostile";
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../jvm/tests/hostile");
/// No attack may take longer, on a busy computer.
const WITHIN: Micros = Micros::from_secs(90);

/// A computer with the Java side. Others wait: an attack is on the whole computer.
pub(crate) struct Lab {
    environment: JvmEnvironment,
    side: PathBuf,
    pub(crate) scratch: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

/// What came of an attack.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Why a call of the device failed.
    pub(crate) failure: Option<String>,
    pub(crate) crashes: Vec<String>,
    /// Ends of the app because of the device.
    pub(crate) own: Vec<String>,
    /// The package in front.
    pub(crate) front: String,
    /// What the app shows.
    pub(crate) result: String,
}

impl Lab {
    /// None where something is missing, which is said.
    pub(crate) fn new(cache: &str) -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        for program in ["java", "javac", "mvn"] {
            if Command::new(program).arg("-version").output().is_err() {
                skipped(Requirement::Java, format_args!("there is no {program}"));
                return None;
            }
        }
        let environment = JvmEnvironment { cache: Some(cache.into()), ..JvmEnvironment::read() };
        let scratch = tempfile::tempdir().expect("this computer works");
        let nothing = scratch.path().join("nothing.apk");
        std::fs::write(&nothing, "").expect("this computer works");
        let spec = spec_of(&nothing);
        match JvmHost::prepare(&spec, &environment, &mut |progress| println!("{progress:?}")) {
            Err(JvmError::Setup(SetupError::Maven { why, .. })) => {
                skipped(Requirement::Java, why);
                return None;
            }
            Err(JvmError::App { .. }) => {}
            other => panic!("an empty file is no app: {other:?}"),
        }
        let checks = doctor::checkup(&spec, &environment, Duration::from_mins(1));
        let side = checks.iter().find(|check| check.name == "Java side").expect("it was built");
        let side = side.found.split_once(" MB in ").and_then(|(_, rest)| rest.split_once("; "));
        let side = side.expect("the doctor says where it is").0.into();
        Some(Self { environment, side, scratch, _alone: alone })
    }

    /// The folder of the Java side.
    pub(crate) fn side(&self) -> &Path {
        &self.side
    }

    /// Whether there is a sandbox; that there is none is said.
    pub(crate) fn is_confined(&self) -> bool {
        let sandbox = retap_jvm::Sandbox::find(&self.environment);
        if let Some(why) = sandbox.warning() {
            skipped(Requirement::Sandbox, why);
        }
        sandbox.bwrap().is_some()
    }

    /// The file of the hostile app.
    pub(crate) fn apk(&self) -> PathBuf {
        self.apk_of("hostile", SOURCES)
    }

    /// The file of an app, built once for each version of its sources and of the Java side.
    pub(crate) fn apk_of(&self, name: &str, sources: &str) -> PathBuf {
        let mut hash = DefaultHasher::new();
        self.side.hash(&mut hash);
        for file in files(Path::new(sources)) {
            std::fs::read(&file).expect("this computer works").hash(&mut hash);
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let apk = folder.join(format!("{name}-{:016x}.apk", hash.finish()));
        if !apk.exists() {
            let target = self.side.join("target");
            let path =
                ["retap-jvm.jar", "build-lib/*", "lib/*"].map(|part| target.join(part).display().to_string());
            let built = Command::new("java")
                .args(["-cp", &path.join(":"), "retap.sample.Build", sources])
                .arg(&apk)
                .output()
                .expect("this computer works");
            assert!(apk.exists(), "{}", String::from_utf8_lossy(&built.stderr));
        }
        apk
    }

    pub(crate) fn prepare(&self, apk: &Path) -> Result<JvmHost, JvmError> {
        self.prepare_with(apk, "")
    }

    fn prepare_with(&self, apk: &Path, options: &str) -> Result<JvmHost, JvmError> {
        let spec = format!("jvm:{}{options}", apk.display()).parse().expect("this computer works");
        JvmHost::prepare(&spec, &self.environment, &mut |_| ())
    }

    /// A device with the hostile app, and what it has to say.
    pub(crate) fn device(&self) -> (JvmDevice, Arc<Mutex<Vec<String>>>) {
        self.device_with(&self.apk(), "")
    }

    /// A device with an app and these options, as `?stay=yes`.
    pub(crate) fn device_with(&self, apk: &Path, options: &str) -> (JvmDevice, Arc<Mutex<Vec<String>>>) {
        let notices: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = notices.clone();
        let host = self.prepare_with(apk, options).expect("this computer works");
        let told =
            JvmNotices::new(move |notice| heard.lock().expect("this computer works").push(notice.to_owned()));
        (host.device(told).expect("this computer works"), notices)
    }
}

fn spec_of(apk: &Path) -> JvmSpec {
    format!("jvm:{}", apk.display()).parse().expect("this computer works")
}

/// Whether there is time for what takes long: see `scripts/soak`.
pub(crate) fn is_soak() -> bool {
    std::env::var_os("RETAP_SOAK_JVM").is_some()
}

/// All files below a folder, in a fixed order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("this computer works")
        .map(|entry| entry.expect("this computer works").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

pub(crate) fn tap(text: &str) -> Event {
    let widget = Selector { text: Some(text.into()), ..Selector::default() };
    Event::Tap(Aim::widget(Point::new(0, 0), widget))
}

/// A fresh start of the app, and one attack, with something typed first.
pub(crate) fn attack(device: &mut JvmDevice, name: &str, input: &str) -> Outcome {
    let before = device.own_crashes().len();
    let mut outcome = Outcome::default();
    let began = std::time::Instant::now();
    match seen_after(device, name, input) {
        Err(error) => outcome.failure = Some(error.to_string()),
        Ok(seen) => {
            seen.crashes.iter().for_each(|crash| println!("{crash}: {}", crash.message));
            outcome.crashes = seen.crashes.iter().map(|crash| crash.signature.to_string()).collect();
            outcome.front = seen.package.to_string();
            outcome.result = shown(&seen, "result").unwrap_or_default();
        }
    }
    outcome.own = device.own_crashes()[before..].iter().map(ToString::to_string).collect();
    let Outcome { failure, crashes, own, result, .. } = &outcome;
    println!("{name}: {failure:?} {crashes:?} {own:?} {result} ({:.1?})", began.elapsed());
    outcome
}

fn seen_after(device: &mut JvmDevice, name: &str, input: &str) -> Result<Observation, DeviceError> {
    device.reset(Seed(1), WITHIN)?;
    device.perform(&Event::Launch, WITHIN)?;
    device.settle(Micros::from_secs(5))?;
    let first = device.observe(Look::Tree, WITHIN)?;
    assert_eq!(shown(&first, "result").as_deref(), Some("ready"), "{name}: a fresh start shows nothing old");
    assert_eq!(first.crashes, [], "{name}: nothing is left of the attack before");
    if !input.is_empty() {
        let field = Selector { hint: Some("input".into()), ..Selector::default() };
        device.perform(&Event::Text { text: input.to_owned(), widget: Some(field) }, WITHIN)?;
        device.settle(Micros::from_secs(5))?;
    }
    device.perform(&tap(name), WITHIN)?;
    device.settle(Micros::from_secs(5))?;
    device.observe(Look::Tree, WITHIN)
}

/// The text of the widget of this description.
pub(crate) fn shown(seen: &Observation, desc: &str) -> Option<String> {
    let nodes = seen.tree.as_ref()?.nodes();
    nodes.iter().find(|node| &*node.desc == desc).map(|node| node.text.to_string())
}

/// The processes that this one has started, and those have.
pub(crate) fn descendants() -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut left = vec![std::process::id()];
    while let Some(process) = left.pop() {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
                found.insert(child);
                left.push(child);
            }
        }
    }
    found
}
