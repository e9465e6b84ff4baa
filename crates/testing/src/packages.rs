//! Other people's packages, in a folder of their own: installed once, in the versions that are named, and kept.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::requirement::{Requirement, skipped};

/// A Python with these packages (`name==version`), or nothing, and the reason is said.
#[track_caller]
pub fn python_with(folder: &Path, packages: &[&str]) -> Option<PathBuf> {
    let program = folder.join("bin/python");
    let _alone = alone(folder);
    if is_ready(folder, packages) {
        return Some(program);
    }
    if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(folder)) {
        skipped(Requirement::Python, "python3 with venv not found");
        return None;
    }
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--retries",
        "1",
        "--timeout",
        "20",
    ];
    if !succeeds(Command::new(&program).args(pip).args(packages)) {
        skipped(Requirement::PyPi, format_args!("PyPI not reachable, or without {}", packages.join(", ")));
        return None;
    }
    set_ready(folder, packages);
    Some(program)
}

/// A folder with these packages of npm (`name@version`) in `node_modules`, or nothing, and the reason is said.
#[track_caller]
pub fn node_with<'a>(folder: &'a Path, packages: &[&str]) -> Option<&'a Path> {
    let _alone = alone(folder);
    if !succeeds(Command::new("node").arg("--version")) || !succeeds(Command::new("npm").arg("--version")) {
        skipped(Requirement::Node, "node with npm not found");
        return None;
    }
    if is_ready(folder, packages) {
        return Some(folder);
    }
    fs::write(folder.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n").expect("a file");
    let npm = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", "--fetch-retries=1"];
    if !succeeds(Command::new("npm").args(npm).args(packages).current_dir(folder)) {
        skipped(
            Requirement::Npm,
            format_args!("npm's registry not reachable, or without {}", packages.join(", ")),
        );
        return None;
    }
    set_ready(folder, packages);
    Some(folder)
}

/// Tests in other processes wait until this one has installed what it needs.
fn alone(folder: &Path) -> File {
    fs::create_dir_all(folder).expect("a folder for packages");
    let lock = File::create(folder.join("lock")).expect("a file");
    lock.lock().expect("a lock");
    lock
}

fn is_ready(folder: &Path, packages: &[&str]) -> bool {
    fs::read_to_string(folder.join("ready")).is_ok_and(|ready| ready == packages.join(" "))
}

fn set_ready(folder: &Path, packages: &[&str]) {
    fs::write(folder.join("ready"), packages.join(" ")).expect("the folder was just made");
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
