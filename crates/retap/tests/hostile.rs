//! A hostile app, as people would meet it: what the commands say, and with which exit code they end.

#![cfg(target_os = "linux")]

#[path = "../../jvm/tests/attacks/mod.rs"]
mod attacks;
mod command;

use std::process::Output;

use attacks::{Lab, PACKAGE, descendants};
use command::{json_of, retap, words};
use retap_testing::until;

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/jvm-cache");

/// Replays one attack, for a crash.
fn replayed(lab: &Lab, attack: &str) -> Output {
    let trace = lab.scratch.path().join(format!("{attack}.trace.jsonl"));
    let text = format!(
        "{{\"retap\":\"trace\",\"version\":1,\"app\":{{\"package\":\"{PACKAGE}\"}},\"start\":\"launched\",\
         \"screen\":[1080,1920],\"target\":\"crash\"}}\n\
         {{\"event\":{{\"do\":\"tap\",\"at\":[0,0],\"widget\":{{\"text\":\"{attack}\"}},\"by\":\"widget\"}}}}\n"
    );
    std::fs::write(&trace, text).expect("a file");
    let device = format!("jvm:{}", lab.apk().display());
    let args =
        ["replay", trace.to_str().expect("a plain path"), "--device", &device, "--times", "1", "--json"];
    let done = retap(lab.scratch.path(), &args).env("XDG_CACHE_HOME", CACHE).output().expect("retap runs");
    until("no process is left", || descendants().is_empty());
    done
}

#[test]
fn every_attack_ends_with_a_verdict() {
    let Some(lab) = Lab::new(CACHE) else { return };
    // A crash of the app.
    let deep = replayed(&lab, "recursion");
    assert_eq!(deep.status.code(), Some(0), "{}", words(&deep));
    assert_eq!(json_of(&deep)["confirmed"]["reached"], 1, "{}", json_of(&deep));
    assert!(json_of(&deep).get("notices").is_none(), "{}", json_of(&deep));
    // What the device cannot do is told, and is none.
    let limit = replayed(&lab, "limit");
    let told = "the app was ended by what this device cannot do, which is no crash of the app: \
                java.lang.IllegalStateException caused by java.lang.IllegalArgumentException";
    assert_eq!(json_of(&limit)["confirmed"]["reached"], 0, "{}", json_of(&limit));
    assert_eq!(limit.status.code(), Some(1), "{}", words(&limit));
    assert!(
        words(&limit).lines().any(|line| line.starts_with("warning: jvm:/") && line.contains(told)),
        "{}",
        words(&limit)
    );
    assert!(json_of(&limit)["notices"][0].as_str().is_some_and(|said| said.contains(told)));
    // So is an end that nobody forced.
    let exit = replayed(&lab, "exit");
    assert_eq!(json_of(&exit)["confirmed"]["reached"], 0, "{}", json_of(&exit));
}
