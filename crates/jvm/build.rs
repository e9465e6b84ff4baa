//! Puts the Java side, the folder `jvm` of the project, into the library: what is installed needs no other files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is embedded, beneath the folder.
const PARTS: [&str; 7] = [
    "pom.xml",
    "artifacts.sha256",
    "phone",
    "src/main",
    "sample/AndroidManifest.xml",
    "sample/java",
    "sample/res",
];

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let project = here.join("../../jvm");
    let mut files = Vec::new();
    for part in PARTS {
        let path = project.join(part);
        // Also where it is not there: that it appears is a change.
        println!("cargo::rerun-if-changed={}", path.display());
        collect(&path, &mut files);
    }
    files.sort();
    let mut code = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&project).expect("below the project").to_str().expect("a plain name");
        let name = name.replace('\\', "/");
        let path = file.canonicalize().expect("a file that was listed");
        writeln!(
            code,
            "    ({name:?}, include_bytes!({:?}) as &[u8]),",
            path.to_str().expect("a plain path")
        )
        .expect("memory");
    }
    code.push_str("]\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("java_side.rs"), code).expect("the folder of the build");
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    } else if let Ok(entries) = std::fs::read_dir(path) {
        for entry in entries {
            collect(&entry.expect("an entry").path(), files);
        }
    }
}
