//! `getevent` and `sendevent`: the input devices, and single events of them.

use super::options::flags;
use crate::shell::{Outcome, Process};

/// The only input device.
const TOUCHSCREEN: &str = "/dev/input/event1";

pub(super) fn get(process: &mut Process<'_>) -> Outcome {
    let (letters, _) = flags(process.args());
    if letters.contains(['p', 'i']) {
        let text = if letters.contains('l') { labelled() } else { numbered() };
        process.put(text)?;
        return Ok(0);
    }
    // Nobody turns the simulated touches back into those of a panel.
    process.put("add device 1: /dev/input/event1\n  name:     \"virtio_input_multi_touch_1\"\n")?;
    while !process.shell.cancel.is_set() && !letters.contains('S') {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Ok(0)
}

pub(super) fn send(process: &mut Process<'_>) -> Outcome {
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
    match process.device(|state| state.raw_touch(kind, code, value))? {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, error.to_string()),
    }
}

/// Axis of a touch panel: code, name, and the highest value.
const AXES: [(&str, &str, u32); 6] = [
    ("002f", "ABS_MT_SLOT", 10),
    ("0030", "ABS_MT_TOUCH_MAJOR", 0x7fff_ffff),
    ("0035", "ABS_MT_POSITION_X", 32_767),
    ("0036", "ABS_MT_POSITION_Y", 32_767),
    ("0039", "ABS_MT_TRACKING_ID", 65_535),
    ("003a", "ABS_MT_PRESSURE", 1024),
];

fn numbered() -> String {
    let mut text =
        "add device 1: /dev/input/event1\n  name:     \"virtio_input_multi_touch_1\"\n  events:\n    \
                    KEY (0001): 014a \n    ABS (0003): "
            .to_owned();
    text.push_str(&axes(|(code, ..)| (*code).to_owned()));
    text.push_str("  input props:\n    INPUT_PROP_DIRECT\n");
    text
}

fn labelled() -> String {
    let mut text =
        "add device 1: /dev/input/event1\n  name:     \"virtio_input_multi_touch_1\"\n  events:\n    \
                    KEY (0001): BTN_TOUCH            \n    ABS (0003): "
            .to_owned();
    text.push_str(&axes(|(_, name, _)| format!("{name:<20}")));
    text.push_str("  input props:\n    INPUT_PROP_DIRECT\n");
    text
}

fn axes(label: impl Fn(&(&str, &str, u32)) -> String) -> String {
    let line = |(place, axis): (usize, &(&str, &str, u32))| {
        let indent = if place == 0 { "" } else { "                " };
        format!("{indent}{}  : value 0, min 0, max {}, fuzz 0, flat 0, resolution 0\n", label(axis), axis.2)
    };
    AXES.iter().enumerate().map(line).collect()
}
