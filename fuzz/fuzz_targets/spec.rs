//! Device specifications: what is read can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::AdbSpec;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<AdbSpec>() {
        assert_eq!(spec.text.parse::<AdbSpec>(), Ok(spec.clone()));
        assert!(spec.app.is_none_or(|app| !app.contains(['\'', ';', ' '])));
    }
});
