//! `getevent` and `sendevent`: the input device, and single events of it.

use std::time::Duration;

use super::options::flags;
use crate::shell::{CommandOutcome, End, Process};

/// The only input device.
const TOUCHSCREEN: &str = "/dev/input/event1";

/// Axes of the touch panel: code, name, and the highest value.
const AXES: [(&str, &str, u32); 6] = [
    ("002f", "ABS_MT_SLOT", 10),
    ("0030", "ABS_MT_TOUCH_MAJOR", 0x7fff_ffff),
    ("0035", "ABS_MT_POSITION_X", 32_767),
    ("0036", "ABS_MT_POSITION_Y", 32_767),
    ("0039", "ABS_MT_TRACKING_ID", 65_535),
    ("003a", "ABS_MT_PRESSURE", 1024),
];

/// `-p` tells what the device has, with names instead of numbers for `-l`. Without it, events are waited for: here
/// none are ever seen, because nobody turns simulated touches back into those of a panel.
pub(super) fn get(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, _) = flags(process.args());
    process.put(format!("add device 1: {TOUCHSCREEN}\n  name:     \"virtio_input_multi_touch_1\"\n"))?;
    if letters.contains(['p', 'i']) {
        let label = |code: &str, name: &str| {
            if letters.contains('l') { format!("{name:<20}") } else { code.to_owned() }
        };
        let axis = |(code, name, most)| {
            format!("{}  : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n", label(code, name))
        };
        return process.done(format!(
            "  events:\n    KEY (0001): {} \n    ABS (0003): {}  input props:\n    INPUT_PROP_DIRECT\n",
            label("014a", "BTN_TOUCH"),
            AXES.map(axis).join("                ")
        ));
    }
    if letters.contains('S') {
        return Ok(0);
    }
    while !process.shell.cancel.is_set() && !process.streams.out.is_gone() {
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(End::Broken)
}

pub(super) fn send(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    let [device, kind, code, value] = words[..] else {
        return process.fail(1, "usage: sendevent DEVICE TYPE CODE VALUE");
    };
    if device != TOUCHSCREEN {
        return process.fail(1, format!("sendevent: {device}: No such file or directory"));
    }
    let (Ok(kind), Ok(code), Ok(value)) = (kind.parse(), code.parse(), value.parse()) else {
        return process.fail(1, "sendevent: not a number");
    };
    process.does(|state| state.raw_touch(kind, code, value))
}
