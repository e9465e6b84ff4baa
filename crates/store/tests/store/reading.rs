//! The log and the blobs as readers see them.

use std::fs;

use retap_store::{BlobId, Plan, Seq, Session, SessionView, StoreError};
use retap_trace::Micros;
use serde_json::{Value, json};

use crate::{entries, files, plan};

#[test]
fn the_plan_is_kept_for_comparison() {
    let home = tempfile::tempdir().unwrap();
    drop(Session::create(home.path(), &plan()).unwrap());
    let other = Plan::new("0.2.0", "explore", json!(null));
    let session = Session::create_or_open(home.path(), &other).unwrap();
    assert_eq!(*session.plan(), plan());
    assert_ne!(*session.plan(), other);
}

#[test]
fn the_log_is_read_in_order_by_kind_and_place() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    assert_eq!(session.last_seq(), Ok(Seq::START));
    let kinds = ["run", "state", "note"];
    // More than a few pages of them.
    let last = session
        .append_all((0..1000_u64).map(|n| (kinds[usize::try_from(n % 3).unwrap()], Micros(n * 10), n)))
        .unwrap();
    assert_eq!((last, session.last_seq()), (Seq(1000), Ok(Seq(1000))));
    let numbers = |kinds: &[&str], after| -> Vec<u64> {
        session.read(kinds, Seq(after)).map(|entry| entry.unwrap().data.as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&[], 0), (0..1000).collect::<Vec<_>>());
    assert_eq!(numbers(&["state"], 0), (0..1000).filter(|n| n % 3 == 1).collect::<Vec<_>>());
    assert_eq!(numbers(&["note", "run"], 500), (500..1000).filter(|n| n % 3 != 1).collect::<Vec<_>>());
    assert_eq!(numbers(&["nothing"], 0), [0_u64; 0]);
    assert_eq!(numbers(&[], 1000), [0_u64; 0]);
    let entry = session.read(&[], Seq(41)).next().unwrap().unwrap();
    assert_eq!((entry.seq, entry.kind.as_str(), entry.at), (Seq(42), "note", Micros(410)));
}

#[test]
fn appending_is_all_or_nothing() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    let nested = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let error = session.append_all([("a", Micros(1), json!(1)), ("b", Micros(2), nested)]).unwrap_err();
    assert!(matches!(error, StoreError::Unstorable { ref kind, .. } if kind == "b"), "{error}");
    assert_eq!(session.last_seq(), Ok(Seq::START));
    assert_eq!(session.append_all::<&str, Value>([]), Ok(Seq::START));
    assert_eq!(session.append("a", Micros(u64::MAX), &"ü\0\n"), Ok(Seq(1)));
    let entry = &entries(&session)[0];
    assert_eq!((entry.at, &entry.data), (Micros(u64::MAX), &json!("ü\0\n")));
}

#[test]
fn a_reader_follows_a_writer() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    let view = SessionView::open(home.path()).unwrap();
    let mut seen = Seq::START;
    for n in 0..300_u64 {
        session.append("run", Micros(n), &n).unwrap();
        let new: Vec<_> = view.read(&["run"], seen).map(Result::unwrap).collect();
        assert_eq!(new.len(), 1, "an entry is seen as soon as it is appended");
        seen = new[0].seq;
        // A reader in the middle of the log hinders nobody.
        let mut reading = view.read(&[], Seq::START);
        reading.next().unwrap().unwrap();
        session.append("other", Micros(n), &n).unwrap();
        assert_eq!(reading.count() as u64, 2 * n + 1, "and it reads to the end that there is by then");
        seen = view.last_seq().unwrap().max(seen);
    }
    session.close().unwrap();
    assert_eq!(entries(&view).len(), 600, "the view outlives the writer");
    assert_eq!(view.integrity(), Ok(vec![]));
    let mut session = Session::open(home.path()).unwrap();
    session.append("run", Micros(0), &0).unwrap();
    assert_eq!(view.last_seq(), Ok(Seq(601)), "and sees the next writer");
}

#[test]
fn blobs_come_back_or_say_why_not() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    let content = vec![7; 100_000];
    let id = session.put(&content).unwrap();
    assert_eq!(session.put(&content), Ok(id), "once is enough");
    let empty = session.put(b"").unwrap();
    assert_eq!(empty.to_string(), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
    assert_eq!(session.get(&empty).unwrap(), b"");
    assert_eq!(SessionView::open(home.path()).unwrap().get(&id).unwrap(), content);
    assert_eq!(session.integrity(), Ok(vec![]));

    let path = home.path().join("blobs").join(&id.to_string()[..2]).join(&id.to_string()[2..]);
    fs::write(&path, "half").unwrap();
    assert_eq!(session.get(&id).unwrap_err(), StoreError::BlobDamaged { path: path.clone() });
    assert_eq!(session.integrity().unwrap(), [StoreError::BlobDamaged { path: path.clone() }.to_string()]);
    session.put(&content).unwrap();
    assert_eq!(session.get(&id).unwrap(), content, "putting it again mends it");

    fs::remove_file(&path).unwrap();
    assert!(!session.has(&id));
    let missing = StoreError::BlobMissing { id, dir: home.path().to_owned() };
    assert_eq!(session.get(&id).unwrap_err(), missing);
}

#[test]
fn blob_ids_are_read_back_from_text() {
    let id = BlobId::of(b"screen");
    assert_eq!(id.to_string().parse(), Ok(id));
    assert_eq!(serde_json::from_value::<BlobId>(json!(id)).unwrap(), id);
    for wrong in ["", "ab", &"g".repeat(64), &"a".repeat(65), "../../../../etc/passwd"] {
        assert!(wrong.parse::<BlobId>().is_err(), "{wrong}");
    }
}

#[test]
fn storing_for_power_loss_stores_the_same() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    session.set_fsync(true).unwrap();
    let id = session.put(b"screen").unwrap();
    session.append("run", Micros(1), &id).unwrap();
    session.close().unwrap();
    let session = Session::open(home.path()).unwrap();
    assert_eq!(entries(&session)[0].data, json!(id));
    assert_eq!(session.get(&id).unwrap(), b"screen");
}

#[test]
fn a_closed_session_is_three_kinds_of_files() {
    let home = tempfile::tempdir().unwrap();
    let mut session = Session::create(home.path(), &plan()).unwrap();
    session.append("run", Micros(1), &1).unwrap();
    let id = session.put(b"screen").unwrap().to_string();
    drop(session);
    let blob = home.path().join("blobs").join(&id[..2]).join(&id[2..]);
    assert_eq!(files(home.path()), [blob, home.path().join("session.db"), home.path().join("session.lock")]);
    assert_eq!(fs::read(home.path().join("session.lock")).unwrap(), b"");

    let before = fs::read(home.path().join("session.db")).unwrap();
    drop(SessionView::open(home.path()).unwrap());
    assert_eq!(fs::read(home.path().join("session.db")).unwrap(), before, "readers change nothing");
    drop(Session::open(home.path()).unwrap());
    assert_eq!(files(home.path()).len(), 3, "and what SQLite left for them the next writer clears away");
}
