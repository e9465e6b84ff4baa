//! `retap explore --resume`: whenever an exploration was stopped, nothing of it is lost and all of it counts.
//!
//! A process that was killed after some entry of its log leaves what is in the log until then, and the traces. So a
//! folder in that state is made of a finished one: the same at every run, at any moment one likes.

use std::path::{Path, PathBuf};
use std::process::Command;

use retap_store::{Entry, Seq, Session, SessionView};
use retap_testing::{Requirement, skipped};
use retap_trace::Micros;
use serde_json::{Value, json};

use crate::tool::{explore, retap, scratch, words};

fn log(dir: &Path) -> Vec<Entry> {
    let view = SessionView::open(dir).expect("a session");
    view.read(&[], Seq::START).collect::<Result<_, _>>().expect("a log")
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

/// The exploration in `from` as if it had been killed after so many entries, in `to`: with the legs that had begun.
fn killed_after(from: &Path, to: &Path, entries: usize) {
    cut_log(from, to, entries);
    let begun = log(to).into_iter().filter(|entry| entry.kind == "leg begun");
    for name in begun.map(|entry| PathBuf::from(entry.data["trace"].as_str().expect("a name"))) {
        copy(&from.join("traces").join(&name), &to.join("traces").join(&name));
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("a scratch folder");
    std::fs::copy(from, to).expect("a copy");
}

fn steps(trace: &Path) -> usize {
    std::fs::read_to_string(trace).expect("a trace").lines().count().saturating_sub(1)
}

fn recorded(dir: &Path) -> usize {
    let traces = std::fs::read_dir(dir.join("traces")).expect("traces");
    traces.map(|entry| steps(&entry.expect("an entry").path())).sum()
}

/// The place of an entry in a log, some way through.
fn place(log: &[Entry], fits: impl Fn(&Entry) -> bool) -> usize {
    let from = log.len() / 2;
    from + log[from..].iter().position(fits).expect("there are many of them")
}

#[test]
fn what_going_back_has_cost_goes_on_counting() {
    let folder = scratch();
    let device = "sim:flashcards?badload=0.4&garbage=0.4";
    let args =
        ["--device", device, "--strategy", "timetravel", "--minutes", "40", "--seed", "5", "--out", "x"];
    let (whole, _) = explore(folder.path(), &args);
    let dir = folder.path().join("x");
    let entries = log(&dir);
    let travelled = |entry: &Entry| entry.kind == "leg begun" && !entry.data["after"].is_null();
    let cut = place(&entries, travelled) + 1;
    killed_after(&dir, &folder.path().join("y"), cut);
    // What had been written by then is what had been counted by then.
    let so_far = &entries[cut - 1].data["travels"];
    let count = |kind: &str| entries[..cut].iter().filter(|entry| entry.kind == kind).count();
    let restores = entries[..cut].iter().filter(|entry| travelled(entry)).count();
    assert_eq!(so_far["restores"], json!(restores), "{so_far}");
    assert!(so_far["lost"].as_u64() > Some(0), "some loads fail: {so_far}");

    let (result, said) = explore(folder.path(), &["--resume", "y"]);
    assert_eq!(result["status"], "done", "{}", words(&said));
    let travels = &result["travels"];
    assert!(travels["saves"].as_u64() >= Some(count("saved") as u64), "{travels}");
    for (name, before) in [("restores", "restores"), ("lost", "lost")] {
        assert!(travels[name].as_u64() >= so_far[before].as_u64(), "{name}: {travels} after {so_far}");
    }
    for (name, before) in [("save_seconds", "saving"), ("restore_seconds", "restoring")] {
        let before = so_far[before].as_f64().expect("a number") / 1e6;
        assert!(travels[name].as_f64() >= Some(before) && before > 0.0, "{name}: {travels} after {so_far}");
    }
    let log = log(&folder.path().join("y"));
    let count = |fits: &dyn Fn(&Entry) -> bool| json!(log.iter().filter(|entry| fits(entry)).count());
    assert_eq!(travels["saves"], count(&|entry| entry.kind == "saved"));
    assert_eq!(travels["restores"], count(&travelled));

    // Nothing is added when there is nothing left to do.
    let (again, _) = explore(folder.path(), &["--resume", "x"]);
    assert_eq!((&again["travels"], &again["looks"]), (&whole["travels"], &whole["looks"]));
}

#[test]
fn the_time_of_a_killed_leg_is_written_down() {
    let folder = scratch();
    let args = ["--device", "sim:flashcards", "--strategy", "timetravel", "--minutes", "40", "--seed", "5"];
    explore(folder.path(), &[&args[..], &["--out", "x"]].concat());
    let (from, to) = (folder.path().join("x"), folder.path().join("y"));
    let entries = log(&from);
    // A leg far from the start, with steps: its own time is a small part of that since the clean start.
    let leg = place(&entries, |entry| {
        let name = entry.data["trace"].as_str().map(|name| from.join("traces").join(name));
        entry.kind == "leg begun"
            && entry.data["after"][1].as_u64() > Some(5)
            && steps(&name.expect("a name")) > 1
    });
    killed_after(&from, &to, leg + 1);
    let number = entries[leg].data["leg"].clone();
    let of_leg = |entry: &&Entry| entry.kind == "leg ended" && entry.data["leg"] == number;
    let took = |entry: &Entry| entry.data["took"].as_u64().expect("a number");
    let true_end = entries.iter().find(of_leg).expect("it ended in the end");
    explore(folder.path(), &["--resume", "y"]);

    let after = log(&to);
    let killed = after.iter().find(of_leg).expect("the next process writes it");
    assert_eq!(killed.data["end"], "killed");
    assert!((1..=took(true_end)).contains(&took(killed)), "{} of {}", took(killed), took(true_end));
    assert_eq!(killed.at, entries[leg].at + Micros(took(killed)), "after {}", entries[leg].at);
    assert!(after.is_sorted_by_key(|entry| entry.at), "time goes on from there");
    let all: u64 = after.iter().filter(|entry| entry.kind == "leg ended").map(took).sum();
    assert_eq!(after.last().map(|entry| entry.at), Some(Micros(all)));
}

#[test]
fn nothing_new_is_counted_from_when_something_was() {
    let folder = scratch();
    let args = ["--device", "sim:notes", "--strategy", "aware", "--minutes", "6000", "--idle-minutes", "10"];
    let (whole, _) = explore(folder.path(), &[&args[..], &["--seed", "3", "--out", "x"]].concat());
    assert!(whole["device_seconds"].as_f64() > Some(1200.0), "{whole}");
    let (from, to) = (folder.path().join("x"), folder.path().join("y"));
    let late = |entry: &Entry| entry.kind == "leg begun" && entry.at > Micros::from_secs(600);
    let cut = log(&from).iter().position(late).expect("a leg after ten minutes");
    killed_after(&from, &to, cut);
    let before = recorded(&to) as u64;
    let (result, _) = explore(folder.path(), &["--resume", "y"]);
    assert!(result["events"].as_u64() > Some(before), "it is not over: {result} after {before} events");
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
        killed_after(&from, &to, *at);
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
        // Those of before, and the one that was under way, are what they would have been.
        for earlier in 0..=number {
            let mut same = whole["reduced"][earlier].clone();
            same["trace"] = Value::from(same["trace"].as_str().expect("a path").replacen('x', &out, 1));
            assert_eq!(result["reduced"][earlier], same);
        }
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
        // The event for whose record there was no room has been performed.
        assert!(
            (before..=before + 1).contains(&cut["events"].as_u64().expect("a number")),
            "{before}: {cut}"
        );

        assert!(before < 2 || cut["states"].as_u64() > Some(0), "what was seen counts: {cut}");

        disk.grow("64m");
        let (result, said) = explore(folder.path(), &["--resume", &out]);
        assert!(
            words(&said).contains(&format!("going on after {before} recorded event")),
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
