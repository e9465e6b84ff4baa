//! A bench for tests with real tools: a phone, and an adb server of its own. Everything ends with the bench.

use std::fs;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use retap_phone::{Phone, PhoneSettings, Server};
use retap_sim::SimDevice;
use retap_testing::{Requirement, skipped};

/// No call of a tool takes longer than this.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

static BENCHES: AtomicU32 = AtomicU32::new(0);

/// A phone and a server.
pub(crate) struct Bench {
    adb: Child,
    server: Option<Server>,
    pub(crate) server_port: u16,
    /// The phone's console port; the one above is the daemon's.
    pub(crate) console_port: u16,
    pub(crate) folder: PathBuf,
}

/// What a program has said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).replace("\r\n", "\n")
    }
}

impl Bench {
    /// Sets everything up, or says why it cannot and returns nothing.
    pub(crate) fn new(settings: PhoneSettings) -> Option<Self> {
        if Command::new("adb").arg("version").stdout(Stdio::null()).status().is_err() {
            skipped(Requirement::Adb, "adb not found");
            return None;
        }
        let number = BENCHES.fetch_add(1, Ordering::Relaxed);
        let name = format!("phone-{}-{number}", std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder for the bench");
        fs::write(folder.join(".emulator_console_auth_token"), "secret").expect("a token");
        let (console, daemon) = port_pair();
        let console_port = console.local_addr().expect("a console port").port();
        let token = Some(folder.join(".emulator_console_auth_token"));
        let device = SimDevice::open("sim:notes", &|_| Err(String::new())).expect("the notes app");
        let server_port = free_port();
        // Port 0 stands for the bench's own server, which is not known before.
        let adb_server = settings.adb_server.map(|_| (Ipv4Addr::LOCALHOST, server_port).into());
        let phone = Phone::new(PhoneSettings { console_token: token, adb_server, ..settings }, device);
        let server = Server::start(&phone, daemon, Some(console)).expect("a server");
        let adb = Command::new("adb")
            .args(["-P", &server_port.to_string(), "server", "nodaemon"])
            .env("HOME", &folder)
            .env("ANDROID_ADB_SERVER_PORT", server_port.to_string())
            .env("ADB_MDNS", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("an adb server");
        let bench = Self { adb, server: Some(server), server_port, console_port, folder };
        until("the adb server listens", || TcpStream::connect((Ipv4Addr::LOCALHOST, server_port)).is_ok());
        Some(bench)
    }

    pub(crate) fn phone(&self) -> &Phone {
        self.server.as_ref().expect("it serves until the bench ends").phone()
    }

    /// The phone's serial when it was connected over TCP.
    pub(crate) fn serial(&self) -> String {
        format!("127.0.0.1:{}", self.console_port + 1)
    }

    /// Connects the phone over TCP.
    pub(crate) fn connect(&self) {
        let said = self.adb(&["connect", &self.serial()]);
        assert!(said.text().contains("connected to"), "{said:?}");
        self.wait_for(&self.serial());
    }

    /// Waits until the phone has introduced itself as an emulator. Returns its serial.
    pub(crate) fn emulator(&self) -> String {
        let serial = format!("emulator-{}", self.console_port);
        self.wait_for(&serial);
        serial
    }

    pub(crate) fn wait_for(&self, serial: &str) {
        until("the phone is listed", || {
            let devices = self.adb(&["devices"]).text();
            devices.lines().any(|line| line == format!("{serial}\tdevice"))
        });
    }

    /// Runs adb against the bench's own server.
    pub(crate) fn adb(&self, args: &[&str]) -> Said {
        self.adb_with(args, Stdio::null())
    }

    /// Runs adb on the phone.
    pub(crate) fn on(&self, serial: &str, args: &[&str]) -> Said {
        self.adb(&[&["-s", serial], args].concat())
    }

    pub(crate) fn adb_with(&self, args: &[&str], input: Stdio) -> Said {
        let mut command = Command::new("adb");
        command.args(args).stdin(input);
        self.run(&mut command)
    }

    /// Runs a program in the bench's world, and waits for it.
    pub(crate) fn run(&self, command: &mut Command) -> Said {
        let mut child = command
            .env("HOME", &self.folder)
            .env("ANDROID_ADB_SERVER_PORT", self.server_port.to_string())
            .current_dir(&self.folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it was found before");
        let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let out = thread::spawn(move || {
            let mut bytes = Vec::new();
            out.read_to_end(&mut bytes).map(|_| bytes).unwrap_or_default()
        });
        let err = thread::spawn(move || {
            let mut text = Vec::new();
            err.read_to_end(&mut text)
                .map(|_| String::from_utf8_lossy(&text).into_owned())
                .unwrap_or_default()
        });
        let began = Instant::now();
        let status = loop {
            match child.try_wait().expect("it is a child") {
                Some(status) => break status.code().unwrap_or(-1),
                None if began.elapsed() > PATIENCE => {
                    child.kill().expect("it is a child");
                    let _ = child.wait();
                    panic!("{command:?} does not end");
                }
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        Said { status, out: out.join().expect("a reader"), err: err.join().expect("a reader") }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
        let _ = self.adb.kill();
        let _ = self.adb.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "waited too long until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("it has an address").port()
}

/// Two free ports, one above the other, the lower one even.
fn port_pair() -> (TcpListener, TcpListener) {
    let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok();
    let mut ports =
        (20_000 + u16::try_from(std::process::id() % 10_000).expect("small") / 2 * 2..60_000).step_by(2);
    ports.find_map(|port| Some((bind(port)?, bind(port + 1)?))).expect("there are free ports")
}
