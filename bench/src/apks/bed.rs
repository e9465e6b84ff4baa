//! Devices for real apps: opened when they are needed, and used again by what comes next on the same app.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use retap_device::Device;
use retap_explore::Components;
use retap_job::{Devices, Surroundings, Time};
use retap_jvm::{JvmEnvironment, JvmHost, JvmNotices, JvmSpec};
use retap_trace::{AppId, Header};

use super::{Experiment, PaperApp, Watched};
use crate::table;

/// Where apps are run.
#[derive(Debug)]
pub(crate) struct Bed {
    apks: PathBuf,
    hosts: Mutex<BTreeMap<String, JvmHost>>,
    /// Devices that nobody uses at the moment, each a process.
    idle: Mutex<Vec<Watched>>,
}

impl Bed {
    /// For the APKs in this folder.
    pub(crate) fn new(apks: &Path) -> Self {
        Self { apks: apks.to_owned(), hosts: Mutex::default(), idle: Mutex::default() }
    }

    /// Does something with a device that runs an app. There are as many processes as are used at once.
    pub(crate) fn with<T>(
        &self,
        app: &PaperApp,
        wild: bool,
        work: impl FnOnce(&Watched) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let device = self.take(&self.spec(app, wild))?;
        device.begin();
        let done = work(&device);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(device);
        done
    }

    /// The device of an app as it is written.
    pub(crate) fn spec(&self, app: &PaperApp, wild: bool) -> String {
        let (apk, options) = (self.apk(app), app.options(wild));
        let mark = if options.is_empty() { "" } else { "?" };
        format!("jvm:{}{mark}{options}", apk.display())
    }

    /// The file of an app. The sample has none: retap builds it, and knows it by its name alone.
    pub(crate) fn apk(&self, app: &PaperApp) -> PathBuf {
        if app.from == Experiment::Ours { app.apk.clone() } else { self.apks.join(&app.apk) }
    }

    fn take(&self, spec: &str) -> anyhow::Result<Watched> {
        {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = idle.iter().position(|device| device.name() == spec) {
                return Ok(idle.remove(place));
            }
            // Its process makes room for the new one.
            idle.pop();
        }
        self.open(spec)
    }

    /// A new process.
    pub(crate) fn open(&self, spec: &str) -> anyhow::Result<Watched> {
        let notices = JvmNotices::new(|_| {});
        let device = self.host(spec)?.device(notices).with_context(|| format!("{spec} does not open"))?;
        Ok(Watched::new(device))
    }

    /// The host of a device, which is made ready once.
    fn host(&self, spec: &str) -> anyhow::Result<JvmHost> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(spec) {
            return Ok(host.clone());
        }
        let parsed: JvmSpec = spec.parse()?;
        let host = JvmHost::prepare(&parsed, &JvmEnvironment::read(), &mut |progress| {
            table::progress(&format!("{spec}: {progress:?}"));
        })?;
        hosts.insert(spec.to_owned(), host.clone());
        Ok(host)
    }
}

impl Watched {
    /// The devices of a job: this one.
    pub(crate) fn for_a_job(&self) -> Devices {
        let mut devices = Devices::new(vec![Box::new(self.clone())], self.header(), Time::Real);
        devices.surroundings = Surroundings { components: self.components_to_start(), modem: false };
        devices.coverage_total = self.coverage_total();
        devices
    }

    /// The header of traces that are recorded on it.
    pub(crate) fn header(&self) -> Header {
        Header {
            app: AppId { package: self.package().into(), build: Some(self.build()) },
            device: Some(self.name().to_owned()),
            screen: Some(self.screen()),
            ..Header::new(self.package())
        }
    }

    /// The parts of the app that can be started, besides launching it.
    pub(crate) fn components_to_start(&self) -> Components {
        let known = self.components();
        Components { activities: known.activities, services: known.services, receivers: known.receivers }
    }
}

#[cfg(test)]
mod tests {
    use retap_jvm::JvmApp;

    use super::*;

    #[test]
    fn the_sample_is_no_file() {
        let bed = Bed::new(Path::new("/apks"));
        let app = |app: &PaperApp| bed.spec(app, true).parse::<JvmSpec>().unwrap().app;
        assert_eq!(app(&PaperApp::sample("race")), JvmApp::Sample);
        let tippy = &super::super::apps(&["Tippy".to_owned()]).unwrap()[0];
        assert_eq!(app(tippy), JvmApp::File("/apks/simplydroid/tippy.apk".into()));
    }
}
