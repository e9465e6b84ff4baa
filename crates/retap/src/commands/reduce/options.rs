//! How a search goes: what was typed, joined with what is set.

use std::str::FromStr;

use anyhow::ensure;
use retap_job::reduce::{Belief, ReduceOptions};
use retap_reduce::rule::RuleChoice;
use retap_reduce::schedule::ScheduleKind;
use retap_reduce::search::SearchKind;

use crate::args::ReduceArgs;
use crate::config::ReduceConfig;

/// What was typed wins over what is set.
pub(super) fn join(args: &ReduceArgs, set: &ReduceConfig) -> anyhow::Result<ReduceOptions> {
    let options = usual(set)?;
    let search = typed(args.search.as_ref())?.unwrap_or(options.search);
    let rule = typed(args.rule.as_ref())?.unwrap_or(options.rule);
    let schedule = typed::<ScheduleKind>(args.schedule.as_ref())?;
    if let Some(name) = schedule {
        ensure!(
            search.name != "auto" || !matches!(rule, RuleChoice::Auto),
            "--schedule {name} does nothing with the default search and rule, which plan their runs themselves; \
             name a --rule, such as 18/20, or a --search"
        );
    }
    let (confirm, min_rate) = asked(args.confirm.or(set.confirm), args.min_rate.or(set.min_rate))?;
    Ok(ReduceOptions {
        search,
        schedule: schedule.unwrap_or(options.schedule),
        parts: parts(args.parts, set.parts, search)?,
        prior: belief(args.prior.as_deref(), set.prior.as_deref(), &rule)?,
        rule,
        level: typed(args.level.as_ref())?.or(options.level),
        one_by_one: args.one_by_one || options.one_by_one,
        values: match (args.values, args.no_values) {
            (false, false) => set.values.unwrap_or(search.name == "auto"),
            (typed, _) => typed,
        },
        confirm,
        min_rate,
    })
}

/// What is done when nothing is typed.
pub(crate) fn usual(set: &ReduceConfig) -> anyhow::Result<ReduceOptions> {
    let options = ReduceOptions::default();
    let search = typed(set.search.as_ref())?.unwrap_or(options.search);
    let rule = typed(set.rule.as_ref())?.unwrap_or(options.rule);
    let (confirm, min_rate) = asked(set.confirm, set.min_rate)?;
    Ok(ReduceOptions {
        search,
        schedule: typed(set.schedule.as_ref())?.unwrap_or(options.schedule),
        parts: parts(None, set.parts, search)?,
        prior: belief(None, set.prior.as_deref(), &rule)?,
        rule,
        level: typed(set.level.as_ref())?,
        one_by_one: set.one_by_one,
        values: set.values.unwrap_or(search.name == "auto"),
        confirm,
        min_rate,
    })
}

fn typed<T: FromStr<Err = String>>(text: Option<&String>) -> anyhow::Result<Option<T>> {
    text.map(|text| text.parse()).transpose().map_err(anyhow::Error::msg)
}

/// The parts of ddmin. Typed for another search, they are refused; set for another, they do not count.
fn parts(typed: Option<u32>, set: Option<u32>, search: SearchKind) -> anyhow::Result<Option<u32>> {
    let ddmin = search.name == "ddmin";
    ensure!(
        typed.is_none() || ddmin,
        "--parts does nothing with the search {search}, only with ddmin; name --search ddmin, or leave it out"
    );
    let parts = typed.or(set);
    ensure!(
        parts.is_none_or(|parts| (2..=1000).contains(&parts)),
        "--parts takes 2 to 1000, not {}",
        parts.unwrap_or_default()
    );
    Ok(parts.filter(|_| ddmin))
}

/// The belief before any run, in the same way: only rules K/N make use of one.
fn belief(typed: Option<&str>, set: Option<&str>, rule: &RuleChoice) -> anyhow::Result<Option<Belief>> {
    let useful = rule.fixed().is_some();
    ensure!(
        typed.is_none() || useful,
        "--prior does nothing with the rule {rule}: the schedule optimal, p1 and p2, which rest on it, are for rules \
         K/N; name a --rule, such as 18/20, or leave it out"
    );
    Ok(typed.or(set.filter(|_| useful)).map(Belief::read).transpose()?)
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
