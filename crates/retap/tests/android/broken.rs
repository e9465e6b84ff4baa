//! A device that breaks at every event, and a device that is gone in the middle: the command ends with 2 and says which
//! device it was and what is wrong with it, and nothing that was recorded is lost.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use retap_store::SessionView;
use retap_testing::until;
use serde_json::Value;

use crate::bench::{Bench, LONGEST, finish, finish_child};

/// A command that has recorded as much is at work on the device.
const AT_WORK: u64 = 12;

/// Stands between retap and the adb server, and cuts every connection over which a finger is put on the screen.
struct Cutter {
    port: u16,
    cuts: Arc<AtomicUsize>,
}

impl Cutter {
    fn start(server_port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("it has an address").port();
        let cuts = Arc::new(AtomicUsize::new(0));
        let count = cuts.clone();
        // Its threads end with the test.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server_port)) else { continue };
                let (back, count) = (pair(&server, &client), count.clone());
                thread::spawn(move || pass_on(back.0, back.1, |_| false));
                thread::spawn(move || {
                    pass_on(client, server, |bytes| {
                        let cut =
                            [&b"input tap"[..], b"input swipe"].iter().any(|event| contains(bytes, event));
                        count.fetch_add(usize::from(cut), Ordering::SeqCst);
                        cut
                    })
                });
            }
        });
        Self { port, cuts }
    }
}

fn pair(one: &TcpStream, other: &TcpStream) -> (TcpStream, TcpStream) {
    let again = |stream: &TcpStream| stream.try_clone().expect("another handle");
    (again(one), again(other))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Hands on what comes until one side ends it, or until something comes that is not handed on. Both sides end with it.
fn pass_on(mut from: TcpStream, mut to: TcpStream, cut: impl Fn(&[u8]) -> bool) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = from.read(&mut buffer).unwrap_or(0);
        if count == 0 || cut(&buffer[..count]) || to.write_all(&buffer[..count]).is_err() {
            // One that is closed already need not be closed.
            let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
            return Ok(());
        }
    }
}

fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("retap starts")
}

/// Waits until a command that saves to this folder is at work.
fn at_work(child: &mut Child, out: &Path) {
    let recorded = || SessionView::open(out).and_then(|view| view.last_seq()).map_or(0, |last| last.0);
    until("the command is at work", || recorded() >= AT_WORK);
    assert!(child.try_wait().expect("it is a child").is_none(), "it has ended by itself");
}

fn words(said: &Output) -> String {
    String::from_utf8_lossy(&said.stderr).into_owned()
}

fn result(said: &Output) -> Value {
    let text = String::from_utf8_lossy(&said.stdout);
    let last = text.lines().last().unwrap_or_else(|| panic!("nothing on stdout: {}", words(said)));
    serde_json::from_str(last).expect("JSON")
}

/// It was cut short: the exit code, the result, and one line that says which device it was and why.
fn cut_short(said: &Output, bench: &Bench) -> Value {
    let words = words(said);
    assert_eq!(
        (said.status.code(), &result(said)["status"]),
        (Some(2), &Value::from("cut_short")),
        "{words}"
    );
    let why = words.lines().find(|line| line.contains("cut short")).unwrap_or_else(|| panic!("{words}"));
    assert!(why.contains(&format!("adb:{}", bench.serial)) && why.contains("is offline"), "{words}");
    assert!(words.contains("go on with\n  retap "), "{words}");
    result(said)
}

/// Steps in all traces of an exploration.
fn steps(out: &Path) -> usize {
    let files = std::fs::read_dir(out.join("traces")).expect("traces");
    let texts = files.map(|file| std::fs::read_to_string(file.expect("an entry").path()).expect("a trace"));
    texts.map(|text| text.lines().count() - 1).sum()
}

#[test]
fn a_device_that_breaks_at_every_event_ends_an_exploration() {
    let Some(bench) = Bench::new("notes") else { return };
    let cutter = Cutter::start(bench.server_port);
    let mut command = bench.retap(&["explore", "--strategy", "monkey", "--pct-touch", "100", "--json"]);
    command.args(["--events", "50", "--device", &bench.spec()]).arg("--out").arg(bench.folder("night"));
    command.env("ANDROID_ADB_SERVER_PORT", cutter.port.to_string());
    let said = finish(&mut command, LONGEST);
    let result = cut_short(&said, &bench);
    let given_up = format!("warning: device 0 was given up: device adb:{} is offline", bench.serial);
    assert!(words(&said).contains(&given_up), "{}", words(&said));
    // It was started well each time, and that did not count for it.
    let cuts = cutter.cuts.load(Ordering::SeqCst);
    assert!(cuts > 5, "{cuts} events were tried: {}", words(&said));
    assert_eq!((&result["events"], result["segments"].as_u64()), (&Value::from(0), Some(cuts as u64)));
    assert_eq!(bench.shell("echo here"), "here", "there was nothing wrong with it but for that");
}

#[test]
fn a_device_that_is_gone_ends_an_exploration_which_goes_on_when_it_is_back() {
    let Some(mut bench) = Bench::new("notes") else { return };
    let out = bench.folder("night");
    let explore = |bench: &Bench| {
        let mut command = bench.retap(&["explore", "--strategy", "monkey", "--pct-touch", "100", "--json"]);
        command.args(["--events", "150", "--device", &bench.spec()]).arg("--out").arg(&out);
        command
    };
    let mut child = start(explore(&bench));
    at_work(&mut child, &out);
    bench.kill_device();
    let before = cut_short(&finish_child(child, LONGEST), &bench);
    assert_eq!(before["events"].as_u64(), Some(steps(&out) as u64), "{before}");

    bench.serve_again("notes");
    let said = finish(&mut explore(&bench), LONGEST);
    let after = result(&said);
    let crashed = after["crashes"].as_array().is_some_and(|crashes| !crashes.is_empty());
    assert_eq!(said.status.code(), Some(i32::from(crashed)), "{}", words(&said));
    assert_eq!((after["status"].as_str(), steps(&out)), (Some("done"), 150), "{}", words(&said));
    let going_on = format!("going on after {} recorded event", before["events"]);
    assert!(words(&said).contains(&going_on), "{}", words(&said));
}

/// The four taps to the crash of a new note, with pauses between them.
fn long_way() -> String {
    let head = r#"{"retap":"trace","version":1,"app":{"package":"org.retap.notes"},"start":"launched"}"#;
    let mut lines = vec![head.to_owned()];
    for button in ["New note", "Tags", "Add tag", "Done"] {
        let widget = format!(r#"{{"text":"{button}"}}"#);
        lines.push(format!(r#"{{"event":{{"do":"tap","at":[540,200],"widget":{widget},"by":"widget"}}}}"#));
        lines.extend(vec![r#"{"event":{"do":"wait","time":100000}}"#.to_owned(); 3]);
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_device_that_is_gone_ends_a_reduction_which_goes_on_when_it_is_back() {
    let Some(mut bench) = Bench::new("notes") else { return };
    let (out, trace) = (bench.folder("short"), bench.folder("long.trace.jsonl"));
    std::fs::write(&trace, long_way()).expect("a file");
    let reduce = |bench: &Bench| {
        let mut command = bench.retap(&["reduce", "--to", "crash", "--confirm", "10", "--json"]);
        command.args(["--device", &bench.spec()]).arg("--out").arg(&out).arg(&trace);
        command
    };
    let mut child = start(reduce(&bench));
    at_work(&mut child, &out);
    bench.kill_device();
    let before = cut_short(&finish_child(child, LONGEST), &bench);
    assert!(before["runs_inconclusive"].as_u64() > Some(5), "{before}");

    bench.serve_again("notes");
    let said = finish(&mut reduce(&bench), LONGEST);
    assert_eq!(said.status.code(), Some(0), "{}", words(&said));
    let after = result(&said);
    assert_eq!(
        (&after["status"], &after["events_after"]),
        (&Value::from("reduced"), &Value::from(4)),
        "{after}"
    );
    assert!(words(&said).contains("going on after "), "{}", words(&said));
}

/// It is told from the log again when it is resumed, and nothing is run.
#[test]
fn an_app_that_crashes_when_it_starts_ends_an_exploration() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let app = folder.path().join("dead.app");
    let text = "app dead \"Dead\"\npackage org.retap.notes\non start\n  \
                crash java.lang.IllegalStateException \"no\"\nactivity MainActivity\n  screen main \"Main\"\n";
    std::fs::write(&app, text).expect("a scratch file");
    let Some(bench) = Bench::new(&app.display().to_string()) else { return };
    let (out, spec) = (bench.folder("night"), bench.spec());
    let explore = |args: &[&str]| {
        let said = finish(bench.retap(&["explore", "--json"]).args(args), LONGEST);
        assert_eq!(said.status.code(), Some(1), "{}", words(&said));
        result(&said)
    };
    let out = out.to_str().expect("plain");
    let first = explore(&["--strategy", "timetravel", "--events", "50", "--device", &spec, "--out", out]);
    assert!(first["why"].as_str().is_some_and(|why| why.contains("in 20 of 20 launches")), "{first}");
    assert_eq!((&first["crashes"][0]["seen"], &first["events"]), (&Value::from(20), &Value::from(0)));
    assert_eq!(explore(&["--resume", out]), first);
}
