//! The Java side, built on first use: its sources are part of this library, and Maven gets what they need.
//!
//! Invariants: a folder that is in its place is complete; what was downloaded is what was pinned; of two who build at
//! once one waits for the other.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::environment::JvmEnvironment;
use crate::toolchain::{Jdk, ToolError, maven};
use crate::{run, spawn};

mod log;
mod old;

pub(crate) use log::Downloads;

/// The sources: names and texts.
pub(crate) type Sources = &'static [(&'static str, &'static [u8])];

/// The sources that are part of this library.
pub(crate) const EMBEDDED: Sources = include!(concat!(env!("OUT_DIR"), "/java_side.rs"));

/// The Java side, ready to use.
#[derive(Debug, Clone)]
pub struct JavaSide {
    /// Its folder.
    pub root: PathBuf,
    /// What it consists of, our own part first.
    pub(crate) jars: Vec<PathBuf>,
    /// What only the builder of the sample uses: it has classes of Android's names in it.
    pub(crate) builder: Vec<PathBuf>,
    /// What keeps it from being removed.
    _hold: Option<Arc<File>>,
}

/// How far the set-up is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupProgress {
    /// It is about to download what it needs.
    Begins {
        /// About so many megabytes.
        megabytes: u32,
        /// Where everything goes.
        folder: PathBuf,
    },
    /// Another process is at it.
    Waiting,
    /// So much was downloaded so far.
    Downloaded {
        /// How many files.
        files: u32,
        /// How many megabytes.
        megabytes: u32,
    },
    /// What another version has built was removed: nobody has used it for long.
    Removed {
        /// Its folder.
        folder: PathBuf,
    },
    /// It is done.
    Done {
        /// How long it took.
        took: Duration,
    },
}

/// Why the Java side could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Nowhere to put it.
    #[error("there is no folder for the Java side; set HOME or XDG_CACHE_HOME")]
    NoFolder,
    /// Built without the sources.
    #[error("this retap was built without its Java side; build it from the whole project")]
    NoSources,
    #[error("{} cannot be written: {why}; set XDG_CACHE_HOME to a folder that can be written", path.display())]
    Folder { path: PathBuf, why: String },
    /// Maven failed.
    #[error("Maven could not build the Java side ({why}); its whole output is in {}{last}", log.display())]
    Maven { why: String, log: PathBuf, last: String },
    /// Something else was downloaded than was pinned.
    #[error("{file} is not what was expected: {why}; nothing of it is used")]
    Artifact { file: String, why: String },
}

/// What is told before it begins: what was measured with nothing there, Maven's own parts included.
pub(crate) const MEGABYTES: u32 = 360;
/// A slow line may take its time.
const LONGEST: Duration = Duration::from_hours(3);
const LOOK: Duration = Duration::from_millis(50);
const TELL: Duration = Duration::from_secs(3);
const LAST_LINES: usize = 12;
/// The hashes and names of what was verified, in the folder that is complete.
const CONTENTS: &str = "verified.txt";
const OWN_JAR: &str = "retap-jvm.jar";
/// Where Maven puts what it has downloaded: libraries, Android itself, and what the sample is built with.
const LIBRARIES: [&str; 3] = ["target/lib", "target/framework", BUILDER];
const BUILDER: &str = "target/build-lib";

/// The Maven that is running. Of several set-ups in this process one goes on at a time.
static MAVEN: Mutex<Option<Child>> = Mutex::new(None);

/// Ends the Maven of a set-up that is under way, for a process that is about to end: left alone, it would go on to
/// write where the next set-up does. The set-up fails.
pub fn end_setup() {
    if let Some(mut maven) = Maven::running().take() {
        spawn::end(&mut maven);
    }
}

/// The Maven of a set-up. Dropping it ends it.
struct Maven;

impl Maven {
    fn running() -> MutexGuard<'static, Option<Child>> {
        MAVEN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(command: Command) -> io::Result<Self> {
        let mut running = Self::running();
        *running = Some(spawn::spawn(command)?);
        Ok(Self)
    }

    /// How it ended; none while it is running.
    fn ended() -> io::Result<Option<ExitStatus>> {
        match Self::running().as_mut() {
            Some(child) => child.try_wait(),
            None => Err(io::Error::other("it was interrupted")),
        }
    }
}

impl Drop for Maven {
    fn drop(&mut self) {
        end_setup();
    }
}

/// What a set-up needs to know.
#[derive(Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) sources: Sources,
    pub(crate) environment: &'a JvmEnvironment,
    pub(crate) jdk: &'a Jdk,
}

/// The folder of the Java side of these sources; its name tells them from those of other versions.
pub(crate) fn place(sources: Sources, kept: &Path) -> PathBuf {
    let mut hash = blake3::Hasher::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    for (name, text) in sources {
        for part in [name.as_bytes(), text] {
            hash.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(part);
        }
    }
    kept.join(&hash.finalize().to_hex()[..16])
}

/// The Java side in this folder, if it is there and complete. All of it is read for that, 330 MB: on the computer where
/// this was measured that takes 0.15 s, where a JVM takes seconds to start.
pub(crate) fn ready(root: &Path) -> Option<JavaSide> {
    let contents = std::fs::read_to_string(root.join(CONTENTS)).ok()?;
    let (mut jars, mut builder) = (Vec::new(), Vec::new());
    for line in contents.lines() {
        let (hash, name) = line.split_once(' ')?;
        let path = root.join(name);
        // Whether a full disk, a power cut or a bad disk has left something behind that has only the name. What it
        // lacks would be taken for a fault of the app.
        if blake3(&path).ok()? != hash {
            return None;
        }
        if name.starts_with(BUILDER) { &mut builder } else { &mut jars }.push(path);
    }
    (!jars.is_empty()).then(|| JavaSide { root: root.to_owned(), jars, builder, _hold: None })
}

/// The same, and it is written down that it is used: until it is dropped, nobody removes it.
fn used(root: &Path) -> Option<JavaSide> {
    // Before the look: what was removed while this waited is not there any more.
    let hold = old::hold(root);
    ready(root).map(|side| JavaSide { _hold: hold, ..side })
}

impl Setup<'_> {
    /// The Java side, built if need be.
    pub(crate) fn run(&self, tell: &mut dyn FnMut(SetupProgress)) -> Result<JavaSide, SetupError> {
        let kept = self.environment.kept().ok_or(SetupError::NoFolder)?;
        let root = place(self.sources, &kept);
        if let Some(side) = used(&root) {
            return Ok(side);
        }
        if !self.sources.iter().any(|(name, _)| *name == "pom.xml") {
            return Err(SetupError::NoSources);
        }
        self.jdk.compiles()?;
        let maven = maven(self.environment)?;
        let here = |error: io::Error| folder(&kept, &error);
        std::fs::create_dir_all(&kept).map_err(here)?;
        let lock = File::create(kept.join("lock")).map_err(here)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                tell(SetupProgress::Waiting);
                lock.lock().map_err(here)?;
            }
            Err(TryLockError::Error(error)) => return Err(here(error)),
        }
        // Another one may have done it in the meantime.
        if let Some(side) = used(&root) {
            return Ok(side);
        }
        let began = Instant::now();
        tell(SetupProgress::Begins { megabytes: MEGABYTES, folder: root.clone() });
        clear(&kept, &root).map_err(here)?;
        let making = kept.join(format!("making-{}", std::process::id()));
        let built = self.build(&maven, &making, &kept.join("maven.log"), tell);
        if let Err(error) = built.and_then(|()| verify(self.sources, &making)) {
            // What cannot be removed now is removed by the next one.
            let _ = std::fs::remove_dir_all(&making);
            return Err(error);
        }
        std::fs::rename(&making, &root).map_err(|error| folder(&root, &error))?;
        for folder in old::remove(&kept, &root, SystemTime::now()) {
            tell(SetupProgress::Removed { folder });
        }
        tell(SetupProgress::Done { took: began.elapsed() });
        used(&root).ok_or_else(|| folder(&root, &io::Error::other("it is incomplete")))
    }

    fn build(
        &self,
        maven: &Path,
        making: &Path,
        log: &Path,
        tell: &mut dyn FnMut(SetupProgress),
    ) -> Result<(), SetupError> {
        for (name, text) in self.sources {
            let path = making.join(name);
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            written.and_then(|()| std::fs::write(&path, text)).map_err(|error| folder(&path, &error))?;
        }
        let failed = |why: String| {
            let last = log::last_lines(log, LAST_LINES);
            SetupError::Maven { why, log: log.to_owned(), last }
        };
        let output = File::create(log).map_err(|error| folder(log, &error))?;
        let errors = output.try_clone().map_err(|error| folder(log, &error))?;
        let mut command = Command::new(maven);
        command
            .args(["-B", "package", "-DskipTests"])
            .current_dir(making)
            .env("JAVA_HOME", &self.jdk.home)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors);
        // In a group of its own, with the Java that it starts.
        let _maven =
            Maven::start(command).map_err(|error| failed(format!("it cannot be started: {error}")))?;
        let (began, mut told) = (Instant::now(), Instant::now());
        let mut downloads = Downloads::default();
        let status = loop {
            if let Some(status) = Maven::ended().map_err(|error| failed(error.to_string()))? {
                break status;
            }
            std::thread::sleep(LOOK);
            if began.elapsed() > LONGEST {
                return Err(failed(format!("it did not finish within {} h", LONGEST.as_secs() / 3600)));
            }
            if told.elapsed() >= TELL && downloads.read(log) {
                told = Instant::now();
                tell(SetupProgress::Downloaded { files: downloads.files, megabytes: downloads.megabytes() });
            }
        };
        if status.success() { Ok(()) } else { Err(failed(format!("it {}", run::ended(status)))) }
    }
}

/// Removes what killed set-ups have left behind, and a folder that is in the place but not complete.
fn clear(kept: &Path, root: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(kept)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("making-") {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    if root.exists() { std::fs::remove_dir_all(root) } else { Ok(()) }
}

/// Compares everything that was downloaded with what was pinned, and writes down what is there.
fn verify(sources: Sources, making: &Path) -> Result<(), SetupError> {
    let wrong = |file: &str, why: &str| SetupError::Artifact { file: file.to_owned(), why: why.to_owned() };
    let pinned = sources.iter().find(|(name, _)| *name == "artifacts.sha256");
    let pinned = pinned.map(|(_, text)| String::from_utf8_lossy(text)).unwrap_or_default();
    let mut expected: BTreeMap<&str, &str> = BTreeMap::new();
    for line in pinned.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (hash, name) =
            line.split_once("  ").ok_or_else(|| wrong("artifacts.sha256", "a line is no 'HASH  FILE'"))?;
        expected.insert(name.trim(), hash.trim());
    }
    let mut contents = vec![hash_and_name(making, &format!("target/{OWN_JAR}"))?];
    for name in downloaded(making)? {
        // What the builder uses is pinned with its folder: it is not taken for a library of the device, nor the other
        // way round.
        let file = match name.strip_prefix("target/") {
            Some(apart) if name.starts_with(BUILDER) => apart,
            _ => name.rsplit('/').next().unwrap_or_default(),
        };
        let Some(hash) = expected.remove(file) else {
            return Err(wrong(file, "nothing of this name is pinned"));
        };
        let path = making.join(&name);
        let found = sha256(&path).map_err(|error| folder(&path, &error))?;
        if !found.eq_ignore_ascii_case(hash) {
            return Err(wrong(file, &format!("its SHA-256 is {found}, and {hash} is pinned")));
        }
        contents.push(hash_and_name(making, &name)?);
    }
    if let Some((missing, _)) = expected.first_key_value() {
        return Err(wrong(missing, "it was not downloaded"));
    }
    let path = making.join(CONTENTS);
    let written = File::create(&path).and_then(|mut file| {
        file.write_all(contents.join("\n").as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| folder(&path, &error))
}

/// Everything that Maven has put into the folders for it, in a fixed order.
fn downloaded(making: &Path) -> Result<Vec<String>, SetupError> {
    let mut names = Vec::new();
    for place in LIBRARIES {
        let path = making.join(place);
        let entries = match std::fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(|error| folder(&path, &error))?,
        };
        for entry in entries {
            let name = entry.map_err(|error| folder(&path, &error))?.file_name();
            names.push(format!("{place}/{}", name.to_string_lossy()));
        }
    }
    names.sort();
    Ok(names)
}

fn hash_and_name(making: &Path, name: &str) -> Result<String, SetupError> {
    let hash = blake3(&making.join(name));
    let hash =
        hash.map_err(|_| SetupError::Artifact { file: name.to_owned(), why: "it was not built".to_owned() })?;
    Ok(format!("{hash} {name}"))
}

/// What is downloaded is pinned by SHA-256, as others publish it; this takes a fraction of its time.
fn blake3(path: &Path) -> io::Result<String> {
    let mut hash = blake3::Hasher::new();
    hash.update_reader(File::open(path)?)?;
    Ok(hash.finalize().to_hex().to_string())
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            let hex = |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16));
            return Ok(hash.finalize().iter().flat_map(hex).flatten().collect());
        }
        hash.update(&buffer[..count]);
    }
}

fn folder(path: &Path, error: &io::Error) -> SetupError {
    SetupError::Folder { path: path.to_owned(), why: error.to_string() }
}

#[cfg(test)]
mod tests;
