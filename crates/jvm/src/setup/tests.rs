//! Building the Java side with a Maven that is a small script.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Mutex;

use super::*;

const FIRST: &str = "2fb7ed6b6bcbd8d0bb5d5a0ee5ab5ff1e6bbfb2d0c0cf9f6dd7b0f0f0ba2a0a5";
/// The SHA-256 of `one` and of `two`, without an end of line.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
const TWO: &str = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";

/// What a Maven does that works.
const WORKS: &str = "test -f src/main/java/A.java || exit 9
mkdir -p target/lib && printf one > target/lib/a-1.jar && mkdir target/framework && printf two > target/framework/b-2.jar
printf own > target/retap-jvm.jar";

struct Bench {
    scratch: tempfile::TempDir,
    environment: JvmEnvironment,
    jdk: Jdk,
}

impl Bench {
    fn new(maven: &str) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let (bin, home) = (scratch.path().join("bin"), scratch.path().join("jdk"));
        program(&bin.join("mvn"), maven);
        program(&home.join("bin/javac"), "true");
        let path = std::env::join_paths([bin, "/usr/bin".into(), "/bin".into()]).unwrap();
        let cache = Some(scratch.path().join("cache"));
        let environment = JvmEnvironment { path, java_home: None, cache };
        let jdk = Jdk { java: home.join("bin/java"), home, version: "17".to_owned(), passed_over: None };
        Self { scratch, environment, jdk }
    }

    fn run(&self, pinned: &str) -> (Result<JavaSide, SetupError>, Vec<SetupProgress>) {
        let setup = Setup { sources: sources(pinned), environment: &self.environment, jdk: &self.jdk };
        let mut told = Vec::new();
        let done = setup.run(&mut |progress| told.push(progress));
        (done, told)
    }

    fn kept(&self) -> PathBuf {
        self.environment.kept().unwrap()
    }

    /// What is kept, besides the lock and the log.
    fn folders(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.kept()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    }
}

/// Written by another process: one that is open here for writing could not be run by a test beside this one.
fn program(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let body = path.with_extension("body");
    std::fs::write(&body, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&body, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("cp").arg(&body).arg(path).status().unwrap().success());
}

fn sources(pinned: &str) -> Sources {
    let pinned: &'static [u8] = pinned.to_owned().leak().as_bytes();
    vec![
        ("pom.xml", &b"<project/>"[..]),
        ("artifacts.sha256", pinned),
        ("src/main/java/A.java", b"class A {}"),
    ]
    .leak()
}

fn pinned() -> String {
    format!("# what there is\n{ONE}  a-1.jar\n{TWO}  b-2.jar\n")
}

#[test]
fn it_is_built_once_and_verified() {
    let bench = Bench::new(&format!("{WORKS}\necho x >> ../count"));
    let (side, told) = bench.run(&pinned());
    let side = side.unwrap();
    assert!(matches!(told[0], SetupProgress::Begins { megabytes: 360, .. }), "{told:?}");
    assert!(matches!(told.last(), Some(SetupProgress::Done { .. })), "{told:?}");
    let names: Vec<_> = side.jars.iter().map(|jar| jar.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["retap-jvm.jar", "b-2.jar", "a-1.jar"]);
    let (again, told) = bench.run(&pinned());
    assert_eq!((again.unwrap().jars, told.len()), (side.jars, 0));
    assert_eq!(std::fs::read_to_string(bench.kept().join("count")).unwrap(), "x\n");
    assert_eq!(bench.folders().len(), 1);
}

#[test]
fn what_another_version_has_built_is_removed_once_nobody_uses_it() {
    let bench = Bench::new(WORKS);
    let first = bench.run(&pinned()).0.unwrap();
    let age = |days: u64| {
        let used = File::options().write(true).open(first.root.join("used")).unwrap();
        used.set_modified(SystemTime::now() - Duration::from_hours(24 * days)).unwrap();
    };
    age(31);
    let (second, told) = bench.run(&format!("# the second version\n{}", pinned()));
    let second = second.unwrap();
    assert!(first.root.is_dir() && second.root != first.root, "it is in use: {told:?}");
    let old = first.root.clone();
    drop(first);
    let (third, told) = bench.run(&format!("# the third version\n{}", pinned()));
    assert!(told.contains(&SetupProgress::Removed { folder: old.clone() }), "{told:?}");
    assert!(!old.exists() && second.root.is_dir() && ready(&third.unwrap().root).is_some());
    assert_eq!(bench.folders().len(), 2);
}

#[test]
fn what_is_not_pinned_is_not_used() {
    for (pinned, said) in [
        (format!("{ONE}  a-1.jar\n"), "b-2.jar is not what was expected: nothing of this name is pinned"),
        (
            format!("{ONE}  a-1.jar\n{FIRST}  b-2.jar\n"),
            "b-2.jar is not what was expected: its SHA-256 is 3fc4ccfe",
        ),
        (
            format!("{}{FIRST}  c-3.jar\n", pinned()),
            "c-3.jar is not what was expected: it was not downloaded",
        ),
        ("nonsense".to_owned(), "artifacts.sha256 is not what was expected"),
    ] {
        let bench = Bench::new(WORKS);
        for _ in 0..2 {
            let why = bench.run(&pinned).0.unwrap_err().to_string();
            assert!(why.starts_with(said), "{why}");
            assert!(ready(&place(sources(&pinned), &bench.kept())).is_none());
            assert!(bench.folders().is_empty(), "nothing of it is left");
        }
    }
}

/// What is there for the builder of the sample is verified too, and kept apart.
#[test]
fn what_the_builder_uses_is_pinned_with_its_folder() {
    let beside = format!("{WORKS}\nmkdir target/build-lib && printf one > target/build-lib/c-3.jar");
    let bench = Bench::new(&beside);
    let side = bench.run(&format!("{}{ONE}  build-lib/c-3.jar\n", pinned())).0.unwrap();
    assert_eq!(side.builder, [side.root.join("target/build-lib/c-3.jar")]);
    assert!(side.jars.iter().all(|jar| !jar.ends_with("c-3.jar")) && side.jars.len() == 3, "{side:?}");
    std::fs::write(side.root.join("target/build-lib/c-3.jar"), "ones").unwrap();
    assert!(ready(&side.root).is_none(), "it has changed");

    let among = format!("{WORKS}\nprintf one > target/lib/c-3.jar");
    for (maven, more, said) in [
        (
            &beside,
            String::new(),
            "build-lib/c-3.jar is not what was expected: nothing of this name is pinned",
        ),
        (&beside, format!("{ONE}  c-3.jar\n"), "build-lib/c-3.jar is not what was expected: nothing of this"),
        (
            &beside,
            format!("{TWO}  build-lib/c-3.jar\n"),
            "build-lib/c-3.jar is not what was expected: its SHA-256",
        ),
        (
            &among,
            format!("{ONE}  build-lib/c-3.jar\n"),
            "c-3.jar is not what was expected: nothing of this name",
        ),
        (
            &WORKS.to_owned(),
            format!("{ONE}  build-lib/c-3.jar\n"),
            "build-lib/c-3.jar is not what was expected: it was not downloaded",
        ),
    ] {
        let bench = Bench::new(maven);
        let why = bench.run(&format!("{}{more}", pinned())).0.unwrap_err().to_string();
        assert!(why.starts_with(said), "{why}");
        assert!(bench.folders().is_empty(), "nothing of it is left");
    }
}

/// The pins that are part of this library name the builder's one library, and its folder.
#[test]
fn what_the_sample_is_built_with_is_pinned() {
    let pinned = EMBEDDED.iter().find(|(name, _)| *name == "artifacts.sha256").unwrap().1;
    let pinned = String::from_utf8(pinned.to_vec()).unwrap();
    let apart: Vec<&str> = pinned.lines().filter(|line| line.contains('/')).collect();
    let is = "0cc95b160ba4c731a5cadb455f32b79f4e64b4160bc5ec3e5183ea3676b385ce  build-lib/ARSCLib-1.4.0.jar";
    assert_eq!(apart, [is]);
    let sources: Vec<&str> = EMBEDDED.iter().map(|(name, _)| *name).collect();
    assert!(sources.contains(&"sample/AndroidManifest.xml"), "{sources:?}");
    assert!(!sources.iter().any(|name| name.contains("README")), "its page is no part of it: {sources:?}");
}

#[test]
fn a_maven_that_fails_is_quoted() {
    let bench = Bench::new("echo '[INFO] Scanning'; echo '[ERROR] Could not resolve host' >&2; exit 1");
    let why = bench.run(&pinned()).0.unwrap_err().to_string();
    assert!(
        why.starts_with(
            "Maven could not build the Java side (it ended with exit code 1); its whole output is in"
        ),
        "{why}"
    );
    assert!(why.ends_with("maven.log\n  [INFO] Scanning\n  [ERROR] Could not resolve host"), "{why}");
    let without = Bench::new("mkdir -p target/lib");
    let why = without.run("").0.unwrap_err().to_string();
    assert!(why.contains("it was not built"), "{why}");
}

#[test]
fn what_is_missing_is_said_before_anything_is_downloaded() {
    let bench = Bench::new(WORKS);
    let nothing = Setup { sources: &[], environment: &bench.environment, jdk: &bench.jdk };
    assert_eq!(nothing.run(&mut |_| ()).unwrap_err(), SetupError::NoSources);
    let homeless = JvmEnvironment { cache: None, ..bench.environment.clone() };
    let setup = Setup { sources: sources(""), environment: &homeless, jdk: &bench.jdk };
    assert_eq!(setup.run(&mut |_| ()).unwrap_err(), SetupError::NoFolder);
    std::fs::remove_file(bench.jdk.home.join("bin/javac")).unwrap();
    assert!(matches!(bench.run("").0, Err(SetupError::Tool(ToolError::NoCompiler(_)))));
}

#[test]
fn a_set_up_that_was_killed_is_not_taken_for_complete() {
    let bench = Bench::new(WORKS);
    let root = place(sources(&pinned()), &bench.kept());
    // Everything there but the list, or a file cut short, or one that is gone.
    std::fs::create_dir_all(root.join("target/lib")).unwrap();
    std::fs::create_dir_all(bench.kept().join("making-1/target")).unwrap();
    assert!(ready(&root).is_none());
    bench.run(&pinned()).0.unwrap();
    assert!(!bench.kept().join("making-1").exists());
    std::fs::write(root.join("target/lib/a-1.jar"), "on").unwrap();
    assert!(ready(&root).is_none());
    bench.run(&pinned()).0.unwrap();
    std::fs::write(root.join("target/lib/a-1.jar"), "ome").unwrap();
    assert!(ready(&root).is_none(), "as long as it was, and not what it was");
    bench.run(&pinned()).0.unwrap();
    std::fs::remove_file(root.join("target/retap-jvm.jar")).unwrap();
    assert!(ready(&root).is_none());
    assert!(bench.run(&pinned()).0.is_ok() && ready(&root).is_some());
}

#[test]
fn of_two_at_once_one_waits() {
    let bench =
        Bench::new(&format!("echo x >> ../count; while test ! -e ../go; do sleep 0.02; done\n{WORKS}"));
    let told = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let go = || {
            let setup =
                Setup { sources: sources(&pinned()), environment: &bench.environment, jdk: &bench.jdk };
            setup.run(&mut |progress| told.lock().unwrap().push(progress))
        };
        let both = [scope.spawn(go), scope.spawn(go)];
        retap_testing::until("one waits", || told.lock().unwrap().contains(&SetupProgress::Waiting));
        std::fs::write(bench.kept().join("go"), "").unwrap();
        let [first, second] = both.map(|one| one.join().unwrap().unwrap());
        assert_eq!(first.jars, second.jars);
    });
    assert_eq!(std::fs::read_to_string(bench.kept().join("count")).unwrap(), "x\n");
    drop(bench.scratch);
}
