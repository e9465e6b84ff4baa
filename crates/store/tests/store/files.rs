//! Writing outputs beside: wholly new, or just as it was.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use retap_store::{StoreError, write_beside};

use crate::files;

#[test]
fn a_failure_keeps_the_old_file() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("out.jsonl");
    write_beside(&path, |file| file.write_all(b"old")).unwrap();
    let error = write_beside(&path, |file| {
        file.write_all(&vec![1; 100_000])?;
        Err(io::Error::other("the trace ends early"))
    });
    let message = error.unwrap_err().to_string();
    assert!(message.contains("out.jsonl: the trace ends early"), "{message}");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        write_beside(&path, |file| {
            file.write_all(b"new")?;
            panic!("in the middle")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(files(home.path()), std::slice::from_ref(&path), "nothing is left beside it");
    write_beside(&path, |file| write!(file, "new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[test]
fn folders_are_made_and_names_may_be_long() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a/b").join("n".repeat(255));
    write_beside(&path, |file| file.write_all(b"x")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"x");
}

#[test]
fn a_folder_or_a_protected_file_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let error = write_beside(home.path(), |file| file.write_all(b"x")).unwrap_err();
    assert_eq!(error, StoreError::IsAFolder { path: home.path().to_owned() });
    let path = home.path().join("mine");
    fs::write(&path, "mine").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let error = write_beside(&path, |file| file.write_all(b"x")).unwrap_err();
    assert_eq!(error, StoreError::ReadOnly { path: path.clone() });
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    let below = path.join("deeper");
    let error = write_beside(&below, |file| file.write_all(b"x")).unwrap_err();
    assert!(error.to_string().contains("deeper"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_permissions_and_devices_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = tempfile::tempdir().unwrap();
    let (target, link) = (home.path().join("target"), home.path().join("link"));
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("target", &link).unwrap();
    write_beside(&link, |file| file.write_all(b"new")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);

    let null = home.path().join("null");
    symlink("/dev/null", &null).unwrap();
    write_beside(&null, |file| file.write_all(b"gone")).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

/// A process that was killed has left its file; one that is still there holds it.
#[test]
fn what_a_killed_writer_has_left_beside_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    for name in [".retap-7-0.tmp", ".retap-8-3.tmp", ".retap-mine.tmp", "retap-7-0.tmp"] {
        fs::write(at(name), b"half").unwrap();
    }
    let used = fs::File::open(at(".retap-8-3.tmp")).unwrap();
    used.lock().unwrap();
    write_beside(at("out.xml"), |file| {
        let beside = files(home.path());
        assert!(
            beside.iter().any(|path| path.to_string_lossy().contains(&format!("-{}-", std::process::id())))
        );
        file.write_all(b"new")
    })
    .unwrap();
    let kept = [".retap-8-3.tmp", ".retap-mine.tmp", "out.xml", "retap-7-0.tmp"].map(at);
    assert_eq!(files(home.path()), kept);
}
