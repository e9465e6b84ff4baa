//! `retap device doctor`: whether devices, and what they need, are fit for use.

use std::time::Duration;

use retap_adb::AdbSpec;
use retap_adb::client::Environment;
use retap_adb::doctor::Questions;
use retap_device::{Check, DeviceHealth};
use retap_jvm::{JvmEnvironment, JvmSpec};
use serde::Serialize;

use crate::commands::Context;
use crate::exit::Exit;
use crate::output::{bad, faint, good, print_line, strong};

/// How long each look may take. Screen dumps take seconds on slow emulators.
const EACH: Duration = Duration::from_secs(20);

#[derive(Serialize)]
struct DoctorResult {
    command: &'static str,
    status: &'static str,
    checks: Vec<CheckResult>,
}

#[derive(Serialize)]
struct CheckResult {
    device: Option<String>,
    name: &'static str,
    health: &'static str,
    found: String,
    fix: Option<String>,
}

pub(super) fn run(device: Option<&str>, context: &Context) -> anyhow::Result<Exit> {
    let device = device.unwrap_or("adb");
    let (scheme, checks) = if device.starts_with("jvm") {
        let spec: JvmSpec = device.parse()?;
        let environment = JvmEnvironment::read();
        if context.output.draws() {
            context.output.say("starting the app in a JVM, to see whether it works ...");
        }
        ("", context.opened(device, || retap_jvm::doctor::checkup(&spec, &environment, EACH)))
    } else {
        ("adb:", phones(&device.parse()?))
    };
    let wrong = checks.iter().any(|check| check.health == DeviceHealth::Bad);
    if context.global.json {
        let status = if wrong { "wrong" } else { "done" };
        let checks = checks.into_iter().map(CheckResult::of).collect();
        context.output.result(&DoctorResult { command: "doctor", status, checks })?;
    } else {
        let mut last = None;
        for check in &checks {
            if check.device != last {
                last.clone_from(&check.device);
                print_line(&format!(
                    "\n{}",
                    strong(format!("{scheme}{}", last.as_deref().unwrap_or_default()))
                ))?;
            }
            print_line(&line(check))?;
        }
    }
    Ok(if wrong { Exit::Found } else { Exit::Done })
}

/// The checks of adb and its devices.
fn phones(spec: &AdbSpec) -> Vec<Check> {
    let environment = Environment::read();
    let questions = Questions {
        serial: spec.serial.clone().or_else(|| environment.serial.clone()),
        app: spec.app.clone(),
        qmp: spec.qmp.clone(),
        may_start: spec.start,
    };
    retap_adb::doctor::checkup(&environment, &questions, EACH)
}

fn line(check: &Check) -> String {
    let word = match check.health {
        DeviceHealth::Good => good("good"),
        DeviceHealth::Fair => "fair".to_owned(),
        DeviceHealth::Bad => bad("bad "),
    };
    let fix =
        check.fix.as_ref().map_or_else(String::new, |fix| format!("\n      {}", faint(format!("-> {fix}"))));
    format!("{word}  {}: {}{fix}", check.name, check.found)
}

impl CheckResult {
    fn of(check: Check) -> Self {
        let health = match check.health {
            DeviceHealth::Good => "good",
            DeviceHealth::Fair => "fair",
            DeviceHealth::Bad => "bad",
        };
        Self { device: check.device, name: check.name, health, found: check.found, fix: check.fix }
    }
}
