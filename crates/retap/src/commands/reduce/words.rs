//! What people are told of a reduction.

use retap_lab::Done;
use retap_reduce::{Outcome, Rate, ReducedList, Subset, Tally, search};
use retap_trace::Trace;

use super::prior::Belief;
use super::result::{BY_WIDGET, Flaked, FlakedState, Simpler, reliability};
use super::{Finish, Job};
use crate::output::{bad, count, faint, good, strong};

impl Job<'_> {
    pub(super) fn say_reduced(&self, finish: &Finish, answer: &ReducedList, rule: &str) {
        let output = self.context.output;
        let subject = &self.subject;
        let (before, after) = (count(subject.events(), subject.noun()), strong(finish.kept.len()));
        match finish.claim {
            None => output.say(format!("\n{} {before} to {after}, not yet confirmed:\n", bad("reduced"))),
            Some(claim) => {
                let head = if finish.below || claim.reached == 0 { bad("reduced") } else { good("reduced") };
                output.say(format!(
                    "\n{head} {before} to {after}; fresh runs reached {} {} of {} times; \
                     with 95 % confidence it holds in {}:\n",
                    subject.target(),
                    claim.reached,
                    claim.runs(),
                    Rate::of(claim),
                ));
            }
        }
        match &finish.short {
            Some(short) => self.say_trace(short),
            None => self.say_steps(&finish.kept),
        }
        self.say_values(&finish.values);
        if finish.below {
            output.say(format!(
                "\n{}: that is less often than the rule {rule} asks for; without --rule, candidates are asked for what \
                 the whole {} holds",
                bad("below the rule"),
                self.whole(),
            ));
        }
        if finish.before.missed > 0 {
            let Tally { missed, .. } = finish.before;
            output.say(format!("\nthe same events missed {missed} of {} runs before", finish.before.runs()));
        }
        if answer.retreats > 0 {
            output.say(format!(
                "{} not confirmed by fresh runs and taken back",
                not_confirmed(answer.retreats)
            ));
        }
        self.say_flaked(finish.flaked.as_ref());
        self.say_cost(finish, answer);
    }

    /// What became simpler. Steps that only find their widget now share a line.
    fn say_values(&self, values: &[Simpler]) {
        let only_aim = |value: &&Simpler| value.after.strip_prefix(&*value.before) == Some(BY_WIDGET);
        for Simpler { step, before, after } in values.iter().filter(|value| !only_aim(value)) {
            self.context.output.say(format!("step {step} was simplified: {before} -> {after}"));
        }
        let steps: Vec<String> = values.iter().filter(only_aim).map(|value| value.step.to_string()).collect();
        let steps = match &steps[..] {
            [] => return,
            [step] => format!("step {step} was"),
            [steps @ .., last] => format!("steps {} and {last} were", steps.join(", ")),
        };
        self.context.output.say(format!("{steps} simplified: aimed at a widget now, not at a place"));
    }

    fn say_trace(&self, short: &Trace) {
        for (number, step) in short.steps.iter().enumerate() {
            self.context.output.say(format!("  {:>3}. {}", number + 1, step.event));
            if let Some(crash) = &step.crash {
                self.context.output.say(format!("       {} {crash}", bad("crash:")));
            }
        }
    }

    pub(super) fn say_flaked(&self, flaked: Option<&Flaked>) {
        let Some(Flaked { after, event, states }) = flaked else { return };
        self.context.output.say(match after {
            0 => "\nflaky: runs differ from the start:".to_owned(),
            after => format!("\nflaky: runs part after step {after}, {event}:"),
        });
        for FlakedState { state, runs, reached } in states {
            self.context.output.say(format!("  {runs:>3} in {state}; {reached} of them reached the target"));
        }
    }

    fn say_cost(&self, finish: &Finish, answer: &ReducedList) {
        let output = self.context.output;
        if let Some(p1) = reliability(&self.settings.prior(), finish.claim.unwrap_or_default()) {
            let p2 = self.minimality(finish, answer);
            let p2 = p2.map_or_else(String::new, |p2| format!(", p2 {}", retap_mdp::truncated(p2)));
            let whose = self.settings.prior.as_ref().map_or("ND3MIN's", Belief::whose);
            output.detail(format!(
                "p1 {}{p2} under {whose} prior (see docs/papers.md)",
                retap_mdp::truncated(p1)
            ));
        }
        let recorded = match self.spent.recordings {
            0 => String::new(),
            recordings => format!(" and {}", count(recordings, "recording")),
        };
        output.say(faint(format!(
            "\n{}{recorded} ({} inconclusive), {} performed, {} of {} time",
            count(self.spent.runs, "run"),
            self.spent.inconclusive,
            count(self.spent.events, self.subject.noun()),
            self.spent.time,
            if self.settings.device.is_some() { "device" } else { "the command's" },
        )));
    }

    pub(super) fn say_refused(&self, tally: Tally, needed: Option<(u32, u32)>) {
        let why = self.spent.trouble.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        let whole = self.whole();
        let what_to_do = match needed {
            Some((least, runs)) => format!("--min-rate asks for at least {least} of {runs}"),
            None if self.settings.device.is_some() => {
                "see where it leaves its recording with 'retap replay', \
                 and whether app, device and data are those of the recording"
                    .to_owned()
            }
            None => "check that the command ends with 0 for the whole list".to_owned(),
        };
        self.context.output.say(format!(
            "{}: the whole {whole} reached {} {} of {} times{why}; {what_to_do}. Nothing was reduced.",
            bad("not reproducible"),
            self.subject.target(),
            tally.reached,
            tally.runs(),
        ));
    }

    fn whole(&self) -> &'static str {
        if self.subject.trace().is_some() { "trace" } else { "list" }
    }

    /// The first of these events in words.
    pub(super) fn say_steps(&self, kept: &Subset) {
        const SHOWN: u32 = 20;
        for (position, number) in kept.positions().zip(1..=SHOWN) {
            self.context.output.say(format!("  {number:>3}. {}", self.subject.words(position)));
        }
        if kept.len() > SHOWN {
            self.context.output.say(format!("       ... and {} more", kept.len() - SHOWN));
        }
    }

    /// ND3MIN's p2. Its Lemma 1 is about an answer whose every shorter neighbour was turned down by the rule.
    pub(super) fn minimality(&self, finish: &Finish, answer: &ReducedList) -> Option<f64> {
        let (st, nr) = self.settings.fixed().filter(|(_, nr)| *nr > 1)?;
        let minimal =
            self.settings.one_by_one || search::named(&self.settings.search).is_ok_and(|kind| kind.minimal);
        let untouched = answer.retreats == 0 && finish.values.is_empty() && finish.kept == answer.subset;
        let applies = minimal && untouched && finish.claim.is_some_and(|claim| claim.runs() > 0);
        applies.then(|| retap_mdp::minimality(&self.settings.prior(), st, nr, finish.kept.len()))
    }
}

fn not_confirmed(answers: u32) -> String {
    if answers == 1 { "1 other answer was".to_owned() } else { format!("{answers} other answers were") }
}

/// A run in words.
pub(super) fn run(done: &Done) -> String {
    let why = || done.report.why.as_deref();
    let ended = match done.report.ended.outcome {
        Outcome::Reached => "reached".to_owned(),
        Outcome::Missed => match (&done.report.crash, why()) {
            (Some(crash), _) => format!("missed, another crash: {}", crash.signature),
            (None, Some(why)) => format!("missed, {why}"),
            (None, None) => "missed".to_owned(),
        },
        Outcome::Inconclusive => format!("inconclusive, {}", why().unwrap_or("stopped")),
    };
    let order = &done.order;
    format!("run {}: {}, {} events: {ended}", order.ticket.0, order.label, order.subset.len())
}
