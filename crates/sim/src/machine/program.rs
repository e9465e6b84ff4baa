//! An app made ready to run: its tables, the knobs as they are set, and what can be worked out beforehand.

use std::sync::Arc;

use retap_trace::Micros;

use super::outside::System;
use super::shape::Shape;
use crate::app::{App, KnobId, Latency, Life, Probability, Value, VarId};

/// An app with its knobs set. Immutable, and shared by all devices that run it this way.
#[derive(Debug)]
pub struct Program {
    pub(super) app: Arc<App>,
    pub(super) knobs: Vec<f64>,
    pub(super) latency: Latency,
    pub(super) order: bool,
    pub(super) variants: bool,
    /// First values of all variables when nothing is left to chance.
    pub(super) initial: Arc<[Value]>,
    /// The shapes of the app's windows, by their number.
    pub(super) shapes: Vec<Shape>,
    /// For each activity, the variables that live as long as it.
    pub(super) activity_vars: Vec<Vec<VarId>>,
    pub(super) system: System,
}

/// What a device specification says about the app's behaviour.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Values of knobs that were turned.
    pub knobs: Vec<(KnobId, f64)>,
    /// How long a new window takes to appear.
    pub latency: Latency,
    /// Whether lists begin in random order.
    pub order: bool,
    /// Whether variants are drawn.
    pub variants: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { knobs: Vec::new(), latency: Latency::Fixed(Micros::ZERO), order: false, variants: false }
    }
}

impl Program {
    /// Makes the app ready to run with these settings.
    pub fn new(app: Arc<App>, settings: &Settings) -> Self {
        let mut knobs: Vec<f64> = app.knobs.iter().map(|knob| knob.initial).collect();
        for &(knob, value) in &settings.knobs {
            knobs[knob.index()] = value;
        }
        let mut activity_vars = vec![Vec::new(); app.activities.len()];
        for (number, var) in (0..).zip(&app.vars) {
            if let Life::Activity(activity) = var.life {
                activity_vars[activity.index()].push(VarId(number));
            }
        }
        Self {
            knobs,
            latency: settings.latency,
            order: settings.order,
            variants: settings.variants,
            initial: app.vars.iter().map(|var| var.initial.clone()).collect(),
            shapes: app.windows.iter().map(Shape::of).collect(),
            activity_vars,
            system: System::new(&app),
            app,
        }
    }

    pub const fn app(&self) -> &Arc<App> {
        &self.app
    }

    pub(super) fn probability(&self, of: Probability) -> f64 {
        match of {
            Probability::Fixed(probability) => probability,
            Probability::Knob(knob) => self.knobs[knob.index()],
        }
    }
}
