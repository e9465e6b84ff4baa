//! `getevent -p`: where fingers are put down, for gestures of more than one.

/// The touch screen among the input devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touchscreen {
    /// Its file, such as `/dev/input/event2`.
    pub path: String,
    /// Its range from left to right.
    pub x: Axis,
    /// Its range from top to bottom.
    pub y: Axis,
    /// Whether fingers have slots (protocol B); without, each report lists all fingers.
    pub slots: bool,
}

/// A range of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// The least.
    pub min: i64,
    /// The greatest.
    pub max: i64,
}

impl Axis {
    /// The value for a pixel of so many.
    pub fn at(&self, pixel: i32, pixels: u32) -> i64 {
        let last = i64::from(pixels.max(2)) - 1;
        let pixel = i64::from(pixel).clamp(0, last);
        self.min + (self.max - self.min) * pixel / last
    }
}

/// Finds the touch screen: the first device that tells of several fingers.
pub fn touchscreen(text: &str) -> Option<Touchscreen> {
    let mut devices = text.split("add device ").skip(1);
    devices.find_map(|device| {
        let path = device.lines().next()?.split_once(": ")?.1.trim();
        let axis = |names: [&str; 2]| device.lines().find_map(|line| axis(line, names));
        let (x, y) = (axis(["0035", "ABS_MT_POSITION_X"])?, axis(["0036", "ABS_MT_POSITION_Y"])?);
        let slots = axis(["002f", "ABS_MT_SLOT"]).is_some();
        path.starts_with("/dev/").then(|| Touchscreen { path: path.to_owned(), x, y, slots })
    })
}

/// `0035  : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0`, by number or by name. The first axis of a
/// device stands behind `ABS (0003):`.
fn axis(line: &str, names: [&str; 2]) -> Option<Axis> {
    let (head, values) = line.split_once(": value ")?;
    let name = head.split_whitespace().last()?;
    if !names.contains(&name) {
        return None;
    }
    let number = |word: &str| {
        let rest = values.split(',').find_map(|part| part.trim().strip_prefix(word))?;
        rest.trim().parse::<i64>().ok().filter(|number| number.abs() < 1 << 31)
    };
    let (min, max) = (number("min ")?, number("max ")?);
    (min < max).then_some(Axis { min, max })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICES: &str = "add device 1: /dev/input/event0\n  name:     \"gpio_keys\"\n  events:\n    KEY (0001): 0072  0073\n\
        add device 2: /dev/input/event2\n  name:     \"touch\"\n  events:\n    KEY (0001): 014a\n\
        \x20   ABS (0003): 002f  : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n\
        \x20               0035  : value 0, min 0, max 32767, fuzz 0, flat 0, resolution 0\n\
        \x20               0036  : value 0, min 0, max 32767, fuzz 0, flat 0, resolution 0\n  input props:\n    INPUT_PROP_DIRECT\n";

    #[test]
    fn the_touch_screen_is_found() {
        let found = touchscreen(DEVICES).unwrap();
        assert_eq!((found.path.as_str(), found.slots), ("/dev/input/event2", true));
        assert_eq!((found.x.at(0, 1080), found.x.at(1079, 1080), found.x.at(9999, 1080)), (0, 32767, 32767));
        let named = DEVICES
            .replace("002f", "ABS_MT_SLOT")
            .replace("0035", "ABS_MT_POSITION_X")
            .replace("0036", "ABS_MT_POSITION_Y");
        assert_eq!(touchscreen(&named), Some(found));
    }

    #[test]
    fn without_fingers_there_is_none() {
        for text in [
            "",
            "add device",
            "add device 1: /dev/input/event0\n name: \"keys\"\n",
            "could not get driver version",
        ] {
            assert_eq!(touchscreen(text), None, "{text}");
        }
        assert_eq!(touchscreen(&DEVICES.replace("max 32767", "max 0")), None);
        assert_eq!(Axis { min: 0, max: 9 }.at(5, 0), 9);
    }
}
