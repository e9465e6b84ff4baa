//! The input, numbered: states, transitions and traces as small integers.
//!
//! A transition is an event in a state with the state it led to; equal ones of different traces and positions
//! are one. The launch is a transition too, from nowhere to the first state, and its time is that of a restart.
//! So a path, a list of transitions that begins with a launch, is all that a candidate is, and equal candidates
//! are equal lists. A hundred thousand steps come down to a few thousand transitions.

use std::ops::Range;

use retap_model::TraceNumber;
use retap_trace::{Level, Micros, StateKey};

use crate::item::{ItemId, Items};
use crate::reading::Joins;

/// Number of a state at the level of joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StateNo(pub(crate) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TransitionId(pub(crate) u32);

/// Number of an event in a state; transitions of one pair differ in where they led.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PairNo(pub(crate) u32);

/// A step of a trace of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepRef {
    pub trace: TraceNumber,
    /// The position of the step in the trace, from 0.
    pub position: u32,
}

/// What the input does, once for each kind of step.
#[derive(Debug, Clone)]
pub(crate) struct Transition {
    /// The state in which the event was done.
    pub(crate) from: StateNo,
    pub(crate) to: StateNo,
    /// The event in its state.
    pub(crate) pair: PairNo,
    /// What must be seen afterwards: a state at the level of the suite, or a crash. A launch may expect nothing.
    pub(crate) expect: Option<StateKey>,
    /// The state or the crash, as an item. Where nobody looked at the start, a launch has none.
    pub(crate) mark: Option<ItemId>,
    /// How long it takes on a device, on average.
    pub(crate) time: Micros,
    /// Whether it scrolls or edits: after such events a mismatch may be forgiven.
    pub(crate) forgiving: bool,
    /// The first step that did it; a launch has none.
    pub(crate) sample: Option<StepRef>,
}

/// One trace: its part of the tape, and what it was the first to cover.
#[derive(Debug, Clone)]
pub(crate) struct InputTrace {
    pub(crate) trace: TraceNumber,
    /// Its transitions on the tape, the launch first.
    pub(crate) span: Range<u32>,
    /// Items with the index of the transition, in this trace, that first covered them; in the order of items.
    pub(crate) credits: Vec<(ItemId, u32)>,
}

/// The input, numbered.
#[derive(Debug, Clone)]
pub struct SuiteInput {
    pub(crate) level: Level,
    pub(crate) joins: Joins,
    pub(crate) items: Items,
    pub(crate) transitions: Vec<Transition>,
    /// All traces, one behind the other.
    pub(crate) tape: Vec<TransitionId>,
    pub(crate) traces: Vec<InputTrace>,
    pub(crate) states: u32,
    pub(crate) pairs: u32,
}

impl SuiteInput {
    /// The level at which states are told apart.
    pub fn level(&self) -> Level {
        self.level
    }

    /// When two states may be joined.
    pub fn joins(&self) -> Joins {
        self.joins
    }

    /// Traces with at least one step.
    pub fn traces(&self) -> usize {
        self.traces.len()
    }

    pub fn steps(&self) -> usize {
        self.tape.len() - self.traces.len()
    }

    /// How many different items the input covers.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// How many different states there are, and how many different transitions, launches included.
    pub fn size(&self) -> (usize, usize) {
        (self.states as usize, self.transitions.len())
    }

    /// The device time of running everything once.
    pub fn time(&self) -> Micros {
        self.time_of(&self.tape)
    }

    pub(crate) fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    pub(crate) fn path(&self, trace: &InputTrace) -> &[TransitionId] {
        &self.tape[trace.span.start as usize..trace.span.end as usize]
    }

    /// How long a path takes.
    pub(crate) fn time_of(&self, path: &[TransitionId]) -> Micros {
        path.iter().map(|&id| self.transition(id).time).sum()
    }

    /// All transitions, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..u32::try_from(self.transitions.len()).expect("fewer than 2^32 transitions")).map(TransitionId)
    }

    /// The steps of the input that make up a path, in as long stretches of one trace as there are.
    pub(crate) fn steps_of(&self, path: &[TransitionId]) -> Vec<StepRef> {
        let mut steps = Vec::new();
        let mut rest = &path[path.len().min(1)..];
        while let Some(&first) = rest.first() {
            let matching = |place: usize| {
                self.tape[place..].iter().zip(rest).take_while(|(here, wanted)| here == wanted).count()
            };
            let starts = (0..self.tape.len()).filter(|&place| self.tape[place] == first);
            let longest = starts.map(|place| (matching(place), std::cmp::Reverse(place))).max();
            let (length, std::cmp::Reverse(place)) = longest.expect("every transition is on the tape");
            steps.extend((place..place + length).map(|place| self.step_at(place)));
            rest = &rest[length..];
        }
        steps
    }

    fn step_at(&self, place: usize) -> StepRef {
        let trace = self.traces.partition_point(|trace| trace.span.end as usize <= place);
        let trace = &self.traces[trace];
        let position = u32::try_from(place).expect("fewer than 2^32 steps") - trace.span.start - 1;
        StepRef { trace: trace.trace, position }
    }
}

impl TransitionId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl StateNo {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl PairNo {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}
