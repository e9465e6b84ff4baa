//! Scouts at work: in virtual time on one thread, or with a thread each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use retap_explore::Lane;
use retap_trace::Micros;

use super::scout::{Became, Scout, Sighting, Task};
use crate::Health;
use crate::thread_lab::see_off;

/// The first rest of a device that failed.
const REST: Duration = Duration::from_millis(200);

/// Scouts that are given tasks and report.
pub trait Crew {
    /// Gives a scout without a task one.
    fn give(&mut self, lane: Lane, task: Task);

    /// The next report; `None` when nobody is at work, or when somebody asked to stop.
    fn report(&mut self) -> Option<(Lane, Sighting)>;
}

/// Scouts in virtual time. A task is carried out when it is given, and reported when its device time is over: which
/// report comes next is a function of the seed.
#[derive(Debug)]
pub struct VirtualCrew {
    scouts: Vec<Scout>,
    reports: BTreeMap<Lane, Sighting>,
    ends: BTreeSet<(Micros, Lane)>,
}

impl VirtualCrew {
    /// These scouts; their lanes are numbered from 0.
    pub fn new(scouts: Vec<Scout>) -> Self {
        Self { scouts, reports: BTreeMap::new(), ends: BTreeSet::new() }
    }
}

impl Crew for VirtualCrew {
    fn give(&mut self, lane: Lane, task: Task) {
        let sighting = self.scouts[lane.0 as usize].carry_out(&task);
        self.ends.insert((sighting.time.1, lane));
        self.reports.insert(lane, sighting);
    }

    fn report(&mut self) -> Option<(Lane, Sighting)> {
        let (_, lane) = self.ends.pop_first()?;
        self.reports.remove(&lane).map(|sighting| (lane, sighting))
    }
}

/// Scouts with a thread each.
pub struct ThreadCrew {
    tasks: Vec<Sender<Task>>,
    reports: Receiver<(Lane, Sighting)>,
    busy: usize,
    stop: Box<dyn Fn() -> bool>,
}

impl ThreadCrew {
    /// These scouts; their lanes are numbered from 0. Nobody waits for them any longer once `stop` says so.
    pub fn new(scouts: Vec<Scout>, stop: impl Fn() -> bool + 'static) -> Self {
        let (report, reports) = channel();
        let hire = |mut scout: Scout| {
            let (give, tasks) = channel::<Task>();
            let report = report.clone();
            std::thread::spawn(move || {
                // Ends when the crew is dropped: either channel is then closed.
                let mut health = Health::default();
                for task in tasks {
                    std::thread::sleep(health.rest(REST));
                    let sighting = scout.carry_out(&task);
                    let _ = health.note(matches!(sighting.became, Became::Failed(_)));
                    if report.send((scout.lane(), sighting)).is_err() {
                        break;
                    }
                }
                // In this order: that nobody reports any more says that every device was put away.
                drop(scout);
                drop(report);
            });
            give
        };
        Self { tasks: scouts.into_iter().map(hire).collect(), reports, busy: 0, stop: Box::new(stop) }
    }
}

/// Devices may have settings to put back: they get a moment to do so.
impl Drop for ThreadCrew {
    fn drop(&mut self) {
        self.tasks.clear();
        see_off(&self.reports);
    }
}

impl Crew for ThreadCrew {
    fn give(&mut self, lane: Lane, task: Task) {
        // A scout whose thread is gone is noticed by its silence.
        let _ = self.tasks[lane.0 as usize].send(task);
        self.busy += 1;
    }

    fn report(&mut self) -> Option<(Lane, Sighting)> {
        const BREATH: Duration = Duration::from_millis(100);
        while self.busy > 0 && !(self.stop)() {
            match self.reports.recv_timeout(BREATH) {
                Ok(report) => {
                    self.busy -= 1;
                    return Some(report);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let gone = Became::Failed("its thread has ended".to_owned());
                    return Some((Lane(0), Sighting::of(gone)));
                }
            }
        }
        None
    }
}

impl std::fmt::Debug for ThreadCrew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadCrew").field("scouts", &self.tasks.len()).finish_non_exhaustive()
    }
}
