//! An explorer that keeps to a user's rules.
//!
//! What the rules say of a screen is done before the explorer sees it: permissions are answered and activities
//! left as if that belonged to the move before, and only what comes of it is shown. Widgets to be avoided are shown as
//! disabled, so that explorers that look do not choose them; an event that would touch one all the same, like the
//! blind touch of a monkey, is drawn again. A field with texts of its own gets one of those, also when a finger
//! would only have gone there.
//!
//! All this goes by the last look. To be sure that a widget is not touched, look after every event.

use std::collections::BTreeMap;
use std::fmt;

use retap_trace::{Dice, Event, GuiTree, Key, NodeId, Observation, Seed, Selector};

use crate::actions::{Deed, deeds};
use crate::avoided::Avoided;
use crate::explorer::{Explorer, Lane, Move};
use crate::pattern::{fits, fits_name};
use crate::permission;
use crate::rules::Rules;
use crate::sight::{Reply, Sight};

#[cfg(test)]
mod tests;

/// How many times an event that is not allowed is drawn again before it becomes the back key.
const DRAWS: u32 = 100;
/// How many times a question is answered or an activity left before something else is tried.
const TRIES: u32 = 6;

/// Makes an explorer keep to rules, on all its lanes.
pub struct Ruled<E> {
    explorer: E,
    rules: Rules,
    seed: Seed,
    lanes: BTreeMap<Lane, Watch>,
}

/// One lane.
#[derive(Debug)]
struct Watch {
    dice: Dice,
    /// How many times in a row the rules moved.
    tries: u32,
    /// What the explorer was not shown yet.
    held: Option<News>,
}

/// The part of a sight that must not be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct News {
    reply: Reply,
    new_coverage: Option<usize>,
    crashed: bool,
}

impl<E: Explorer> Ruled<E> {
    /// This explorer under these rules. The seed is for the texts.
    pub const fn new(explorer: E, rules: Rules, seed: Seed) -> Self {
        Self { explorer, rules, seed, lanes: BTreeMap::new() }
    }

    /// What the explorer wants, as far as the rules allow it.
    fn allowed(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        let Some(tree) = &seen.observation.tree else { return self.explorer.next(lane, seen) };
        let Some(avoided) = Avoided::on(tree, &self.rules.avoid) else {
            let made = self.explorer.next(lane, seen);
            return self.with_texts(lane, tree, made);
        };
        let hidden = avoided.hidden(seen.observation, tree);
        let mut sight = Sight { observation: &hidden, ..*seen };
        for _ in 0..DRAWS {
            let made = self.explorer.next(lane, &sight);
            match &made {
                Move::Act(event) if avoided.forbids(tree, event) => {
                    // The explorer has seen this screen; now it is only asked for another event.
                    sight = Sight {
                        fresh: false,
                        reply: Reply::Done,
                        new_coverage: None,
                        crashed: false,
                        ..sight
                    };
                }
                _ => return self.with_texts(lane, tree, made),
            }
        }
        Move::Act(Event::key(Key::BACK))
    }

    /// Typing, or a tap on a field, becomes typing of one of the field's own texts.
    fn with_texts(&mut self, lane: Lane, tree: &GuiTree, made: Move) -> Move {
        let Move::Act(event) = &made else { return made };
        let field = field(tree, event);
        let texts = |id: NodeId| self.rules.texts.iter().find(|texts| texts.field.fits(tree.node(id)));
        let Some((id, texts)) = field.and_then(|id| Some((id, texts(id)?))) else { return made };
        let dice = &mut watch(&mut self.lanes, self.seed, lane).dice;
        let Some(text) = dice.pick(&texts.texts) else { return made };
        Move::Act(Event::Text { text: text.clone(), widget: Some(Selector::of(tree, id)) })
    }
}

impl Rules {
    /// What must be done about a screen before anything else, when that was tried so many times without success.
    fn due(&self, seen: &Observation, tries: u32) -> Option<Move> {
        if let Some(answer) = permission::answer(seen, self.permissions).filter(|_| tries < TRIES) {
            return Some(Move::Act(answer));
        }
        if !self.avoid_activities.iter().any(|like| fits_name(like, &seen.activity, '.')) {
            return None;
        }
        Some(match tries {
            TRIES.. => Move::Restart,
            tries if tries % 2 == 0 => Move::Act(Event::key(Key::BACK)),
            _ => Move::Act(Event::Launch),
        })
    }
}

impl<E: Explorer> Explorer for Ruled<E> {
    fn name(&self) -> &str {
        self.explorer.name()
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        let watch = watch(&mut self.lanes, self.seed, lane);
        let news = News::of(seen).after(watch.held.take());
        let due =
            if seen.fresh && !seen.crashed { self.rules.due(seen.observation, watch.tries) } else { None };
        watch.tries = match due {
            Some(Move::Act(_)) => watch.tries + 1,
            _ => 0,
        };
        // An explorer that asked for a save must hear of it before anything else can come between.
        let can_wait = matches!(news.reply, Reply::Done | Reply::Started | Reply::Restored(_));
        if let (Some(due), true) = (&due, can_wait) {
            watch.held = Some(news);
            return due.clone();
        }
        let listed = self.rules.packages.iter().any(|like| fits(like, &seen.observation.package));
        let News { reply, new_coverage, crashed } = news;
        let sight = Sight { reply, new_coverage, crashed, in_front: seen.in_front || listed, ..*seen };
        match (self.allowed(lane, &sight), due) {
            (Move::Act(_), Some(due)) => due,
            (made, _) => made,
        }
    }
}

impl News {
    const fn of(seen: &Sight<'_>) -> Self {
        Self { reply: seen.reply, new_coverage: seen.new_coverage, crashed: seen.crashed }
    }

    /// Joins this with what was held back before.
    fn after(self, held: Option<Self>) -> Self {
        let Some(held) = held else { return self };
        let both = self.new_coverage.zip(held.new_coverage).map(|(now, before)| now + before);
        Self {
            reply: if self.reply == Reply::Done { held.reply } else { self.reply },
            new_coverage: both.or(self.new_coverage).or(held.new_coverage),
            crashed: self.crashed || held.crashed,
        }
    }
}

fn watch(lanes: &mut BTreeMap<Lane, Watch>, seed: Seed, lane: Lane) -> &mut Watch {
    let begin = || Watch { dice: seed.branch("lane", u64::from(lane.0)).dice(), tries: 0, held: None };
    lanes.entry(lane).or_insert_with(begin)
}

/// The text field that an event types into, or taps.
fn field(tree: &GuiTree, event: &Event) -> Option<NodeId> {
    match event {
        Event::Text { widget: Some(widget), .. } => widget.find(tree),
        Event::Text { widget: None, .. } => {
            tree.ids().find(|&id| tree.node(id).flags.has(retap_trace::Flag::Focused))
        }
        Event::Tap(aim) => {
            let touched = tree.hit(aim.at, |node| node.flags.actionable())?;
            (deeds(tree.node(touched)) == [Deed::Edit]).then_some(touched)
        }
        _ => None,
    }
}

impl<E: Explorer> fmt::Debug for Ruled<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ruled")
            .field("explorer", &self.explorer.name())
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
