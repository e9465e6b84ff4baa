//! The builds that cells were measured with. Figures of several builds, or of one that nobody can check out, stand beside
//! each other only with a warning.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::Serialize;

/// Builds, each with how many cells were measured with it.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Builds(BTreeMap<String, usize>);

const UNKNOWN: &str = "unknown";
const DIRTY: &str = "-dirty";

impl<'a> FromIterator<&'a str> for Builds {
    fn from_iter<T: IntoIterator<Item = &'a str>>(builds: T) -> Self {
        let mut all = BTreeMap::new();
        for build in builds {
            *all.entry(build.to_owned()).or_default() += 1;
        }
        Self(all)
    }
}

impl Builds {
    /// What there is to say of them.
    pub(super) fn words(&self) -> Vec<String> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let each = self.0.iter().map(|(build, cells)| format!("{build} ({cells} cells)"));
        let named = format!("measured with {}", each.collect::<Vec<_>>().join(", "));
        let several = (self.0.len() > 1).then(|| {
            format!("WARNING: cells of {} builds stand beside each other; --again measures all", self.0.len())
        });
        let count = |so: &dyn Fn(&str) -> bool| -> usize {
            self.0.iter().filter(|(build, _)| so(build)).map(|(_, cells)| cells).sum()
        };
        let warn = |cells: usize, why: &str| (cells > 0).then(|| format!("WARNING: {cells} cells {why}"));
        let dirty = warn(count(&|build| build.ends_with(DIRTY)), "are of a build with changes in no commit");
        let unknown = warn(count(&|build| build == UNKNOWN), "are of a build that is not known");
        [named].into_iter().chain(several).chain(dirty).chain(unknown).collect()
    }
}

/// The commit that is measured. Cells that were measured are no change of it.
pub(super) fn build(project: &Path) -> String {
    let git = |arguments: &[&str]| {
        let said = Command::new("git").args(arguments).current_dir(project).output().ok()?;
        said.status.success().then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned())
    };
    let changes = ["status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)bench/results"];
    match (git(&["describe", "--always"]), git(&changes)) {
        (Some(commit), Some(changes)) if changes.is_empty() => commit,
        (Some(commit), Some(_)) => commit + DIRTY,
        _ => UNKNOWN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(builds: &[&str]) -> Vec<String> {
        builds.iter().copied().collect::<Builds>().words()
    }

    #[test]
    fn builds_are_named_and_doubtful_ones_warned_of() {
        assert!(words(&[]).is_empty());
        assert_eq!(words(&["a1", "a1"]), ["measured with a1 (2 cells)"]);
        let several = "WARNING: cells of 2 builds stand beside each other; --again measures all";
        assert_eq!(words(&["a1", "b2", "a1"]), ["measured with a1 (2 cells), b2 (1 cells)", several]);
        let dirty = "WARNING: 1 cells are of a build with changes in no commit";
        assert_eq!(words(&["a1-dirty"]), ["measured with a1-dirty (1 cells)", dirty]);
        assert_eq!(words(&["unknown"])[1], "WARNING: 1 cells are of a build that is not known");
    }

    #[test]
    fn cells_do_not_make_a_build_dirty() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path();
        assert_eq!(build(&place.join("none")), UNKNOWN);
        let git = |arguments: &[&str]| {
            let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
            let mut command = Command::new("git");
            assert!(command.args(who).args(arguments).current_dir(place).output().unwrap().status.success());
        };
        let write = |file: &str, text: &str| std::fs::write(place.join(file), text).unwrap();
        std::fs::create_dir_all(place.join("bench/results/papers")).unwrap();
        write("bench/results/papers/a.jsonl", "");
        write("code.rs", "");
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-q", "-m", "x"]);
        write("bench/results/papers/a.jsonl", "{}");
        let clean = build(place);
        assert!(!clean.is_empty() && !clean.contains('-') && clean != UNKNOWN, "{clean}");
        write("code.rs", "//");
        assert_eq!(build(place), clean + DIRTY);
    }
}
