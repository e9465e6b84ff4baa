//! How real time becomes the phone's.

use std::time::Instant;

use retap_trace::Micros;

use crate::settings::Speed;

/// No more than this passes at once: a laptop that was asleep does not age its phones by a week.
const MOST: f64 = 3600.0;

/// Tells how much of the phone's time has passed in the world since it was last asked.
#[derive(Debug)]
pub(crate) struct Clock {
    speed: Speed,
    last: Instant,
}

impl Clock {
    pub(crate) fn new(speed: Speed) -> Self {
        Self { speed, last: Instant::now() }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and an hour, in microseconds"
    )]
    pub(crate) fn passed(&mut self) -> Micros {
        let Speed::Times(times) = self.speed else { return Micros::ZERO };
        let now = Instant::now();
        let real = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        Micros(((real * times).clamp(0.0, MOST) * 1e6) as u64)
    }
}
