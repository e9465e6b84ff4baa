//! Reading traces into [`SuiteInput`], and refusing what does not go together.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use retap_model::{TraceNumber, crash_key};
use retap_trace::{Event, Level, Micros, StateKey, Step, Trace};

use crate::input::{InputTrace, PairNo, StateNo, StepRef, SuiteInput, Transition, TransitionId};
use crate::item::{Item, ItemId, Items};

#[cfg(test)]
mod tests;

/// When two states may be joined: a loop cut out, or one trace continued by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Joins {
    /// When they are equal at the level of the suite, as the paper has it.
    #[default]
    Abstract,
    /// When everything that is seen is equal (level `full`), as the published program has it.
    Concrete,
}

impl std::str::FromStr for Joins {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "abstract" => Ok(Self::Abstract),
            "concrete" => Ok(Self::Concrete),
            other => Err(format!("there are no joins '{other}'; there are abstract and concrete")),
        }
    }
}

impl std::fmt::Display for Joins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Abstract => "abstract",
            Self::Concrete => "concrete",
        })
    }
}

/// How the traces are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The level at which states are told apart: what a replay must see again, and what counts as covered.
    pub level: Level,
    /// When two states may be joined.
    pub joins: Joins,
    /// Device time of a restart, where it is known better than the traces tell.
    pub restart: Option<Micros>,
}

/// Why traces cannot be made a suite of. Traces are numbered from 0; people should be told their files' names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// There is nothing to do.
    #[error("there is no trace with any step; give the traces of an exploration")]
    Empty,
    /// The traces are of different apps.
    #[error(
        "trace {trace} is of the app {package}, the traces before it are of {first}; one suite is of one app"
    )]
    MixedApps {
        /// The first trace that differs.
        trace: usize,
        package: String,
        /// The app of the first trace.
        first: String,
    },
    /// The traces are of different builds of the app.
    #[error(
        "trace {trace} is of build {build}, the traces before it are of {first}; coverage of different builds \
         does not mix"
    )]
    MixedBuilds {
        /// The first trace that differs.
        trace: usize,
        build: String,
        /// The build of the first trace.
        first: String,
    },
    /// Some traces begin in a launched app and some launch it.
    #[error(
        "trace {trace} does not begin like the traces before it (field 'start'); one suite has one start"
    )]
    MixedStarts {
        /// The first trace that differs.
        trace: usize,
    },
    /// A state that is needed was not recorded.
    #[error(
        "trace {trace} has no state after step {step} at the level {level}; record it by looking at the GUI tree, \
         or choose a coarser level"
    )]
    NoState {
        trace: usize,
        /// The step, from 1; 0 is the start.
        step: usize,
        level: Level,
    },
}

impl InputError {
    /// The trace that is wrong.
    pub fn trace(&self) -> Option<usize> {
        match self {
            Self::Empty => None,
            Self::MixedApps { trace, .. }
            | Self::MixedBuilds { trace, .. }
            | Self::MixedStarts { trace }
            | Self::NoState { trace, .. } => Some(*trace),
        }
    }
}

impl Default for Reading {
    fn default() -> Self {
        Self { level: Level::Actionable, joins: Joins::default(), restart: None }
    }
}

impl SuiteInput {
    /// Reads traces. Traces without steps are passed over.
    pub fn read(traces: &[Trace], reading: Reading) -> Result<Self, InputError> {
        let first = traces.iter().find(|trace| !trace.steps.is_empty()).ok_or(InputError::Empty)?;
        for (number, trace) in traces.iter().enumerate() {
            belongs(number, trace, first)?;
        }
        let mut reader = Reader::new(traces, reading);
        for (number, trace) in traces.iter().enumerate().filter(|(_, trace)| !trace.steps.is_empty()) {
            reader.add(number, &trace.steps)?;
        }
        Ok(reader.finish())
    }
}

fn belongs(number: usize, trace: &Trace, first: &Trace) -> Result<(), InputError> {
    let (header, wanted) = (&trace.header, &first.header);
    if header.app.package != wanted.app.package {
        let package = header.app.package.to_string();
        return Err(InputError::MixedApps { trace: number, package, first: wanted.app.package.to_string() });
    }
    if header.app.build != wanted.app.build {
        let named = |build: &Option<String>| build.clone().unwrap_or_else(|| "unknown".to_owned());
        let (build, first) = (named(&header.app.build), named(&wanted.app.build));
        return Err(InputError::MixedBuilds { trace: number, build, first });
    }
    if header.start != wanted.start {
        return Err(InputError::MixedStarts { trace: number });
    }
    Ok(())
}

struct Reader<'t> {
    traces: &'t [Trace],
    reading: Reading,
    clock: Clock,
    input: SuiteInput,
    states: BTreeMap<StateKey, StateNo>,
    launches: BTreeMap<Option<StateKey>, TransitionId>,
    /// Events in states, by a hash of the event; collisions are told apart by the events themselves.
    pairs: BTreeMap<(StateNo, u64), Vec<(StepRef, PairNo)>>,
    transitions: BTreeMap<(PairNo, StateNo, StateKey), TransitionId>,
    /// For each transition, how often it occurs and how long it took in all.
    tallies: Vec<(u64, Micros)>,
}

/// What is seen at a position between two steps.
#[derive(Clone, Copy)]
struct Position {
    join: StateKey,
    expect: StateKey,
    crashed: bool,
}

impl<'t> Reader<'t> {
    fn new(traces: &'t [Trace], reading: Reading) -> Self {
        let input = SuiteInput {
            level: reading.level,
            joins: reading.joins,
            items: Items::default(),
            transitions: Vec::new(),
            tape: Vec::new(),
            traces: Vec::new(),
            states: 0,
            pairs: 0,
        };
        Self {
            traces,
            reading,
            clock: Clock::of(traces, reading.restart),
            input,
            states: BTreeMap::new(),
            launches: BTreeMap::new(),
            pairs: BTreeMap::new(),
            transitions: BTreeMap::new(),
            tallies: Vec::new(),
        }
    }

    fn add(&mut self, number: usize, steps: &[Step]) -> Result<(), InputError> {
        let trace = TraceNumber(u32::try_from(number).expect("fewer than 2^32 traces"));
        let begin = self.input.tape.len();
        let mut first: BTreeMap<ItemId, u32> = BTreeMap::new();
        let mut at = self.launch(steps);
        let start = self.input.transition(self.input.tape[begin]).mark;
        first.extend(start.map(|start| (start, 0)));
        for (index, step) in (1_u32..).zip(steps) {
            let next = steps.get(index as usize);
            let seen = self.position(number, index as usize, step, next)?;
            let step_ref = StepRef { trace, position: index - 1 };
            let id = self.transition(at, step_ref, step, seen);
            at = self.input.transition(id).to;
            let took = self.clock.took(step, next);
            self.tally(id, took);
            self.input.tape.push(id);
            for code in &step.coverage {
                first.entry(self.input.items.intern(Item::Code(*code))).or_insert(index);
            }
            let mark = self.input.transition(id).mark.expect("a step is marked");
            first.entry(mark).or_insert(index);
        }
        let place = |index: usize| u32::try_from(index).expect("fewer than 2^32 steps");
        let span = place(begin)..place(self.input.tape.len());
        self.input.traces.push(InputTrace { trace, span, credits: first.into_iter().collect() });
        Ok(())
    }

    /// The state of a position, and what a replay must see there.
    fn position(
        &self,
        number: usize,
        index: usize,
        step: &Step,
        next: Option<&Step>,
    ) -> Result<Position, InputError> {
        if let (Some(crash), None) = (&step.crash, next) {
            let key = crash_key(&crash.signature);
            return Ok(Position { join: key, expect: key, crashed: true });
        }
        let before = next.and_then(|next| next.before.as_ref());
        let level = self.reading.level;
        let joins = if self.reading.joins == Joins::Concrete { Level::Full } else { level };
        let missing = |level| InputError::NoState { trace: number, step: index, level };
        // An app may move on by itself between two looks: the next event is done in the later state, a replay
        // sees the earlier one.
        let (soon, late) = (step.after.as_ref().or(before), before.or(step.after.as_ref()));
        let seen = soon.and_then(|seen| seen.key(level)).ok_or_else(|| missing(level))?;
        let join = late.and_then(|seen| seen.key(joins)).ok_or_else(|| missing(joins))?;
        let expect = step.crash.as_ref().map_or(seen, |crash| crash_key(&crash.signature));
        Ok(Position { join, expect, crashed: step.crash.is_some() })
    }

    /// The state of the first position, by a launch that is put on the tape.
    fn launch(&mut self, steps: &[Step]) -> StateNo {
        let joins = if self.reading.joins == Joins::Concrete { Level::Full } else { self.reading.level };
        let before = steps[0].before.as_ref();
        let key = before.and_then(|seen| seen.key(joins));
        let expect = before.and_then(|seen| seen.key(self.reading.level));
        let id = if let Some(&id) = self.launches.get(&key) {
            id
        } else {
            // Where nothing was seen at the start, the start is a state of its own.
            let to = self.state(key.unwrap_or(StateKey(u64::MAX)));
            let pair = self.pair_number();
            let launch = Transition {
                from: StateNo(u32::MAX),
                to,
                pair,
                expect,
                // The state at the start is seen by every trace.
                mark: expect.map(|state| self.input.items.intern(Item::State(state))),
                time: self.clock.restart,
                forgiving: false,
                sample: None,
            };
            let id = self.push(launch);
            self.launches.insert(key, id);
            id
        };
        self.tally(id, self.clock.restart);
        self.input.tape.push(id);
        self.input.transition(id).to
    }

    fn transition(&mut self, from: StateNo, step_ref: StepRef, step: &Step, seen: Position) -> TransitionId {
        let pair = self.pair(from, step_ref, &step.event);
        let to = self.state(seen.join);
        if let Some(&id) = self.transitions.get(&(pair, to, seen.expect)) {
            return id;
        }
        let mark = match &step.crash {
            Some(crash) if seen.crashed => Item::Crash(crash.signature.clone()),
            _ => Item::State(seen.expect),
        };
        let mark = Some(self.input.items.intern(mark));
        let transition = Transition {
            from,
            to,
            pair,
            expect: Some(seen.expect),
            mark,
            time: Micros::ZERO,
            forgiving: matches!(step.event, Event::Swipe { .. } | Event::Text { .. }),
            sample: Some(step_ref),
        };
        let id = self.push(transition);
        self.transitions.insert((pair, to, seen.expect), id);
        id
    }

    fn push(&mut self, transition: Transition) -> TransitionId {
        let id = TransitionId(u32::try_from(self.input.transitions.len()).expect("fewer than 2^32"));
        self.input.transitions.push(transition);
        self.tallies.push((0, Micros::ZERO));
        id
    }

    fn tally(&mut self, id: TransitionId, took: Micros) {
        let tally = &mut self.tallies[id.index()];
        tally.0 += 1;
        tally.1 += took;
    }

    fn pair(&mut self, from: StateNo, step_ref: StepRef, event: &Event) -> PairNo {
        let mut hasher = DefaultHasher::new();
        event.hash(&mut hasher);
        let place = (from, hasher.finish());
        let known = self.pairs.get(&place).into_iter().flatten();
        let same =
            |of: &StepRef| self.traces[of.trace.0 as usize].steps[of.position as usize].event == *event;
        if let Some(&(_, pair)) = known.into_iter().find(|(of, _)| same(of)) {
            return pair;
        }
        let pair = self.pair_number();
        self.pairs.entry(place).or_default().push((step_ref, pair));
        pair
    }

    fn pair_number(&mut self) -> PairNo {
        self.input.pairs += 1;
        PairNo(self.input.pairs - 1)
    }

    fn state(&mut self, key: StateKey) -> StateNo {
        let next = StateNo(self.input.states);
        let number = *self.states.entry(key).or_insert(next);
        self.input.states = self.input.states.max(number.0 + 1);
        number
    }

    fn finish(mut self) -> SuiteInput {
        for (transition, (count, took)) in self.input.transitions.iter_mut().zip(self.tallies) {
            transition.time = Micros(took.0 / count.max(1));
        }
        self.input
    }
}

/// How long steps take, as far as the traces tell.
struct Clock {
    restart: Micros,
    typical: Micros,
}

impl Clock {
    /// What an emulator takes, for traces that tell nothing.
    const RESTART: Micros = Micros::from_millis(4_500);
    const STEP: Micros = Micros::from_millis(500);

    fn of(traces: &[Trace], restart: Option<Micros>) -> Self {
        let begins =
            traces.iter().filter_map(|trace| trace.steps.first()?.at).filter(|at| *at > Micros::ZERO);
        let steps = traces.iter().flat_map(|trace| trace.steps.windows(2));
        let steps = steps.filter(|pair| own_time(&pair[0].event) == Micros::ZERO);
        let steps = steps.filter_map(|pair| Some(pair[1].at?.since(pair[0].at?)));
        let restart = restart.or_else(|| median(begins.collect())).unwrap_or(Self::RESTART);
        Self { restart, typical: median(steps.collect()).unwrap_or(Self::STEP) }
    }

    /// From this step to the next; of the last one, what is usual.
    fn took(&self, step: &Step, next: Option<&Step>) -> Micros {
        let recorded = next.and_then(|next| Some(next.at?.since(step.at?)));
        recorded.unwrap_or(self.typical + own_time(&step.event))
    }
}

/// The time that an event takes by its nature.
fn own_time(event: &Event) -> Micros {
    match event {
        Event::Wait { time } => *time,
        Event::LongTap { hold, .. } => *hold,
        Event::Swipe { over, .. } | Event::Pinch { over, .. } => *over,
        _ => Micros::ZERO,
    }
}

fn median(mut times: Vec<Micros>) -> Option<Micros> {
    let middle = times.len() / 2;
    (!times.is_empty()).then(|| *times.select_nth_unstable(middle).1)
}
