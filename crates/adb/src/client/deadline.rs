//! How long a call may take, and whether somebody has called it off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::AdbError;

/// Calls off whatever waits on it. Clones call off the same.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// A moment by which a call must be done. Every wait asks it how long is left.
#[derive(Debug, Clone)]
pub struct Deadline {
    what: &'static str,
    within: Duration,
    until: Instant,
    cancel: Option<Cancel>,
}

/// How long a wait sleeps at most before it looks whether it was called off.
const SLICE: Duration = Duration::from_millis(50);
/// Longer deadlines than this are as good as none, and would overflow some platforms' clocks.
const LONGEST: Duration = Duration::from_hours(8760);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was called off.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Deadline {
    /// So long from now, for a call of this name.
    pub fn within(what: &'static str, within: Duration) -> Self {
        let within = within.min(LONGEST);
        Self { what, within, until: Instant::now() + within, cancel: None }
    }

    /// The same deadline, which can be called off as well.
    #[must_use]
    pub fn or(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// A deadline for a part of the call: at most so long, and never longer than the whole.
    #[must_use]
    pub fn part(&self, what: &'static str, within: Duration) -> Self {
        let until = self.until.min(Instant::now() + within.min(LONGEST));
        Self { what, within: within.min(self.within), until, cancel: self.cancel.clone() }
    }

    /// The name of the call.
    pub const fn what(&self) -> &'static str {
        self.what
    }

    /// How long is left; an error when nothing is.
    pub fn left(&self) -> Result<Duration, AdbError> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(AdbError::Cancelled { what: self.what });
        }
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(AdbError::Timeout { what: self.what, within: self.within });
        }
        Ok(left)
    }

    /// How long to wait for the socket before asking again.
    pub(crate) fn slice(&self) -> Result<Duration, AdbError> {
        Ok(self.left()?.min(SLICE).max(Duration::from_millis(1)))
    }

    /// Sleeps so long; an error when the deadline comes first.
    pub fn sleep(&self, time: Duration) -> Result<(), AdbError> {
        let end = Instant::now() + time.min(LONGEST);
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return Ok(());
            }
            std::thread::sleep(self.slice()?.min(rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_ends_and_says_of_what() {
        let deadline = Deadline::within("a nap", Duration::from_millis(20));
        assert!(deadline.left().is_ok());
        assert!(matches!(
            deadline.sleep(Duration::from_mins(1)),
            Err(AdbError::Timeout { what: "a nap", .. })
        ));
        assert!(deadline.left().is_err());
    }

    #[test]
    fn calling_off_ends_a_wait() {
        let cancel = Cancel::default();
        let deadline = Deadline::within("a nap", Duration::from_mins(10)).or(&cancel);
        let other = cancel.clone();
        let thread = std::thread::spawn(move || deadline.sleep(Duration::from_mins(10)));
        other.cancel();
        assert_eq!(thread.join().unwrap(), Err(AdbError::Cancelled { what: "a nap" }));
    }

    #[test]
    fn a_part_never_outlasts_the_whole() {
        let whole = Deadline::within("whole", Duration::from_millis(50));
        assert!(whole.part("part", Duration::from_secs(9)).left().unwrap() <= Duration::from_millis(50));
        assert!(whole.part("part", Duration::from_millis(5)).left().unwrap() <= Duration::from_millis(5));
        assert!(Deadline::within("for ever", Duration::MAX).left().is_ok());
    }
}
