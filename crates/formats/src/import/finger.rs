//! The one finger of a Monkey that is told to go down, to move and to go up: taps, long taps, double taps and swipes.
//!
//! A person on a phone has several, and a panel that bounces: what they do is told by `retap_adb::person`. A Monkey has
//! neither, and what it does at one moment it does on purpose.

use retap_trace::{Aim, Event, Micros, Point};

use super::numbers::{distance, whole};
use super::tally::Made;

/// What the finger does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TouchAction {
    /// It goes down.
    Down,
    /// It moves.
    Move,
    /// It is lifted.
    Up,
}

/// A finger that moves no farther than this, in pixels, stays where it is.
const SLOP: f64 = 24.0;
/// A finger that stays for so long presses long.
pub(super) const LONG: Micros = Micros::from_millis(500);
/// Two taps with less than this between them are a double tap.
const DOUBLE: Micros = Micros::from_millis(300);
/// The second tap of a double tap is no farther from the first, in pixels.
const DOUBLE_SLOP: f64 = 100.0;

/// The way of the finger since it went down.
#[derive(Debug, Clone, Copy)]
struct Way {
    from: Point,
    to: Point,
    /// How far it has been from where it went down.
    farthest: f64,
    began: Micros,
    /// The line that put it down.
    line: Option<usize>,
}

impl Way {
    fn go(&mut self, to: Point) {
        self.to = to;
        self.farthest = self.farthest.max(distance(self.from, to));
    }
}

/// The finger.
#[derive(Debug, Default)]
pub(super) struct Finger {
    /// Its way, while it is down.
    way: Option<Way>,
    /// What was waited since it went down, each wait with how many steps there were: it is a part of the touch, if that ends.
    waits: Vec<(usize, Micros)>,
    /// The place and end of a tap that came last.
    tapped: Option<(Point, Micros)>,
    /// Whether times are those of a clock, so that a second tap can be told from a double tap.
    timed: bool,
}

impl Finger {
    /// A finger whose times are those of a clock.
    pub(super) fn timed() -> Self {
        Self { timed: true, ..Self::default() }
    }

    /// Whether it is on the screen.
    pub(super) const fn is_down(&self) -> bool {
        self.way.is_some()
    }

    /// It does something. What comes of it is added when it is lifted; halves of touches are counted.
    pub(super) fn touch(&mut self, touch: TouchAction, at: Point, time: Micros, made: &mut Made) {
        match (touch, &mut self.way) {
            (TouchAction::Down, _) => {
                self.end(made);
                self.way = Some(Way { from: at, to: at, farthest: 0.0, began: time, line: made.line });
            }
            (TouchAction::Move, Some(way)) => way.go(at),
            (TouchAction::Move, None) => made.skip("ways of fingers that are not down", None),
            (TouchAction::Up, Some(way)) => {
                way.go(at);
                let way = *way;
                self.way = None;
                self.waits.clear();
                self.lifted(way, time, made);
            }
            (TouchAction::Up, None) => made.skip("touches without a beginning", None),
        }
    }

    /// Nothing is done for so long: a finger that is down stays where it is.
    pub(super) fn wait(&mut self, time: Micros, made: &mut Made) {
        if self.is_down() {
            self.waits.push((made.steps(), time));
        } else {
            made.add(Event::Wait { time });
        }
    }

    /// Nothing tells any more that it is lifted.
    pub(super) fn end(&mut self, made: &mut Made) {
        if let Some(way) = self.way.take() {
            made.insert_waits(std::mem::take(&mut self.waits));
            made.skip_deed("touches without an end", way.line);
        }
    }

    /// The app is told that the touch is none.
    pub(super) fn cancel(&mut self, made: &mut Made) {
        self.way = None;
        made.insert_waits(std::mem::take(&mut self.waits));
        made.skip_deed("touches that were cancelled", None);
    }

    fn lifted(&mut self, way: Way, time: Micros, made: &mut Made) {
        let (aim, over) = (Aim::place(way.from), time.since(way.began));
        let tapped = self.tapped.take();
        if way.farthest > SLOP && distance(way.from, way.to) <= SLOP {
            made.skip_deed("ways of a finger that end where they began", None);
        } else if way.farthest > SLOP {
            made.add(Event::Swipe { aim, to: way.to, over });
        } else if over >= LONG {
            made.add(Event::LongTap { aim, hold: over });
        } else if let Some(first) = tapped.and_then(|tapped| self.first_of_two(tapped, way, made)) {
            made.add(Event::DoubleTap(first));
        } else {
            self.tapped = Some((way.from, time));
            made.add(Event::Tap(aim));
        }
    }

    /// Takes the last tap back, if nothing was done since and this one makes a double tap of it.
    fn first_of_two(&self, (place, end): (Point, Micros), second: Way, made: &mut Made) -> Option<Aim> {
        let soon = self.timed && second.began.since(end) < DOUBLE;
        let near = distance(place, second.from) <= DOUBLE_SLOP;
        let first = Aim::place(place);
        (soon && near).then(|| made.pop_if(|step| step.event == Event::Tap(first.clone())))??;
        Some(first)
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
    use super::super::ImportOptions;
    use super::*;
    use TouchAction::{Down, Move, Up};

    /// Steps and what was skipped, in words. Each touch is a line.
    fn gather(touches: &[(TouchAction, i32, i32, u64)]) -> Vec<String> {
        let (mut finger, mut made) = (Finger::timed(), Made::default());
        for (number, (touch, x, y, ms)) in touches.iter().enumerate() {
            made.line = Some(number + 1);
            finger.touch(*touch, Point::new(*x, *y), Micros::from_millis(*ms), &mut made);
        }
        finger.end(&mut made);
        made.key(retap_trace::Key::BACK);
        let given = ImportOptions { app: Some("a.b".to_owned()), ..ImportOptions::default() };
        let mut imported = made.finish("test", None, &given).unwrap();
        imported.trace.steps.pop();
        let skipped = imported.skipped.iter().map(ToString::to_string);
        imported.trace.events().map(ToString::to_string).chain(skipped).collect()
    }

    #[test]
    fn one_finger_taps_presses_long_and_swipes() {
        assert_eq!(gather(&[(Down, 10, 10, 5), (Up, 12, 9, 60)]), ["tap 10,10"]);
        assert_eq!(gather(&[(Down, 10, 10, 0), (Up, 12, 9, 600)]), ["long tap 10,10"]);
        let swipe = [(Down, 10, 900, 0), (Move, 10, 500, 50), (Up, 10, 100, 100)];
        assert_eq!(gather(&swipe), ["swipe up from 10,900 to 10,100"]);
        let circle = [(Down, 10, 10, 0), (Move, 300, 300, 50), (Up, 12, 10, 100)];
        assert_eq!(gather(&circle), ["1 x ways of a finger that end where they began, first in line 3"]);
        let far = i32::MAX;
        assert_eq!(gather(&[(Down, -far, -far, 0), (Up, far, far, 9)]).len(), 1);
    }

    #[test]
    fn two_taps_in_a_moment_are_a_double_tap() {
        let twice = |gap: u64| {
            gather(&[(Down, 9, 9, 0), (Up, 9, 9, 50), (Down, 20, 9, 50 + gap), (Up, 20, 9, 90 + gap)])
        };
        assert_eq!(twice(100), ["double tap 9,9"]);
        assert_eq!(twice(400), ["tap 9,9", "tap 20,9"]);
    }

    #[test]
    fn halves_of_touches_are_counted() {
        let touches = [
            (Up, 1, 1, 0),
            (Move, 1, 1, 5),
            (Down, 2, 2, 10),
            (Down, 3, 3, 20),
            (Up, 3, 3, 30),
            (Up, 3, 3, 40),
            (Down, 4, 4, 900),
        ];
        assert_eq!(
            gather(&touches),
            [
                "tap 3,3",
                "2 x touches without a beginning, first in line 1",
                "2 x touches without an end, first in line 3",
                "1 x ways of fingers that are not down, first in line 2",
            ]
        );
    }
}
