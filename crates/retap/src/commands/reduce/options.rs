//! How a search goes: what was typed, joined with what is set.

use anyhow::ensure;
use retap_job::reduce::{Belief, ReduceOptions};
use retap_reduce::rule::RuleChoice;
use retap_reduce::schedule::ScheduleKind;
use retap_reduce::search::SearchKind;

use crate::args::ReduceArgs;
use crate::config::{Config, OptionValue};

/// What was typed wins over what is set.
pub(super) fn join(args: &ReduceArgs, config: &Config) -> anyhow::Result<ReduceOptions> {
    let (set, usual) = (&config.reduce, ReduceOptions::default());
    let named = |option: &str, typed: &Option<String>, set: &Option<toml::Spanned<String>>| {
        config.given(option, typed.as_ref(), set.as_ref())
    };
    let search: Option<SearchKind> = parsed(named("--search", &args.search, &set.search))?;
    let search = search.unwrap_or(usual.search);
    let rule: Option<RuleChoice> = parsed(named("--rule", &args.rule, &set.rule))?;
    let rule = rule.unwrap_or(usual.rule);
    let schedule: Option<ScheduleKind> = parsed(named("--schedule", &args.schedule, &set.schedule))?;
    if let (Some(_), Some(name)) = (&args.schedule, schedule) {
        ensure!(
            search.name != "auto" || !matches!(rule, RuleChoice::Auto),
            "--schedule {name} does nothing with the default search and rule, which plan their runs themselves; \
             name a --rule, such as 18/20, or a --search"
        );
    }
    let confirm = config.given("--confirm", args.confirm.as_ref(), set.confirm.as_ref());
    let min_rate = config.given("--min-rate", args.min_rate.as_ref(), set.min_rate.as_ref());
    Ok(ReduceOptions {
        search,
        schedule: schedule.unwrap_or(usual.schedule),
        parts: parts(args, config, search)?,
        prior: belief(named("--prior", &args.prior, &set.prior), args.prior.is_some(), &rule)?,
        rule,
        level: parsed(named("--level", &args.level, &set.level))?,
        one_by_one: args.one_by_one || set.one_by_one,
        values: match (args.values, args.no_values) {
            (false, false) => set.values.unwrap_or(search.name == "auto"),
            (typed, _) => typed,
        },
        confirm: match confirm {
            Some(runs) => runs.among("1 to 100000", |runs| (1..=100_000).contains(runs))?,
            None => 20,
        },
        min_rate: min_rate
            .map(|rate| rate.among("a rate from 0 to 1", |rate| (0.0..=1.0).contains(rate)))
            .transpose()?,
    })
}

/// What is done when nothing is typed.
pub(crate) fn usual(config: &Config) -> anyhow::Result<ReduceOptions> {
    join(&ReduceArgs::default(), config)
}

fn parsed<T: std::str::FromStr<Err = String>>(
    given: Option<OptionValue<String>>,
) -> anyhow::Result<Option<T>> {
    given.map(|given| given.parse()).transpose()
}

/// The parts of ddmin. Typed for another search, they are refused; set for another, they do not count.
fn parts(args: &ReduceArgs, config: &Config, search: SearchKind) -> anyhow::Result<Option<u32>> {
    let ddmin = search.name == "ddmin";
    ensure!(
        args.parts.is_none() || ddmin,
        "--parts does nothing with the search {search}, only with ddmin; name --search ddmin, or leave it out"
    );
    let given = config.given("--parts", args.parts.as_ref(), config.reduce.parts.as_ref());
    let parts = given.map(|parts| parts.among("2 to 1000", |parts| (2..=1000).contains(parts)));
    Ok(parts.transpose()?.filter(|_| ddmin))
}

/// The belief before any run, in the same way: only rules K/N make use of one.
fn belief(
    given: Option<OptionValue<String>>,
    typed: bool,
    rule: &RuleChoice,
) -> anyhow::Result<Option<Belief>> {
    let useful = rule.fixed().is_some();
    ensure!(
        !typed || useful,
        "--prior does nothing with the rule {rule}: the schedule optimal, p1 and p2, which rest on it, are for rules \
         K/N; name a --rule, such as 18/20, or leave it out"
    );
    let read = |given: OptionValue<String>| {
        Belief::read(&given.value).map_err(|error| given.wrong(error.in_words()))
    };
    given.filter(|_| useful).map(read).transpose()
}
