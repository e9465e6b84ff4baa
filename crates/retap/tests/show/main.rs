//! `retap show` and `retap diff`: what people read of traces, sessions and suites, and what is wrong with them.

#[path = "../command/mod.rs"]
mod command;
mod damage;
mod differences;
#[cfg(unix)]
mod going_on;
mod sessions;
#[cfg(unix)]
mod terminals;
mod traces;

use std::path::Path;
use std::process::Output;

use command::{run, words};

/// What a command prints, which must end with this code and say nothing else.
#[track_caller]
fn printed(folder: &Path, args: &[&str], code: i32) -> String {
    let said = run(folder, args);
    assert_eq!(said.status.code(), Some(code), "{}", words(&said));
    assert_eq!(words(&said), "");
    text(&said)
}

/// What a command says that cannot be done.
#[track_caller]
fn refused(folder: &Path, args: &[&str]) -> String {
    let said = run(folder, args);
    assert_eq!(said.status.code(), Some(2), "{}{}", text(&said), words(&said));
    assert_eq!(text(&said), "");
    words(&said)
}

fn text(said: &Output) -> String {
    String::from_utf8(said.stdout.clone()).expect("text")
}

/// Puts a trace into a folder: a header, and steps as they stand in a file.
fn trace(folder: &Path, name: &str, header: &str, steps: impl IntoIterator<Item = String>) {
    let mut lines =
        format!("{{\"retap\":\"trace\",\"version\":1,\"app\":{{\"package\":\"com.example\"}}{header}}}\n");
    for step in steps {
        lines.push_str(&step);
        lines.push('\n');
    }
    std::fs::write(folder.join(name), lines).expect("a file");
}

/// A step that taps a widget of this name, in a state.
fn tap(widget: &str, at: u64, key: u64) -> String {
    let widget = serde_json::to_string(widget).expect("text");
    format!(
        "{{\"event\":{{\"do\":\"tap\",\"at\":[5,7],\"widget\":{{\"text\":{widget}}}}},\"at\":{at},\
         \"before\":{{\"activity\":\"com.example.Main\",\"layout\":\"{key:08x}00000000\"}}}}"
    )
}
