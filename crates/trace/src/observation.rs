//! One look at a device.

use std::sync::Arc;

use serde::Serialize;

use crate::crash::Crash;
use crate::event::{Aim, Aiming, Orientation};
use crate::geometry::{Point, Size};
use crate::selector::Selector;
use crate::step::CoverageId;
use crate::time::Micros;
use crate::tree::GuiTree;

/// What one look at a device showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// When, on the device's clock.
    pub at: Micros,
    /// The package in front.
    pub package: Arc<str>,
    /// The activity in front, with its full name.
    pub activity: Arc<str>,
    /// The GUI tree, if this look asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<GuiTree>,
    /// Whether the soft keyboard is up.
    pub keyboard: bool,
    /// How the device is held.
    pub orientation: Orientation,
    /// The screen as it is held.
    pub screen: Size,
    /// Code executed since the look before, in order and without repetition; only what was new in this run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<CoverageId>,
    /// Crashes since the look before, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<Crash>,
}

impl Observation {
    /// A touch at this place, and what it would touch: the topmost widget there that can be acted on, else the
    /// topmost one.
    pub fn aim_at(&self, at: Point) -> Aim {
        let under = self.tree.as_ref().and_then(|tree| {
            let id = tree.hit(at, |node| node.flags.actionable()).or_else(|| tree.hit(at, |_| true))?;
            Some(Selector::of(tree, id))
        });
        Aim { at, widget: under, by: Aiming::Place }
    }
}
