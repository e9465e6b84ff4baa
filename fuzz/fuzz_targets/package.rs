//! `dumpsys package`, `pm list` and `getprop`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::parse;

fuzz_target!(|text: &str| {
    if let Some(info) = parse::package_info(text, "com.example") {
        assert!(info.requested.iter().all(|name| name.contains('.')));
        let parts = info.components;
        let all = [parts.activities, parts.services, parts.receivers].concat();
        assert!(all.iter().all(|name| name.starts_with("com.example/")));
    }
    let _ = (parse::packages(text), parse::getprop(text), parse::dangerous_permissions(text));
});
