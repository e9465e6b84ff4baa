//! Where the app's code runs: without a network, with its own folder and nothing else of this computer's.
//!
//! On Linux `bwrap` sees to that. Where it is missing or not permitted the app runs with the rights of the user, and
//! that is said.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::environment::JvmEnvironment;
use crate::run::run;

/// How programs are confined here.
#[derive(Debug, Clone, Default)]
pub struct Sandbox {
    bwrap: Option<PathBuf>,
    /// What sets limits, where there is such a program.
    prlimit: Option<PathBuf>,
    /// What ties a process to its parent where `bwrap` does not.
    setpriv: Option<PathBuf>,
    /// Whether the number of processes can be limited: old kernels count all processes of the user.
    counts: bool,
    /// Whether the app's data can be where a phone has them.
    data: bool,
    warning: Option<String>,
}

/// A program to be run in it.
#[derive(Debug)]
pub(crate) struct Confined<'a> {
    pub(crate) program: &'a Path,
    pub(crate) args: Vec<OsString>,
    /// What it may read besides the system's programs and libraries.
    pub(crate) readable: Vec<&'a Path>,
    /// What it sees as a phone's `/proc`, `/sys` and `/system`: this computer's are not a phone's, nor the same twice.
    pub(crate) phone: Option<&'a Path>,
    /// Files of these that it must not have.
    pub(crate) hidden: Vec<PathBuf>,
    /// The one folder that it may write to.
    pub(crate) folder: &'a Path,
    /// Where `bwrap` puts that folder.
    pub(crate) place: &'a Path,
    /// What it sees as `/tmp`.
    pub(crate) scratch: &'a Path,
}

/// What of the system is there to be read. Of `/etc` only what a JVM asks for: the rest is nobody's business.
const SYSTEM: [&str; 14] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
];
/// Not `/dev/stdin` and its like, which an app that shows files would take our requests from.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];
/// As on a phone.
const DATA: &str = "/data";
/// A JVM of ours has about 60 threads, each of which counts.
const MOST_PROCESSES: u32 = 2_048;
/// What waits in pipes and sockets is memory that nobody else counts.
const MOST_OPEN: u32 = 4_096;
/// The largest file that it may write.
const LARGEST_FILE: u64 = 1 << 30;
const PATIENCE: Duration = Duration::from_secs(20);
const MEANING: &str =
    "the app's code runs with your rights: it can read and change your files and use the network";

impl Sandbox {
    /// What can be done here. Each way is tried once.
    pub fn find(environment: &JvmEnvironment) -> Self {
        let mut found = Self {
            bwrap: environment.program("bwrap"),
            prlimit: environment.program("prlimit"),
            setpriv: environment.program("setpriv"),
            counts: true,
            data: true,
            warning: None,
        };
        let Some(bwrap) = found.bwrap.clone() else {
            found.warning = Some(if cfg!(target_os = "linux") {
                format!("bwrap was not found, so {MEANING}; install it (on Debian: apt install bubblewrap)")
            } else {
                format!("there is no sandbox on this system, so {MEANING}; run apps that you trust")
            });
            return found.without_bwrap();
        };
        if found.works().is_ok() {
            return found;
        }
        found.counts = false;
        match found.works() {
            Ok(()) => found,
            Err(why) => {
                found.warning = Some(format!("{} does not work here ({why}), so {MEANING}", bwrap.display()));
                found.without_bwrap()
            }
        }
    }

    fn without_bwrap(mut self) -> Self {
        (self.bwrap, self.counts) = (None, false);
        for tool in [&mut self.prlimit, &mut self.setpriv] {
            let usable = |path: &PathBuf| {
                let mut command = Command::new(path);
                command.arg("--version");
                run(command, PATIENCE).is_ok_and(|ran| ran.status.success())
            };
            *tool = tool.take().filter(usable);
        }
        self
    }

    /// Whether something can be run in it, and can start another process.
    fn works(&self) -> Result<(), String> {
        let folder = std::env::temp_dir();
        let command = self.command(&Confined {
            program: Path::new("/bin/sh"),
            args: ["-c", "true & wait $!"].map(OsString::from).into(),
            readable: Vec::new(),
            phone: None,
            hidden: Vec::new(),
            folder: &folder,
            place: &folder,
            scratch: &folder,
        });
        match run(command, PATIENCE) {
            Ok(ran) if ran.status.success() && ran.stderr.trim().is_empty() => Ok(()),
            Ok(ran) => Err(ran.stderr.lines().next().unwrap_or("it fails without a word").trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// What the user must know: that there is no sandbox, and what that means.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The program that confines.
    pub fn bwrap(&self) -> Option<&Path> {
        self.bwrap.as_deref()
    }

    /// The command that runs a program in it.
    pub(crate) fn command(&self, confined: &Confined<'_>) -> Command {
        let mut words: Vec<OsString> = Vec::new();
        if let Some(bwrap) = &self.bwrap {
            words.push(bwrap.into());
            words.extend(walls(confined));
            words.push("--".into());
        } else if let Some(setpriv) = &self.setpriv {
            words.extend([setpriv.into(), "--pdeathsig".into(), "KILL".into(), "--".into()]);
        }
        if let Some(prlimit) = &self.prlimit {
            words.extend([prlimit.into(), "--core=0".into(), format!("--fsize={LARGEST_FILE}").into()]);
            words.push(format!("--nofile={MOST_OPEN}").into());
            if self.counts {
                words.push(format!("--nproc={MOST_PROCESSES}").into());
            }
            words.push("--".into());
        }
        words.push(confined.program.into());
        words.extend(confined.args.iter().cloned());
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env_clear().current_dir(confined.folder);
        let scratch: &OsStr = if self.bwrap.is_some() { "/tmp".as_ref() } else { confined.scratch.as_ref() };
        command.env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8").env("TZ", "UTC");
        let home = if self.bwrap.is_some() { confined.place } else { confined.folder };
        command.env("HOME", home).env("TMPDIR", scratch);
        if cfg!(windows) {
            // Nothing starts without it.
            command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
        }
        command
    }

    /// The same for a program that reads these: where one of them is below a phone's folder for data, the app has its
    /// data elsewhere.
    pub(crate) fn for_reading<'a>(mut self, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        self.data = paths.into_iter().all(|path| !path.starts_with(DATA));
        self
    }

    /// Where an app finds its data: on every computer, and in every process, at the same place, where that can be had.
    pub(crate) fn data<'a>(&self, data: &'a Path) -> &'a Path {
        if self.bwrap.is_some() && self.data { Path::new(DATA) } else { data }
    }

    /// Where the program finds a folder for what it needs for a moment.
    pub(crate) fn scratch<'a>(&self, scratch: &'a Path) -> &'a Path {
        if self.bwrap.is_some() { Path::new("/tmp") } else { scratch }
    }
}

/// The arguments of `bwrap`.
fn walls(confined: &Confined<'_>) -> Vec<OsString> {
    let mut words: Vec<OsString> = [
        "--die-with-parent",
        "--new-session",
        "--unshare-user-try",
        "--unshare-ipc",
        "--unshare-net",
        "--unshare-pid",
        "--unshare-uts",
        "--unshare-cgroup-try",
        // Root would keep them, and could make writable what is mounted here to be read.
        "--cap-drop",
        "ALL",
    ]
    .map(OsString::from)
    .into();
    let mut word = |parts: [&OsStr; 3]| words.extend(parts.map(OsStr::to_owned));
    let bind = OsStr::new("--ro-bind");
    for path in SYSTEM.iter().map(Path::new).filter(|path| path.exists()) {
        word([bind, path.as_ref(), path.as_ref()]);
    }
    for path in etc_of_java() {
        word([bind, path.as_ref(), path.as_ref()]);
    }
    word(["--bind".as_ref(), confined.scratch.as_ref(), "/tmp".as_ref()]);
    for path in &confined.readable {
        word([bind, path.as_ref(), path.as_ref()]);
    }
    for path in confined.hidden.iter().filter(|path| path.exists()) {
        word([bind, "/dev/null".as_ref(), path.as_ref()]);
    }
    word(["--bind".as_ref(), confined.folder.as_ref(), confined.place.as_ref()]);
    words.extend(["--proc", "/proc"].map(OsString::from));
    for device in DEVICES {
        words.extend(["--dev-bind", device, device].map(OsString::from));
    }
    for (from, to) in confined.phone.into_iter().flat_map(parts_of_phone) {
        words.extend(["--ro-bind".into(), from.into(), to.into()]);
    }
    // Settings of the kernel are there for root to change, and files elsewhere would be in this computer's memory.
    words.extend(["--remount-ro", "/proc", "--remount-ro", "/"].map(OsString::from));
    words.extend(["--chdir".into(), confined.place.into()]);
    words
}

/// What is put in the place of this computer's: whole folders, but of `/proc` only some files, as a JVM needs the rest.
fn parts_of_phone(phone: &Path) -> Vec<(PathBuf, PathBuf)> {
    let folders = ["sys", "system"].map(|name| phone.join(name));
    let files =
        std::fs::read_dir(phone.join("proc")).into_iter().flatten().flatten().map(|entry| entry.path());
    let place = |from: PathBuf| Some((from.clone(), Path::new("/").join(from.strip_prefix(phone).ok()?)));
    let mut parts: Vec<_> = folders.into_iter().chain(files).filter_map(place).collect();
    parts.sort();
    parts
}

/// Debian keeps the settings of a JDK apart from it, as `/etc/java-17-openjdk`.
fn etc_of_java() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    let java = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("java"));
    let mut found: Vec<PathBuf> = java.map(|entry| entry.path()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests;
