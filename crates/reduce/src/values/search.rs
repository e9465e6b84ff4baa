//! One value of one event, or of several, and the simpler values it may take.

use std::fmt;

use retap_trace::{Aiming, Event, Micros, Point};

use crate::search::{BeliefSearch, Reducer as _};
use crate::{Subset, Verdict};

/// The shortest wait that is worth telling from none.
const SHORTEST: Micros = Micros::from_millis(50);
/// A text gets no more trials than this, however long it is.
const TEXT_TRIALS: u32 = 60;

/// The search for a simpler value. It proposes one change at a time and is told whether that passed.
pub(super) enum ValueSearch {
    /// Follow the widgets of these events instead of their places. When that fails for several at once, each is
    /// tried by itself.
    Aims(Vec<Vec<usize>>),
    /// Touch the widget that has the focus instead of pressing a key.
    Press { step: usize, touch: Event, tried: bool },
    /// Values from the simplest to the present one; the answer is looked for by halving.
    Ladder { step: usize, values: Vec<Event>, low: usize, high: usize },
    /// Fewer characters.
    Text { step: usize, chars: Vec<char>, search: Box<BeliefSearch>, trials: u32 },
}

/// All waits, texts and swipes that could be simpler.
pub(super) fn values(events: &[Event]) -> Vec<ValueSearch> {
    events.iter().enumerate().filter_map(|(step, event)| ValueSearch::of(step, event)).collect()
}

/// All keys that could be touches, and all touches that could follow a widget. `touches` has, for each event that
/// presses the widget with the focus, a touch of that widget.
pub(super) fn aims(events: &[Event], touches: &[Option<Event>]) -> Vec<ValueSearch> {
    let press = |(step, touch): (usize, &Option<Event>)| {
        Some(ValueSearch::Press { step, touch: touch.clone()?, tried: false })
    };
    let mut searches: Vec<ValueSearch> = touches.iter().enumerate().filter_map(press).collect();
    let by_place = |event: &Event| {
        event.aim().is_some_and(|aim| {
            aim.by == Aiming::Place && aim.widget.as_ref().is_some_and(retap_trace::Selector::named)
        })
    };
    let aims: Vec<usize> =
        events.iter().enumerate().filter(|(_, event)| by_place(event)).map(|(step, _)| step).collect();
    if !aims.is_empty() {
        searches.push(ValueSearch::Aims(vec![aims]));
    }
    searches
}

impl ValueSearch {
    fn of(step: usize, event: &Event) -> Option<Self> {
        let ladder = |mut values: Vec<Event>| {
            values.reverse();
            let high = values.len();
            (high > 0).then_some(Self::Ladder { step, values, low: 0, high })
        };
        match event {
            Event::Wait { time } => ladder(halves(*time).map(|time| Event::Wait { time }).collect()),
            Event::Swipe { aim, to, over } => {
                let shorter = [2, 4, 8].map(|part| nearer(aim.at, *to, part));
                let shorter = shorter.into_iter().filter(|end| *end != *to && *end != aim.at);
                ladder(shorter.map(|to| Event::Swipe { aim: aim.clone(), to, over: *over }).collect())
            }
            Event::Text { text, .. } if !text.is_empty() => {
                let chars: Vec<char> = text.chars().collect();
                let all = Subset::all(u32::try_from(chars.len()).ok()?);
                Some(Self::Text { step, chars, search: Box::new(BeliefSearch::free(all)), trials: 0 })
            }
            _ => None,
        }
    }

    /// The events with this value changed to what is to be tried next; nothing when there is nothing left to try.
    pub(super) fn proposed(&self, events: &[Event]) -> Option<Vec<Event>> {
        let mut proposed = events.to_vec();
        match self {
            Self::Aims(groups) => {
                for step in groups.first()? {
                    proposed[*step].aim_mut()?.by = Aiming::Widget;
                }
            }
            Self::Press { step, touch, tried } => {
                if *tried {
                    return None;
                }
                proposed[*step] = touch.clone();
            }
            Self::Ladder { step, values, low, high } => {
                if low >= high {
                    return None;
                }
                proposed[*step] = values[Self::middle(*low, *high)].clone();
            }
            Self::Text { step, chars, search, trials } => {
                let candidate = search.frontier().first().filter(|_| *trials < TEXT_TRIALS)?;
                let kept = candidate.subset.positions().map(|position| chars[position as usize]);
                let Event::Text { text, .. } = &mut proposed[*step] else { return None };
                *text = kept.collect();
            }
        }
        Some(proposed)
    }

    /// Takes the verdict on what was [`proposed`](Self::proposed).
    pub(super) fn settle(&mut self, passed: bool) {
        match self {
            Self::Aims(groups) => {
                let tried = groups.remove(0);
                if !passed && tried.len() > 1 {
                    groups.extend(tried.into_iter().map(|step| vec![step]));
                }
            }
            Self::Press { tried, .. } => *tried = true,
            Self::Ladder { low, high, .. } => {
                let middle = Self::middle(*low, *high);
                if passed { *high = middle } else { *low = middle + 1 }
            }
            Self::Text { search, trials, .. } => {
                *trials += 1;
                let verdict = if passed { Verdict::Pass } else { Verdict::Fail };
                search.settle(search.frontier()[0].id, verdict);
            }
        }
    }

    /// The simplest value is tried first: it often does, and then one trial is enough.
    const fn middle(low: usize, high: usize) -> usize {
        if low == 0 { 0 } else { usize::midpoint(low, high) }
    }
}

/// In words, for the list of runs.
impl fmt::Display for ValueSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aims(groups) => match groups.first().map(Vec::as_slice) {
                Some([step]) => write!(f, "step {} by its widget", step + 1),
                steps => write!(f, "{} steps by their widgets", steps.map_or(0, <[usize]>::len)),
            },
            Self::Press { step, .. } => write!(f, "a touch in place of step {}", step + 1),
            Self::Ladder { step, .. } => write!(f, "a shorter step {}", step + 1),
            Self::Text { step, .. } => write!(f, "a shorter text in step {}", step + 1),
        }
    }
}

/// Half the time, a quarter, and so on.
fn halves(time: Micros) -> impl Iterator<Item = Micros> {
    std::iter::successors(Some(Micros(time.0 / 2)), |time| Some(Micros(time.0 / 2)))
        .take_while(|time| *time >= SHORTEST)
}

/// The point at this part of the way.
const fn nearer(from: Point, to: Point, part: i32) -> Point {
    Point::new(from.x + (to.x - from.x) / part, from.y + (to.y - from.y) / part)
}
