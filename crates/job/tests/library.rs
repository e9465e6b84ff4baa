//! The example of `docs/library.md` is the one that is built here, and prints what the page shows.

use std::path::{Path, PathBuf};
use std::process::Command;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The first block of this kind on the page.
fn block(page: &str, kind: &str) -> String {
    let (_, rest) = page.split_once(&format!("```{kind}\n")).expect("the page has such a block");
    rest.split_once("```").expect("it ends").0.to_owned()
}

#[test]
fn the_page_shows_the_example_and_what_it_prints() {
    let page = std::fs::read_to_string(project().join("docs/library.md")).expect("the page");
    let source =
        std::fs::read_to_string(project().join("crates/job/examples/embed.rs")).expect("the example");
    assert_eq!(block(&page, "rust"), source, "docs/library.md shows another program than examples/embed.rs");
    assert!(source.lines().count() < 60, "an example is short");

    let tests = std::env::current_exe().expect("this program has a path");
    let built = tests.parent().and_then(Path::parent).expect("it is in a folder of a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let run = || Command::new(built.join("examples/embed")).arg(folder.path().join("found")).output();
    let said = run().expect("cargo builds examples with tests");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert_eq!(String::from_utf8_lossy(&said.stdout), block(&page, "text"));
    let traces = std::fs::read_dir(folder.path().join("found/reduce")).expect("reductions").count();
    assert_eq!(traces, 1);
    // The same folder again: everything is known, and the answer is the same.
    let again = run().expect("cargo builds examples with tests");
    assert_eq!(again.stdout, said.stdout);
}
