//! `retap.toml`: settings that need not be typed. What is typed wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retap_job::explore::ExploreRules;
use serde::Deserialize;

use crate::args::Global;
use crate::devices::located;

/// The settings file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct Config {
    pub(crate) device: Option<String>,
    pub(crate) devices: Option<u32>,
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
    pub(crate) runs: Option<u32>,
    pub(crate) fragments: Option<u32>,
    pub(crate) joins: Option<String>,
    pub(crate) snapshots: Option<String>,
    pub(crate) level: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ExploreConfig {
    pub(crate) strategy: Option<String>,
    pub(crate) events: Option<u64>,
    pub(crate) minutes: Option<u64>,
    /// Monkey's percentages by name.
    pub(crate) pct: BTreeMap<String, u32>,
    pub(crate) idle_minutes: Option<u64>,
    pub(crate) throttle: Option<u64>,
    pub(crate) blind: bool,
    /// Time travel's settings by name.
    pub(crate) timetravel: BTreeMap<String, f64>,
    pub(crate) select: Option<String>,
    pub(crate) snapshots: Option<bool>,
    pub(crate) look: Option<String>,
    pub(crate) start: Option<PathBuf>,
    pub(crate) reduce: bool,
    pub(crate) rules: ExploreRules,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ReduceConfig {
    pub(crate) search: Option<String>,
    pub(crate) rule: Option<String>,
    pub(crate) schedule: Option<String>,
    pub(crate) parts: Option<u32>,
    pub(crate) prior: Option<String>,
    pub(crate) level: Option<String>,
    pub(crate) one_by_one: bool,
    pub(crate) confirm: Option<u32>,
    pub(crate) min_rate: Option<f64>,
    pub(crate) values: Option<bool>,
    pub(crate) timeout: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ReplayConfig {
    pub(crate) times: Option<u32>,
}

impl Config {
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
        let found = config.device.as_deref().map(|device| located(device, &path.display(), &folders, ""));
        config.device = found.and_then(Result::ok).or(config.device);
        Ok(config)
    }

    fn parse(path: &Path, text: &str) -> anyhow::Result<Self> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            // The library says "expected one of ..." on lines of their own; one sentence is enough.
            let why = error.message().replace('\n', " ");
            anyhow::anyhow!("{}:{line}: {why}", path.display())
        })
    }
}

/// A number of devices that makes sense.
pub(crate) fn devices(typed: Option<u32>, config: &Config) -> anyhow::Result<u32> {
    match typed.or(config.devices).unwrap_or(1) {
        0 => bail!("0 devices can run nothing; --devices takes 1 or more"),
        1001.. => bail!("--devices takes at most 1000"),
        devices => Ok(devices),
    }
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
        assert_eq!(config.device.as_deref(), Some("sim:notes"));
        assert_eq!(config.explore.pct["touch"], 50);
        assert_eq!(config.reduce.rule.as_deref(), Some("18/20"));
        assert_eq!(config.replay.times, Some(5));
    }

    #[test]
    fn a_wrong_word_is_named_with_its_line() {
        let unknown = said("seed = 1\n[explore]\nstratgy = 'x'");
        assert!(unknown.starts_with("retap.toml:3: unknown field `stratgy`"), "{unknown}");
        assert!(said("seed = 'x'").starts_with("retap.toml:1: invalid type"), "{}", said("seed = 'x'"));
        assert_eq!(said("seed = ").lines().count(), 1);
    }
}
