//! The real Python client: pytest collects and runs every test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::{Map, Value, json};

use super::bridge::Bridge;
use super::crashes::{self, CrashCase};
use super::trial::{Tool, Trial, results};
use crate::bench::{LONGEST, finish};

const TOOL: Tool = Tool {
    name: "appium",
    first_selector: "find(driver, AppiumBy.",
    not_found: "is not on the screen",
    crashed: "the app crashed: ",
};
/// Runs of pytest that go on at once: most of their time is spent waiting for a crash that does not come.
const AT_ONCE: usize = 6;

#[test]
fn tests_for_appium_fail_while_the_crash_is_there() {
    let Some(bridge) = Bridge::new() else { return };
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut cases = vec![crashes::every_step(folder.path())];
    cases.extend(crashes::samples(folder.path()));
    cases.extend(crashes::generated(folder.path()));
    let run = |part: usize| {
        let mine: Vec<&CrashCase> = cases.iter().skip(part).step_by(AT_ONCE).collect();
        run(&bridge, &folder.path().join(format!("part{part}")), &mine)
    };
    let trials: usize = thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..AT_ONCE).map(|part| scope.spawn(move || run(part))).collect();
        threads.into_iter().map(|thread| thread.join().expect("all end as they must")).sum()
    });
    // Each crash has five, but for one that is flaky and those without the id of a widget.
    assert!(trials > 4 * cases.len(), "{trials} trials of {} crashes", cases.len());
}

/// Every test of these crashes, one after the other. Returns how many.
fn run(bridge: &Bridge, folder: &Path, cases: &[&CrashCase]) -> usize {
    fs::create_dir(folder).expect("a folder");
    let devices: Vec<_> = cases.iter().map(|case| bridge.devices(case)).collect();
    let pairs = cases.iter().zip(&devices);
    let trials: Vec<Trial> = pairs
        .flat_map(|(case, devices)| [TOOL.regression(case, devices), TOOL.others(case, devices)].concat())
        .collect();
    // One crash is looked for in an app that each session installs.
    let installed = (cases[0].name.clone(), package_file(bridge, folder, &cases[0].package));
    let mut variables = Map::new();
    for trial in &trials {
        fs::write(folder.join(format!("test_{}.py", trial.name)), &trial.text).expect("a file");
        let mut own = json!({ "ANDROID_SERIAL": trial.serial });
        if trial.name.starts_with(&installed.0) {
            own["APP"] = installed.1.to_str().expect("a plain path").into();
        }
        variables.insert(trial.name.clone(), own);
    }
    fs::write(folder.join("variables.json"), Value::from(variables).to_string()).expect("a file");
    fs::write(folder.join("conftest.py"), include_str!("conftest.py")).expect("a file");
    let mut pytest = Command::new(&bridge.python);
    pytest
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(folder)
        .env("APPIUM_URL", format!("http://127.0.0.1:{}", bridge.port))
        .env_remove("APP")
        .current_dir(folder);
    let said = finish(&mut pytest, LONGEST);
    TOOL.judge(&trials, &results(&folder.join("results.jsonl"), &said));
    trials.len()
}

/// A file that installs this package, as far as a virtual device looks into it.
fn package_file(bridge: &Bridge, folder: &Path, package: &str) -> PathBuf {
    let file = folder.join("app.apk");
    let zip = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as archive:\n    \
               archive.writestr('AndroidManifest.xml', sys.argv[2])\n    archive.writestr('classes.dex', 'x')\n";
    let manifest = format!("<manifest package=\"{package}\" versionCode=\"1\" versionName=\"1.0\"/>");
    let said = finish(Command::new(&bridge.python).args(["-c", zip]).arg(&file).arg(manifest), LONGEST);
    assert!(said.status.success(), "{said:?}");
    file
}
