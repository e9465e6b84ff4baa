//! What runs are played on: models of apps whose true rate is known exactly.
//!
//! Two kinds. In the first each event has the activity it was recorded in and acts only there: the launch, event 0,
//! leads to the activity of event 1, the last event reaches the target, any other leads to the activity of the next.
//! In the second some events are needed, in any order, and the others do nothing.

use std::collections::BTreeMap;

use retap_trace::Dice;
use serde::{Deserialize, Serialize};

/// An event of a candidate: its position in the whole list, or nothing for a line that stands nowhere in it. Such a
/// line is an event that does nothing.
pub(super) type Line = Option<u32>;

/// How an app flakes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Flaws {
    /// How often an event that would change the activity is lost.
    pub(super) lost: f64,
    /// How often a dialog covers the app at its launch; the next event only closes it.
    pub(super) dialog: f64,
    /// How often a run with all needed events reaches the target.
    pub(super) rate: f64,
}

impl Flaws {
    pub(super) const NONE: Self = Self { lost: 0.0, dialog: 0.0, rate: 1.0 };
}

/// What the events of the whole list do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum App {
    /// The activity before each event, by number.
    Activities(Vec<u32>),
    /// Whether each event is needed.
    Needed(Vec<bool>),
}

/// An app and how it flakes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub(super) app: App,
    pub(super) flaws: Flaws,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) reached: bool,
    /// Events that were performed: a run ends at its target.
    pub(super) executed: u64,
    /// The activity in front at the end, unless the target was reached or the app never launched.
    pub(super) activity: Option<u32>,
}

impl Model {
    /// Performs a candidate once.
    pub(super) fn run(&self, lines: &[Line], dice: &mut Dice) -> End {
        let all = lines.len() as u64;
        match &self.app {
            App::Activities(before) => self.walk(before, lines, dice),
            App::Needed(needed) => match complete(needed, lines) {
                Some(executed) if dice.chance(self.flaws.rate) => {
                    End { reached: true, executed, activity: None }
                }
                _ => End { reached: false, executed: all, activity: None },
            },
        }
    }

    fn walk(&self, before: &[u32], lines: &[Line], dice: &mut Dice) -> End {
        let last = before.len() - 1;
        let (mut here, mut covered) = (None, false);
        for (executed, line) in (1..).zip(lines) {
            let Some(event) = line.map(|event| event as usize) else { continue };
            if event == 0 {
                here = Some(before[last.min(1)]);
                covered = dice.chance(self.flaws.dialog);
            } else if here.is_some() && covered {
                covered = false;
            } else if here == Some(before[event]) {
                if event == last {
                    return End { reached: true, executed, activity: None };
                }
                let to = before[event + 1];
                if here != Some(to) && !dice.chance(self.flaws.lost) {
                    here = Some(to);
                }
            }
        }
        End { reached: false, executed: lines.len() as u64, activity: here }
    }

    /// How often a candidate reaches the target: not measured, but computed.
    pub(super) fn exact_rate(&self, lines: &[Line]) -> f64 {
        match &self.app {
            App::Activities(before) => self.chain(before, lines),
            App::Needed(needed) => complete(needed, lines).map_or(0.0, |_| self.flaws.rate),
        }
    }

    /// The Markov chain over activities, each with a dialog in front or without.
    fn chain(&self, before: &[u32], lines: &[Line]) -> f64 {
        let last = before.len() - 1;
        let Flaws { lost, dialog, .. } = self.flaws;
        // `None` is an app that was not launched yet.
        let mut shares = BTreeMap::from([(None, 1.0)]);
        let mut reached = 0.0;
        for event in lines.iter().flatten().map(|&event| event as usize) {
            let mut next = BTreeMap::new();
            let mut add = |state, share: f64| *next.entry(state).or_insert(0.0) += share;
            for (state, share) in shares {
                match state {
                    _ if event == 0 => {
                        let here = before[last.min(1)];
                        add(Some((here, false)), share * (1.0 - dialog));
                        add(Some((here, true)), share * dialog);
                    }
                    Some((here, true)) => add(Some((here, false)), share),
                    Some((here, false)) if here == before[event] && event == last => reached += share,
                    Some((here, false)) if here == before[event] && here != before[event + 1] => {
                        add(Some((before[event + 1], false)), share * (1.0 - lost));
                        add(state, share * lost);
                    }
                    _ => add(state, share),
                }
            }
            shares = next;
        }
        reached
    }
}

/// After how many lines all needed events have come, if they do.
fn complete(needed: &[bool], lines: &[Line]) -> Option<u64> {
    let mut missing = needed.to_vec();
    let mut left = needed.iter().filter(|&&needed| needed).count();
    if left == 0 {
        return Some(0);
    }
    for (executed, line) in (1..).zip(lines) {
        if let Some(event) = line
            && std::mem::take(&mut missing[*event as usize])
        {
            left -= 1;
            if left == 0 {
                return Some(executed);
            }
        }
    }
    None
}
