//! Solved policies, kept between runs.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use retap_mdp::{Policy, Prior, Setting, solve};

use crate::error::Result;
use crate::watch::{JobEvent, JobProgress, Teller, Watch, Watching};

/// The policy of a setting: from the cache, or solved now and kept. Says whether it had to be solved.
pub fn policy(setting: Setting, prior: &Prior, watch: &mut dyn Watch) -> Result<(Arc<Policy>, bool)> {
    solved(setting, prior, &Teller::new(watch))
}

/// The same for a job.
pub(crate) fn solved(
    setting: Setting,
    prior: &Prior,
    watching: &Watching<'_>,
) -> Result<(Arc<Policy>, bool)> {
    let path = path(&setting, prior);
    if let Some(policy) = path.as_ref().and_then(|path| load(path, &setting, prior)) {
        return Ok((Arc::new(policy), false));
    }
    let threads = std::thread::available_parallelism()?;
    let mut watch = |done: f64| {
        watching.tell(&JobEvent::Progress(JobProgress::Solve { done }));
        if watching.stop().asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let policy = solve(setting, prior, threads, &mut watch).map_err(|error| error.to_string())?;
    if let Some(path) = path {
        // A cache that cannot be written costs time, not results.
        if let Err(error) = retap_store::write_beside(&path, |to| policy.write_to(to)) {
            watching.tell(&JobEvent::PolicyNotKept { why: error.to_string() });
        }
    }
    Ok((Arc::new(policy), true))
}

/// A policy of the cache. One that is damaged, or of something else, is as good as none.
fn load(path: &PathBuf, setting: &Setting, prior: &Prior) -> Option<Policy> {
    let policy = Policy::read_from(BufReader::new(File::open(path).ok()?)).ok()?;
    (policy.setting() == setting && policy.prior() == prior).then_some(policy)
}

/// Where a policy is kept: `$XDG_CACHE_HOME/retap`, else `~/.cache/retap`; nowhere when there is no home.
fn path(setting: &Setting, prior: &Prior) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    let numbers = prior.points().iter().chain(prior.weights()).flat_map(|number| number.to_le_bytes());
    let hash = blake3::hash(&numbers.collect::<Vec<u8>>()).to_hex();
    let (n, m, nr, st) = (setting.n(), setting.m(), setting.nr(), setting.st());
    Some(cache.join("retap").join(format!("n{n}-m{m}-{st}of{nr}-{}.policy", &hash[..8])))
}
