//! `getevent -p` and `sendevent`: the input device, and single events of it.

use crate::shell::{CommandOutcome, Process};

/// The only input device.
const TOUCHSCREEN: &str = "/dev/input/event1";

/// Axes of the touch panel: code, and the highest value.
const AXES: [(&str, u32); 6] = [
    ("002f", 10),
    ("0030", 0x7fff_ffff),
    ("0035", 32_767),
    ("0036", 32_767),
    ("0039", 65_535),
    ("003a", 1024),
];

pub(super) fn get(process: &mut Process<'_>) -> CommandOutcome {
    if process.args() != ["-p"] {
        return process.fail(1, "getevent: only -p is known");
    }
    let axis = |(code, most)| format!("{code}  : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n");
    process.done(format!(
        "add device 1: {TOUCHSCREEN}\n  name:     \"virtio_input_multi_touch_1\"\n  events:\n    KEY (0001): 014a \n    \
         ABS (0003): {}  input props:\n    INPUT_PROP_DIRECT\n",
        AXES.map(axis).join("                ")
    ))
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
