//! Keys as Linux numbers and names them, and what Android makes of each: its generic key layout.

use crate::key::Key;

/// A key of an input device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinuxKey {
    /// Linux's number for it.
    pub code: u16,
    /// Linux's name for it, such as `KEY_BACK`.
    pub label: &'static str,
    /// What Android makes of it.
    pub key: Key,
}

impl LinuxKey {
    /// Every key that is known here, by number.
    pub const ALL: &[Self] = &KEYS;

    /// The key with this number.
    pub fn of_code(code: u16) -> Option<Self> {
        KEYS.iter().find(|known| known.code == code).copied()
    }

    /// The key with this name.
    pub fn of_label(label: &str) -> Option<Self> {
        KEYS.iter().find(|known| known.label == label).copied()
    }
}

macro_rules! linux_keys {
    ($($code:literal $label:literal $android:literal,)*) => {
        [$(LinuxKey { code: $code, label: $label, key: Key($android) }),*]
    };
}

const KEYS: [LinuxKey; 75] = linux_keys! {
    1 "KEY_ESC" 111,
    2 "KEY_1" 8,
    3 "KEY_2" 9,
    4 "KEY_3" 10,
    5 "KEY_4" 11,
    6 "KEY_5" 12,
    7 "KEY_6" 13,
    8 "KEY_7" 14,
    9 "KEY_8" 15,
    10 "KEY_9" 16,
    11 "KEY_0" 7,
    12 "KEY_MINUS" 69,
    13 "KEY_EQUAL" 70,
    14 "KEY_BACKSPACE" 67,
    15 "KEY_TAB" 61,
    16 "KEY_Q" 45,
    17 "KEY_W" 51,
    18 "KEY_E" 33,
    19 "KEY_R" 46,
    20 "KEY_T" 48,
    21 "KEY_Y" 53,
    22 "KEY_U" 49,
    23 "KEY_I" 37,
    24 "KEY_O" 43,
    25 "KEY_P" 44,
    28 "KEY_ENTER" 66,
    29 "KEY_LEFTCTRL" 113,
    30 "KEY_A" 29,
    31 "KEY_S" 47,
    32 "KEY_D" 32,
    33 "KEY_F" 34,
    34 "KEY_G" 35,
    35 "KEY_H" 36,
    36 "KEY_J" 38,
    37 "KEY_K" 39,
    38 "KEY_L" 40,
    39 "KEY_SEMICOLON" 74,
    40 "KEY_APOSTROPHE" 75,
    42 "KEY_LEFTSHIFT" 59,
    44 "KEY_Z" 54,
    45 "KEY_X" 52,
    46 "KEY_C" 31,
    47 "KEY_V" 50,
    48 "KEY_B" 30,
    49 "KEY_N" 42,
    50 "KEY_M" 41,
    51 "KEY_COMMA" 55,
    52 "KEY_DOT" 56,
    53 "KEY_SLASH" 76,
    54 "KEY_RIGHTSHIFT" 60,
    57 "KEY_SPACE" 62,
    102 "KEY_HOME" 122,
    103 "KEY_UP" 19,
    104 "KEY_PAGEUP" 92,
    105 "KEY_LEFT" 21,
    106 "KEY_RIGHT" 22,
    107 "KEY_END" 123,
    108 "KEY_DOWN" 20,
    109 "KEY_PAGEDOWN" 93,
    111 "KEY_DELETE" 112,
    113 "KEY_MUTE" 164,
    114 "KEY_VOLUMEDOWN" 25,
    115 "KEY_VOLUMEUP" 24,
    116 "KEY_POWER" 26,
    127 "KEY_COMPOSE" 82,
    139 "KEY_MENU" 82,
    142 "KEY_SLEEP" 223,
    143 "KEY_WAKEUP" 224,
    158 "KEY_BACK" 4,
    164 "KEY_PLAYPAUSE" 85,
    172 "KEY_HOMEPAGE" 3,
    212 "KEY_CAMERA" 27,
    217 "KEY_SEARCH" 84,
    226 "KEY_MEDIA" 79,
    580 "KEY_APPSELECT" 187,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_number_and_by_name() {
        for known in LinuxKey::ALL {
            assert_eq!(LinuxKey::of_code(known.code), Some(*known));
            assert_eq!(LinuxKey::of_label(known.label), Some(*known));
        }
        assert_eq!(LinuxKey::of_code(158).map(|found| found.key), Some(Key::BACK));
        // Letters are told by their names, not by where they stand in the table.
        for letter in 'a'..='z' {
            let label = format!("KEY_{}", letter.to_ascii_uppercase());
            assert_eq!(LinuxKey::of_label(&label).and_then(|found| found.key.char()), Some(letter));
        }
        for digit in '0'..='9' {
            let found = LinuxKey::of_label(&format!("KEY_{digit}"));
            assert_eq!(found.and_then(|found| found.key.char()), Some(digit));
        }
        assert_eq!(LinuxKey::of_code(0x14a), None, "a touch is no key");
    }
}
