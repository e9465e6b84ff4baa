//! Putting events back into a list that reaches its target too seldom.
//!
//! An app that sometimes begins with a dialog needs one more event that closes it: the one before the first kept event
//! is a guard. So are those before every kept event, for apps that lose events. Where that does not help, an earlier
//! list of the search may.

use super::paths::Paths;
use super::test::{Test, mean};
use crate::{Subset, Tally, Verdict};

/// A list that reaches its target this often is not repaired.
const FINE: f64 = 0.75;
/// Earlier lists that are longer by more than this are no repair.
const FAR: u32 = 12;
/// What is not good is taken all the same if, after so many runs, its rate is clearly better.
const CLEARLY: (u32, f64) = (8, 0.2);

/// A repair under way.
#[derive(Debug, Clone)]
pub struct Repair {
    /// What the list showed that is to be repaired.
    broken: Tally,
    /// What is left to try, the next one last.
    left: Vec<Remedy>,
}

/// A longer list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remedy {
    list: Subset,
    /// Whether it is taken also when it is only clearly better.
    better_will_do: bool,
}

/// What is known to whoever repairs.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Lists that have reached the target, the whole one first.
    pub history: &'a [Subset],
    /// Whether the first event of the recording may be the launch.
    pub launch: bool,
    /// What the recording tells about states.
    pub paths: Option<&'a Paths>,
}

impl Repair {
    /// A repair of this list, which has shown this; nothing where none is needed.
    pub fn new(list: &Subset, broken: Tally, known: Known<'_>) -> Self {
        let mut left = Vec::new();
        if mean(broken) < FINE {
            left.extend(guards(list, known.launch).map(|list| Remedy { list, better_will_do: true }));
            left.extend(earlier(list, known.history).map(|list| Remedy { list, better_will_do: false }));
            left.extend(around(list, known).map(|list| Remedy { list, better_will_do: true }));
        }
        left.reverse();
        Self { broken, left }
    }

    /// The list to try next; `None` when nothing helps.
    pub fn list(&self) -> Option<&Subset> {
        self.left.last().map(|remedy| &remedy.list)
    }

    /// What a tally of that list means. The test is the one for short lists.
    pub fn judge(&self, tally: Tally, test: Test) -> Verdict {
        let verdict = test.judge(tally);
        let clearly = self.left.last().is_some_and(|remedy| remedy.better_will_do);
        if verdict != Verdict::Fail || !clearly {
            return verdict;
        }
        let (runs, more) = CLEARLY;
        match tally.runs() {
            few if few < runs => Verdict::Open,
            _ if mean(tally) >= mean(self.broken) + more => Verdict::Pass,
            _ => Verdict::Fail,
        }
    }

    /// It did not help.
    pub fn next(&mut self) {
        self.left.pop();
    }
}

/// The list with the event before its first inner one, and with those before all of them.
fn guards(list: &Subset, launch: bool) -> impl Iterator<Item = Subset> {
    let events: Vec<u32> = list.positions().collect();
    let launched = launch && events.first() == Some(&0) && events.len() > 1;
    let inner = &events[usize::from(launched)..];
    let with = |count: usize| {
        let before = inner.iter().take(count).filter_map(|event| event.checked_sub(1));
        let before = before.filter(|event| !launched || *event > 0);
        let mut all: Vec<u32> = events.iter().copied().chain(before).collect();
        all.sort_unstable();
        all.dedup();
        Subset::from_positions(all)
    };
    let (first, all) = (with(1), with(inner.len()));
    let longer: Vec<Subset> = [first, all].into_iter().filter(|longer| longer.len() > list.len()).collect();
    longer.into_iter()
}

/// Earlier lists that hold all of this one, back by 1, 2, 4, ... steps.
fn earlier(list: &Subset, history: &[Subset]) -> impl Iterator<Item = Subset> {
    let mut found = Vec::new();
    let (mut at, mut step) = (history.len().saturating_sub(1), 1);
    while at > 0 {
        at = at.saturating_sub(step);
        step *= 2;
        let longer = &history[at];
        if longer.len() > list.len() + FAR {
            break;
        }
        if longer.len() > list.len() && list.positions().all(|event| longer.has(event)) {
            found.push(longer.clone());
        }
    }
    found.into_iter()
}

/// Another way, where there is no room for a guard behind the launch.
fn around(list: &Subset, known: Known<'_>) -> Option<Subset> {
    let mut events = list.positions();
    let (first, second) = (events.next()?, events.next()?);
    let no_room = known.launch && first == 0 && second == 1;
    let way = known.paths.filter(|_| no_room)?.around(second)?;
    Some(Subset::from_positions(way))
}
