//! From `--device` to devices.

mod android;
mod choice;
mod jvm;
mod simulated;

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use retap_job::Devices;
#[cfg(feature = "mcp")]
use retap_mcp::DeviceNeeds;

#[cfg(feature = "mcp")]
pub(crate) use choice::app_folders;
pub(crate) use choice::{DeviceChoice, check_app, located};
pub(crate) use simulated::simulator;

use crate::output::Output;

/// Where devices say what there is to know of them, as long as they are open.
pub(crate) type NoticeTo = Arc<dyn Fn(&str) + Send + Sync>;

/// Whom the opening of devices is told to.
pub(crate) struct Opening<'a> {
    pub(crate) output: Output,
    pub(crate) notices: &'a NoticeTo,
}

/// A kind of device.
pub(crate) struct Backend {
    /// The word before the first `:` or `?`.
    pub(crate) scheme: &'static str,
    /// How a device of it is written.
    pub(crate) form: &'static str,
    /// Opens so many devices, and tells how far that is.
    open: fn(&str, u32, &Opening<'_>) -> anyhow::Result<Devices>,
    /// Whether opening a device leaves nothing that must be undone.
    leaves_nothing: bool,
    /// The package that such a device runs, as far as its name tells.
    package: fn(&str) -> anyhow::Result<Option<String>>,
    /// What such a device needs of this computer, as far as its name tells, with the app that it names in this folder.
    #[cfg(feature = "mcp")]
    needs: fn(&str, &Path) -> DeviceNeeds,
}

/// All kinds of devices. A new one is a file with a [`Backend`], and a line here.
pub(crate) const BACKENDS: &[Backend] = &[simulated::BACKEND, android::BACKEND, jvm::BACKEND];

/// So many devices as the specification says. What is wrong is said at once.
pub(crate) fn open(spec: &str, count: u32, opening: &Opening<'_>) -> anyhow::Result<Devices> {
    (known(spec)?.open)(spec, count, opening)
}

/// Refuses what is a device of no kind.
pub(crate) fn check_scheme(spec: &str) -> anyhow::Result<()> {
    known(spec).map(drop)
}

/// The kind that a device is of. What is wrong is said at once.
fn known(spec: &str) -> anyhow::Result<&'static Backend> {
    if let Some(backend) = backend(spec) {
        return Ok(backend);
    }
    let forms: Vec<&str> = BACKENDS.iter().map(|backend| backend.form).collect();
    let schemes = BACKENDS.iter().map(|backend| backend.scheme);
    if Path::new(spec).is_file() {
        bail!(
            "'{spec}' is a file, not a device; an Android app (an APK) is written jvm:{spec}, an app of the simulator sim:./{spec}"
        );
    }
    let meant = retap_trace::did_you_mean(scheme(spec), schemes).unwrap_or_default();
    bail!(
        "there is no device '{spec}'{meant}{} write {} ('retap device list' shows them all)",
        if meant.is_empty() { ";" } else { "" },
        forms.join(", or ")
    )
}

/// What a device needs of this computer, with the app that it names in this folder. What is wrong with it is said when it
/// is opened.
#[cfg(feature = "mcp")]
pub(crate) fn needs(spec: &str, folder: &Path) -> DeviceNeeds {
    backend(spec).map(|backend| (backend.needs)(spec, folder)).unwrap_or_default()
}

/// Whether opening a device leaves nothing that must be undone.
pub(crate) fn leaves_nothing(spec: &str) -> bool {
    backend(spec).is_some_and(|backend| backend.leaves_nothing)
}

/// The kind that a device is of.
fn backend(spec: &str) -> Option<&'static Backend> {
    BACKENDS.iter().find(|backend| backend.scheme == scheme(spec))
}

/// The word before the first `:` or `?`.
fn scheme(spec: &str) -> &str {
    spec.split([':', '?']).next().unwrap_or_default()
}
