//! The command that goes on with a session: typed as it is told, it must find the session to be its own.

use std::path::Path;
use std::process::{Command, Output};

use retap_job::overview::overview;

use crate::command::{run, sample, scratch, words};

/// Does a job with these options, and types what goes on with it.
#[track_caller]
fn goes_on(folder: &Path, job: &[&str], options: &[&str]) {
    let first = run(folder, &[job, options, &["--out", "a session", "-q"]].concat());
    assert!(matches!(first.status.code(), Some(0 | 1)), "{options:?}: {}", words(&first));
    let command = told(folder);
    let again = typed(folder, &format!("{command} -q"));
    assert_eq!(again.status.code(), first.status.code(), "{command}: {}", words(&again));
    assert_eq!(words(&again), words(&first), "{command}");
    assert_eq!(told(folder), command);
    std::fs::remove_dir_all(folder.join("a session")).expect("it is gone");
}

/// The command, with the folder named as somebody in this one would.
fn told(folder: &Path) -> String {
    retap_show::go_on(&overview(&folder.join("a session")).expect("a session"))
}

/// What a shell makes of a command.
fn typed(folder: &Path, command: &str) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_retap")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let shell = Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(folder).output();
    shell.expect("a shell")
}

const SET: &str = "[reduce]\nschedule = \"sequential\"\nlevel = \"activity\"\none-by-one = true\n";

#[test]
fn replays_go_on() {
    let folder = scratch();
    let trace = sample("dalvik");
    for options in [
        &[][..],
        &["--expect-no-crash", "--times", "3"],
        &["--to", "activity:Nowhere", "--times", "2", "--devices", "2", "--seed", "5"],
        &["--device", "sim:dalvik?drop=0.1&profile=phone", "--times", "2"],
    ] {
        goes_on(folder.path(), &["replay", &trace], options);
    }
}

#[test]
fn reductions_go_on() {
    let folder = scratch();
    let trace = sample("dalvik");
    // A prior is learnt of candidates that were run several times.
    let earlier = ["reduce", &trace, "--search", "ddmin", "--rule", "1/3", "--out", "earlier ones/one", "-q"];
    let earlier = run(folder.path(), &earlier);
    assert_eq!(earlier.status.code(), Some(0), "{}", words(&earlier));
    for options in [
        &["--devices", "2", "--confirm", "2", "--seed", "3"][..],
        &["--no-values", "--min-rate", "0.5", "--to", "crash", "--write", "the answer.trace.jsonl"],
        &["--rule", "2/2", "--schedule", "sequential", "--prior", "learnt:earlier ones"],
        &["--search", "ddmin", "--parts", "5", "--values", "--one-by-one", "--schedule", "sequential"],
        &["--search", "hdd", "--level", "activity", "--rule", "2/2"],
    ] {
        goes_on(folder.path(), &["reduce", &trace], options);
    }
}

/// Elsewhere, the files of the plan have other names than where the session was begun.
#[test]
fn what_is_typed_elsewhere_goes_to_where_it_was_begun() {
    let folder = scratch();
    std::fs::copy(sample("dalvik"), folder.path().join("in.trace.jsonl")).expect("a copy");
    let elsewhere = folder.path().join("some where");
    std::fs::create_dir(&elsewhere).expect("room");
    let first = run(folder.path(), &["replay", "in.trace.jsonl", "--times", "2", "--out", "a session", "-q"]);
    assert_eq!(first.status.code(), Some(0), "{}", words(&first));
    let looked = || {
        let mut session = overview(&folder.path().join("a session")).expect("a session");
        session.find_where_it_was_begun();
        retap_show::go_on(&session)
    };
    let command = looked();
    assert!(command.starts_with("cd ") && command.ends_with(" --out 'a session'"), "{command}");
    let again = typed(&elsewhere, &format!("{command} -q"));
    assert_eq!(again.status.code(), Some(0), "{command}: {}", words(&again));
    // There may be another one of that name.
    std::fs::copy(sample("notes-unnamed-tag"), elsewhere.join("in.trace.jsonl")).expect("a copy");
    let shown = run(&elsewhere, &["show", "../a session", "--json"]);
    let next = crate::command::json_of(&shown)["next"][0].as_str().expect("a command").to_owned();
    assert!(next.contains(" && retap reduce in.trace.jsonl "), "{next}");
    assert_eq!(typed(&elsewhere, &format!("{next} --out short -q")).status.code(), Some(0), "{next}");
    // Where it was is not known once the input is gone, but where the session is.
    std::fs::remove_file(folder.path().join("in.trace.jsonl")).expect("it was there");
    let session = folder.path().canonicalize().expect("a folder").join("a session");
    let command = looked();
    assert!(!command.starts_with("cd ") && command.contains(&*session.to_string_lossy()), "{command}");
}

/// What is set for other searches stands in the plan of one that refuses it when it is typed.
#[test]
fn what_is_set_is_not_typed() {
    let folder = scratch();
    std::fs::write(folder.path().join("retap.toml"), SET).expect("a file");
    for options in [&[][..], &["--search", "ddmin"]] {
        goes_on(folder.path(), &["reduce", &sample("dalvik")], options);
    }
}

#[test]
fn reductions_by_a_command_go_on() {
    let folder = scratch();
    std::fs::write(folder.path().join("-a list.txt"), "1\n2\n3\n").expect("a file");
    let job = ["reduce", "./-a list.txt", "--to", "cmd:grep -qx 2 \"$1\""];
    for options in [&[][..], &["-j", "2", "--timeout", "9", "--write=-short.txt"]] {
        goes_on(folder.path(), &job, options);
    }
}

#[test]
fn suites_go_on() {
    let folder = scratch();
    let (one, other) = (sample("filebrowser-splice-1"), sample("filebrowser-splice-2"));
    for options in [
        &["--devices", "2", "--runs", "2", "--fragments", "2", "--snapshots", "off", "--seed", "2"][..],
        &["--classic", "--joins", "concrete", "--level", "layout", "--snapshots", "on"],
    ] {
        goes_on(folder.path(), &["suite", &one, &other], options);
    }
}

#[test]
fn explorations_go_on() {
    let folder = scratch();
    let job = ["explore", "--device", "sim:notes", "--events", "60"];
    for options in [&[][..], &["--strategy", "aware", "--devices", "2", "--throttle", "5", "--seed", "4"]] {
        goes_on(folder.path(), &job, options);
    }
}

/// What a job tells people to type next is typed as it stands, whatever the folder is called.
#[test]
fn commands_take_folders_with_any_name() {
    let folder = scratch();
    let args = ["explore", "--device", "sim:notes", "--strategy", "aware", "--events", "1500", "--seed", "7"];
    let explored = run(folder.path(), &[&args[..], &["--out=-my night"]].concat());
    assert_eq!(explored.status.code(), Some(1), "{}", words(&explored));
    let (one, other) = (sample("filebrowser-splice-1"), sample("filebrowser-splice-2"));
    let made = run(folder.path(), &["suite", &one, &other, "--out", "it's small"]);
    assert_eq!(made.status.code(), Some(0), "{}", words(&made));
    for said in [words(&explored), words(&made)] {
        let command = said.lines().find_map(|line| line.strip_prefix("  retap ")).expect("a command");
        let done = typed(folder.path(), &format!("retap {command} -q"));
        assert_eq!(done.status.code(), Some(0), "{command}: {}", words(&done));
    }
}
