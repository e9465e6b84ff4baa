//! The whole work as one step machine.
//!
//! An algorithm asks for a batch of runs; when the last of them has ended, it is told all and asked again.
//!
//! Its driver asks for orders while devices are free, tells it how each run went, and withdraws the runs
//! that have become useless. What it does is a function of the sequence of results it is told.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use retap_reduce::{Algorithm, Ticket};
use retap_trace::Micros;

use crate::algorithm::{Bound, Finished, Optimum, Request, SuitePhase, View};
use crate::classic::Classic;
use crate::evidence::{Evidence, Noted};
use crate::input::{SuiteInput, TransitionId};
use crate::order::{Followed, Leg, Purpose, ReplayOrder};
use crate::planned::Planned;
use crate::settings::{Mode, SuiteSettings};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Runs that were to find something out.
    pub search: u32,
    pub confirm: u32,
    /// Runs in which the device failed.
    pub inconclusive: u32,
    pub withdrawn: u32,
    pub steps: u64,
    /// Device time of all runs that ended.
    pub time: Micros,
}

/// Where the work stands, for people who wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuiteProgress {
    pub phase: SuitePhase,
    /// Runs that gave evidence so far.
    pub runs: u32,
    /// Device time spent so far.
    pub time: Micros,
    /// Runs that were ordered and have not ended.
    pub under_way: usize,
    /// Runs that are still to come, as things stand; what they show may change that.
    pub outlook: usize,
    /// Traces of the suite as it stands; not all of it need be confirmed.
    pub traces: usize,
    /// Its steps.
    pub transitions: usize,
}

/// A suite in the making.
#[derive(Debug)]
pub struct Shrink {
    pub(crate) input: Arc<SuiteInput>,
    pub(crate) settings: SuiteSettings,
    pub(crate) evidence: Evidence,
    pub(crate) algorithm: SuiteAlgorithm,
    /// The rest of the batch.
    queue: VecDeque<Request>,
    flights: BTreeMap<Ticket, Request>,
    finished: Vec<Finished>,
    withdrawn: Vec<Ticket>,
    next_ticket: u64,
    pub(crate) spent: Spent,
}

#[derive(Debug)]
pub(crate) enum SuiteAlgorithm {
    Classic(Box<Classic>),
    Planned(Box<Planned>),
}

impl Shrink {
    /// A suite of this input.
    ///
    /// # Panics
    /// When there are no devices, runs or fragments.
    pub fn new(input: Arc<SuiteInput>, settings: SuiteSettings) -> Self {
        assert!(settings.devices > 0 && settings.runs > 0 && settings.fragments > 0, "settings are positive");
        let evidence = Evidence::new(input.items.len(), settings.forgiven());
        let view = View { input: &input, settings: &settings, evidence: &evidence };
        let algorithm = match settings.mode {
            Mode::Classic => SuiteAlgorithm::Classic(Box::new(Classic::new(view))),
            Mode::Planned => SuiteAlgorithm::Planned(Box::new(Planned::new(view))),
        };
        let mut shrink = Self {
            input,
            settings,
            evidence,
            algorithm,
            queue: VecDeque::new(),
            flights: BTreeMap::new(),
            finished: Vec::new(),
            withdrawn: Vec::new(),
            next_ticket: 0,
            spent: Spent::default(),
        };
        shrink.advance();
        shrink
    }

    /// What has been spent so far.
    pub const fn spent(&self) -> Spent {
        self.spent
    }

    /// Where the work stands.
    pub fn progress(&self) -> SuiteProgress {
        let kept = self.kept();
        SuiteProgress {
            phase: self.phase(),
            runs: self.spent.search + self.spent.confirm,
            time: self.spent.time,
            under_way: self.flights.len(),
            outlook: self.outlook(),
            traces: kept.len(),
            transitions: kept.iter().map(|path| path.len() - 1).sum(),
        }
    }

    fn outlook(&self) -> usize {
        let view = View { input: &self.input, settings: &self.settings, evidence: &self.evidence };
        let batch = self.queue.len() + self.flights.len();
        batch.max(match &self.algorithm {
            SuiteAlgorithm::Classic(classic) => classic.outlook(view),
            SuiteAlgorithm::Planned(planned) => planned.outlook(view),
        })
    }

    fn phase(&self) -> SuitePhase {
        match &self.algorithm {
            SuiteAlgorithm::Classic(classic) => classic.phase(),
            SuiteAlgorithm::Planned(planned) => planned.phase(),
        }
    }

    pub(crate) fn optimum(&self) -> Option<Optimum> {
        match &self.algorithm {
            SuiteAlgorithm::Classic(_) => None,
            SuiteAlgorithm::Planned(planned) => planned.optimum(),
        }
    }

    pub(crate) fn kept(&self) -> &[Vec<TransitionId>] {
        match &self.algorithm {
            SuiteAlgorithm::Classic(classic) => classic.kept(),
            SuiteAlgorithm::Planned(planned) => planned.kept(),
        }
    }

    pub(crate) fn bounds(&self) -> &BTreeSet<Bound> {
        match &self.algorithm {
            SuiteAlgorithm::Classic(classic) => classic.bounds(),
            SuiteAlgorithm::Planned(planned) => planned.bounds(),
        }
    }

    /// When a batch is done, asks for the next one.
    fn advance(&mut self) {
        if !self.over() {
            return;
        }
        let finished = std::mem::take(&mut self.finished);
        let view = View { input: &self.input, settings: &self.settings, evidence: &self.evidence };
        let batch = match &mut self.algorithm {
            SuiteAlgorithm::Classic(classic) => classic.advance(view, &finished),
            SuiteAlgorithm::Planned(planned) => planned.advance(view, &finished),
        };
        self.queue = batch.into();
    }

    /// Drops the runs of this batch that would go through a prefix that has just failed: before more of them are
    /// worth their time, the algorithm must think.
    fn spare(&mut self, prefix: &[TransitionId]) {
        let node = self.evidence.find(prefix).map(|node| self.evidence.node(node));
        if node.is_some_and(|node| node.follows() >= node.diverged * 19) {
            return;
        }
        self.queue.retain(|request| !request.path.starts_with(prefix));
        let useless: Vec<Ticket> = self
            .flights
            .iter()
            .filter(|(_, flight)| flight.path.starts_with(prefix))
            .map(|(&ticket, _)| ticket)
            .collect();
        for ticket in useless {
            self.flights.remove(&ticket);
            self.spent.withdrawn += 1;
            self.withdrawn.push(ticket);
        }
    }

    fn fill(&self, ticket: Ticket, request: &Request) -> ReplayOrder {
        let first = self.input.transition(request.path[0]);
        let legs = request.path[1..].iter().map(|&id| {
            let transition = self.input.transition(id);
            let step = transition.sample.expect("only launches have no step");
            Leg { step, expect: transition.expect.expect("only launches expect nothing") }
        });
        ReplayOrder {
            ticket,
            start: first.expect,
            legs: legs.collect(),
            purpose: request.purpose,
            label: request.label.clone(),
        }
    }
}

impl Algorithm for Shrink {
    type Order = ReplayOrder;
    type Evidence = Followed;

    fn order(&mut self) -> Option<ReplayOrder> {
        let request = self.queue.pop_front()?;
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        let order = self.fill(ticket, &request);
        self.flights.insert(ticket, request);
        Some(order)
    }

    fn settle(&mut self, ticket: Ticket, run: &Followed) {
        let Some(request) = self.flights.remove(&ticket) else { return };
        self.spent.time += run.effort.time;
        self.spent.steps += u64::from(run.effort.steps);
        let noted = self.evidence.note(&self.input, &request.path, run, request.purpose);
        if noted == Noted::Nothing {
            self.spent.inconclusive += 1;
            self.queue.push_front(request);
            return;
        }
        match request.purpose {
            Purpose::Search => self.spent.search += 1,
            Purpose::Confirm => self.spent.confirm += 1,
        }
        if let SuiteAlgorithm::Planned(planned) = &mut self.algorithm {
            let view = View { input: &self.input, settings: &self.settings, evidence: &self.evidence };
            planned.learn(view, &request, run, noted);
        }
        if let Noted::Diverged(index) = noted {
            self.spare(&request.path[..=index]);
        }
        self.finished.push(Finished { request, noted });
        self.advance();
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        std::mem::take(&mut self.withdrawn)
    }

    fn over(&self) -> bool {
        self.queue.is_empty() && self.flights.is_empty()
    }
}
