//! A made-up adb server before a virtual phone with a small app.
//!
//! The phone is `retap-phone`'s, with its faults. `server` and `line` carry bytes between it and the client, and can
//! fail as adb servers do; `qemu` leads QEMU's monitor to the phone's console.

mod line;
pub(crate) mod qemu;
mod server;

use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use retap_adb::client::{Address, Client, Deadline};
use retap_phone::{Android, Phone, PhoneSettings, Server, Speed};
use retap_sim::SimDevice;

pub(crate) use server::Fault;
use server::{Shared, State};

pub(crate) const APP: &str = "com.example.counter";
/// The token of the phone's console.
pub(crate) const TOKEN: &str = "s3cret";

/// A server on a port of its own, with one phone. All ends with it.
#[derive(Debug)]
pub(crate) struct FakeServer {
    pub(crate) port: u16,
    pub(crate) console: u16,
    shared: Arc<Shared>,
    listening: Option<Server>,
    _token: tempfile::TempDir,
}

impl FakeServer {
    pub(crate) fn start(serial: &str) -> Self {
        Self::with(Some(serial), Android::ELEVEN)
    }

    /// The same with a phone that is an emulator.
    pub(crate) fn emulator() -> Self {
        Self::with(None, Android::ELEVEN)
    }

    pub(crate) fn with(serial: Option<&str>, android: Android) -> Self {
        let bind = || TcpListener::bind("127.0.0.1:0").unwrap();
        let port_of = |listener: &TcpListener| listener.local_addr().unwrap().port();
        let (listener, daemon, console) = (bind(), bind(), bind());
        let (port, console_port) = (port_of(&listener), port_of(&console));
        let token = tempfile::tempdir().unwrap();
        std::fs::write(token.path().join("token"), TOKEN).unwrap();
        let settings = PhoneSettings {
            android,
            speed: Speed::Fast,
            storage: 1 << 33,
            console_token: Some(token.path().join("token")),
            ..PhoneSettings::default()
        };
        let phone = phone(settings);
        let state = State {
            phone: phone.clone(),
            serial: serial.map_or_else(|| format!("emulator-{console_port}"), str::to_owned),
            features: "shell_v2,cmd,stat_v2,ls_v2".to_owned(),
            fault: Fault::None,
            stopped: false,
            history: Vec::new(),
            talking: Vec::new(),
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let theirs = shared.clone();
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                if theirs.state().stopped {
                    return;
                }
                let shared = theirs.clone();
                std::thread::spawn(move || drop(server::serve(socket, &shared)));
            }
        });
        let listening = Some(Server::start(&phone, daemon, Some(console)).unwrap());
        Self { port, console: console_port, shared, listening, _token: token }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(Address::local_port(self.port))
    }

    pub(crate) fn phone(&self) -> Phone {
        self.shared.state().phone.clone()
    }

    /// Another phone comes in the place of this one: as after a restart, when its clock was set back to this time.
    pub(crate) fn restart(&self, started: u64) {
        let settings = PhoneSettings { started, ..self.phone().settings().clone() };
        self.shared.state().phone = phone(settings);
    }

    /// What is wrong from now on. What is going on is cut off, unless the server only hangs.
    pub(crate) fn set(&self, fault: Fault) {
        let mut state = self.shared.state();
        state.fault = fault;
        if !matches!(fault, Fault::None | Fault::Hanging) {
            for socket in state.talking.drain(..) {
                let _ = socket.shutdown(std::net::Shutdown::Both);
            }
        }
        self.shared.changed.notify_all();
    }

    pub(crate) fn set_features(&self, features: &str) {
        features.clone_into(&mut self.shared.state().features);
    }

    /// Every command that was sent to the phone.
    pub(crate) fn history(&self) -> Vec<String> {
        self.shared.state().history.clone()
    }

    /// Whether this command was sent to the phone.
    pub(crate) fn heard(&self, command: &str) -> bool {
        self.shared.state().history.iter().any(|sent| sent == command)
    }

    /// Forgets what was sent.
    pub(crate) fn forget(&self) {
        self.shared.state().history.clear();
    }

    /// What the phone says to a command.
    pub(crate) fn says(&self, command: &str) -> String {
        let serial = self.shared.state().serial.clone();
        let deadline = Deadline::within("a question of a test", Duration::from_secs(20));
        self.client().transport(serial).shell(command, &deadline).unwrap().text()
    }

    /// Whether the screen shows this text.
    pub(crate) fn shows(&self, text: &str) -> bool {
        self.says("uiautomator dump /dev/tty").contains(&format!("text=\"{text}\""))
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.set(Fault::Absent);
        self.shared.state().stopped = true;
        self.shared.changed.notify_all();
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(listening) = self.listening.take() {
            listening.stop();
        }
    }
}

fn phone(settings: PhoneSettings) -> Phone {
    let device = SimDevice::open("sim:counter.app", &|_| Ok(include_str!("counter.app").to_owned())).unwrap();
    Phone::new(settings, device)
}

/// An app file: an archive with a manifest in it, as text, and so many bytes beside.
pub(crate) fn apk(package: &str, more: usize) -> Vec<u8> {
    let manifest = format!("<manifest package=\"{package}\" versionCode=\"3\"/>");
    let name = b"AndroidManifest.xml";
    let count = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let sizes = [[0; 4], count(manifest.len()), count(manifest.len())].concat();
    let front = b"\x14\0\0\0\0\0\0\0\0\0";
    let local =
        [b"PK\x03\x04", &front[..], &sizes, &[19, 0, 0, 0], name, manifest.as_bytes(), &vec![0; more]]
            .concat();
    let central = [b"PK\x01\x02\x14\0", &front[..], &sizes, &[19, 0], &[0; 16], name].concat();
    let places = [count(central.len()), count(local.len())].concat();
    [&local[..], &central, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &places, &[0; 2]].concat()
}
