//! Files that are no apps, or no whole ones, or too much of one: each is refused in a sentence that names the file.

#![cfg(target_os = "linux")]

mod attacks;

use std::path::PathBuf;

use attacks::{Lab, descendants, is_soak};
use retap_device::{Device as _, Look};
use retap_jvm::{JvmError, JvmNotices};
use retap_testing::until;
use retap_trace::{Event, Micros, Seed};

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jvm-cache");
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const NO_SUM: u32 = 0;

/// A file in a zip file. Its sum is not always right; nobody gets so far.
#[derive(Clone)]
struct Entry {
    name: String,
    method: u16,
    sum: u32,
    bytes: Vec<u8>,
    size: u32,
}

impl Entry {
    fn stored(name: &str, bytes: &[u8]) -> Self {
        let size = u32::try_from(bytes.len()).expect("it is as it was made");
        Self { name: name.to_owned(), method: STORED, sum: sum(bytes), bytes: bytes.to_owned(), size }
    }

    /// Three gigabytes of zeros in 19 MB: a zero, and that it is repeated 258 times, again and again.
    fn bomb(name: &str) -> Self {
        const REPEATS: usize = (3 << 30) / 258 / 8;
        // One block of fixed codes; eight times the code of a run of 258 (11000101) and of distance 1 (00000), from the
        // lowest bit on, make 13 bytes. The block's head and its first zero take 11 bits more in front.
        let mut bits = vec![true, true, false];
        bits.extend([false, false, true, true, false, false, false, false]);
        let mut bytes = Vec::new();
        let mut byte = 0_u8;
        let mut count = 0;
        let run = [true, true, false, false, false, true, false, true, false, false, false, false, false];
        let mut push = |bit: bool, bytes: &mut Vec<u8>| {
            byte |= u8::from(bit) << count;
            count += 1;
            if count == 8 {
                bytes.push(byte);
                (byte, count) = (0, 0);
            }
        };
        for bit in bits.into_iter().chain((0..16).flat_map(|_| run)) {
            push(bit, &mut bytes);
        }
        // From here on it repeats itself.
        let period = bytes[bytes.len() - 13..].to_owned();
        for _ in 0..REPEATS {
            bytes.extend(&period);
        }
        Self { name: name.to_owned(), method: DEFLATED, sum: NO_SUM, bytes, size: 3 << 30 }
    }
}

fn sum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut file, mut list) = (Vec::new(), Vec::new());
    for entry in entries {
        let at = u32::try_from(file.len()).expect("it is as it was made");
        let mut about = Vec::new();
        about.extend([20, 0, 0, 0]);
        about.extend(entry.method.to_le_bytes());
        about.extend([0; 4]);
        about.extend(entry.sum.to_le_bytes());
        about.extend(u32::try_from(entry.bytes.len()).expect("it is as it was made").to_le_bytes());
        about.extend(entry.size.to_le_bytes());
        about.extend(u16::try_from(entry.name.len()).expect("it is as it was made").to_le_bytes());
        about.extend([0; 2]);
        file.extend(b"PK\x03\x04");
        file.extend(&about);
        file.extend(entry.name.as_bytes());
        file.extend(&entry.bytes);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&about);
        list.extend([0; 10]);
        list.extend(at.to_le_bytes());
        list.extend(entry.name.as_bytes());
    }
    let (count, at) = (
        u16::try_from(entries.len()).expect("it is as it was made"),
        u32::try_from(file.len()).expect("it is as it was made"),
    );
    file.extend(&list);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count, count].map(u16::to_le_bytes).concat());
    file.extend(u32::try_from(list.len()).expect("it is as it was made").to_le_bytes());
    file.extend(at.to_le_bytes());
    file.extend([0; 2]);
    file
}

/// The files of a zip file that is not compressed.
fn unzip(file: &[u8]) -> Vec<Entry> {
    let number =
        |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("it is as it was made")) as usize;
    let short = |at: usize| {
        usize::from(u16::from_le_bytes(file[at..at + 2].try_into().expect("it is as it was made")))
    };
    let (mut at, mut found) = (0, Vec::new());
    while &file[at..at + 4] == b"PK\x03\x04" {
        let (size, name) = (number(at + 18), at + 30);
        let bytes = name + short(at + 26) + short(at + 28);
        let name =
            String::from_utf8(file[name..name + short(at + 26)].to_owned()).expect("it is as it was made");
        found.push(Entry::stored(&name, &file[bytes..bytes + size]));
        at = bytes + size;
    }
    found
}

struct Kinds {
    lab: Lab,
    good: Vec<Entry>,
}

impl Kinds {
    fn without(&self, name: &str) -> Vec<Entry> {
        self.good.iter().filter(|entry| entry.name != name).cloned().collect()
    }

    /// The good app with another file in place of one of its own.
    fn with(&self, entry: Entry) -> Vec<u8> {
        let mut entries = self.without(&entry.name);
        entries.push(entry);
        zip(&entries)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.lab.scratch.path().join(name);
        std::fs::write(&path, bytes).expect("it is as it was made");
        path
    }

    /// What is said of the file, which cannot be opened.
    fn refused(&self, name: &str, bytes: &[u8]) -> JvmError {
        let path = self.file(name, bytes);
        let opened = self.lab.prepare(&path).and_then(|host| host.device(JvmNotices::new(|_| ())));
        let error = opened.expect_err(name);
        let said = error.to_string();
        assert!(said.contains(name) && !said.contains('\n'), "{said}");
        until("no process is left", || descendants().is_empty());
        error
    }
}

#[test]
fn what_is_no_app_is_refused() {
    let Some(lab) = Lab::new(CACHE) else { return };
    let whole = std::fs::read(lab.apk()).unwrap();
    let kinds = Kinds { good: unzip(&whole), lab };
    let garbage: Vec<u8> = (0..5_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let mut cut = kinds.good.iter().find(|entry| entry.name == "classes.dex").unwrap().bytes.clone();
    cut.truncate(cut.len() / 2);
    for (name, bytes) in [
        ("empty.apk", Vec::new()),
        ("half.apk", whole[..whole.len() / 2].to_owned()),
        ("noise.apk", garbage.clone()),
        ("no-files.apk", zip(&[])),
        ("no-manifest.apk", zip(&kinds.without("AndroidManifest.xml"))),
        ("no-code.apk", zip(&kinds.without("classes.dex"))),
        ("noise-manifest.apk", kinds.with(Entry::stored("AndroidManifest.xml", &garbage))),
        ("noise-code.apk", kinds.with(Entry::stored("classes.dex", &garbage))),
        ("half-code.apk", kinds.with(Entry::stored("classes.dex", &cut))),
        ("bomb-code.apk", kinds.with(Entry::bomb("classes.dex"))),
        ("bomb-manifest.apk", kinds.with(Entry::bomb("AndroidManifest.xml"))),
        ("noise-resources.apk", kinds.with(Entry::stored("resources.arsc", &garbage))),
        ("bomb-resources.apk", kinds.with(Entry::bomb("resources.arsc"))),
    ] {
        let error = kinds.refused(name, &bytes);
        assert!(matches!(error, JvmError::App { .. }), "{error:?}");
    }
}

/// A disk that has damaged what was kept is no fault of the app.
#[test]
fn class_files_that_were_damaged_are_made_again() {
    let Some(lab) = Lab::new(CACHE) else { return };
    // An app of its own: others use the class files of theirs at the same time.
    let mut entries = unzip(&std::fs::read(lab.apk()).unwrap());
    entries.push(Entry::stored("assets/damaged", &std::process::id().to_le_bytes()));
    let apk = lab.scratch.path().join("damaged.apk");
    std::fs::write(&apk, zip(&entries)).unwrap();
    let jars = || -> Vec<PathBuf> {
        let files = attacks::files(&lab.side().join("apps")).into_iter();
        files.filter(|file| file.extension().is_some_and(|ending| ending == "jar")).collect()
    };
    let before = jars();
    lab.prepare(&apk).unwrap();
    let kept = jars().into_iter().find(|jar| !before.contains(jar)).unwrap();
    let whole = std::fs::read(&kept).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&flipped[..], &whole[..whole.len() / 3], &[]] {
        std::fs::write(&kept, damaged).unwrap();
        let host = lab.prepare(&apk).unwrap();
        assert!(std::fs::read(&kept).unwrap().len() > whole.len() / 2, "it was made again");
        let mut device = host.device(JvmNotices::new(|_| ())).unwrap();
        let shows = attacks::attack(&mut device, "exec", "");
        assert!(shows.failure.is_none() && shows.crashes.is_empty(), "{shows:?}");
        assert_eq!(shows.result, "started 0");
    }
    for file in attacks::files(kept.parent().unwrap()) {
        if file == kept || file.with_extension("") == kept {
            std::fs::remove_file(file).unwrap();
        }
    }
}

/// What can be opened, and is odd: the app runs, or what it lacks is its crash.
#[test]
fn what_is_odd_is_run_as_far_as_it_goes() {
    if !is_soak() {
        return;
    }
    let Some(lab) = Lab::new(CACHE) else { return };
    let kinds = Kinds { good: unzip(&std::fs::read(lab.apk()).unwrap()), lab };
    let mut many = kinds.good.clone();
    many.extend((0..60_000).map(|number| Entry::stored(&format!("assets/{number}"), b"")));
    let odd = [
        ("many-files.apk", zip(&many)),
        ("bomb-asset.apk", kinds.with(Entry::bomb("assets/large"))),
        ("no-resources.apk", zip(&kinds.without("resources.arsc"))),
    ];
    for (name, bytes) in odd {
        let host = kinds.lab.prepare(&kinds.file(name, &bytes)).unwrap();
        let mut device = host.device(JvmNotices::new(|_| ())).unwrap();
        let within = Micros::from_secs(60);
        device.reset(Seed(1), within).unwrap();
        device.perform(&Event::Launch, within).unwrap();
        device.settle(Micros::from_secs(5)).unwrap();
        let seen = device.observe(Look::Tree, within).unwrap();
        assert_eq!((&*seen.package, seen.crashes.len()), (attacks::PACKAGE, 0), "{name}");
    }
}
