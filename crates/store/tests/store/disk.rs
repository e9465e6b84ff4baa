//! Full and read-only disks, made of small memory disks where mounting is permitted.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use retap_store::{Session, SessionView, StoreError, write_beside};
use retap_testing::{Requirement, skipped};
use retap_trace::Micros;
use tempfile::TempDir;

use crate::kill::{Keeping, Writer};
use crate::{entries, files, plan};

/// A small disk in memory. It goes with the value.
struct Disk {
    home: TempDir,
}

impl Disk {
    /// Mounts it; none, with a word about it, where that is not permitted.
    fn mount(options: &str) -> Option<Self> {
        let disk = Self { home: tempfile::tempdir().expect("a folder") };
        let done = run("mount", &["-t", "tmpfs", "-o", options, "tmpfs"], disk.path());
        if !done {
            skipped(Requirement::Mounting, "mounting a small disk is not permitted here");
        }
        done.then_some(disk)
    }

    fn path(&self) -> &Path {
        self.home.path()
    }

    fn make_read_only(&self) {
        // A child that another test is just starting may have a file of it open for a moment.
        let done = (0..500).any(|_| {
            thread::sleep(Duration::from_millis(2));
            run("mount", &["-o", "remount,ro"], self.path())
        });
        assert!(done, "the disk stays busy");
    }

    /// Fills the disk but for so many bytes, with a file that can be emptied to make room again.
    fn fill_but(&self, left: u64) -> PathBuf {
        let ballast = self.path().join("ballast");
        let mut file = fs::File::create(&ballast).expect("room for a name");
        while file.write_all(&[1; 4096]).is_ok() {}
        let size = file.metadata().expect("it is there").len();
        file.set_len(size.saturating_sub(left)).expect("shrinking needs no room");
        ballast
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, for the same reason.
        run("umount", &["--lazy"], self.home.path());
    }
}

fn run(program: &str, arguments: &[&str], path: &Path) -> bool {
    let command = Command::new(program).args(arguments).arg(path).stderr(Stdio::null()).status();
    command.is_ok_and(|status| status.success())
}

/// Empties the file. Removing it would not do while a child that is just being started has it open.
fn make_room(ballast: &Path) {
    fs::File::create(ballast).expect("it can be emptied");
}

#[track_caller]
fn assert_full(error: &StoreError, disk: &Disk) {
    assert!(matches!(error, StoreError::Full { path } if path.starts_with(disk.path())), "{error}");
}

#[test]
fn a_full_disk_loses_nothing_that_was_kept() {
    let Some(disk) = Disk::mount("size=256k") else { return };
    let dir = disk.path().join("s");
    let ballast = disk.path().join("ballast");
    fs::write(&ballast, vec![1; 65_536]).unwrap();
    let mut session = Session::create(&dir, &plan()).unwrap();
    let text = "x".repeat(700);
    let (mut kept, error) = loop {
        let n = session.last_seq().unwrap().0;
        match session.append("run", Micros(n), &(n, &text)) {
            Ok(seq) => assert_eq!(seq.0, n + 1),
            Err(error) => break (n, error),
        }
    };
    assert_full(&error, &disk);
    assert!(kept > 5, "{kept}");
    assert_eq!(entries(&session).len() as u64, kept, "it is still readable");
    make_room(&ballast);
    kept += 1;
    assert_eq!(session.append("run", Micros(0), &(kept, &text)).unwrap().0, kept, "with room it goes on");
    assert_eq!(session.integrity(), Ok(vec![]));
    session.close().unwrap();
    assert_eq!(entries(&Session::open(&dir).unwrap()).len() as u64, kept);
}

#[test]
fn blobs_and_outputs_on_a_full_disk_are_whole_or_absent() {
    let Some(disk) = Disk::mount("size=512k") else { return };
    let dir = disk.path().join("s");
    let output = disk.path().join("out.jsonl");
    write_beside(&output, |file| file.write_all(b"old")).unwrap();
    let mut session = Session::create(&dir, &plan()).unwrap();
    let mut put = Vec::new();
    let error = loop {
        let content = vec![u8::try_from(put.len()).unwrap(); 30_000];
        match session.put(&content) {
            Ok(id) => put.push((id, content)),
            Err(error) => break error,
        }
    };
    assert_full(&error, &disk);
    let error = write_beside(&output, |file| file.write_all(&vec![2; 100_000])).unwrap_err();
    assert_full(&error, &disk);
    assert_eq!(fs::read(&output).unwrap(), b"old");
    assert!(put.len() > 3 && put.iter().all(|(id, content)| session.get(id).unwrap() == *content));
    assert_eq!(session.integrity(), Ok(vec![]));
    let left = files(disk.path()).into_iter().find(|path| path.extension().is_some_and(|end| end == "tmp"));
    assert_eq!(left, None);
}

#[test]
fn creating_on_a_full_disk_fails_clearly_and_works_once_there_is_room() {
    let mut failures = 0;
    for left in (0..40).map(|pages| pages * 4096) {
        let Some(disk) = Disk::mount("size=400k") else { return };
        let ballast = disk.fill_but(left);
        let dir = disk.path().join("s");
        match Session::create(&dir, &plan()).and_then(|mut session| session.append("run", Micros(1), &1)) {
            Ok(_) => {}
            Err(error) => {
                assert_full(&error, &disk);
                failures += 1;
            }
        }
        make_room(&ballast);
        let mut session = Session::create_or_open(&dir, &plan()).unwrap();
        session.append("run", Micros(1), &1).unwrap();
        assert_eq!(session.integrity(), Ok(vec![]));
    }
    assert!((1..40).contains(&failures), "{failures}");
}

#[test]
fn a_disk_without_room_for_names_is_full_too() {
    for names in 3..9 {
        let Some(disk) = Disk::mount(&format!("size=1m,nr_inodes={names}")) else { return };
        let done = Session::create(disk.path(), &plan()).and_then(|mut session| {
            session.append("run", Micros(1), &1)?;
            session.put(b"screen")
        });
        if let Err(error) = done {
            assert_full(&error, &disk);
        }
    }
}

#[test]
fn a_read_only_disk_is_for_reading() {
    let Some(disk) = Disk::mount("size=2m") else { return };
    let (dir, output) = (disk.path().join("s"), disk.path().join("out.jsonl"));
    write_beside(&output, |file| file.write_all(b"old")).unwrap();
    let mut session = Session::create(&dir, &plan()).unwrap();
    let id = session.put(b"screen").unwrap();
    session.append("run", Micros(1), &id).unwrap();
    session.close().unwrap();
    disk.make_read_only();

    let read_only = StoreError::ReadOnly { path: dir.clone() };
    assert_eq!(Session::open(&dir).unwrap_err(), read_only);
    assert_eq!(Session::create_or_open(&dir, &plan()).unwrap_err(), read_only);
    let new = disk.path().join("new");
    assert_eq!(Session::create(&new, &plan()).unwrap_err(), StoreError::ReadOnly { path: new });
    let error = write_beside(&output, |file| file.write_all(b"new")).unwrap_err();
    assert_eq!(error, StoreError::ReadOnly { path: output });

    let view = SessionView::open(&dir).unwrap();
    assert_eq!(entries(&view).len(), 1);
    assert_eq!(view.get(&id).unwrap(), b"screen");
    assert_eq!(view.integrity(), Ok(vec![]));
}

#[test]
fn a_killed_session_on_a_read_only_disk_can_be_read() {
    let Some(disk) = Disk::mount("size=64m") else { return };
    let mut writer = Writer::start(disk.path(), Keeping::Open);
    let kept = writer.wait_for(20).unwrap();
    let kept = writer.kill().unwrap_or(kept);
    disk.make_read_only();
    let view = SessionView::open(disk.path()).unwrap();
    assert!(entries(&view).len() as u64 >= kept);
    assert_eq!(view.integrity(), Ok(vec![]));
}
