//! `retap explore --resume`: whenever an exploration was stopped, it ends as if nothing had happened.
//!
//! A process that was killed after some entry of its log leaves what is in the log until then, and the beginnings of
//! its files. So a folder in that state is made of a finished one: the same at every run, at any moment one likes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use retap_store::{LogEntry, Seq, Session, SessionView};
use retap_testing::{Requirement, skipped};
use retap_trace::{Dice, Seed};
use serde_json::{Value, json};

use crate::exploring::contents;
use crate::tool::{explore, retap, scratch, words};

fn log(dir: &Path) -> Vec<LogEntry> {
    let view = SessionView::open(dir).expect("a session");
    view.read(&[], Seq::START).collect::<Result<_, _>>().expect("a log")
}

/// All that an exploration leaves: its files, and the log of each session in them. A database is not compared byte by
/// byte: how its pages lie depends on when it was closed.
pub(crate) fn left(dir: &Path) -> (BTreeMap<PathBuf, Vec<u8>>, Vec<Vec<LogEntry>>) {
    let mut files = contents(dir);
    let sessions: Vec<PathBuf> = files.keys().filter(|path| path.ends_with("session.db")).cloned().collect();
    let logs = sessions.iter().map(|path| log(dir.join(path).parent().expect("a folder"))).collect();
    files.retain(|path, _| {
        !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("session."))
    });
    (files, logs)
}

/// The same result, but for the folder that it is in.
pub(crate) fn but_for_folder(result: &Value, out: &str) -> String {
    result.to_string().replace(&format!("\"{out}/"), "\"").replace(&format!("\"session\":\"{out}\""), "")
}

/// The session in `from` as it was after its first entries, in `to`. Its files are not there.
fn cut_log(from: &Path, to: &Path, entries: usize) {
    let plan = SessionView::open(from).expect("a session").plan().clone();
    let mut session = Session::create(to, &plan).expect("a new session");
    for entry in log(from).into_iter().take(entries) {
        session.append(&entry.kind, entry.at, &entry.data).expect("room for it");
    }
    session.close().expect("it is whole");
}

/// The exploration in `from` as if it had been killed after so many entries, in `to`: with the segments that had begun,
/// those that had not ended cut off somewhere.
pub(crate) fn killed_after(from: &Path, to: &Path, entries: usize, dice: &mut Dice) {
    cut_log(from, to, entries);
    let log = log(to);
    for begun in log.iter().filter(|entry| entry.kind == "segment begun") {
        let ended = |entry: &&LogEntry| {
            entry.kind == "segment ended" && entry.data["segment"] == begun.data["segment"]
        };
        let name = Path::new("traces").join(begun.data["trace"].as_str().expect("a name"));
        let text = std::fs::read(from.join(&name)).expect("a trace");
        let header = text.iter().position(|byte| *byte == b'\n').expect("a header") + 1;
        let over = log.iter().any(|entry| ended(&entry));
        let kept = if over { text.len() } else { header + dice.index(text.len() - header + 1) };
        write(&to.join(name), &text[..kept]);
    }
}

fn write(to: &Path, text: &[u8]) {
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("a scratch folder");
    std::fs::write(to, text).expect("a scratch file");
}

fn copy(from: &Path, to: &Path) {
    write(to, &std::fs::read(from).expect("a file"));
}

fn steps(trace: &Path) -> usize {
    std::fs::read_to_string(trace).expect("a trace").lines().count().saturating_sub(1)
}

fn recorded(dir: &Path) -> usize {
    let traces = std::fs::read_dir(dir.join("traces")).expect("traces");
    traces.map(|entry| steps(&entry.expect("an entry").path())).sum()
}

/// Explorations of every kind: one device and several, with snapshots that fail, without any, with an end when nothing
/// is new, with a script of events between looks.
const KINDS: [&str; 7] = [
    "--device sim:flashcards?badload=0.4&garbage=0.4 --strategy timetravel --minutes 40 --seed 5",
    "--device sim:flashcards --strategy timetravel --minutes 20 --seed 2 --devices 8",
    "--device sim:flashcards --strategy timetravel --minutes 30 --seed 3 --no-snapshots",
    "--device sim:notes --strategy aware --minutes 6000 --idle-minutes 10 --seed 3",
    "--device sim:notes --strategy swifthand --events 600 --seed 4",
    "--device sim:notes --strategy mr --events 3000 --seed 5 --look adaptive --devices 2",
    "--device sim:notes --strategy monkey --events 3000 --seed 6",
];

#[test]
fn killed_anywhere_it_ends_as_if_nothing_had_happened() {
    let mut dice = Seed(1).dice();
    for (number, kind) in KINDS.iter().enumerate() {
        let folder = scratch();
        let args: Vec<&str> = kind.split(' ').chain(["--out", "x"]).collect();
        let (whole, _) = explore(folder.path(), &args);
        let from = folder.path().join("x");
        let (files, logs) = left(&from);
        assert!(logs[0].len() > 1, "{kind}");
        for round in 0..6 {
            let out = format!("y{number}-{round}");
            let to = folder.path().join(&out);
            killed_after(&from, &to, dice.index(logs[0].len()), &mut dice);
            // What a process leaves that is killed while it writes a file.
            write(&to.join("crashes/.retap-7-0.tmp"), b"half");
            let (result, said) = explore(folder.path(), &["--resume", &out]);
            assert_eq!(
                but_for_folder(&result, &out),
                but_for_folder(&whole, "x"),
                "{kind}: {}",
                words(&said)
            );
            let (again, logs_again) = left(&to);
            assert!(again == files && logs_again == logs, "{kind}, round {round}");
        }
        // Nothing is added when there is nothing left to do.
        explore(folder.path(), &["--resume", "x"]);
        assert!(left(&from) == (files, logs), "{kind}");
    }
}

/// A real process, killed twenty times at moments that nobody chose.
#[test]
fn killed_twenty_times_it_ends_as_if_nothing_had_happened() {
    let folder = scratch();
    let limits = ["--minutes", "240", "--seed", "7", "--devices", "2", "--reduce"];
    let args = [&["--device", "sim:notes", "--strategy", "timetravel"][..], &limits].concat();
    let (whole, _) = explore(folder.path(), &[&args[..], &["--out", "x"]].concat());
    let to = folder.path().join("y");
    let begin = [&["explore"], &args[..], &["--out", "y"]].concat();
    let (mut dice, mut killed) = (Seed(std::process::id().into()).dice(), 0);
    let mut limit = 400;
    while killed < 20 {
        let resume = ["explore", "--resume", "y"];
        let mut command = retap(folder.path(), if to.join("session.db").exists() { &resume } else { &begin });
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("retap starts");
        std::thread::sleep(Duration::from_millis(dice.below(limit)));
        if child.try_wait().expect("a child").is_some() {
            // It came to its end: everything from the beginning, and less time.
            std::fs::remove_dir_all(&to).expect("a folder");
            limit = (limit * 2 / 3).max(20);
            continue;
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        killed += 1;
    }
    let (result, said) = explore(folder.path(), &["--resume", "y"]);
    assert_eq!(but_for_folder(&result, "y"), but_for_folder(&whole, "x"), "{}", words(&said));
    let ((files, logs), (same_files, same_logs)) = (left(&to), left(&folder.path().join("x")));
    let names = files.keys().chain(same_files.keys());
    let differ: Vec<_> = names.filter(|name| files.get(*name) != same_files.get(*name)).collect();
    assert!(differ.is_empty(), "{differ:?}");
    for (log, same) in logs.iter().zip(&same_logs) {
        let at = log.iter().zip(same).position(|(one, other)| one != other);
        assert!(
            log == same,
            "{:?}, {} and {} entries",
            at.map(|at| (&log[at], &same[at])),
            log.len(),
            same.len()
        );
    }
    assert_eq!(logs.len(), same_logs.len());
}

/// What is in the folder is not what the app does now.
#[test]
fn another_app_is_noticed() {
    let folder = scratch();
    let app =
        "app one \"One\"\npackage org.one\nactivity MainActivity\n  screen main \"Main\"\n    button \"A\"\n";
    write(&folder.path().join("one.app"), app.as_bytes());
    let args = ["--device", "sim:./one.app", "--strategy", "aware", "--events", "50", "--out", "x"];
    explore(folder.path(), &args);
    write(&folder.path().join("one.app"), app.replace("\"A\"", "\"B\"").as_bytes());
    let said = retap(folder.path(), &["explore", "--resume", "x"]).output().expect("retap runs");
    assert_eq!(said.status.code(), Some(2), "{}", words(&said));
    assert!(words(&said).contains("has changed since; start again in a new folder"), "{}", words(&said));
}

/// Killed before each of its reductions was written down, and in the middle of one.
#[test]
fn every_crash_is_reduced_once() {
    let folder = scratch();
    let args = ["--device", "sim:notes", "--strategy", "timetravel", "--minutes", "120", "--seed", "9"];
    let (whole, _) = explore(folder.path(), &[&args[..], &["--reduce", "--out", "x"]].concat());
    let from = folder.path().join("x");
    let entries = log(&from);
    let reduced: Vec<_> = (0..entries.len()).filter(|at| entries[*at].kind == "reduced").collect();
    assert!(reduced.len() > 1 && whole["reduced"].as_array().map(Vec::len) == Some(reduced.len()), "{whole}");
    for (number, at) in reduced.iter().enumerate() {
        let out = format!("y{number}");
        let to = folder.path().join(&out);
        killed_after(&from, &to, *at, &mut Seed(number as u64).dice());
        for done in &reduced[..number] {
            let answer = entries[*done].data["trace"].as_str().expect("an answer");
            copy(&from.join(answer), &to.join(answer));
        }
        // Of this one half of the runs were made.
        let answer = Path::new(entries[*at].data["trace"].as_str().expect("an answer"));
        let session = answer.parent().expect("its folder");
        let entries = log(&from.join(session));
        let half = &entries[..entries.len() / 2];
        cut_log(&from.join(session), &to.join(session), half.len());
        let runs = half.iter().filter(|entry| ["run", "play"].contains(&&*entry.kind)).count();

        let (result, said) = explore(folder.path(), &["--resume", &out]);
        assert_eq!(said.status.code(), Some(1), "{}", words(&said));
        assert!(words(&said).contains(&format!("going on after {runs} recorded runs")), "{}", words(&said));
        let signatures = |list: &str| {
            let list = result[list].as_array().expect("a list");
            let mut signatures: Vec<_> = list.iter().map(|crash| crash["signature"].to_string()).collect();
            signatures.sort_unstable();
            signatures
        };
        assert_eq!(signatures("reduced"), signatures("crashes"), "each of them, and none twice");
        assert_eq!(but_for_folder(&result, &out), but_for_folder(&whole, "x"));
        for list in ["crashes", "reduced"] {
            for crash in result[list].as_array().expect("a list") {
                let trace = crash["trace"].as_str().expect("a path");
                assert!(folder.path().join(trace).exists(), "{trace}, from where retap was started");
            }
        }
    }
}

#[test]
fn a_crash_that_was_refused_is_not_reduced_again() {
    let folder = scratch();
    std::fs::write(folder.path().join("retap.toml"), "[reduce]\nmin-rate = 1\nconfirm = 7\n")
        .expect("a file");
    let args =
        ["--device", "sim:notes?flaky=0.9", "--strategy", "timetravel", "--minutes", "240", "--seed", "9"];
    let (whole, said) = explore(folder.path(), &[&args[..], &["--reduce", "--out", "x"]].concat());
    let reduced = whole["reduced"].as_array().expect("a list");
    assert!(!reduced.is_empty(), "{}", words(&said));
    // [reduce] in retap.toml holds.
    for crash in reduced.iter().filter(|crash| crash["status"] == "reduced") {
        assert_eq!(crash["confirmed"]["of"], 7, "{crash}");
    }
    let (again, said) = explore(folder.path(), &["--resume", "x"]);
    assert!(!words(&said).contains("reducing"), "{}", words(&said));
    assert_eq!((&again["reduced"], &again["events"]), (&whole["reduced"], &whole["events"]));
}

#[test]
fn going_on_takes_no_other_option() {
    let folder = scratch();
    let options = [
        "--device sim:notes",
        "--strategy monkey",
        "--events 5",
        "--minutes 5",
        "--idle-minutes 5",
        "--reduce",
        "--start x",
        "--look always",
        "--throttle 5",
        "--blind",
        "--timetravel easy=1",
        "--select own",
        "--no-snapshots",
        "--devices 2",
        "--pct-touch 50",
        "--seed 1",
        "--out y",
    ];
    for option in options {
        let args: Vec<_> = ["explore", "--resume", "x"].into_iter().chain(option.split(' ')).collect();
        let said = retap(folder.path(), &args).output().expect("retap runs");
        assert_eq!(said.status.code(), Some(2), "{option}: {}", words(&said));
        assert!(words(&said).contains("cannot be used with"), "{option}: {}", words(&said));
    }
}

/// A small file system of our own; none where mounting is not allowed.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path, size: &str) -> Option<Self> {
        std::fs::create_dir_all(at).expect("a scratch folder");
        mount(&format!("size={size}"), at).then(|| Self(at.to_owned()))
    }

    fn grow(&self, size: &str) {
        assert!(mount(&format!("remount,size={size}"), &self.0), "there is room for more");
    }
}

fn mount(options: &str, at: &Path) -> bool {
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output();
    mounted.is_ok_and(|said| said.status.success())
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}

/// Disks of many sizes, so that room runs out in the log, in a leg, in a crash's trace and in a reduction.
#[test]
fn a_full_disk_stops_it_and_room_lets_it_go_on() {
    let folder = scratch();
    let (mut full, mut with_crashes) = (0, 0);
    for size in (120..=1000).step_by(40) {
        let Some(disk) = Disk::mount(&folder.path().join(format!("disk{size}")), &format!("{size}k")) else {
            skipped(Requirement::Mounting, "mounting is not allowed here, so no disk can be made full");
            return;
        };
        let out = format!("disk{size}/x");
        let args = ["--device", "sim:notes", "--strategy", "timetravel", "--events", "1500", "--seed", "8"];
        let said = retap(
            folder.path(),
            &[&["explore", "--json", "-q", "--reduce"], &args[..], &["--out", &out]].concat(),
        )
        .output()
        .expect("retap runs");
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let Some(cut) = text.lines().last().map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        else {
            // There was not even room for an empty log.
            assert_eq!(said.status.code(), Some(2), "{}", words(&said));
            continue;
        };
        if cut["status"] == "done" {
            continue;
        }
        full += 1;
        assert_eq!((said.status.code(), &cut["status"]), (Some(2), &json!("cut_short")), "{}", words(&said));
        let dir = folder.path().join(&out);
        let before = recorded(&dir) as u64;
        // Events for whose records there was no room have been performed.
        assert!(before <= cut["events"].as_u64().expect("a number"), "{before}: {cut}");

        assert!(before < 2 || cut["states"].as_u64() > Some(0), "what was seen counts: {cut}");

        disk.grow("64m");
        let (result, said) = explore(folder.path(), &["--resume", &out]);
        assert!(
            before == 0 || words(&said).contains(&format!("going on after {before} recorded event")),
            "{}",
            words(&said)
        );
        assert_eq!(result["status"], "done", "{}", words(&said));
        assert_eq!(result["events"], 1500);
        assert_eq!(recorded(&dir), 1500, "each is recorded once");
        let signatures = |result: &Value, list: &str| {
            let list = result[list].as_array().expect("a list").clone();
            list.into_iter()
                .map(|crash| crash["signature"].to_string())
                .collect::<std::collections::BTreeSet<_>>()
        };
        let (known, found) = (signatures(&cut, "crashes"), signatures(&result, "crashes"));
        assert!(known.is_subset(&found), "{known:?} are kept: {found:?}");
        with_crashes += usize::from(!known.is_empty());
        assert_eq!(
            signatures(&result, "reduced"),
            found,
            "each is reduced, before or after: {}",
            words(&said)
        );
        for crash in result["crashes"].as_array().expect("a list") {
            let trace = folder.path().join(crash["trace"].as_str().expect("a path"));
            assert_eq!(Some(steps(&trace) as u64), crash["events"].as_u64(), "its trace is whole");
        }
    }
    assert!(full > 2 && with_crashes > 0, "{full} disks were full, {with_crashes} after a crash was found");
}

/// What people are told of a full disk.
#[test]
fn a_full_disk_gets_one_sentence() {
    let folder = scratch();
    for size in ["150k", "200k", "250k"] {
        let Some(_disk) = Disk::mount(&folder.path().join("disk"), size) else {
            skipped(Requirement::Mounting, "mounting is not allowed here, so no disk can be made full");
            return;
        };
        let args =
            ["explore", "--device", "sim:notes", "--events", "30000", "--seed", "3", "--out", "disk/x"];
        let said = retap(folder.path(), &args).output().expect("retap runs");
        let words = words(&said);
        assert_eq!(said.status.code(), Some(2), "{words}");
        let about: Vec<_> = words.lines().filter(|line| line.contains("full")).collect();
        assert!(about.len() == 1 && about[0].starts_with("cut short: the disk of disk/x"), "{words}");
        assert!(words.contains("go on with\n  retap explore --resume disk/x"), "{words}");
    }
}
