//! The calls under way: they can all be stopped and waited for, and a device that two would disturb is used by one at a
//! time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retap_job::Stop;

/// How often one who waits for a device looks whether it is to stop.
const LOOKED_EVERY: Duration = Duration::from_millis(50);

/// All calls under way.
#[derive(Debug, Default)]
pub(crate) struct Running {
    state: Mutex<RunningState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct RunningState {
    /// No new calls.
    closed: bool,
    next: u64,
    stops: BTreeMap<u64, Stop>,
    busy: BTreeSet<String>,
}

/// A call that is counted while this exists.
#[derive(Debug)]
pub(crate) struct Counted {
    running: Arc<Running>,
    number: u64,
}

/// Devices that are nobody else's while this exists.
#[derive(Debug)]
pub(crate) struct DeviceHold<'a> {
    running: &'a Running,
    what: String,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, RunningState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new call, which this stop ends. None once the server is closing.
    pub(crate) fn begin(self: &Arc<Self>, stop: &Stop) -> Option<Counted> {
        let mut state = self.state();
        if state.closed {
            return None;
        }
        let number = state.next;
        state.next += 1;
        state.stops.insert(number, stop.clone());
        Some(Counted { running: self.clone(), number })
    }

    /// Asks all to stop, and takes no new ones.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.stops.values().for_each(Stop::ask);
    }

    /// Waits until all are over, and no longer than this; says how many are not.
    pub(crate) fn wait(&self, longest: Duration) -> usize {
        let going_on = |state: &mut RunningState| !state.stops.is_empty();
        let waited = self.changed.wait_timeout_while(self.state(), longest, going_on);
        waited.unwrap_or_else(PoisonError::into_inner).0.stops.len()
    }

    /// Waits until nobody else uses this; `waiting` is called once where that takes a while. None when it was stopped
    /// meanwhile.
    pub(crate) fn take(&self, what: &str, stop: &Stop, waiting: impl FnOnce()) -> Option<DeviceHold<'_>> {
        let mut waiting = Some(waiting);
        let mut state = self.state();
        while state.busy.contains(what) {
            if stop.asked() {
                return None;
            }
            if let Some(waiting) = waiting.take() {
                waiting();
            }
            let looked = self.changed.wait_timeout(state, LOOKED_EVERY);
            state = looked.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.busy.insert(what.to_owned());
        Some(DeviceHold { running: self, what: what.to_owned() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.running.state().stops.remove(&self.number);
        self.running.changed.notify_all();
    }
}

impl Drop for DeviceHold<'_> {
    fn drop(&mut self) {
        self.running.state().busy.remove(&self.what);
        self.running.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn one_at_a_time_uses_a_device() {
        let running = Running::default();
        let (inside, most) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _taken = running.take("phones", &Stop::default(), || {}).unwrap();
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
        let _phones = running.take("phones", &Stop::default(), || {}).unwrap();
        assert!(running.take("others", &Stop::default(), || panic!("nobody has them")).is_some());
    }

    #[test]
    fn who_waits_can_be_stopped() {
        let running = Running::default();
        let taken = running.take("phones", &Stop::default(), || {}).unwrap();
        let stop = Stop::default();
        let mut told = 0;
        let ask = stop.clone();
        assert!(
            running
                .take("phones", &stop, || {
                    told += 1;
                    ask.ask();
                })
                .is_none()
        );
        assert_eq!(told, 1);
        drop(taken);
        assert!(running.take("phones", &Stop::default(), || panic!("nobody has them")).is_some());
    }

    #[test]
    fn closing_stops_all_and_waits_for_them() {
        let running = Arc::new(Running::default());
        let stop = Stop::default();
        let counted = running.begin(&stop).unwrap();
        running.close();
        assert!(stop.asked());
        assert!(running.begin(&Stop::default()).is_none());
        assert_eq!(running.wait(Duration::from_millis(1)), 1, "it is still under way");
        let over = std::thread::spawn(move || drop(counted));
        assert_eq!(running.wait(Duration::MAX), 0);
        over.join().unwrap();
    }
}
