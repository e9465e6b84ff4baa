//! Everything short: device lists, console answers, settings, sizes, `am`, `df`, `getevent`; and pictures.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::parse;

fuzz_target!(|bytes: &[u8]| {
    if let Some(reply) = parse::console_reply(bytes) {
        assert!(reply.length <= bytes.len());
    }
    if let Some(picture) = parse::picture(bytes) {
        assert_eq!(parse::picture(picture), Some(picture));
    }
    let text = String::from_utf8_lossy(bytes);
    for device in parse::device_list(&text) {
        assert!(!device.serial.is_empty() && device.state.is_ready() == device.state.usable("x").is_ok());
    }
    if let Some(touch) = parse::touchscreen(&text) {
        assert!((touch.x.min..=touch.x.max).contains(&touch.x.at(5, 100)));
    }
    let _ = (
        parse::snapshot_tags(&text),
        parse::setting(&text),
        parse::screen_size(&text),
        parse::density(&text),
    );
    let _ = (parse::am_reply(&text), parse::free_space(&text));
});
