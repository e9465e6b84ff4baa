//! TimeMachine and its rivals on real apps: code covered and crashes found, with equal events and with equal device time.
//!
//! As in the paper 200 ms pass before each event. This device has no snapshots: time travel performs again what led to a
//! state, and these events count like all others. Equal device time is that of the run on the app that took least of it
//! for its budget of events.

mod lines;
mod pairs;

use retap_trace::Micros;
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::work::{Job, Work};
use crate::apks::{Bed, Experiment, PaperApp, Scout, Scouted};
pub(super) use lines::report;

/// One exploration of one app.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Explored {
    app: String,
    strategy: String,
    seed: u64,
    #[serde(flatten)]
    scouted: Scouted,
}

const STRATEGIES: [&str; 6] = ["timetravel", "ms", "mr", "swifthand", "aware", "monkey"];
/// What the others are compared with.
const REFERENCE: &str = STRATEGIES[0];
const THROTTLE: Micros = Micros::from_millis(200);
/// Seeds on the apps of SimplyDroid, and on the others.
const SEEDS: (u64, u64) = (5, 2);

pub(super) fn work<'a>(
    bed: &'a Bed,
    cells: &'a Cells,
    apps: &'a [PaperApp],
    events: u64,
    seeds: Option<u64>,
) -> Work<'a> {
    let mut jobs = Vec::new();
    let most = apps.iter().map(|app| of_app(app, seeds)).max().unwrap_or(0);
    // The first seed of every app comes before the second of any: what is there when it is stopped can be compared.
    for seed in 1..=most {
        for app in apps.iter().filter(|app| seed <= of_app(app, seeds)) {
            for strategy in STRATEGIES {
                let measure = move || {
                    let scout = Scout { strategy, events, throttle: THROTTLE, seed };
                    let scouted = bed.with(app, false, |device| {
                        Ok(scout.explore(device, &mut scout.exploration(device)?))
                    })?;
                    let explored =
                        Explored { app: app.name.clone(), strategy: strategy.to_owned(), seed, scouted };
                    Ok(serde_json::to_value(explored)?)
                };
                #[expect(clippy::cast_precision_loss, reason = "some thousands")]
                let weight = events as f64;
                jobs.push(Job {
                    key: format!("{}/{strategy}/{seed}/{events}", app.name),
                    groups: vec![format!("{}/{strategy}", app.name), app.name.clone()],
                    weight,
                    measure: Box::new(measure),
                });
            }
        }
    }
    Work { part: "c", cells, jobs }
}

fn of_app(app: &PaperApp, seeds: Option<u64>) -> u64 {
    let usual = if app.from == Experiment::SimplyDroid { SEEDS.0 } else { SEEDS.1 };
    seeds.unwrap_or(usual)
}
