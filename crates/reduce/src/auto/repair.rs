//! Putting events back into a list that reaches its target too seldom.
//!
//! An app that sometimes begins with a dialog needs one more event that closes it: the one before the first kept event
//! is a guard. So are those before every kept event, for apps that lose events. Where that does not help, an earlier
//! list of the search may. And where the whole list is reliable and what was found is not, the search has gone down a
//! way that works only at times: it starts over, and believes nothing that hits once.

use super::paths::StatePaths;
use super::test::{HIGH, mean};
use crate::{Goal, Ledger, Subset, Tally, Verdict};

/// A list that reaches its target this often is not repaired.
const FINE: f64 = 0.75;
/// Earlier lists that are longer by more than this are no repair.
const FAR: u32 = 12;
/// What is not good is taken all the same if, after so many runs, its rate is clearly better.
const CLEARLY: (u32, f64) = (8, 0.2);

/// Evidence of this much or more: it helps.
const HELPS: f64 = 3.0;
/// Evidence of this much or less: it does not.
const HELPS_NOT: f64 = -1.6;
/// After so many runs without a verdict it does not.
const MOST: u32 = 40;

/// Before a longer list is taken, the broken one gets so many more chances: it was looked at because it had missed, and
/// may only have been unlucky.
const CHANCES: u32 = 5;

#[derive(Debug, Clone)]
pub struct Repair {
    /// The list that is to be repaired, and what it had shown by then.
    broken: Subset,
    shown: Tally,
    /// What is left to try, the next one last.
    left: Vec<Remedy>,
}

/// What a repair comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepairStep {
    /// This list is to be run.
    Run(Subset),
    /// This list is better.
    Take(Subset),
    Nothing,
}

/// A longer list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remedy {
    list: Subset,
    /// Whether it is taken also when it is only clearly better.
    better_will_do: bool,
    /// Whether it is the whole list. Where that is no better, hardly any part of it is.
    whole: bool,
}

/// What a repair knows.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Lists that have reached the target, the whole one first.
    pub history: &'a [Subset],
    /// Whether the first event of the recording may be the launch.
    pub launch: bool,
    /// What the recording tells about states.
    pub paths: Option<&'a StatePaths>,
    /// The whole list, if it may be gone back to.
    pub whole: Option<&'a Subset>,
}

impl Repair {
    /// A repair of this list, which has shown this; nothing where none is needed.
    pub fn new(list: &Subset, shown: Tally, known: Known<'_>) -> Self {
        let remedy = |list, better_will_do| Remedy { list, better_will_do, whole: false };
        let mut left = Vec::new();
        left.extend(guards(list, known.launch).map(|list| remedy(list, true)));
        left.extend(around(list, known).map(|list| remedy(list, true)));
        let whole = known.whole.filter(|whole| *whole != list);
        left.extend(whole.cloned().map(|list| Remedy { whole: true, ..remedy(list, false) }));
        left.extend(earlier(list, known.history).map(|list| remedy(list, false)));
        left.reverse();
        Self { broken: list.clone(), shown, left }
    }

    /// What is to be done next. Lists that do not help are passed over.
    pub fn step(&mut self, ledger: &Ledger) -> RepairStep {
        let broken = ledger.tally(&self.broken, Goal::Target);
        while let Some(remedy) = self.left.last().filter(|_| mean(broken) < FINE) {
            let tally = ledger.tally(&remedy.list, Goal::Target);
            match judge(tally, broken, remedy.better_will_do) {
                // It looks good; is it better?
                Verdict::Open if tally.runs() > broken.runs() => return RepairStep::Run(self.broken.clone()),
                Verdict::Open => return RepairStep::Run(remedy.list.clone()),
                // It is worth looking further; the whole list itself comes last.
                Verdict::Pass if remedy.whole && self.left.len() > 1 => self.left.rotate_right(1),
                Verdict::Pass if broken.runs() < self.shown.runs() + CHANCES => {
                    return RepairStep::Run(self.broken.clone());
                }
                Verdict::Pass => return RepairStep::Take(remedy.list.clone()),
                Verdict::Fail if remedy.whole => self.left.clear(),
                Verdict::Fail => drop(self.left.pop()),
            }
        }
        RepairStep::Nothing
    }
}

/// What the tally of a longer list means: evidence for a rate of 0.9 against that of the broken list.
fn judge(tally: Tally, broken: Tally, better_will_do: bool) -> Verdict {
    let rate = mean(broken);
    let evidence = f64::from(tally.reached) * libm::log(HIGH / rate)
        + f64::from(tally.missed) * libm::log((1.0 - HIGH) / (1.0 - rate));
    if evidence > 0.0 && Tally::apart(broken, tally) >= HELPS {
        return Verdict::Pass;
    }
    if evidence > HELPS_NOT && tally.runs() < MOST {
        return Verdict::Open;
    }
    let (runs, more) = CLEARLY;
    let left = runs.saturating_sub(tally.runs());
    let at_best = Tally::new(tally.reached + left, tally.missed);
    match better_will_do && mean(at_best) >= rate + more {
        false => Verdict::Fail,
        true if left > 0 => Verdict::Open,
        true => Verdict::Pass,
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
    let mut longer = vec![first, all];
    longer.dedup();
    longer.retain(|longer| longer.len() > list.len());
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
