//! Logs: cut anywhere, the news are the same, and nothing grows without bound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::parse::LogScanner;

fuzz_target!(|log: &[u8]| {
    let read = |size: usize| {
        let mut scanner = LogScanner::new("com.example");
        for part in log.chunks(size) {
            scanner.push(part);
        }
        scanner.pause();
        scanner.take()
    };
    let whole = read(log.len().max(1));
    assert!(whole.len() <= 1_024);
    assert_eq!(read(7), whole);
});
