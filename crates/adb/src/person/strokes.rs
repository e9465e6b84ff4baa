//! The ways of fingers over the panel, told once all of them are lifted.
//!
//! Linux tells only what changes: a finger that goes down where the last one of its slot was lifted has no new place, so
//! places outlive the fingers.

use std::collections::BTreeMap;

use retap_trace::{Micros, Point};

use crate::parse::{EV_ABS, EV_SYN, RawInput};

const SLOT: u16 = 0x2f;
const POSITION_X: u16 = 0x35;
const POSITION_Y: u16 = 0x36;
const TRACKING_ID: u16 = 0x39;
const SYN_DROPPED: u16 = 3;
/// No panel tells more fingers apart than this.
const MOST_SLOTS: i32 = 64;

/// The way of one finger, in pixels of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stroke {
    pub from: Point,
    pub to: Point,
    pub pressed: Micros,
    pub lifted: Micros,
    /// How far it ever was from where it went down.
    pub farthest: u32,
}

/// The fingers on the panel.
#[derive(Debug, Default)]
pub struct Strokes {
    slot: i32,
    slots: BTreeMap<i32, Slot>,
    /// Fingers that were lifted while others were down.
    done: Vec<Option<Stroke>>,
}

#[derive(Debug, Default)]
struct Slot {
    /// The last place that was told.
    x: Option<i32>,
    y: Option<i32>,
    finger: Finger,
}

#[derive(Debug, Default)]
enum Finger {
    #[default]
    None,
    /// It went down, and where is told by the end of the report.
    Landing,
    Down {
        stroke: Option<Stroke>,
    },
    /// It goes up with the end of the report.
    Leaving {
        stroke: Option<Stroke>,
    },
}

impl Strokes {
    /// Whether no finger is down.
    pub fn idle(&self) -> bool {
        self.slots.values().all(|slot| matches!(slot.finger, Finger::None))
    }

    /// Takes an event of the panel. `pixel` says where in the picture a place of the panel is. Once all fingers are lifted,
    /// their ways are told; nothing for a finger of which the device did not tell where it was.
    pub fn take(
        &mut self,
        input: &RawInput,
        pixel: impl Fn(i32, i32) -> Point,
    ) -> Option<Vec<Option<Stroke>>> {
        match (input.kind, input.code) {
            (EV_ABS, SLOT) => self.slot = input.value.clamp(0, MOST_SLOTS),
            (EV_ABS, POSITION_X) => self.here().x = Some(input.value),
            (EV_ABS, POSITION_Y) => self.here().y = Some(input.value),
            (EV_ABS, TRACKING_ID) if input.value >= 0 => self.here().finger = Finger::Landing,
            (EV_ABS, TRACKING_ID) => {
                let slot = self.here();
                slot.finger = match std::mem::take(&mut slot.finger) {
                    Finger::Down { stroke } => Finger::Leaving { stroke },
                    // It was down before anybody listened, or for no time at all.
                    Finger::None | Finger::Landing | Finger::Leaving { .. } => Finger::None,
                };
            }
            (EV_SYN, 0) => return self.report(input.at.unwrap_or_default(), pixel),
            // The panel was quicker than its readers: what the fingers have done is not known.
            (EV_SYN, SYN_DROPPED) => *self = Self::default(),
            _ => {}
        }
        None
    }

    fn here(&mut self) -> &mut Slot {
        self.slots.entry(self.slot).or_default()
    }

    fn report(&mut self, now: Micros, pixel: impl Fn(i32, i32) -> Point) -> Option<Vec<Option<Stroke>>> {
        for slot in self.slots.values_mut() {
            let at = slot.x.zip(slot.y).map(|(x, y)| pixel(x, y));
            slot.finger = match std::mem::take(&mut slot.finger) {
                Finger::None => Finger::None,
                Finger::Landing => Finger::Down {
                    stroke: at.map(|at| Stroke { from: at, to: at, pressed: now, lifted: now, farthest: 0 }),
                },
                Finger::Down { stroke } => Finger::Down { stroke: moved(stroke, at, now) },
                Finger::Leaving { stroke } => {
                    self.done.push(stroke.map(|stroke| Stroke { lifted: now, ..stroke }));
                    Finger::None
                }
            };
        }
        (self.idle() && !self.done.is_empty()).then(|| std::mem::take(&mut self.done))
    }
}

fn moved(stroke: Option<Stroke>, at: Option<Point>, now: Micros) -> Option<Stroke> {
    let (stroke, at) = stroke.zip(at)?;
    let farthest = stroke.farthest.max(apart(stroke.from, at));
    Some(Stroke { to: at, lifted: now, farthest, ..stroke })
}

/// How far apart two places are, in whole pixels.
pub(super) fn apart(one: Point, other: Point) -> u32 {
    let square = |a: i32, b: i32| {
        let far = u64::from(a.abs_diff(b)).min(1 << 20);
        far * far
    };
    let far = (square(one.x, other.x) + square(one.y, other.y)).isqrt();
    u32::try_from(far).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events as `(kind, code, value)`, one report each millisecond.
    fn play(strokes: &mut Strokes, events: &[(u16, u16, i32)]) -> Vec<Vec<Option<Stroke>>> {
        let mut told = Vec::new();
        let mut now = 0;
        for &(kind, code, value) in events {
            let input =
                RawInput { at: Some(Micros::from_millis(now)), device: String::new(), kind, code, value };
            told.extend(strokes.take(&input, Point::new));
            now += u64::from((kind, code) == (0, 0));
        }
        told
    }

    const DOWN: (u16, u16, i32) = (3, TRACKING_ID, 7);
    const UP: (u16, u16, i32) = (3, TRACKING_ID, -1);
    const END: (u16, u16, i32) = (0, 0, 0);
    const fn x(value: i32) -> (u16, u16, i32) {
        (3, POSITION_X, value)
    }
    const fn y(value: i32) -> (u16, u16, i32) {
        (3, POSITION_Y, value)
    }

    #[test]
    fn a_finger_that_lands_where_the_last_one_left_has_its_place() {
        let mut strokes = Strokes::default();
        let told = play(
            &mut strokes,
            &[DOWN, x(5), y(6), END, UP, END, DOWN, END, UP, END, DOWN, y(9), END, UP, END],
        );
        let places: Vec<Point> = told.iter().map(|fingers| fingers[0].unwrap().from).collect();
        assert_eq!(places, [Point::new(5, 6), Point::new(5, 6), Point::new(5, 9)]);
    }

    #[test]
    fn two_fingers_are_told_together_with_how_far_each_went() {
        let slot = |number| (3, SLOT, number);
        let events = [
            slot(0),
            DOWN,
            x(100),
            y(100),
            slot(1),
            DOWN,
            x(200),
            y(100),
            END, //
            slot(0),
            x(50),
            slot(1),
            x(250),
            END,
            slot(0),
            x(100),
            END, //
            slot(1),
            UP,
            END,
            slot(0),
            UP,
            END,
        ];
        let told = play(&mut Strokes::default(), &events);
        let [fingers] = &told[..] else { panic!("{told:?}") };
        let ways: Vec<(i32, i32, u32)> =
            fingers.iter().flatten().map(|stroke| (stroke.from.x, stroke.to.x, stroke.farthest)).collect();
        assert_eq!(ways, [(200, 250, 50), (100, 100, 50)], "in the order in which they were lifted");
    }

    #[test]
    fn what_makes_no_sense_is_no_stroke() {
        let mut strokes = Strokes::default();
        assert!(
            play(&mut strokes, &[UP, END, x(5), END, (3, SLOT, -7), (3, SLOT, i32::MAX), UP, END]).is_empty()
        );
        assert_eq!(play(&mut strokes, &[DOWN, x(3), END, UP, END]), [[None]], "where it was is not told");
        assert!(
            play(&mut strokes, &[(3, SLOT, 0), DOWN, x(1), y(1), END, (0, SYN_DROPPED, 0), UP, END])
                .is_empty()
        );
        assert!(strokes.idle());
    }
}
