//! Means over cases and seeds, and how they compare with those of the optimal schedule.

use retap_mdp::Prior;
use retap_reduce::Rate;
use retap_trace::Micros;
use serde::Serialize;

use super::trial::Trial;
use super::turns::Turns;

/// The means of a schedule.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Means {
    /// The rate of the whole trace, in its first runs.
    whole_rate: f64,
    /// Events that the search ended with.
    pub(super) found_events: f64,
    /// Events of the confirmed answer.
    pub(super) events: f64,
    /// Shorter answers that fresh runs did not confirm.
    retreats: f64,
    pub(super) steps: f64,
    /// The median: few traces whose rate is close to that of the rule decide the mean.
    pub(super) median_steps: f64,
    /// Steps of a turn of the search with up to five candidates.
    steps_a_turn: f64,
    runs: f64,
    withdrawn: f64,
    device_hours: f64,
    elapsed_hours: f64,
    pub(super) confirmed_rate: f64,
    p1: f64,
    p2: f64,
}

/// The means of a schedule by those of the optimal one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Ratios {
    events: f64,
    /// Not of `async`, which has no rounds.
    pub(super) steps: Option<f64>,
    /// The standard error of `steps`: how far chance alone moves it.
    steps_error: Option<f64>,
    steps_a_turn: Option<f64>,
    runs: f64,
    device_hours: f64,
    elapsed_hours: f64,
}

/// The columns of [`row`].
pub(super) const HEAD: [&str; 17] = [
    "schedule",
    "whole",
    "found",
    "events",
    "steps",
    "x opt",
    "a turn",
    "x opt",
    "runs",
    "x opt",
    "withdrawn",
    "device h",
    "elapsed h",
    "x opt",
    "confirmed",
    "p1",
    "p2",
];

/// A line of the table.
pub(super) fn row(name: &str, means: &Means, ratios: &Ratios) -> Vec<String> {
    let none = || "-".to_owned();
    let steps = ratios.steps.zip(ratios.steps_error);
    vec![
        name.to_owned(),
        format!("{:.3}", means.whole_rate),
        format!("{:.2}", means.found_events),
        format!("{:.2}", means.events),
        format!("{:.2}", means.steps),
        steps.map_or_else(none, |(ratio, error)| format!("{ratio:.3} ± {error:.3}")),
        ratios.steps_a_turn.map_or_else(none, |_| format!("{:.3}", means.steps_a_turn)),
        ratios.steps_a_turn.map_or_else(none, |ratio| format!("{ratio:.3}")),
        format!("{:.1}", means.runs),
        format!("{:.3}", ratios.runs),
        format!("{:.1}", means.withdrawn),
        format!("{:.2}", means.device_hours),
        format!("{:.2}", means.elapsed_hours),
        format!("{:.3}", ratios.elapsed_hours),
        format!("{:.3}", means.confirmed_rate),
        format!("{:.3}", means.p1),
        format!("{:.3}", means.p2),
    ]
}

impl Means {
    pub(super) fn of(trials: &[&Trial], prior: &Prior) -> Self {
        let mean = |value: &dyn Fn(&Trial) -> f64| mean(trials.iter().map(|trial| value(trial)));
        let total =
            |count: fn(Turns) -> u32| trials.iter().map(|trial| f64::from(count(trial.few))).sum::<f64>();
        Self {
            whole_rate: mean(&|trial| Rate::of(trial.whole).estimate),
            found_events: mean(&|trial| f64::from(trial.found)),
            events: mean(&|trial| f64::from(trial.answer.subset.len())),
            retreats: mean(&|trial| f64::from(trial.answer.retreats)),
            steps: mean(&|trial| f64::from(trial.steps)),
            median_steps: median(trials.iter().map(|trial| f64::from(trial.steps)).collect()),
            steps_a_turn: total(|few| few.rounds) / total(|few| few.turns).max(1.0),
            runs: mean(&|trial| f64::from(trial.runs)),
            withdrawn: mean(&|trial| f64::from(trial.withdrawn)),
            device_hours: mean(&|trial| hours(trial.device_time)),
            elapsed_hours: mean(&|trial| hours(trial.elapsed)),
            confirmed_rate: mean(&|trial| Rate::of(trial.answer.claim.unwrap_or_default()).estimate),
            p1: mean(&|trial| trial.p1(prior)),
            p2: mean(&|trial| trial.p2(prior)),
        }
    }
}

impl Ratios {
    /// The ratios of a schedule to the optimal one, whose trials are of the same cases in the same order.
    pub(super) fn of(trials: &[&Trial], optimal: &[&Trial], rounds: bool, prior: &Prior) -> Self {
        let (ours, best) = (Means::of(trials, prior), Means::of(optimal, prior));
        let steps = ours.steps / best.steps;
        let off = trials
            .iter()
            .zip(optimal)
            .map(|(one, other)| f64::from(one.steps) - steps * f64::from(other.steps));
        Self {
            events: ours.events / best.events,
            steps: rounds.then_some(steps),
            steps_error: rounds.then(|| standard_error(&off.collect::<Vec<_>>()) / best.steps),
            steps_a_turn: rounds.then_some(ours.steps_a_turn / best.steps_a_turn),
            runs: ours.runs / best.runs,
            device_hours: ours.device_hours / best.device_hours,
            elapsed_hours: ours.elapsed_hours / best.elapsed_hours,
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = u32::try_from(values.len().max(1)).map_or(f64::INFINITY, f64::from);
    values.sum::<f64>() / count
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

/// The standard error of a mean whose values are these.
fn standard_error(values: &[f64]) -> f64 {
    let middle = mean(values.iter().copied());
    let variance = mean(values.iter().map(|value| (value - middle).powi(2)));
    let freedom = u32::try_from(values.len().saturating_sub(1).max(1)).map_or(f64::INFINITY, f64::from);
    (variance / freedom).sqrt()
}

fn hours(time: Micros) -> f64 {
    time.as_secs_f64() / 3600.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_means_and_errors() {
        assert!((mean([1.0, 2.0, 6.0].into_iter()) - 3.0).abs() < 1e-12);
        // Two values 2 apart: their spread is the square root of 2, and that by the root of their number is 1.
        assert!((standard_error(&[1.0, 3.0]) - 1.0).abs() < 1e-12);
        assert!(standard_error(&[5.0; 7]) < 1e-12);
        assert!(standard_error(&[]) < 1e-12);
        for (values, known) in [(vec![], 0.0), (vec![7.0, 1.0, 3.0], 3.0), (vec![4.0, 1.0, 2.0, 9.0], 3.0)] {
            assert!((median(values) - known).abs() < 1e-12);
        }
    }
}
