//! Keys, by Android's key codes and their names.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A key as Android numbers it. In files and on screen it goes by name (`back`), or by number (`code:300`)
/// when it has no name here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u16);

macro_rules! keys {
    ($($constant:ident = $code:literal $name:literal,)*) => {
        #[expect(missing_docs, reason = "each is the key of its name")]
        impl Key {
            $(pub const $constant: Key = Key($code);)*
        }
        const NAMES: &[(u16, &str)] = &[$(($code, $name)),*];
    };
}

keys! {
    HOME = 3 "home",
    BACK = 4 "back",
    CALL = 5 "call",
    END_CALL = 6 "end_call",
    DPAD_UP = 19 "dpad_up",
    DPAD_DOWN = 20 "dpad_down",
    DPAD_LEFT = 21 "dpad_left",
    DPAD_RIGHT = 22 "dpad_right",
    DPAD_CENTER = 23 "dpad_center",
    VOLUME_UP = 24 "volume_up",
    VOLUME_DOWN = 25 "volume_down",
    POWER = 26 "power",
    CAMERA = 27 "camera",
    COMMA = 55 "comma",
    PERIOD = 56 "period",
    TAB = 61 "tab",
    SPACE = 62 "space",
    ENTER = 66 "enter",
    DELETE = 67 "delete",
    HEADSET_HOOK = 79 "headset_hook",
    MENU = 82 "menu",
    SEARCH = 84 "search",
    MEDIA_PLAY_PAUSE = 85 "media_play_pause",
    PAGE_UP = 92 "page_up",
    PAGE_DOWN = 93 "page_down",
    MUTE = 91 "mute",
    ESCAPE = 111 "escape",
    VOLUME_MUTE = 164 "volume_mute",
    APP_SWITCH = 187 "app_switch",
    SLEEP = 223 "sleep",
    WAKEUP = 224 "wakeup",
}

impl Key {
    /// The highest code that Android's Monkey draws from.
    pub const LAST: u16 = 284;

    /// The character this key types, if it is a letter or a digit.
    pub fn char(self) -> Option<char> {
        let nth = |first: u8, code: u16| u8::try_from(code).ok().map(|code| char::from(first + code));
        match self.0 {
            7..=16 => nth(b'0', self.0 - 7),
            29..=54 => nth(b'a', self.0 - 29),
            62 => Some(' '),
            _ => None,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(code, _)| *code == self.0) {
            Some((_, name)) => f.write_str(name),
            None => match self.char() {
                Some(char) => write!(f, "{char}"),
                None => write!(f, "code:{}", self.0),
            },
        }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Some((code, _)) = NAMES.iter().find(|(_, known)| *known == name) {
            return Ok(Self(*code));
        }
        if let Some(code) = name.strip_prefix("code:") {
            return code.parse().map(Self).map_err(|_| format!("no key has the code '{code}'"));
        }
        (7..=54)
            .map(Self)
            .find(|key| key.char().is_some_and(|char| name.chars().eq([char])))
            .ok_or_else(|| format!("no key is called '{name}' (a name such as 'back', or 'code:4')"))
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_survives_its_own_name() {
        for code in 0..=400 {
            let key = Key(code);
            assert_eq!(key.to_string().parse(), Ok(key), "code {code}");
        }
    }

    #[test]
    fn letters_and_digits_type_themselves() {
        assert_eq!("q".parse::<Key>().unwrap().char(), Some('q'));
        assert_eq!("7".parse::<Key>().unwrap(), Key(14));
        assert_eq!(Key::BACK.char(), None);
        assert!("qq".parse::<Key>().unwrap_err().contains("'qq'"));
    }
}
