//! Traces written as text, for tests: `0 a>1:7,8 b>2 x>!Boom` begins in state 0, goes by event a to state 1, which
//! executes code 7 and 8, by b to state 2, and by x to a crash.

use retap_trace::{
    CoverageId, Crash, CrashKind, Event, Header, Micros, Seen, Signature, StateKey, Step, Trace,
};

use crate::input::{SuiteInput, TransitionId};
use crate::item::{Item, ItemId};
use crate::order::{Followed, Sighting};
use crate::reading::Reading;

/// The trace of a text; a restart takes 10 s, a step 1 s.
pub(crate) fn trace(text: &str) -> Trace {
    let mut words = text.split_whitespace();
    let mut state: u64 = words.next().expect("a state").parse().expect("a number");
    let mut steps = Vec::new();
    for (number, word) in (10..).zip(words) {
        let (event, rest) = word.split_once('>').expect("event>state");
        let (to, code) = rest.split_once(':').unwrap_or((rest, ""));
        let x = i32::try_from(u32::from(event.chars().next().expect("a letter"))).expect("a letter");
        let mut step = Step { before: Some(seen(state)), ..Step::new(Event::tap(x, 0)) };
        if let Some(name) = to.strip_prefix('!') {
            step.crash = Some(crash(name));
        } else {
            state = to.parse().expect("a state");
            step.after = Some(seen(state));
        }
        step.at = Some(Micros::from_secs(number));
        step.coverage = code.split(',').filter_map(|id| id.parse().ok()).map(CoverageId).collect();
        steps.push(step);
    }
    Trace { header: Header::new("app"), steps }
}

pub(crate) fn seen(state: u64) -> Seen {
    let key = Some(StateKey(state));
    Seen { actionable: key, layout: key, full: key, ..Seen::activity("Main") }
}

/// The traces of these texts, read.
pub(crate) fn input(texts: &[&str]) -> SuiteInput {
    let traces: Vec<Trace> = texts.iter().map(|text| trace(text)).collect();
    SuiteInput::read(&traces, Reading::default()).expect("good traces")
}

pub(crate) fn path(input: &SuiteInput, trace: usize) -> Vec<TransitionId> {
    input.path(&input.traces[trace]).to_vec()
}

/// The item of a piece of code.
pub(crate) fn code(input: &SuiteInput, id: u32) -> ItemId {
    input.items.find(&Item::Code(CoverageId(id))).expect("code of the input")
}

/// The run that the text of a trace describes.
pub(crate) fn run(text: &str) -> Followed {
    let trace = trace(text);
    let start = trace.steps.first().and_then(|step| step.before.as_ref()?.actionable);
    let sighting = |step: &Step| Sighting {
        state: step.after.as_ref().and_then(|seen| seen.actionable).unwrap_or_default(),
        coverage: step.coverage.clone(),
        crash: step.crash.as_ref().map(|crash| crash.signature.clone()),
    };
    let sightings: Vec<Sighting> = trace.steps.iter().map(sighting).collect();
    let took = Micros::from_secs(10 + sightings.len() as u64);
    Followed::clean(start, sightings, took)
}

fn crash(name: &str) -> Crash {
    Crash {
        kind: CrashKind::Java,
        signature: Signature(name.into()),
        exception: name.to_owned(),
        message: String::new(),
        root_cause: None,
        frames: Vec::new(),
    }
}
