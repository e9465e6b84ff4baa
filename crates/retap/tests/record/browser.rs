//! A real browser, driven as W3C WebDriver says: Chromium without a window, through its driver.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use retap_testing::{Requirement, http, skipped};
use serde_json::{Value, json};

/// A browser with one page. It ends with this.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts one whose profile is in this folder, or says why that cannot be and returns nothing.
    pub(crate) fn start(profile: &Path) -> Option<Self> {
        let found = |name: &str| {
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        if !found("chromium") || !found("chromedriver") {
            skipped(Requirement::Browser, "chromium or chromedriver not found");
            return None;
        }
        let mut driver = Command::new("chromedriver")
            .args(["--port=0", "--allowed-ips=127.0.0.1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let port = port_of(&mut driver);
        let mut browser = Self { driver, port, session: String::new() };
        let options = json!({
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                "--disable-component-update", "--disable-background-networking", "--disable-sync",
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                "--window-size=1280,1000",
                format!("--user-data-dir={}", profile.display()),
            ],
        });
        let always = json!({ "browserName": "chrome", "goog:chromeOptions": options });
        let begun = browser.ask("POST", "/session", &json!({ "capabilities": { "alwaysMatch": always } }));
        let session = begun["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {begun}"));
        session.clone_into(&mut browser.session);
        Some(browser)
    }

    pub(crate) fn open(&self, address: &str) {
        self.command("url", &json!({ "url": address }));
    }

    /// Runs a script in the page, and returns what it returns.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// A click with a mouse at this place of the window.
    pub(crate) fn click(&self, x: i64, y: i64) {
        self.pointer(&[
            json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ]);
    }

    /// What a mouse does.
    pub(crate) fn pointer(&self, actions: &[Value]) {
        let mouse = json!({
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions,
        });
        self.command("actions", &json!({ "actions": [mouse] }));
    }

    /// What a keyboard types into whatever has the focus.
    pub(crate) fn keys(&self, keys: &str) {
        let presses: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
            })
            .collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": presses });
        self.command("actions", &json!({ "actions": [keyboard] }));
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}/{name}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let told = http(self.port, method, path, &[("content-type", "application/json")], &body.to_string());
        let mut answer: Value = serde_json::from_str(&told.body).expect("JSON");
        assert_eq!(told.status, 200, "{path}: {answer}");
        answer["value"].take()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The driver ends the browser.
            let path = format!("/session/{}", self.session);
            http(self.port, "DELETE", &path, &[], "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port that the driver was given by the system.
fn port_of(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().expect("piped")).lines();
    let mut said = Vec::new();
    for line in lines.map_while(Result::ok) {
        let port = line.split("on port ").nth(1).and_then(|rest| rest.trim_end_matches('.').parse().ok());
        if let Some(port) = port.filter(|port| *port != 0) {
            return port;
        }
        said.push(line);
    }
    panic!("chromedriver does not say its port: {said:?}");
}
