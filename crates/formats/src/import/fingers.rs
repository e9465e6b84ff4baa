//! Touches gathered into taps, long taps, double taps, swipes and pinches.

use std::collections::BTreeMap;

use retap_trace::{Aim, Event, Micros, Point};

use super::numbers::{distance, whole};

/// What a finger does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TouchAction {
    /// It goes down.
    Down,
    /// It moves.
    Move,
    /// It is lifted.
    Up,
}

/// What has become of touches when the last finger is lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TouchGesture {
    /// An event, and the time at which it began.
    Done(Event, Micros),
    /// A tap at this place and time, so soon after the last one and so near to it that the two are a double tap there,
    /// unless something else was done between them.
    Second {
        /// Where the last one was.
        first: Point,
        /// Where this one is.
        place: Point,
        /// When it began.
        began: Micros,
    },
    /// What no event expresses, in words.
    Unknown(&'static str),
}

/// A finger that moves no farther than this, in pixels, stays where it is.
const SLOP: f64 = 24.0;
/// A finger that stays for so long presses long.
const LONG: Micros = Micros::from_millis(500);
/// Two taps with less than this between them are a double tap.
const DOUBLE: Micros = Micros::from_millis(300);
/// The second tap of a double tap is no farther from the first, in pixels.
const DOUBLE_SLOP: f64 = 100.0;
/// So many fingers are told apart; more come from no hand.
const MOST: usize = 10;

/// The way of one finger.
#[derive(Debug, Clone, Copy)]
struct Finger {
    from: Point,
    to: Point,
    /// How far it has been from where it went down.
    farthest: f64,
    down: bool,
}

/// The fingers that are on the screen, or were since all of them were lifted last.
#[derive(Debug, Default)]
pub(super) struct FingersDown {
    known: BTreeMap<u32, Finger>,
    began: Micros,
    latest: Micros,
    /// The place and end of a tap that came last.
    tapped: Option<(Point, Micros)>,
    crowd: bool,
    /// Whether times are those of a clock, so that a second tap can be told from a double tap.
    timed: bool,
}

impl FingersDown {
    /// Fingers whose times are those of a clock.
    pub(super) fn timed() -> Self {
        Self { timed: true, ..Self::default() }
    }

    /// A finger does something; says what has become of all since the first went down when this one is the last to be
    /// lifted.
    pub(super) fn touch(
        &mut self,
        finger: u32,
        touch: TouchAction,
        at: Option<Point>,
        time: Micros,
    ) -> Option<TouchGesture> {
        self.latest = time;
        match touch {
            TouchAction::Down => {
                self.down(finger, at?, time);
                None
            }
            TouchAction::Move => {
                self.moved(finger, at?);
                None
            }
            TouchAction::Up => {
                if let Some(at) = at {
                    self.moved(finger, at);
                }
                let known = self.known.get_mut(&finger)?;
                known.down = false;
                self.over()
            }
        }
    }

    /// Whether a finger is on the screen.
    pub(super) fn busy(&self) -> bool {
        !self.known.is_empty()
    }

    fn down(&mut self, finger: u32, at: Point, time: Micros) {
        if self.known.is_empty() {
            self.began = time;
        }
        self.crowd |= self.known.len() >= MOST;
        if !self.crowd {
            self.known.insert(finger, Finger { from: at, to: at, farthest: 0.0, down: true });
        }
    }

    fn moved(&mut self, finger: u32, at: Point) {
        if let Some(known) = self.known.get_mut(&finger) {
            known.to = at;
            known.farthest = known.farthest.max(distance(known.from, at));
        }
    }

    fn over(&mut self) -> Option<TouchGesture> {
        if self.known.values().any(|finger| finger.down) {
            return None;
        }
        let fingers: Vec<Finger> = std::mem::take(&mut self.known).into_values().collect();
        let crowd = std::mem::take(&mut self.crowd);
        let tapped = self.tapped.take();
        let over = self.latest.since(self.began);
        Some(match fingers[..] {
            _ if crowd => TouchGesture::Unknown("gestures of more than ten fingers"),
            [one] => self.one(one, over, tapped),
            [one, two] => pinch(one, two, over, self.began),
            _ => TouchGesture::Unknown("gestures of more than two fingers"),
        })
    }

    fn one(&mut self, finger: Finger, over: Micros, tapped: Option<(Point, Micros)>) -> TouchGesture {
        let aim = Aim::place(finger.from);
        if finger.farthest > SLOP {
            if distance(finger.from, finger.to) <= SLOP {
                return TouchGesture::Unknown("ways of a finger that end where they began");
            }
            return TouchGesture::Done(Event::Swipe { aim, to: finger.to, over }, self.began);
        }
        if over >= LONG {
            return TouchGesture::Done(Event::LongTap { aim, hold: over }, self.began);
        }
        let double = tapped.filter(|(place, end)| {
            self.timed && self.began.since(*end) < DOUBLE && distance(*place, finger.from) <= DOUBLE_SLOP
        });
        if let Some((first, _)) = double {
            return TouchGesture::Second { first, place: finger.from, began: self.began };
        }
        self.tapped = Some((finger.from, self.latest));
        TouchGesture::Done(Event::Tap(aim), self.began)
    }
}

/// Two fingers that come nearer or move apart.
fn pinch(one: Finger, two: Finger, over: Micros, began: Micros) -> TouchGesture {
    match pinched([one.from, one.to, two.from, two.to], over) {
        Some(event) if !matches!(event, Event::Pinch { percent: 90..=110, .. }) => {
            TouchGesture::Done(event, began)
        }
        _ => TouchGesture::Unknown("gestures of two fingers that are no pinch"),
    }
}

/// The pinch of two fingers, each from here to there. Nothing when they end at one place.
pub(super) fn pinched([one, one_to, two, two_to]: [Point; 4], over: Micros) -> Option<Event> {
    let percent = whole(distance(one_to, two_to) * 100.0 / distance(one, two).max(1.0))?;
    let percent = u32::try_from(percent).ok().filter(|percent| (1..=10_000).contains(percent))?;
    let at = Point::new(i32::midpoint(one.x, two.x), i32::midpoint(one.y, two.y));
    Some(Event::Pinch { aim: Aim::place(at), percent, over })
}

#[cfg(test)]
mod tests {
    use super::*;
    use TouchAction::{Down, Move, Up};

    fn gather(touches: &[(u32, TouchAction, i32, i32, u64)]) -> Vec<String> {
        let mut fingers = FingersDown::timed();
        let mut said: Vec<String> = Vec::new();
        for (finger, touch, x, y, ms) in touches {
            let at = Some(Point::new(*x, *y));
            match fingers.touch(*finger, *touch, at, Micros::from_millis(*ms)) {
                None => {}
                Some(TouchGesture::Done(event, at)) => said.push(format!("{event} at {at}")),
                Some(TouchGesture::Second { first, .. }) => {
                    said.pop();
                    said.push(Event::DoubleTap(Aim::place(first)).to_string());
                }
                Some(TouchGesture::Unknown(what)) => said.push(what.to_owned()),
            }
        }
        said
    }

    #[test]
    fn one_finger_taps_presses_long_and_swipes() {
        assert_eq!(gather(&[(0, Down, 10, 10, 5), (0, Up, 12, 9, 60)]), ["tap 10,10 at 5 ms"]);
        assert_eq!(gather(&[(0, Down, 10, 10, 0), (0, Up, 12, 9, 600)]), ["long tap 10,10 at 0 µs"]);
        let swipe = [(0, Down, 10, 900, 0), (0, Move, 10, 500, 50), (0, Up, 10, 100, 100)];
        assert_eq!(gather(&swipe), ["swipe up from 10,900 to 10,100 at 0 µs"]);
        let circle = [(0, Down, 10, 10, 0), (0, Move, 300, 300, 50), (0, Up, 12, 10, 100)];
        assert_eq!(gather(&circle), ["ways of a finger that end where they began"]);
    }

    #[test]
    fn two_taps_in_a_moment_are_a_double_tap() {
        let twice = |gap: u64| {
            gather(&[
                (0, Down, 9, 9, 0),
                (0, Up, 9, 9, 50),
                (0, Down, 20, 9, 50 + gap),
                (0, Up, 20, 9, 90 + gap),
            ])
        };
        assert_eq!(twice(100), ["double tap 9,9"]);
        assert_eq!(twice(400).len(), 2);
    }

    #[test]
    fn two_fingers_pinch() {
        let apart = |to: i32| {
            gather(&[
                (0, Down, 400, 500, 0),
                (1, Down, 600, 500, 10),
                (0, Move, 500 - to, 500, 100),
                (1, Move, 500 + to, 500, 100),
                (1, Up, 500 + to, 500, 200),
                (0, Up, 500 - to, 500, 210),
            ])
        };
        assert_eq!(apart(200), ["pinch apart on 500,500 to 200 % at 0 µs"]);
        assert_eq!(apart(50), ["pinch together on 500,500 to 50 % at 0 µs"]);
        assert_eq!(apart(100), ["gestures of two fingers that are no pinch"]);
    }

    #[test]
    fn what_never_went_down_is_nothing() {
        assert!(gather(&[(0, Up, 1, 1, 0), (3, Move, 1, 1, 5)]).is_empty());
        let far = i32::MAX;
        assert_eq!(gather(&[(0, Down, -far, -far, 0), (0, Up, far, far, 9)]).len(), 1);
    }
}
