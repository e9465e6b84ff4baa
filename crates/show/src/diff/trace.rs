//! How two traces differ: their headers, their steps, the states that were recorded, and their crashes.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::Path;
use std::time::Instant;

use retap_trace::{Crash, Event, Level, Seen, Signature, Step, Trace};
use serde::{Serialize, Serializer};
use similar::{ChangeTag, TextDiff};

use super::align::aligned;
use super::event::{place, purpose, told_apart};
use super::{Changed, Difference, Fact, Findings, changed, named};
use crate::crash;
use crate::page::{TextLine, TextPage, Tone};
use crate::trace::facts as header_facts;
use crate::words::count;

/// Equal steps that are shown before and after a difference.
const CONTEXT: usize = 3;

/// One of two traces.
#[derive(Debug, Clone, Copy)]
pub struct TraceSide<'a> {
    /// Its file, as it was named.
    pub file: &'a Path,
    /// The trace, whole.
    pub trace: &'a Trace,
}

/// How two traces differ.
pub type TraceDifference<'a> = Difference<'a, TraceFindings<'a>>;

/// What differs between two traces.
#[derive(Debug, Serialize)]
pub struct TraceFindings<'a> {
    header: Vec<Changed>,
    equal: usize,
    removed: usize,
    added: usize,
    changed: usize,
    #[serde(serialize_with = "different")]
    steps: Vec<StepDifference>,
    /// Equal steps before which the traces have recorded different states, by their numbers.
    states: Vec<(usize, usize)>,
    /// Whether both end in equal steps, after which they have recorded different states.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    other_end: bool,
    crashes: CrashDifference<'a>,
    /// Equal steps with which the traces have recorded different crashes, but for those that they end in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_crashes: Vec<OtherCrash<'a>>,
    /// Whether there was not enough time to pair all steps.
    rough: bool,
    #[serde(skip)]
    sizes: (usize, usize),
}

/// A step of two traces; equal ones are not told to programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum StepDifference {
    Equal { before: usize, after: usize, words: String },
    Removed { before: usize, words: String },
    Added { after: usize, words: String },
    Changed { before: usize, after: usize, was: String, is_now: String },
}

/// The crash that each ends in.
#[derive(Debug, Serialize)]
struct CrashDifference<'a> {
    before: Option<&'a Crash>,
    after: Option<&'a Crash>,
    /// Whether one of the traces was changed since it was confirmed: nobody knows where its steps end now.
    #[serde(skip)]
    any_changed: bool,
}

/// The crashes that two equal steps have led to; nothing where a step has led to none.
#[derive(Debug, Serialize)]
struct OtherCrash<'a> {
    before: usize,
    after: usize,
    was: Option<&'a Signature>,
    is_now: Option<&'a Signature>,
}

impl<'a> TraceDifference<'a> {
    /// Compares two traces. Times and covered code are no differences: they vary from one recording to the next. States
    /// are compared at a level, where both have recorded them. Steps are paired until the given moment.
    pub fn of(before: TraceSide<'a>, after: TraceSide<'a>, level: Level, until: Option<Instant>) -> Self {
        let (one, other) = (&before.trace.steps[..], &after.trace.steps[..]);
        let pairs = Pairs::of(one, other, until);
        let steps = pairs.steps(one, other);
        let count = |is: fn(&StepDifference) -> bool| steps.iter().filter(|step| is(step)).count();
        let parted = |(a, b): &&(usize, usize)| {
            are_other_states(one[*a].before.as_ref(), other[*b].before.as_ref(), level)
        };
        let both_end = pairs.equal.contains(&(one.len().wrapping_sub(1), other.len().wrapping_sub(1)));
        let last = |steps: &'a [Step]| steps.last().and_then(|step| step.after.as_ref());
        let other_end = both_end && are_other_states(last(one), last(other), level);
        let states: Vec<(usize, usize)> =
            pairs.equal.iter().filter(parted).map(|(a, b)| (a + 1, b + 1)).collect();
        let header = changed(&before.facts(), &after.facts());
        let crashes = CrashDifference {
            before: before.trace.crash(),
            after: after.trace.crash(),
            any_changed: before.trace.is_changed() || after.trace.is_changed(),
        };
        let other_crashes = crashes.others(&pairs, one, other);
        let found = TraceFindings {
            header,
            equal: count(|step| matches!(step, StepDifference::Equal { .. })),
            removed: count(|step| matches!(step, StepDifference::Removed { .. })),
            added: count(|step| matches!(step, StepDifference::Added { .. })),
            changed: count(|step| matches!(step, StepDifference::Changed { .. })),
            steps,
            states,
            other_end,
            crashes,
            other_crashes,
            rough: until.is_some_and(|until| Instant::now() >= until),
            sizes: (one.len(), other.len()),
        };
        Self::new(before.file, after.file, found)
    }

    /// The same, without what headers say.
    pub(super) fn without_header(self) -> Self {
        Self::new(self.before, self.after, TraceFindings { header: Vec::new(), ..self.found })
    }
}

impl Findings for TraceFindings<'_> {
    const WHAT: &'static str = "trace";

    fn are_none(&self) -> bool {
        let steps_same = self.removed + self.added + self.changed == 0;
        let states_same = self.states.is_empty() && !self.other_end;
        self.header.is_empty()
            && steps_same
            && states_same
            && self.crashes.are_same()
            && self.other_crashes.is_empty()
    }

    fn sizes(&self) -> (String, String) {
        (count(self.sizes.0, "step"), count(self.sizes.1, "step"))
    }

    fn facts(&self) -> &[Changed] {
        &self.header
    }

    fn body(&self, page: &mut TextPage) {
        page.gap();
        if self.removed + self.added + self.changed > 0 {
            self.table(page);
            page.gap();
        }
        let Self { removed, added, changed, equal, .. } = self;
        page.say(format!(
            "{} removed, {added} added, {changed} changed, {equal} equal",
            count(*removed, "step")
        ));
        if self.rough {
            page.say("the traces are long and differ much: there was no time to pair all steps that belong together");
        }
        if let Some((before, after)) = self.states.first() {
            let many = count(self.states.len(), "equal step");
            page.say(format!(
                "different states were recorded before {many}, first before step {before} (now {after})"
            ));
        }
        if self.other_end {
            page.say("different states were recorded after the last step");
        }
        for OtherCrash { before, after, was, is_now } in &self.other_crashes {
            let words = |crash: Option<&Signature>| crash.map_or("no crash".to_owned(), ToString::to_string);
            page.say(format!("step {before} led to {} (now {after}: {})", words(*was), words(*is_now)));
        }
        self.crashes.lines(page);
    }
}

impl TraceFindings<'_> {
    fn table(&self, page: &mut TextPage) {
        let width = self.sizes.0.max(self.sizes.1).to_string().len();
        let mut equal = 0;
        for (at, step) in self.steps.iter().enumerate() {
            if !matches!(step, StepDifference::Equal { .. }) {
                equal = 0;
            } else if self.is_far(at) {
                equal += 1;
                if self.steps.get(at + 1).is_none_or(|_| !self.is_far(at + 1)) {
                    let words = format!("  {:w$}  ... {}", "", count(equal, "equal step"), w = 2 * width + 2);
                    page.add(TextLine::new().toned(Tone::Faint, words));
                    equal = 0;
                }
                continue;
            }
            page.add(step.line(width));
        }
    }

    /// Whether a step is equal, and so are those around it.
    fn is_far(&self, at: usize) -> bool {
        let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(self.steps.len());
        self.steps[around].iter().all(|step| matches!(step, StepDifference::Equal { .. }))
    }
}

/// Whether two looks tell of different states. Those that were not fine enough for the level still name the activity.
fn are_other_states(one: Option<&Seen>, other: Option<&Seen>, level: Level) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let keys = one.key(level).zip(other.key(level));
    one.activity != other.activity || keys.is_some_and(|(one, other)| one != other)
}

/// Programs are told what differs.
fn different<S: Serializer>(steps: &[StepDifference], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(steps.iter().filter(|step| !matches!(step, StepDifference::Equal { .. })))
}

impl TraceSide<'_> {
    /// What its header says: also what is no fact on the page of a trace, because it stands there among the steps.
    fn facts(&self) -> Vec<Fact> {
        let header = &self.trace.header;
        let mut facts = header_facts(self.trace, None);
        let after = header.after.as_ref();
        facts.extend(after.map(|after| ("after", format!("step {} of {}", after.steps, after.trace))));
        // The crash that the trace ends in is compared by itself.
        let at_start = header.crash.as_ref().filter(|crash| self.trace.crash() != Some(crash));
        facts.extend(at_start.map(|crash| ("launch", format!("crashes: {}", crash.signature))));
        named(facts)
    }
}

impl<'a> CrashDifference<'a> {
    /// The different crashes of equal steps. What the traces end in is told by itself, unless it is the same after other steps.
    fn others(&self, pairs: &Pairs, one: &'a [Step], other: &'a [Step]) -> Vec<OtherCrash<'a>> {
        let signature = |step: &'a Step| step.crash.as_ref().map(|crash| &crash.signature);
        let told = self.before.map(|crash| &crash.signature) != self.after.map(|crash| &crash.signature);
        let last = |steps: &[Step]| steps.iter().rposition(|step| step.crash.is_some());
        let (end, other_end) = (last(one), last(other));
        let found = pairs.equal.iter().map(|&(a, b)| (a, b, signature(&one[a]), signature(&other[b])));
        let ends = |at: usize, end: Option<usize>, crash: Option<_>| crash.is_none() || end == Some(at);
        let found = found.filter(|&(a, b, was, is_now)| {
            was != is_now && !(told && ends(a, end, was) && ends(b, other_end, is_now))
        });
        found.map(|(a, b, was, is_now)| OtherCrash { before: a + 1, after: b + 1, was, is_now }).collect()
    }

    fn are_same(&self) -> bool {
        self.before == self.after
    }

    /// What two crashes with one signature say, and where they come from.
    fn details(&self, before: &Crash, after: &Crash, page: &mut TextPage) {
        let end = if self.any_changed { "are recorded to end" } else { "end" };
        page.say(format!("both {end} in the same crash: {}", before.signature));
        if before.message != after.message {
            let line = TextLine::new().text("  message: ");
            page.add(word_by_word(line, &before.message, &after.message).hanging(4));
        }
        let (one, other) = (lines_of(before), lines_of(after));
        if one == other {
            return;
        }
        page.say("  its stack differs:");
        let diff = TextDiff::from_slices(&one, &other);
        for change in diff.iter_all_changes() {
            let (mark, tone) = match change.tag() {
                ChangeTag::Equal => (" ", Tone::Faint),
                ChangeTag::Delete => ("-", Tone::Removed),
                ChangeTag::Insert => ("+", Tone::Added),
            };
            page.add(TextLine::new().toned(tone, format!("  {mark} {}", change.value())).hanging(6));
        }
    }

    fn lines(&self, page: &mut TextPage) {
        match (self.before, self.after) {
            (Some(before), Some(after)) if before.signature == after.signature => {
                self.details(before, after, page);
            }
            (None, None) => {}
            (before, after) => {
                let ends = if self.any_changed { "is recorded to end" } else { "ends" };
                for (found, which) in [(before, "the first"), (after, "the second")] {
                    match found {
                        None => page.say(format!("{which} records no crash")),
                        Some(found) => {
                            page.say(format!("{which} {ends} in {}", found.signature));
                            page.add(crash::named(found, 2));
                            crash::stack(page, found, 4);
                        }
                    }
                }
            }
        }
    }
}

/// What a crash is, and its stack, in lines.
fn lines_of(crash: &Crash) -> Vec<&str> {
    let frames = crash.frames.iter().map(|frame| frame.0.as_str());
    [crash.exception.as_str()].into_iter().chain(crash.root_cause.as_deref()).chain(frames).collect()
}

/// Which steps belong together, by their positions.
struct Pairs {
    equal: Vec<(usize, usize)>,
    changed: Vec<(usize, usize)>,
}

impl Pairs {
    /// Equal steps first; then, between them, those that do the same kind of thing to the same widget, or at the same place.
    fn of(one: &[Step], other: &[Step], until: Option<Instant>) -> Self {
        let equal = aligned_by(|event| event, one, other, &[], until);
        let mut known = equal.clone();
        let mut changed = Vec::new();
        for alike in [purpose, place] {
            let found = aligned_by(alike, one, other, &known, until);
            changed.extend(found.iter().copied());
            known.extend(found);
            known.sort_unstable();
        }
        Self { equal, changed }
    }

    /// All steps in order, with what became of them.
    fn steps(&self, one: &[Step], other: &[Step]) -> Vec<StepDifference> {
        let mut all: Vec<(usize, usize, bool)> = self.equal.iter().map(|(a, b)| (*a, *b, true)).collect();
        all.extend(self.changed.iter().map(|(a, b)| (*a, *b, false)));
        all.sort_unstable();
        all.push((one.len(), other.len(), false));
        let words = |step: &Step| step.event.to_string();
        let (mut found, mut from) = (Vec::new(), (0, 0));
        for (a, b, equal) in all {
            let removed =
                (from.0..a).map(|at| StepDifference::Removed { before: at + 1, words: words(&one[at]) });
            found.extend(removed);
            let added =
                (from.1..b).map(|at| StepDifference::Added { after: at + 1, words: words(&other[at]) });
            found.extend(added);
            from = (a + 1, b + 1);
            let (Some(was), Some(is)) = (one.get(a), other.get(b)) else { continue };
            found.push(if equal {
                StepDifference::Equal { before: a + 1, after: b + 1, words: words(was) }
            } else {
                let (was, is_now) = told_apart(&was.event, &is.event);
                StepDifference::Changed { before: a + 1, after: b + 1, was, is_now }
            });
        }
        found
    }
}

/// Pairs of steps that are alike by this, in the gaps between those that are known.
fn aligned_by<'a, K: Eq + Hash>(
    alike: fn(&'a Event) -> K,
    one: &'a [Step],
    other: &'a [Step],
    known: &[(usize, usize)],
    until: Option<Instant>,
) -> Vec<(usize, usize)> {
    let (mut pairs, mut from) = (Vec::new(), (0, 0));
    for &(a, b) in known.iter().chain([&(one.len(), other.len())]) {
        if a > from.0 && b > from.1 {
            let mut numbers = Numbers::new();
            let mut numbered = |steps: &'a [Step]| -> Vec<u32> {
                steps.iter().map(|step| numbers.of(alike(&step.event))).collect()
            };
            let gap = aligned(&numbered(&one[from.0..a]), &numbered(&other[from.1..b]), until);
            pairs.extend(gap.into_iter().map(|(at_a, at_b)| (from.0 + at_a, from.1 + at_b)));
        }
        from = (a + 1, b + 1);
    }
    pairs
}

/// A number for each of what steps are told apart by.
struct Numbers<K>(HashMap<K, u32>);

impl<K: Eq + Hash> Numbers<K> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    fn of(&mut self, key: K) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(key).or_insert(next)
    }
}

impl StepDifference {
    fn line(&self, width: usize) -> TextLine {
        let number = |number: Option<usize>| number.map_or_else(String::new, |number| format!("{number}."));
        let begun = |mark: &str, tone: Tone, before: Option<usize>, after: Option<usize>| {
            let (before, after, width) = (number(before), number(after), width + 1);
            TextLine::new().toned(tone, format!("{mark} {before:>width$} {after:>width$}  "))
        };
        let line = match self {
            Self::Equal { before, after, words } => {
                begun(" ", Tone::Faint, Some(*before), Some(*after)).toned(Tone::Faint, words)
            }
            Self::Removed { before, words } => {
                begun("-", Tone::Removed, Some(*before), None).toned(Tone::Removed, words)
            }
            Self::Added { after, words } => {
                begun("+", Tone::Added, None, Some(*after)).toned(Tone::Added, words)
            }
            Self::Changed { before, after, was, is_now } => {
                word_by_word(begun("~", Tone::Strong, Some(*before), Some(*after)), was, is_now)
            }
        };
        line.hanging(2 * width + 9)
    }
}

/// What was and what is, in one line: `type [-"milk"-]{+"m"+}`.
fn word_by_word(line: TextLine, was: &str, is: &str) -> TextLine {
    let diff = TextDiff::from_words(was, is);
    let mut pieces: Vec<(ChangeTag, String)> = Vec::new();
    for change in diff.iter_all_changes() {
        match pieces.last_mut().filter(|(tag, _)| *tag == change.tag()) {
            Some((_, text)) => text.push_str(change.value()),
            None => pieces.push((change.tag(), change.value().to_owned())),
        }
    }
    pieces.into_iter().fold(line, |line, (tag, text)| match tag {
        ChangeTag::Equal => line.text(text),
        ChangeTag::Delete => line.toned(Tone::Removed, format!("[-{text}-]")),
        ChangeTag::Insert => line.toned(Tone::Added, format!("{{+{text}+}}")),
    })
}

#[cfg(test)]
mod tests {
    use retap_trace::{After, CrashKind, Header, StateKey};

    use super::*;

    fn same(one: &Trace, other: &Trace) -> bool {
        let file = Path::new("x");
        let side = |trace| TraceSide { file, trace };
        TraceDifference::of(side(one), side(other), Level::Layout, None).is_same()
    }

    #[test]
    fn what_comes_before_the_steps_is_compared() {
        let begun = |after| Trace { header: Header { after, ..Header::new("a") }, steps: Vec::new() };
        let after = |steps| Some(After { trace: "early.trace.jsonl".to_owned(), steps });
        assert!(same(&begun(after(3)), &begun(after(3))));
        assert!(!same(&begun(after(3)), &begun(after(4))));
        assert!(!same(&begun(after(3)), &begun(None)));
    }

    /// Looks that were not fine enough for a key, and keys that are the same by chance.
    #[test]
    fn states_in_two_activities_differ() {
        let seen = |activity: &str, layout| Seen { layout, ..Seen::activity(activity) };
        let trace = |before: Seen, after: Seen| {
            let step = Step { before: Some(before), after: Some(after), ..Step::new(Event::Launch) };
            Trace { header: Header::new("a"), steps: vec![step] }
        };
        let key = Some(StateKey(7));
        let main = || seen("a.Main", None);
        assert!(same(&trace(main(), main()), &trace(main(), main())));
        assert!(!same(&trace(main(), main()), &trace(seen("a.Other", None), main())));
        assert!(!same(&trace(main(), main()), &trace(main(), seen("a.Other", None))));
        assert!(!same(&trace(seen("a.Main", key), main()), &trace(seen("a.Other", key), main())));
        assert!(same(&trace(seen("a.Main", key), main()), &trace(main(), main())), "one look told less");
    }

    /// One crash after other steps, and another one before it, are differences.
    #[test]
    fn crashes_are_compared_step_by_step() {
        let crash = |name: &str| Crash {
            kind: CrashKind::Java,
            signature: Signature(name.into()),
            exception: name.to_owned(),
            message: String::new(),
            root_cause: None,
            frames: Vec::new(),
        };
        let trace = |crashes: [Option<&str>; 3]| {
            let step = |name: Option<&str>| Step { crash: name.map(crash), ..Step::new(Event::Launch) };
            Trace { header: Header::new("a"), steps: crashes.map(step).into() }
        };
        let one = trace([None, None, Some("A")]);
        assert!(same(&one, &trace([None, None, Some("A")])));
        for other in [[None, Some("A"), None], [None, Some("B"), Some("A")], [Some("A"), None, Some("A")]] {
            assert!(!same(&one, &trace(other)), "{other:?}");
            assert!(!same(&trace(other), &one), "{other:?}");
        }
    }
}
