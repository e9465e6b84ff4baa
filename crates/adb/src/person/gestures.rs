//! What fingers and keys did, as events of a trace.
//!
//! A tap is told only when no second one can make it a double tap any more: two taps are one event exactly when Android's
//! own gesture detector would take them for one.

use retap_trace::{Aim, Event, LinuxKey, Micros, Point};

use super::strokes::{Stroke, apart};

/// Two taps that are closer in time than this are a bounce of the panel, not a double tap.
const BOUNCE: Micros = Micros::from_millis(40);
/// Fingers that are as far apart at the end as at the start, give or take this many percent, have not pinched.
const STEADY: u32 = 10;
/// Buttons, not keys: what a panel tells of fingers and pens.
const BUTTONS: std::ops::Range<u16> = 0x100..0x160;

/// When Android takes a gesture for which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A finger that never was farther away than this has not moved, in pixels.
    pub slop: u32,
    /// A finger that stays this long means a long tap.
    pub long: Micros,
    /// A second tap within this time makes a double tap.
    pub double: Micros,
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// When the first finger or key was heard to go down, on the clock of the one who listens.
    pub heard: Micros,
    /// The event; in words where there is none for it.
    pub deed: Result<Event, String>,
}

/// Makes events of what is heard.
#[derive(Debug)]
pub struct Gestures {
    limits: Limits,
    /// A tap that may become a double tap.
    waiting: Option<(Stroke, Micros)>,
    /// The key that is down, and when it was heard to go down.
    down: Option<(u16, Micros)>,
}

impl Gestures {
    pub const fn new(limits: Limits) -> Self {
        Self { limits, waiting: None, down: None }
    }

    /// For how long nothing must be heard until [`Self::rest`] may be called; nothing when there is no need to.
    pub fn patience(&self) -> Option<Micros> {
        self.waiting.map(|_| self.limits.double)
    }

    /// Nothing was heard for a while: a tap that waits for a second one is a tap.
    pub fn rest(&mut self) -> Option<Told> {
        let (stroke, heard) = self.waiting.take()?;
        Some(Told { heard, deed: Ok(tap(stroke.from)) })
    }

    /// All fingers are lifted. The first went down when it was `heard` to.
    pub fn fingers(&mut self, strokes: &[Option<Stroke>], heard: Micros) -> Vec<Told> {
        if let ([Some(second)], Some((first, begun))) = (strokes, self.waiting)
            && self.is_tap(second)
            && self.is_double(&first, second)
        {
            self.waiting = None;
            return vec![Told { heard: begun, deed: Ok(Event::DoubleTap(Aim::place(first.from))) }];
        }
        let mut told: Vec<Told> = self.rest().into_iter().collect();
        let known: Option<Vec<Stroke>> = strokes.iter().copied().collect();
        match known.as_deref() {
            None => {
                told.push(Told {
                    heard,
                    deed: Err("a touch whose place the device did not tell".to_owned()),
                });
            }
            Some([only]) if self.is_tap(only) => self.waiting = Some((*only, heard)),
            // Two thumbs that type do not wait for each other.
            Some(several) if several.iter().all(|stroke| self.is_tap(stroke)) => {
                let mut several = several.to_vec();
                several.sort_by_key(|stroke| stroke.pressed);
                told.extend(several.iter().map(|stroke| Told { heard, deed: Ok(tap(stroke.from)) }));
            }
            Some([only]) => told.push(Told { heard, deed: self.single(only) }),
            Some([one, other]) => told.push(Told { heard, deed: pinch(one, other) }),
            Some(more) => {
                told.push(Told { heard, deed: Err(format!("a gesture of {} fingers", more.len())) });
            }
        }
        told
    }

    /// A key goes down (1), stays down (2) or up (0).
    pub fn key(&mut self, code: u16, value: i32, heard: Micros) -> Vec<Told> {
        const SHIFTS: [u16; 6] = [29, 42, 54, 56, 97, 100];
        if BUTTONS.contains(&code) || SHIFTS.contains(&code) {
            return Vec::new();
        }
        match (value, self.down) {
            // Who types fast presses the next key before the last one is up.
            (1, before) if before.is_none_or(|(down, _)| down != code) => {
                let told = self.released();
                self.down = Some((code, heard));
                told
            }
            (0, Some((down, _))) if down == code => self.released(),
            _ => Vec::new(),
        }
    }

    /// Nothing more will be heard: a tap that waits is a tap, and a key that is down was pressed.
    pub fn end(&mut self) -> Vec<Told> {
        if self.down.is_some() { self.released() } else { self.rest().into_iter().collect() }
    }

    /// The key that is down, after the tap that came before it.
    fn released(&mut self) -> Vec<Told> {
        let Some((code, heard)) = self.down.take() else { return Vec::new() };
        let deed = match LinuxKey::of_code(code) {
            Some(known) => Ok(Event::key(known.key)),
            None => Err(format!("the key {code} of the device, for which no event is known")),
        };
        self.rest().into_iter().chain([Told { heard, deed }]).collect()
    }

    fn is_tap(&self, stroke: &Stroke) -> bool {
        stroke.farthest <= self.limits.slop && stroke.lifted.since(stroke.pressed) < self.limits.long
    }

    fn is_double(&self, first: &Stroke, second: &Stroke) -> bool {
        let rest = second.pressed.since(first.lifted);
        // Android lets the second tap be some way off, but then it is not sure that both are meant for one thing.
        (BOUNCE..=self.limits.double).contains(&rest) && apart(first.from, second.from) <= self.limits.slop
    }

    fn single(&self, stroke: &Stroke) -> Result<Event, String> {
        let (aim, over) = (Aim::place(stroke.from), stroke.lifted.since(stroke.pressed));
        if stroke.farthest <= self.limits.slop {
            Ok(Event::LongTap { aim, hold: over })
        } else if apart(stroke.from, stroke.to) <= self.limits.slop {
            Err(format!("a finger that went away from {} and came back", stroke.from))
        } else {
            Ok(Event::Swipe { aim, to: stroke.to, over })
        }
    }
}

fn tap(at: Point) -> Event {
    Event::Tap(Aim::place(at))
}

fn pinch(one: &Stroke, other: &Stroke) -> Result<Event, String> {
    let (before, after) = (apart(one.from, other.from).max(1), apart(one.to, other.to));
    let percent = u64::from(after).saturating_mul(100) / u64::from(before);
    let percent = u32::try_from(percent).unwrap_or(u32::MAX).max(1);
    if percent.abs_diff(100) <= STEADY {
        return Err("two fingers that moved side by side".to_owned());
    }
    let middle = Point::new(i32::midpoint(one.from.x, other.from.x), i32::midpoint(one.from.y, other.from.y));
    let over = one.lifted.max(other.lifted).since(one.pressed.min(other.pressed));
    Ok(Event::Pinch { aim: Aim::place(middle), percent, over })
}

#[cfg(test)]
mod tests {
    use retap_trace::Key;

    use super::*;

    const LIMITS: Limits =
        Limits { slop: 20, long: Micros::from_millis(500), double: Micros::from_millis(300) };

    fn stroke(from: (i32, i32), to: (i32, i32), millis: (u64, u64)) -> Stroke {
        let (from, to) = (Point::new(from.0, from.1), Point::new(to.0, to.1));
        let (pressed, lifted) = (Micros::from_millis(millis.0), Micros::from_millis(millis.1));
        Stroke { from, to, pressed, lifted, farthest: apart(from, to) }
    }

    /// What is told in the end, in words.
    fn told(gestures: &mut Gestures, strokes: &[&[Stroke]]) -> Vec<String> {
        let mut all = Vec::new();
        for fingers in strokes {
            let fingers: Vec<Option<Stroke>> = fingers.iter().copied().map(Some).collect();
            all.extend(gestures.fingers(&fingers, Micros::ZERO));
        }
        all.extend(gestures.rest());
        all.into_iter().map(|told| told.deed.map_or_else(|why| why, |event| event.to_string())).collect()
    }

    #[test]
    fn gestures_are_told_apart() {
        let (a, b) = ((100, 100), (110, 100));
        let tap = |at, from| stroke(at, at, (from, from + 80));
        for (strokes, wanted) in [
            (vec![vec![stroke(a, b, (0, 100))]], vec!["tap 100,100"]),
            (vec![vec![stroke(a, b, (0, 500))]], vec!["long tap 100,100"]),
            (vec![vec![stroke(a, (100, 700), (0, 500))]], vec!["swipe down from 100,100 to 100,700"]),
            (vec![vec![tap(a, 0)], vec![tap(b, 200)]], vec!["double tap 100,100"]),
            (vec![vec![tap(a, 0)], vec![tap(a, 381)]], vec!["tap 100,100", "tap 100,100"]),
            (vec![vec![tap(a, 0)], vec![tap(a, 100)]], vec!["tap 100,100", "tap 100,100"]),
            (vec![vec![tap(a, 0)], vec![tap((200, 100), 200)]], vec!["tap 100,100", "tap 200,100"]),
            (
                vec![vec![tap(a, 0)], vec![stroke(a, (100, 700), (200, 400))]],
                vec!["tap 100,100", "swipe down from 100,100 to 100,700"],
            ),
            (vec![vec![tap((9, 9), 40), tap(a, 0)]], vec!["tap 100,100", "tap 9,9"]),
            (
                vec![vec![stroke(a, (50, 100), (0, 300)), stroke((200, 100), (250, 100), (0, 310))]],
                vec!["pinch apart on 150,100 to 200 %"],
            ),
            (
                vec![vec![stroke(a, (100, 500), (0, 300)), stroke((200, 100), (200, 500), (0, 310))]],
                vec!["two fingers that moved side by side"],
            ),
            (vec![vec![stroke(a, (9, 500), (0, 300)), tap(a, 0), tap(a, 0)]], vec!["a gesture of 3 fingers"]),
            (
                vec![vec![Stroke { farthest: 300, ..stroke(a, b, (0, 300)) }]],
                vec!["a finger that went away from 100,100 and came back"],
            ),
        ] {
            let fingers: Vec<&[Stroke]> = strokes.iter().map(Vec::as_slice).collect();
            assert_eq!(told(&mut Gestures::new(LIMITS), &fingers), wanted, "{strokes:?}");
        }
        let unknown = Gestures::new(LIMITS).fingers(&[None], Micros::ZERO);
        assert!(unknown[0].deed.is_err());
    }

    #[test]
    fn a_key_is_told_when_it_is_released_and_ends_the_wait_of_a_tap() {
        let mut gestures = Gestures::new(LIMITS);
        let at = Micros::from_millis;
        assert!(gestures.fingers(&[Some(stroke((1, 2), (1, 2), (0, 50)))], at(5)).is_empty());
        assert_eq!(gestures.patience(), Some(LIMITS.double));
        assert!(gestures.key(158, 1, at(60)).is_empty());
        assert!(gestures.key(158, 2, at(90)).is_empty());
        let both = gestures.key(158, 0, at(99));
        assert_eq!(both[0], Told { heard: at(5), deed: Ok(Event::tap(1, 2)) });
        assert_eq!(both[1], Told { heard: at(60), deed: Ok(Event::key(Key::BACK)) });
        assert_eq!((gestures.patience(), gestures.rest()), (None, None));
        for silent in [0x14a, 42] {
            assert!(gestures.key(silent, 1, at(1)).is_empty() && gestures.key(silent, 0, at(2)).is_empty());
        }
        assert!(gestures.key(158, 0, at(1)).is_empty(), "it was never down");
        // Two letters of which the second is pressed before the first is up.
        assert!(gestures.key(30, 1, at(1)).is_empty());
        assert_eq!(gestures.key(48, 1, at(2)), [Told { heard: at(1), deed: Ok(Event::key(Key(29))) }]);
        assert!(gestures.key(30, 0, at(3)).is_empty());
        assert_eq!(gestures.end(), [Told { heard: at(2), deed: Ok(Event::key(Key(30))) }]);
        assert!(gestures.end().is_empty());
        gestures.key(0x1d0, 1, at(1));
        assert!(gestures.key(0x1d0, 0, at(2))[0].deed.as_ref().is_err_and(|why| why.contains("464")));
    }
}
