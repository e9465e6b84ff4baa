//! Parts that a computer may lack. A test that needs one says so and passes, unless the part is required.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

/// Set to `1`, tests whose parts are missing fail.
const REQUIRE: &str = "RETAP_REQUIRE";
/// The parts that may be missing all the same, by their names, with spaces between.
const MAY_MISS: &str = "RETAP_MAY_MISS";
/// A file to which each skipped test adds a line.
const SKIPS: &str = "RETAP_SKIPS";

/// Something that tests need and a computer may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// The adb of the Android SDK, or of a distribution.
    Adb,
    /// Python 3 with its module `venv`.
    Python,
    /// The index of Python packages, over the network.
    PyPi,
    /// Node.js with npm.
    Node,
    /// The registry of npm, over the network.
    Npm,
    /// A virtual machine made by `scripts/vm`, and QEMU.
    Machine,
    /// Mounting small disks, which takes root.
    Mounting,
    /// Recordings of real apps and devices, kept in a folder beside the project.
    Recordings,
    /// A JDK, Maven, and what Maven Central has.
    Java,
    /// The registry of crates, over the network.
    Registry,
    /// The validator of libxml2.
    XmlLint,
    /// A sandbox for the code of apps: bubblewrap, and the permission to use it.
    Sandbox,
    /// Chromium and its driver.
    Browser,
}

impl Requirement {
    const ALL: [Self; 13] = [
        Self::Adb,
        Self::Python,
        Self::PyPi,
        Self::Node,
        Self::Npm,
        Self::Machine,
        Self::Mounting,
        Self::Recordings,
        Self::Java,
        Self::Registry,
        Self::XmlLint,
        Self::Sandbox,
        Self::Browser,
    ];

    /// Its name in `RETAP_MAY_MISS`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adb => "adb",
            Self::Python => "python",
            Self::PyPi => "pypi",
            Self::Node => "node",
            Self::Npm => "npm",
            Self::Machine => "machine",
            Self::Mounting => "mounting",
            Self::Recordings => "recordings",
            Self::Java => "java",
            Self::Registry => "registry",
            Self::XmlLint => "xmllint",
            Self::Sandbox => "sandbox",
            Self::Browser => "browser",
        }
    }

    /// Whether a test that lacks this part fails.
    fn required(self, require: &str, may_miss: &str) -> bool {
        for name in may_miss.split_whitespace() {
            assert!(
                Self::ALL.iter().any(|part| part.name() == name),
                "{MAY_MISS} names {name}, which is no part that tests need"
            );
        }
        require == "1" && !may_miss.split_whitespace().any(|name| name == self.name())
    }
}

/// Says that a test is skipped because a part is missing. Where the part is required, the test fails.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
#[track_caller]
pub fn skipped(part: Requirement, why: impl Display) {
    let variable = |name| std::env::var(name).unwrap_or_default();
    assert!(
        !part.required(&variable(REQUIRE), &variable(MAY_MISS)),
        "{} is required ({REQUIRE}=1), and missing: {why}",
        part.name()
    );
    println!("skipped: {why}");
    if let Some(path) = std::env::var_os(SKIPS) {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let line = format!("{test}: {} is missing: {why}\n", part.name());
        let added = OpenOptions::new().create(true).append(true).open(path);
        added
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .expect("room for a line about a skipped test");
    }
}

/// A folder of recordings, or nothing, and the reason is said.
#[track_caller]
pub fn recordings(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(Requirement::Recordings, format_args!("{} not found", folder.display()));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_be_missing_unless_they_are_required() {
        assert!(!Requirement::Adb.required("", ""));
        assert!(Requirement::Adb.required("1", ""));
        assert!(!Requirement::Adb.required("1", "recordings adb"));
        assert!(Requirement::PyPi.required("1", "recordings adb"));
    }

    #[test]
    #[should_panic(expected = "RETAP_MAY_MISS names phone")]
    fn a_name_that_is_none_is_not_taken_for_one() {
        Requirement::Adb.required("", "adb phone");
    }
}
