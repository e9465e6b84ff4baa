//! What is ended, and what is left alone.

#![cfg(target_os = "linux")]

use std::process::{Child, Command};

use super::*;

const PLENTY: Most =
    Most { threads: 1_000, processes: 1_000, memory_mb: 1_000, folder_mb: 1_000, files: 1_000 };

fn shell(script: &str, folder: &Path) -> Child {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).current_dir(folder);
    crate::spawn::spawn(command).unwrap()
}

/// Why a script is ended that would not end by itself.
fn ended(script: &str, most: Most) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = shell(script, folder.path());
    let warden = Warden::start(child.id(), Some(folder.path().to_owned()), most).unwrap();
    let why = retap_testing::until_some("it is ended", || warden.watch.state.lock().unwrap().why.clone());
    assert_eq!(warden.stop(), Some(why.clone()));
    crate::spawn::end(&mut child);
    why
}

#[test]
fn what_takes_too_much_is_ended_with_all_that_it_has_started() {
    let many = "for n in 1 2 3 4 5 6; do sleep 1000 & done; (sleep 1000 & wait) & wait";
    assert_eq!(ended(many, Most { processes: 8, ..PLENTY }), "it had more than 8 processes");
    assert_eq!(ended(many, Most { threads: 8, ..PLENTY }), "it had more than 8 threads");
    assert_eq!(ended(many, Most { memory_mb: 1, ..PLENTY }), "it took more than 1 MB of memory");
    let files = "mkdir a; for n in 1 2 3 4 5; do echo 1 > a/$n; done; sleep 1000";
    assert_eq!(ended(files, Most { files: 5, ..PLENTY }), "it made more than 5 files");
    let large = "dd if=/dev/zero of=a bs=1M count=3 2>/dev/null; sleep 1000";
    assert_eq!(ended(large, Most { folder_mb: 2, ..PLENTY }), "it wrote more than 2 MB of files");
}

#[test]
fn what_takes_little_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = shell("truncate -s 100G holes; sleep 1000 & wait", folder.path());
    let counted = || Taken::by(child.id(), &PLENTY);
    retap_testing::until("both run", || counted().threads == 2 && folder.path().join("holes").exists());
    assert!(counted().memory_kb > 0);
    assert_eq!(PLENTY.exceeded(child.id(), Some(folder.path())), None);
    let warden = Warden::start(child.id(), Some(folder.path().to_owned()), PLENTY).unwrap();
    assert_eq!(warden.stop(), None);
    crate::spawn::end(&mut child);
}
