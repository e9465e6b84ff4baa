//! Device specifications: `jvm:app.apk?screen=w360dp-h640dp-xxhdpi&mode=wild`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A device as a user asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JvmSpec {
    /// The specification as it was written.
    pub text: String,
    /// The app.
    pub app: JvmApp,
    /// The version of Android, as a number: 29 for Android 10.
    pub api: u32,
    /// The screen, in the words of Android's resource qualifiers.
    pub screen: String,
    /// The program `java`, or the folder of a JDK; without it, the one of `JAVA_HOME` or of `PATH`.
    pub jvm: Option<PathBuf>,
    /// Whether threads of the app take turns at random.
    pub mode: JvmMode,
    /// An older version of Android whose ways the app meets where they are known to differ.
    pub compat: Option<u32>,
    /// The height of the keyboard in dp, where it is not the usual one.
    pub keyboard: Option<u32>,
    /// Whether other apps are not started, as where the Monkey is told to keep to one package.
    pub stay: bool,
    /// A table of other apps that are on the phone, by the intents that they take; relative to the app's folder.
    pub intents: Option<PathBuf>,
}

/// An app to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JvmApp {
    /// The one in this file.
    File(PathBuf),
    /// The one that is part of retap, built on first use.
    Sample,
}

/// How the app's threads take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JvmMode {
    /// In an order that is a function of the seed, as far as the app lets it.
    #[default]
    Calm,
    /// As they come.
    Wild,
}

/// Why a specification was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JvmSpecError {
    /// Another kind of device.
    #[error("'{0}' is not an app in a JVM; write jvm:APP.apk, with options as in jvm:APP.apk?mode=wild")]
    NotJvm(String),
    /// An option that there is not.
    #[error("{}", retap_trace::unknown("option", name, &NAMES))]
    Unknown { name: String },
    /// Where an option stands, there is a part of a path.
    #[error(
        "'{0}' is no option; options begin at the first question mark, so the path of an app cannot hold one"
    )]
    Mark(String),
    /// An option without a value.
    #[error("the option '{0}' has no value; write {0}=VALUE")]
    NoValue(String),
    /// An option that is given twice.
    #[error("the option '{0}' is given twice; leave one of them out")]
    Twice(String),
    /// A version of Android that is not supported.
    #[error("the option 'api' takes 29 (Android 10), the only version that is supported so far, not '{0}'")]
    Api(String),
    /// A value that the option does not take.
    #[error("the option '{name}' takes {takes}, not '{value}'")]
    Value { name: &'static str, takes: &'static str, value: String },
}

/// The word for the app that is part of retap. A file of this name is `jvm:./sample`.
const SAMPLE: &str = "sample";
const NAMES: [&str; 8] = ["api", "screen", "jvm", "mode", "compat", "keyboard", "stay", "intents"];
/// The version of Android that is used.
const API: u32 = 29;
/// The older version whose ways are known.
const COMPAT: u32 = 19;
/// A phone of 1080 by 1920 pixels.
const SCREEN: &str = "w360dp-h640dp-xxhdpi";

impl FromStr for JvmSpec {
    type Err = JvmSpecError;

    fn from_str(text: &str) -> Result<Self, JvmSpecError> {
        let wrong = || JvmSpecError::NotJvm(text.to_owned());
        let (head, query) = text.split_once('?').unwrap_or((text, ""));
        let app = head.strip_prefix("jvm:").filter(|path| !path.is_empty()).ok_or_else(wrong)?;
        let mut spec = Self {
            text: text.to_owned(),
            app: if app == SAMPLE { JvmApp::Sample } else { JvmApp::File(PathBuf::from(app)) },
            api: API,
            screen: SCREEN.to_owned(),
            jvm: None,
            mode: JvmMode::default(),
            compat: None,
            keyboard: None,
            stay: false,
            intents: None,
        };
        let mut seen: Vec<&str> = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if seen.contains(&name) {
                return Err(JvmSpecError::Twice(name.to_owned()));
            }
            seen.push(name);
            spec.set(name, value)?;
        }
        Ok(spec)
    }
}

impl JvmApp {
    /// The folder that files are relative to which the device names: that of the app, so that they move with it.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Self::File(path) => path.parent().unwrap_or(Path::new("")),
            Self::Sample => Path::new(""),
        }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Sample => PathBuf::from(format!("jvm:{SAMPLE}")),
        }
    }
}

impl JvmSpec {
    /// What the app runs on, for everybody who reads what was found there.
    pub fn platform(&self) -> String {
        format!("Robolectric, API {}", self.api)
    }

    /// The mode, where it is said.
    pub fn named_mode(&self) -> Option<JvmMode> {
        let options = self.text.split_once('?').map_or("", |(_, options)| options);
        options.split('&').any(|option| option.starts_with("mode=")).then_some(self.mode)
    }

    /// The same device in this mode, as it is written.
    pub fn written_in(&self, mode: JvmMode) -> String {
        if self.mode == mode {
            return self.text.clone();
        }
        let (head, options) = self.text.split_once('?').unwrap_or((&self.text, ""));
        let others = options.split('&').filter(|option| !option.is_empty() && !option.starts_with("mode="));
        let options: Vec<&str> = others.chain((mode == JvmMode::Wild).then_some("mode=wild")).collect();
        if options.is_empty() { head.to_owned() } else { format!("{head}?{}", options.join("&")) }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), JvmSpecError> {
        if name.contains(".apk") {
            return Err(JvmSpecError::Mark(name.to_owned()));
        }
        if !NAMES.contains(&name) {
            return Err(JvmSpecError::Unknown { name: name.to_owned() });
        }
        if value.is_empty() {
            return Err(JvmSpecError::NoValue(name.to_owned()));
        }
        let refused = |name, takes| JvmSpecError::Value { name, takes, value: value.to_owned() };
        match name {
            "api" if value.parse() == Ok(API) => {}
            "api" => return Err(JvmSpecError::Api(value.to_owned())),
            "screen" if is_screen(value) => value.clone_into(&mut self.screen),
            "screen" => {
                let takes = if value.split('-').any(is_odd_side) {
                    "a width and a height from 100dp to 4000dp, such as w360dp-h640dp-xxhdpi"
                } else {
                    "qualifiers in the order of Android's, such as w360dp-h640dp-xxhdpi or w640dp-h360dp-land-xxhdpi"
                };
                return Err(refused("screen", takes));
            }
            "intents" => self.intents = Some(PathBuf::from(value)),
            "jvm" => self.jvm = Some(PathBuf::from(value)),
            "compat" if value.parse() == Ok(COMPAT) => self.compat = Some(COMPAT),
            "compat" => return Err(refused("compat", "19 (Android 4.4)")),
            "stay" if value == "yes" => self.stay = true,
            "stay" => return Err(refused("stay", "yes")),
            "keyboard" => match value.parse() {
                Ok(dp) if (50..=1000).contains(&dp) => self.keyboard = Some(dp),
                _ => return Err(refused("keyboard", "a height from 50 to 1000, in dp")),
            },
            _ => {
                self.mode = match value {
                    "calm" => JvmMode::Calm,
                    "wild" => JvmMode::Wild,
                    _ => return Err(refused("mode", "calm or wild")),
                }
            }
        }
        Ok(())
    }
}

/// Words for how dense a screen is.
const DENSITIES: [&str; 7] = ["ldpi", "mdpi", "tvdpi", "hdpi", "xhdpi", "xxhdpi", "xxxhdpi"];

/// The sides that a screen can have, in dp.
const SIDES: std::ops::RangeInclusive<u32> = 100..=4000;

/// The length of a side such as `w360dp`, where it is one.
fn side(part: &str, mark: char) -> Option<u32> {
    let number = part.strip_prefix(mark)?.strip_suffix("dp")?;
    // One with too many digits is a side, too.
    number.chars().all(|char| char.is_ascii_digit()).then(|| number.parse().unwrap_or(u32::MAX))
}

/// Whether it is a side that no screen has.
fn is_odd_side(part: &str) -> bool {
    ['w', 'h'].into_iter().any(|mark| side(part, mark).is_some_and(|dp| !SIDES.contains(&dp)))
}

/// Whether it names a width, a height and a density, in this order, and besides nothing but words of qualifiers.
fn is_screen(value: &str) -> bool {
    let is_side = |part: &str, mark: char| side(part, mark).is_some_and(|dp| SIDES.contains(&dp));
    let dense = |part: &&str| {
        let dots = part.strip_suffix("dpi").and_then(|dots| dots.parse::<u32>().ok());
        DENSITIES.contains(part) || dots.is_some_and(|dots| (60..=1000).contains(&dots))
    };
    let mut parts = value.split('-');
    // Each goes on behind the one before.
    let in_order = parts.any(|part| is_side(part, 'w'))
        && parts.any(|part| is_side(part, 'h'))
        && parts.any(|part| dense(&part));
    in_order
        && value.split('-').all(|part| {
            !part.is_empty()
                && part.chars().all(|char| char.is_ascii_alphanumeric())
                && (!part.ends_with("dpi") || dense(&part))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<JvmSpec, String> {
        text.parse().map_err(|error: JvmSpecError| error.to_string())
    }

    #[test]
    fn everything_can_be_said() {
        let usual = read("jvm:a/b.apk").unwrap();
        assert_eq!((usual.app, usual.api, usual.jvm), (JvmApp::File("a/b.apk".into()), 29, None));
        assert_eq!((usual.screen.as_str(), usual.mode), ("w360dp-h640dp-xxhdpi", JvmMode::Calm));
        let all = read("jvm:/b.apk?api=29&screen=w320dp-h544dp-port-hdpi&jvm=/opt/jdk&mode=wild").unwrap();
        assert_eq!((all.screen.as_str(), all.mode), ("w320dp-h544dp-port-hdpi", JvmMode::Wild));
        assert_eq!(all.jvm, Some(PathBuf::from("/opt/jdk")));
        assert_eq!((all.compat, all.keyboard, all.stay), (None, None, false));
        let old = read("jvm:/b.apk?compat=19&keyboard=230&stay=yes&intents=a/i.toml").unwrap();
        assert_eq!((old.compat, old.keyboard, old.stay), (Some(19), Some(230), true));
        assert_eq!((all.intents, old.intents), (None, Some("a/i.toml".into())));
    }

    #[test]
    fn the_sample_is_told_from_a_file_of_its_name() {
        for sample in ["jvm:sample", "jvm:sample?mode=wild", "jvm:sample?"] {
            assert_eq!(read(sample).unwrap().app, JvmApp::Sample, "{sample}");
        }
        for file in ["./sample", "sample.apk", "a/sample", "/sample", "Sample"] {
            assert_eq!(read(&format!("jvm:{file}")).unwrap().app, JvmApp::File(file.into()));
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (wrong, said) in [
            ("sim:notes", "'sim:notes' is not an app in a JVM; write jvm:APP.apk"),
            ("jvm:", "'jvm:' is not an app in a JVM"),
            ("jvm", "'jvm' is not an app in a JVM"),
            ("jvm:a.apk?scren=x", "there is no option 'scren'; did you mean `screen`? there are api,"),
            ("jvm:a.apk?api", "the option 'api' has no value; write api=VALUE"),
            ("jvm:a.apk?api=34", "the option 'api' takes 29 (Android 10), the only version"),
            ("jvm:a.apk?api=29&api=29", "the option 'api' is given twice"),
            ("jvm:a.apk?mode=mad", "the option 'mode' takes calm or wild, not 'mad'"),
            ("jvm:a.apk?stay=maybe", "the option 'stay' takes yes, not 'maybe'"),
            ("jvm:a.apk?compat=18", "the option 'compat' takes 19 (Android 4.4), not '18'"),
            ("jvm:a.apk?keyboard=tall", "the option 'keyboard' takes a height from 50 to 1000, in dp"),
            ("jvm:a.apk?keyboard=5", "the option 'keyboard' takes a height from 50 to 1000, in dp"),
            ("jvm:a.apk?screen=big", "the option 'screen' takes qualifiers in the order"),
            ("jvm:a.apk?screen=w360dp-h640dp-xx$hdpi", "the option 'screen' takes qualifiers in the order"),
            ("jvm:a.apk?screen=h640dp-w360dp-xxhdpi", "the option 'screen' takes qualifiers in the order"),
            ("jvm:a.apk?screen=w360dp-h640dp-bighdpi", "the option 'screen' takes qualifiers in the order"),
            ("jvm:a.apk?screen=w360dp-xhdpi-h640dp", "the option 'screen' takes qualifiers in the order"),
            (
                "jvm:a.apk?screen=w9999dp-h640dp-hdpi",
                "the option 'screen' takes a width and a height from 100dp",
            ),
            (
                "jvm:a.apk?screen=w360dp-h10dp-hdpi",
                "the option 'screen' takes a width and a height from 100dp",
            ),
            ("jvm:q?x.apk", "'x.apk' is no option; options begin at the first question mark"),
        ] {
            let why = read(wrong).unwrap_err();
            assert!(why.starts_with(said), "{wrong}: {why}");
        }
    }
}
