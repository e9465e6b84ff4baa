//! The descent: from a whole list to one in which every event was seen to be needed, by one run a question.
//!
//! "Can this chunk go?" is adaptive group testing. Of all prefixes and suffixes of what is not known yet, and of the
//! largest groups that hold a needed event, the chunk is asked about that promises the most removed events and
//! information for what a run of the rest costs. One hit removes the chunk; one miss means that it holds something
//! needed. A monitor notices when misses come too often for what is believed: then the present list is run again, and
//! what was removed by luck is put back, or questions are asked several times from then on.

mod group;

use std::sync::Arc;

use super::belief::{DensityBelief, Mass};
use crate::Subset;
use group::Group;

/// What a reset of the app costs, in events.
const RESET: f64 = 20.0;
/// How much of a removed event's worth counts beside information.
const REMOVAL: f64 = 0.25;
/// How many groups are looked at for a question, the largest first.
const GROUPS: usize = 6;
/// How surprising misses may be together before the present list is run again.
const SURPRISE: f64 = 3.0;
/// How often the present list is run again in a descent.
const CHECKS: u32 = 8;
/// How many removals can be taken back.
const UNDO: usize = CHECKS as usize;
/// Runs of the list before the last removal, and how many of them must hit to go back to it.
const BEFORE: (u32, u32) = (6, 3);
/// Hits in a row that make an event a guard.
const GUARDED: u32 = 3;
/// Runs that measure the rate of a list which is unreliable.
const MEASURED: u32 = 5;

#[derive(Debug, Clone)]
pub struct Descent {
    place: Place,
    belief: DensityBelief,
    weights: Option<Arc<[f64]>>,
    /// What was known before each removal, and the removal; none where the list was cut.
    undo: Vec<(Place, Option<Removal>)>,
    /// Whether a list is cut where it has reached the target.
    cuts: bool,
    surprise: f64,
    threshold: f64,
    checks: u32,
    guarded: bool,
    tries: u32,
    luck: u32,
    doing: Doing,
    /// The list that is wanted now.
    list: Subset,
    monitored: bool,
}

/// What is known of the events.
#[derive(Debug, Clone)]
struct Place {
    /// Pinned events at the front: the launch, and a guard.
    front: Vec<u32>,
    /// The pinned last event.
    last: Option<u32>,
    /// Events of which nothing is known.
    unknown: Arc<Group>,
    /// Groups that each hold at least one needed event.
    groups: Vec<Arc<Group>>,
    /// Events that were seen to be needed.
    needed: Vec<u32>,
}

/// A chunk of a group, and the rest of it.
#[derive(Debug, Clone)]
struct Removal {
    group: Arc<Group>,
    part: Vec<u32>,
    rest: Vec<u32>,
}

/// Which chunk to ask about: of which group (`None`: of what is unknown), how many of its first or last events.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Question {
    group: Option<usize>,
    from_end: bool,
    size: usize,
    /// The probability that the chunk is clean.
    clean: f64,
}

/// What the next run is for.
#[derive(Debug, Clone)]
enum Doing {
    /// A question that may be asked so many more times.
    Ask {
        question: Question,
        left: u32,
    },
    /// Does the present list still reach?
    Check {
        misses: u32,
    },
    /// Was the last removal luck?
    Before {
        hits: u32,
        runs: u32,
        misses: u32,
    },
    /// Does a guard before the first kept event help?
    Guard {
        event: u32,
        hits: u32,
        misses: u32,
    },
    /// How often does the present list reach?
    Measure {
        hits: u32,
        runs: u32,
        after: u32,
    },
    Over,
}

#[derive(Debug, Clone)]
pub struct DescentStart {
    /// The events to descend from.
    pub list: Vec<u32>,
    /// Whether the first one is pinned: it launches the app, or may do so.
    pub launch: bool,
    /// Whether the last one is pinned: the target was reached with it.
    pub last: bool,
    /// The weight of each event of the recording: one that changed no state counts for less.
    pub weights: Option<Arc<[f64]>>,
    /// Whether the present list is run again when misses come too often. Without it a descent believes what it is
    /// told, as one under a rule of many runs should.
    pub monitored: bool,
}

impl Descent {
    /// A descent that has not begun.
    pub fn new(start: DescentStart) -> Self {
        let DescentStart { list, launch, last, weights, monitored } = start;
        let pinned = list.len() > 2;
        let front: Vec<u32> = if pinned && launch { list[..1].to_vec() } else { Vec::new() };
        let last = if pinned && last { list.last().copied() } else { None };
        let inner = list[front.len()..list.len() - usize::from(last.is_some())].to_vec();
        let end = list.last().map_or(0, |last| last + 1);
        let belief = DensityBelief::new(inner.len());
        let unknown = Arc::new(Group::new(inner, false, end, weights.as_deref()));
        let mut descent = Self {
            place: Place { front, last, unknown, groups: Vec::new(), needed: Vec::new() },
            belief,
            weights,
            undo: Vec::new(),
            cuts: true,
            surprise: 0.0,
            threshold: SURPRISE,
            checks: 0,
            guarded: false,
            tries: 1,
            luck: 4,
            doing: Doing::Over,
            list: Subset::empty(),
            monitored,
        };
        descent.go_on();
        descent
    }

    /// The list that is to be run; `None` when every event is known to be needed.
    pub fn wanted(&self) -> Option<&Subset> {
        match self.doing {
            Doing::Over => None,
            _ => Some(&self.list),
        }
    }

    /// The list as far as the descent has come.
    pub fn present(&self) -> Subset {
        Subset::from_positions(self.present_list())
    }

    /// The probability that the wanted run hits.
    pub fn chance(&self) -> f64 {
        match &self.doing {
            Doing::Ask { question, .. } => self.belief.rho * question.clean,
            _ => 0.8,
        }
    }

    /// In words, what the wanted run is for.
    pub fn purpose(&self) -> String {
        match &self.doing {
            Doing::Ask { question, .. } if question.size == 1 => "descent without 1 event".to_owned(),
            Doing::Ask { question, .. } => format!("descent without {} events", question.size),
            Doing::Check { .. } => "descent, present list again".to_owned(),
            Doing::Before { .. } => "descent, list before the last removal".to_owned(),
            Doing::Guard { event, .. } => format!("descent with event {} as a guard", event + 1),
            Doing::Measure { .. } => "descent, rate of the present list".to_owned(),
            Doing::Over => String::new(),
        }
    }

    /// Takes the outcome of the wanted run: the event with which it reached the target, or nothing. Says whether the
    /// wanted list is one to remember, as it reached the target.
    pub fn settle(&mut self, reached: Option<u32>) -> bool {
        let hit = reached.is_some();
        let remember = match self.doing.clone() {
            Doing::Ask { question, left } => self.told_question(question, left, hit),
            Doing::Check { misses } => self.told_check(misses + u32::from(!hit), hit),
            Doing::Before { hits, runs, misses } => self.told_before(hits + u32::from(hit), runs + 1, misses),
            Doing::Guard { event, hits, misses } => {
                self.told_guard(event, hits + u32::from(hit), misses, hit)
            }
            Doing::Measure { hits, runs, after } => {
                self.told_measure(hits + u32::from(hit), runs + 1, after);
                false
            }
            Doing::Over => return false,
        };
        if let Some(at) = reached.filter(|_| remember) {
            self.cut(at);
        }
        remember
    }

    fn told_question(&mut self, question: Question, left: u32, hit: bool) -> bool {
        if !hit && left > 1 {
            self.doing = Doing::Ask { question, left: left - 1 };
            return false;
        }
        let removal = self.removal(&question);
        let under_each: Vec<f64> = self.clean(&question).collect();
        if hit {
            self.remember(Some(removal.clone()));
            self.surprise = 0.0;
            self.removed(&removal);
        } else {
            self.surprise -= libm::log(f64::max(1e-3, 1.0 - self.belief.rho * question.clean));
            self.kept(&removal);
        }
        self.belief.learn(&under_each, hit);
        self.go_on();
        hit
    }

    fn remember(&mut self, removal: Option<Removal>) {
        if self.undo.len() == UNDO {
            self.undo.remove(0);
        }
        self.undo.push((self.place.clone(), removal));
    }

    fn told_check(&mut self, misses: u32, hit: bool) -> bool {
        self.doing = Doing::Check { misses };
        if !hit && misses < self.luck {
            return false;
        }
        match misses {
            0 => {
                self.threshold += 1.0;
                self.go_on();
            }
            1 => self.go_on(),
            misses if misses >= self.luck && !self.undo.is_empty() => {
                let (before, _) = self.undo.last().expect("there is one");
                self.list = Subset::from_positions(before.list());
                self.doing = Doing::Before { hits: 0, runs: 0, misses };
            }
            misses => self.unreliable(misses),
        }
        false
    }

    /// The list before the last removal reaches clearly more often, and that removal was luck; or the rate is low.
    fn told_before(&mut self, hits: u32, runs: u32, misses: u32) -> bool {
        self.doing = Doing::Before { hits, runs, misses };
        if runs < BEFORE.0 {
            return false;
        }
        let back = hits >= BEFORE.1;
        if back {
            let (place, removal) = self.undo.pop().expect("it was looked at");
            self.place = place;
            match removal {
                Some(removal) => self.kept(&removal),
                // What stood behind has a part in it after all.
                None => self.cuts = false,
            }
        } else {
            self.slow(hits, runs + misses);
            self.forget();
        }
        self.go_on();
        back
    }

    /// Runs of the present list differ: a guard before the first kept event may help, else questions are asked more
    /// often from now on.
    fn unreliable(&mut self, misses: u32) {
        let present = self.present_list();
        let inner = present.len() > self.place.front.len() + usize::from(self.place.last.is_some());
        let before =
            present.get(self.place.front.len()).filter(|_| inner).and_then(|first| first.checked_sub(1));
        let free = before.filter(|event| self.place.front.last().is_none_or(|pinned| event > pinned));
        if let Some(event) = free.filter(|_| !self.guarded) {
            self.guarded = true;
            let mut list = present;
            list.push(event);
            list.sort_unstable();
            self.list = Subset::from_positions(list);
            self.doing = Doing::Guard { event, hits: 0, misses };
        } else {
            self.measure(misses);
        }
    }

    fn told_guard(&mut self, event: u32, hits: u32, misses: u32, hit: bool) -> bool {
        self.doing = Doing::Guard { event, hits, misses };
        if hit && hits < GUARDED {
            return false;
        }
        if hit {
            self.place.front.push(event);
            // Lists before it lack the guard: none is gone back to.
            self.undo.clear();
            self.forget();
            self.go_on();
        } else {
            self.measure(misses);
        }
        hit
    }

    /// After a check with so many misses, which ended with a hit unless luck ran out.
    fn measure(&mut self, misses: u32) {
        let hits = u32::from(misses < self.luck);
        self.list = self.present();
        self.doing = Doing::Measure { hits, runs: misses + hits, after: 0 };
    }

    fn told_measure(&mut self, hits: u32, runs: u32, after: u32) {
        self.doing = Doing::Measure { hits, runs, after: after + 1 };
        if after + 1 == MEASURED {
            self.slow(hits, runs);
            self.forget();
            self.go_on();
        }
    }

    /// The rate is low: a miss counts only after several in a row.
    fn slow(&mut self, hits: u32, runs: u32) {
        let rate = f64::min(0.9, f64::from(hits + 1) / f64::from(runs + 2));
        let miss = libm::log(1.0 - rate);
        let in_a_row = |chance: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "few, and positive")]
            let runs = libm::ceil(libm::log(chance) / miss) as u32;
            runs
        };
        self.tries = self.tries.max(in_a_row(0.15).min(12));
        self.luck = in_a_row(0.03).clamp(4, 20);
        self.belief.rho = f64::max(0.5, 1.0 - libm::pow(1.0 - rate, f64::from(self.tries)));
    }

    /// Misses are not believed any more.
    fn forget(&mut self) {
        let present = self.present_list();
        let inner = |event: &u32| !self.place.front.contains(event) && self.place.last != Some(*event);
        let inner = present.into_iter().filter(inner).collect();
        self.place.unknown = self.group(inner, false);
        self.place.groups.clear();
        self.place.needed.clear();
    }

    /// The target was reached with this event: what stood behind it in that run was not performed.
    fn cut(&mut self, at: u32) {
        let end = self.place.last.or_else(|| self.present_list().last().copied());
        if !self.cuts || end.is_none_or(|end| at >= end) {
            return;
        }
        self.remember(None);
        let pinned = self.place.last.is_some() && !self.place.front.contains(&at);
        self.place.front.retain(|event| *event <= at);
        self.place.last = pinned.then_some(at);
        let stays = |event: &u32| if pinned { *event < at } else { *event <= at };
        self.place.needed.retain(stays);
        let groups = std::mem::take(&mut self.place.groups);
        let mut unknown: Vec<u32> = self.place.unknown.events.iter().copied().filter(stays).collect();
        for group in groups {
            if group.events.iter().all(stays) {
                self.place.groups.push(self.group(group.events.clone(), true));
            } else {
                // What it holds that is needed may be gone.
                unknown.extend(group.events.iter().copied().filter(stays));
            }
        }
        unknown.sort_unstable();
        self.place.unknown = self.group(unknown, false);
        self.go_on();
    }

    /// The next question, or a check, or the end.
    fn go_on(&mut self) {
        if self.place.unknown.events.is_empty() && self.place.groups.is_empty() {
            self.doing = Doing::Over;
            return;
        }
        if self.monitored && self.surprise > self.threshold && self.checks < CHECKS {
            self.surprise = 0.0;
            self.checks += 1;
            self.list = self.present();
            self.doing = Doing::Check { misses: 0 };
            return;
        }
        let question = self.choose();
        let removal = self.removal(&question);
        let present = self.present_list();
        let mut gone = removal.part.iter().copied().peekable();
        let stays = present.into_iter().filter(|event| gone.next_if_eq(event).is_none());
        self.list = Subset::from_positions(stays);
        self.doing = Doing::Ask { question, left: self.tries };
    }

    /// The question that promises most for its cost.
    fn choose(&self) -> Question {
        let length = self.length();
        let density = self.belief.density(length);
        let unknown = &self.place.unknown;
        let bits = 1.0
            + self.place.groups.iter().map(|group| libm::log2(count(group.events.len()))).sum::<f64>()
            + count(unknown.events.len()) * density * (libm::log2(1.0 / f64::min(0.5, density)) + 1.44);
        let mut best: Option<(f64, Question)> = None;
        for group in self.offered() {
            let whole = self.at(group).events.len();
            for from_end in [false, true] {
                for size in sizes(whole) {
                    if size == whole && (group.is_some() || from_end) {
                        continue;
                    }
                    let mut question = Question { group, from_end, size, clean: 0.0 };
                    question.clean = self.belief.mean(self.clean(&question));
                    let size = count(size);
                    let removed = question.clean * size * bits * REMOVAL;
                    let learnt = entropy(question.clean) * (RESET + REMOVAL * length);
                    let score = (removed + learnt) / (RESET + length - size);
                    if best.as_ref().is_none_or(|(most, _)| score > *most) {
                        best = Some((score, question));
                    }
                }
            }
        }
        best.expect("there is something to ask about").1
    }

    /// What is unknown, and the largest groups, in the order in which equals are preferred.
    fn offered(&self) -> Vec<Option<usize>> {
        let mut offered: Vec<Option<usize>> = Vec::new();
        if !self.place.unknown.events.is_empty() {
            offered.push(None);
        }
        let mut largest: Vec<usize> = Vec::with_capacity(GROUPS + 1);
        let size = |group: usize| self.place.groups[group].events.len();
        for group in 0..self.place.groups.len() {
            let rank = largest.partition_point(|other| size(*other) >= size(group));
            if rank < GROUPS {
                largest.insert(rank, group);
                largest.truncate(GROUPS);
            }
        }
        offered.extend(largest.into_iter().map(Some));
        offered
    }

    fn at(&self, group: Option<usize>) -> &Arc<Group> {
        group.map_or(&self.place.unknown, |group| &self.place.groups[group])
    }

    /// Under each hypothesis, the probability that the chunk of a question is clean.
    fn clean(&self, question: &Question) -> impl Iterator<Item = f64> + '_ {
        let group = self.at(question.group);
        let (size, all) = (question.size, group.events.len());
        let total = group.sums[all];
        let chunk = if question.from_end {
            let before = group.sums[all - size];
            Mass { count: total.count - before.count, nearness: total.nearness - before.nearness }
        } else {
            group.sums[size]
        };
        let within = group.needed.then_some((count(size) / count(all), total));
        self.belief.clean(chunk, within)
    }

    fn removal(&self, question: &Question) -> Removal {
        let group = self.at(question.group).clone();
        let events = &group.events;
        let (part, rest) = if question.from_end {
            let (rest, part) = events.split_at(events.len() - question.size);
            (part, rest)
        } else {
            events.split_at(question.size)
        };
        let (part, rest) = (part.to_vec(), rest.to_vec());
        Removal { group, part, rest }
    }

    /// A chunk is gone.
    fn removed(&mut self, removal: &Removal) {
        if removal.group.needed {
            self.drop_group(&removal.group);
            self.holds_needed(removal.rest.clone());
        } else {
            self.place.unknown = self.group(removal.rest.clone(), false);
        }
    }

    /// A chunk holds something needed; of the rest of its group nothing is known any more.
    fn kept(&mut self, removal: &Removal) {
        let unknown = if removal.group.needed {
            self.drop_group(&removal.group);
            let mut unknown = self.place.unknown.events.clone();
            unknown.extend(&removal.rest);
            unknown.sort_unstable();
            unknown
        } else {
            removal.rest.clone()
        };
        self.place.unknown = self.group(unknown, false);
        self.holds_needed(removal.part.clone());
    }

    fn drop_group(&mut self, group: &Arc<Group>) {
        self.place.groups.retain(|other| !Arc::ptr_eq(other, group));
    }

    /// Some of these events are needed.
    fn holds_needed(&mut self, events: Vec<u32>) {
        match events[..] {
            [] => {}
            [one] => self.place.needed.push(one),
            _ => {
                let group = self.group(events, true);
                self.place.groups.push(group);
            }
        }
    }

    fn group(&self, events: Vec<u32>, needed: bool) -> Arc<Group> {
        let last = self.place.last.or_else(|| events.last().copied());
        Arc::new(Group::new(events, needed, last.map_or(0, |last| last + 1), self.weights.as_deref()))
    }

    fn length(&self) -> f64 {
        let Place { front, last, unknown, groups, needed } = &self.place;
        let grouped: usize = groups.iter().map(|group| group.events.len()).sum();
        count(front.len() + usize::from(last.is_some()) + needed.len() + unknown.events.len() + grouped)
    }

    fn present_list(&self) -> Vec<u32> {
        self.place.list()
    }
}

impl Place {
    fn list(&self) -> Vec<u32> {
        let grouped = self.groups.iter().flat_map(|group| &group.events);
        let known = self.front.iter().chain(&self.needed).chain(&self.last);
        let mut list: Vec<u32> = known.chain(&self.unknown.events).chain(grouped).copied().collect();
        list.sort_unstable();
        list
    }
}

/// 1, 2, 3, ..., growing by 1.3, and all.
fn sizes(all: usize) -> impl Iterator<Item = usize> {
    let grow = |size: &f64| Some(f64::max(size + 1.0, size * 1.3));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size that is rounded down"
    )]
    let whole = |size: f64| size as usize;
    let below = std::iter::successors(Some(1.0), grow).take_while(move |size| *size < count(all));
    below.map(whole).chain(std::iter::once(all))
}

/// The information in the answer to a question that is answered with yes so often.
fn entropy(p: f64) -> f64 {
    if p <= 1e-9 || p >= 1.0 - 1e-9 { 0.0 } else { -(p * libm::log2(p) + (1.0 - p) * libm::log2(1.0 - p)) }
}

#[expect(clippy::cast_precision_loss, reason = "lists have fewer than 2^32 events")]
const fn count(events: usize) -> f64 {
    events as f64
}

#[cfg(test)]
mod tests;
