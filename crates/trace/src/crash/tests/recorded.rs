//! Real crashes. The tests are skipped where the recordings are not there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use retap_testing::recordings;

use super::*;

/// One row of the table of recordings, and the stack as its log has it.
struct Recorded {
    package: String,
    exception: String,
    root_cause: String,
    first_app_frame: String,
    stack: String,
}

impl Recorded {
    fn all(folder: &Path) -> Vec<Self> {
        let table = fs::read_to_string(folder.join("traces.csv")).unwrap();
        let mut rows = table.lines().map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
        let names = rows.next().unwrap();
        rows.map(|row| {
            assert_eq!(row.len(), names.len(), "{row:?}");
            let get = |name: &str| row[names.iter().position(|known| known == name).unwrap()].clone();
            let log =
                folder.join("traces").join(get("repo_dir")).join(get("no_in_subject")).join("execute.log");
            let log = String::from_utf8_lossy(&fs::read(log).unwrap()).into_owned();
            let stack = log.lines().find_map(|line| line.strip_prefix("// CRASH: // ")).unwrap();
            Self {
                package: get("package"),
                exception: get("exception"),
                root_cause: get("root_cause"),
                first_app_frame: get("first_app_frame"),
                stack: stack.replace("$$ ", "\n"),
            }
        })
        .collect()
    }

    fn crash(&self) -> Crash {
        Crash::from_java(&self.stack, &self.package).unwrap()
    }
}

#[test]
fn all_recorded_crashes_are_read_as_the_table_has_them() {
    let Some(folder) = recordings("simplydroid") else { return };
    let recorded = Recorded::all(&folder);
    assert_eq!(recorded.len(), 92);
    let mut within_suppressed = 0;
    for recorded in recorded {
        let crash = recorded.crash();
        assert_eq!(crash.exception, recorded.exception);
        // The table takes the last `Caused by:` of the text, even where it is the cause of a suppressed exception.
        if recorded.stack.contains("Suppressed: ") {
            within_suppressed += 1;
            assert_eq!(crash.root_cause.as_deref(), Some("java.lang.ClassNotFoundException"));
        } else {
            assert_eq!(crash.root_cause.unwrap_or_default(), recorded.root_cause);
        }
        let of_app = crash.frames.iter().find(|frame| frame.0.starts_with(&format!("{}.", recorded.package)));
        assert_eq!(of_app.map(|frame| format!("at {frame}")).unwrap_or_default(), recorded.first_app_frame);
    }
    assert_eq!(within_suppressed, 2);
}

#[test]
fn the_recorded_crashes_are_of_twelve_sites() {
    let Some(folder) = recordings("simplydroid") else { return };
    let mut by_signature: BTreeMap<String, BTreeSet<(String, Crash)>> = BTreeMap::new();
    for recorded in Recorded::all(&folder) {
        let mut crash = recorded.crash();
        crash.message = String::new();
        by_signature.entry(crash.signature.to_string()).or_default().insert((recorded.package, crash));
    }
    // One signature, one crash: package, exception, root cause and frames agree within each.
    assert!(by_signature.values().all(|crashes| crashes.len() == 1), "{by_signature:#?}");
    let signatures: Vec<&str> = by_signature.keys().map(String::as_str).collect();
    assert_eq!(signatures.len(), 12, "{signatures:#?}");
    for site in [
        "ArithmeticException@GameActivity.3.onClick#",
        "RuntimeException@OpenLendDbAdapter.updateLentObject#",
    ] {
        assert_eq!(signatures.iter().filter(|signature| signature.starts_with(site)).count(), 1, "{site}");
    }
}

#[test]
fn logs_of_real_crashes_are_read_and_a_log_without_one_is_not() {
    let Some(folder) = recordings("android/logcat_crash") else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut read = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        match Crash::from_java(&text, "") {
            Ok(crash) => read.push(crash.to_string()),
            Err(why) => assert!(name.contains("no-crash"), "{name}: {why}"),
        }
        assert!(Crash::from_native(&text, "").is_err() && Crash::from_anr(&text, "").is_err(), "{name}");
    }
    assert_eq!(
        read,
        [
            "java.lang.NumberFormatException at SettingsActivity.updateLocationAge (SettingsActivity.java:238)",
            "java.lang.IndexOutOfBoundsException at RecyclerPreloadModelProvider.getPreloadItems \
             (RecyclerPreloadModelProvider.java:36)",
            "java.lang.NullPointerException at CardBrowser.lambda$onCollectionLoaded$2$CardBrowser \
             (CardBrowser.java:673)",
            "java.lang.NullPointerException at AbstractFlashcardViewer.executeCommand \
             (AbstractFlashcardViewer.java:2700)",
            "org.json.JSONException at JsonUtilsKt.toJsonArray (JsonUtils.kt:8)",
            "java.net.UnknownHostException caused by android.system.GaiException at \
             HttpConnection$Response.execute (HttpConnection.java:746)",
        ]
    );
}
