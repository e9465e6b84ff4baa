//! Where runs happen: replay and judgement of candidates, labs of devices, and the loops that drive them.
//!
//! This is the only room in which an algorithm and a device meet. The algorithm asks for a run as data
//! ([`retap_reduce::Order`]), a [`Lab`] carries it out, and what comes back ([`Done`]) is in the journal before
//! the algorithm is told.
//!
//! Absent: any backend, any algorithm, any printing.

mod command;
mod divergence;
mod done;
mod drive;
mod exploration;
mod follow;
mod health;
mod journal;
mod lab;
mod leaving;
mod oracle;
mod recorded;
mod recording;
mod replay;
mod rewind;
mod runner;
mod shared_device;
mod thread_lab;
mod virtual_lab;
mod walk;
mod words;
mod worker;

pub use command::{CommandOracle, Judge};
pub use divergence::{Branch, Divergence, RunPath};
pub use done::{Done, Report};
pub use drive::{DriveError, Flow, drive};
pub use exploration::{
    DEVICE_FAILED, Exploration, ExplorationEnd, ExplorationSettings, ExploreEvent, ExploreJournal,
    ExploreOrder, ExploreReport, ExploreTask, ExploreWorker, Failure, Origin, Segment, SegmentEnd, SegmentId,
    Segments, TimeTravelCost, WayBack, recorded_orders,
};
pub use follow::{FollowReport, Follower, Guide};
pub use health::Health;
pub use journal::{Journal, JournalError, Logged, SessionJournal, Withdrawn, recorded_runs};
pub use lab::{Lab, LabError};
pub use leaving::{Leaving, recorded_activities};
pub use oracle::{Oracle, followed};
pub use recorded::Recorded;
pub use recording::{Recorder, Recording, Take, Taken};
pub use replay::{Deadlines, Replay, look};
pub use rewind::{Rewound, rewind};
pub use runner::{Player, Runner, Witness};
pub use shared_device::SharedDevice;
pub use thread_lab::{Patience, ThreadLab, WORKER_THREAD};
pub use virtual_lab::VirtualLab;
pub use walk::Walk;
pub use words::{short_name, state_in_words};
pub use worker::{Account, Errand, Worker};
