//! A test on a device, and how it must end.

use serde_json::Value;

use super::bridge::Devices;
use super::crashes::CrashCase;

/// How a test ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    Passes,
    /// Fails, because the app crashed with this.
    Crashed(String),
    /// Fails, because the app did not crash with this.
    NoCrash(String),
    /// Fails, because a widget is not there.
    NotFound,
}

/// A test that is run once.
#[derive(Debug, Clone)]
pub(super) struct Trial {
    /// The name of its file, without what follows the first dot.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) serial: String,
    pub(super) ending: Ending,
}

/// What differs between the tools.
pub(super) struct Tool {
    /// What `--as` calls it.
    pub(super) name: &'static str,
    /// What stands around the first selector of a test.
    pub(super) first_selector: &'static str,
    /// What its message has for a widget that is not there.
    pub(super) not_found: &'static str,
    /// What its message has for a crash that was not expected.
    pub(super) crashed: &'static str,
}

impl Tool {
    /// The regression test of a crash: where it is and where it was mended.
    pub(super) fn regression(&self, case: &CrashCase, devices: &Devices) -> Vec<Trial> {
        let trial = |name: &str, device: &crate::bench::Another, ending| Trial {
            name: format!("{}_{name}", case.name),
            text: case.export(self.name, "no-crash"),
            serial: device.serial.clone(),
            ending,
        };
        let crashed = Ending::Crashed(case.exception.clone());
        let broken = case.always.then(|| trial("broken", &devices.broken, crashed));
        broken.into_iter().chain([trial("mended", &devices.mended, Ending::Passes)]).collect()
    }

    /// The test that expects the crash, and the regression test with another selector.
    pub(super) fn others(&self, case: &CrashCase, devices: &Devices) -> Vec<Trial> {
        let trial = |name: &str, text: &str, device: &crate::bench::Another, ending| Trial {
            name: format!("{}_{name}", case.name),
            text: text.to_owned(),
            serial: device.serial.clone(),
            ending,
        };
        let crash = case.export(self.name, "crash");
        let no_crash = Ending::NoCrash(case.exception.clone());
        let expected = case.always.then(|| trial("expected", &crash, &devices.broken, Ending::Passes));
        let unexpected = trial("unexpected", &crash, &devices.mended, no_crash);
        let altered = self.altered(&case.export(self.name, "no-crash"));
        let altered = altered.map(|text| trial("altered", &text, &devices.mended, Ending::NotFound));
        expected.into_iter().chain([unexpected]).chain(altered).collect()
    }

    /// The test with another id in its first selector that has one. Nothing where it goes by places alone.
    fn altered(&self, test: &str) -> Option<String> {
        let line = test.lines().find(|line| line.contains(self.first_selector) && line.contains(":id/"))?;
        // Nobody has to wait long for what is not there.
        let altered = test.replacen(line, &line.replacen(":id/", ":id/no_", 1), 1);
        Some(altered.replace("FIND_SECONDS = 10", "FIND_SECONDS = 1"))
    }

    /// Holds what came of the trials against what must.
    pub(super) fn judge(&self, trials: &[Trial], results: &[Value]) {
        let mut wrong = Vec::new();
        for trial in trials {
            let result: Vec<&Value> = results.iter().filter(|result| result["name"] == *trial.name).collect();
            let [result] = result[..] else {
                wrong.push(format!("{}: {} results\n{}", trial.name, result.len(), trial.text));
                continue;
            };
            let said = result["message"].as_str().unwrap_or_default();
            let passed = result["passed"] == true;
            let tells = |part: &str| said.contains(part);
            let right = match &trial.ending {
                Ending::Passes => passed,
                Ending::Crashed(exception) => !passed && tells(self.crashed) && tells(exception),
                Ending::NoCrash(exception) => !passed && tells("the app did not crash") && tells(exception),
                Ending::NotFound => !passed && tells(self.not_found),
            };
            if !right {
                wrong.push(format!(
                    "{} must end so: {:?}\n{result:#}\n{}",
                    trial.name, trial.ending, trial.text
                ));
            }
        }
        assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), trials.len(), wrong.join("\n\n"));
    }
}

/// What a run of the tool has written down: an object a line.
pub(super) fn results(file: &std::path::Path, said: &std::process::Output) -> Vec<Value> {
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}: {said:?}", file.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
