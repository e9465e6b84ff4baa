//! How two sessions of one kind differ: what they were to do, the crashes with their rates, and what they covered.

use std::time::Instant;

use retap_job::overview::{ExploreOverview, JobOverview, SessionOverview, SuiteOutcome};
use retap_job::reduce::{RateResult, ReduceStatus};
use retap_job::suite::{CoveredItems, SuiteSize};
use retap_reduce::{Rate, Tally};
use retap_trace::{Level, Target};
use serde::Serialize;

use super::covered::{CoverageDifference, CoveredSets};
use super::settings::settings;
use super::suite::SuiteDifference;
use super::{Changed, Difference, Fact, Findings, TraceDifference, TraceSide, changed, named};
use crate::chance::Comparison;
use crate::page::{TextLine, TextPage, Tone};
use crate::session::{damage, state};
use crate::words::count;

/// How two sessions differ.
pub type SessionDifference<'a> = Difference<'a, SessionFindings<'a>>;

/// What differs between two sessions.
#[derive(Debug, Serialize)]
pub struct SessionFindings<'a> {
    facts: Vec<Changed>,
    crashes: Vec<ComparedCrash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageDifference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<TraceDifference<'a>>,
    /// Of two sessions that have made suites.
    #[serde(skip_serializing_if = "Option::is_none")]
    suites: Option<SuiteDifference<'a>>,
    /// What could not be read of the two, and so was not compared.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    damage_before: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    damage_after: &'a [String],
    #[serde(skip)]
    explored: bool,
}

/// A crash, or another target, in both.
#[derive(Debug, Clone, Serialize)]
struct ComparedCrash {
    target: String,
    before: Option<CrashSide>,
    after: Option<CrashSide>,
    /// The probability of a difference like this between equal rates, where both were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<f64>,
    #[serde(skip)]
    comparison: Option<Comparison>,
}

/// What one of two sessions says of a crash.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct CrashSide {
    /// How often it was seen, in an exploration.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<u32>,
    /// How its reduction ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<ReduceStatus>,
    /// Events of its shortest trace, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<u64>,
    /// How many of how many fresh runs reached it.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<RateResult>,
    #[serde(skip)]
    tally: Option<Tally>,
}

impl<'a> SessionDifference<'a> {
    /// Compares two sessions; nothing where they are of different kinds. The suites that both have made are compared
    /// already. Steps of answers are paired until the given moment.
    pub fn of(
        before: &'a SessionOverview,
        after: &'a SessionOverview,
        suites: Option<SuiteDifference<'a>>,
        level: Level,
        until: Option<Instant>,
    ) -> Option<Self> {
        if std::mem::discriminant(&before.job) != std::mem::discriminant(&after.job) {
            return None;
        }
        let coverage = match (&before.job, &after.job) {
            (JobOverview::Explore(one), JobOverview::Explore(other)) => {
                Some(coverage(one, other, before.build == after.build))
            }
            _ => None,
        };
        let found = SessionFindings {
            facts: changed(&all_facts(before), &all_facts(after)),
            crashes: compared(&crashes(&before.job), &crashes(&after.job)),
            coverage,
            answers: answers(before, after, level, until),
            suites,
            damage_before: &before.damage,
            damage_after: &after.damage,
            explored: matches!(before.job, JobOverview::Explore(_)),
        };
        Some(Self::new(&before.session, &after.session, found))
    }
}

impl Findings for SessionFindings<'_> {
    const WHAT: &'static str = "session";

    /// What could not be read may differ.
    fn are_none(&self) -> bool {
        self.facts.is_empty()
            && self.damage_before.is_empty()
            && self.damage_after.is_empty()
            && self.crashes.iter().all(ComparedCrash::is_same)
            && self.coverage.as_ref().is_none_or(CoverageDifference::is_none)
            && self.answers.as_ref().is_none_or(TraceDifference::is_same)
            && self.suites.as_ref().is_none_or(SuiteDifference::is_same)
    }

    fn sizes(&self) -> (String, String) {
        if let Some(suites) = &self.suites {
            return suites.found.sizes();
        }
        let side = |side: fn(&ComparedCrash) -> &Option<CrashSide>| {
            count(self.crashes.iter().filter(|crash| side(crash).is_some()).count(), self.noun())
        };
        (side(|crash| &crash.before), side(|crash| &crash.after))
    }

    fn facts(&self) -> &[Changed] {
        &self.facts
    }

    fn body(&self, page: &mut TextPage) {
        damage(page, self.damage_before);
        damage(page, self.damage_after);
        if !self.crashes.is_empty() {
            page.gap();
        }
        for crash in &self.crashes {
            crash.lines(page);
        }
        self.caution(page);
        if let Some(coverage) = self.coverage.as_ref().filter(|coverage| !coverage.is_none()) {
            page.gap();
            coverage.lines(page);
        }
        if let Some(answers) = self.answers.as_ref().filter(|answers| !answers.is_same()) {
            page.gap();
            page.add(TextLine::new().toned(Tone::Strong, "the answers:"));
            answers.found.body(page);
        }
        if let Some(suites) = self.suites.as_ref().filter(|suites| !suites.is_same()) {
            suites.found.body(page);
        }
    }
}

impl SessionFindings<'_> {
    const fn noun(&self) -> &'static str {
        if self.explored { "crash" } else { "target" }
    }

    /// What these figures do not say.
    fn caution(&self, page: &mut TextPage) {
        let alone = |crash: &ComparedCrash| crash.before.is_some() != crash.after.is_some();
        if self.explored && self.crashes.iter().any(alone) {
            page.gap();
            page.say(
                "that only one of two explorations has seen a crash does not say that it is gone or new: what an \
                 exploration sees depends on chance; 'retap replay' of its trace tells",
            );
        }
        let rates = self.crashes.iter().filter(|crash| crash.p.is_some()).count();
        if rates > 1 {
            page.say(format!(
                "{rates} rates are compared; of 20 such comparisons of equal rates, one comes out beyond chance"
            ));
        }
    }
}

fn all_facts(session: &SessionOverview) -> Vec<Fact> {
    let mut facts = named([("state", state(session).1)]);
    for (name, value) in
        [("app", &session.package), ("build", &session.build), ("platform", &session.platform)]
    {
        facts.extend(value.clone().map(|value| (name.to_owned(), value)));
    }
    match &session.job {
        JobOverview::Explore(explored) => {
            facts.extend(settings(&explored.plan));
            let branches = explored.coverage.to_string();
            facts.extend(named([("events made", explored.events.to_string()), ("branches", branches)]));
        }
        JobOverview::Reduce(reduced) => {
            facts.extend(settings(&reduced.plan));
            let result = reduced.result.as_ref();
            facts.extend(result.map(|result| ("events".to_owned(), result.events_after.to_string())));
            // An answer that is a trace is compared step by step.
            let kept = result.filter(|_| reduced.answer.is_none());
            facts.extend(kept.map(|result| ("kept".to_owned(), format!("{:?}", result.kept))));
        }
        JobOverview::Suite(made) => {
            facts.extend(settings(&made.plan));
            facts.extend(made.result.as_ref().map(suite_facts).unwrap_or_default());
        }
        JobOverview::Replay(replayed) => {
            facts.extend(settings(&replayed.plan));
            facts.extend(named(crate::replay::facts(replayed)));
        }
    }
    facts
}

/// What came of making a suite, but for the time: no two runs on a real device take equally long.
fn suite_facts(result: &SuiteOutcome) -> Vec<Fact> {
    let size = |size: &SuiteSize| {
        let restarts = count(size.restarts, "restart");
        format!("{}, {}, {restarts}", count(size.traces, "trace"), count(size.transitions, "transition"))
    };
    let covered = |items: &CoveredItems| {
        let (states, crashes) = (count(items.states, "state"), count(items.crashes, "crash"));
        format!("{} of code, {states}, {crashes}", count(items.code, "piece"))
    };
    let lost = result.coverage.lost.iter().map(|lost| format!("{} ({})", lost.item, lost.why));
    let mut facts = named([
        ("before", size(&result.before)),
        ("after", size(&result.after)),
        ("before covers", covered(&result.coverage.before)),
        ("after covers", covered(&result.coverage.after)),
        ("flaky steps", result.flaky_steps.to_string()),
        ("cut traces", result.cut_traces.to_string()),
    ]);
    if !result.coverage.lost.is_empty() {
        facts.extend(named([("lost", lost.collect::<Vec<_>>().join("; "))]));
    }
    facts
}

/// The crashes or targets of a session, with what is known of each.
fn crashes(job: &JobOverview) -> Vec<(String, CrashSide)> {
    match job {
        JobOverview::Explore(explored) => {
            let side = |crash: &retap_job::overview::CrashOverview| {
                let reduced = crash.reduced.as_ref();
                let events = reduced.map_or(crash.events as u64, |reduced| u64::from(reduced.events));
                let tally = reduced.map(|reduced| reduced.confirmed.tally());
                let status = reduced.map(|reduced| reduced.status);
                let side =
                    CrashSide { seen: Some(crash.seen), status, ..CrashSide::new(Some(events), tally) };
                (crash.signature.clone(), side)
            };
            explored.crashes.iter().map(side).collect()
        }
        JobOverview::Reduce(reduced) => {
            let result = reduced.result.as_ref();
            let events = result.map(|result| u64::from(result.events_after));
            let tally = result.map(|result| result.confirmed.tally());
            let status = result.map(|result| result.status);
            let side = CrashSide { status, ..CrashSide::new(events, tally) };
            let mut all = vec![(name(&reduced.plan.target), side)];
            let others = reduced.other_crashes.iter();
            all.extend(others.map(|(signature, _)| (signature.clone(), CrashSide::new(None, None))));
            all
        }
        JobOverview::Replay(replayed) => {
            let events = replayed.events.map(|events| events as u64);
            let tally = Some(replayed.confirmed.tally());
            vec![(name(&replayed.plan.target), CrashSide::new(events, tally))]
        }
        JobOverview::Suite(_) => Vec::new(),
    }
}

fn name(target: &Target) -> String {
    match target {
        Target::Crash(signature) => signature.to_string(),
        other => other.to_string(),
    }
}

impl CrashSide {
    fn new(events: Option<u64>, tally: Option<Tally>) -> Self {
        let tally = tally.filter(|tally| tally.runs() > 0);
        Self {
            seen: None,
            status: None,
            events,
            confirmed: tally.map(|tally| (tally.reached, tally.runs())),
            rate: tally.map(RateResult::of),
            tally,
        }
    }

    fn in_words(&self) -> String {
        // Fresh runs say that it was reduced.
        let status = self.status.filter(|status| *status != ReduceStatus::Reduced);
        let parts = [
            self.seen.map(|seen| format!("seen {}", count(seen, "time"))),
            status.map(|status| status.in_words().to_owned()),
            self.events.map(|events| count(events, "event")),
            self.tally.map(|tally| {
                format!("reached {} of {} times: {}", tally.reached, tally.runs(), Rate::of(tally))
            }),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "seen".to_owned() } else { parts.join("; ") }
    }
}

fn compared(before: &[(String, CrashSide)], after: &[(String, CrashSide)]) -> Vec<ComparedCrash> {
    let of = |sides: &[(String, CrashSide)], target: &str| {
        sides.iter().find(|(known, _)| known == target).map(|(_, side)| side.clone())
    };
    let only_after = after.iter().filter(|(target, _)| of(before, target).is_none());
    let targets = before.iter().chain(only_after).map(|(target, _)| target.clone());
    let compare = |target: String| {
        let (before, after) = (of(before, &target), of(after, &target));
        let tally = |side: &Option<CrashSide>| side.as_ref().and_then(|side| side.tally);
        let comparison = tally(&before).zip(tally(&after)).map(|(one, other)| Comparison::of(one, other));
        let p = comparison.and_then(|comparison| match comparison {
            Comparison::Unknown => None,
            Comparison::MayBeChance(p) | Comparison::BeyondChance(p) => Some(p),
        });
        ComparedCrash { target, before, after, p, comparison }
    };
    targets.map(compare).collect()
}

impl ComparedCrash {
    fn is_same(&self) -> bool {
        self.before == self.after
    }

    fn lines(&self, page: &mut TextPage) {
        let (mark, tone) = match (&self.before, &self.after) {
            (Some(_), None) => ("-", Tone::Removed),
            (None, Some(_)) => ("+", Tone::Added),
            _ if self.is_same() => (" ", Tone::Plain),
            _ => ("~", Tone::Strong),
        };
        page.add(TextLine::new().toned(tone, format!("{mark} {}", self.target)).hanging(4));
        if self.is_same() {
            let words = self.before.as_ref().map(CrashSide::in_words).unwrap_or_default();
            page.say(format!("    {words}, in both"));
        } else {
            for (mark, tone, side) in [("-", Tone::Removed, &self.before), ("+", Tone::Added, &self.after)] {
                if let Some(side) = side {
                    page.add(
                        TextLine::new().toned(tone, format!("    {mark} {}", side.in_words())).hanging(6),
                    );
                }
            }
        }
        if let Some(comparison) = self.comparison.filter(|_| !self.is_same()) {
            page.say(format!("    the rates: {}", comparison.in_words()));
        }
    }
}

fn coverage(one: &ExploreOverview, other: &ExploreOverview, same_build: bool) -> CoverageDifference {
    let sets = |explored: &ExploreOverview| CoveredSets {
        states: explored.state_keys.clone(),
        code: explored.code.clone(),
    };
    CoverageDifference::of(
        &sets(one),
        &sets(other),
        same_build,
        |key| {
            let words = one.state_words.get(&key).or(other.state_words.get(&key));
            format!("{} {}", &key.to_string()[..8], words.map_or("", String::as_str))
        },
        |id| {
            let name = one.code_names.get(&id).or(other.code_names.get(&id));
            name.cloned().unwrap_or_else(|| format!("number {}", id.0))
        },
    )
}

/// How the answers of two reductions differ.
fn answers<'a>(
    before: &'a SessionOverview,
    after: &'a SessionOverview,
    level: Level,
    until: Option<Instant>,
) -> Option<TraceDifference<'a>> {
    let answer = |session: &'a SessionOverview| match &session.job {
        JobOverview::Reduce(reduced) => {
            reduced.answer.as_ref().map(|(file, trace)| TraceSide { file, trace })
        }
        _ => None,
    };
    let found = TraceDifference::of(answer(before)?, answer(after)?, level, until);
    Some(found.without_header())
}
