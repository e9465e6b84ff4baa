//! What a snapshot holds beside the simulated machine.

use std::collections::BTreeSet;

use retap_sim::app::App;

use super::battery::Battery;
use super::log::Log;
use super::packages::Packages;
use super::props::Props;
use super::tables::Tables;
use crate::files::Files;
use crate::settings::PhoneSettings;

/// Everything around the app that the simulated machine does not know of.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) files: Files,
    pub(crate) props: Props,
    pub(crate) tables: Tables,
    pub(crate) packages: Packages,
    pub(crate) battery: Battery,
    pub(crate) log: Log,
    pub(crate) clipboard: Option<String>,
    /// Whether each way to the network is open.
    pub(crate) wifi: bool,
    pub(crate) data: bool,
    pub(crate) airplane: bool,
    /// Device ports on which an uiautomator2 server runs.
    pub(crate) automators: BTreeSet<u16>,
}

impl World {
    pub(crate) fn fresh(settings: &PhoneSettings, app: &App) -> Self {
        Self {
            files: Files::fresh(settings.storage, settings.started),
            props: Props::fresh(settings),
            tables: Tables::fresh(),
            packages: Packages::fresh(app, settings.android, settings.started),
            battery: Battery::fresh(),
            log: Log::default(),
            clipboard: None,
            wifi: true,
            data: true,
            airplane: false,
            automators: BTreeSet::new(),
        }
    }

    /// Whether there is any way to the network.
    pub(crate) const fn online(&self) -> bool {
        !self.airplane && (self.wifi || self.data)
    }
}
