//! The real apps of the papers' experiments, and devices that run them: `jvm:` with what a table says of each app.

mod bed;
mod scout;
mod watched;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use retap_trace::Event;
use serde::Deserialize;

pub(crate) use bed::Bed;
pub(crate) use scout::{CurvePoint, FoundCrash, Scout, Scouted, stack};
pub(crate) use watched::Watched;

/// An app, and what is known of it alone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperApp {
    pub(crate) name: String,
    pub(crate) from: Experiment,
    /// The file, in the folder of APKs.
    pub(crate) apk: PathBuf,
    pub(crate) traces: Option<String>,
    screen: Option<String>,
    compat: Option<u32>,
    #[serde(default)]
    stay: bool,
    keyboard: Option<u32>,
    intents: Option<PathBuf>,
    pub(crate) start: Option<PathBuf>,
    pub(crate) table: Option<String>,
}

/// The experiment that an app comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Experiment {
    SimplyDroid,
    SwiftHand2,
    Themis,
    /// None: a sample of this project.
    Ours,
}

#[derive(Debug, Deserialize)]
struct Apps {
    app: Vec<PaperApp>,
}

/// All apps, in the order of the table; only those of these names where some are named.
pub(crate) fn apps(only: &[String]) -> anyhow::Result<Vec<PaperApp>> {
    let all: Apps = toml::from_str(include_str!("apks/apps.toml")).context("the table of apps is wrong")?;
    let names: Vec<&str> = all.app.iter().map(|app| &*app.name).collect();
    for name in only {
        let known = names.iter().any(|known| known.eq_ignore_ascii_case(name));
        ensure!(known, "there is no app '{name}'; there are {}", names.join(", "));
    }
    let wanted =
        |app: &PaperApp| only.is_empty() || only.iter().any(|name| name.eq_ignore_ascii_case(&app.name));
    Ok(all.app.into_iter().filter(wanted).collect())
}

impl PaperApp {
    /// The app that is part of retap, under this name.
    pub(crate) fn sample(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            from: Experiment::Ours,
            apk: PathBuf::from("sample"),
            traces: None,
            screen: None,
            compat: None,
            stay: false,
            keyboard: None,
            intents: None,
            start: None,
            table: None,
        }
    }

    /// What is performed before everything else.
    pub(crate) fn start_events(&self) -> anyhow::Result<Vec<Event>> {
        let Some(file) = &self.start else { return Ok(Vec::new()) };
        let file = beside_the_table(file);
        let trace = retap_job::tracefile::read(&file).with_context(|| file.display().to_string())?;
        Ok(trace.events().cloned().collect())
    }

    /// The options of its device.
    fn options(&self, wild: bool) -> String {
        let compat = self.compat.map(|api| api.to_string());
        let keyboard = self.keyboard.map(|dp| dp.to_string());
        let intents = self.intents.as_deref().map(|file| beside_the_table(file).display().to_string());
        let given = [
            ("screen", self.screen.as_deref()),
            ("compat", compat.as_deref()),
            ("stay", self.stay.then_some("yes")),
            ("keyboard", keyboard.as_deref()),
            ("intents", intents.as_deref()),
            ("mode", wild.then_some("wild")),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        given.collect::<Vec<_>>().join("&")
    }
}

/// A file that the table of apps names.
fn beside_the_table(file: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/apks").join(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_every_device_be_named() {
        let all = apps(&[]).unwrap();
        assert_eq!(all.len(), 17);
        let of = |from| all.iter().filter(|app| app.from == from).count();
        assert_eq!(of(Experiment::SimplyDroid), 8);
        assert_eq!((of(Experiment::SwiftHand2), of(Experiment::Themis)), (7, 2));
        for app in &all {
            for wild in [false, true] {
                let spec = format!("jvm:{}?{}", app.apk.display(), app.options(wild));
                assert!(spec.parse::<retap_jvm::JvmSpec>().is_ok(), "{spec}");
            }
            assert_eq!(app.start_events().unwrap().is_empty(), app.start.is_none(), "{}", app.name);
            assert_eq!(app.traces.is_some(), app.from == Experiment::SimplyDroid, "{}", app.name);
            assert_eq!(app.table.is_some(), app.from == Experiment::SwiftHand2, "{}", app.name);
        }
    }

    #[test]
    fn apps_are_picked_by_name() {
        let picked = apps(&["tippy".to_owned(), "MARKOR".to_owned()]).unwrap();
        let names: Vec<&str> = picked.iter().map(|app| &*app.name).collect();
        assert_eq!(names, ["Tippy", "markor"]);
        assert!(apps(&["tipy".to_owned()]).unwrap_err().to_string().starts_with("there is no app 'tipy'"));
    }
}
