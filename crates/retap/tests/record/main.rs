//! `retap record`, as a person uses it: clicks in a real browser, and touches of a virtual phone through real adb, give the
//! same steps, and the crash that they end in is reduced.

#[path = "../android/bench.rs"]
#[allow(dead_code, reason = "the bench serves other tests too")]
mod bench;
mod browser;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use bench::{Bench, result};
use browser::Browser;
use retap_testing::{http, until};
use serde_json::Value;

/// Keys of the page, and how Linux numbers them.
const BACK: (&str, u16) = ("back", 158);

/// Ten inputs, of which four crash the notes app: what they are aimed at by name, or a key.
const INPUTS: [&str; 10] =
    ["Menu", "All notes", "Archive", "back", "Settings", "back", "New note", "Tags", "Add tag", "Done"];

/// A recording that is under way.
struct UnderWay {
    retap: Child,
    stdout: BufReader<ChildStdout>,
    trace: PathBuf,
    /// What it said at its start.
    begun: Value,
}

impl UnderWay {
    fn start(retap: &mut Command, folder: &Path) -> Self {
        let mut retap = retap
            .args(["--json", "--out"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("retap starts");
        let mut stdout = BufReader::new(retap.stdout.take().expect("piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let begun = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Self { retap, stdout, trace: folder.join("recorded.trace.jsonl"), begun }
    }

    /// The port and the path of its page.
    fn page(&self) -> (u16, String) {
        let address = self.begun["address"].as_str().expect("an address");
        let (port, path) = address
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.split_once('/'))
            .expect("this computer works");
        (port.parse().expect("this computer works"), format!("/{path}"))
    }

    /// How things are, as the page is told.
    fn state(&self) -> Value {
        let (port, path) = self.page();
        let told = http(port, "GET", &format!("{path}state?after=0"), &[], "");
        assert_eq!(told.status, 200, "{told:?}");
        serde_json::from_str(&told.body).expect("this computer works")
    }

    fn steps(&self) -> Vec<Value> {
        steps(&self.trace)
    }

    /// Waits until so many steps are on disk.
    fn wait_for(&self, count: usize) {
        until(&format!("step {count} is on disk"), || self.steps().len() >= count);
    }

    /// Ctrl-C.
    fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.retap.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Its exit code and result.
    fn end(mut self) -> (i32, Value) {
        let text = std::io::read_to_string(&mut self.stdout).expect("text");
        let status = self.retap.wait().expect("it is a child");
        let last = text.lines().last().unwrap_or_else(|| panic!("no result"));
        (status.code().unwrap_or(-1), serde_json::from_str(last).expect("JSON"))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let _ = self.retap.kill();
        let _ = self.retap.wait();
    }
}

fn steps(trace: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(trace).unwrap_or_default();
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("whole lines")).collect()
}

/// Waits until the page shows so many steps, and takes inputs again or is over.
fn wait_for_page(browser: &Browser, steps: usize) {
    let ready = format!(
        "return document.getElementById('count').textContent === '{steps}' && document.getElementById('screen').naturalWidth > 0 \
         && (!document.getElementById('end').hidden || document.body.getAttribute('aria-busy') === 'false')"
    );
    until(&format!("the page shows step {steps}"), || browser.script(&ready) == Value::Bool(true));
}

/// Where in the window a pixel of the device's screen is.
fn window_place(browser: &Browser, at: &Value) -> (i64, i64) {
    let found = browser.script(&format!(
        "const s = document.getElementById('screen'); s.scrollIntoView({{block: 'nearest'}}); const b = s.getBoundingClientRect(); \
         return [b.left + s.clientLeft + ({x} + 0.5) / state.screen[0] * s.clientWidth, \
                 b.top + s.clientTop + ({y} + 0.5) / state.screen[1] * s.clientHeight].map(Math.round)",
        x = at[0],
        y = at[1],
    ));
    (found[0].as_i64().expect("this computer works"), found[1].as_i64().expect("this computer works"))
}

/// Where the widget with this name is, as the page offers it.
fn place_of(state: &Value, name: &str) -> Value {
    let widgets = state["widgets"].as_array().expect("a list");
    let named = widgets.iter().find(|widget| widget["name"] == format!("'{name}'"));
    named.unwrap_or_else(|| panic!("no '{name}': {state}"))["at"].clone()
}

/// Clicks the ten inputs in a browser; returns the steps.
fn click_them(browser: &Browser, recording: &UnderWay) -> Vec<Value> {
    browser.open(recording.begun["address"].as_str().expect("an address"));
    wait_for_page(browser, 0);
    for (done, input) in INPUTS.iter().enumerate() {
        let (x, y) = if *input == BACK.0 {
            let middle = "const b = document.querySelector('[data-key=back]'); b.scrollIntoView({block: 'nearest'}); \
                          const r = b.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2].map(Math.round)";
            let middle = browser.script(middle);
            (
                middle[0].as_i64().expect("this computer works"),
                middle[1].as_i64().expect("this computer works"),
            )
        } else {
            window_place(browser, &place_of(&recording.state(), input))
        };
        browser.click(x, y);
        recording.wait_for(done + 1);
        wait_for_page(browser, done + 1);
    }
    recording.steps()
}

/// Touches the virtual phone where the steps were; returns the steps that were heard.
fn send_them(bench: &Bench, recording: &UnderWay, steps: &[Value]) -> Vec<Value> {
    for (done, step) in steps.iter().enumerate() {
        let event = &step["event"];
        let sent = if event["do"] == "key" {
            let key = |value| {
                format!("sendevent /dev/input/event0 1 {} {value}; sendevent /dev/input/event0 0 0 0", BACK.1)
            };
            format!("{}; {}", key(1), key(0))
        } else {
            let value =
                |place: &Value, last: i64| place.as_i64().expect("this computer works") * 32_767 / last;
            let (x, y) = (value(&event["at"][0], 1079), value(&event["at"][1], 1919));
            let touch = |lines: &[String]| {
                let all = lines.iter().map(|line| format!("sendevent /dev/input/event1 {line}; "));
                all.collect::<Vec<_>>().concat()
            };
            let down = ["3 47 0", "3 57 1", "1 330 1"].map(str::to_owned);
            let at = [format!("3 53 {x}"), format!("3 54 {y}"), "0 0 0".to_owned()];
            let up = ["3 57 -1", "1 330 0", "0 0 0"].map(str::to_owned);
            format!("{}{}{}", touch(&down), touch(&at), touch(&up))
        };
        bench.shell(&sent);
        recording.wait_for(done + 1);
    }
    recording.steps()
}

/// A step without what differs between devices: when it was, and the code that only some tell of.
fn compared(step: &Value) -> Value {
    let mut step = step.clone();
    let fields = step.as_object_mut().expect("an object");
    fields.remove("at");
    fields.remove("coverage");
    step
}

#[test]
fn ten_clicks_and_ten_touches_are_the_same_ten_steps_and_are_reduced_to_four() {
    let Some(bench) = Bench::new("notes") else { return };
    let Some(browser) = Browser::start(&bench.folder("profile")) else { return };
    let (page, phone) = (bench.folder("page"), bench.folder("phone"));
    let recording = UnderWay::start(&mut bench.retap(&["record", "--device", "sim:notes"]), &page);
    let clicked = click_them(&browser, &recording);
    assert_eq!(clicked.len(), 10, "{clicked:?}");
    let end = browser.script("return [document.getElementById('end-words').textContent, document.getElementById('end-next').textContent]");
    assert!(
        end[0]
            .as_str()
            .expect("this computer works")
            .starts_with("recorded 10 steps; the app crashed: java.lang.IllegalStateException"),
        "{end}"
    );
    assert!(end[1].as_str().expect("this computer works").contains("retap reduce "), "{end}");
    let (code, ended) = recording.end();
    assert_eq!((code, &ended["status"], &ended["steps"]), (0, &"recorded".into(), &10.into()), "{ended}");

    let recording = UnderWay::start(&mut bench.retap(&["record", "--device", &bench.spec()]), &phone);
    let touched = send_them(&bench, &recording, &clicked);
    let (code, ended) = recording.end();
    assert_eq!(
        (code, &ended["quick"], &ended["crash"]),
        (0, &0.into(), &clicked[9]["crash"]["signature"]),
        "{ended}"
    );
    assert_eq!(
        touched.iter().map(compared).collect::<Vec<_>>(),
        clicked.iter().map(compared).collect::<Vec<_>>()
    );

    for (folder, device) in [(&page, "sim:notes".to_owned()), (&phone, bench.spec())] {
        let trace = folder.join("recorded.trace.jsonl");
        let trace = trace.to_str().expect("this computer works");
        let mut reduce = bench.retap(&["reduce", trace, "--device", &device, "--json", "-q"]);
        let (reduced, code, words) = result(reduce.arg("--out").arg(folder.join("reduced")));
        assert_eq!(code, 0, "{words}");
        let words: Vec<String> = steps(&folder.join("reduced/reduced.trace.jsonl"))
            .iter()
            .map(|step| step["event"]["widget"]["text"].as_str().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(words, ["New note", "Tags", "Add tag", "Done"], "{reduced}");
    }
}

#[test]
fn everything_on_the_page_is_recorded_also_with_a_keyboard() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let Some(browser) = Browser::start(&scratch.path().join("profile")) else { return };
    let mut retap = Command::new(env!("CARGO_BIN_EXE_retap"));
    let folder = scratch.path().join("mine");
    let recording = UnderWay::start(retap.args(["record", "--device", "sim:notes"]), &folder);
    browser.open(recording.begun["address"].as_str().expect("this computer works"));
    wait_for_page(&browser, 0);
    let focus = |query: &str| browser.script(&format!("document.querySelector(\"{query}\").focus()"));
    let mut steps = 0;
    let mut done = || {
        steps += 1;
        wait_for_page(&browser, steps);
    };
    // A drag to the left on a note, by which it is archived.
    let note = place_of(&recording.state(), "Shopping list");
    let (x, y) = window_place(&browser, &note);
    let mouse =
        |kind: &str, x: i64| serde_json::json!({ "type": kind, "duration": 0, "x": x, "y": y, "button": 0 });
    browser.pointer(&[
        mouse("pointerMove", x),
        mouse("pointerDown", x),
        serde_json::json!({ "type": "pointerMove", "duration": 120, "x": x - 100, "y": y }),
        mouse("pointerUp", x),
    ]);
    done();
    // A button that is held down.
    let (x, y) = window_place(&browser, &place_of(&recording.state(), "Holiday plans"));
    browser.pointer(&[
        serde_json::json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y }),
        serde_json::json!({ "type": "pointerDown", "button": 0 }),
        serde_json::json!({ "type": "pause", "duration": 700 }),
        serde_json::json!({ "type": "pointerUp", "button": 0 }),
    ]);
    done();
    // From here on with a keyboard alone: ENTER and SPACE as WebDriver writes them.
    let (enter, space) = ("\u{e007}", "\u{e00d}");
    focus("#by-name summary");
    browser.keys(enter);
    let press = |name: &str| {
        browser.script(&format!(
            "[...document.querySelectorAll('#widgets button')].find((b) => b.textContent === \"'{name}'\").focus()"
        ));
        browser.keys(space);
    };
    press("New note");
    done();
    press("Title");
    done();
    focus("#text");
    browser.keys("<b>milk</b>");
    browser.keys(enter);
    done();
    for button in ["[data-key=back]", "[data-swipe=up]", "#rotate", "#wait"] {
        focus(button);
        browser.keys(enter);
        done();
    }
    let wide =
        "const [w, h] = state.screen; return w > h && document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.script(wide), Value::Bool(true));
    assert_eq!(browser.script("return document.querySelectorAll('#steps b').length"), 0, "text is text");
    focus("#done");
    browser.keys(enter);
    until("the page says that it is over", || {
        browser.script("return document.getElementById('end-words').textContent") == "recorded 9 steps"
    });
    let words: Vec<Value> = recording.steps().iter().map(|step| step["event"]["do"].clone()).collect();
    let (code, ended) = recording.end();
    assert_eq!((code, &ended["status"]), (0, &"recorded".into()), "{ended}");
    assert_eq!(words, ["swipe", "long_tap", "tap", "tap", "text", "key", "swipe", "rotate", "wait"]);
}

#[test]
fn whatever_ends_it_what_was_recorded_is_there() {
    let Some(mut bench) = Bench::new("notes") else { return };
    let touch = |bench: &Bench| {
        let lines = ["3 57 1", "3 53 27331", "3 54 2322", "0 0 0", "3 57 -1", "0 0 0"];
        bench.shell(&lines.map(|line| format!("sendevent /dev/input/event1 {line}")).join("; "));
    };
    let start = |bench: &Bench, name: &str| {
        UnderWay::start(&mut bench.retap(&["record", "--device", &bench.spec()]), &bench.folder(name))
    };
    // Ctrl-C before anything.
    let recording = start(&bench, "nothing");
    recording.interrupt();
    let (code, ended) = recording.end();
    assert_eq!((code, &ended["status"], &ended["trace"]), (1, &"nothing".into(), &Value::Null), "{ended}");
    // Ctrl-C after something.
    let recording = start(&bench, "something");
    touch(&bench);
    recording.wait_for(1);
    recording.interrupt();
    let (code, ended) = recording.end();
    assert_eq!((code, &ended["status"], &ended["steps"]), (0, &"recorded".into(), &1.into()), "{ended}");
    // It is killed.
    let mut recording = start(&bench, "killed");
    touch(&bench);
    recording.wait_for(1);
    recording.retap.kill().expect("this computer works");
    recording.retap.wait().expect("this computer works");
    let (shown, code, words) =
        result(&mut bench.retap(&["export", "killed/recorded.trace.jsonl", "--as", "text", "--json"]));
    assert!(
        code == 0 && shown["text"].as_str().expect("this computer works").contains("New note"),
        "{shown} {words}"
    );
    // The device dies.
    let recording = start(&bench, "failed");
    touch(&bench);
    recording.wait_for(1);
    bench.kill_device();
    let trace = recording.trace.clone();
    let (code, ended) = recording.end();
    assert_eq!((code, &ended["status"], &ended["steps"]), (2, &"cut_short".into(), &1.into()), "{ended}");
    assert!(ended["why"].is_string() && steps(&trace).len() == 1, "{ended}");
}
