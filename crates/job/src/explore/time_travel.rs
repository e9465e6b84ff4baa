//! The settings of time travel by their names, as they are typed and as they stand in a plan.

use std::collections::BTreeMap;

use retap_explore::{Selection, TimeTravelSettings};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Result, refuse, require};

/// What a setting takes.
enum Takes {
    /// A whole number from 1 on.
    Whole,
    /// A number from 0 to 1.
    Share,
    /// A number from 1 on.
    Factor,
}

struct Setting {
    name: &'static str,
    takes: Takes,
    get: fn(&TimeTravelSettings) -> f64,
    set: fn(&mut TimeTravelSettings, f64),
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "whole numbers are checked to be from 1 to a million"
)]
const SETTINGS: &[Setting] = &[
    Setting {
        name: "loop-length",
        takes: Takes::Whole,
        get: |of| of.stuck.length as f64,
        set: |of, value| of.stuck.length = value as usize,
    },
    Setting {
        name: "no-progress",
        takes: Takes::Whole,
        get: |of| f64::from(of.stuck.no_progress),
        set: |of, value| of.stuck.no_progress = value as u32,
    },
    Setting {
        name: "frequent",
        takes: Takes::Share,
        get: |of| of.stuck.frequent,
        set: |of, value| of.stuck.frequent = value,
    },
    Setting {
        name: "easy",
        takes: Takes::Share,
        get: |of| of.stuck.easy,
        set: |of, value| of.stuck.easy = value,
    },
    Setting {
        name: "reward",
        takes: Takes::Share,
        get: |of| of.fitness.reward,
        set: |of, value| of.fitness.reward = value,
    },
    Setting {
        name: "penalty",
        takes: Takes::Share,
        get: |of| of.fitness.penalty,
        set: |of, value| of.fitness.penalty = value,
    },
    Setting {
        name: "interesting",
        takes: Takes::Factor,
        get: |of| of.fitness.interesting,
        set: |of, value| of.fitness.interesting = value,
    },
    Setting {
        name: "snapshots",
        takes: Takes::Whole,
        get: |of| of.snapshots as f64,
        set: |of, value| of.snapshots = value as usize,
    },
];

/// The settings when nothing is said: a quarter of the published patience. On our apps it finds more, and stuck is
/// stuck.
pub fn usual() -> TimeTravelSettings {
    let mut settings = TimeTravelSettings::default();
    settings.stuck.no_progress = 50;
    settings
}

/// Sets the setting with this name.
pub fn set(settings: &mut TimeTravelSettings, name: &str, value: f64) -> Result<()> {
    let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
        refuse!(
            "there is no setting '{name}' of time travel; there are loop-length, no-progress, frequent, easy, reward, \
             penalty, interesting and snapshots"
        );
    };
    let (fits, takes) = match setting.takes {
        Takes::Whole => (value.fract() == 0.0 && (1.0..=1e6).contains(&value), "a whole number"),
        Takes::Share => ((0.0..=1.0).contains(&value), "a number from 0 to 1"),
        Takes::Factor => ((1.0..=1e6).contains(&value), "a number of 1 or more"),
    };
    require!(fits, "{name} takes {takes}, not {value}");
    (setting.set)(settings, value);
    Ok(())
}

/// As they stand in a plan.
#[derive(Serialize, Deserialize)]
struct InPlan {
    #[serde(flatten)]
    values: BTreeMap<String, f64>,
    select: InPlanSelection,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum InPlanSelection {
    Own,
    Neighbourhood(u32),
}

pub(super) fn serialize<S: Serializer>(settings: &TimeTravelSettings, to: S) -> Result<S::Ok, S::Error> {
    let values = SETTINGS.iter().map(|setting| (setting.name.to_owned(), (setting.get)(settings))).collect();
    let select = match settings.selection {
        Selection::Own => InPlanSelection::Own,
        Selection::Neighbourhood { reach } => InPlanSelection::Neighbourhood(reach),
    };
    InPlan { values, select }.serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<TimeTravelSettings, D::Error> {
    let InPlan { values, select } = InPlan::deserialize(from)?;
    let mut settings = usual();
    for (name, value) in values {
        set(&mut settings, &name, value).map_err(D::Error::custom)?;
    }
    settings.selection = match select {
        InPlanSelection::Own => Selection::Own,
        InPlanSelection::Neighbourhood(reach) => Selection::Neighbourhood { reach },
    };
    Ok(settings)
}
