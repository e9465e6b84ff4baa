//! Everything that the devices of one app share: the JDK, the Java side, the app's class files, the sandbox.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::convert;
use crate::device::{JvmDevice, JvmNotices};
use crate::environment::JvmEnvironment;
use crate::error::JvmError;
use crate::intents::{self, TakenIntent};
use crate::run_folder::RunFolder;
use crate::sample;
use crate::sandbox::Sandbox;
use crate::setup::{EMBEDDED, JavaSide, Setup, SetupProgress};
use crate::sidecar;
use crate::spec::{JvmApp, JvmMode, JvmSpec};
use crate::toolchain::Jdk;

/// What people are told while a host is made ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JvmProgress {
    /// The set-up of the first use.
    Setup(SetupProgress),
    /// The sample is built.
    Sample,
    /// The app's code is made into class files.
    Converting,
}

/// Whether Robolectric's native code is set up for this computer.
pub(crate) const IS_SUPPORTED: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// How much of a hash tells builds of one app apart.
const BUILD_DIGITS: usize = 12;

/// A computer that is ready to run an app.
#[derive(Debug, Clone)]
pub struct JvmHost {
    pub(crate) spec: JvmSpec,
    pub(crate) place: JvmPlace,
}

/// How a JVM for the app is started.
#[derive(Debug, Clone)]
pub(crate) struct JvmPlace {
    /// The file of the app, from the root on.
    pub(crate) apk: PathBuf,
    /// Its class files.
    pub(crate) classes: PathBuf,
    /// Other apps on the phone, besides those that are always there.
    pub(crate) intents: Vec<TakenIntent>,
    /// The folder for the folders of running JVMs.
    pub(crate) kept: PathBuf,
    pub(crate) start: JvmStart,
}

/// Where the command line comes from.
#[derive(Debug, Clone)]
pub(crate) enum JvmStart {
    Java(Box<Java>),
    #[cfg(test)]
    Fake(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Java {
    jdk: Jdk,
    side: JavaSide,
    sandbox: Sandbox,
}

impl JvmHost {
    /// Makes this computer ready. On first use that downloads and builds the Java side; afterwards it takes no network.
    pub fn prepare(
        spec: &JvmSpec,
        environment: &JvmEnvironment,
        tell: &mut dyn FnMut(JvmProgress),
    ) -> Result<Self, JvmError> {
        if !IS_SUPPORTED {
            return Err(JvmError::Platform);
        }
        // What is wrong with the app is said before anything is downloaded for it.
        let file = match &spec.app {
            JvmApp::File(path) => Some(readable(path)?),
            JvmApp::Sample => None,
        };
        let table = spec.intents.as_ref().map(|table| spec.app.folder().join(table));
        let intents = table.as_deref().map(intents::read).transpose()?.unwrap_or_default();
        let jdk = Jdk::find(spec.jvm.as_deref(), environment)?;
        let setup = Setup { sources: EMBEDDED, environment, jdk: &jdk };
        let side = setup.run(&mut |progress| tell(JvmProgress::Setup(progress)))?;
        let sandbox = Sandbox::find(environment);
        let apk = match file {
            Some(apk) => apk,
            None => sample::apk(&jdk, &side, &sandbox, &mut || tell(JvmProgress::Sample))?,
        };
        let classes = convert::classes(&jdk, &side, &sandbox, &apk, &mut || tell(JvmProgress::Converting))?;
        let kept = environment.kept().ok_or(crate::SetupError::NoFolder)?;
        let read = [&*apk, &*classes, &*jdk.home, &*side.root];
        let sandbox = sandbox.for_reading(read.into_iter().chain(intents::files(&intents)));
        let start = JvmStart::Java(Box::new(Java { jdk, side, sandbox }));
        let place = JvmPlace { apk, classes, intents, kept, start };
        Ok(Self { spec: spec.clone(), place })
    }

    /// A device with the app. What it has to say in the course of time goes to `notices`, each thing once.
    pub fn device(&self, notices: JvmNotices) -> Result<JvmDevice, JvmError> {
        JvmDevice::open(&self.spec, self.place.clone(), notices)
    }

    /// What the user must know of this computer: that there is no sandbox, or that another Java is used than is named.
    pub fn warnings(&self) -> Vec<String> {
        self.place.warning().map(str::to_owned).into_iter().chain(self.place.java_warning()).collect()
    }
}

/// The file of an app, from the root on.
fn readable(path: &Path) -> Result<PathBuf, JvmError> {
    let unreadable =
        |error: std::io::Error| JvmError::Unreadable { path: path.to_owned(), why: error.to_string() };
    let apk = path.canonicalize().map_err(|error| {
        let meant = retap_trace::did_you_mean(&path.to_string_lossy(), ["sample", "sample.apk"]);
        match meant {
            Some(_) => unreadable(std::io::Error::other(format!(
                "{error} (the app that is part of retap is jvm:sample)"
            ))),
            None => unreadable(error),
        }
    })?;
    // Asked before it is opened: a pipe would wait for somebody to write to it.
    if !std::fs::metadata(&apk).map_err(unreadable)?.is_file() {
        return Err(unreadable(std::io::Error::other("it is no file")));
    }
    std::fs::File::open(&apk).map_err(unreadable)?;
    Ok(apk)
}

impl JvmPlace {
    pub(crate) fn warning(&self) -> Option<&str> {
        match &self.start {
            JvmStart::Java(java) => java.sandbox.warning(),
            #[cfg(test)]
            JvmStart::Fake(_) => None,
        }
    }

    fn java_warning(&self) -> Option<String> {
        match &self.start {
            JvmStart::Java(java) => java.jdk.warning(),
            #[cfg(test)]
            JvmStart::Fake(_) => None,
        }
    }

    /// The first digits of the hash of the app's file, which its class files are named after. Where other apps are on the
    /// phone, those of a hash of them follow: with others it is another phone.
    pub(crate) fn build(&self) -> String {
        let name = self.classes.file_stem().unwrap_or_default().to_string_lossy();
        let app: String = name.chars().take(BUILD_DIGITS).collect();
        match intents::hash(&self.intents) {
            Some(others) => format!("{app} with {}", &others.to_hex()[..BUILD_DIGITS]),
            None => app,
        }
    }

    /// Whether the file of the app is the one that the class files were made of.
    pub(crate) fn is_same_build(&self) -> bool {
        match &self.start {
            JvmStart::Java(_) => convert::hash(&self.apk).is_ok_and(|hash| {
                self.classes.file_stem().is_some_and(|name| name == hash.to_hex().as_str())
            }),
            #[cfg(test)]
            JvmStart::Fake(_) => true,
        }
    }

    /// Where the app finds its data.
    pub(crate) fn data(&self, run: &RunFolder) -> PathBuf {
        match &self.start {
            JvmStart::Java(java) => java.sandbox.data(&run.data()).to_owned(),
            #[cfg(test)]
            JvmStart::Fake(_) => run.data(),
        }
    }

    pub(crate) fn command(&self, run: &RunFolder) -> Command {
        match &self.start {
            JvmStart::Java(java) => {
                let mut readable = vec![&*self.apk, &self.classes];
                readable.extend(intents::files(&self.intents));
                sidecar::main(&java.jdk, &java.side, &java.sandbox, run, &readable)
            }
            #[cfg(test)]
            JvmStart::Fake(script) => crate::fake::command(script),
        }
    }
}

impl JvmMode {
    pub(crate) fn is_wild(self) -> bool {
        self == Self::Wild
    }
}
