//! The oracle as tools meet it, a process, and a whole benchmark with a stand-in for retap.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const MODEL: &str = "{\"seed\":5,\"lost\":0.0,\"dialog\":0.5,\"rate\":1.0,\"needed\":false}\n\
                     0\t1 LaunchActivity(a, b)\n0\t2 Tap(1.0, 1.0, 0)\n0\t3 Tap(2.0, 2.0, 0)\n1\t4 Tap(3.0, 3.0, 0)\n";

fn bench() -> Command {
    Command::new(env!("CARGO_BIN_EXE_retap-bench"))
}

/// Judges a candidate, and says how that ended.
fn judge(folder: &Path, candidate: &str, goal: Option<&str>) -> Option<i32> {
    let file = folder.join("candidate.txt");
    std::fs::write(&file, candidate).unwrap();
    let mut oracle = bench();
    oracle.arg("oracle").arg(folder.join("model.txt")).arg(&file).env_remove("RETAP_GOAL");
    if let Some(goal) = goal {
        oracle.env("RETAP_GOAL", goal);
    }
    oracle.status().unwrap().code()
}

fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("model.log")).unwrap_or_default()
}

#[test]
fn the_oracle_says_it_by_its_exit_code_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("model.txt"), MODEL.replace("0.5", "0.0")).unwrap();
    let [launch, tap, on, last] =
        ["1 LaunchActivity(a, b)", "2 Tap(1.0, 1.0, 0)", "3 Tap(2.0, 2.0, 0)", "4 Tap(3.0, 3.0, 0)"];
    assert_eq!(judge(folder, &format!("{launch}\n{on}\n{last}\n{tap}\n"), None), Some(0));
    assert_eq!(judge(folder, &format!("{launch}\n{tap}\n{last}"), None), Some(1));
    assert_eq!(
        judge(folder, &format!("{launch}\n{on} \n{last}"), None),
        Some(1),
        "a changed line does nothing"
    );
    assert_eq!(judge(folder, "", None), Some(1));
    assert_eq!(judge(folder, &format!("{launch}\n{on}"), Some("arrive:4")), Some(0));
    assert_eq!(judge(folder, &format!("{launch}\n{tap}"), Some("arrive:4")), Some(1));
    assert_eq!(judge(folder, &format!("{launch}\n{on}"), Some("target")), Some(1));
    let executed: Vec<(String, String)> = log(folder)
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(outcome, executed)| (outcome.to_owned(), executed.trim().to_owned()))
        .collect();
    let expected = [("1", "3"), ("0", "3"), ("0", "3"), ("0", "0"), ("1", "2"), ("0", "2"), ("0", "2")];
    assert_eq!(executed, expected.map(|(outcome, executed)| (outcome.to_owned(), executed.to_owned())));
}

#[test]
fn the_same_job_has_the_same_chance_and_its_runs_do_not() {
    let candidate = "1 LaunchActivity(a, b)\n3 Tap(2.0, 2.0, 0)\n4 Tap(3.0, 3.0, 0)\n";
    let logs = [(); 2].map(|()| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("model.txt"), MODEL).unwrap();
        let ends: Vec<_> = (0..24).map(|_| judge(folder.path(), candidate, None)).collect();
        assert!(ends.contains(&Some(0)) && ends.contains(&Some(1)), "{ends:?}");
        log(folder.path())
    });
    assert_eq!(logs[0], logs[1]);
}

#[test]
fn an_oracle_that_cannot_judge_says_neither_yes_nor_no() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.txt"), "no model\n").unwrap();
    assert_eq!(judge(folder.path(), "1\n", None), Some(2));
    assert!(folder.path().join("model.fault").exists());
    assert_eq!(log(folder.path()), "");
}

/// A stand-in for retap: it asks once about the whole list, keeps its first, third and last line, and counts itself.
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "retap 9.9"; exit 0; fi
list=$2
while [ $# -gt 0 ]; do
    case $1 in
        --to) to=${2#cmd:} ;;
        --write) write=$2 ;;
    esac
    shift
done
echo once >> "$COUNT"
sh -c "$to" sh "$list" || exit 1
sed -n '1p;3p;$p' "$list" > "$write"
"#;

fn data(folder: &Path) {
    let trace = folder.join("traces/App/1");
    std::fs::create_dir_all(&trace).unwrap();
    std::fs::write(
        folder.join("hierarchy_parents.csv"),
        "trace_no,repo_dir,no_in_subject,events,parents\n7,App,1,4,0 1 1 1\n",
    )
    .unwrap();
    let script = "# Start Script\ntype= user\ncount= 10\nspeed= 1.0\nstart data >>\nLaunchActivity(a, A)\n\
                  Tap(1.0, 1.0, 0)\nTap(2.0, 2.0, 0)\nTap(3.0, 3.0, 0)\n";
    std::fs::write(trace.join("script.log"), script).unwrap();
    let event =
        |activity: &str| format!("1;MonkeyTouchEvent;a;{activity};1\n2;MonkeyThrottleEvent;a;{activity};1\n");
    let execute = ["A", "A", "A"].map(event).concat() + "// CRASH: // a;b;c;d\n" + &event("B");
    std::fs::write(trace.join("execute.log"), execute).unwrap();
}

#[test]
fn a_benchmark_counts_by_itself_and_goes_on_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let (count, retap) = (folder.path().join("count"), folder.path().join("retap"));
    data(folder.path());
    std::fs::write(&retap, STAND_IN).unwrap();
    std::fs::set_permissions(&retap, std::fs::Permissions::from_mode(0o755)).unwrap();
    let peers = |more: &[&str]| -> (String, String) {
        let mut peers = bench();
        peers
            .args(["peers", "--only", "cdd", "--variants", "V0,V1", "--seeds", "2", "--data"])
            .arg(folder.path());
        peers.arg("--retap").arg(&retap).arg("--results").arg(folder.path().join("results"));
        let Output { status, stdout, stderr } = peers.env("COUNT", &count).args(more).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(status.success(), "{stderr}");
        (String::from_utf8(stdout).unwrap(), stderr)
    };
    let counted = || std::fs::read_to_string(&count).map_or(0, |text| text.lines().count());

    let (nothing, _) = peers(&["--kept"]);
    assert!(nothing.contains("0 of 3 reductions are finished") && counted() == 0, "{nothing}");
    let (first, said) = peers(&[]);
    assert_eq!(counted(), 3, "{said}");
    let row = first.lines().find(|line| line.starts_with("cdd")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["cdd", "3.00", "1", "4", "1.000", "1.000", "0", "1"]
    );
    assert!(first.contains("0.980"), "{first}");
    let line: serde_json::Value = serde_json::from_str(first.lines().last().unwrap()).unwrap();
    assert_eq!(line["groups"][1]["rows"][0]["jobs"], 2);
    assert_eq!(line["versions"]["cdd"][0], "9.9");

    let (second, _) = peers(&[]);
    assert_eq!((counted(), &second), (3, &first), "what is kept is not done again");
    peers(&["--again", "cdd"]);
    assert_eq!(counted(), 6);
}
