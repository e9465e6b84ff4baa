//! Lines of progress where there is no terminal.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::Checkout;

/// One command that takes long: the first line comes soon, and others follow while it still runs.
#[test]
fn lines_come_by_the_clock_while_one_run_takes_long() {
    let checkout = Checkout::new();
    checkout.write("list.txt", "a\nb\n");
    // As long as retap is there.
    let check = "cmd:while kill -0 $PPID; do sleep 1; done #";
    let mut child = checkout
        .retap(&["reduce", "list.txt", "--to", check, "--out", "x"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("retap starts");
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let seen: Vec<String> = lines.map_while(Result::ok).take(2).collect();
    child.kill().expect("it runs");
    child.wait().expect("it ended");
    let seconds = |line: &String| -> u64 {
        let time = line.strip_prefix("reduce: 0 runs, searching, best 2 events, ");
        let number = time.and_then(|time| time.strip_suffix(" s")).and_then(|number| number.parse().ok());
        number.unwrap_or_else(|| panic!("{line}"))
    };
    // On a busy computer lines come later, and never sooner.
    let (first, second) = (seconds(&seen[0]), seconds(&seen[1]));
    assert!(first >= 4 && second >= first + 10, "{seen:?}");
}
