//! The JDK and Maven: where they are, and what to do when they are missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::environment::{JvmEnvironment, in_folder};
use crate::run::run;

/// A Java that is new enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    /// The program.
    pub java: PathBuf,
    /// Its folder.
    pub home: PathBuf,
    /// Its version, such as `17.0.15`.
    pub version: String,
    /// Why that of `JAVA_HOME` is not used, where one is named there.
    pub passed_over: Option<String>,
}

/// Why a tool cannot be used. Each says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// There is no Java.
    #[error(
        "no Java was found; install a JDK of version 17 or later (on Debian: apt install openjdk-17-jdk-headless)"
    )]
    NoJava,
    /// The Java that was asked for is not there.
    #[error("there is no Java at {}; the option 'jvm' takes the program java, or the folder of a JDK", .0.display())]
    NotThere(PathBuf),
    /// There is none where `JAVA_HOME` says.
    #[error("JAVA_HOME is {}, which has no bin/java; set it to the folder of a JDK, or unset it", .0.display())]
    NoJavaHome(PathBuf),
    /// One that is too old.
    #[error(
        "{} is Java {version}; install a JDK of version 17 or later (on Debian: apt install openjdk-17-jdk-headless)",
        java.display()
    )]
    Old { java: PathBuf, version: String },
    /// One that does not work.
    #[error("{0} does not tell its version: {why}; see whether '{0} -version' works", java.display())]
    Broken { java: PathBuf, why: String },
    /// A Java that runs programs and does not compile them.
    #[error("{} has no compiler; install a whole JDK (on Debian: apt install openjdk-17-jdk-headless)", .0.display())]
    NoCompiler(PathBuf),
    /// There is no Maven.
    #[error(
        "no Maven was found; it is needed once, to get the parts of the Java side (on Debian: apt install maven)"
    )]
    NoMaven,
}

const OLDEST: u32 = 17;
const PATIENCE: Duration = Duration::from_secs(30);

impl Jdk {
    /// The Java to use: the one that was asked for, else that of `JAVA_HOME`, else that of `PATH`.
    pub fn find(asked: Option<&Path>, environment: &JvmEnvironment) -> Result<Self, ToolError> {
        if let Some(asked) = asked {
            let program =
                if asked.is_dir() { in_folder(&asked.join("bin"), "java") } else { asked.to_owned() };
            let there = program.canonicalize().ok().filter(|program| program.is_file());
            return Self::at(&there.ok_or_else(|| ToolError::NotThere(asked.to_owned()))?);
        }
        let mut refused = None;
        let mut passed_over = None;
        if let Some(home) = &environment.java_home {
            let java = in_folder(&home.join("bin"), "java");
            let found =
                if java.is_file() { Self::at(&java) } else { Err(ToolError::NoJavaHome(home.clone())) };
            match found {
                Ok(jdk) => return Ok(jdk),
                Err(error) => {
                    let sentence = error.to_string();
                    passed_over = sentence.split("; ").next().map(str::to_owned);
                    refused = Some(error);
                }
            }
        }
        match environment.program("java").map(|java| Self::at(&java)) {
            Some(Ok(jdk)) => Ok(Self { passed_over, ..jdk }),
            Some(Err(error)) => Err(refused.unwrap_or(error)),
            None => Err(refused.unwrap_or(ToolError::NoJava)),
        }
    }

    /// What the user must know of it: that it is not the one of `JAVA_HOME`.
    pub fn warning(&self) -> Option<String> {
        let why = self.passed_over.as_ref()?;
        Some(format!("{why}, so the Java of PATH is used, {} ({})", self.version, self.home.display()))
    }

    fn at(java: &Path) -> Result<Self, ToolError> {
        let broken = |why: String| ToolError::Broken { java: java.to_owned(), why };
        let mut command = Command::new(java);
        command.args(["-XshowSettings:properties", "-version"]);
        let ran = run(command, PATIENCE).map_err(|error| broken(error.to_string()))?;
        // Settings are printed where errors are.
        let said = format!("{}\n{}", ran.stderr, ran.stdout);
        let property = |name: &str| {
            let told =
                said.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix("= "));
            told.map(|value| value.trim().to_owned())
        };
        let (Some(home), Some(version)) = (property("java.home"), property("java.version")) else {
            let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it prints nothing");
            return Err(broken(first.trim().to_owned()));
        };
        if major(&version).is_none_or(|major| major < OLDEST) {
            return Err(ToolError::Old { java: java.to_owned(), version });
        }
        let home = PathBuf::from(home);
        // What is found may be a script or a link that is not there in a sandbox.
        let program = in_folder(&home.join("bin"), "java");
        Ok(Self {
            java: if program.is_file() { program } else { java.to_owned() },
            home,
            version,
            passed_over: None,
        })
    }

    /// Whether it compiles.
    pub fn compiles(&self) -> Result<(), ToolError> {
        if in_folder(&self.home.join("bin"), "javac").is_file() {
            Ok(())
        } else {
            Err(ToolError::NoCompiler(self.home.clone()))
        }
    }
}

/// Maven's program.
pub(crate) fn maven(environment: &JvmEnvironment) -> Result<PathBuf, ToolError> {
    environment.program("mvn").ok_or(ToolError::NoMaven)
}

/// `17` of `17.0.15` and of `17-ea`; `8` of `1.8.0_292`.
fn major(version: &str) -> Option<u32> {
    let mut parts = version.split(['.', '-', '+', '_']);
    match parts.next()?.parse().ok()? {
        1 => parts.next()?.parse().ok(),
        major => Some(major),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_java_are_read() {
        for (version, is) in [("17.0.15", 17), ("1.8.0_292", 8), ("25", 25), ("21-ea", 21), ("11.0.2+9", 11)]
        {
            assert_eq!(major(version), Some(is), "{version}");
        }
        assert_eq!(major("new"), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        use std::os::unix::fs::PermissionsExt as _;
        let scratch = tempfile::tempdir().unwrap();
        let environment = JvmEnvironment { path: scratch.path().into(), ..JvmEnvironment::default() };
        let said = Jdk::find(None, &environment).unwrap_err().to_string();
        assert!(said.contains("openjdk-17-jdk-headless"), "{said}");
        assert!(maven(&environment).unwrap_err().to_string().contains("apt install maven"));
        let nowhere = Jdk::find(Some(Path::new("/nowhere/java")), &environment).unwrap_err().to_string();
        assert!(nowhere.starts_with("there is no Java at /nowhere/java; the option 'jvm'"), "{nowhere}");

        let java = scratch.path().join("java");
        let fake = |text: &str| {
            std::fs::write(&java, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&java, std::fs::Permissions::from_mode(0o755)).unwrap();
            Jdk::find(None, &environment)
        };
        let old =
            fake("echo '    java.home = /opt/old' >&2; echo '    java.version = 1.8.0_1' >&2").unwrap_err();
        assert!(old.to_string().contains("is Java 1.8.0_1; install a JDK of version 17"), "{old}");
        let broken = fake("echo no memory; exit 1").unwrap_err().to_string();
        assert!(broken.contains("does not tell its version: no memory"), "{broken}");
        let good = fake("echo '    java.home = /opt/x' >&2; echo '    java.version = 21.0.1' >&2").unwrap();
        assert_eq!((good.java.clone(), good.version.as_str()), (java.clone(), "21.0.1"));
        assert_eq!(good.warning(), None);
        let home = scratch.path().join("home");
        let elsewhere = JvmEnvironment { java_home: Some(home.clone()), ..environment.clone() };
        let other = Jdk::find(None, &elsewhere).unwrap();
        let said = other.warning().unwrap();
        assert!(
            other.java == java && said.contains("has no bin/java, so the Java of PATH is used"),
            "{said}"
        );
        std::fs::create_dir_all(home.join("bin")).unwrap();
        let old = "#!/bin/sh\necho '    java.home = /o' >&2; echo '    java.version = 11.0.2' >&2\n";
        std::fs::write(home.join("bin/java"), old).unwrap();
        std::fs::set_permissions(home.join("bin/java"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let said = Jdk::find(None, &elsewhere).unwrap().warning().unwrap();
        assert!(said.contains("bin/java is Java 11.0.2, so the Java of PATH is used, 21.0.1"), "{said}");
        assert_eq!(good.compiles(), Err(ToolError::NoCompiler("/opt/x".into())));
    }
}
