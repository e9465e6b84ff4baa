//! `sleep`: time passes, the phone's.

use retap_trace::Micros;

use crate::shell::{End, Outcome, Process};

/// Nobody sleeps longer than a day.
const LONGEST: f64 = 86_400.0;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "no more than a day in microseconds"
)]
pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut seconds = 0.0;
    for arg in process.args() {
        let (number, unit) = match arg.char_indices().next_back() {
            Some((at, 's')) => (&arg[..at], 1.0),
            Some((at, 'm')) => (&arg[..at], 60.0),
            Some((at, 'h')) => (&arg[..at], 3600.0),
            _ => (&**arg, 1.0),
        };
        match number.parse::<f64>() {
            Ok(number) if number >= 0.0 => seconds += number * unit,
            _ => return process.fail(1, format!("sleep: bad number '{arg}'")),
        }
    }
    if process.args().is_empty() {
        return process.fail(1, "sleep: Needs 1 argument");
    }
    let time = Micros((f64::min(seconds, LONGEST) * 1e6) as u64);
    process.phone().wait(time, || process.shell.cancel.is_set());
    if process.shell.cancel.is_set() { Err(End::Broken) } else { Ok(0) }
}
