//! Apps in a JVM, as people use them, and with everything killed that can be.
//!
//! These need Java, Maven and an app; what Maven gets is kept between runs, in the folder of the build.

#![cfg(target_os = "linux")]

mod command;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use command::{json_of, retap, scratch, words};
use retap_testing::{Requirement, recordings, skipped, until};
use retap_trace::{Dice, Seed};

const APP: &str = "whohasmystuff.apk";
/// What is in the command line of every process that belongs to these tests.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jvm-cache");
const MOMENTS: usize = 20;

struct Bench {
    scratch: tempfile::TempDir,
    /// Tells the processes of one test from those of others.
    folder: PathBuf,
    device: String,
}

impl Bench {
    /// None where something is missing, which is said.
    fn new(test: &str) -> Option<Self> {
        let apps = recordings("apks/simplydroid")?;
        for program in ["java", "javac", "mvn"] {
            if Command::new(program).arg("-version").output().is_err() {
                skipped(Requirement::Java, format_args!("there is no {program}"));
                return None;
            }
        }
        let scratch = scratch();
        // The Java side is built once for all tests, and each has JVMs of its own.
        let folder = scratch.path().join(format!("cache-{test}"));
        let shared = Path::new(CACHE).join("retap/jvm");
        let bench = Self { device: format!("jvm:{}", apps.join(APP).display()), scratch, folder };
        let file = bench.scratch.path().join("first.png");
        let built = bench.with_cache(CACHE.as_ref(), &["device", "doctor", &bench.device]).output();
        assert!(built.is_ok());
        let first = ["device", "screenshot", &bench.device, file.to_str().expect("a plain path")];
        let made = bench.with_cache(CACHE.as_ref(), &first).output().expect("retap runs");
        if words(&made).contains("Maven could not build") {
            skipped(Requirement::Java, words(&made));
            return None;
        }
        link(&shared, &bench.folder.join("retap/jvm"));
        Some(bench)
    }

    fn with_cache(&self, cache: &Path, args: &[&str]) -> Command {
        let mut command = retap(self.scratch.path(), args);
        command.env("XDG_CACHE_HOME", cache);
        command
    }

    fn retap(&self, args: &[&str]) -> Command {
        self.with_cache(&self.folder, args)
    }

    fn run(&self, args: &[&str]) -> Output {
        self.retap(args).output().expect("retap runs")
    }

    /// The processes that were started for this test, without retap itself.
    fn processes(&self) -> Vec<i32> {
        let mark = self.folder.to_str().expect("a plain path");
        let entries = std::fs::read_dir("/proc").expect("Linux").flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let ours = |number: &i32| {
            let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(mark)
        };
        numbers.filter(ours).collect()
    }

    fn assert_nothing_runs(&self) {
        until("no JVM is left", || self.processes().is_empty());
    }
}

/// The same folder again, made of links to its files.
fn link(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "run" {
        } else if path.is_dir() {
            link(&path, &copy);
        } else if std::fs::hard_link(&path, &copy).is_err() {
            std::fs::copy(&path, &copy).expect("a copy");
        }
    }
}

fn kill(number: i32) {
    // One that has ended meanwhile is no failure.
    let _ = Command::new("kill").args(["-9", &number.to_string()]).stderr(Stdio::null()).status();
}

fn below(dice: &mut Dice, most: Duration) -> Duration {
    Duration::from_millis(dice.below(u64::try_from(most.as_millis()).expect("a short time")))
}

fn quiet(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("retap runs")
}

#[test]
fn an_app_is_explored_and_a_trace_is_replayed() {
    let Some(bench) = Bench::new("story") else { return };
    let doctor = bench.run(&["device", "doctor", &bench.device, "--json"]);
    assert!(doctor.status.success(), "{}", words(&doctor));
    let checks = json_of(&doctor)["checks"].as_array().expect("a list").clone();
    assert!(checks.iter().any(|check| check["name"] == "app" && check["health"] == "good"), "{checks:?}");
    let args =
        ["explore", "--device", &bench.device, "--events", "60", "--seed", "5", "--json", "--out", "o"];
    let explored = bench.run(&args);
    assert!(matches!(explored.status.code(), Some(0 | 1)), "{}", words(&explored));
    assert_eq!(json_of(&explored)["events"], 60, "{}", words(&explored));
    bench.assert_nothing_runs();
    let left: Vec<_> =
        std::fs::read_dir(bench.folder.join("retap/jvm/run")).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 1, "only the lock is left: {left:?}");
}

#[test]
fn what_is_no_app_is_refused_in_one_sentence() {
    let Some(bench) = Bench::new("refusals") else { return };
    std::fs::write(bench.scratch.path().join("text.apk"), "not an app").expect("a file");
    for (device, said) in [
        ("jvm:nowhere.apk", "nowhere.apk cannot be read"),
        ("jvm:text.apk", "text.apk cannot be run in a JVM"),
        ("jvm:.", "cannot be read"),
        ("jvm:text.apk?api=34", "the option 'api' takes 29"),
        ("jvm:text.apk?scren=1", "did you mean `screen`?"),
    ] {
        let refused = bench.run(&["explore", "--device", device, "--events", "5"]);
        let errors: Vec<String> =
            words(&refused).lines().filter(|line| line.starts_with("error: ")).map(str::to_owned).collect();
        assert_eq!(refused.status.code(), Some(2), "{device}: {}", words(&refused));
        assert!(errors.len() == 1 && errors[0].contains(said), "{device}: {errors:?}");
    }
    bench.assert_nothing_runs();
}

#[test]
fn retap_is_killed_at_any_moment_and_no_jvm_is_left() {
    let Some(bench) = Bench::new("kills") else { return };
    let mut dice = Seed(21).dice();
    let args =
        ["explore", "--device", &bench.device, "--events", "400", "--seed", "5", "--json", "--out", "o"];
    let mut steps = 0;
    for moment in 0..MOMENTS {
        let mut child = quiet(bench.retap(&args));
        // The first second is that of the JVM's start, the seventh one of exploring.
        thread::sleep(below(&mut dice, Duration::from_secs(7)));
        let _ = child.kill();
        let _ = child.wait();
        bench.assert_nothing_runs();
        let now = recorded(&bench.scratch.path().join("o"));
        assert!(now >= steps, "moment {moment}: {now} steps are left of {steps}");
        steps = now;
    }
    println!("{steps} steps were recorded in {MOMENTS} processes that were killed");
    let last = bench.run(&args);
    assert!(matches!(last.status.code(), Some(0 | 1)), "{}", words(&last));
    assert_eq!(json_of(&last)["events"], 400, "{}", words(&last));
    bench.assert_nothing_runs();
}

/// How many whole lines the traces of an exploration have.
fn recorded(out: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(out.join("traces")) else { return 0 };
    let texts = entries.flatten().map(|entry| std::fs::read_to_string(entry.path()).unwrap_or_default());
    texts.map(|text| text.matches('\n').count().saturating_sub(1)).sum()
}

#[test]
fn the_jvm_is_killed_at_any_moment_and_another_takes_its_place() {
    let Some(bench) = Bench::new("deaths") else { return };
    let mut dice = Seed(22).dice();
    let args = ["explore", "--device", &bench.device, "--events", "1000000", "--seed", "6", "--out", "o"];
    let mut child = quiet(bench.retap(&args));
    let out = bench.scratch.path().join("o");
    // A JVM that dies while the device is opened is an error, and is told at once.
    until("it explores", || recorded(&out) > 0);
    for moment in 0..MOMENTS {
        if moment % 2 == 0 {
            // At work; a device that never gets to work is given up after a dozen failures.
            let before = recorded(&out);
            until("it explores", || recorded(&out) > before || child.try_wait().expect("a child").is_some());
            thread::sleep(below(&mut dice, Duration::from_millis(500)));
        } else {
            until("a JVM starts", || !bench.processes().is_empty());
            thread::sleep(below(&mut dice, Duration::from_secs(5)));
        }
        bench.processes().into_iter().for_each(kill);
        assert!(child.try_wait().expect("a child").is_none(), "moment {moment}: retap goes on");
    }
    let before = recorded(&out);
    until("it goes on", || recorded(&out) > before);
    // As Ctrl-C does.
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(asked.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    bench.assert_nothing_runs();
}
