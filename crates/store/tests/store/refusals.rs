//! Folders that are not what they should be: one clear sentence, and nothing touched.

use std::fs;
use std::path::Path;

use retap_store::{Session, SessionView, StoreError};
use retap_trace::Micros;
use rusqlite::Connection;

use crate::{entries, files, plan};

/// Every way in refuses with the same error and changes no file.
#[track_caller]
fn all_refuse(dir: &Path, expected: &StoreError) {
    let before: Vec<_> = if dir.is_dir() { files(dir) } else { Vec::new() };
    let bytes: Vec<_> = before.iter().map(|path| fs::read(path).expect("readable")).collect();
    for refused in [
        Session::create(dir, &plan()).map(drop),
        Session::open(dir).map(drop),
        Session::create_or_open(dir, &plan()).map(drop),
        SessionView::open(dir).map(drop),
    ] {
        assert_eq!(refused.expect_err("refused"), *expected);
    }
    if dir.is_dir() {
        assert_eq!(files(dir), before, "no file comes or goes");
        let after: Vec<_> = before.iter().map(|path| fs::read(path).expect("readable")).collect();
        assert_eq!(after, bytes, "no file changes");
    }
}

#[test]
fn another_programs_database() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("session.db");
    for setup in [
        "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);",
        "PRAGMA application_id = 12345;",
        "PRAGMA user_version = 3;",
        "PRAGMA journal_mode = WAL; CREATE TABLE theirs (x);",
    ] {
        let _ = fs::remove_file(&db);
        Connection::open(&db).unwrap().execute_batch(setup).unwrap();
        all_refuse(home.path(), &StoreError::Foreign { path: db.clone() });
    }
    let message = Session::open(home.path()).unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "{} was not written by retap, or is damaged; move it away or choose another --out",
            db.display()
        )
    );
}

#[test]
fn folders_with_odd_names() {
    let home = tempfile::tempdir().unwrap();
    for name in ["a b%20c", "?immutable=0#x", "file:", "ü\u{1F980}", "'\"&;"] {
        let (ours, theirs) = (home.path().join(name).join("ours"), home.path().join(name).join("theirs"));
        Session::create(&ours, &plan()).unwrap().append("run", Micros(1), &1).unwrap();
        assert_eq!(entries(&SessionView::open(&ours).unwrap()).len(), 1);
        assert_eq!(Session::open(&ours).unwrap().integrity(), Ok(vec![]));
        fs::create_dir(&theirs).unwrap();
        let db = theirs.join("session.db");
        Connection::open_with_flags(
            &db,
            rusqlite::OpenFlags::default() - rusqlite::OpenFlags::SQLITE_OPEN_URI,
        )
        .unwrap()
        .execute_batch("CREATE TABLE theirs (x)")
        .unwrap();
        all_refuse(&theirs, &StoreError::Foreign { path: db });
    }
}

#[test]
fn no_database_at_all() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("session.db");
    for garbage in [&b"hello"[..], &[0xA5; 10_000], &[0; 3000], b"SQLite format 3\0 and then nonsense"] {
        fs::write(&db, garbage).unwrap();
        all_refuse(home.path(), &StoreError::Foreign { path: db.clone() });
    }
    fs::remove_file(&db).unwrap();
    fs::create_dir(&db).unwrap();
    all_refuse(home.path(), &StoreError::Foreign { path: db });
}

#[test]
fn a_later_format() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("s");
    Session::create(&dir, &plan()).unwrap().close().unwrap();
    Connection::open(dir.join("session.db")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    all_refuse(&dir, &StoreError::Newer { dir: dir.clone(), found: 99, known: 1 });
}

#[test]
fn a_file_in_the_way() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "mine").unwrap();
    all_refuse(&file, &StoreError::NotAFolder { path: file.clone() });
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let below = file.join("deeper");
    assert_eq!(Session::create(&below, &plan()).unwrap_err(), StoreError::NotAFolder { path: below });
}

#[test]
fn nothing_to_open_and_nothing_made() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("a/b/c");
    assert_eq!(Session::open(&dir).unwrap_err(), StoreError::NoSession { dir: dir.clone() });
    assert_eq!(SessionView::open(&dir).unwrap_err(), StoreError::NoSession { dir: dir.clone() });
    assert!(!home.path().join("a").exists());
    Session::create(&dir, &plan()).unwrap();
    assert_eq!(Session::create(&dir, &plan()).unwrap_err(), StoreError::Exists { dir });
}

#[test]
fn a_half_created_session_begins_anew() {
    let leftovers: [fn(&Path); 4] = [
        |_| {},
        |dir| fs::write(dir.join("session.lock"), "4242").unwrap(),
        |dir| fs::write(dir.join("session.db"), "").unwrap(),
        |dir| {
            let connection = Connection::open(dir.join("session.db")).unwrap();
            connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
        },
    ];
    for leave in leftovers {
        let home = tempfile::tempdir().unwrap();
        leave(home.path());
        let none = StoreError::NoSession { dir: home.path().to_owned() };
        assert_eq!(Session::open(home.path()).unwrap_err(), none);
        assert_eq!(SessionView::open(home.path()).unwrap_err(), none);
        let mut session = Session::create(home.path(), &plan()).unwrap();
        session.append("run", Micros(1), &1).unwrap();
        session.close().unwrap();
        assert_eq!(entries(&Session::open(home.path()).unwrap()).len(), 1);
    }
}

#[test]
fn a_damaged_database_says_so() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    session.append_all((0..5000).map(|n| ("run", Micros(n), "some text to fill pages with"))).unwrap();
    session.close().unwrap();
    let db = home.path().join("session.db");
    let mut bytes = fs::read(&db).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 20_000].fill(0xEE);
    fs::write(&db, bytes).unwrap();
    let view = SessionView::open(home.path()).unwrap();
    assert!(!view.integrity().unwrap().is_empty());
    let error = view.read(&[], retap_store::Seq::START).find_map(Result::err).unwrap();
    assert!(matches!(&error, StoreError::Damaged { path, .. } if *path == db), "{error}");
}
