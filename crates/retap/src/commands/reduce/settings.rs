//! What a reduction is: what was typed, joined with what is set.

use std::sync::Arc;

use anyhow::{bail, ensure};
use retap_mdp::{Policy, Prior, Setting};
use retap_reduce::rule::{self, Rule};
use retap_reduce::search::{self, Material};
use retap_reduce::{Reducing, Reduction, Tally, auto, schedule};
use retap_trace::Level;
use serde::Serialize;

use super::Subject;
use super::prior::Belief;
use crate::args::ReduceArgs;
use crate::commands::Context;
use crate::config;
use crate::policies;

/// The rule of `auto` for searches other than the default, as long as nothing flakes.
const TRUSTING: &str = "1/1";

/// Everything that decides how a reduction goes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReduceSettings {
    /// A hash of what is reduced.
    pub(crate) trace: String,
    pub(crate) target: String,
    /// Where runs happen; nothing when a command judges.
    pub(crate) device: Option<String>,
    /// How many runs go on at once.
    pub(crate) devices: u32,
    pub(crate) search: String,
    pub(crate) rule: String,
    pub(crate) schedule: String,
    /// Into how many parts ddmin cuts at first; nothing for other searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<u32>,
    /// What success rates are believed to be before any run; nothing for the one recovered from the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prior: Option<Belief>,
    pub(crate) level: Option<String>,
    pub(crate) one_by_one: bool,
    /// Whether waits, texts, swipes and aims are made simpler in the end.
    pub(crate) values: bool,
    pub(crate) confirm: u32,
    pub(crate) min_rate: Option<f64>,
    /// Seconds that a command may take.
    pub(crate) timeout: Option<u64>,
    pub(crate) seed: u64,
}

/// A rule as ND3MIN has it, st of nr, if it is one.
fn fixed(rule: &str) -> Option<(u32, u32)> {
    let (st, nr) = rule.split_once('/')?;
    Some((st.trim().parse().ok()?, nr.trim().parse().ok()?))
}

/// The parts of ddmin. Typed for another search, they are refused; set for another, they do not count.
fn parts(typed: Option<u32>, set: Option<u32>, search: &str) -> anyhow::Result<Option<u32>> {
    ensure!(
        typed.is_none() || search == "ddmin",
        "--parts does nothing with the search {search}, only with ddmin; name --search ddmin, or leave it out"
    );
    let parts = typed.or(set);
    ensure!(
        parts.is_none_or(|parts| (2..=1000).contains(&parts)),
        "--parts takes 2 to 1000, not {}",
        parts.unwrap_or_default()
    );
    Ok(parts.filter(|_| search == "ddmin"))
}

/// The belief before any run, in the same way: only rules K/N make use of one.
fn belief(typed: Option<&str>, set: Option<&str>, rule: &str) -> anyhow::Result<Option<Belief>> {
    let useful = fixed(rule).is_some();
    ensure!(
        typed.is_none() || useful,
        "--prior does nothing with the rule {rule}: the schedule optimal, p1 and p2, which rest on it, are for rules \
         K/N; name a --rule, such as 18/20, or leave it out"
    );
    typed.or(set.filter(|_| useful)).map(Belief::read).transpose()
}

/// Its rule from then on: sequential testing for a rate that depends on that of the whole trace.
fn doubting(whole: Tally) -> Box<dyn Rule> {
    let asked = (rule::asked(whole) * 1000.0).round() / 1000.0;
    // A trace that hardly ever reaches its target asks for next to nothing; the rule starts at 0.01.
    rule::parse(&format!("bayes:{}@0.97", asked.max(0.01))).expect("a rate below 0.9")
}

impl ReduceSettings {
    /// What was typed wins over what is set.
    pub(super) fn join(
        args: &ReduceArgs,
        context: &Context,
        subject: &Subject,
        device: Option<String>,
    ) -> anyhow::Result<Self> {
        let set = &context.config.reduce;
        let choose = |typed: &Option<String>, set: &Option<String>, usual: &str| {
            typed.clone().or_else(|| set.clone()).unwrap_or_else(|| usual.to_owned())
        };
        let (confirm, min_rate) = asked(args.confirm.or(set.confirm), args.min_rate.or(set.min_rate))?;
        let timeout = args.timeout.or(set.timeout).unwrap_or(300);
        ensure!((1..=86_400).contains(&timeout), "--timeout takes 1 to 86400 seconds, not {timeout}");
        let search = choose(&args.search, &set.search, "auto");
        let rule = choose(&args.rule, &set.rule, "auto");
        if let Some(name) = &args.schedule {
            let known = schedule::names();
            ensure!(known.contains(&&**name), "{}", retap_trace::unknown("schedule", name, &known));
            ensure!(
                search != "auto" || rule != "auto",
                "--schedule {name} does nothing with the default search and rule, which plan their runs themselves; \
                 name a --rule, such as 18/20, or a --search"
            );
        }
        let parts = parts(args.parts, set.parts, &search)?;
        let prior = belief(args.prior.as_deref(), set.prior.as_deref(), &rule)?;
        let values = match (args.values, args.no_values) {
            (false, false) => set.values.unwrap_or(search == "auto"),
            (typed, _) => typed,
        };
        Ok(Self {
            trace: subject.fingerprint()?,
            target: subject.target().to_string(),
            timeout: device.is_none().then_some(timeout),
            values: values && device.is_some(),
            device,
            devices: config::devices(args.run.devices.or(args.jobs), &context.config)?,
            search,
            rule,
            schedule: choose(&args.schedule, &set.schedule, "async"),
            parts,
            prior,
            level: args.level.clone().or_else(|| set.level.clone()),
            one_by_one: args.one_by_one || set.one_by_one,
            confirm,
            min_rate,
            seed: context.seed(),
        })
    }

    /// What is done when nothing is typed, on devices of this kind.
    pub(crate) fn usual(
        subject: &Subject,
        device: String,
        devices: u32,
        context: &Context,
    ) -> anyhow::Result<Self> {
        let set = &context.config.reduce;
        let choose = |set: &Option<String>, usual: &str| set.clone().unwrap_or_else(|| usual.to_owned());
        let (search, rule) = (choose(&set.search, "auto"), choose(&set.rule, "auto"));
        let (confirm, min_rate) = asked(set.confirm, set.min_rate)?;
        Ok(Self {
            trace: subject.fingerprint()?,
            target: subject.target().to_string(),
            device: Some(device),
            devices,
            values: set.values.unwrap_or(search == "auto"),
            parts: parts(None, set.parts, &search)?,
            prior: belief(None, set.prior.as_deref(), &rule)?,
            search,
            rule,
            schedule: choose(&set.schedule, "async"),
            level: set.level.clone(),
            one_by_one: set.one_by_one,
            confirm,
            min_rate,
            timeout: None,
            seed: context.seed(),
        })
    }

    /// The step machine that these settings describe.
    pub(super) fn reduction(
        &self,
        material: &Material,
        context: &Context,
    ) -> anyhow::Result<Box<dyn Reducing>> {
        if self.is_default() {
            let settings = auto::AutoSettings {
                confirm_runs: self.confirm,
                min_rate: self.min_rate,
                claim_later: self.values,
            };
            return Ok(Box::new(auto::Ahead::new(auto::Auto::new(material, settings))));
        }
        let classic = search::Options::classic(self.one_by_one);
        let options = search::Options { parts: self.parts.unwrap_or(classic.parts), ..classic };
        let within = search::maker_with(&self.search, material, options).map_err(anyhow::Error::msg)?;
        let policy = || self.policy(context).map_err(|error| format!("{error:#}"));
        let schedule = schedule::parse(&self.schedule, policy).map_err(anyhow::Error::msg)?;
        let settings = retap_reduce::ReductionSettings {
            events: material.all().len(),
            devices: self.devices,
            confirm_runs: self.confirm,
            min_rate: self.min_rate,
        };
        let rule = |text: &str| rule::parse(text).map_err(anyhow::Error::msg);
        Ok(match &*self.rule {
            "auto" => {
                Box::new(Reduction::new(settings, within, rule(TRUSTING)?, schedule).doubting(doubting))
            }
            text => Box::new(Reduction::new(settings, within, rule(text)?, schedule)),
        })
    }

    /// Whether search and rule are the default, which is one procedure.
    fn is_default(&self) -> bool {
        self.search == "auto" && self.rule == "auto"
    }

    /// The rule as ND3MIN has it, st of nr, if it is one.
    pub(super) fn fixed(&self) -> Option<(u32, u32)> {
        fixed(&self.rule)
    }

    /// What success rates are believed to be before any run.
    pub(super) fn prior(&self) -> Prior {
        self.prior.as_ref().map_or_else(Prior::recovered, Belief::prior)
    }

    /// The policy of the schedule `optimal`, for up to five candidates, as in the paper.
    fn policy(&self, context: &Context) -> anyhow::Result<Arc<Policy>> {
        let Some((st, nr)) = self.fixed() else {
            bail!("the schedule optimal is for rules K/N, not for the rule {}", self.rule);
        };
        let setting = Setting::new(5, self.devices, nr, st)?;
        Ok(policies::get(setting, &self.prior(), context.output, &context.interrupt)?.0)
    }

    pub(super) fn level(&self) -> anyhow::Result<Option<Level>> {
        self.level.as_deref().map(str::parse).transpose().map_err(anyhow::Error::msg)
    }
}

/// The runs of a claim, and the rate that is asked for.
fn asked(confirm: Option<u32>, min_rate: Option<f64>) -> anyhow::Result<(u32, Option<f64>)> {
    let confirm = confirm.unwrap_or(20);
    ensure!((1..=100_000).contains(&confirm), "--confirm takes 1 to 100000, not {confirm}");
    if let Some(rate) = min_rate {
        ensure!((0.0..=1.0).contains(&rate), "--min-rate takes a rate from 0 to 1, not {rate}");
    }
    Ok((confirm, min_rate))
}
