//! Fingers and keys, as the arguments of Android's `input`.

use retap_trace::{Key, Micros, Point};

/// A short touch.
pub(super) fn tap(at: Point) -> String {
    format!("tap {} {}", at.x, at.y)
}

/// A touch that stays: a swipe that goes nowhere.
pub(super) fn hold(at: Point, time: Micros) -> String {
    swipe(at, at, time)
}

/// A finger that moves.
pub(super) fn swipe(from: Point, to: Point, over: Micros) -> String {
    // Android takes a swipe of no time for a swipe of 300 ms.
    let millis = over.as_millis().max(1);
    format!("swipe {} {} {} {} {millis}", from.x, from.y, to.x, to.y)
}

/// A key, or several in a row.
pub(super) fn keys(keys: &[Key]) -> String {
    let codes: Vec<String> = keys.iter().map(|key| key.0.to_string()).collect();
    format!("keyevent {}", codes.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gestures_are_words() {
        let at = Point::new(3, -4);
        assert_eq!(tap(at), "tap 3 -4");
        assert_eq!(hold(at, Micros::from_secs(1)), "swipe 3 -4 3 -4 1000");
        assert_eq!(swipe(at, Point::new(5, 6), Micros(10)), "swipe 3 -4 5 6 1");
        assert_eq!(keys(&[Key::BACK, Key::DELETE]), "keyevent 4 67");
    }
}
