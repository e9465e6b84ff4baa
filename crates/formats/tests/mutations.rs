//! Recordings that are damaged at random: whatever comes, an importer hands back a trace or a sentence, and soon.
//!
//! The dice are seeded, so a failure comes again. `RETAP_FUZZ_SECONDS` says for how long each importer is tried;
//! `RETAP_FUZZ_SEED` chooses other dice.

mod corpus;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use retap_formats::{IMPORTERS, ImportInput, ImportOptions, MOST_STEPS, import};
use retap_trace::{Dice, Seed, Size, Trace, TraceWriter};

/// For how long, where nothing says it. Ten seconds are thousands of tries, in a build with checks.
const SECONDS: u64 = 10;
/// No input of this size may take longer.
const SLOWEST: Duration = Duration::from_secs(20);
/// Inputs get no longer than this.
const LONGEST: usize = 1 << 16;

/// Pieces that mean something to some importer.
const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "(",
    ")",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ":",
    "- ",
    "  ",
    "\t",
    "\0",
    "%",
    "${x}",
    "\\",
    "*a",
    "&a ",
    "!!binary ",
    "? ",
    "<<: *a\n",
    "---\n",
    "...\n",
    "- repeat:\n    times: 999999999\n    commands:\n      - back\n",
    "- runFlow: back.yaml\n",
    "- eraseText: 4294967296\n",
    "18446744073709551615",
    "-9223372036854775808",
    "1e308",
    "NaN",
    "-1",
    "0x7fffffff",
    "ffffffff",
    "7fffffff",
    "null",
    "true",
    "\u{feff}",
    "\u{202e}",
    "😀",
    "start data >>\n",
    "Drag(1, 2, 3, 4, 18446744073709551615)\n",
    "PinchZoom(0,0,0,0,0,0,0,0,0)\n",
    ":Sending Touch (ACTION_DOWN): 0:(1.0,2.0)\n",
    "// CRASH: com.example.notes (pid 1)\n",
    "ABS_MT_SLOT          ffffffff",
    "EV_ABS",
    "\"bounds\":[[-2147483648,0],[2147483647,1]]",
    "\"eventType\"",
    "\"event_type\":\"scroll\"",
    "\"delayTime\": 1e99",
];

/// A damaged copy.
fn mutated(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let pick = |dice: &mut Dice, below: usize| dice.index(below.max(1));
    let mut bytes = seeds[pick(dice, seeds.len())].clone();
    for _ in 0..=pick(dice, 8) {
        let (at, to) = (pick(dice, bytes.len() + 1), pick(dice, bytes.len() + 1));
        let (from, to) = (at.min(to), at.max(to));
        match pick(dice, 8) {
            0 if !bytes.is_empty() => {
                let place = at.min(bytes.len() - 1);
                bytes[place] ^= 1 << pick(dice, 8);
            }
            1 => drop(bytes.drain(from..to.min(from + 64))),
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[from..to.min(from + 512)].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => {
                let other = &seeds[pick(dice, seeds.len())];
                let start = pick(dice, other.len());
                let piece = other[start..other.len().min(start + 256)].to_vec();
                bytes.splice(at..at, piece);
            }
            5 => {
                let deep = ["[", "{", "- ", "\"actions\":[", "("][pick(dice, 5)].repeat(pick(dice, 2_000));
                bytes.splice(at..at, deep.into_bytes());
            }
            _ => {
                let piece = PIECES[pick(dice, PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
        }
        bytes.truncate(LONGEST);
    }
    bytes
}

/// A trace can be written and read again.
fn is_sound(trace: &Trace) {
    assert!(trace.steps.len() <= MOST_STEPS);
    let mut lines = Vec::new();
    let mut writer = TraceWriter::new(&mut lines, &trace.header).expect("memory");
    trace.steps.iter().for_each(|step| writer.step(step).expect("memory"));
    writer.finish().expect("memory");
    let again = Trace::read("mutated", &lines[..]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.steps.len(), trace.steps.len());
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The other file of a pair, which is damaged every other time, and a flow that is run.
fn beside(dice: &mut Dice, seeds: &[Vec<u8>], log: &[Vec<u8>; 1]) -> BTreeMap<String, Vec<u8>> {
    let log = if dice.index(2) == 0 { log[0].clone() } else { mutated(dice, log) };
    [("execute.log".to_owned(), log), ("back.yaml".to_owned(), mutated(dice, seeds))].into()
}

/// A folder of which some files are damaged, and some are gone.
fn damaged_folder(dice: &mut Dice, files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut left = BTreeMap::new();
    for (name, bytes) in files {
        match dice.index(8) {
            0 => {}
            1 => drop(left.insert(name.clone(), mutated(dice, std::slice::from_ref(bytes)))),
            _ => drop(left.insert(name.clone(), bytes.clone())),
        }
    }
    left
}

#[expect(clippy::print_stdout, reason = "the soak tells how much was tried")]
fn survives(importer: &str) {
    let files = corpus::files("");
    let (log, run) = ([files["simplydroid/execute.log"].clone()], corpus::files("droidbot"));
    let of_importer = corpus::CASES.iter().filter(|(name, _)| *name == importer);
    let mut seeds: Vec<Vec<u8>> = of_importer.map(|(_, file)| files[*file].clone()).collect();
    seeds.push(Vec::new());
    let options = ImportOptions {
        app: Some("com.example.notes".to_owned()),
        screen: Some(Size { width: 1000, height: 2000 }),
        ..ImportOptions::default()
    };
    let mut dice = Seed(number("RETAP_FUZZ_SEED", 1)).branch(importer, 0).dice();
    let end = Instant::now() + Duration::from_secs(number("RETAP_FUZZ_SECONDS", SECONDS));
    let (mut tries, mut traces, mut folders) = (0_u64, 0_u64, 0_u64);
    while Instant::now() < end || tries < 100 {
        let folder = importer == "droidbot" && tries % 2 == 1;
        let bytes = if folder { Vec::new() } else { mutated(&mut dice, &seeds) };
        let beside = if folder { damaged_folder(&mut dice, &run) } else { beside(&mut dice, &seeds, &log) };
        let name = match importer {
            "simplydroid" => "script.log",
            "droidbot" if folder => "",
            _ => "main.yaml",
        };
        let input = ImportInput { name, bytes: &bytes, files: &beside };
        let began = Instant::now();
        for from in [Some(importer), None] {
            match import(from, &input, &options) {
                Ok(imported) => {
                    traces += 1;
                    folders += u64::from(folder);
                    is_sound(&imported.trace);
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let took = began.elapsed();
        assert!(took < SLOWEST, "try {tries} took {took:?}: {}", String::from_utf8_lossy(&bytes));
        tries += 1;
    }
    println!("{importer}: {tries} damaged recordings, {traces} of the imports came to a trace");
    assert!(traces > 0 && (folders > 0) == (importer == "droidbot"), "nothing got past the first check");
}

macro_rules! survive {
    ($($test:ident $importer:literal,)*) => {
        $(#[test]
        fn $test() {
            survives($importer);
        })*

        #[test]
        fn every_importer_is_tried() {
            let tried = [$($importer),*];
            assert!(IMPORTERS.iter().all(|importer| tried.contains(&importer.name)));
        }
    };
}

survive! {
    monkey_scripts_survive "monkey",
    monkey_logs_survive "monkey-log",
    monkey_commands_survive "monkey-network",
    pairs_of_simplydroid_survive "simplydroid",
    events_of_droidbot_survive "droidbot",
    flows_of_maestro_survive "maestro",
    getevent_survives "getevent",
    robo_scripts_survive "robo",
}
