//! Real recordings, where they are beside the project: each is imported, or refused with a reason that says what it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use retap_formats::{FileProblem, FilesBeside, ImportError, ImportInput, ImportOptions, Imported, import};
use retap_testing::recordings;
use retap_trace::{Size, Start, Target};

/// The files of a folder, as they are.
struct Folder(PathBuf);

impl FilesBeside for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileProblem> {
        fs::read(self.0.join(path)).map_err(|_| FileProblem::Missing)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let Ok(files) = fs::read_dir(self.0.join(folder)) else { return Vec::new() };
        let mut names: Vec<String> = files
            .map(|file| {
                file.expect("a recording that can be read").file_name().to_string_lossy().into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

fn import_file(path: &Path, given: &ImportOptions) -> Result<Imported, ImportError> {
    let bytes = fs::read(path).expect("a recording that can be read");
    let folder = Folder(path.parent().expect("a recording that can be read").to_owned());
    let name = path
        .file_name()
        .expect("a recording that can be read")
        .to_str()
        .expect("a recording that can be read");
    import(None, &ImportInput { name, bytes: &bytes, files: &folder }, given)
}

fn import_folder(path: &Path) -> Result<Imported, ImportError> {
    import(
        None,
        &ImportInput { name: "", bytes: &[], files: &Folder(path.to_owned()) },
        &ImportOptions::default(),
    )
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)
        .expect("a recording that can be read")
        .map(|entry| entry.expect("a recording that can be read").path())
    {
        if entry.is_dir() {
            found.extend(files_below(&entry));
        } else {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// What came of a file, in one line.
fn in_words(result: &Result<Imported, ImportError>) -> String {
    match result {
        Ok(imported) => {
            let skipped: u64 = imported.skipped.iter().map(|kind| kind.count).sum();
            let steps = imported.trace.steps.len();
            format!(
                "{}: {steps} steps, {skipped} skipped, of {}",
                imported.from, imported.trace.header.app.package
            )
        }
        Err(error) => format!("refused: {error}"),
    }
}

/// How each file ends: by the beginning of its path, what the line has in it.
const EXPECTED: &[(&str, &str)] = &[
    ("README.md", "refused: retap does not know what wrote this"),
    ("bug_scripts/", "refused: it is a Python program for uiautomator2"),
    ("devtools_recorder/", "refused: it is a recording of Chrome's DevTools"),
    ("droidbot/2016-device_state.json", "refused: it is a state of DroidBot"),
    ("droidbot/2017-event", "droidbot: 1 steps, 0 skipped, of com.yanzhenjie.album.sample"),
    ("droidbot/2021-event-intent.json", "refused: there is no event in it but the launch of the app"),
    ("droidbot/2021-event-scroll.json", "droidbot: 1 steps, 0 skipped, of com.tencent.qqmusic"),
    ("droidbot/2021-event-touch.json", "droidbot: 1 steps, 0 skipped, of com.tencent.qqmusic"),
    ("droidbot/2021-getevent-lt.txt", "refused: the values of the touch screen go up to"),
    ("droidbot/2021-state-small.json", "refused: it is a state of DroidBot"),
    ("droidbot/2021-utg-4nodes.js", "refused: it is DroidBot's graph of states"),
    ("dumpsys/", "refused: it is what 'dumpsys package' prints"),
    ("logcat_crash/", "refused: it is a log or a stack trace"),
    ("maestro/e2e_demo_app_commands_scrollUntilVisible", "refused: line 8: scrollUntilVisible"),
    (
        "maestro/e2e_demo_app_commands_swipe_from_point",
        "refused: line 14: a swipe in a direction needs the size of the screen",
    ),
    ("maestro/e2e_demo_app_unicode", "maestro: "),
    ("maestro/e2e_demo_app_web_flows", "refused: line 1: the flow is for a web page"),
    (
        "maestro/e2e_workspaces_wikipedia",
        "refused: line 7: runFlow: subflows/onboarding-ios.yaml is not there",
    ),
    ("maestro/maestro-orchestra", "refused: line 14: a place in percent needs the size of the screen"),
    ("maestro/maestro-test_015", "refused: line 6: tapOn by 'above'"),
    ("monkey/aosp-example_script.txt", "refused: the recording does not say which app it is of"),
    ("trees/README.md", "refused: retap does not know what wrote this"),
    ("trees/", "refused: it is a UI Automator dump"),
];

#[test]
fn every_file_of_android_tools_is_imported_or_refused_by_name() {
    let Some(data) = recordings("android") else { return };
    let mut unlike = Vec::new();
    for file in files_below(&data) {
        let name = file
            .strip_prefix(&data)
            .expect("a recording that can be read")
            .to_str()
            .expect("a recording that can be read")
            .to_owned();
        let line = in_words(&import_file(&file, &ImportOptions::default()));
        println!("{name:62} {line}");
        let expected = EXPECTED.iter().find(|(start, _)| name.starts_with(start)).map(|(_, line)| *line);
        if !expected.is_some_and(|expected| line.starts_with(expected)) {
            unlike.push(format!("{name}: {line}; expected {expected:?}"));
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

/// The same with what the user can say.
#[test]
fn what_the_user_says_makes_more_of_them_traces() {
    let Some(data) = recordings("android") else { return };
    let screen = Size { width: 1080, height: 2148 };
    let axes = Some(Size { width: 32_767, height: 32_767 });
    let given = ImportOptions {
        app: Some("com.example".to_owned()),
        screen: Some(screen),
        axes,
        ..ImportOptions::default()
    };
    let touches = import_file(&data.join("droidbot/2021-getevent-lt.txt"), &given)
        .expect("a recording that can be read");
    println!("{}", in_words(&Ok(touches.clone())));
    for step in &touches.trace.steps {
        println!("  {} at {:?}", step.event, step.at);
    }
    assert!(touches.trace.steps.len() > 20, "{touches:?}");
    let inside = |step: &retap_trace::Step| step.event.aim().is_none_or(|aim| screen.rect().contains(aim.at));
    assert!(touches.trace.steps.iter().all(inside));
    assert!(touches.trace.steps.windows(2).all(|pair| pair[0].at <= pair[1].at), "in order");
    let given = ImportOptions { axes: None, ..given };
    let told = import_file(&data.join("monkey/aosp-example_script.txt"), &given)
        .expect("a recording that can be read");
    let words: Vec<String> = told.trace.events().map(ToString::to_string).collect();
    assert_eq!(&words[..4], ["tap 160,200", "wait 1.0 s", "tap 300,450", "wait 1.0 s"], "{words:?}");
    assert!(told.skipped.is_empty(), "{:?}", told.skipped);
}

/// The rows of a table, by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a recording that can be read").split(',').collect();
    lines.map(|line| head.iter().copied().zip(line.split(',')).collect()).collect()
}

/// All 92 published recordings of SimplyDroid, against what their authors' table says of them.
#[test]
fn every_recording_of_simplydroid_is_imported() {
    let Some(data) = recordings("simplydroid") else { return };
    let table = fs::read_to_string(data.join("traces.csv")).expect("a recording that can be read");
    let rows = rows(&table);
    assert_eq!(rows.len(), 92);
    for row in rows {
        let folder = data.join("traces").join(row["repo_dir"]).join(row["no_in_subject"]);
        let by_folder =
            import_folder(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let by_script = import_file(&folder.join("script.log"), &ImportOptions::default())
            .expect("a recording that can be read");
        let by_log = import_file(&folder.join("execute.log"), &ImportOptions::default())
            .expect("a recording that can be read");
        assert_eq!(by_script.trace, by_log.trace, "{}", folder.display());
        // Table and folder mean different recordings of this one.
        if !folder.join("script2.log").exists() {
            assert_eq!(by_folder.trace, by_script.trace, "{}", folder.display());
        }
        let trace = &by_script.trace;
        println!("{:18} {:3} {}", row["repo_dir"], row["no_in_subject"], in_words(&Ok(by_script.clone())));
        assert!(by_script.skipped.is_empty(), "{:?}", by_script.skipped);
        assert_eq!(&*trace.header.app.package, row["package"]);
        // The launch is the start of the trace.
        assert_eq!(trace.header.start, Start::Launched);
        assert_eq!((trace.steps.len() + 1).to_string(), row["events"], "{}", folder.display());
        let crash = trace
            .steps
            .last()
            .expect("a recording that can be read")
            .crash
            .as_ref()
            .expect("a recording that can be read");
        assert_eq!(crash.exception, row["exception"], "{}", folder.display());
        assert_eq!(trace.header.target, Some(Target::Crash(crash.signature.clone())));
        assert!(trace.steps.iter().all(|step| step.before.is_some()));
    }
}
