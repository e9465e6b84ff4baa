//! One thread for each device: real devices in real time.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use retap_device::Device;
use retap_reduce::{Order, Outcome, Ticket};
use retap_trace::Micros;

use crate::{Done, Health, Lab, LabError, Oracle, Report};

/// How patient a [`ThreadLab`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// A run that is not back after this long is given up, and its device with it: it did not even keep its own
    /// deadlines.
    pub run: Duration,
    /// The rest after a device failed; it doubles with each failure in a row, up to 5 seconds.
    pub rest: Duration,
}

/// Devices with a thread each. A device that fails is tried again, then retired; the rest go on.
#[derive(Debug)]
pub struct ThreadLab {
    workers: Vec<Worker>,
    results: Receiver<(Ticket, Report)>,
    running: BTreeMap<Ticket, Flight>,
    opened: Instant,
    /// Time that earlier processes spent.
    before: Micros,
    patience: Patience,
    last_failure: Option<String>,
}

#[derive(Debug)]
struct Worker {
    jobs: Sender<Job>,
    busy: bool,
    retired: bool,
    health: Health,
    name: String,
}

#[derive(Debug)]
struct Flight {
    order: Order,
    place: u32,
    stop: Arc<AtomicBool>,
    deadline: Instant,
}

struct Job {
    order: Order,
    stop: Arc<AtomicBool>,
}

impl Default for Patience {
    fn default() -> Self {
        Self { run: Duration::from_hours(1), rest: Duration::from_millis(200) }
    }
}

impl ThreadLab {
    /// A lab with these devices.
    pub fn new(oracle: &Oracle, devices: Vec<Box<dyn Device>>, patience: Patience) -> Self {
        let (report, results) = channel();
        let hire = |device| Worker::hire(device, oracle.clone(), report.clone(), patience.rest);
        let workers = devices.into_iter().map(hire).collect();
        Self {
            workers,
            results,
            running: BTreeMap::new(),
            opened: Instant::now(),
            before: Micros::ZERO,
            patience,
            last_failure: None,
        }
    }

    /// Ends the run that is furthest over its time, and retires its device.
    fn give_up(&mut self) -> Option<Done> {
        let now = Instant::now();
        let late = self.running.iter().find(|(_, flight)| flight.deadline <= now);
        let ticket = late.map(|(ticket, _)| *ticket)?;
        let flight = self.running.remove(&ticket).expect("it was found");
        let worker = &mut self.workers[flight.place as usize];
        worker.retired = true;
        let why = format!("{} did not come back within {:?}", worker.name, self.patience.run);
        let report = Report {
            outcome: Outcome::Inconclusive,
            events: 0,
            took: Micros(u64::try_from(self.patience.run.as_micros()).unwrap_or(u64::MAX)),
            crash: None,
            device: worker.name.clone(),
            why: Some(why),
        };
        Some(self.done(flight, report))
    }

    fn done(&mut self, flight: Flight, report: Report) -> Done {
        let done = Done { order: flight.order, place: flight.place, at: self.now(), report };
        self.note(&done);
        done
    }

    fn note(&mut self, done: &Done) {
        if let Some(worker) = self.workers.get_mut(done.place as usize) {
            worker.busy = false;
            worker.retired |= worker.health.note(done.report.outcome == Outcome::Inconclusive);
        }
        if done.report.why.is_some() {
            self.last_failure.clone_from(&done.report.why);
        }
    }

    fn free(worker: &Worker) -> bool {
        !worker.busy && !worker.retired
    }
}

impl Worker {
    fn hire(
        mut device: Box<dyn Device>,
        oracle: Oracle,
        report: Sender<(Ticket, Report)>,
        rest: Duration,
    ) -> Self {
        let (jobs, inbox) = channel::<Job>();
        let name = device.name().to_owned();
        std::thread::spawn(move || {
            let mut health = Health::default();
            // Ends when the lab is dropped: either channel is then closed.
            for Job { order, stop } in inbox {
                let stopped = || stop.load(Ordering::Relaxed);
                if health.failures() > 0 && !stopped() {
                    let doubled = rest.saturating_mul(1 << health.failures().min(6));
                    std::thread::sleep(doubled.min(Duration::from_secs(5)));
                }
                let result = oracle.run(&mut *device, &order, &stopped);
                let _ = health.note(result.why.is_some());
                if report.send((order.ticket, result)).is_err() {
                    return;
                }
            }
        });
        Self { jobs, busy: false, retired: false, health: Health::default(), name }
    }
}

impl Lab for ThreadLab {
    fn idle(&self) -> u32 {
        u32::try_from(self.workers.iter().filter(|worker| Self::free(worker)).count()).unwrap_or(u32::MAX)
    }

    fn launch(&mut self, order: Order) {
        let place = self.workers.iter().position(Self::free).expect("runs are launched on free devices");
        let worker = &mut self.workers[place];
        worker.busy = true;
        let stop = Arc::new(AtomicBool::new(false));
        // A worker that is gone is noticed by its silence.
        let _ = worker.jobs.send(Job { order: order.clone(), stop: stop.clone() });
        let deadline = Instant::now() + self.patience.run;
        let place = u32::try_from(place).expect("few devices");
        self.running.insert(order.ticket, Flight { order, place, stop, deadline });
    }

    /// The device counts as free at once: its next run waits in line until it has noticed.
    fn cancel(&mut self, ticket: Ticket) {
        if let Some(flight) = self.running.remove(&ticket) {
            flight.stop.store(true, Ordering::Relaxed);
            self.workers[flight.place as usize].busy = false;
        }
    }

    fn next(&mut self) -> Result<Done, LabError> {
        loop {
            let Some(first) = self.running.values().map(|flight| flight.deadline).min() else {
                let none_left = self.workers.iter().all(|worker| worker.retired);
                return Err(LabError::idle(none_left, self.last_failure.clone()));
            };
            match self.results.recv_timeout(first.saturating_duration_since(Instant::now())) {
                Ok((ticket, report)) => {
                    // Of a run that was withdrawn nothing is said.
                    let Some(flight) = self.running.remove(&ticket) else { continue };
                    return Ok(self.done(flight, report));
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    if let Some(done) = self.give_up() {
                        return Ok(done);
                    }
                }
            }
        }
    }

    fn now(&self) -> Micros {
        self.before + Micros(u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn occupy(&mut self, place: u32) {
        if let Some(worker) = self.workers.get_mut(place as usize) {
            worker.busy = true;
        }
    }

    fn catch_up(&mut self, done: &Done) {
        self.before = self.before.max(done.at);
        self.note(done);
    }
}
