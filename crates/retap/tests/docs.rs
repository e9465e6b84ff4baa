//! The pages do what they say: every command of `README.md` and `docs` is run as it stands there, and prints what
//! stands below it. A chapter goes on in one folder from command to command.
//!
//! A block of commands is marked `sh`. A block marked `text` that follows it shows what its last command prints, whole or
//! in part: line after line, with nothing left out in between.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use retap_testing::{Requirement, skipped};
use tempfile::TempDir;

/// Commands that are not run: the page, with or without a chapter; how they begin; and why.
const NOT_RUN: &[(&str, &str, &str)] = &[
    ("README.md", "cargo install --path crates/retap", "it would install retap on this computer"),
    ("README.md#On a phone or an emulator", "", "needs a phone; tests/android has a virtual one"),
    ("docs/android.md", "", "needs a phone; tests/android goes the same way with a virtual one"),
    (
        "docs/jvm.md#The sample",
        "",
        "chance decides whether a race is lost; tests/jvm/show.rs goes the same way",
    ),
    ("docs/jvm.md#Naming a device", "retap explore --device jvm:APP.apk", "stands for an app of one's own"),
    ("docs/jvm.md#Naming a device", "retap reduce night --all", "needs that app"),
    ("docs/benchmarks.md", "cargo ", "benchmarks take minutes to hours, and times differ between computers"),
    ("docs/benchmarks.md", "retap reduce samples/NAME.trace.jsonl", "stands for one command for each sample"),
    ("docs/benchmarks.md", "retap policy solve --n N", "stands for one command for each number"),
    ("docs/exploring.md", "retap explore --resume res", "goes on after a Ctrl-C, which comes at any moment"),
    (
        "docs/recording.md",
        "retap record ",
        "needs a person; tests/record goes the same way with a browser and a virtual phone",
    ),
    (
        "docs/exploring.md#A night",
        "retap suite ",
        "a suite out of 32 hours takes minutes; README.md has a shorter one",
    ),
    ("docs/exploring.md#A night", "retap replay ", "needs that suite"),
    ("docs/formats.md", "sqlite3 ", "another program"),
    ("docs/library.md", "cargo run --release -p retap-job", "crates/job/tests/library.rs runs it"),
];

/// Outputs that are not compared: the page, how the command begins, and why.
const NOT_COMPARED: &[(&str, &str, &str)] = &[];

/// One command of a page, and what the page shows of its output.
struct Shown {
    line: usize,
    chapter: String,
    command: String,
    output: Vec<String>,
}

struct Page {
    name: String,
    commands: Vec<Shown>,
    /// The apps that the page teaches with, by the names of their files.
    apps: Vec<(String, String)>,
}

impl Page {
    fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).expect("a page of the project");
        Self { name: name.to_owned(), commands: commands(&text), apps: apps(&text) }
    }

    /// All pages with commands for users.
    fn names() -> Vec<String> {
        let files = fs::read_dir(root().join("docs")).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        let pages = files.filter(|file| file.extension().is_some_and(|ending| ending == "md"));
        let name =
            |file: PathBuf| file.file_name().expect("a name").to_str().expect("a plain name").to_owned();
        let mut names: Vec<String> = pages.map(|file| format!("docs/{}", name(file))).collect();
        names.push("README.md".to_owned());
        names.sort();
        names
    }

    fn listed(&self, list: &[(&str, &str, &str)], shown: &Shown) -> bool {
        list.iter().any(|(place, start, _)| self.is_at(place, shown) && shown.command.starts_with(start))
    }

    fn is_at(&self, place: &str, shown: &Shown) -> bool {
        let (page, chapter) = place.split_once('#').unwrap_or((place, &shown.chapter));
        page == self.name && chapter == shown.chapter
    }

    /// The folder of a chapter. None where it needs Java and there is none, which is said.
    fn scratch(&self, chapter: &str) -> Option<Scratch> {
        let scratch = Scratch::new(&self.apps);
        if self.in_jvm(chapter) { scratch.with_java() } else { Some(scratch) }
    }

    /// Whether a chapter is about apps in a JVM.
    fn in_jvm(&self, chapter: &str) -> bool {
        let java = |command: &str| command.contains("jvm:") || command.contains("--apk");
        self.commands.iter().any(|shown| shown.chapter == chapter && java(&shown.command))
    }

    /// Runs what can be run, each chapter in a folder of its own, and compares.
    fn check(&self) {
        let mut scratch = None;
        let mut chapter = "";
        let mut unlike = Vec::new();
        for shown in self.commands.iter().filter(|shown| !self.listed(NOT_RUN, shown)) {
            if shown.chapter != chapter || scratch.is_none() {
                (scratch, chapter) = (Some(self.scratch(&shown.chapter)), &shown.chapter);
            }
            let Some(Some(scratch)) = &scratch else { continue };
            let place = format!("{}:{}: {}", self.name, shown.line, shown.command);
            let printed = scratch.run(&shown.command, &place);
            if self.listed(NOT_COMPARED, shown) {
                continue;
            }
            let in_jvm = self.in_jvm(&shown.chapter);
            let (shown, printed) = (normal(&shown.output, in_jvm), normal(&printed, in_jvm));
            if !printed.windows(shown.len().max(1)).any(|part| part == shown) && !shown.is_empty() {
                unlike.push(format!("{place}\nshows\n{}\nprints\n{}", shown.join("\n"), printed.join("\n")));
            }
        }
        assert!(unlike.is_empty(), "{}", unlike.join("\n\n"));
    }
}

/// The commands of a page in order.
fn commands(text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut block = None;
    let mut chapter = "";
    // Whether nothing but empty lines stands between a block of commands and this line.
    let mut below = false;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_start_matches(if line.trim_start().starts_with("```") { " " } else { "" });
        match (block, line) {
            (None, line) if line.starts_with("```") => {
                block = Some(line.trim_start_matches('`'));
                below &= block == Some("text");
            }
            (Some(kind), "```") => {
                below = kind == "sh";
                block = None;
            }
            (Some("sh"), command) if !command.trim().is_empty() => {
                let (chapter, command) = (chapter.to_owned(), command.trim().to_owned());
                found.push(Shown { line: number, chapter, command, output: Vec::new() });
            }
            (Some("text"), output) if below => {
                found.last_mut().expect("a command stands above").output.push(output.to_owned());
            }
            (None, line) => {
                below &= line.trim().is_empty();
                chapter = line.strip_prefix("## ").unwrap_or(chapter);
            }
            _ => {}
        }
    }
    found
}

/// The whole apps of a page: blocks that begin with `app NAME`.
fn apps(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("\n```app\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let named = blocks.filter_map(|block| {
        let name = block.strip_prefix("app ")?.split_whitespace().next()?;
        Some((format!("{name}.app"), format!("{block}\n")))
    });
    named.collect()
}

/// Whether a line tells how far a command is, as it does on a slow computer: `explore: 50 of 100 events, ...`.
fn is_progress(line: &str) -> bool {
    let names = ["explore", "reduce", "values", "suite", "replay", "solve"];
    let counted = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
    line.split_once(": ").is_some_and(|(name, rest)| names.contains(&name) && counted(rest))
}

/// Lines without what differs from run to run: how many runs of a user's command there were, and how long they took,
/// depends on which of several at once ends first. In a JVM an app's threads are waited for, and how much of the device's
/// time that takes differs a little.
fn normal(lines: &[String], in_jvm: bool) -> Vec<String> {
    let normal = |line: &String| {
        if let (true, Some(timed)) = (in_jvm, line.strip_suffix(" of device time")) {
            timed.rsplit_once(", ").map_or(timed, |(rest, _)| rest).to_owned()
        } else if line.contains(" of the command's time") {
            // Also without the unit of the time, which may be milliseconds, seconds or minutes.
            let words = line.split_whitespace().filter(|word| !["ms", "s", "min"].contains(word));
            let words: Vec<&str> = words.collect();
            words.join(" ").split(|letter: char| letter.is_ascii_digit() || letter == '.').collect()
        } else {
            line.trim_end().to_owned()
        }
    };
    lines.iter().map(normal).collect()
}

/// A folder with the samples and the apps of a page, in which a page's commands are run one after the other.
struct Scratch {
    folder: TempDir,
    cache: PathBuf,
}

impl Scratch {
    fn new(apps: &[(String, String)]) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let copy = folder.path().join("samples");
        fs::create_dir(&copy).expect("a scratch folder");
        for file in fs::read_dir(root().join("samples")).expect("samples are part of the project") {
            let file = file.expect("a sample");
            fs::copy(file.path(), copy.join(file.file_name())).expect("room for a sample");
        }
        for (name, text) in apps {
            fs::write(folder.path().join(name), text).expect("room for an app");
        }
        let cache = folder.path().join("cache");
        Self { folder, cache }
    }

    /// The same with what apps in a JVM need, which is kept between runs. None where it cannot be had, which is said.
    fn with_java(self) -> Option<Self> {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jvm-cache");
        let made = Command::new(env!("CARGO_BIN_EXE_retap"))
            .args(["device", "screenshot", "jvm:sample", "first.png", "-q"])
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", &cache)
            .output()
            .expect("retap runs");
        let words = String::from_utf8_lossy(&made.stderr);
        let missing = ["no Java was found", "no Maven was found", "Maven could not build"];
        if missing.iter().any(|missing| words.contains(missing)) {
            skipped(Requirement::Java, words);
            return None;
        }
        assert!(made.status.success(), "{words}");
        Some(Self { cache, ..self })
    }

    /// Runs a command with the retap under test; returns its lines.
    fn run(&self, command: &str, place: &str) -> Vec<String> {
        let tool = Path::new(env!("CARGO_BIN_EXE_retap")).parent().expect("it is in a folder");
        let before = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([tool.to_owned()].into_iter().chain(std::env::split_paths(&before)))
            .expect("folders without colons");
        let command = command.replace("cargo run --release --", "retap");
        let said = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(self.folder.path())
            .env("PATH", &path)
            .env("XDG_CACHE_HOME", &self.cache)
            .output()
            .expect("a shell");
        let words = String::from_utf8_lossy(&said.stdout);
        // An exploration that finds a crash ends with 1.
        // Crashes were found, or there are differences.
        let finds = [" explore ", " diff "].iter().any(|word| command.contains(word));
        let found = finds && said.status.code() == Some(1);
        assert!(said.status.success() || found, "{place}\n{words}");
        words.lines().filter(|line| !is_progress(line)).map(str::to_owned).collect()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_readme_does_what_it_says() {
    Page::read("README.md").check();
}

#[test]
fn the_page_on_exploring_does_what_it_says() {
    Page::read("docs/exploring.md").check();
}

#[test]
fn the_page_on_papers_does_what_it_says() {
    Page::read("docs/papers.md").check();
}

/// The other pages: a command that is added to one is run, or stands on the list.
#[test]
fn the_other_pages_do_what_they_say() {
    let of_their_own = ["README.md", "docs/exploring.md", "docs/papers.md"];
    for name in Page::names().iter().filter(|name| !of_their_own.contains(&&***name)) {
        Page::read(name).check();
    }
}

#[test]
fn every_block_says_what_it_is() {
    for name in Page::names() {
        let text = fs::read_to_string(root().join(&name)).expect("a page");
        let mut inside = false;
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with("```")) {
            inside = !inside;
            assert!(!inside || line.trim() != "```", "{name}:{number} is neither sh, text nor anything else");
        }
    }
}

/// Paths of the project that a page names, as written in backquotes: `crates/...`, or a room without it.
fn paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let path = |word: &&str| {
        let plain = word.chars().all(|char| char.is_ascii_alphanumeric() || "/._-".contains(char));
        plain && (word.contains("/src/") || word.contains("/tests/") || word.contains("/examples/"))
    };
    quoted.filter(path).collect()
}

#[test]
fn every_path_that_a_page_names_is_there() {
    let mut names = Page::names();
    names.extend(["ARCHITECTURE.md", "CONTRIBUTING.md"].map(str::to_owned));
    let mut count = 0;
    for name in names {
        let text = fs::read_to_string(root().join(&name)).expect("a page");
        // Blocks of code have quotes of their own.
        let prose: String = text.split("```").step_by(2).collect();
        for path in paths(&prose) {
            let there = root().join(path).exists() || root().join("crates").join(path).exists();
            assert!(there, "{name} names {path}, which is not there");
            count += 1;
        }
    }
    assert!(count > 40, "only {count} paths were found; are they still written in backquotes?");
}

/// The results of all jobs, as programs get them: every field is on the page about formats.
#[test]
fn every_field_of_a_result_is_told() {
    let page = fs::read_to_string(root().join("docs/formats.md")).expect("a page");
    let scratch = Scratch::new(&[]);
    let commands = [
        "retap explore -d sim:notes --strategy swifthand --minutes 5 --json -q --out night",
        "retap suite night --json -q --out small",
        "retap replay --suite small/suite --json -q",
        "retap replay samples/notes-sync-conflict.trace.jsonl --json -q",
        "retap reduce samples/notes-sync-conflict.trace.jsonl --json -q",
    ];
    for command in commands {
        let printed = scratch.run(command, command);
        let result: serde_json::Value =
            serde_json::from_str(printed.last().expect("a result")).expect("JSON");
        for name in result.as_object().expect("a result has fields").keys() {
            let told = page.contains(&format!("`{name}`")) || page.contains(&format!("\"{name}\":"));
            assert!(told, "docs/formats.md does not tell of {name}, which '{command}' prints");
        }
    }
}

#[test]
fn every_exception_is_of_a_command() {
    for (place, start, _) in NOT_RUN.iter().chain(NOT_COMPARED) {
        let page = Page::read(place.split('#').next().expect("a name"));
        let there =
            page.commands.iter().any(|shown| page.is_at(place, shown) && shown.command.starts_with(start));
        assert!(there, "{place} has no command that begins with {start:?}");
    }
}

#[test]
fn commands_and_outputs_are_told_apart() {
    let page =
        "```sh\na\nb\n```\n\n```text\n1\n\n2\n```\n\n  ```sh\n  c\n  ```\n\nprose\n\n```text\n3\n```\n";
    let found = commands(page);
    let found: Vec<(usize, &str, String)> =
        found.iter().map(|shown| (shown.line, &*shown.command, shown.output.join("|"))).collect();
    assert_eq!(found, [(2, "a", String::new()), (3, "b", "1||2".into()), (13, "c", String::new())]);
}
