use super::*;
use proptest::prelude::*;

fn fresh() -> Files {
    Files::fresh(1 << 20, 1)
}

#[test]
fn the_card_is_reached_on_every_way() {
    let mut files = fresh();
    files.write("/sdcard/a.txt", b"hello".to_vec(), 0o644, 5).unwrap();
    for path in ["/storage/emulated/0/a.txt", "/storage/self/primary/a.txt", "//sdcard/./Music/../a.txt"] {
        assert_eq!(**files.read(path).unwrap(), *b"hello", "{path}");
    }
    assert_eq!(files.lstat("/sdcard").unwrap().full_mode(), 0o120_777);
    assert_eq!(files.resolve("/sdcard/x").unwrap(), "/storage/emulated/0/x");
}

#[test]
fn only_some_places_can_be_written() {
    let mut files = fresh();
    let mut write = |path: &str| files.write(path, Vec::new(), 0o644, 1);
    assert_eq!(write("/system/x"), Err(FileError::ReadOnly));
    assert_eq!(write("/data/x"), Err(FileError::Denied));
    assert_eq!(write("/data/local/tmp/no/x"), Err(FileError::NotFound));
    assert_eq!(write("/data/local/tmp"), Err(FileError::IsFolder));
    assert_eq!(write("/dev/null"), Ok(()));
    assert_eq!(write("/data/local/tmp/x"), Ok(()));
    assert_eq!(files.list("/data").unwrap_err(), FileError::Denied);
    assert_eq!(files.remove("/data/local/tmp", true), Err(FileError::Denied));
}

#[test]
fn space_runs_out_and_comes_back() {
    let mut files = fresh();
    let path = "/data/local/tmp/big";
    assert_eq!(files.write(path, vec![0; 2 << 20], 0o644, 1), Err(FileError::Full));
    files.write(path, vec![0; 900 << 10], 0o644, 1).unwrap();
    assert_eq!(files.append(path, &vec![0; 200 << 10], 1), Err(FileError::Full));
    files.remove(path, false).unwrap();
    files.write(path, vec![0; 1000 << 10], 0o644, 1).unwrap();
}

#[test]
fn folders_are_made_and_removed() {
    let mut files = fresh();
    files.make_folder("/sdcard/a/b/c", true, 1).unwrap();
    files.write("/sdcard/a/b/c/f", b"1".to_vec(), 0o600, 1).unwrap();
    assert_eq!(files.remove("/sdcard/a", false), Err(FileError::NotEmpty));
    assert_eq!(**files.read("/sdcard/a/b/c/f").unwrap(), *b"1");
    let names: Vec<&str> = files.list("/sdcard/a").unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["b"]);
    files.remove("/sdcard/a", true).unwrap();
    assert_eq!(files.stat("/sdcard/a/b/c"), Err(FileError::NotFound));
}

proptest! {
    /// Whatever is done, what is counted is what is there.
    #[test]
    fn the_count_of_space_is_true(steps in prop::collection::vec((0..4_u8, 0..4_usize, 0..9000_usize), 0..40)) {
        let mut files = fresh();
        let paths = ["/sdcard/a", "/sdcard/a/b", "/sdcard/c", "/sdcard/a/b/d"];
        for (what, one, size) in steps {
            let _ = match what {
                0 => files.write(paths[one], vec![1; size], 0o644, 1),
                1 => files.append(paths[one], &vec![1; size], 1),
                2 => files.make_folder(paths[one], size % 2 == 0, 1),
                _ => files.remove(paths[one], size % 2 == 0),
            };
            let counted: u64 = files.nodes.values().map(FileNode::cost).sum();
            prop_assert_eq!(files.used, counted);
            for path in files.nodes.keys().filter(|path| *path != "/") {
                prop_assert!(files.nodes.get(&parent(path)).is_some_and(FileNode::is_folder), "{} hangs in the air", path);
            }
        }
    }
}
