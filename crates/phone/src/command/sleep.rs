//! `sleep`: time passes, the phone's.

use retap_trace::Micros;

use crate::shell::{CommandOutcome, End, Process};

/// Nobody sleeps longer than a day.
const LONGEST: f64 = 86_400.0;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "no more than a day in microseconds"
)]
pub(super) fn run(process: &mut Process<'_>) -> CommandOutcome {
    let [arg] = process.args() else { return process.fail(1, "sleep: Needs 1 argument") };
    let seconds = match arg.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => seconds,
        _ => return process.fail(1, format!("sleep: bad number '{arg}'")),
    };
    let time = Micros((f64::min(seconds, LONGEST) * 1e6) as u64);
    process.phone().wait(time, || process.shell.cancel.is_set());
    if process.shell.cancel.is_set() { Err(End::Broken) } else { Ok(0) }
}
