//! What happens while a job goes on: one stream of events for everything that shows or keeps it, and the wish to stop.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retap_lab::{Done, Flow, FollowReport, Report, Take, Taken};
use retap_reduce::{EventRun, Order, Phase};
use retap_suite::{ReplayOrder, SuiteProgress};
use retap_trace::{Crash, Micros, Size};

use crate::JobResult;
use crate::reduce::ReduceResult;

/// Something that happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobEvent<'a> {
    /// The job goes on from what an earlier process has recorded.
    Resumed {
        /// How much that is.
        done: u64,
        /// Of what.
        unit: Unit,
    },
    /// Something was recorded on another build of the app than the devices run.
    OtherBuild {
        /// What was.
        what: String,
        /// The build of the recording.
        then: &'a str,
        /// The device.
        device: &'a str,
        /// The build that it runs.
        now: &'a str,
    },
    /// Something was recorded on a screen of another size than the devices have.
    OtherScreen {
        /// What was.
        what: String,
        /// The screen of the recording.
        then: Size,
        /// The device.
        device: &'a str,
        /// The screen that it has.
        now: Size,
    },
    /// The trace of a reduction was changed since it was confirmed.
    TraceChanged {
        /// Its file.
        file: &'a Path,
    },
    /// The numbers of code in the traces may mean other code in the build that the devices run.
    OtherCode,
    /// Code is not compared, because its numbers are those of another build.
    CodeNotCompared,
    /// Snapshots were asked for, and this device has none.
    NoSnapshots {
        /// The device.
        device: &'a str,
    },
    /// The traces of a suite were recorded on several devices, and all are run on one.
    SeveralDevices {
        /// Those that they were recorded on, without the one that they are run on.
        others: &'a [&'a str],
        /// The device that they are run on.
        device: &'a str,
    },
    /// A prior was learnt from earlier reductions.
    PriorLearnt {
        /// The folder that they are in.
        folder: &'a Path,
        /// How many reductions.
        sessions: u64,
        /// How many candidates of theirs.
        candidates: u64,
    },
    /// Nothing can be learnt from the session in this folder.
    NothingLearnt {
        /// The folder.
        folder: &'a Path,
        /// Why.
        why: String,
    },
    /// A solved policy could not be kept for the next time.
    PolicyNotKept {
        /// Why.
        why: String,
    },
    /// A candidate was run.
    Run(&'a Done<Order, Report>),
    /// A trace was replayed.
    TraceReplay(&'a Done<Order, Report>),
    /// Events with simpler values were run.
    ValueRun(&'a Done<EventRun, Report>),
    /// An answer was performed and recorded.
    Recording(&'a Done<Take, Taken>),
    /// A trace of a suite was followed.
    SuiteReplay(&'a Done<ReplayOrder, FollowReport>),
    /// How far the job is.
    Progress(JobProgress),
    /// A crash was seen for the first time.
    Crash(&'a Crash),
    /// A crash that was found is being reduced now.
    ReductionBegun {
        /// Its signature.
        signature: &'a str,
    },
    /// What came of that.
    Reduced(&'a ReduceResult),
    /// A crash that was found could not be reduced.
    NotReduced {
        /// The crash.
        crash: &'a Crash,
        /// Why.
        why: String,
    },
    /// Events of this kind were left out, because the device does not support them.
    Unsupported {
        /// What they need.
        what: &'a str,
    },
    /// So many segments ended where an earlier process was stopped.
    SegmentsCut {
        /// How many.
        segments: u32,
    },
    /// Devices failed in the exploration that is over.
    DeviceFailed {
        /// How often, and why.
        words: &'a str,
    },
    /// A device is not used any more.
    DeviceGivenUp {
        /// Its number.
        device: usize,
        /// Why.
        why: &'a str,
    },
    /// The job is over.
    Finished(&'a JobResult),
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Runs of candidates.
    Runs,
    /// Events of an exploration.
    Events,
    /// Replays of traces.
    Replays,
}

/// How far a job is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum JobProgress {
    /// A reduction.
    Reduce {
        /// What it does.
        phase: Phase,
        /// Runs that gave evidence.
        runs: u64,
        /// Runs that are still to come, where that is known.
        to_come: Option<u64>,
        /// Events of the best answer so far.
        best: u32,
    },
    /// The values of an answer are made simpler.
    Values {
        /// Runs so far.
        runs: u64,
        /// What is tried.
        trying: String,
    },
    /// An exploration.
    Explore {
        /// Events so far, and how many there are to be.
        events: (u64, Option<u64>),
        /// Device time so far, and how much there is to be.
        elapsed: (Micros, Option<Micros>),
        /// States so far.
        states: usize,
        /// Branches covered so far.
        covered: usize,
        /// Crashes so far.
        crashes: usize,
        /// How often an earlier state was restored.
        restores: u32,
    },
    /// A suite in the making.
    Suite(SuiteProgress),
    /// A trace is replayed.
    Replay {
        /// Runs so far, and how many there are to be.
        runs: (u64, u64),
        /// How many of them reached the target.
        reached: u32,
    },
    /// A suite is replayed.
    ReplaySuite {
        /// Traces so far, and how many there are.
        traces: (u64, u64),
    },
    /// The policy of the schedule `optimal` is solved.
    Solve {
        /// The part that is done, from 0 to 1.
        done: f64,
    },
}

/// Something that watches a job: text, progress, a result for programs, a report.
pub trait Watch {
    /// Something happened.
    fn event(&mut self, event: &JobEvent<'_>);

    /// The wish to stop, which is looked at after each run and while devices are waited for.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

impl<F: FnMut(&JobEvent<'_>)> Watch for F {
    fn event(&mut self, event: &JobEvent<'_>) {
        self(event);
    }
}

/// The wish to stop after the run that is under way. Everything is kept, and the job can go on another time.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Who watches, and the wish to stop, as all parts of a job share them.
pub(crate) trait Tell {
    fn tell(&self, event: &JobEvent<'_>);

    fn stop(&self) -> &Stop;

    /// Whether to go on after so many results, of which so many stood in the journal. Those are all told first: a result
    /// that knows only some of them would be untrue.
    fn flow(&self, told: usize, recorded: usize) -> Flow {
        if told >= recorded && self.stop().asked() { Flow::Stop } else { Flow::Continue }
    }
}

/// What the parts of a job hold.
pub(crate) type Watching<'a> = dyn Tell + 'a;

pub(crate) struct Teller<'a> {
    watch: RefCell<&'a mut dyn Watch>,
    stop: Stop,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(watch: &'a mut dyn Watch) -> Self {
        Self { stop: watch.stop(), watch: RefCell::new(watch) }
    }
}

impl Tell for Teller<'_> {
    fn tell(&self, event: &JobEvent<'_>) {
        self.watch.borrow_mut().event(event);
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }
}
