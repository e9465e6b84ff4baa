//! Bad input gets one clear sentence and exit code 2; nothing is overwritten, nothing panics.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use retap_testing::{Requirement, skipped};

fn retap(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    command
}

/// What was said, after checking that it was one sentence with exit code 2 and that stdout stayed empty.
fn refused(said: &Output) -> String {
    let words = String::from_utf8(said.stderr.clone()).expect("text");
    assert_eq!(said.status.code(), Some(2), "{words}");
    assert!(said.stdout.is_empty(), "{said:?}");
    assert!(words.starts_with("error: "), "{words}");
    assert_eq!(words.trim_end().lines().count(), 1, "one sentence, not:\n{words}");
    words
}

fn refuses(folder: &Path, args: &[&str], parts: &[&str]) {
    let words = refused(&retap(folder, args).output().expect("retap runs"));
    for part in parts {
        assert!(words.contains(part), "retap {args:?} said\n{words}and not '{part}'");
    }
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    std::fs::read(path).expect("samples are part of the project")
}

const HEADER: &str = r#"{"retap":"trace","version":1,"app":{"package":"a"},"start":"launched"}"#;

/// What to type again is told as well as it can be.
#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_no_bug() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = scratch();
    let name = std::ffi::OsStr::from_bytes(b"t\xff.trace.jsonl");
    std::fs::write(folder.path().join(name), sample("notes-unnamed-tag.trace.jsonl")).expect("a file");
    let mut command = retap(folder.path(), &["replay", "-d", "sim:notes?blind=1", "--times", "2"]);
    let said = command.arg(name).output().expect("retap runs");
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    assert_eq!(said.status.code(), Some(2), "{words}");
    assert!(words.contains("cut short after 0 of 2 runs: ") && words.contains("again with"), "{words}");
}

#[test]
fn traces() {
    let folder = scratch();
    let dalvik = sample("dalvik.trace.jsonl");
    let cut = &dalvik[..dalvik.len() - 40];
    let cases: [(&str, Vec<u8>, &[&str]); 8] = [
        ("empty", vec![], &["empty.trace.jsonl", "empty", "header"]),
        ("cut", cut.to_vec(), &["cut.trace.jsonl:37:", "cut off"]),
        (
            "bytes",
            [HEADER.as_bytes(), b"\n{\"event\":\xff\xfe}\n"].concat(),
            &["bytes.trace.jsonl:2:", "UTF-8"],
        ),
        ("newer", HEADER.replace("1,", "2,").into(), &["newer.trace.jsonl:1:", "version 2", "update retap"]),
        (
            "nan",
            format!("{HEADER}\n{{\"event\":{{\"do\":\"tap\",\"at\":[NaN,2]}}}}\n").into(),
            &["nan.trace.jsonl:2:", "event.at[0]"],
        ),
        (
            "word",
            format!("{HEADER}\n{{\"event\":{{\"do\":\"tpa\"}}}}\n").into(),
            &["word.trace.jsonl:2:", "event.do"],
        ),
        ("other", b"{\"hello\":1}\n".to_vec(), &["other.trace.jsonl:1:"]),
        ("nothing", format!("{HEADER}\n").into(), &["nothing.trace.jsonl", "target"]),
    ];
    for (name, content, parts) in cases {
        let file = format!("{name}.trace.jsonl");
        std::fs::write(folder.path().join(&file), &content).expect("a scratch file");
        for command in ["reduce", "replay"] {
            refuses(folder.path(), &[command, &file, "--device", "sim:dalvik"], parts);
        }
        assert_eq!(std::fs::read(folder.path().join(&file)).expect("still there"), content);
    }
    refuses(folder.path(), &["reduce", "absent.trace.jsonl"], &["absent.trace.jsonl"]);
    assert!(!folder.path().join("retap-out").exists(), "nothing was written");
}

#[test]
fn one_endless_line_from_a_pipe() {
    let folder = scratch();
    let mut child = retap(folder.path(), &["replay", "/dev/stdin", "--device", "sim:dalvik"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("retap starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let feeder = std::thread::spawn(move || {
        let block = vec![b'a'; 1 << 16];
        // Ends when nobody reads any more; bounded, should that never happen.
        (0..1 << 14).take_while(|_| pipe.write_all(&block).is_ok()).count()
    });
    let words = refused(&child.wait_with_output().expect("retap ends"));
    let blocks = feeder.join().expect("the feeder ends");
    assert!(words.contains("/dev/stdin:1:") && words.contains("MiB"), "{words}");
    assert!(blocks < 1 << 10, "it read {blocks} blocks of 64 kB before it refused");
}

#[test]
fn apps() {
    let folder = scratch();
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a scratch file");
    let head = "app x \"X\"\npackage org.example.x\n";
    let screen = "activity Main\n  screen home \"Home\"\n    button \"Go\" id=go\n      on tap\n";
    write("screen.app", &format!("{head}{screen}        show nowhere\n"));
    write("chance.app", &format!("{head}{screen}        chance 1.5\n          finish\n"));
    write("a.app", &format!("{head}include \"b.app\"\n{screen}        finish\n"));
    write("b.app", "include \"a.app\"\n");
    refuses(folder.path(), &["explore", "--device", "sim:./screen.app"], &["screen.app:7:", "nowhere"]);
    refuses(folder.path(), &["explore", "--device", "sim:./chance.app"], &["chance.app:7:", "1.5"]);
    refuses(folder.path(), &["explore", "--device", "sim:./a.app"], &["include", "a.app", "b.app"]);
    refuses(folder.path(), &["explore", "--device", "sim:./absent.app"], &["absent.app"]);
}

#[test]
fn devices_and_settings() {
    let folder = scratch();
    let explore =
        |device: &str, parts: &[&str]| refuses(folder.path(), &["explore", "--device", device], parts);
    explore("toaster", &["toaster", "sim:"]);
    explore("sim:nots", &["nots", "notes"]);
    explore("sim:notes?drop=1.5", &["drop", "1.5"]);
    explore("sim:notes?dorp=0.5", &["dorp", "drop"]);
    explore("sim:notes?profile=toaster", &["toaster", "emulator"]);
    explore("sim:gen?screens=0", &["screens"]);
    refuses(folder.path(), &["explore"], &["--device"]);
    refuses(folder.path(), &["explore", "-d", "sim:notes", "--strategy", "psychic"], &["psychic", "monkey"]);
    refuses(folder.path(), &["explore", "-d", "sim:notes", "--pct-touch", "101"], &["pct-touch", "101"]);
    refuses(folder.path(), &["explore", "-d", "sim:notes", "--pct-touch", "80", "--pct-nav", "30"], &["110"]);
    refuses(folder.path(), &["explore", "-d", "sim:notes", "--devices", "0"], &["--devices"]);
    refuses(folder.path(), &["explore", "-d", "sim:notes", "--events", "0"], &["0"]);
    std::fs::write(folder.path().join("retap.toml"), "[explore]\nevnts = 5\n").expect("a scratch file");
    refuses(folder.path(), &["explore", "-d", "sim:notes"], &["retap.toml:2:", "evnts"]);
}

/// What is wrong is named as it is found again: by its option, or by the file, the line and the key.
#[test]
fn a_wrong_value_is_named_by_its_option_or_by_its_place_in_the_settings() {
    let folder = scratch();
    std::fs::write(folder.path().join("d.trace.jsonl"), sample("dalvik.trace.jsonl"))
        .expect("a scratch file");
    let (explore, reduce) = (&["explore", "-d", "sim:notes"][..], &["reduce", "d.trace.jsonl"][..]);
    let (replay, suite) = (&["replay", "d.trace.jsonl"][..], &["suite", "d.trace.jsonl"][..]);
    for (command, option, value) in [
        (explore, "--strategy", "psychic"),
        (explore, "--look", "away"),
        (explore, "--timetravel", "fast=1"),
        (reduce, "--search", "magic"),
        (reduce, "--rule", "21/20"),
        (reduce, "--schedule", "magic"),
        (reduce, "--level", "deep"),
        (reduce, "--to", "moon"),
        (replay, "--to", "moon"),
        (reduce, "--min-rate", "1.5"),
        (suite, "--joins", "loose"),
        (suite, "--level", "deep"),
    ] {
        let words =
            refused(&retap(folder.path(), &[command, &[option, value]].concat()).output().expect("runs"));
        assert!(words.starts_with(&format!("error: {option}")), "{option} {value}: {words}");
    }
    for (command, section, key, value) in [
        (&["explore"][..], "", "device", "'sim:nots'"),
        (reduce, "", "devices", "0"),
        (reduce, "", "seed", "'x'"),
        (explore, "[explore]", "strategy", "'psychic'"),
        (explore, "[explore]", "events", "0"),
        (explore, "[explore]", "look", "'away'"),
        (explore, "[explore]", "select", "'any'"),
        (explore, "[explore.pct]", "touch", "200"),
        (explore, "[explore.pct]", "tuch", "2"),
        (explore, "[explore.timetravel]", "easy", "7.0"),
        (reduce, "[reduce]", "search", "'magic'"),
        (reduce, "[reduce]", "rule", "'21/20'"),
        (reduce, "[reduce]", "schedule", "'magic'"),
        (reduce, "[reduce]", "level", "'deep'"),
        (reduce, "[reduce]", "confirm", "0"),
        (reduce, "[reduce]", "min-rate", "1.5"),
        (reduce, "[reduce]", "timeout", "0"),
        (reduce, "[reduce]\nrule = '18/20' #", "\nprior", "'missing.json'"),
        (reduce, "[reduce]\nsearch = 'ddmin' #", "\nparts", "1"),
        (replay, "[replay]", "times", "0"),
        (suite, "[suite]", "runs", "0"),
        (suite, "[suite]", "fragments", "21"),
        (suite, "[suite]", "joins", "'loose'"),
        (suite, "[suite]", "snapshots", "'perhaps'"),
        (suite, "[suite]", "level", "'deep'"),
    ] {
        let text = format!("# Ours\n{section}\n{key} = {value}\n");
        std::fs::write(folder.path().join("retap.toml"), &text).expect("a scratch file");
        let line = text.trim_end().lines().count();
        let words = refused(&retap(folder.path(), command).output().expect("retap runs"));
        let key = key.trim();
        assert!(words.starts_with(&format!("error: retap.toml:{line}: ")), "{text}{words}");
        assert!(words.contains(key), "{text}{words}");
    }
    let text = "[explore.pct]\ntouch = 80\nnav = 30\n";
    std::fs::write(folder.path().join("retap.toml"), text).expect("a scratch file");
    refuses(folder.path(), explore, &["retap.toml:", "pct", "110"]);
    // What is typed wins, and what it beats is not looked at.
    std::fs::write(folder.path().join("retap.toml"), "[replay]\ntimes = 0\n").expect("a scratch file");
    let said = retap(folder.path(), &[replay, &["--times", "1"]].concat()).output().expect("retap runs");
    assert_eq!(said.status.code(), Some(0), "{said:?}");
}

#[test]
fn rules_and_targets() {
    let folder = scratch();
    std::fs::write(folder.path().join("d.trace.jsonl"), sample("dalvik.trace.jsonl"))
        .expect("a scratch file");
    let reduce = |more: &[&str], parts: &[&str]| {
        refuses(folder.path(), &[&["reduce", "d.trace.jsonl"], more].concat(), parts);
    };
    reduce(&["--rule", "21/20"], &["21/20"]);
    reduce(&["--rule", "x"], &["'x'", "18/20"]);
    reduce(&["--search", "magic"], &["magic", "ddmin"]);
    reduce(&["--schedule", "magic"], &["magic", "sequential"]);
    reduce(&["--schedule", "async"], &["--schedule async", "does nothing", "--rule"]);
    reduce(&["--schedule", "optimal", "--search", "ddmin"], &["optimal", "K/N"]);
    reduce(&["--to", "moon"], &["moon", "activity:NAME"]);
    reduce(&["--crash", "NoSuchException"], &["NoSuchException"]);
    reduce(&["--confirm", "0"], &["--confirm"]);
    reduce(&["--min-rate", "1.5"], &["--min-rate", "1.5"]);
    reduce(&["--devices", "0"], &["--devices"]);
    assert!(!folder.path().join("retap-out").exists(), "nothing was written");
}

#[test]
fn numbers_that_are_none() {
    let no = |args: &[&str], parts: &[&str]| refuses(scratch().path(), args, parts);
    no(&["replay", "x", "--times", "x"], &["'x' for '--times <N>'", "write a whole number"]);
    no(&["reduce", "x", "--min-rate", "x"], &["'x' for '--min-rate <RATE>'", "write a number"]);
}

/// A folder is wanted, and a file is there.
#[test]
fn a_file_in_place_of_the_folder_for_tests_and_traces() {
    let folder = scratch();
    std::fs::write(folder.path().join("d.trace.jsonl"), sample("dalvik.trace.jsonl"))
        .expect("a scratch file");
    std::fs::write(folder.path().join("flow.yaml"), "appId: a.b\n---\n- back\n").expect("a scratch file");
    std::fs::write(folder.path().join("file"), "mine").expect("a scratch file");
    for args in [&["export", "d.trace.jsonl", "--as", "markdown", "-q"][..], &["import", "flow.yaml", "-q"]] {
        let said = retap(folder.path(), &[args, &["--out", "file"]].concat()).output().expect("retap runs");
        let words = String::from_utf8(said.stderr).expect("text");
        assert_eq!(said.status.code(), Some(2), "{words}");
        assert!(words.contains("error: --out file is a file; name a folder"), "{words}");
    }
    assert_eq!(std::fs::read(folder.path().join("file")).expect("still there"), b"mine");
}

/// The same of options that are about reports.
#[test]
fn reports_without_effect() {
    let folder = scratch();
    let no = |args: &[&str], parts: &[&str]| refuses(folder.path(), args, parts);
    no(&["replay", "--suite", "s", "--sarif", "x.sarif"], &["--sarif", "--suite", "--junit"]);
    no(&["replay", "d.trace.jsonl", "--sources", "."], &["--sources", "--sarif"]);
    no(
        &["replay", "d.trace.jsonl", "--junit", "x", "--sarif", "x"],
        &["--junit", "--sarif", "the same file"],
    );
}

/// An option that would do nothing is not passed over in silence.
#[test]
fn options_without_effect() {
    let folder = scratch();
    std::fs::write(folder.path().join("d.trace.jsonl"), sample("dalvik.trace.jsonl"))
        .expect("a scratch file");
    std::fs::write(folder.path().join("list.txt"), "a\nb\n").expect("a scratch file");
    let no = |args: &[&str], parts: &[&str]| refuses(folder.path(), args, parts);
    let reduce = |more: &[&str], parts: &[&str]| no(&[&["reduce", "d.trace.jsonl"], more].concat(), parts);
    let judge = |more: &[&str], parts: &[&str]| {
        no(&[&["reduce", "list.txt", "--to", "cmd:true"], more].concat(), parts);
    };
    let explore = |strategy: &str, more: &[&str], parts: &[&str]| {
        no(&[&["explore", "-d", "sim:notes", "--strategy", strategy], more].concat(), parts);
    };
    no(&["replay", "--suite", "s", "--out", "x"], &["--out", "--suite", "--junit"]);
    reduce(&["--timeout", "5"], &["--timeout", "cmd:"]);
    reduce(&["--parts", "5"], &["--parts", "auto", "only with ddmin"]);
    reduce(&["--parts", "5", "--search", "cdd"], &["--parts", "cdd", "only with ddmin"]);
    reduce(&["--prior", "learnt"], &["--prior", "rule auto", "K/N", "18/20"]);
    reduce(&["--prior", "p.json", "--rule", "bayes:0.9@0.95"], &["--prior", "bayes:0.9@0.95", "K/N"]);
    reduce(&["-j", "2"], &["-j", "cmd:", "--devices"]);
    reduce(&["--search", "ddmin", "--level", "full"], &["--level", "ddmin"]);
    reduce(&["--search", "cdd", "--level", "full"], &["--level", "cdd"]);
    reduce(&["--search", "belief", "--level", "full"], &["--level", "belief"]);
    reduce(&["--one-by-one"], &["--one-by-one", "auto"]);
    judge(&["--level", "full"], &["--level", "list.txt", "no states"]);
    judge(&["--device", "sim:notes"], &["--device", "cmd:"]);
    judge(&["--devices", "2"], &["--devices", "-j"]);
    judge(&["--values"], &["--values", "cmd:"]);
    for strategy in ["monkey", "aware", "random", "swifthand"] {
        explore(strategy, &["--blind"], &["--blind", strategy, "only with ms, mr and timetravel"]);
    }
    for strategy in ["random", "swifthand"] {
        explore(strategy, &["--pct-touch", "50"], &["--pct-touch", strategy]);
    }
    for strategy in ["monkey", "aware", "random", "swifthand", "ms", "mr"] {
        explore(strategy, &["--select", "own"], &["--select", strategy]);
        explore(strategy, &["--no-snapshots"], &["--no-snapshots", strategy]);
        explore(strategy, &["--timetravel", "reward=0.2"], &["--timetravel reward=0.2", strategy]);
    }
    explore("ms", &["--timetravel", "easy=0.5"], &["--timetravel easy=0.5", "mr and timetravel"]);
    for strategy in ["monkey", "aware", "random", "swifthand", "ms"] {
        explore(strategy, &["--timetravel", "published"], &["--timetravel published", "mr and timetravel"]);
    }
    let published = |more: &[&str], parts: &[&str]| {
        explore("timetravel", &[&["--timetravel", "published"], more].concat(), parts);
    };
    published(&["--timetravel", "no-progress=100"], &["published", "no-progress=100", "exclude"]);
    published(&["--timetravel", "easy=0.5"], &["published", "easy=0.5", "exclude"]);
    published(&["--blind"], &["--blind", "--timetravel published"]);
    published(&["--pct-touch", "50"], &["--pct-touch", "--timetravel published"]);
    no(&["policy", "solve", "--seed", "1"], &["--seed", "policy"]);
    no(&["device", "list", "--out", "x"], &["--out", "device list"]);
    no(&["completions", "bash", "--json"], &["--json", "completions"]);
    assert!(!folder.path().join("retap-out").exists(), "nothing was written");

    // What stands in the settings file is for all commands.
    let settings = "seed = 1\nout = 'o'\ndevice = 'sim:dalvik'\ndevices = 2\n[reduce]\ntimeout = 5\nlevel = 'full'\n\
                    search = 'ddmin'\nvalues = true\nparts = 5\nprior = 'nowhere.json'\n[explore]\nstrategy = 'random'\nblind = true\n";
    std::fs::write(folder.path().join("retap.toml"), settings).expect("a scratch file");
    for args in [
        &["device", "list"][..],
        &["explore", "--events", "5", "--out", "a"],
        &["reduce", "list.txt", "--to", "cmd:true", "--out", "b"],
        &["replay", "d.trace.jsonl", "--out", "c"],
    ] {
        let said = retap(folder.path(), args).output().expect("retap runs");
        assert!(
            matches!(said.status.code(), Some(0 | 1)),
            "{args:?}: {}",
            String::from_utf8_lossy(&said.stderr)
        );
    }
}

/// A level that the trace does not tell would be passed over by the search `auto`; a command that stands in a file
/// would never be reached on a device.
#[test]
fn what_a_trace_cannot_give() {
    let folder = scratch();
    let header = HEADER.replace("\"start\"", "\"target\":\"cmd:true\",\"start\"");
    let step = r#"{"event":{"do":"key","key":"back"}}"#;
    std::fs::write(folder.path().join("c.trace.jsonl"), format!("{header}\n{step}\n"))
        .expect("a scratch file");
    for command in ["reduce", "replay"] {
        let args = [command, "c.trace.jsonl", "--device", "sim:dalvik"];
        refuses(folder.path(), &args, &["c.trace.jsonl", "cmd:true", "typed"]);
    }
    let args = ["reduce", "c.trace.jsonl", "--to", "crash", "--level", "layout"];
    refuses(folder.path(), &args, &["--level layout", "c.trace.jsonl", "step 1"]);
}

/// What is believed before any run comes from a file or from reductions, and both may be missing or wrong.
#[test]
fn priors() {
    let folder = scratch();
    std::fs::write(folder.path().join("d.trace.jsonl"), sample("dalvik.trace.jsonl"))
        .expect("a scratch file");
    let no = |more: &[&str], parts: &[&str]| {
        refuses(folder.path(), &[&["reduce", "d.trace.jsonl", "--rule", "18/20"], more].concat(), parts);
    };
    let prior = |text: &str, parts: &[&str]| {
        std::fs::write(folder.path().join("prior.json"), text).expect("a scratch file");
        no(&["--prior", "prior.json"], &[&["prior.json"], parts].concat());
    };
    no(&["--prior", "missing.json"], &["missing.json", r#"{"p":["#]);
    prior("not JSON", &["not JSON"]);
    prior(r#"{"p":[0.1]}"#, &["'weight' is missing"]);
    prior(r#"{"p":[0.1,0.9],"weight":[0.5,0.2]}"#, &["sum to 0.7", "must sum to 1"]);
    prior(r#"{"p":[0.1,9],"weight":[0.5,0.5]}"#, &["point 2", "between 0 and 1"]);
    no(&["--prior", "learnt"], &["retap-out", "learnt:DIR"]);
    no(&["--prior", "learnt:elsewhere"], &["elsewhere", "learnt:DIR"]);
    std::fs::create_dir(folder.path().join("few")).expect("a scratch folder");
    no(&["--prior", "learnt:few"], &["few", "0 sessions", "at least 20 candidates", "18/20"]);
    let parts =
        |parts: &str| no(&["--search", "ddmin", "--parts", parts], &["--parts takes 2 to 1000", parts]);
    parts("1");
    parts("1001");
    assert!(!folder.path().join("retap-out").exists(), "nothing was written");
}

#[test]
fn policies() {
    let folder = scratch();
    let solve = |more: &[&str], parts: &[&str]| {
        refuses(folder.path(), &[&["policy", "solve", "--n", "2"], more].concat(), parts);
    };
    solve(&["--st", "21"], &["st is 21 and nr is 20"]);
    solve(&["--m", "0"], &["m is 0", "at least 1 device"]);
    let prior = folder.path().join("prior.json");
    std::fs::write(&prior, r#"{"p":[0.1,0.9],"weight":[0.5,0.2]}"#).expect("a scratch file");
    solve(&["--prior", "prior.json"], &["prior.json", "sum to 0.7", "must sum to 1"]);
}

#[test]
fn sessions_of_others() {
    let folder = scratch();
    let explore = |out: &str| {
        vec!["explore", "--device", "sim:notes", "--events", "20", "--out"]
            .into_iter()
            .chain([out])
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let refuses = |out: &str, parts: &[&str]| {
        let args = explore(out);
        refuses(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>(), parts);
    };
    let foreign = folder.path().join("foreign");
    std::fs::create_dir(&foreign).expect("a scratch folder");
    std::fs::write(foreign.join("session.db"), "diary of a stranger").expect("a scratch file");
    refuses("foreign", &["foreign"]);
    assert_eq!(std::fs::read(foreign.join("session.db")).expect("still there"), b"diary of a stranger");
    std::fs::write(folder.path().join("file"), "x").expect("a scratch file");
    refuses("file", &["file"]);

    let args = explore("mine");
    let first =
        retap(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>()).output().expect("runs");
    assert!(matches!(first.status.code(), Some(0 | 1)), "{first:?}");
    let other = ["explore", "--device", "sim:notes", "--events", "21", "--out", "mine"];
    let words = refused(&retap(folder.path(), &other).output().expect("retap runs"));
    assert!(words.contains("mine") && words.contains("events") && words.contains("--out"), "{words}");
}

/// Stdin is read where a trace is all that is needed, and refused where its file must be named.
#[test]
fn a_trace_on_stdin() {
    let folder = scratch();
    let file = folder.path().join("d.trace.jsonl");
    std::fs::write(&file, sample("dalvik.trace.jsonl")).expect("a scratch file");
    let piped = |args: &[&str]| {
        let stdin = std::fs::File::open(&file).expect("a trace");
        retap(folder.path(), args).stdin(stdin).output().expect("retap runs")
    };
    for args in [&["export", "-", "--as", "text"][..], &["show", "-"], &["diff", "-", "d.trace.jsonl"]] {
        let said = piped(args);
        assert_eq!(said.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&said.stderr));
        let text = String::from_utf8(said.stdout).expect("text");
        // Traces that are the same differ in nothing.
        assert_eq!(text.is_empty(), args[0] == "diff", "{args:?}: {text}");
        assert!(!text.contains("retap reduce -"), "{text}");
    }
    let said = piped(&["export", "-", "--as", "adb", "--out", "tests"]);
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert!(!folder.path().join("tests/-.adb.sh").exists());
    refuses(folder.path(), &["diff", "-", "-"], &["the same stdin"]);
    for args in [
        &["reduce", "-"][..],
        &["replay", "-"],
        &["suite", "-"],
        &["explore", "-d", "sim:dalvik", "--start", "-"],
    ] {
        refuses(
            folder.path(),
            args,
            &[&format!("{} takes no - for stdin", args[0]), "save the trace in a file"],
        );
    }
    refuses(folder.path(), &["reduce", "d.trace.jsonl", "--write", "-"], &["--write takes a file", "stdout"]);
    assert!(!folder.path().join("-").exists() && !folder.path().join("retap-out").exists());
}

/// Which trace of a folder is meant is asked with the traces that are there.
#[test]
fn folders_that_have_several_traces() {
    let folder = scratch();
    let run = |args: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        let said = retap(folder.path(), &args).output().expect("retap runs");
        assert!(matches!(said.status.code(), Some(0 | 1)), "{said:?}");
    };
    run("explore -q -d sim:notes --strategy aware --events 1000 --seed 7 --out night");
    run("suite -q night --out small");
    run("reduce -q night --out short");
    std::fs::create_dir(folder.path().join("empty")).expect("a scratch folder");
    let crash = "night/crashes/IllegalStateException-EditorActivity.addTag-5cd8f2da.trace.jsonl";
    let (asked, suite) = ("name a trace in it: ", "small/suite/001.trace.jsonl");
    for command in [&["export", "--as", "text"][..], &["replay"]] {
        let refuses =
            |named: &str, parts: &[&str]| refuses(folder.path(), &[command, &[named]].concat(), parts);
        refuses("night", &["night is not the folder of", &format!("{asked}{crash}")]);
        refuses("small", &["small is not the folder of", &format!("{asked}{suite}")]);
        refuses("small/suite", &["small/suite is not the folder of", &format!("{asked}{suite}")]);
        refuses("empty", &["empty is not the folder of", "name the file of a trace"]);
    }
    let reduce = |named: &str, parts: &[&str]| refuses(folder.path(), &["reduce", named], parts);
    reduce(
        "short",
        &["short is not the folder of an exploration; name a trace in it: short/reduced.trace.jsonl"],
    );
    reduce("small", &["small is not the folder of an exploration", &format!("{asked}{suite}")]);
    reduce("small/suite", &["small/suite is not the folder of an exploration", &format!("{asked}{suite}")]);
    reduce("empty", &["empty is not the folder of an exploration; name the file of a trace"]);
}

/// A small file system of our own; none where mounting is not allowed.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path, options: &str) -> Option<Self> {
        std::fs::create_dir_all(at).expect("a scratch folder");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).output();
        mounted.is_ok_and(|said| said.status.success()).then(|| Self(at.to_owned()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn read_only_and_full_folders() {
    let folder = scratch();
    let args = ["explore", "--device", "sim:notes", "--events", "3000", "--seed", "3", "--out"];
    let explore =
        |out: &str| retap(folder.path(), &[&args[..], &[out]].concat()).output().expect("retap runs");
    let Some(read_only) = Disk::mount(&folder.path().join("ro"), "ro,size=1m") else {
        skipped(
            Requirement::Mounting,
            "mounting is not allowed here, so no folder can be made full or read-only",
        );
        return;
    };
    let words = refused(&explore("ro/out"));
    assert!(words.contains("ro/out") && words.to_lowercase().contains("read-only"), "{words}");
    drop(read_only);

    let _full = Disk::mount(&folder.path().join("full"), "size=96k").expect("mounting worked before");
    let said = explore("full/out");
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    assert_eq!(said.status.code(), Some(2), "{words}");
    assert!(words.contains("full"), "{words}");
    let cut = std::fs::read_dir(folder.path().join("full/out/traces")).into_iter().flatten();
    for trace in cut.map(|entry| entry.expect("an entry").path()) {
        let name = trace.display().to_string();
        assert!(
            trace.extension().is_none_or(|ending| ending != "jsonl")
                || std::fs::read_to_string(&trace).expect("text").ends_with('\n'),
            "{name}"
        );
    }
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_the_server_for_agents_says_how_to_get_it() {
    refuses(scratch().path(), &["mcp"], &["cargo install --path crates/retap --features mcp"]);
}
