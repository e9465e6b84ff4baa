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
    /// Its range from a light touch to a strong one, where it feels that: a finger without any only hovers.
    pub pressure: Option<Axis>,
}

/// A range of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    pub min: i64,
    pub max: i64,
}

impl Axis {
    /// The value for a pixel of so many.
    pub fn at(&self, pixel: i32, pixels: u32) -> i64 {
        let last = i64::from(pixels.max(2)) - 1;
        let pixel = i64::from(pixel).clamp(0, last);
        self.min + (self.max - self.min) * pixel / last
    }

    /// The pixel of so many that a value is nearest to: the way back of [`Self::at`].
    pub fn pixel(&self, value: i64, pixels: u32) -> i32 {
        let (range, last) = (self.max - self.min, i64::from(pixels.max(2)) - 1);
        let along = value.clamp(self.min, self.max) - self.min;
        i32::try_from((along.saturating_mul(last).saturating_add(range / 2)) / range).unwrap_or(i32::MAX)
    }
}

/// Finds the touch screen among the devices that tell of several fingers: not a pad beside the screen, and of the many
/// that an emulator has, one for each display it might have, the first one's.
pub fn touchscreen(text: &str) -> Option<Touchscreen> {
    let devices = text.split("add device ").skip(1);
    let found = devices.filter_map(|device| Some((rank(device), fingers(device)?)));
    // Of equals, the first.
    found.min_by_key(|(rank, _)| *rank).map(|(_, touchscreen)| touchscreen)
}

fn fingers(device: &str) -> Option<Touchscreen> {
    let path = device.lines().next()?.split_once(": ")?.1.trim();
    let axis = |names: [&str; 2]| device.lines().find_map(|line| axis(line, names));
    let (x, y) = (axis(["0035", "ABS_MT_POSITION_X"])?, axis(["0036", "ABS_MT_POSITION_Y"])?);
    let slots = axis(["002f", "ABS_MT_SLOT"]).is_some();
    let pressure = axis(["003a", "ABS_MT_PRESSURE"]);
    path.starts_with("/dev/").then(|| Touchscreen { path: path.to_owned(), x, y, slots, pressure })
}

/// How unlike the main touch screen a device is.
fn rank(device: &str) -> (bool, bool) {
    let numbered = device.lines().find_map(|line| line.split_once("multi_touch_")).map(|(_, number)| number);
    let of_another_display = numbered.is_some_and(|number| number.trim_end().trim_end_matches('"') != "1");
    (of_another_display, !device.contains("INPUT_PROP_DIRECT"))
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
    fn of_many_the_one_of_the_first_display_is_taken() {
        let touch = |event: u32, name: &str, props: &str| {
            format!(
                "add device {event}: /dev/input/event{event}\n  name:     \"{name}\"\n  events:\n    \
                 ABS (0003): 0035  : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n                \
                 0036  : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n                \
                 003a  : value 0, min 0, max 255, fuzz 0, flat 0, resolution 0\n  input props:\n    {props}\n"
            )
        };
        let direct = "INPUT_PROP_DIRECT";
        let displays = [(12, 11), (4, 10), (3, 1), (2, 2)]
            .map(|(event, nth)| touch(event, &format!("virtio_input_multi_touch_{nth}"), direct))
            .concat();
        let found = touchscreen(&displays).unwrap();
        assert_eq!(
            (found.path.as_str(), found.pressure),
            ("/dev/input/event3", Some(Axis { min: 0, max: 255 }))
        );
        let pad = touch(1, "touchpad", "INPUT_PROP_POINTER") + &touch(2, "panel", direct);
        assert_eq!(touchscreen(&pad).unwrap().path, "/dev/input/event2");
        let plain = touch(5, "a", "<none>") + &touch(6, "b", "<none>");
        assert_eq!(touchscreen(&plain).unwrap().path, "/dev/input/event5", "of equals, the first");
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
