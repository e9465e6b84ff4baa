//! The real `WebdriverIO`: the compiler of TypeScript checks every test, and the test runner runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use retap_testing::node_with;
use serde_json::{Map, Value, json};

use super::bridge::Bridge;
use super::crashes;
use super::trial::{Tool, Trial, results};
use crate::bench::{LONGEST, finish};

const TOOL: Tool = Tool {
    name: "webdriverio",
    first_selector: "$('",
    not_found: "because element wasn't found",
    crashed: "expect(received).toEqual(expected)",
};
const PACKAGES: [&str; 7] = [
    "@wdio/cli@9.32.0",
    "@wdio/globals@9.31.3",
    "@wdio/local-runner@9.32.0",
    "@wdio/mocha-framework@9.32.0",
    "expect-webdriverio@6.1.0",
    "typescript@6.0.3",
    "webdriverio@9.32.0",
];
/// Each test starts a Node.js of its own: so many generated crashes are run, and all are type-checked.
const GENERATED_THAT_RUN: usize = 4;
/// Of so many crashes, the test that expects the crash is run too, and one with another selector.
const WITH_OTHERS: usize = 3;
/// Where this is set, all of them are.
const EVERY: &str = "RETAP_SOAK_WEBDRIVERIO";

/// The folder of the packages, where Node.js looks for them from every folder in it.
fn packages() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("webdriver-npm")
}

fn tool(folder: &Path, name: &str, args: &[&str], longest: Duration) -> Output {
    let program = packages().join("node_modules/.bin").join(name);
    finish(Command::new(program).args(args).current_dir(folder), longest)
}

fn write_config(folder: &Path) {
    fs::write(folder.join("tsconfig.json"), include_str!("tsconfig.json")).expect("a file");
    fs::write(folder.join("wdio.conf.ts"), include_str!("wdio.conf.ts")).expect("a file");
}

#[test]
fn tests_for_webdriverio_pass_the_compiler() {
    let folder = packages();
    let Some(folder) = node_with(&folder, &PACKAGES) else { return };
    let scratch = tempfile::tempdir_in(folder).expect("a scratch folder");
    let folder = scratch.path();
    write_config(folder);
    let mut cases = vec![crashes::every_step(folder)];
    cases.extend(crashes::samples(folder));
    cases.extend(crashes::generated(folder));
    for case in &cases {
        for expect in ["crash", "no-crash"] {
            let file = folder.join(format!("{}.{expect}.spec.ts", case.name));
            fs::write(file, case.export(TOOL.name, expect)).expect("a file");
        }
    }
    let said = tool(folder, "tsc", &["--project", "."], LONGEST);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    // It would be no check if nothing failed it.
    let misspelt = cases[0].export(TOOL.name, "no-crash").replacen(".click()", ".clik()", 1);
    fs::write(folder.join("misspelt.spec.ts"), misspelt).expect("a file");
    let said = tool(folder, "tsc", &["--project", "."], LONGEST);
    let words = String::from_utf8_lossy(&said.stdout);
    assert!(!said.status.success() && words.contains("Property 'clik' does not exist"), "{words}");
}

#[test]
fn tests_for_webdriverio_fail_while_the_crash_is_there() {
    let folder = packages();
    let Some(folder) = node_with(&folder, &PACKAGES) else { return };
    let scratch = tempfile::tempdir_in(folder).expect("a scratch folder");
    let folder = scratch.path();
    let Some(bridge) = Bridge::new() else { return };
    write_config(folder);
    let mut cases = vec![crashes::every_step(folder)];
    cases.extend(crashes::samples(folder));
    let every = std::env::var_os(EVERY).is_some();
    let (run, with_others, longest) = if every {
        (crashes::GENERATED, usize::MAX, 6 * LONGEST)
    } else {
        (GENERATED_THAT_RUN, WITH_OTHERS, LONGEST)
    };
    cases.extend(crashes::generated(folder).into_iter().take(run));
    let devices: Vec<_> = cases.iter().map(|case| bridge.devices(case)).collect();
    let mut trials: Vec<Trial> = Vec::new();
    for (number, (case, devices)) in cases.iter().zip(&devices).enumerate() {
        trials.extend(TOOL.regression(case, devices));
        if number < with_others {
            trials.extend(TOOL.others(case, devices));
        }
    }
    let mut sessions: Map<String, Value> = Map::new();
    for trial in &trials {
        let spec = format!("{}.spec.ts", trial.name);
        fs::write(folder.join(&spec), &trial.text).expect("a file");
        let session =
            sessions.entry(&trial.serial).or_insert_with(|| capabilities(&trial.text, &trial.serial));
        session["wdio:specs"].as_array_mut().expect("a list").push(format!("./{spec}").into());
    }
    let capabilities: Vec<Value> = sessions.into_iter().map(|(_, session)| session).collect();
    let config = json!({ "port": bridge.port, "capabilities": capabilities });
    fs::write(folder.join("sessions.json"), config.to_string()).expect("a file");
    let said = tool(folder, "wdio", &["run", "wdio.conf.ts"], longest);
    TOOL.judge(&trials, &results(&folder.join("results.jsonl"), &said));
    assert!(trials.len() > 2 * cases.len(), "{} trials of {} crashes", trials.len(), cases.len());
}

/// What the comment of a test says that its capabilities are to be, for a session on this device.
fn capabilities(test: &str, serial: &str) -> Value {
    let mut all = json!({ "appium:udid": serial, "wdio:maxInstances": 1, "wdio:specs": [] });
    for line in test.lines().filter_map(|line| line.strip_prefix("//   ")) {
        let (name, value) = line.trim_end_matches(',').split_once(": ").expect("a name and a value");
        let value = match value {
            "true" | "false" => Value::from(value == "true"),
            text => text.trim_matches('\'').into(),
        };
        all[name.trim_matches('\'')] = value;
    }
    all
}
