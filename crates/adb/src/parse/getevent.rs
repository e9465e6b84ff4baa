//! `getevent`: what goes through the input devices, line by line, with numbers or (`-l`) with names.

use retap_trace::{LinuxKey, Micros};

/// Kinds of Linux's input events.
pub const EV_SYN: u16 = 0;
pub const EV_KEY: u16 = 1;
pub const EV_ABS: u16 = 3;

/// Names that `-l` writes for kinds, axes and the ends of reports; keys have a table of their own.
const NAMES: [(&str, u16); 16] = [
    ("EV_SYN", EV_SYN),
    ("EV_KEY", EV_KEY),
    ("EV_REL", 2),
    ("EV_ABS", EV_ABS),
    ("EV_MSC", 4),
    ("EV_SW", 5),
    ("SYN_REPORT", 0),
    ("SYN_MT_REPORT", 2),
    ("SYN_DROPPED", 3),
    ("BTN_TOUCH", 0x14a),
    ("ABS_MT_SLOT", 0x2f),
    ("ABS_MT_TOUCH_MAJOR", 0x30),
    ("ABS_MT_POSITION_X", 0x35),
    ("ABS_MT_POSITION_Y", 0x36),
    ("ABS_MT_TRACKING_ID", 0x39),
    ("ABS_MT_PRESSURE", 0x3a),
];

/// An event of an input device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawInput {
    /// When, since the device was started; nothing without `-t`.
    pub at: Option<Micros>,
    /// The file of the input device; empty when only one was asked for.
    pub device: String,
    pub kind: u16,
    pub code: u16,
    pub value: i32,
}

/// Reads a line: `[   12345.678901] /dev/input/event1: 0003 0035 00000fff`. Nothing for lines that tell of devices, and
/// for names that are not known here.
pub fn raw_input(line: &str) -> Option<RawInput> {
    let line = line.trim();
    let (at, rest) = match line.strip_prefix('[') {
        Some(timed) => {
            let (time, rest) = timed.split_once(']')?;
            (Some(micros(time)?), rest.trim_start())
        }
        None => (None, line),
    };
    let (device, rest) = match rest.split_once(": ") {
        Some((device, rest)) if device.starts_with("/dev/") => (device, rest),
        Some(_) => return None,
        None => ("", rest),
    };
    let mut words = rest.split_ascii_whitespace();
    let (kind, code, value) = (number(words.next()?)?, number(words.next()?)?, value(words.next()?)?);
    words.next().is_none().then(|| RawInput { at, device: device.to_owned(), kind, code, value })
}

fn micros(time: &str) -> Option<Micros> {
    let (secs, fraction) = time.trim().split_once(['.', '-'])?;
    let (secs, fraction): (u64, u64) =
        (secs.parse().ok()?, fraction.parse().ok().filter(|part| *part < 1_000_000)?);
    secs.checked_mul(1_000_000)?.checked_add(fraction).map(Micros)
}

fn number(word: &str) -> Option<u16> {
    let named = NAMES.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    named
        .or_else(|| LinuxKey::of_label(word).map(|known| known.code))
        .or_else(|| u16::from_str_radix(word, 16).ok())
}

fn value(word: &str) -> Option<i32> {
    match word {
        "UP" => Some(0),
        "DOWN" => Some(1),
        "REPEAT" => Some(2),
        word => u32::from_str_radix(word, 16).ok().map(u32::cast_signed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_say_the_same() {
        let read = |line| raw_input(line).unwrap();
        let wanted = RawInput {
            at: Some(Micros(12_345_678_901)),
            device: "/dev/input/event1".into(),
            kind: 3,
            code: 0x39,
            value: -1,
        };
        assert_eq!(read("[   12345.678901] /dev/input/event1: 0003 0039 ffffffff"), wanted);
        assert_eq!(
            read(
                "[   12345.678901] /dev/input/event1: EV_ABS       ABS_MT_TRACKING_ID   ffffffff            \r\n"
            ),
            wanted
        );
        let key = read("/dev/input/event0: EV_KEY       KEY_BACK             DOWN");
        assert_eq!((key.at, key.kind, key.code, key.value), (None, EV_KEY, 158, 1));
        assert_eq!(read("0000 0000 00000000").device, "");
        assert_eq!(read("[  1-000002] 0001 014a 00000001").at, Some(Micros(1_000_002)), "before Android 5");
    }

    #[test]
    fn other_lines_are_passed_over() {
        for line in [
            "",
            "[",
            "[1.5",
            "[x.y] /dev/input/event1: 0003 0039 0",
            "[99999999999999999999.0] 0 0 0",
            "[18446744073709551615.000001] 0 0 0",
            "add device 1: /dev/input/event1",
            "  name:     \"touch\"",
            "could not get driver version for /dev/input/mouse0, Not a typewriter",
            "/dev/input/event1: EV_KEY KEY_NOBODY_KNOWS DOWN",
            "/dev/input/event1: 0003 0039",
            "/dev/input/event1: 0003 0039 00000000 00000000",
            "/dev/input/event1: 0003 0039 100000000",
        ] {
            assert_eq!(raw_input(line), None, "{line}");
        }
    }
}
