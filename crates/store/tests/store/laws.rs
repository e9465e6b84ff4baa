//! Equal appends make equal files, and any operations leave what a simple model says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use retap_store::{BlobId, Session, SessionView};
use retap_trace::Micros;
use serde_json::Value;

use crate::{entries, files, plan};

type Row = (String, u64, Value);

#[derive(Debug, Clone)]
enum Op {
    Append(Row),
    AppendAll(Vec<Row>),
    Put(Vec<u8>),
    Close,
    Drop,
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn row() -> impl Strategy<Value = Row> {
    (prop_oneof![Just("run".to_owned()), Just("note".to_owned()), any::<String>()], any::<u64>(), value())
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        5 => row().prop_map(Op::Append),
        2 => vec(row(), 0..6).prop_map(Op::AppendAll),
        3 => vec(any::<u8>(), 0..300).prop_map(Op::Put),
        1 => Just(Op::Close),
        1 => Just(Op::Drop),
    ]
}

/// Does the operations, closing the session in between where they say so and `reopen` allows it.
fn perform(dir: &Path, ops: &[Op], reopen: bool) {
    let open = || Session::create_or_open(dir, &plan()).expect("it opens");
    let mut session = Some(open());
    for op in ops {
        let here = session.get_or_insert_with(open);
        match op {
            Op::Append((kind, at, data)) => {
                here.append(kind, Micros(*at), data).expect("it appends");
            }
            Op::AppendAll(rows) => {
                let rows = rows.iter().map(|(kind, at, data)| (kind, Micros(*at), data));
                here.append_all(rows).expect("it appends");
            }
            Op::Put(content) => {
                here.put(content).expect("it puts");
            }
            Op::Close if reopen => session.take().expect("it is open").close().expect("it closes"),
            Op::Drop if reopen => drop(session.take()),
            Op::Close | Op::Drop => {}
        }
    }
    session.unwrap_or_else(open).close().expect("it closes");
}

fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| path.strip_prefix(dir).expect("below").display().to_string();
    files(dir).iter().map(|path| (name(path), fs::read(path).expect("readable"))).collect()
}

/// Without the two fields of the database's header in which SQLite counts who opened it and changed its size.
fn uncounted(mut files: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name == "session.db") {
        for field in [24..28, 92..96] {
            bytes[field].fill(0);
        }
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_operations_leave_what_the_model_says(ops in vec(op(), 0..25)) {
        let home = tempfile::tempdir().unwrap();
        perform(home.path(), &ops, true);

        let mut rows: Vec<Row> = Vec::new();
        let mut blobs: BTreeMap<BlobId, Vec<u8>> = BTreeMap::new();
        for op in &ops {
            match op {
                Op::Append(row) => rows.push(row.clone()),
                Op::AppendAll(more) => rows.extend(more.iter().cloned()),
                Op::Put(content) => drop(blobs.insert(BlobId::of(content), content.clone())),
                Op::Close | Op::Drop => {}
            }
        }

        let view = SessionView::open(home.path()).unwrap();
        let stored = entries(&view);
        prop_assert!(stored.iter().zip(1..).all(|(entry, n)| entry.seq.0 == n), "no gaps");
        let stored: Vec<Row> = stored.into_iter().map(|entry| (entry.kind, entry.at.0, entry.data)).collect();
        prop_assert_eq!(stored, rows);
        for (id, content) in &blobs {
            prop_assert_eq!(&view.get(id).unwrap(), content);
        }
        prop_assert_eq!(view.integrity(), Ok(vec![]));
    }

    #[test]
    fn equal_appends_make_equal_folders_however_often_reopened(ops in vec(op(), 0..25)) {
        let folder = |reopen: bool| {
            let home = tempfile::tempdir().unwrap();
            perform(home.path(), &ops, reopen);
            contents(home.path())
        };
        prop_assert!(folder(false) == folder(false), "equal appends made other files");
        prop_assert!(uncounted(folder(false)) == uncounted(folder(true)), "reopening made other files");
    }
}

#[test]
fn equal_long_sessions_are_equal_files() {
    let homes = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for home in &homes {
        let mut session = Session::create(home.path(), &plan()).unwrap();
        for n in 0..3000_u64 {
            session
                .append("run", Micros(n), &(n, "a text that makes the log outgrow its first pages"))
                .unwrap();
        }
        session.close().unwrap();
    }
    let [one, other] = homes.map(|home| contents(home.path()));
    assert!(one.iter().any(|(name, bytes)| name == "session.db" && bytes.len() > 200_000));
    assert!(one == other, "the folders differ");
}
