//! `retap.toml`: settings that need not be typed. What is typed wins.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, anyhow, ensure};
use retap_job::explore::ExploreRules;
use serde::Deserialize;
use toml::Spanned;

use crate::args::Global;
use crate::devices::located;

/// The settings file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct Config {
    #[serde(skip)]
    file: SettingsFile,
    device: Option<Spanned<String>>,
    pub(crate) devices: Option<Spanned<u32>>,
    pub(crate) seed: Option<u64>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) sources: Option<PathBuf>,
    pub(crate) explore: ExploreConfig,
    pub(crate) reduce: ReduceConfig,
    pub(crate) replay: ReplayConfig,
    pub(crate) suite: SuiteConfig,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct SuiteConfig {
    pub(crate) runs: Option<Spanned<u32>>,
    pub(crate) fragments: Option<Spanned<u32>>,
    pub(crate) joins: Option<Spanned<String>>,
    pub(crate) snapshots: Option<Spanned<String>>,
    pub(crate) level: Option<Spanned<String>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ExploreConfig {
    pub(crate) strategy: Option<Spanned<String>>,
    pub(crate) events: Option<Spanned<u64>>,
    pub(crate) minutes: Option<Spanned<u64>>,
    /// Monkey's percentages by name.
    pub(crate) pct: BTreeMap<String, Spanned<u32>>,
    pub(crate) idle_minutes: Option<Spanned<u64>>,
    pub(crate) throttle: Option<u64>,
    pub(crate) blind: bool,
    /// Time travel's settings by name.
    pub(crate) timetravel: BTreeMap<String, Spanned<f64>>,
    pub(crate) select: Option<Spanned<String>>,
    pub(crate) snapshots: Option<bool>,
    pub(crate) look: Option<Spanned<String>>,
    pub(crate) start: Option<PathBuf>,
    pub(crate) reduce: bool,
    pub(crate) rules: ExploreRules,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ReduceConfig {
    pub(crate) search: Option<Spanned<String>>,
    pub(crate) rule: Option<Spanned<String>>,
    pub(crate) schedule: Option<Spanned<String>>,
    pub(crate) parts: Option<Spanned<u32>>,
    pub(crate) prior: Option<Spanned<String>>,
    pub(crate) level: Option<Spanned<String>>,
    pub(crate) one_by_one: bool,
    pub(crate) confirm: Option<Spanned<u32>>,
    pub(crate) min_rate: Option<Spanned<f64>>,
    pub(crate) values: Option<bool>,
    pub(crate) timeout: Option<Spanned<u64>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ReplayConfig {
    pub(crate) times: Option<Spanned<u32>>,
}

/// The file, to say where in it something stands.
#[derive(Debug, Clone, Default)]
struct SettingsFile {
    path: PathBuf,
    text: String,
}

impl SettingsFile {
    /// `retap.toml:3`, of what begins at this byte.
    fn line(&self, at: usize) -> String {
        let line = 1 + self.text[..at.min(self.text.len())].matches('\n').count();
        format!("{}:{line}", self.path.display())
    }

    /// The key whose value begins at this byte, where both stand in one line.
    fn key(&self, at: usize) -> Option<&str> {
        let before = self.text.get(..at)?.rsplit('\n').next()?;
        let key = before.split_once('=')?.0.trim();
        (!key.is_empty()).then_some(key)
    }
}

/// A value that was typed or is set, and how the one who gave it finds it again.
#[derive(Debug, Clone)]
pub(crate) struct OptionValue<T> {
    pub(crate) value: T,
    /// `--rule`, or `retap.toml:3: rule`.
    pub(crate) name: String,
}

impl<T> OptionValue<T> {
    /// The same with what is wrong with it.
    pub(crate) fn wrong(&self, why: impl Display) -> anyhow::Error {
        anyhow!("{}: {why}", self.name)
    }

    /// The value, where it is one of those that are taken.
    pub(crate) fn among(self, takes: &str, is: impl FnOnce(&T) -> bool) -> anyhow::Result<T>
    where
        T: Display,
    {
        ensure!(is(&self.value), "{} takes {takes}, not {}", self.name, self.value);
        Ok(self.value)
    }
}

impl OptionValue<String> {
    /// What the text stands for.
    pub(crate) fn parse<P: FromStr<Err: Display>>(&self) -> anyhow::Result<P> {
        self.value.parse().map_err(|why| self.wrong(why))
    }

    /// What stands for one of a few words.
    pub(crate) fn word<P: Copy>(&self, takes: &str, known: &[(&str, P)]) -> anyhow::Result<P> {
        let found = known.iter().find(|(word, _)| *word == self.value);
        found
            .map(|(_, meant)| *meant)
            .with_context(|| format!("{} takes {takes}, not '{}'", self.name, self.value))
    }
}

/// What was typed for an option.
pub(crate) fn typed<T: Clone>(option: &str, value: Option<&T>) -> Option<OptionValue<T>> {
    value.map(|value| OptionValue { value: value.clone(), name: option.to_owned() })
}

impl Config {
    /// What was typed for an option, else what is set under its name.
    pub(crate) fn given<T: Clone>(
        &self,
        option: &str,
        value: Option<&T>,
        set: Option<&Spanned<T>>,
    ) -> Option<OptionValue<T>> {
        typed(option, value).or_else(|| Some(self.set(option.trim_start_matches("--"), set?)))
    }

    /// What is set under a name.
    pub(crate) fn set<T: Clone>(&self, key: &str, set: &Spanned<T>) -> OptionValue<T> {
        let name = format!("{}: {key}", self.file.line(set.span().start));
        OptionValue { value: set.get_ref().clone(), name }
    }

    /// The device that is set.
    pub(crate) fn device(&self) -> Option<&str> {
        self.device.as_ref().map(|device| device.get_ref().as_str())
    }

    /// The same with its place.
    pub(crate) fn set_device(&self) -> Option<OptionValue<String>> {
        self.device.as_ref().map(|device| self.set("device", device))
    }

    /// With the place of the device, where it is this one that is set.
    pub(crate) fn of_device(&self, spec: &str, error: anyhow::Error) -> anyhow::Error {
        match self.set_device().filter(|device| device.value == spec) {
            Some(device) => error.context(device.name),
            None => error,
        }
    }

    /// The settings file that was named, else `retap.toml` in this folder where there is one.
    pub(crate) fn load(global: &Global) -> anyhow::Result<Self> {
        let usual = Path::new("retap.toml");
        let path = match &global.config {
            Some(path) => path,
            None if usual.exists() => usual,
            None => return Ok(Self::default()),
        };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read settings from {}", path.display()))?;
        let mut config = Self::parse(path, &text)?;
        // Where it is nowhere, that is said when it is opened.
        let folders = [path.parent().unwrap_or(Path::new("")), Path::new("")];
        if let Some(device) = &mut config.device
            && let Ok(found) = located(device.get_ref(), &path.display(), &folders, "")
        {
            *device.get_mut() = found;
        }
        Ok(config)
    }

    fn parse(path: &Path, text: &str) -> anyhow::Result<Self> {
        let file = SettingsFile { path: path.to_owned(), text: text.to_owned() };
        match toml::from_str::<Self>(text) {
            Ok(config) => Ok(Self { file, ..config }),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                let key = file.key(at).map_or_else(String::new, |key| format!("{key}: "));
                // The library says "expected one of ..." on lines of their own; one sentence is enough.
                let why = error.message().replace('\n', " ");
                Err(anyhow!("{}: {key}{why}", file.line(at)))
            }
        }
    }
}

/// A number of devices that makes sense.
pub(crate) fn devices(option: &str, typed: Option<u32>, config: &Config) -> anyhow::Result<u32> {
    let given = config.given(option, typed.as_ref(), config.devices.as_ref());
    given.map_or(Ok(1), |given| given.among("1 to 1000", |devices| (1..=1000).contains(devices)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        Config::parse(Path::new("retap.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn reads_every_setting() {
        let text = "device = 'sim:notes'\nseed = 7\n[explore]\nstrategy = 'aware'\npct = { touch = 50 }\n\
                    [reduce]\nrule = '18/20'\n[replay]\ntimes = 5";
        let config = Config::parse(Path::new("retap.toml"), text).unwrap();
        assert_eq!(config.device(), Some("sim:notes"));
        assert_eq!(*config.explore.pct["touch"].get_ref(), 50);
        assert_eq!(config.reduce.rule.unwrap().get_ref(), "18/20");
        assert_eq!(*config.replay.times.unwrap().get_ref(), 5);
    }

    #[test]
    fn a_wrong_word_is_named_with_its_line() {
        let unknown = said("seed = 1\n[explore]\nstratgy = 'x'");
        assert!(unknown.starts_with("retap.toml:3: unknown field `stratgy`"), "{unknown}");
        assert!(said("seed = 'x'").starts_with("retap.toml:1: seed: invalid type"), "{}", said("seed = 'x'"));
        assert_eq!(said("seed = ").lines().count(), 1);
    }
}
