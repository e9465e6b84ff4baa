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

/// The names of the codes from 0 on, without `KEYCODE_`.
const ANDROID_NAMES: &str = "UNKNOWN SOFT_LEFT SOFT_RIGHT HOME BACK CALL ENDCALL 0 1 2 3 4 5 6 7 8 9 STAR POUND DPAD_UP \
DPAD_DOWN DPAD_LEFT DPAD_RIGHT DPAD_CENTER VOLUME_UP VOLUME_DOWN POWER CAMERA CLEAR A B C D E F G H I J K L M N O P Q \
R S T U V W X Y Z COMMA PERIOD ALT_LEFT ALT_RIGHT SHIFT_LEFT SHIFT_RIGHT TAB SPACE SYM EXPLORER ENVELOPE ENTER DEL \
GRAVE MINUS EQUALS LEFT_BRACKET RIGHT_BRACKET BACKSLASH SEMICOLON APOSTROPHE SLASH AT NUM HEADSETHOOK FOCUS PLUS MENU \
NOTIFICATION SEARCH MEDIA_PLAY_PAUSE MEDIA_STOP MEDIA_NEXT MEDIA_PREVIOUS MEDIA_REWIND MEDIA_FAST_FORWARD MUTE PAGE_UP \
PAGE_DOWN PICTSYMBOLS SWITCH_CHARSET BUTTON_A BUTTON_B BUTTON_C BUTTON_X BUTTON_Y BUTTON_Z BUTTON_L1 BUTTON_R1 \
BUTTON_L2 BUTTON_R2 BUTTON_THUMBL BUTTON_THUMBR BUTTON_START BUTTON_SELECT BUTTON_MODE ESCAPE FORWARD_DEL CTRL_LEFT \
CTRL_RIGHT CAPS_LOCK SCROLL_LOCK META_LEFT META_RIGHT FUNCTION SYSRQ BREAK MOVE_HOME MOVE_END INSERT FORWARD \
MEDIA_PLAY MEDIA_PAUSE MEDIA_CLOSE MEDIA_EJECT MEDIA_RECORD F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 NUM_LOCK NUMPAD_0 \
NUMPAD_1 NUMPAD_2 NUMPAD_3 NUMPAD_4 NUMPAD_5 NUMPAD_6 NUMPAD_7 NUMPAD_8 NUMPAD_9 NUMPAD_DIVIDE NUMPAD_MULTIPLY \
NUMPAD_SUBTRACT NUMPAD_ADD NUMPAD_DOT NUMPAD_COMMA NUMPAD_ENTER NUMPAD_EQUALS NUMPAD_LEFT_PAREN NUMPAD_RIGHT_PAREN \
VOLUME_MUTE INFO CHANNEL_UP CHANNEL_DOWN ZOOM_IN ZOOM_OUT TV WINDOW GUIDE DVR BOOKMARK CAPTIONS SETTINGS TV_POWER \
TV_INPUT STB_POWER STB_INPUT AVR_POWER AVR_INPUT PROG_RED PROG_GREEN PROG_YELLOW PROG_BLUE APP_SWITCH BUTTON_1 \
BUTTON_2 BUTTON_3 BUTTON_4 BUTTON_5 BUTTON_6 BUTTON_7 BUTTON_8 BUTTON_9 BUTTON_10 BUTTON_11 BUTTON_12 BUTTON_13 \
BUTTON_14 BUTTON_15 BUTTON_16 LANGUAGE_SWITCH MANNER_MODE 3D_MODE CONTACTS CALENDAR MUSIC CALCULATOR ZENKAKU_HANKAKU \
EISU MUHENKAN HENKAN KATAKANA_HIRAGANA YEN RO KANA ASSIST BRIGHTNESS_DOWN BRIGHTNESS_UP MEDIA_AUDIO_TRACK SLEEP WAKEUP \
PAIRING MEDIA_TOP_MENU 11 12 LAST_CHANNEL TV_DATA_SERVICE VOICE_ASSIST TV_RADIO_SERVICE TV_TELETEXT TV_NUMBER_ENTRY \
TV_TERRESTRIAL_ANALOG TV_TERRESTRIAL_DIGITAL TV_SATELLITE TV_SATELLITE_BS TV_SATELLITE_CS TV_SATELLITE_SERVICE \
TV_NETWORK TV_ANTENNA_CABLE TV_INPUT_HDMI_1 TV_INPUT_HDMI_2 TV_INPUT_HDMI_3 TV_INPUT_HDMI_4 TV_INPUT_COMPOSITE_1 \
TV_INPUT_COMPOSITE_2 TV_INPUT_COMPONENT_1 TV_INPUT_COMPONENT_2 TV_INPUT_VGA_1 TV_AUDIO_DESCRIPTION \
TV_AUDIO_DESCRIPTION_MIX_UP TV_AUDIO_DESCRIPTION_MIX_DOWN TV_ZOOM_MODE TV_CONTENTS_MENU TV_MEDIA_CONTEXT_MENU \
TV_TIMER_PROGRAMMING HELP NAVIGATE_PREVIOUS NAVIGATE_NEXT NAVIGATE_IN NAVIGATE_OUT STEM_PRIMARY STEM_1 STEM_2 STEM_3 \
DPAD_UP_LEFT DPAD_DOWN_LEFT DPAD_UP_RIGHT DPAD_DOWN_RIGHT MEDIA_SKIP_FORWARD MEDIA_SKIP_BACKWARD MEDIA_STEP_FORWARD \
MEDIA_STEP_BACKWARD SOFT_SLEEP CUT COPY PASTE SYSTEM_NAVIGATION_UP SYSTEM_NAVIGATION_DOWN SYSTEM_NAVIGATION_LEFT \
SYSTEM_NAVIGATION_RIGHT ALL_APPS REFRESH THUMBS_UP THUMBS_DOWN PROFILE_SWITCH";

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

    /// The key that Android calls so, with or without `KEYCODE_`, in capitals or not.
    pub fn from_android_name(name: &str) -> Option<Self> {
        let name = name.to_uppercase();
        let name = name.strip_prefix("KEYCODE_").unwrap_or(&name);
        let code = ANDROID_NAMES.split_ascii_whitespace().position(|known| known == name)?;
        u16::try_from(code).ok().map(Self)
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
    fn keys_have_the_codes_that_android_gave_them() {
        for (name, code) in [
            ("KEYCODE_HOME", 3),
            ("BACK", 4),
            ("KEYCODE_0", 7),
            ("a", 29),
            ("KEYCODE_DEL", 67),
            ("ESCAPE", 111),
            ("MOVE_END", 123),
            ("VOLUME_MUTE", 164),
            ("APP_SWITCH", 187),
            ("SLEEP", 223),
            ("HELP", 259),
            ("PASTE", 279),
            ("ALL_APPS", 284),
            ("PROFILE_SWITCH", 288),
        ] {
            assert_eq!(Key::from_android_name(name), Some(Key(code)), "{name}");
        }
        assert_eq!(Key::from_android_name("nonsense"), None);
    }

    #[test]
    fn letters_and_digits_type_themselves() {
        assert_eq!("q".parse::<Key>().unwrap().char(), Some('q'));
        assert_eq!("7".parse::<Key>().unwrap(), Key(14));
        assert_eq!(Key::BACK.char(), None);
        assert!("qq".parse::<Key>().unwrap_err().contains("'qq'"));
    }
}
