//! A WebDriver server in the place of Appium, and the devices that it acts on.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use retap_testing::python_with;

use super::crashes::CrashCase;
use crate::bench::{Another, Bench};

const PACKAGES: [&str; 4] =
    ["Appium-Python-Client==6.0.9", "lxml==6.1.3", "pytest==9.2.0", "selenium==4.51.0"];

/// Ends with the bench.
pub(super) struct Bridge {
    process: Child,
    pub(super) port: u16,
    /// Has the clients.
    pub(super) python: PathBuf,
    pub(super) bench: Bench,
}

impl Bridge {
    /// Starts a server, or says why that cannot be and returns nothing.
    pub(super) fn new() -> Option<Self> {
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("webdriver-venv");
        let python = python_with(&venv, &PACKAGES)?;
        let bench = Bench::new("notes")?;
        let mut process = Command::new(&python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/android/webdriver/bridge.py"))
            .args([&bench.server_port.to_string(), "--allow-insecure=uiautomator2:adb_shell"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(bench.folder("bridge.log")).expect("a file"))
            .spawn()
            .expect("python starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let port = line.trim().parse().expect("a port");
        Some(Self { process, port, python, bench })
    }

    /// Devices for a crash.
    pub(super) fn devices(&self, case: &CrashCase) -> Devices {
        let serve = |app: &Path| self.bench.another(app.to_str().expect("a plain path"));
        let devices = Devices { broken: serve(&case.broken), mended: serve(&case.mended) };
        // What somebody else has left in the log is no crash of the test.
        for line in [format!("Process: {}, PID: 1", case.package), "java.lang.Error: of yesterday".to_owned()]
        {
            self.bench.shell_on(&devices.mended.serial, &format!("log -p e -t AndroidRuntime '{line}'"));
        }
        devices
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One whose app crashes, and one whose app was mended.
pub(super) struct Devices {
    pub(super) broken: Another,
    pub(super) mended: Another,
}
