//! What fingers do becomes events.
//!
//! A tap on something that knows double taps waits a moment for a second one, as views with a gesture detector do;
//! whatever else happens first lets it through.

use retap_device::{Device, DeviceError};
use retap_trace::{Aim, Event, Micros, Point};

use super::panel::{Gesture, Panel, pixel};
use super::state::{PATIENCE, State};

/// A finger that moves less than this has not moved.
const SLOP: i64 = 24;
/// A finger that stays this long means a long tap.
const LONG: Micros = Micros::from_millis(500);
/// Two taps within this time are a double tap.
const DOUBLE: Micros = Micros::from_millis(300);

/// Fingers on the screen, or just lifted.
#[derive(Debug, Default)]
pub(crate) struct Fingers {
    /// A tap that waits for a second one, and until when.
    waiting: Option<(Point, Micros)>,
    panel: Panel,
}

impl State {
    /// A finger goes down and up again.
    pub(crate) fn tap(&mut self, at: Point) -> Result<(), DeviceError> {
        if let Some((first, until)) = self.fingers.waiting
            && near(first, at)
            && self.uptime() <= until
        {
            self.fingers.waiting = None;
            return self.perform(&Event::DoubleTap(Aim::place(first)));
        }
        self.lift()?;
        if self.machine().takes_double_taps(at) {
            self.fingers.waiting = Some((at, self.uptime() + DOUBLE));
            return Ok(());
        }
        self.perform(&Event::Tap(Aim::place(at)))
    }

    /// A finger goes down, moves and is lifted. It may not move at all.
    pub(crate) fn swipe(&mut self, from: Point, to: Point, over: Micros) -> Result<(), DeviceError> {
        match (near(from, to), over >= LONG) {
            (true, true) => self.perform(&Event::LongTap { aim: Aim::place(from), hold: over }),
            (true, false) => self.tap(from),
            (false, _) => self.perform(&Event::Swipe { aim: Aim::place(from), to, over }),
        }
    }

    /// Two fingers move apart or together.
    pub(crate) fn pinch(&mut self, at: Point, percent: u32) -> Result<(), DeviceError> {
        self.perform(&Event::Pinch { aim: Aim::place(at), percent, over: LONG })
    }

    /// An event of the touch screen as Linux writes it.
    pub(super) fn raw_touch(&mut self, kind: u16, code: u16, value: i64) -> Result<(), DeviceError> {
        let now = self.uptime();
        let Some(gesture) = self.fingers.panel.take(kind, code, value, now) else { return Ok(()) };
        let (screen, held) = (self.screen(), self.machine().orientation());
        let at = |place| pixel(place, screen, held);
        match gesture {
            Gesture::Drag { from, to, over } => self.swipe(at(from), at(to), over),
            Gesture::Pinch { middle, percent } => self.pinch(at(middle), percent),
        }
    }

    /// Lets a waiting tap through.
    pub(super) fn lift(&mut self) -> Result<(), DeviceError> {
        match self.fingers.waiting.take() {
            Some((at, _)) => self.device.perform(&Event::Tap(Aim::place(at)), PATIENCE),
            None => Ok(()),
        }
    }
}

fn near(one: Point, other: Point) -> bool {
    let far = |a: i32, b: i32| (i64::from(a) - i64::from(b)).abs() >= SLOP;
    !far(one.x, other.x) && !far(one.y, other.y)
}
