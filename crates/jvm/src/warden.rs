//! Watches what a process and its descendants take of this computer, and ends them when that is too much.
//!
//! Limits of the system hold for one process each, count no processes of root, and cannot be had for a folder. So
//! somebody looks, ten times a second; what can be taken between two looks is what this computer must bear.
//!
//! Only Linux tells what is needed for that; elsewhere nothing is watched.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// What may be taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Most {
    /// Threads, of all processes.
    pub(crate) threads: usize,
    pub(crate) processes: usize,
    pub(crate) memory_mb: u64,
    pub(crate) folder_mb: u64,
    pub(crate) files: usize,
}

/// A JVM of ours has about 60 threads, takes 1 GB, and an app of a phone has less than that in files. It starts no other
/// program; two processes belong to the sandbox.
pub(crate) const MOST: Most =
    Most { threads: 1_024, processes: 32, memory_mb: 2_048, folder_mb: 2_048, files: 100_000 };

const PAUSE: Duration = Duration::from_millis(100);
/// The folder is looked at once in so many looks: it takes longer, and fills slower.
const FOLDER_EVERY: u32 = 5;

/// Watches one process. Dropping it ends the watch.
#[derive(Debug)]
pub(crate) struct Warden {
    watch: Arc<Watch>,
}

#[derive(Debug, Default)]
struct Watch {
    state: Mutex<State>,
    over: Condvar,
}

#[derive(Debug, Default)]
struct State {
    over: bool,
    /// Why the process was ended.
    why: Option<String>,
}

impl Warden {
    /// Watches this process, which must not be waited for before the watch is over: until then its number is its own.
    pub(crate) fn start(process: u32, folder: Option<PathBuf>, most: Most) -> std::io::Result<Self> {
        let watch = Arc::new(Watch::default());
        let thread = std::thread::Builder::new().name("watches a JVM".to_owned());
        let watched = watch.clone();
        thread.spawn(move || watched.run(process, folder.as_deref(), most))?;
        Ok(Self { watch })
    }

    /// Ends the watch. Says why the process was ended, if it was.
    pub(crate) fn stop(&self) -> Option<String> {
        let mut state = self.watch.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        self.watch.over.notify_all();
        state.why.clone()
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Watch {
    fn run(&self, process: u32, folder: Option<&Path>, most: Most) {
        for look in 1.. {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.over.wait_timeout_while(state, PAUSE, |state| !state.over);
            if waited.unwrap_or_else(PoisonError::into_inner).0.over {
                return;
            }
            let folder = folder.filter(|_| look % FOLDER_EVERY == 0);
            if let Some(why) = most.exceeded(process, folder) {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if !state.over {
                    (state.over, state.why) = (true, Some(why));
                    crate::spawn::kill(process);
                }
                return;
            }
        }
    }
}

impl Most {
    /// What is more than it may be, in words.
    fn exceeded(&self, process: u32, folder: Option<&Path>) -> Option<String> {
        let taken = Taken::by(process, self);
        if taken.processes > self.processes {
            return Some(format!("it had more than {} processes", self.processes));
        }
        if taken.threads > self.threads {
            return Some(format!("it had more than {} threads", self.threads));
        }
        if taken.memory_kb >> 10 > self.memory_mb {
            return Some(format!("it took more than {} MB of memory", self.memory_mb));
        }
        let (files, bytes) = folder.map_or((0, 0), |folder| filled(folder, self.files));
        if files > self.files {
            return Some(format!("it made more than {} files", self.files));
        }
        (bytes >> 20 > self.folder_mb).then(|| format!("it wrote more than {} MB of files", self.folder_mb))
    }
}

/// What a process and its descendants take.
#[derive(Debug, Default, PartialEq, Eq)]
struct Taken {
    threads: usize,
    processes: usize,
    memory_kb: u64,
}

impl Taken {
    /// Counts until it is too much.
    fn by(process: u32, most: &Most) -> Self {
        let mut taken = Self::default();
        let mut left = vec![process];
        while let Some(process) = left.pop() {
            let path = PathBuf::from(format!("/proc/{process}"));
            // One that has ended meanwhile takes nothing.
            for thread in std::fs::read_dir(path.join("task")).into_iter().flatten().flatten() {
                taken.threads += 1;
                let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                left.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
            }
            taken.processes += 1;
            taken.memory_kb += memory_kb(&path);
            let few = taken.threads <= most.threads && taken.processes <= most.processes;
            if !few || taken.memory_kb >> 10 > most.memory_mb {
                break;
            }
        }
        taken
    }
}

/// What is in memory of a process, and what was moved out of it.
fn memory_kb(process: &Path) -> u64 {
    let status = std::fs::read_to_string(process.join("status")).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    field("VmRSS:").unwrap_or(0) + field("VmSwap:").unwrap_or(0)
}

/// How many files are below a folder, and their bytes. It counts until there are too many.
fn filled(folder: &Path, most: usize) -> (usize, u64) {
    let (mut files, mut bytes) = (0, 0);
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            files += 1;
            if files > most {
                return (files, bytes);
            }
            // Of the entry itself: what a link leads to is not in the folder.
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                left.push(entry.path());
            } else {
                bytes += on_disk(&about);
            }
        }
    }
    (files, bytes)
}

/// What a file takes on the disk: one with holes takes less than its length.
#[cfg(unix)]
fn on_disk(file: &std::fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    file.blocks() * 512
}

#[cfg(not(unix))]
fn on_disk(file: &std::fs::Metadata) -> u64 {
    file.len()
}

#[cfg(test)]
mod tests;
