//! Waiting for what will happen, instead of for a time.

use std::time::{Duration, Instant};

/// How long a test waits for what should happen at once. It is the time of a test that fails, never of one that passes.
pub const PATIENCE: Duration = Duration::from_mins(2);

const PAUSE: Duration = Duration::from_millis(2);

/// Waits until something holds; fails the test when that takes too long.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    until_some(what, || holds().then_some(()));
}

/// Waits until there is something; fails the test when that takes too long.
#[track_caller]
pub fn until_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited {PATIENCE:?} until {what}");
        std::thread::sleep(PAUSE);
    }
}
