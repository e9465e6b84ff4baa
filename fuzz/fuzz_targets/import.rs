//! Recordings of other tools: the first byte chooses the importer, and a line of dashes ends the recording and begins the file
//! beside it; a trace comes out or a sentence, and a trace can be written and read.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use retap_formats::{IMPORTERS, ImportInput, ImportOptions, MOST_STEPS, import};
use retap_trace::{Size, Trace, TraceWriter};

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let importer = IMPORTERS[usize::from(*choice) % IMPORTERS.len()].name;
    let options = ImportOptions {
        app: Some("com.example.notes".to_owned()),
        screen: Some(Size { width: 1000, height: 2000 }),
        ..ImportOptions::default()
    };
    let between: &[u8] = b"\n-----\n";
    let at = bytes.windows(between.len()).position(|window| window == between);
    let (bytes, beside) = at.map_or((bytes, &[][..]), |at| (&bytes[..at], &bytes[at + between.len()..]));
    // A pair of SimplyDroid, a folder of DroidBot, a flow that runs another.
    let (name, other) = match importer {
        "simplydroid" => ("script.log", "execute.log"),
        "droidbot" => ("", "events/event_1.json"),
        _ => ("main.yaml", "back.yaml"),
    };
    let files: BTreeMap<String, Vec<u8>> = [(other.to_owned(), beside.to_vec())].into();
    let input = ImportInput { name, bytes, files: &files };
    match import(Some(importer), &input, &options) {
        Ok(imported) => {
            let trace = imported.trace;
            assert!(trace.steps.len() <= MOST_STEPS);
            let mut lines = Vec::new();
            let mut writer = TraceWriter::new(&mut lines, &trace.header).expect("memory");
            trace.steps.iter().for_each(|step| writer.step(step).expect("memory"));
            writer.finish().expect("memory");
            assert_eq!(Trace::read("fuzzed", &lines[..]).expect("a trace").steps.len(), trace.steps.len());
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
});
