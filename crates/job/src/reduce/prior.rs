//! What is believed of success rates before any run: read from a file, or learnt from reductions that were made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use retap_lab::{Done, recorded_runs};
use retap_mdp::Prior;
use retap_reduce::{Goal, Outcome, Subset, Tally};
use retap_store::SessionView;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{Doing as _, Result};
use crate::folder;
use crate::watch::{JobEvent, Watching};

/// A belief of the user's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Belief {
    /// The numbers of a file, which make the plan: other numbers are another reduction.
    Given(#[serde(serialize_with = "as_text", deserialize_with = "of_text")] Prior),
    /// From the reductions in a folder, once it is known which. The numbers are kept in the session, so that going on
    /// finds the same whatever was reduced since.
    Learnt {
        /// The folder.
        learnt: PathBuf,
        /// The numbers, once they are learnt.
        #[serde(skip)]
        prior: Option<Prior>,
    },
}

/// Where a session keeps what was learnt.
const KEPT: &str = "prior.json";

impl Belief {
    /// What was typed: `learnt`, `learnt:DIR`, or a file.
    pub fn read(typed: &str) -> Result<Self> {
        Ok(match learnt_from(typed) {
            Some(folder) => Self::Learnt { learnt: folder.into(), prior: None },
            None => Self::Given(prior_in(Path::new(typed))?),
        })
    }

    /// The file or the folder that is read of what was typed.
    pub fn place(typed: &str) -> PathBuf {
        learnt_from(typed).unwrap_or(typed).into()
    }

    /// What is typed for it; a file whose name is not known is called `FILE`.
    pub fn typed(&self) -> String {
        match self {
            Self::Given(_) => "FILE".to_owned(),
            Self::Learnt { learnt, .. } => format!("learnt:{}", learnt.display()),
        }
    }

    /// Which prior it is, in words.
    pub(super) const fn whose(&self) -> &'static str {
        match self {
            Self::Given(_) => "the given",
            Self::Learnt { .. } => "the learnt",
        }
    }

    /// The numbers.
    pub(super) fn prior(&self) -> Prior {
        match self {
            Self::Given(prior) | Self::Learnt { prior: Some(prior), .. } => prior.clone(),
            Self::Learnt { prior: None, .. } => Prior::recovered(),
        }
    }

    /// Learns what is to be learnt, unless the session in this folder has done so before.
    pub(super) fn learn(&mut self, session: &Path, watching: &Watching<'_>) -> Result<()> {
        let Self::Learnt { learnt, prior } = self else { return Ok(()) };
        let kept = session.join(KEPT);
        if kept.exists() {
            *prior = Some(prior_in(&kept)?);
            return Ok(());
        }
        let shown = learnt.display();
        let (tallies, sessions) = tallies(learnt, session, watching)?;
        let found = Prior::learnt(&tallies).doing(|| {
            format!(
                "--prior learnt cannot learn from {}, the reductions in {shown}; reduce more with a --rule such as \
                 18/20 first, or give a file",
                if sessions == 1 { "1 session".to_owned() } else { format!("{sessions} sessions") }
            )
        })?;
        let candidates = tallies.len() as u64;
        watching.tell(&JobEvent::PriorLearnt { folder: learnt, sessions, candidates });
        *prior = Some(found);
        Ok(())
    }

    /// Keeps what was learnt, for resuming.
    pub(super) fn keep(&self, session: &Path) -> Result<()> {
        let Self::Learnt { prior: Some(prior), .. } = self else { return Ok(()) };
        let file = session.join(KEPT);
        if !file.exists() {
            retap_store::write_beside(&file, |to| to.write_all(prior.to_json().as_bytes()))?;
        }
        Ok(())
    }
}

/// The folder that a belief is learnt from, where it is not in a file.
fn learnt_from(typed: &str) -> Option<&str> {
    match typed.strip_prefix("learnt")? {
        "" => Some(folder::USUAL),
        rest => rest.strip_prefix(':'),
    }
}

/// A prior that stands in a file.
pub fn prior_in(path: &Path) -> Result<Prior> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).doing(|| {
        format!("cannot read the prior {shown}, a file such as {{\"p\":[0,0.9],\"weight\":[0.5,0.5]}}")
    })?;
    Prior::from_json(&text).doing(|| format!("the prior {shown} cannot be used"))
}

/// What runs of each candidate showed, in every other session of a reduction in a folder, and how many these are.
fn tallies(folder: &Path, own: &Path, watching: &Watching<'_>) -> Result<(Vec<(u32, u32)>, u64)> {
    let cannot = || {
        let shown = folder.display();
        format!(
            "--prior learnt finds no reductions in {shown}; name their folder with learnt:DIR, or give a file"
        )
    };
    let inside = std::fs::read_dir(folder).doing(cannot)?;
    let mut places = vec![folder.to_owned()];
    for entry in inside {
        places.push(entry.doing(cannot)?.path());
    }
    places.sort();
    let (mut tallies, mut sessions) = (Vec::new(), 0);
    for place in places.iter().filter(|place| *place != own && place.join("session.db").exists()) {
        match candidates(place) {
            Ok(None) => {}
            Ok(Some(found)) => {
                tallies.extend(found);
                sessions += 1;
            }
            Err(error) => {
                watching.tell(&JobEvent::NothingLearnt { folder: place, why: error.in_words() });
            }
        }
    }
    Ok((tallies, sessions))
}

/// What runs of each candidate of one session showed that had enough of them; nothing when it is no reduction.
fn candidates(place: &Path) -> Result<Option<Vec<(u32, u32)>>> {
    let session = SessionView::open(place)?;
    if session.plan().command != "reduce" {
        return Ok(None);
    }
    let mut tallies: BTreeMap<Subset, Tally> = BTreeMap::new();
    let runs: Vec<Done> = recorded_runs(&session)?;
    let counts =
        |done: &&Done| done.order.goal == Goal::Target && done.report.ended.outcome != Outcome::Inconclusive;
    for done in runs.iter().filter(counts) {
        tallies.entry(done.order.subset.clone()).or_default().add(done.report.ended.outcome);
    }
    let told = tallies.into_values().filter(|tally| tally.runs() >= Prior::LEAST_RUNS);
    Ok(Some(told.map(|tally| (tally.reached, tally.missed)).collect()))
}

fn as_text<S: serde::Serializer>(prior: &Prior, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&prior.to_json())
}

fn of_text<'de, D: Deserializer<'de>>(from: D) -> Result<Prior, D::Error> {
    let text = String::deserialize(from)?;
    Prior::from_json(&text).map_err(serde::de::Error::custom)
}
