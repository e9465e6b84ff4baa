//! `getevent` and `sendevent`: the input devices, and single events of them.

use std::thread;
use std::time::Duration;

use retap_trace::LinuxKey;

use super::options::flags;
use crate::phone::{InputDevice, RawEvent};
use crate::shell::{CommandOutcome, End, Process};

/// How often somebody who waits for events looks for more.
const GLANCE: Duration = Duration::from_millis(10);

/// Axes of the touch panel: code, name, and the highest value.
const AXES: [(u16, &str, u32); 6] = [
    (0x2f, "ABS_MT_SLOT", 10),
    (0x30, "ABS_MT_TOUCH_MAJOR", 0x7fff_ffff),
    (0x35, "ABS_MT_POSITION_X", 32_767),
    (0x36, "ABS_MT_POSITION_Y", 32_767),
    (0x39, "ABS_MT_TRACKING_ID", 65_535),
    (0x3a, "ABS_MT_PRESSURE", 1024),
];

/// Kinds of events: code and name.
const KINDS: [(u16, &str); 3] = [(0, "EV_SYN"), (1, "EV_KEY"), (3, "EV_ABS")];
const BTN_TOUCH: (u16, &str) = (0x14a, "BTN_TOUCH");

/// `-p` tells what the devices have. Without it, events are printed as they come, with times for `-t`. `-l` writes names
/// instead of numbers.
pub(super) fn get(process: &mut Process<'_>) -> CommandOutcome {
    let (letters, _) = flags(process.args());
    let labels = letters.contains('l');
    // What comes from here on is not missed, however long the list takes.
    let mut next = process.phone().with(|state| state.raw.next());
    for (number, device) in (1..).zip(InputDevice::ALL) {
        process.put(format!(
            "add device {number}: {}\n  name:     \"{}\"\n",
            device.path(),
            device.name()
        ))?;
        if letters.contains(['p', 'i']) {
            process.put(abilities(device, labels))?;
        }
    }
    if letters.contains(['p', 'i', 'S']) {
        return Ok(0);
    }
    while !process.shell.cancel.is_set() && !process.streams.out.is_gone() {
        let lines: String = process.phone().with(|state| {
            let lines =
                state.raw.from(next).map(|event| line(event, labels, letters.contains('t'))).collect();
            next = state.raw.next();
            lines
        });
        process.put(lines)?;
        thread::sleep(GLANCE);
    }
    Err(End::Broken)
}

/// What a device can tell of.
fn abilities(device: InputDevice, labels: bool) -> String {
    let label =
        |(code, name): (u16, &str)| if labels { format!("{name:<20}") } else { format!("{code:04x}") };
    let axis = |(code, name, most)| {
        format!("{}  : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n", label((code, name)))
    };
    match device {
        InputDevice::Touchscreen => format!(
            "  events:\n    KEY (0001): {} \n    ABS (0003): {}  input props:\n    INPUT_PROP_DIRECT\n",
            label(BTN_TOUCH),
            AXES.map(axis).join("                ")
        ),
        InputDevice::Keys => {
            let keys: Vec<String> = LinuxKey::ALL.iter().map(|key| label((key.code, key.label))).collect();
            format!("  events:\n    KEY (0001): {} \n  input props:\n    <none>\n", keys.join("  "))
        }
    }
}

/// An event as `getevent` prints it.
fn line(event: &RawEvent, labels: bool, time: bool) -> String {
    let (secs, micros) = (event.at.0 / 1_000_000, event.at.0 % 1_000_000);
    let time = if time { format!("[{secs:>8}.{micros:06}] ") } else { String::new() };
    let RawEvent { kind, code, value, .. } = *event;
    let path = event.device.path();
    if !labels {
        return format!("{time}{path}: {kind:04x} {code:04x} {value:08x}\n");
    }
    let named = |name: Option<&str>, code: u16| name.map_or_else(|| format!("{code:04x}"), str::to_owned);
    let kind_name = KINDS.iter().find(|(known, _)| *known == kind).map(|(_, name)| *name);
    let code_name = match kind {
        0 if code == 0 => Some("SYN_REPORT"),
        1 if code == BTN_TOUCH.0 => Some(BTN_TOUCH.1),
        1 => LinuxKey::of_code(code).map(|known| known.label),
        3 => AXES.iter().find(|(known, ..)| *known == code).map(|(_, name, _)| *name),
        _ => None,
    };
    let value = match (kind, value) {
        (1, 0) => "UP".to_owned(),
        (1, 1) => "DOWN".to_owned(),
        (1, 2) => "REPEAT".to_owned(),
        _ => format!("{value:08x}"),
    };
    format!("{time}{path}: {:<12} {:<20} {value:<20}\n", named(kind_name, kind), named(code_name, code))
}

pub(super) fn send(process: &mut Process<'_>) -> CommandOutcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    let [path, kind, code, value] = words[..] else {
        return process.fail(1, "usage: sendevent DEVICE TYPE CODE VALUE");
    };
    let Some(device) = InputDevice::ALL.into_iter().find(|device| device.path() == path) else {
        return process.fail(1, format!("sendevent: {path}: No such file or directory"));
    };
    let (Ok(kind), Ok(code), Ok(value)) = (kind.parse(), code.parse(), value.parse()) else {
        return process.fail(1, "sendevent: not a number");
    };
    process.does(|state| state.raw_event(device, (kind, code, value)))
}
