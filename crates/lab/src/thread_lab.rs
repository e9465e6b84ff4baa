//! One thread for each worker: real devices and commands in real time.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use retap_reduce::Ticket;
use retap_trace::Micros;

use crate::lab::named;
use crate::{Account, Done, Errand, Health, Lab, LabError, Worker};

/// The name of the threads of workers. A panic of one of them is caught, and its worker given up.
pub const WORKER_THREAD: &str = "worker";

/// How long a lab waits before it asks whether to stop.
const POLL: Duration = Duration::from_millis(100);
/// How long workers have for leaving their work behind in order when their lab goes away: a phone gets its settings
/// back.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// How patient a [`ThreadLab`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// A run that is not back after this long is given up, and its worker with it: it did not even keep its own
    /// deadlines.
    pub run: Duration,
    /// The rest after a worker failed; it doubles with each failure in a row, up to 5 seconds.
    pub rest: Duration,
}

/// Workers with a thread each. One that fails is tried again, then retired; the rest go on.
#[derive(Debug)]
pub struct ThreadLab<W: Worker> {
    places: Vec<Place<W::Order>>,
    results: Receiver<Message<W::Report>>,
    /// Orders for places whose workers were given up.
    refused: VecDeque<Done<W::Order, W::Report>>,
    running: BTreeMap<Ticket, Flight<W::Order>>,
    opened: Instant,
    /// Time that earlier processes spent.
    before: Micros,
    patience: Patience,
    last_failure: Option<String>,
    stop: Stop,
}

/// Asked whether to stop waiting.
struct Stop(Box<dyn Fn() -> bool>);

#[derive(Debug)]
struct Place<O> {
    jobs: Sender<Job<O>>,
    busy: bool,
    health: Health,
    name: String,
    /// Why its worker was given up.
    retired: Option<String>,
}

/// What a worker's thread says of a run.
#[derive(Debug)]
struct Message<R> {
    ticket: Ticket,
    /// None when it panicked with these words. Its thread is then over.
    report: Result<R, String>,
}

#[derive(Debug)]
struct Flight<O> {
    order: O,
    place: u32,
    stop: Arc<AtomicBool>,
    deadline: Instant,
}

struct Job<O> {
    order: O,
    stop: Arc<AtomicBool>,
}

impl Default for Patience {
    fn default() -> Self {
        Self { run: Duration::from_hours(1), rest: Duration::from_millis(200) }
    }
}

impl<W: Worker + 'static> ThreadLab<W> {
    pub fn new(workers: impl IntoIterator<Item = W>, patience: Patience) -> Self {
        let (report, results) = channel();
        let hire = |worker| Place::hire(worker, report.clone(), patience.rest);
        let places = workers.into_iter().map(hire).collect();
        Self {
            places,
            results,
            refused: VecDeque::new(),
            running: BTreeMap::new(),
            opened: Instant::now(),
            before: Micros::ZERO,
            patience,
            last_failure: None,
            stop: Stop(Box::new(|| false)),
        }
    }

    /// The same lab, which stops waiting for runs as soon as this says so.
    #[must_use]
    pub fn stopping_when(mut self, stop: impl Fn() -> bool + 'static) -> Self {
        self.stop = Stop(Box::new(stop));
        self
    }

    /// Ends the run that is furthest over its time, and retires its device.
    fn give_up(&mut self) -> Option<Done<W::Order, W::Report>> {
        let now = Instant::now();
        let late = self.running.iter().find(|(_, flight)| flight.deadline <= now);
        let ticket = late.map(|(ticket, _)| *ticket)?;
        let flight = self.running.remove(&ticket).expect("it was found");
        let took = Micros(u64::try_from(self.patience.run.as_micros()).unwrap_or(u64::MAX));
        let why = format!("did not come back within {:?}", self.patience.run);
        Some(self.lose(flight, took, &why))
    }

    /// Ends a run whose worker is of no more use.
    fn lose(&mut self, flight: Flight<W::Order>, took: Micros, why: &str) -> Done<W::Order, W::Report> {
        // When it comes back after all, others may be using its device.
        flight.stop.store(true, Ordering::Relaxed);
        let place = &mut self.places[flight.place as usize];
        let why = format!("{} {why}", place.name);
        place.retired = Some(why.clone());
        let report = W::Report::lost(&place.name, took, why);
        self.done(flight, report)
    }

    fn done(&mut self, flight: Flight<W::Order>, report: W::Report) -> Done<W::Order, W::Report> {
        let done = Done { order: flight.order, place: flight.place, at: self.now(), report };
        self.note(&done);
        done
    }

    fn note(&mut self, done: &Done<W::Order, W::Report>) {
        if let Some(place) = self.places.get_mut(done.place as usize) {
            place.busy = false;
            let why = done.report.failure().map(|why| named(&place.name, why));
            if place.health.note(&done.report) && place.retired.is_none() {
                place.retired.clone_from(&why);
            }
            self.last_failure = why.or(self.last_failure.take());
        }
    }
}

impl<O: Errand> Place<O> {
    fn free(&self) -> bool {
        !self.busy && self.retired.is_none()
    }

    fn hire<W: Worker<Order = O> + 'static>(
        mut worker: W,
        report: Sender<Message<W::Report>>,
        rest: Duration,
    ) -> Self {
        let (jobs, inbox) = channel::<Job<O>>();
        let name = worker.name().to_owned();
        let thread = std::thread::Builder::new().name(WORKER_THREAD.to_owned());
        let spawned = thread.spawn(move || {
            let mut health = Health::default();
            // Ends when the lab is dropped: either channel is then closed.
            for Job { order, stop } in inbox {
                let stopped = || stop.load(Ordering::Relaxed);
                if !stopped() {
                    std::thread::sleep(health.rest(rest));
                }
                // A worker that has panicked is not used again.
                let result = catch_unwind(AssertUnwindSafe(|| worker.run(&order, &stopped)));
                let result = result.map_err(|panic| words_of(&*panic));
                // A run that was stopped says nothing about its worker.
                if let Ok(result) = &result
                    && !stopped()
                {
                    let _ = health.note(result);
                }
                let over = result.is_err();
                if report.send(Message { ticket: order.ticket(), report: result }).is_err() || over {
                    break;
                }
            }
            // In this order: that nobody reports any more says that every worker has put its things away.
            drop(worker);
            drop(report);
        });
        let retired = spawned.err().map(|error| format!("{name}: its thread cannot be started: {error}"));
        Self { jobs, busy: false, health: Health::default(), name, retired }
    }
}

/// Workers may have started processes: they are told to stop, and get a moment to do so.
impl<W: Worker> Drop for ThreadLab<W> {
    fn drop(&mut self) {
        for flight in self.running.values() {
            flight.stop.store(true, Ordering::Relaxed);
        }
        self.places.clear();
        join_with_timeout(&self.results);
    }
}

/// Waits until everybody who could report is gone, but not for ever.
fn join_with_timeout<T>(reports: &Receiver<T>) {
    let until = Instant::now() + SHUTDOWN_GRACE;
    while reports.recv_timeout(until.saturating_duration_since(Instant::now())).is_ok() {}
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".to_owned())
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stop")
    }
}

impl<W: Worker + 'static> Lab<W::Order, W::Report> for ThreadLab<W> {
    fn idle(&self) -> u32 {
        u32::try_from(self.places.iter().filter(|place| place.free()).count()).unwrap_or(u32::MAX)
    }

    fn launch(&mut self, order: W::Order) {
        let free = match order.place() {
            Some(place) => place as usize,
            None => self.places.iter().position(Place::free).expect("runs are launched at free places"),
        };
        let at = self.now();
        let place = &mut self.places[free];
        assert!(!place.busy, "place {free} has a run already");
        let stop = Arc::new(AtomicBool::new(false));
        let job = Job { order: order.clone(), stop: stop.clone() };
        if place.retired.is_none() && place.jobs.send(job).is_err() {
            place.retired = Some(format!("{}: its thread has ended", place.name));
        }
        if let Some(why) = &place.retired {
            let report = W::Report::refused(&place.name, why.clone());
            let place = u32::try_from(free).expect("few places");
            return self.refused.push_back(Done { order, place, at, report });
        }
        place.busy = true;
        let deadline = Instant::now() + self.patience.run;
        let place = u32::try_from(free).expect("few places");
        self.running.insert(order.ticket(), Flight { order, place, stop, deadline });
    }

    /// The place counts as free at once: its next run waits in line until it has noticed.
    fn cancel(&mut self, ticket: Ticket) {
        if let Some(flight) = self.running.remove(&ticket) {
            flight.stop.store(true, Ordering::Relaxed);
            self.places[flight.place as usize].busy = false;
        }
    }

    fn next(&mut self) -> Result<Done<W::Order, W::Report>, LabError> {
        if let Some(done) = self.refused.pop_front() {
            return Ok(done);
        }
        loop {
            let Some(first) = self.running.values().map(|flight| flight.deadline).min() else {
                let none_left = self.places.iter().all(|place| place.retired.is_some());
                return Err(LabError::idle(none_left, self.last_failure.clone()));
            };
            if (self.stop.0)() {
                return Err(LabError::Stopped);
            }
            let wait = first.saturating_duration_since(Instant::now()).min(POLL);
            match self.results.recv_timeout(wait) {
                Ok(Message { ticket, report }) => {
                    // Of a run that was withdrawn nothing is said.
                    let Some(flight) = self.running.remove(&ticket) else { continue };
                    return Ok(match report {
                        Ok(report) => self.done(flight, report),
                        Err(why) => self.lose(flight, Micros::ZERO, &format!("panicked: {why}")),
                    });
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
        if let Some(place) = self.places.get_mut(place as usize) {
            place.busy = true;
        }
    }

    fn catch_up(&mut self, done: &Done<W::Order, W::Report>) {
        self.before = self.before.max(done.at);
        self.note(done);
    }

    fn revive(&mut self) {
        if self.places.iter().all(|place| place.retired.is_some()) {
            for place in &mut self.places {
                (place.retired, place.health) = (None, Health::default());
            }
            for refused in std::mem::take(&mut self.refused) {
                self.launch(refused.order);
            }
        }
    }
}
