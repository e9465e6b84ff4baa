//! `dumpsys activity` and `dumpsys window`: names that come out are names.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::parse;

fuzz_target!(|text: &str| {
    if let Some(front) = parse::foreground(text) {
        assert!(!front.package.contains(char::is_whitespace));
        assert!(!front.activity.contains(char::is_whitespace));
        let _ = front.dialog();
    }
    let _ = (parse::display(text).orientation(), parse::keyboard_shown(text), parse::frames_drawn(text));
});
