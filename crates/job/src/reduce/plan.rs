//! What a reduction is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_mdp::{Policy, Prior, Setting};
use retap_reduce::rule::{self, Rule, RuleChoice};
use retap_reduce::schedule::ScheduleKind;
use retap_reduce::search::{self, Material, SearchKind};
use retap_reduce::{Reducing, Reduction, ReductionSettings, Tally, auto};
use retap_trace::{Level, Target};
use serde::{Deserialize, Serialize};

use super::prior::Belief;
use super::{ANSWER, ReducedOf, Subject, TEXT_ANSWER};
use crate::error::{Result, refuse, require};
use crate::watch::Watching;
use crate::{policies, text};

/// The rule of `auto` for searches other than the default, as long as nothing flakes.
const TRUSTING: &str = "1/1";

/// Everything that decides how a reduction goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReducePlan {
    /// The file of what is reduced.
    pub input: PathBuf,
    /// A hash of what it says.
    pub trace: String,
    /// What is reduced, where a command judges: the file may be gone when somebody asks. Sessions of earlier versions do
    /// not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<ReducedOf>,
    /// What a run must reach.
    #[serde(with = "text")]
    pub target: Target,
    /// Where runs happen; nothing when a command judges.
    pub device: Option<String>,
    /// How many runs go on at once.
    pub devices: u32,
    /// How the search goes.
    #[serde(flatten)]
    pub options: ReduceOptions,
    /// Seconds that a command may take.
    pub timeout: Option<u64>,
    /// The seed of all chance.
    pub seed: u64,
    /// A file for the answer, besides the one in the session.
    pub write: Option<PathBuf>,
    /// Whether that file is written over, whatever is in it.
    #[serde(skip)]
    pub force: bool,
    /// What is reduced, once it is read.
    #[serde(skip)]
    pub(super) subject: Option<Subject>,
}

/// How the search of a reduction goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReduceOptions {
    /// The search.
    #[serde(with = "text")]
    pub search: SearchKind,
    /// What a candidate must show.
    #[serde(with = "text")]
    pub rule: RuleChoice,
    /// Which candidates are run next.
    #[serde(with = "text")]
    pub schedule: ScheduleKind,
    /// Into how many parts ddmin cuts at first; nothing for other searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    /// What success rates are believed to be before any run; nothing for the belief recovered from the paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Belief>,
    /// The level at which states are told apart; nothing for the one that suits the search.
    #[serde(with = "text::option")]
    pub level: Option<Level>,
    /// Whether a pass over single events follows the search.
    pub one_by_one: bool,
    /// Whether waits, texts, swipes and aims are made simpler in the end.
    pub values: bool,
    /// Fresh runs that confirm the answer.
    pub confirm: u32,
    /// The rate below which nothing is reduced.
    pub min_rate: Option<f64>,
}

impl Default for ReduceOptions {
    fn default() -> Self {
        let known = "a name of the table";
        Self {
            search: "auto".parse().expect(known),
            rule: RuleChoice::Auto,
            schedule: "async".parse().expect(known),
            parts: None,
            prior: None,
            level: None,
            one_by_one: false,
            values: true,
            confirm: 20,
            min_rate: None,
        }
    }
}

/// The rule of `auto` once something flakes: sequential testing for a rate that depends on that of the whole trace.
fn doubting(whole: Tally) -> Box<dyn Rule> {
    let asked = (rule::asked(whole) * 1000.0).round() / 1000.0;
    // A trace that hardly ever reaches its target asks for next to nothing; the rule starts at 0.01.
    rule::parse(&format!("bayes:{}@0.97", asked.max(0.01))).expect("a rate below 0.9")
}

impl ReducePlan {
    /// A reduction of what was read, on devices that are written like this, or by the command of its target.
    pub fn new(subject: Subject, device: Option<String>, options: ReduceOptions, seed: u64) -> Result<Self> {
        let mut subject = subject;
        let device = device.filter(|_| subject.is_played());
        subject.played_on(device.as_deref());
        Ok(Self {
            input: subject.file().to_owned(),
            trace: subject.fingerprint()?,
            of: (!subject.is_played()).then(|| subject.of()),
            target: subject.target().clone(),
            timeout: device.is_none().then_some(300),
            options: ReduceOptions { values: options.values && device.is_some(), ..options },
            device,
            devices: 1,
            seed,
            write: (!subject.is_played()).then(|| super::beside(subject.file())),
            force: false,
            subject: Some(subject),
        })
    }

    /// What is reduced: read now, unless it was read before.
    pub(super) fn subject(&self) -> Result<Subject> {
        if let Some(subject) = self.subject.as_ref().filter(|subject| *subject.target() == self.target) {
            return Ok(subject.clone());
        }
        let mut subject = Subject::read(&self.input, Some(&self.target), None)?;
        subject.played_on(self.device.as_deref());
        require!(subject.fingerprint()? == self.trace, "{} has changed since", self.input.display());
        Ok(subject)
    }

    /// Refuses to write the answer over what is no earlier answer of the reduction in this folder, unless that is wanted.
    pub(super) fn check_write(&self, folder: &Path) -> Result<()> {
        let Some(file) = self.write.as_deref().filter(|_| !self.force) else { return Ok(()) };
        // What is no file, such as a pipe, keeps nothing; what cannot be read is told when it is written.
        let Some(old) = file.is_file().then(|| std::fs::read(file).ok()).flatten() else { return Ok(()) };
        let own = |name: &str| std::fs::read(folder.join(name)).is_ok_and(|answer| answer == old);
        require!(
            old.is_empty() || [ANSWER, TEXT_ANSWER].into_iter().any(own),
            "{} is there already, and is no answer of this reduction; --write names another file for the answer, --force \
             writes over this one",
            file.display()
        );
        Ok(())
    }

    /// The step machine that this plan describes.
    pub(super) fn reduction(
        &self,
        material: &Material,
        watching: &Watching<'_>,
    ) -> Result<Box<dyn Reducing>> {
        let ReduceOptions { search, rule, schedule, parts, one_by_one, values, confirm, min_rate, .. } =
            &self.options;
        if self.is_default() {
            let settings =
                auto::AutoSettings { confirm_runs: *confirm, min_rate: *min_rate, claim_later: *values };
            return Ok(Box::new(auto::Ahead::new(auto::Auto::new(material, settings))));
        }
        let classic = search::Options::classic(*one_by_one);
        let options = search::Options { parts: parts.unwrap_or(classic.parts), ..classic };
        let within = search::maker_with(search.name, material, options)?;
        let schedule = schedule.schedule(|| self.policy(watching).map_err(|error| error.in_words()))?;
        let settings = ReductionSettings {
            events: material.all().len(),
            devices: self.devices,
            confirm_runs: *confirm,
            min_rate: *min_rate,
        };
        Ok(match rule {
            RuleChoice::Auto => {
                let rule = rule::parse(TRUSTING)?;
                Box::new(Reduction::new(settings, within, rule, schedule).doubting(doubting))
            }
            RuleChoice::Rule(rule) => Box::new(Reduction::new(settings, within, rule.clone(), schedule)),
        })
    }

    /// Whether search and rule are the default, which is one procedure.
    fn is_default(&self) -> bool {
        self.options.search.name == "auto" && matches!(self.options.rule, RuleChoice::Auto)
    }

    /// What success rates are believed to be before any run.
    pub(super) fn prior(&self) -> Prior {
        self.options.prior.as_ref().map_or_else(Prior::recovered, Belief::prior)
    }

    /// The policy of the schedule `optimal`, for up to five candidates, as in the paper.
    fn policy(&self, watching: &Watching<'_>) -> Result<Arc<Policy>> {
        let Some((st, nr)) = self.options.rule.fixed() else {
            refuse!("the schedule optimal is for rules K/N, not for the rule {}", self.options.rule);
        };
        let setting = Setting::new(5, self.devices, nr, st).map_err(|error| error.to_string())?;
        Ok(policies::solved(setting, &self.prior(), watching)?.0)
    }
}
