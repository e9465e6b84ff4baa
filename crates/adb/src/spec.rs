//! Device specifications: `adb:emulator-5554?app=com.example&apk=build/app.apk`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use retap_trace::is_package;

/// A device as a user asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AdbSpec {
    /// The specification as it was written.
    pub text: String,
    /// The serial number; without it, the only device there is.
    pub serial: Option<String>,
    /// The package of the app under test.
    pub app: Option<String>,
    /// The file to install it from.
    pub apk: Option<PathBuf>,
    /// The activity to launch, with its full name or beginning with a dot; without it, the one of the launcher.
    pub activity: Option<String>,
    /// The control socket of QEMU, for snapshots.
    pub qmp: Option<PathBuf>,
    /// The file on the device that `JaCoCo`'s agent writes; relative ones are in the app's own folder.
    pub coverage: Option<String>,
    /// The broadcast that makes the app write it.
    pub dump: Option<String>,
    /// Whether permissions are granted after each reset.
    pub grant: bool,
    /// Whether an adb server may be started when none runs.
    pub start: bool,
    /// How far apart two looks are that show the same when the app is at rest; without it, a quarter of a second.
    pub quiet: Option<Duration>,
}

/// Why a specification was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdbSpecError {
    /// Another kind of device.
    #[error("'{0}' is not a device of adb; write adb or adb:SERIAL, with options as in adb?app=com.example")]
    NotAdb(String),
    /// An option that there is not.
    #[error("there is no option '{name}'; the options are {}", NAMES.join(", "))]
    Unknown { name: String },
    /// An option without a value.
    #[error("the option '{0}' has no value; write {0}=VALUE")]
    NoValue(String),
    /// An option that is given twice.
    #[error("the option '{0}' is given twice; leave one of them out")]
    Twice(String),
    /// A value that the option does not take.
    #[error("the option '{name}' takes {takes}, not '{value}'")]
    Value { name: &'static str, takes: &'static str, value: String },
}

const NAMES: [&str; 9] = ["app", "apk", "activity", "qmp", "coverage", "dump", "grant", "start", "quiet"];
/// Waiting longer than this for rest between two events gains nothing.
const LONGEST_QUIET: u64 = 10_000;

impl FromStr for AdbSpec {
    type Err = AdbSpecError;

    fn from_str(text: &str) -> Result<Self, AdbSpecError> {
        let wrong = || AdbSpecError::NotAdb(text.to_owned());
        let (head, query) = text.split_once('?').unwrap_or((text, ""));
        let serial = match head.strip_prefix("adb").ok_or_else(wrong)? {
            "" => None,
            rest => Some(rest.strip_prefix(':').filter(|serial| is_serial(serial)).ok_or_else(wrong)?),
        };
        let mut spec = Self {
            text: text.to_owned(),
            serial: serial.map(str::to_owned),
            grant: true,
            start: true,
            ..Self::default()
        };
        let mut seen: Vec<&str> = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if seen.contains(&name) {
                return Err(AdbSpecError::Twice(name.to_owned()));
            }
            seen.push(name);
            spec.set(name, value)?;
        }
        Ok(spec)
    }
}

impl AdbSpec {
    fn set(&mut self, name: &str, value: &str) -> Result<(), AdbSpecError> {
        if !NAMES.contains(&name) {
            return Err(AdbSpecError::Unknown { name: name.to_owned() });
        }
        if value.is_empty() {
            return Err(AdbSpecError::NoValue(name.to_owned()));
        }
        let refused = |name, takes| AdbSpecError::Value { name, takes, value: value.to_owned() };
        let text = Some(value.to_owned());
        match name {
            "app" if !is_package(value) => return Err(refused("app", "a package such as com.example")),
            "app" => self.app = text,
            "apk" => self.apk = Some(PathBuf::from(value)),
            "activity" if !is_class(value) => {
                return Err(refused("activity", "a class such as com.example.Main or .Main"));
            }
            "activity" => self.activity = text,
            "qmp" => self.qmp = Some(PathBuf::from(value)),
            "coverage" => self.coverage = text,
            "dump" => self.dump = text,
            "quiet" => {
                let millis = value.parse().ok().filter(|millis| *millis <= LONGEST_QUIET);
                let millis =
                    millis.ok_or_else(|| refused("quiet", "a number of milliseconds up to 10000"))?;
                self.quiet = Some(Duration::from_millis(millis));
            }
            "start" => self.start = switch(value).ok_or_else(|| refused("start", "0 or 1"))?,
            _ => self.grant = switch(value).ok_or_else(|| refused("grant", "0 or 1"))?,
        }
        Ok(())
    }
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn is_serial(serial: &str) -> bool {
    !serial.is_empty()
        && !serial.contains(|char: char| char.is_whitespace() || char.is_control() || char == '/')
}

fn is_class(name: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|char: char| char.is_alphabetic() || char == '_' || char == '$')
            && part.chars().all(|char| char.is_alphanumeric() || char == '_' || char == '$')
    };
    name.strip_prefix('.').unwrap_or(name).split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AdbSpec, String> {
        text.parse().map_err(|error: AdbSpecError| error.to_string())
    }

    #[test]
    fn everything_can_be_said() {
        let all = "adb:emulator-5554?app=com.example&apk=a/b.apk&activity=.Main&qmp=/tmp/q&coverage=files/c.ec&dump=X&grant=0&start=0&quiet=40";
        let spec = read(all).unwrap();
        assert_eq!(
            (spec.serial.as_deref(), spec.app.as_deref()),
            (Some("emulator-5554"), Some("com.example"))
        );
        assert_eq!((spec.apk.unwrap(), spec.activity.as_deref()), (PathBuf::from("a/b.apk"), Some(".Main")));
        assert_eq!(
            (spec.qmp.unwrap(), spec.coverage.as_deref()),
            (PathBuf::from("/tmp/q"), Some("files/c.ec"))
        );
        assert_eq!((spec.dump.as_deref(), spec.grant, spec.start), (Some("X"), false, false));
        assert_eq!(spec.quiet, Some(Duration::from_millis(40)));
        assert_eq!(read("adb").unwrap().serial, None);
        assert_eq!(read("adb:192.168.1.7:5555").unwrap().serial.as_deref(), Some("192.168.1.7:5555"));
        let usual = read("adb?app=a.b").unwrap();
        assert!(usual.grant && usual.start);
    }

    #[test]
    fn mistakes_are_named() {
        for (wrong, said) in [
            ("sim:notes", "'sim:notes' is not a device of adb"),
            ("adb:", "'adb:' is not a device of adb"),
            ("adbx", "'adbx' is not a device of adb"),
            ("adb:a b", "'adb:a b' is not a device of adb"),
            ("adb?pkg=a.b", "there is no option 'pkg'; the options are app, apk,"),
            ("adb?app", "the option 'app' has no value; write app=VALUE"),
            ("adb?app=a.b&app=a.c", "the option 'app' is given twice"),
            ("adb?app=notes", "the option 'app' takes a package such as com.example, not 'notes'"),
            ("adb?app=com.example;rm", "the option 'app' takes a package"),
            ("adb?activity=a b", "the option 'activity' takes a class"),
            ("adb?quiet=long", "the option 'quiet' takes a number of milliseconds up to 10000, not 'long'"),
            ("adb?start=no", "the option 'start' takes 0 or 1, not 'no'"),
            ("adb?grant=yes", "the option 'grant' takes 0 or 1, not 'yes'"),
        ] {
            let why = read(wrong).unwrap_err();
            assert!(why.starts_with(said), "{wrong}: {why}");
        }
    }
}
