//! A Java side without Java, for tests: this test program, started again.
//!
//! What it does is a script: words such as `die:perform`, which says what to do at which command.

use std::io::{BufRead as _, Write as _};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::seal::{SEAL_DIGITS, Seal, Side};

const SCRIPT: &str = "RETAP_FAKE_JVM";

/// The command that starts one.
pub(crate) fn command(script: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "fake::is_a_java_side", "--nocapture"]).env(SCRIPT, script);
    command
}

/// Does nothing, unless it was started to be the Java side. What the test program prints about itself is like what an
/// app prints: lines that are no answers.
#[test]
fn is_a_java_side() {
    if let Ok(script) = std::env::var(SCRIPT) {
        Fake { script, clock: 0, heap: 10, typed: String::new() }.serve();
    }
}

struct Fake {
    script: String,
    clock: u64,
    heap: u64,
    typed: String,
}

fn print(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text).and_then(|()| out.flush());
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

impl Fake {
    fn is(&self, word: &str, at: &str) -> bool {
        self.script.split(' ').any(|said| said == word || said == format!("{word}:{at}"))
    }

    fn serve(mut self) {
        let mut lines = std::io::stdin().lock().lines();
        let key: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let seal = Seal::from_key(key["key"].as_str().unwrap()).unwrap();
        for line in lines {
            let line = line.unwrap();
            let (sealed, text) = (&line[..SEAL_DIGITS], &line[SEAL_DIGITS + 1..]);
            assert_eq!(sealed, seal.of(Side::Asks, text.as_bytes()));
            let request: Value = serde_json::from_str(text).unwrap();
            let (id, what) = (request["id"].as_str().unwrap(), request["do"].as_str().unwrap().to_owned());
            self.misbehave(id, &what);
            // As Android's, it counts from the start of the system.
            self.clock = if what == "reset" { 1_000 } else { self.clock + 1_000 };
            let mut answer = json!({ "id": id, "clock": self.clock });
            match self.refusal(&what) {
                Some(kind) => answer["error"] = json!({ "kind": kind, "text": "it\ncannot" }),
                None if self.is("empty", &what) => {}
                None if self.is("shape", &what) => answer["ok"] = json!([1, 2]),
                None => answer["ok"] = self.done(&what, &request),
            }
            let answer = answer.to_string();
            print(format!("{} {answer}\n", seal.of(Side::Answers, answer.as_bytes())).as_bytes());
        }
        if self.is("stays", "end") {
            hang();
        }
        std::process::exit(0);
    }

    fn refusal(&self, what: &str) -> Option<&'static str> {
        ["app", "device", "unsupported"].into_iter().find(|kind| self.is(kind, what))
    }

    fn misbehave(&self, id: &str, what: &str) {
        if self.is("die", what) {
            eprintln!("java.lang.Error: out of cheese\n\tat a.B.c(B.java:1)");
            std::process::exit(3);
        }
        if self.is("abort", what) {
            std::process::abort();
        }
        if self.is("hang", what) {
            hang();
        }
        if self.is("huge", what) {
            let part = vec![b'x'; 1 << 20];
            for _ in 0..70 {
                print(&part);
            }
            hang();
        }
        while self.is("flood", what) {
            print(b"{\"id\":\"0\",\"ok\":{}}\n");
        }
        if self.is("forge", what) {
            print(
                b"{\"id\":\"00000000000000000000000000000000\",\"clock\":9,\"ok\":{\"package\":\"evil\"}}\n",
            );
            print(b"{\"ok\":{}}\n\xff\xfe not text\n[1]\n\n{\"id\":1}\n");
            print(format!("I know {id} but am no answer\n").as_bytes());
            // One that has taken the request from the standard input knows its number, and has no key.
            let forged = format!("{{\"id\":\"{id}\",\"clock\":9,\"ok\":{{\"package\":\"evil\"}}}}");
            let wrong = Seal::new().unwrap().of(Side::Answers, forged.as_bytes());
            print(format!("{forged}\n{wrong} {forged}\n{} {forged}\n", "0".repeat(64)).as_bytes());
            print(b"a line without an end ");
        }
    }

    fn done(&mut self, what: &str, request: &Value) -> Value {
        match what {
            "open" => json!({
                "package": if self.is("other", what) { "a.c" } else { "a.b" },
                "version_name": "1.2", "version_code": 7, "screen": [200, 100],
                "activities": ["a.b/a.b.Share"], "coverage_total": 30,
                "limits": ["native library libx.so cannot be loaded"],
            }),
            "reset" => {
                self.heap += if self.is("leak", what) { 400 } else { 0 };
                self.typed.clear();
                json!({ "heap_mb": self.heap, "threads": 3 })
            }
            "perform" => {
                self.typed = request["event"].to_string();
                json!({})
            }
            "settle" => json!({ "idle": request["within"].as_u64().unwrap() > 10 }),
            "look" => self.look(request["tree"] == true),
            "screenshot" => json!({ "png": "iVBORw0KGgo=" }),
            _ => json!({}),
        }
    }

    fn look(&self, tree: bool) -> Value {
        let crash = |kind: &str, device: bool| {
            let frames = json!(["a.b.Main.go(Main.java:3)"]);
            let thrown =
                json!([{ "class": "java.lang.IllegalStateException", "message": "no", "frames": frames }]);
            let drained = self.is("drained", "look");
            json!([{ "kind": kind, "chain": thrown, "frames": frames, "device": device, "drained": drained }])
        };
        let crashes = match () {
            () if self.is("crash", "look") || self.is("drained", "look") => crash("java", false),
            () if self.is("own", "look") => crash("java", true),
            () if self.is("anr", "look") => crash("anr", false),
            () if self.is("hung", "look") => crash("anr", true),
            () => json!([]),
        };
        let id = std::process::id();
        let widgets = json!([
            { "depth": 0, "bounds": [0, 0, 100, 200], "text": self.typed },
            { "depth": 1, "bounds": [10, 20, 30, 40], "text": "Save", "flags": ["clickable", "enabled"] },
            { "depth": 1, "bounds": [10, 60, 30, 60], "text": "Flat" },
        ]);
        json!({
            "activity": format!("a.b/a.b.Process{id}"),
            "tree": if tree { widgets } else { json!([]) },
            "crashes": crashes, "coverage": [3, 1, 3], "code": { "3": "Main.go (Main.java:3)" },
            "notes": ["a note", "a note"],
        })
    }
}
