//! The commands of `docs/papers.md` do what the page says: each is run as it stands there.

use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/papers.md"));

/// The lines of all blocks of shell commands, with the number of each line.
fn commands() -> Vec<(usize, &'static str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (line, number) in PAGE.lines().zip(1..) {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside => found.push((number, command)),
            _ => {}
        }
    }
    found
}

#[test]
fn every_command_runs() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let copy = folder.path().join("samples");
    std::fs::create_dir(&copy).expect("a scratch folder");
    for file in std::fs::read_dir(samples).expect("samples are part of the project") {
        let file = file.expect("a sample");
        std::fs::copy(file.path(), copy.join(file.file_name())).expect("room for a sample");
    }
    let tool = Path::new(env!("CARGO_BIN_EXE_retap")).parent().expect("it is in a folder");
    let path = std::env::join_paths(
        [tool.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("folders without colons");
    let commands = commands();
    assert!(commands.len() > 4, "{commands:?}");
    for (line, command) in commands {
        let said = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .output()
            .expect("a shell");
        let words = String::from_utf8_lossy(&said.stderr);
        // An exploration that finds a crash ends with 1.
        let found = command.contains(" explore ") && said.status.code() == Some(1);
        assert!(said.status.success() || found, "docs/papers.md:{line}: {command}\n{words}");
    }
}
