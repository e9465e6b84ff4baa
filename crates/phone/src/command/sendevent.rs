//! `sendevent`: one event of an input device.

use crate::shell::{Outcome, Process};

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    let [device, kind, code, value] = words[..] else {
        return process.fail(1, "usage: sendevent DEVICE TYPE CODE VALUE");
    };
    if device != super::getevent::TOUCHSCREEN {
        return process.fail(1, format!("sendevent: {device}: No such file or directory"));
    }
    let (Ok(kind), Ok(code), Ok(value)) = (kind.parse(), code.parse(), value.parse()) else {
        return process.fail(1, "sendevent: not a number");
    };
    match process.device(|state| state.raw_touch(kind, code, value))? {
        Ok(()) => Ok(0),
        Err(error) => process.fail(1, error.to_string()),
    }
}
