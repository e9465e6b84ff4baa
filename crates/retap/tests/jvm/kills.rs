//! retap and its JVMs are killed at any moment.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use retap_testing::until;
use retap_trace::{Dice, Seed};

use crate::bench::{Bench, SAMPLE, kill, quiet};
use crate::command::{json_of, words};

const MOMENTS: usize = 20;

fn below(dice: &mut Dice, most: Duration) -> Duration {
    Duration::from_millis(dice.below(u64::try_from(most.as_millis()).expect("a short time")))
}

#[test]
fn retap_is_killed_at_any_moment_and_no_jvm_is_left() {
    let Some(bench) = Bench::new("kills") else { return };
    let mut dice = Seed(21).dice();
    let args = ["explore", "--device", SAMPLE, "--events", "400", "--seed", "5", "--json", "--out", "o"];
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
    let args = ["explore", "--device", SAMPLE, "--events", "1000000", "--seed", "6", "--out", "o"];
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

/// As Ctrl-C does, while the JVM starts: nobody could ask whether to stop, and nothing has been begun.
#[test]
fn an_interrupt_while_a_jvm_starts_ends_it_at_once() {
    let Some(bench) = Bench::new("interrupts") else { return };
    for args in [
        &["explore", "--device", SAMPLE, "--events", "1000000", "--out", "o"][..],
        &["device", "doctor", SAMPLE],
        &["device", "screenshot", SAMPLE, "a.png"],
    ] {
        let child =
            bench.retap(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("retap runs");
        until("a JVM starts", || !bench.processes().is_empty());
        let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(asked.is_ok_and(|status| status.success()));
        let ended = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(130), "{args:?}: {said}");
        assert!(said.contains("interrupted"), "{args:?}: {said}");
        bench.assert_nothing_runs();
    }
    assert!(!bench.scratch.path().join("a.png").exists());
}
