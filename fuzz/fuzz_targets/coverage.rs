//! JaCoCo execution data: ids are sorted and each stands once.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::parse;

fuzz_target!(|file: &[u8]| {
    if let Ok(found) = parse::coverage(file) {
        assert!(found.ids().is_sorted_by(|one, other| one < other));
    }
});
