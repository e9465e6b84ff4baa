//! What a search may know of a trace besides its length.

use std::sync::Arc;

use retap_trace::{Event, Level, Start, StateKey, Step, Target, Trace};

use crate::Subset;

/// What a search may know of a trace: the states around its events, at one level.
#[derive(Debug, Clone)]
pub struct Material {
    events: u32,
    /// At each level, the state before each event and the one after the last; absent when the trace did not
    /// record them all.
    states: [Option<Arc<[StateKey]>>; 4],
    /// At each level, where the trace looked that closely, and what it saw.
    looks: [Arc<[Look]>; 4],
    /// The level that searches use, when they do not use their own.
    level: Option<Level>,
    /// Whether it is a recorded trace.
    recorded: bool,
    /// Whether the first event launches the app: it is then never removed.
    rooted: bool,
    /// Events after which everything looked as before and no new code had been executed.
    idle: Arc<[u32]>,
    /// The event with which the trace reached its target.
    reached: Option<u32>,
    /// Of each line, where it is a text.
    brackets: Option<Arc<[Brackets]>>,
}

/// How many brackets of lines before it a line closes, and how many it leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brackets {
    pub(crate) closes: u32,
    pub(crate) opens: u32,
}

impl Brackets {
    /// Those of a line, of any kind. Brackets in comments and strings count, too: what is made of them is a guess.
    pub fn of(line: &[u8]) -> Self {
        let mut brackets = Self { closes: 0, opens: 0 };
        for byte in line {
            match byte {
                b'{' | b'(' | b'[' => brackets.opens += 1,
                b'}' | b')' | b']' if brackets.opens > 0 => brackets.opens -= 1,
                b'}' | b')' | b']' => brackets.closes += 1,
                _ => {}
            }
        }
        brackets
    }
}

/// A state that was seen, and the event before which it was; the one after the last has the number of events.
pub(super) type Look = (u32, StateKey);

impl Material {
    /// What a trace tells. Searches use states at this level, or each at the level of its paper.
    pub fn of(trace: &Trace, target: &Target, level: Option<Level>) -> Self {
        let steps = &trace.steps;
        let states = |level: Level| {
            let before = steps.iter().map(|step| step.before.as_ref()?.key(level));
            let last = steps.last().map(|step| step.after.as_ref().and_then(|after| after.key(level)));
            before.chain(last).collect()
        };
        let looks = |level: Level| {
            let look = |(position, key)| (u32::try_from(position).expect("no more than steps"), key);
            retap_model::looks(steps, level).map(look).collect()
        };
        let numbered = (0..).zip(steps);
        let launches = steps.first().is_some_and(|step| step.event == Event::Launch);
        Self {
            events: u32::try_from(steps.len()).expect("a trace has fewer than 2^32 steps"),
            states: Level::ALL.map(states),
            looks: Level::ALL.map(looks),
            level,
            recorded: true,
            rooted: trace.header.start == Start::Stopped && launches,
            idle: numbered.clone().filter(|(_, step)| is_idle(step)).map(|(position, _)| position).collect(),
            reached: numbered.clone().find(|(_, step)| reaches(step, target)).map(|(position, _)| position),
            brackets: None,
        }
    }

    /// A list of which nothing is known but its length.
    pub fn list(events: u32) -> Self {
        Self {
            events,
            states: [const { None }; 4],
            looks: Level::ALL.map(|_| Arc::new([]) as Arc<[Look]>),
            level: None,
            recorded: false,
            rooted: false,
            idle: Arc::new([]),
            reached: None,
            brackets: None,
        }
    }

    pub fn text<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let brackets: Arc<[Brackets]> = lines.into_iter().map(Brackets::of).collect();
        let lines = u32::try_from(brackets.len()).expect("a text has fewer than 2^32 lines");
        Self { brackets: Some(brackets), ..Self::list(lines) }
    }

    pub fn all(&self) -> Subset {
        Subset::all(self.events)
    }

    /// The state before each event and the one after the last, at the level that was asked for, else at this usual
    /// one, else at the finest below it that was recorded.
    pub fn states(&self, usual: Level) -> Option<&Arc<[StateKey]>> {
        match self.level {
            Some(level) => self.states[level as usize].as_ref(),
            None => self.states[..=usual as usize].iter().rev().find_map(Option::as_ref),
        }
    }

    /// Where the trace looked and what it saw, at the level that was asked for, else at this usual one, else at the
    /// finest below it at which it looked more than once. Unlike [`Material::states`] it need not have looked after
    /// every event.
    pub(super) fn looks(&self, usual: Level) -> Option<&[Look]> {
        let levels = match self.level {
            Some(level) => level as usize..=level as usize,
            None => 0..=usual as usize,
        };
        self.looks[levels].iter().rev().find(|looks| looks.len() > 1).map(|looks| &**looks)
    }

    /// The same at a coarser level at which the trace looked more often, if there is one and no level was asked for.
    pub(super) fn glances(&self, usual: Level) -> Option<&[Look]> {
        let often = self.looks(usual)?.len();
        let coarser = self.looks[..usual as usize].iter().rev().filter(|_| self.level.is_none());
        coarser.map(|looks| &**looks).find(|looks| looks.len() > often)
    }

    /// Whether the first event launches the app.
    pub const fn rooted(&self) -> bool {
        self.rooted
    }

    /// Those of some events that a search may remove: all but the launch.
    pub fn removable(&self, events: &Subset) -> Subset {
        Subset::from_positions(events.positions().filter(|event| *event > 0 || !self.rooted))
    }

    /// Whether it is a recorded trace, and not any list.
    pub const fn recorded(&self) -> bool {
        self.recorded
    }

    /// The event with which the recording reached its target.
    pub const fn reached(&self) -> Option<u32> {
        self.reached
    }

    /// The brackets of each line, where it is a text.
    pub(crate) const fn brackets(&self) -> Option<&Arc<[Brackets]>> {
        self.brackets.as_ref()
    }

    /// What can go at a glance: everything after the event that reached the target, and what had no effect. A
    /// guess like any other: runs decide.
    pub fn trimmed(&self) -> [Subset; 2] {
        let end = self.reached.map_or(self.events, |reached| reached + 1);
        let effective = |position: &u32| self.idle.binary_search(position).is_err() || position + 1 == end;
        let first = u32::from(self.rooted);
        [
            Subset::from_positions((first..end).filter(effective)),
            Subset::from_ranges(std::iter::once(first..end)),
        ]
    }
}

/// Whether an event provably had no effect on what can be seen and covered.
fn is_idle(step: &Step) -> bool {
    let full = |seen: &Option<retap_trace::Seen>| seen.as_ref().and_then(|seen| seen.full);
    let unchanged = full(&step.before).is_some() && full(&step.before) == full(&step.after);
    unchanged && step.coverage.is_empty() && step.crash.is_none()
}

fn reaches(step: &Step, target: &Target) -> bool {
    let after = step.after.as_ref();
    match target {
        Target::AnyCrash => step.crash.is_some(),
        Target::Crash(signature) => step.crash.as_ref().is_some_and(|crash| crash.signature == *signature),
        Target::Activity(name) => after.is_some_and(|seen| Target::names_activity(name, &seen.activity)),
        Target::State(key) => {
            after.is_some_and(|seen| Level::ALL.into_iter().any(|level| seen.key(level) == Some(*key)))
        }
        Target::Coverage(id) => step.coverage.contains(id),
        Target::Command(_) => false,
    }
}
