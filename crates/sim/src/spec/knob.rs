//! The knobs that every simulated device has.

use retap_trace::Micros;

use super::{SimSpec, SimSpecError};
use crate::app::Latency;

pub(crate) const NAMES: [&str; 13] = [
    "profile", "drop", "latency", "order", "variants", "offline", "blind", "stale", "badload", "garbage",
    "hang", "slow", "gone",
];

/// No window takes longer than this to appear.
const LONGEST_LATENCY: f64 = 60_000.0;
/// The device stays offline no longer than this, in seconds.
const LONGEST_OFFLINE: f64 = 86_400.0;

/// The knobs of a query, `a=1&b=2`, in order.
pub(super) fn pairs(query: &str) -> Result<Vec<(&str, &str)>, SimSpecError> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| no_value(part))?;
        if value.is_empty() {
            return Err(no_value(name));
        }
        if pairs.iter().any(|(known, _)| *known == name) {
            return Err(SimSpecError(format!("the knob '{name}' is given twice; leave one of them out")));
        }
        pairs.push((name, value));
    }
    Ok(pairs)
}

/// Turns a knob of the device. `false` when the device has no such knob.
pub(super) fn turn(spec: &mut SimSpec, name: &str, value: &str) -> Result<bool, SimSpecError> {
    let faults = &mut spec.faults;
    match name {
        "profile" => {
            let takes = "one of emulator, emulator2020, phone and browser";
            spec.profile = value.parse().map_err(|_| wrong(name, takes, value))?;
        }
        "latency" => spec.latency = latency(name, value)?,
        "order" => spec.order = switch(name, value)?,
        "variants" => spec.variants = switch(name, value)?,
        "offline" => {
            let (chance, seconds) = value.split_once(':').map_or((value, None), |(p, s)| (p, Some(s)));
            faults.offline = probability(name, chance)?;
            if let Some(seconds) = seconds {
                let takes = "a probability and how many seconds, as in 0.01:30";
                faults.offline_for =
                    time(seconds, 1e6, LONGEST_OFFLINE).ok_or_else(|| wrong(name, takes, value))?;
            }
        }
        "drop" => spec.drop = probability(name, value)?,
        "blind" => faults.blind = probability(name, value)?,
        "stale" => faults.stale = probability(name, value)?,
        "badload" => faults.bad_load = probability(name, value)?,
        "garbage" => faults.garbage = probability(name, value)?,
        "hang" => faults.hang = probability(name, value)?,
        "slow" => faults.slow = probability(name, value)?,
        "gone" => faults.gone = probability(name, value)?,
        _ => return Ok(false),
    }
    Ok(true)
}

pub(super) fn probability(name: &str, value: &str) -> Result<f64, SimSpecError> {
    let number = value.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| wrong(name, "a probability from 0 to 1", value))
}

/// Reads any number.
pub(super) fn number(name: &str, value: &str) -> Result<f64, SimSpecError> {
    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| wrong(name, "a number", value))
}

fn switch(name: &str, value: &str) -> Result<bool, SimSpecError> {
    match value {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(wrong(name, "0 or 1", value)),
    }
}

fn latency(name: &str, value: &str) -> Result<Latency, SimSpecError> {
    let takes = "a time in ms (300), uniform:100,900 or lognormal:400,0.5";
    let millis = |text: &str| time(text, 1e3, LONGEST_LATENCY);
    let (kind, rest) = value.split_once(':').unwrap_or(("fixed", value));
    let latency = match (kind, rest.split_once(',')) {
        ("fixed", None) => millis(rest).map(Latency::Fixed),
        ("uniform", Some((low, high))) => millis(low)
            .zip(millis(high))
            .filter(|(low, high)| low <= high)
            .map(|(low, high)| Latency::Uniform(low, high)),
        ("lognormal", Some((median, spread))) => {
            let spread = spread.parse().ok().filter(|spread| (0.0..=5.0).contains(spread));
            millis(median).zip(spread).map(|(median, spread)| Latency::Lognormal(median, spread))
        }
        _ => None,
    };
    latency.ok_or_else(|| wrong(name, takes, value))
}

/// A time in a unit of so many microseconds, up to the longest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was checked to fit")]
fn time(text: &str, unit: f64, longest: f64) -> Option<Micros> {
    let number = text.parse().ok().filter(|number| (0.0..=longest).contains(number))?;
    Some(Micros((number * unit) as u64))
}

fn no_value(name: &str) -> SimSpecError {
    SimSpecError(format!("the knob '{name}' has no value; write {name}=VALUE"))
}

fn wrong(name: &str, takes: &str, value: &str) -> SimSpecError {
    SimSpecError(format!("the knob '{name}' takes {takes}, not '{value}'"))
}
