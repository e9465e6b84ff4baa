//! uiautomator dumps: a tree comes out or a sentence, and a tree obeys its own rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_adb::parse;

fuzz_target!(|dump: &[u8]| {
    match parse::hierarchy(dump) {
        Ok(found) => {
            let tree = &found.tree;
            assert!(tree.nodes().len() <= parse::MOST_NODES + 1);
            assert!(tree.ids().take(50).all(|id| tree.at(&tree.path(id)) == Some(id)));
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
});
