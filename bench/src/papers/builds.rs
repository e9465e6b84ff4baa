//! The builds that cells were measured with. Figures of several builds, or of one that nobody can check out, stand beside
//! each other only with a warning.

use std::collections::BTreeMap;

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

/// The commit that this program was built of.
pub(super) const BUILD: &str = env!("RETAP_BUILD");

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
    fn this_program_knows_its_commit() {
        let commit = BUILD.strip_suffix(DIRTY).unwrap_or(BUILD);
        assert!(commit == UNKNOWN || commit.chars().all(|digit| digit.is_ascii_hexdigit()), "{BUILD}");
    }
}
