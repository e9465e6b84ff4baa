//! Lines of progress where there is no terminal.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::Checkout;

/// One command that takes long: the first line comes soon, and others follow while it still runs.
#[test]
fn lines_come_by_the_clock_while_one_run_takes_long() {
    let checkout = Checkout::new();
    checkout.write("list.txt", "a\nb\n");
    let began = Instant::now();
    let mut child = checkout
        .retap(&["reduce", "list.txt", "--to", "cmd:sleep 20 #", "--out", "x"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("retap starts");
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let seen: Vec<(String, Duration)> =
        lines.map_while(Result::ok).map(|line| (line, began.elapsed())).take(2).collect();
    child.kill().expect("it runs");
    child.wait().expect("it ended");
    let (first, second) = (&seen[0], &seen[1]);
    assert_eq!(first.0, "reduce: 0 runs, searching, best 2 events, 4 s");
    assert_eq!(second.0, "reduce: 0 runs, searching, best 2 events, 14 s");
    assert!(first.1 < Duration::from_secs(9), "the first line came after {:?}", first.1);
}
