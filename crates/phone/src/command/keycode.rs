//! Keys by their names in Android.

use retap_trace::Key;

/// The key of a number or name, with or without `KEYCODE_`. What has no name is the unknown key, as on a phone.
pub(crate) fn key_of(text: &str) -> Key {
    // A number is a code; the digits' own names are written out: `KEYCODE_5`.
    if let Ok(code) = text.parse() {
        return Key(code);
    }
    Key::from_android_name(text).unwrap_or(Key(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_by_its_number_or_its_name() {
        for (name, code) in [("KEYCODE_HOME", 3), ("menu", 82), ("66", 66), ("nonsense", 0)] {
            assert_eq!(key_of(name), Key(code), "{name}");
        }
    }
}
