//! What no proper client says, and how the server ends.

use std::fs;

use retap_testing::until;
use serde_json::{Value, json};

use crate::command::{json_of, run, sample, scratch, words};
use crate::server::{Server, texts};

/// An exploration that nobody waits for.
fn endless(out: &str) -> Value {
    json!({"device": "sim:notes", "strategy": "aware", "minutes": 1_000_000, "out": out})
}

#[test]
fn garbage_is_survived() {
    let folder = scratch();
    let mut server = Server::silent(folder.path(), &[]);
    for garbage in
        ["", "hello", "{", "[1,2", "\u{1}\u{fffd}", "null", "{}", "[]", "7", r#"{"jsonrpc":"1.0"}"#]
    {
        server.say(garbage);
    }
    server.say(&"x".repeat(5 << 20));
    let told = server.ask(
        "initialize",
        &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    assert_eq!(told["result"]["serverInfo"]["name"], "retap", "{told}");
    for garbage in
        ["}", r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":7}}"#, "[]", "\u{7f}"]
    {
        server.say(garbage);
    }
    let told = server.ask("tools/call", &json!({"name": "explode"}));
    assert_eq!(told["error"]["code"], -32602, "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("did you mean `explore`?"), "{told}");
    for (method, wrong) in [
        ("tools/call", json!({"name": "explore", "arguments": []})),
        ("initialize", json!({"capabilities": 7})),
    ] {
        let told = server.ask(method, &wrong);
        assert_eq!(told["error"]["code"], -32602, "{told}");
        assert!(told["error"]["message"].to_string().contains(&format!("{method} takes ")), "{told}");
    }
    let told = server.ask("tools/shout", &json!({}));
    assert_eq!(told["error"]["code"], -32601, "{told}");
    assert_eq!(server.ask("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().len(), 5);
    let ended = server.close();
    assert!(ended.status.success(), "{}", ended.words);
    assert_eq!(ended.rest, "");
}

#[test]
fn a_client_that_says_nothing_is_no_failure() {
    let folder = scratch();
    let ended = Server::silent(folder.path(), &[]).close();
    assert_eq!((ended.status.code(), &*ended.rest), (Some(0), ""), "{}", ended.words);
    let mut server = Server::silent(folder.path(), &[]);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let ended = server.end();
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.words.contains("does not speak the Model Context Protocol"), "{}", ended.words);
}

#[test]
fn the_end_of_the_input_saves_what_was_found() {
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    server.send("tools/call", &json!({"name": "explore", "arguments": endless("long")}));
    let traces = folder.path().join("long/traces");
    until("the exploration is under way", || fs::read_dir(&traces).is_ok_and(|files| files.count() > 0));
    let ended = server.close();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.words);
    assert!(ended.words.contains("explore stopped: "), "{}", ended.words);
    let shown = Server::start(folder.path(), &[]).call("show", &json!({"path": "long"}));
    assert_eq!(shown["structuredContent"]["plan"]["device"], "sim:notes", "{shown}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it() {
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    server.send("tools/call", &json!({"name": "explore", "arguments": endless("long")}));
    until("the exploration is under way", || folder.path().join("long/traces").is_dir());
    let killed = std::process::Command::new("kill").arg(server.child.id().to_string()).status();
    assert!(killed.expect("kill runs").success());
    let ended = server.end();
    assert_eq!(ended.status.code(), Some(130), "{}", ended.words);
    assert!(ended.words.contains("explore stopped: "), "{}", ended.words);
}

#[test]
fn cancelling_frees_the_folder_and_nothing_answers() {
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    let id = server.send("tools/call", &json!({"name": "explore", "arguments": endless("long")}));
    until("the exploration is under way", || folder.path().join("long/traces").is_dir());
    // Meanwhile others are served, and the same folder is refused.
    let other = server.call("replay", &json!({"trace": place(&folder, "dalvik"), "times": 3}));
    assert_eq!(other["structuredContent"]["confirmed"], json!({"reached": 3, "of": 3}), "{other}");
    let refused = server.refusal("explore", &endless("long"));
    assert!(refused.contains("long") && refused.contains("in use"), "{refused}");
    server.say(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
            .to_string(),
    );
    until("the folder is free", || {
        let again = server.call("explore", &json!({"resume": "long", "events": 5}));
        assert_eq!(texts(&again), "resume goes on with what its folder says; leave events out");
        let held = fs::File::open(folder.path().join("long/session.lock")).expect("a lock");
        held.try_lock().is_ok()
    });
    let shown = server.call("show", &json!({"path": "long"}));
    assert_eq!(shown["structuredContent"]["of"], "explore", "{shown}");
    let ended = server.close();
    assert!(ended.words.contains("explore stopped: "), "{}", ended.words);
    assert!(!ended.rest.contains(&format!("\"id\":{id},")), "{}", ended.rest);
}

/// A copy of a sample in the folder.
fn place(folder: &tempfile::TempDir, name: &str) -> String {
    let file = format!("{name}.trace.jsonl");
    fs::copy(sample(name), folder.path().join(&file)).expect("room for a sample");
    file
}

#[test]
fn several_calls_at_once_do_not_disturb_each_other() {
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    let call = |seed: u64| json!({"name": "explore", "arguments": {"device": "sim:notes", "events": 400, "seed": seed}});
    let ids: Vec<u64> = (1..=4).map(|seed| server.send("tools/call", &call(seed))).collect();
    let mut folders = Vec::new();
    for _ in &ids {
        let told = server.hear();
        let data = &told["result"]["structuredContent"];
        assert_eq!(data["status"], "done", "{told}");
        let (seed, session) = (data["seed"].to_string(), data["session"].as_str().unwrap().to_owned());
        // The same as the command alone does.
        let typed =
            ["explore", "-d", "sim:notes", "--events", "400", "--seed", &seed, "--json", "-q", "--out"];
        let alone = json_of(&run(folder.path(), &[&typed[..], &[&format!("alone-{seed}")]].concat()));
        for field in ["events", "states", "transitions", "coverage", "segments", "device_seconds"] {
            assert_eq!(data[field], alone[field], "{field} of seed {seed}");
        }
        folders.push(session);
    }
    folders.sort();
    folders.dedup();
    assert_eq!(folders.len(), 4, "{folders:?}");
}

#[test]
fn clients_stay_in_the_folder_and_run_nothing() {
    let outside = scratch();
    let root = outside.path().join("root");
    fs::create_dir(&root).expect("a folder");
    fs::copy(sample("dalvik"), outside.path().join("away.trace.jsonl")).expect("room");
    fs::copy(sample("dalvik"), root.join("in.trace.jsonl")).expect("room");
    fs::write(outside.path().join("other.app"), "secret words\n").expect("room");
    fs::write(root.join("my.app"), "include \"../other.app\"\n").expect("room");
    let here = outside.path().canonicalize().expect("it is there");
    let mut server = Server::start(outside.path(), &["--root", "root"]);
    let out = here.join("away").display().to_string();
    for (tool, given, said) in [
        ("replay", json!({"trace": "../away.trace.jsonl"}), "trace: ../away.trace.jsonl is outside of"),
        ("reduce", json!({"input": here.join("away.trace.jsonl")}), "is outside of"),
        ("show", json!({"path": ".."}), "path: .. is outside of"),
        ("show", json!({"path": "nothing"}), "path: there is no file or folder nothing"),
        ("explore", json!({"device": "sim:notes", "out": out}), "out: "),
        ("explore", json!({"device": "sim:../other.app"}), "device: ../other.app is outside of"),
        ("explore", json!({"device": "sim:./my.app"}), "device: ./../other.app is outside of"),
        ("explore", json!({"device": "jvm:/etc/passwd"}), "device: /etc/passwd is outside of"),
        ("explore", json!({"device": "adb?app=a.b&apk=/etc/passwd"}), "device: /etc/passwd is outside of"),
        (
            "explore",
            json!({"device": "jvm:sample?jvm=/bin/sh"}),
            "runs the program /bin/sh, and this server runs none",
        ),
        ("replay", json!({"trace": "in.trace.jsonl", "device": "sim:../other.app"}), "is outside of"),
        ("reduce", json!({"input": "in.trace.jsonl", "device": "sim:../other.app"}), "is outside of"),
        ("replay", json!({"trace": "in.trace.jsonl", "device": "sim:/etc/passwd"}), "is outside of"),
        ("reduce", json!({"input": "in.trace.jsonl", "device": "sim:/etc/passwd/x"}), "is outside of"),
        ("replay", json!({"trace": "in.trace.jsonl", "device": "sim:/nowhere/x.app"}), "is outside of"),
        ("reduce", json!({"input": "in.trace.jsonl", "device": "sim:/nowhere/x.app"}), "is outside of"),
        (
            "replay",
            json!({"trace": "in.trace.jsonl", "device": "jvm:sample?jvm=/bin/sh"}),
            "runs the program /bin/sh, and this server runs none",
        ),
        ("explore", json!({"resume": "../away"}), "resume: ../away is outside of"),
        (
            "explore",
            json!({"device": "sim:notes", "start": "/etc/passwd"}),
            "start: /etc/passwd is outside of",
        ),
        (
            "export",
            json!({"trace": "in.trace.jsonl", "as": "text", "out": "../x"}),
            "out: ../x is outside of",
        ),
        ("reduce", json!({"input": "in.trace.jsonl", "to": "cmd:./x"}), "to: this server runs no commands"),
    ] {
        let refused = server.refusal(tool, &given);
        assert!(refused.contains(said), "{given}: {refused}");
        assert!(!refused.contains("secret words") && !refused.contains("line 1"), "{refused}");
    }
    let files: Vec<_> =
        fs::read_dir(outside.path()).expect("a folder").map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(server.close().status.success());
}

/// Links in the folders that are written and read, and what a trace names, lead nowhere else either.
#[cfg(unix)]
#[test]
fn links_and_traces_lead_nowhere_else() {
    use std::os::unix::fs::symlink;

    let outside = scratch();
    let here = outside.path().canonicalize().expect("it is there");
    let (root, victim) = (here.join("root"), here.join("victim"));
    for folder in ["tests", "session", "night"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    fs::create_dir(here.join("elsewhere")).expect("a folder");
    fs::write(&victim, "precious").expect("room");
    fs::write(here.join("other.app"), "secret words\n").expect("room");
    let text = fs::read_to_string(sample("dalvik")).expect("a sample");
    fs::write(root.join("t.trace.jsonl"), &text).expect("room");
    fs::write(here.join("away.trace.jsonl"), &text).expect("room");
    symlink(&victim, root.join("tests/t.adb.sh")).expect("a link");
    symlink(here.join("elsewhere"), root.join("night/traces")).expect("a link");
    symlink(here.join("new.db"), root.join("session/session.db")).expect("a link");
    symlink(here.join("away.trace.jsonl"), root.join("link.trace.jsonl")).expect("a link");
    let after = text.replacen('{', "{\"after\":{\"trace\":\"link.trace.jsonl\",\"steps\":1},", 1);
    fs::write(root.join("after.trace.jsonl"), after).expect("room");
    for (name, device) in
        [("up", "sim:../other.app".to_owned()), ("whole", format!("sim:{}/other.app", here.display()))]
    {
        let (first, rest) = text.split_once('\n').expect("a header");
        let mut header: Value = serde_json::from_str(first).expect("JSON");
        header["device"] = json!(device);
        fs::write(root.join(format!("{name}.trace.jsonl")), format!("{header}\n{rest}")).expect("room");
    }
    let mut server = Server::start(&here, &["--root", "root"]);
    for (tool, given) in [
        ("export", json!({"trace": "t.trace.jsonl", "as": "adb", "out": "tests"})),
        ("explore", json!({"device": "sim:notes", "events": 10, "out": "night"})),
        ("explore", json!({"device": "sim:notes", "events": 10, "out": "session"})),
        ("replay", json!({"trace": "up.trace.jsonl", "times": 1})),
        ("reduce", json!({"input": "whole.trace.jsonl"})),
        ("replay", json!({"trace": "after.trace.jsonl", "times": 1})),
        ("show", json!({"path": "after.trace.jsonl"})),
        ("export", json!({"trace": "after.trace.jsonl", "as": "text"})),
    ] {
        let refused = server.refusal(tool, &given);
        assert!(
            refused.contains("is outside of") || refused.contains("session.db"),
            "{tool} {given}: {refused}"
        );
        assert!(!refused.contains("secret words"), "{refused}");
    }
    assert_eq!(fs::read_to_string(&victim).expect("it is there"), "precious");
    assert!(!here.join("new.db").exists());
    assert_eq!(fs::read_dir(here.join("elsewhere")).expect("a folder").count(), 0);
    assert!(server.close().status.success());
}

/// The app that a trace names is looked for beside the trace as well, and so is what that app includes.
#[test]
fn an_app_beside_a_trace_includes_nothing_from_elsewhere() {
    let outside = scratch();
    let sub = outside.path().join("root/sub");
    fs::create_dir_all(&sub).expect("a folder");
    fs::create_dir(outside.path().join("root/out")).expect("a folder");
    fs::write(outside.path().join("other.app"), "secret words\n").expect("room");
    fs::write(sub.join("evil.app"), "include \"../../other.app\"\n").expect("room");
    fs::write(outside.path().join("root/out/far.app"), "include \"../../other.app\"\n").expect("room");
    let text = fs::read_to_string(sample("dalvik")).expect("a sample");
    let (first, rest) = text.split_once('\n').expect("a header");
    let mut server = Server::start(outside.path(), &["--root", "root"]);
    for app in ["./evil.app", "../out/far.app"] {
        let mut header: Value = serde_json::from_str(first).expect("JSON");
        header["device"] = json!(format!("sim:{app}"));
        fs::write(sub.join("t.trace.jsonl"), format!("{header}\n{rest}")).expect("room");
        for (tool, field) in [("replay", "trace"), ("reduce", "input")] {
            let refused = server.refusal(tool, &json!({field: "sub/t.trace.jsonl"}));
            assert!(refused.contains("other.app is outside of"), "{tool} {app}: {refused}");
            assert!(!refused.contains("secret"), "{tool} {app}: {refused}");
        }
    }
}

/// A trace to begin with that settings name is not asked for by the call, nor is the one of an exploration to go on with.
#[test]
fn a_start_that_is_set_stays_in_the_folder_too() {
    let outside = scratch();
    let root = outside.path().join("root");
    fs::create_dir(&root).expect("a folder");
    fs::copy(sample("dalvik"), outside.path().join("away.trace.jsonl")).expect("room");
    let begun =
        ["explore", "-d", "sim:dalvik", "--events", "20", "--start", "../away.trace.jsonl", "--out", "night"];
    run(&root, &begun);
    assert!(root.join("night/session.db").is_file());
    fs::write(root.join("retap.toml"), "[explore]\nstart = '../away.trace.jsonl'\n").expect("room");
    let mut server = Server::start(&root, &[]);
    for given in [json!({"resume": "night"}), json!({"device": "sim:dalvik", "events": 20})] {
        let refused = server.refusal("explore", &given);
        assert!(refused.starts_with("start: ") && refused.contains("is outside of"), "{given}: {refused}");
    }
}

/// Nor are a device and a belief, of which a refusal told what stands in them.
#[test]
fn a_device_and_a_prior_that_are_set_stay_in_the_folder_too() {
    let outside = scratch();
    let root = outside.path().join("root");
    fs::create_dir(&root).expect("a folder");
    fs::copy(sample("dalvik"), root.join("in.trace.jsonl")).expect("room");
    fs::write(outside.path().join("other.app"), "secret words\n").expect("room");
    fs::write(outside.path().join("prior.json"), "{\"p\": \"secret words\"}\n").expect("room");
    let (replay, reduce) = (json!({"trace": "in.trace.jsonl"}), json!({"input": "in.trace.jsonl"}));
    let explore = json!({"device": "sim:dalvik", "events": 20, "reduce": true});
    let device = "device = 'sim:../other.app'\n";
    let prior = |prior: &str| format!("[reduce]\nrule = '18/20'\nprior = '{prior}'\n");
    for (settings, place, tools) in [
        (device.to_owned(), "retap.toml:1: device", [("replay", &replay), ("reduce", &reduce)]),
        (prior("../prior.json"), "retap.toml:3: prior", [("reduce", &reduce), ("explore", &explore)]),
        (prior("learnt:.."), "retap.toml:3: prior", [("reduce", &reduce), ("explore", &explore)]),
    ] {
        fs::write(root.join("retap.toml"), &settings).expect("room");
        let mut server = Server::start(&root, &[]);
        for (tool, given) in tools {
            let refused = server.refusal(tool, given);
            assert!(refused.starts_with(place), "{tool} with {settings}: {refused}");
            assert!(refused.contains("is outside of") && !refused.contains("secret"), "{tool}: {refused}");
        }
        assert!(server.close().status.success());
    }
    fs::remove_file(root.join("retap.toml")).expect("it is there");
    let begun = ["explore", "-d", "sim:dalvik", "--events", "20", "--reduce", "--out", "night"];
    let set = outside.path().join("set.toml");
    fs::write(&set, prior("learnt:..")).expect("room");
    run(&root, &[&begun[..], &["--config", &set.display().to_string()]].concat());
    let refused = Server::start(&root, &[]).refusal("explore", &json!({"resume": "night"}));
    assert!(refused.starts_with("prior: .. is outside of"), "{refused}");
}

#[test]
fn a_trace_does_not_lead_elsewhere() {
    let folder = scratch();
    let text = fs::read_to_string(sample("dalvik")).expect("a sample");
    let after = text.replacen('{', "{\"after\":{\"trace\":\"../../etc/passwd\",\"steps\":1},", 1);
    fs::write(folder.path().join("after.trace.jsonl"), after).expect("room");
    let refused = Server::start(folder.path(), &[]).refusal("show", &json!({"path": "after.trace.jsonl"}));
    assert!(refused.contains("which is not the name of a file in the same folder"), "{refused}");
}

#[test]
fn commands_are_run_where_that_is_allowed() {
    let folder = scratch();
    fs::write(folder.path().join("list.txt"), "a\nb\nc\nd\n").expect("room");
    let mut server = Server::start(folder.path(), &["--allow-commands"]);
    let result = server.call("reduce", &json!({"input": "list.txt", "to": "cmd:grep -qx c", "confirm": 3}));
    assert_eq!(result["structuredContent"]["steps_in_words"], json!(["c"]), "{result}");
    assert_eq!(fs::read_to_string(folder.path().join("list.reduced.txt")).expect("an answer"), "c\n");
}

/// The answer of a command stands beside the input, where a link may be.
#[cfg(unix)]
#[test]
fn the_answer_of_a_command_stays_in_the_folder() {
    let outside = scratch();
    let root = outside.path().join("root");
    fs::create_dir(&root).expect("a folder");
    fs::write(root.join("list.txt"), "a\nb\n").expect("room");
    std::os::unix::fs::symlink("../new.txt", root.join("list.reduced.txt")).expect("a link");
    let mut server = Server::start(&root, &["--allow-commands"]);
    let refused = server.refusal("reduce", &json!({"input": "list.txt", "to": "cmd:true", "confirm": 1}));
    assert!(refused.starts_with("input: list.reduced.txt"), "{refused}");
    assert!(!outside.path().join("new.txt").exists());
}

/// Two crashes that come every time.
const TWO: &str = r#"
app two "Two"
package org.retap.two

activity MainActivity
  screen main "Two"
    button "One" height=300
      on tap
        crash IllegalStateException "one"
          at org.retap.two.Main.one(Main.java:1)
    button "Two" height=300
      on tap
        crash IllegalStateException "two"
          at org.retap.two.Main.two(Main.java:2)
"#;

/// A crash of several is chosen by its signature, also as the target; nothing is chosen silently.
#[test]
fn the_crash_that_is_meant_is_reduced() {
    let folder = scratch();
    fs::write(folder.path().join("two.app"), TWO).expect("room");
    let mut server = Server::start(folder.path(), &[]);
    let given = json!({"device": "sim:./two.app", "strategy": "aware", "events": 200, "out": "night"});
    let found = server.call("explore", &given)["structuredContent"]["crashes"].clone();
    let name = |at: usize| found[at]["signature"].as_str().expect("two crashes were found").to_owned();
    for (given, said) in [
        (json!({"input": "night"}), "crash: say which of the 2 crashes in night is meant: "),
        (
            json!({"input": "night", "crash": "State"}),
            "crash: say which of the 2 crashes in night is meant: ",
        ),
        (json!({"input": "night", "crash": "Main.three"}), "whose signature contains 'Main.three'; it has "),
        (json!({"input": "night", "to": "crash:X@Y.z#1"}), "night has no crash X@Y.z#1; it has "),
        (json!({"input": "night", "to": "activity:X"}), "with to, name one of the traces: night/"),
    ] {
        let refused = server.refusal("reduce", &given);
        assert!(refused.contains(said), "{given}: {refused}");
    }
    for at in [0, 1] {
        let given = json!({"input": "night", "to": format!("crash:{}", name(at)), "confirm": 3});
        let result = server.call("reduce", &given);
        let data = &result["structuredContent"];
        assert_eq!(data["status"], "reduced", "{result}");
        assert_eq!(data["target"], format!("crash:{}", name(at)), "{result}");
    }
}

/// The same file as the command writes: one that can be run, for adb, and never over another's work.
#[cfg(unix)]
#[test]
fn an_exported_script_can_be_run() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    let given = json!({"trace": place(&folder, "dalvik"), "as": "adb", "out": "tests"});
    let written = server.call("export", &given)["structuredContent"]["file"].clone();
    let file = folder.path().join(written.as_str().expect("a file"));
    assert_eq!(fs::metadata(&file).expect("a script").permissions().mode() & 0o111, 0o111);
    fs::write(&file, "my own").expect("room");
    let refused = server.refusal("export", &given);
    assert!(refused.contains("has other content; move it away"), "{refused}");
    assert_eq!(fs::read_to_string(&file).expect("a script"), "my own");
}

/// "No crash" tells nothing of an app that shows one state only.
#[test]
fn an_exploration_that_saw_one_state_is_said_to_be_stuck() {
    let folder = scratch();
    let app = "app wall \"Wall\"\n\nactivity MainActivity\n  on back\n    nothing\n  screen main \"Wall\"\n    \
               label \"Sign in\"\n";
    fs::write(folder.path().join("wall.app"), app).expect("room");
    let mut server = Server::start(folder.path(), &[]);
    let given = json!({"device": "sim:./wall.app", "strategy": "random", "events": 60});
    let said = texts(&server.call("explore", &given));
    assert!(said.contains("\nstuck: the app showed one state only"), "{said}");
    assert!(said.contains("and start begins with it"), "in fields, not options: {said}");
}

/// Who opens a pipe waits until somebody writes to it, and cannot be stopped.
#[cfg(unix)]
#[test]
fn pipes_are_refused() {
    let folder = scratch();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let mut server = Server::start(folder.path(), &[]);
    for (tool, given) in [
        ("show", json!({"path": "pipe"})),
        ("export", json!({"trace": "pipe", "as": "text"})),
        ("replay", json!({"trace": "pipe"})),
        ("reduce", json!({"input": "pipe"})),
        ("explore", json!({"device": "sim:notes", "start": "pipe"})),
    ] {
        let refused = server.refusal(tool, &given);
        assert!(refused.contains("pipe is neither a file nor a folder"), "{tool}: {refused}");
    }
    let refused = server.refusal("explore", &json!({"device": "sim:./pipe"}));
    assert!(refused.contains("file"), "{refused}");
    assert!(server.close().status.success());
}

/// The agent is told how often the whole trace was tried, as in the data.
#[test]
fn a_trace_that_is_not_reproducible_is_refused_with_its_rate() {
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    let trace = place(&folder, "notes-sync-conflict");
    let given = json!({"input": trace, "device": "sim:notes?flaky=0.5", "min_rate": 0.99});
    let result = server.call("reduce", &given);
    let data = &result["structuredContent"];
    let (reached, of) = (&data["confirmed"]["reached"], &data["confirmed"]["of"]);
    assert_eq!(data["status"], "not_reproducible", "{result}");
    assert!(reached.as_u64() > Some(0) && of.as_u64() > reached.as_u64(), "{result}");
    let said = format!("not reproducible: {reached} of {of} runs of the whole reached ");
    assert!(texts(&result).starts_with(&said), "{result}");
    assert!(texts(&result).contains("; min_rate asks for at least "), "{result}");
}

#[test]
fn refusals_are_of_fields_and_short() {
    let folder = scratch();
    let mut server = Server::start(folder.path(), &[]);
    let trace = place(&folder, "dalvik");
    let refused = server.refusal("replay", &json!({"trace": trace, "to": "cmd:ls"}));
    assert_eq!(refused, "to: cmd:ls: a command judges candidates, which is for the tool reduce");
    let refused = server.refusal("show", &json!({"path": "x".repeat(3 << 20)}));
    assert!(refused.len() < 5000 && refused.starts_with("path: "), "{} bytes", refused.len());
    let long = "x".repeat(3 << 20);
    for (method, given) in [("tools/call", json!({"name": long})), (&*long, json!({}))] {
        let told = server.ask(method, &given)["error"]["message"].to_string();
        assert!(told.len() < 5000 && told.contains("xxx ... "), "{} bytes", told.len());
    }
}

#[test]
fn settings_hold_for_tools_too() {
    let folder = scratch();
    fs::write(folder.path().join("retap.toml"), "device = 'sim:notes'\nseed = 9\n[explore]\nevents = 30\n")
        .expect("room");
    let mut server = Server::start(folder.path(), &[]);
    let data = server.call("explore", &json!({}))["structuredContent"].clone();
    assert_eq!((&data["events"], &data["seed"]), (&json!(30), &json!(9)), "{data}");
    let data = server.call("explore", &json!({"events": 20, "seed": 4}))["structuredContent"].clone();
    assert_eq!((&data["events"], &data["seed"]), (&json!(20), &json!(4)), "{data}");
}

#[test]
fn options_without_effect_are_refused() {
    let folder = scratch();
    for (args, said) in [
        (["mcp", "--json"].as_slice(), "--json does nothing here"),
        (&["mcp", "--out", "x"], "--out does nothing here: each call of a tool has a folder of its own"),
        (&["mcp", "--root", "nowhere"], "--root nowhere cannot be used"),
    ] {
        let told = run(folder.path(), args);
        assert_eq!(told.status.code(), Some(2), "{args:?}");
        assert!(words(&told).contains(said), "{}", words(&told));
        assert!(told.stdout.is_empty());
    }
}

/// The trace in the folder of a recording is what is shown, and what the commands that come next are given.
#[test]
fn the_folder_of_a_recording_is_its_trace() {
    let folder = scratch();
    fs::create_dir(folder.path().join("mine")).expect("room");
    fs::copy(sample("dalvik"), folder.path().join("mine/recorded.trace.jsonl")).expect("room for a sample");
    let mut server = Server::start(folder.path(), &[]);
    let shown = server.call("show", &json!({"path": "mine"}));
    assert_eq!(shown["structuredContent"]["file"], "mine/recorded.trace.jsonl", "{shown}");
    let next = shown["structuredContent"]["next"].to_string();
    assert!(next.contains("retap reduce mine/recorded.trace.jsonl"), "{next}");
    assert_eq!(texts(&shown), texts(&server.call("show", &json!({"path": "mine/recorded.trace.jsonl"}))));
}
