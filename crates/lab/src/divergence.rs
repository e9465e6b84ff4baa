//! Where runs of the same events diverge.

use crate::short_name;

/// Where one run went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPath {
    /// The state at the start and after each event: what tells it from others, and how people would call it.
    pub states: Vec<(u64, String)>,
    /// Whether it reached its target.
    pub reached: bool,
}

/// The first place at which runs differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The number of events after which they do; until then all were in the same states.
    pub after: usize,
    /// The states they were in then, the most frequent first.
    pub branches: Vec<Branch>,
}

/// The runs that took the same path at a divergence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The state, as people would call it.
    pub state: String,
    /// Runs that were in it.
    pub runs: u32,
    /// Those of them that reached the target.
    pub reached: u32,
}

impl Divergence {
    /// The first place at which these runs differ, if they do. A run that has ended is in a state of its own.
    pub fn of(paths: &[RunPath]) -> Option<Self> {
        let longest = paths.iter().map(|path| path.states.len()).max()?;
        let at = |path: &RunPath, after: usize| path.states.get(after).map(|(key, _)| *key);
        let differ = |after: &usize| paths.iter().any(|path| at(path, *after) != at(&paths[0], *after));
        let after = (0..longest).find(differ)?;
        let mut branches: Vec<(Option<u64>, Branch)> = Vec::new();
        for path in paths {
            let key = at(path, after);
            let place = branches.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                let state = path.states.get(after).map_or("the end", |(_, words)| words).to_owned();
                branches.push((key, Branch { state, runs: 0, reached: 0 }));
                branches.len() - 1
            });
            branches[place].1.runs += 1;
            branches[place].1.reached += u32::from(path.reached);
        }
        branches.sort_by_key(|(_, branch)| std::cmp::Reverse(branch.runs));
        Some(Self { after, branches: branches.into_iter().map(|(_, branch)| branch).collect() })
    }
}

impl RunPath {
    /// The path of a run of which it is known when each activity came to the front.
    pub fn of_activities(path: &[(u32, std::sync::Arc<str>)], events: u32, reached: bool) -> Self {
        let mut states: Vec<(u64, String)> = Vec::new();
        for (nth, (from, activity)) in path.iter().enumerate() {
            let until = path.get(nth + 1).map_or(events + 1, |(next, _)| (*next).max(from + 1));
            let name = short_name(activity);
            let key =
                activity.bytes().fold(0, |key: u64, byte| key.wrapping_mul(31).wrapping_add(u64::from(byte)));
            states.truncate(*from as usize);
            states.extend((*from..until).map(|_| (key, name.to_owned())));
        }
        Self { states, reached }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(states: &str, reached: bool) -> RunPath {
        RunPath {
            states: states.bytes().map(|byte| (u64::from(byte), char::from(byte).to_string())).collect(),
            reached,
        }
    }

    #[test]
    fn names_the_first_step_after_which_runs_differ() {
        let paths = [path("abcx", true), path("abdx", false), path("abcx", true), path("abcy", false)];
        let divergence = Divergence::of(&paths).expect("they differ");
        assert_eq!(divergence.after, 2);
        let branch = |state: &str, runs, reached| Branch { state: state.to_owned(), runs, reached };
        assert_eq!(divergence.branches, [branch("c", 3, 2), branch("d", 1, 0)]);
    }

    #[test]
    fn a_run_that_ends_early_diverges_from_the_rest() {
        let divergence = Divergence::of(&[path("ab", true), path("abc", false)]).expect("they differ");
        assert_eq!((divergence.after, &*divergence.branches[0].state), (2, "the end"));
    }

    #[test]
    fn runs_that_agree_do_not_diverge() {
        assert_eq!(Divergence::of(&[path("abc", true), path("abc", false)]), None);
        assert_eq!(Divergence::of(&[]), None);
    }

    #[test]
    fn activities_are_spread_over_their_events() {
        let activities = [(0, "p.Main".into()), (2, "p.Login".into()), (3, "p.Main".into())];
        let path = RunPath::of_activities(&activities, 4, true);
        let names: Vec<&str> = path.states.iter().map(|(_, name)| &**name).collect();
        assert_eq!(names, ["Main", "Main", "Login", "Main", "Main"]);
    }
}
