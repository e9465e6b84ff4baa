//! Devices that fail again and again: every command ends with 2 and says which device it was and what is wrong with it,
//! and what was recorded until then can be gone on with.

mod command;

use std::path::Path;

use command::{run, sample, scratch, words};

/// A folder with an exploration `night`, and a suite made of it in `small`.
fn recorded() -> tempfile::TempDir {
    let folder = scratch();
    let explore = ["explore", "-d", "sim:notes", "--strategy", "swifthand", "--minutes", "5", "-q"];
    assert_eq!(run(folder.path(), &[&explore[..], &["--out", "night"]].concat()).status.code(), Some(1));
    let suite = run(folder.path(), &["suite", "night", "-q", "--out", "small"]);
    assert_eq!(suite.status.code(), Some(0), "{}", words(&suite));
    folder
}

/// Every command that uses devices, on one with this fault: it ends with 2, and says all this in one line.
fn all_say(folder: &Path, fault: &str, parts: &[&str]) {
    let device = format!("sim:notes?{fault}");
    let trace = sample("notes-undo-restore");
    let commands: [&[&str]; 7] = [
        &["explore", "--events", "100"],
        &["explore", "--events", "100", "--devices", "3"],
        &["reduce", &trace],
        &["reduce", "night", "--all"],
        &["suite", "night"],
        &["replay", &trace],
        &["replay", "--suite", "small/suite"],
    ];
    for (number, command) in commands.into_iter().enumerate() {
        let out = format!("{fault}-{number}");
        let saves = if command[0] == "replay" { &[][..] } else { &["--out", &out] };
        let said = run(folder, &[command, &["--device", &device], saves].concat());
        assert_eq!(said.status.code(), Some(2), "{command:?}: {}", words(&said));
        let told = words(&said).lines().any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(told, "{command:?} on {device} said\n{}and not {parts:?}", words(&said));
    }
}

#[test]
fn a_device_that_is_offline_is_named() {
    let folder = recorded();
    all_say(folder.path(), "offline=1", &["device sim:notes?offline=1 is offline"]);
}

/// Other faults, and what is said of them.
const FAULTS: [(&str, &str); 3] = [
    ("blind=1", "the screen could not be read"),
    ("gone=1", "the app org.retap.notes is gone from the device"),
    ("hang=1", "did not finish within 3 min"),
];

#[test]
fn what_is_wrong_with_a_device_is_said() {
    let folder = recorded();
    for (fault, why) in FAULTS {
        all_say(folder.path(), fault, &[why]);
    }
}

/// With several devices nobody knows otherwise which one to look after.
#[test]
fn whatever_is_wrong_with_a_device_it_is_named() {
    let folder = recorded();
    for (fault, why) in FAULTS {
        all_say(folder.path(), fault, &[why, &format!("sim:notes?{fault}")]);
    }
}

/// Runs a command until it is not cut short any more; says how often it was. Each time all devices have another chance.
fn until_done(folder: &Path, args: &[&str]) -> usize {
    for cuts in 0..50 {
        let said = run(folder, args);
        if said.status.code() == Some(0) {
            return cuts;
        }
        assert_eq!(said.status.code(), Some(2), "{args:?}: {}", words(&said));
        let cut_short = words(&said).contains("nothing is left to run it on: device ");
        assert!(cut_short, "{args:?}, cut short {cuts} times before: {}", words(&said));
    }
    panic!("{args:?} does not come to its end");
}

/// A command whose devices were given up is gone on with when they work again. That may happen more than once, and what
/// is done may be asked for again.
#[test]
fn what_was_cut_short_is_gone_on_with_more_than_once() {
    let folder = recorded();
    let trace = sample("notes-sync-conflict");
    let reduce = ["reduce", &trace, "-d", "sim:notes?offline=0.05", "--seed", "3", "--out", "reduced"];
    let suite = ["suite", "night", "-d", "sim:notes?offline=0.03", "--out", "suite"];
    let replay = ["replay", &trace, "-d", "sim:notes?offline=0.008", "--times", "10", "--out", "replayed"];
    for args in [&reduce[..], &suite, &replay] {
        let cuts = until_done(folder.path(), args);
        assert!(cuts > 1, "{args:?} was cut short {cuts} times");
        assert_eq!(until_done(folder.path(), args), 0, "{args:?} is done");
    }
}
