//! Writers that die, and writers that meet. The children are this very program, started again.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use retap_store::{BlobId, Session, SessionView, StoreError};
use retap_trace::{Micros, Seed};
use serde_json::json;

use crate::{entries, files, plan};

const DIR: &str = "RETAP_STORE_TEST_DIR";
const CLOSING: &str = "RETAP_STORE_TEST_CLOSING";

/// What a writer does with its session between entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// Keeps it open.
    Open,
    /// Closes and opens it now and then, so that a kill may hit that as well.
    Closing,
}

/// A writer in another process.
pub(crate) struct Writer {
    child: Child,
    acknowledged: io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Writer {
    /// Starts it.
    pub(crate) fn start(dir: &Path, keeping: Keeping) -> Self {
        let mut command = Command::new(env::current_exe().expect("this program has a path"));
        if keeping == Keeping::Closing {
            command.env(CLOSING, "yes");
        }
        let mut child = command
            .args(["--exact", "kill::writes_until_killed", "--ignored", "--nocapture"])
            .env(DIR, dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts");
        let acknowledged = BufReader::new(child.stdout.take().expect("piped")).lines();
        Self { child, acknowledged }
    }

    /// Waits for so many acknowledgements; returns the number of the last one.
    pub(crate) fn wait_for(&mut self, count: usize) -> Option<u64> {
        (0..count).map_while(|_| self.next()).last()
    }

    /// Kills it; returns the number of the last entry that it has acknowledged since.
    pub(crate) fn kill(mut self) -> Option<u64> {
        self.child.kill().expect("it may be killed");
        self.child.wait().expect("it ends");
        std::iter::from_fn(|| self.next()).last()
    }

    fn next(&mut self) -> Option<u64> {
        self.acknowledged
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("kept ").and_then(|number| number.parse().ok()))
    }
}

/// The content of the nth blob: large enough that a kill may hit the middle.
fn content(n: u64) -> Vec<u8> {
    let mut bytes = n.to_le_bytes().repeat(8192);
    bytes.truncate(1 + usize::try_from(n * 7919 % 65_536).expect("small"));
    bytes
}

#[test]
#[ignore = "the child of the other tests; run by hand it does nothing"]
fn writes_until_killed() {
    let Ok(dir) = env::var(DIR) else { return };
    let mut session = Session::create_or_open(&dir, &plan()).unwrap();
    let first = session.last_seq().unwrap().0 + 1;
    let mut out = io::stdout().lock();
    writeln!(out).unwrap();
    for n in first.. {
        let blob = session.put(&content(n)).unwrap();
        let seq = session.append("run", Micros(n), &json!({"n": n, "blob": blob})).unwrap();
        assert_eq!(seq.0, n);
        writeln!(out, "kept {n}").unwrap();
        out.flush().unwrap();
        if n % 4 == 0 && env::var(CLOSING).is_ok() {
            session.close().unwrap();
            session = Session::open(&dir).unwrap();
        }
    }
}

/// All that was acknowledged is there, in order, without gaps, with its blobs, and nothing lies about.
#[track_caller]
fn check(session: &SessionView, kept: u64, seed: Seed) {
    let stored = entries(session);
    assert!(stored.len() as u64 >= kept, "{seed:?}: {kept} were acknowledged, {} are there", stored.len());
    for (entry, n) in stored.iter().zip(1_u64..) {
        assert_eq!((entry.seq.0, entry.data["n"].as_u64()), (n, Some(n)), "{seed:?}");
        let blob: BlobId = entry.data["blob"].as_str().expect("text").parse().expect("a blob id");
        assert_eq!(blob, BlobId::of(&content(n)), "{seed:?}");
        assert!(session.has(&blob), "{seed:?}: blob of entry {n}");
    }
    assert_eq!(session.integrity(), Ok(vec![]), "{seed:?}");
    let known = ["session.db", "session.db-shm", "session.db-wal", "session.lock"];
    let names: BTreeSet<_> = files(session.dir())
        .into_iter()
        .filter(|path| !path.starts_with(session.dir().join("blobs")) || path.extension().is_some())
        .map(|path| path.file_name().expect("a file").to_owned())
        .collect();
    assert!(names.iter().all(|name| known.iter().any(|known| name == known)), "{seed:?}: {names:?}");
}

#[test]
fn nothing_acknowledged_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let mut kept = 0;
    for round in 0..30 {
        let seed = Seed(2026).branch("kill", round);
        let mut dice = seed.dice();
        let keeping = if round % 2 == 0 { Keeping::Open } else { Keeping::Closing };
        let mut writer = Writer::start(home.path(), keeping);
        // The first rounds are killed while the session is being created, more or less.
        let count = if round < 5 { 0 } else { dice.index(60) };
        kept = writer.wait_for(count).unwrap_or(kept);
        let delay = if count == 0 { dice.below(12_000) } else { dice.below(2_000) };
        thread::sleep(Duration::from_micros(delay));
        kept = writer.kill().unwrap_or(kept);

        // Readers first: they see it all without mending anything.
        match SessionView::open(home.path()) {
            Ok(view) => assert!(view.last_seq().unwrap().0 >= kept, "{seed:?}"),
            Err(error) => {
                assert!(matches!(error, StoreError::NoSession { .. }) && kept == 0, "{seed:?}: {error}");
            }
        }
        check(&Session::create_or_open(home.path(), &plan()).unwrap(), kept, seed);
    }
    assert!(kept > 100, "the writers hardly wrote: {kept}");
}

#[test]
fn a_session_killed_while_it_is_created_can_be_created() {
    for round in 0..15 {
        let seed = Seed(2027).branch("create", round);
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("s");
        let writer = Writer::start(&dir, Keeping::Open);
        thread::sleep(Duration::from_micros(seed.dice().below(8_000)));
        let kept = writer.kill().unwrap_or(0);
        check(&Session::create_or_open(&dir, &plan()).unwrap(), kept, seed);
    }
}

#[test]
fn leftovers_of_a_killed_writer_are_swept() {
    let home = tempfile::tempdir().unwrap();
    Session::create(home.path(), &plan()).unwrap().put(b"x").unwrap();
    let leftover = home.path().join("blobs/incoming.tmp");
    fs::write(&leftover, "half a blo").unwrap();
    drop(SessionView::open(home.path()).unwrap());
    assert!(leftover.exists(), "readers change nothing");
    drop(Session::open(home.path()).unwrap());
    assert!(!leftover.exists());
}

#[test]
fn two_writers_cannot_meet() {
    let home = tempfile::tempdir().unwrap();
    let mut writer = Writer::start(home.path(), Keeping::Open);
    let kept = writer.wait_for(3).unwrap();
    let pid = writer.child.id();
    for refused in [
        Session::open(home.path()),
        Session::create(home.path(), &plan()),
        Session::create_or_open(home.path(), &plan()),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error, StoreError::InUse { dir: home.path().to_owned(), pid: Some(pid) });
        assert_eq!(
            error.to_string(),
            format!(
                "session {} is in use by process {pid}; wait for it or choose another --out",
                home.path().display()
            )
        );
    }
    let view = SessionView::open(home.path()).unwrap();
    assert!(view.last_seq().unwrap().0 >= kept);
    let kept = writer.kill().unwrap_or(kept);
    let session = Session::open(home.path()).unwrap();
    check(&session, kept, Seed(0));
    // The same holds inside one process.
    let here = StoreError::InUse { dir: home.path().to_owned(), pid: Some(std::process::id()) };
    assert_eq!(Session::open(home.path()).unwrap_err(), here);
    drop(session);
    Session::open(home.path()).unwrap();
}
