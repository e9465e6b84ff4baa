//! A virtual device served by retap, an adb server of its own, and retap that reaches the one through the other.

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use retap_testing::{Requirement, skipped};
use serde_json::Value;

/// Nothing here takes longer than this.
const PATIENCE: Duration = Duration::from_mins(1);
/// No command takes longer than this, on the slowest computer.
pub(crate) const LONGEST: Duration = Duration::from_mins(20);

/// A device and a server. Both end with the bench.
pub(crate) struct Bench {
    device: Child,
    server: Option<Child>,
    pub(crate) server_port: u16,
    pub(crate) serial: String,
    home: tempfile::TempDir,
}

impl Bench {
    /// Serves this app, or says why that cannot be and returns nothing.
    pub(crate) fn new(app: &str) -> Option<Self> {
        let home = adb_home()?;
        let server_port = free_port();
        let server = Some(start_server(home.path(), server_port));
        let (device, serial) = serve(home.path(), server_port, app, free_console(), &["--fast"]);
        let bench = Self { device, server, server_port, serial, home };
        bench.wait_for_device();
        Some(bench)
    }

    /// A virtual machine that serves the notes app, or nothing, and the reason is said.
    pub(crate) fn machine() -> Option<Self> {
        let Some(vm) = std::env::var_os("RETAP_VM").map(PathBuf::from) else {
            skipped(Requirement::Machine, "RETAP_VM does not name a folder that scripts/vm has made");
            return None;
        };
        let home = adb_home()?;
        let server_port = free_port();
        let server = Some(start_server(home.path(), server_port));
        let disk = home.path().join("disk.qcow2");
        let made =
            Command::new("qemu-img").args(["create", "-q", "-f", "qcow2"]).arg(&disk).arg("1G").status();
        assert!(made.expect("qemu-img runs").success());
        let port = free_port();
        let forward = format!("user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:{port}-:5555");
        let device = Command::new("qemu-system-x86_64")
            .args(["-machine", "pc,accel=tcg", "-m", "160", "-nodefaults", "-no-reboot", "-display", "none"])
            .args(["-append", "quiet panic=-1", "-nic", &forward])
            .arg("-kernel")
            .arg(vm.join("vmlinuz"))
            .arg("-initrd")
            .arg(vm.join("initrd.gz"))
            .args(["-drive", &format!("if=virtio,file={}", disk.display())])
            .args(["-qmp", &format!("unix:{},server=on,wait=off", home.path().join("qmp").display())])
            .stdin(Stdio::null())
            .spawn()
            .expect("qemu starts");
        let bench = Self { device, server, server_port, serial: format!("127.0.0.1:{port}"), home };
        let began = Instant::now();
        while bench.shell("echo here") != "here" {
            assert!(began.elapsed() < 3 * PATIENCE, "the machine does not come up");
            bench.adb(&["disconnect", &bench.serial]);
            bench.adb(&["connect", &bench.serial]);
            thread::sleep(Duration::from_millis(500));
        }
        Some(bench)
    }

    /// The control socket of a virtual machine.
    pub(crate) fn qmp(&self) -> PathBuf {
        self.home.path().join("qmp")
    }

    /// The device as `--device` names it.
    pub(crate) fn spec(&self) -> String {
        format!("adb:{}?app=org.retap.notes&quiet=0", self.serial)
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// A folder for what a command saves.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A command of retap in the bench's world.
    pub(crate) fn retap(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
        world(&mut command, self.home.path(), self.server_port);
        command.args(args);
        command
    }

    pub(crate) fn adb(&self, args: &[&str]) -> Output {
        let mut command = Command::new("adb");
        world(&mut command, self.home.path(), self.server_port);
        finish(command.args(args), PATIENCE)
    }

    /// Runs a command on the device; returns what it printed.
    pub(crate) fn shell(&self, command: &str) -> String {
        self.shell_on(&self.serial, command)
    }

    /// The same on another device.
    pub(crate) fn shell_on(&self, serial: &str, command: &str) -> String {
        let said = self.adb(&["-s", serial, "shell", command]);
        String::from_utf8_lossy(&said.stdout).trim().to_owned()
    }

    /// Kills the server, by the number of its process. The next command that needs it starts it again.
    pub(crate) fn kill_server(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().expect("it is a child");
            server.wait().expect("it is a child");
        } else if let Some(process) = self.foreign_server() {
            let _ = Command::new("kill").args(["-9", &process]).status();
        }
    }

    /// The process of a server that somebody else has started on our port.
    fn foreign_server(&self) -> Option<String> {
        let port = format!("tcp:{}", self.server_port);
        let ours = |folder: &Path| {
            let words = fs::read(folder.join("cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
            words.contains(&port.as_bytes()) && words.contains(&b"fork-server".as_slice())
        };
        let processes = fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path());
        let found = processes.into_iter().find(|folder| ours(folder))?;
        Some(found.file_name()?.to_str()?.to_owned())
    }

    /// Kills the device: it is gone in the middle of whatever it did.
    pub(crate) fn kill_device(&mut self) {
        self.device.kill().expect("it is a child");
        self.device.wait().expect("it is a child");
    }

    /// Stops the device where it is: it is still connected, and answers no more.
    pub(crate) fn freeze_device(&mut self) {
        let stopped = Command::new("kill").args(["-STOP", &self.device.id().to_string()]).status();
        assert!(stopped.expect("kill runs").success());
    }

    /// Serves an app where the device was that is gone, under the same name.
    pub(crate) fn serve_again(&mut self, app: &str) {
        let console = self.serial.strip_prefix("emulator-").and_then(|port| port.parse().ok());
        let console = console.expect("the name of an emulator");
        let (device, serial) = serve(self.home.path(), self.server_port, app, console, &["--fast"]);
        assert_eq!(serial, self.serial);
        self.device = device;
        self.wait_for_device();
    }

    pub(crate) fn wait_for_device(&self) {
        self.wait_for(&self.serial);
    }

    fn wait_for(&self, serial: &str) {
        let began = Instant::now();
        while self.shell_on(serial, "echo here") != "here" {
            assert!(began.elapsed() < PATIENCE, "waited too long for {serial}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// One more device of the same server, on which time passes as in the world.
    pub(crate) fn another(&self, app: &str) -> Another {
        let (device, serial) = serve(self.home.path(), self.server_port, app, free_console(), &[]);
        self.wait_for(&serial);
        Another { device, serial }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.device.kill();
        let _ = self.device.wait();
        self.kill_server();
    }
}

/// A device beside that of the bench.
pub(crate) struct Another {
    device: Child,
    pub(crate) serial: String,
}

impl Drop for Another {
    fn drop(&mut self) {
        let _ = self.device.kill();
        let _ = self.device.wait();
    }
}

/// Runs a command to its end. One that does not end is killed, and fails the test.
pub(crate) fn finish(command: &mut Command, within: Duration) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    finish_child(child, within)
}

/// The same for a command that was started before, with its outputs piped.
pub(crate) fn finish_child(mut child: Child, within: Duration) -> Output {
    fn reader(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read until it broke is what there is.
            let _ = from.map(|mut from| from.read_to_end(&mut bytes));
            bytes
        })
    }
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let began = Instant::now();
    let status = loop {
        match child.try_wait().expect("it is a child") {
            Some(status) => break status,
            None if began.elapsed() > within => {
                child.kill().expect("it is a child");
                child.wait().expect("it is a child");
                let words = err.join().expect("a reader");
                panic!("it does not end within {within:?}: {}", String::from_utf8_lossy(&words));
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    Output { status, stdout: out.join().expect("a reader"), stderr: err.join().expect("a reader") }
}

/// What a command of retap has said last, as JSON, and how it ended.
pub(crate) fn result(command: &mut Command) -> (Value, i32, String) {
    let said = finish(command, LONGEST);
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    let text = String::from_utf8_lossy(&said.stdout);
    let last = text.lines().last().unwrap_or_else(|| panic!("nothing on stdout: {words}"));
    (serde_json::from_str(last).expect("JSON"), said.status.code().unwrap_or(-1), words)
}

/// A home of its own, or nothing where there is no adb.
fn adb_home() -> Option<tempfile::TempDir> {
    if Command::new("adb").arg("version").stdout(Stdio::null()).status().is_err() {
        skipped(Requirement::Adb, "adb not found");
        return None;
    }
    Some(tempfile::tempdir().expect("a folder"))
}

fn world(command: &mut Command, home: &Path, server_port: u16) {
    command
        .env("HOME", home)
        .env_remove("XDG_STATE_HOME")
        .env_remove("ANDROID_SERIAL")
        .env("ANDROID_ADB_SERVER_PORT", server_port.to_string())
        .env("ADB_MDNS", "0")
        .current_dir(home)
        .stdin(Stdio::null());
}

/// Starts a device that runs this app, with its console at this port and its daemon at the next one. The server knows
/// of it. Returns its name too.
fn serve(home: &Path, server_port: u16, app: &str, console: u16, pace: &[&str]) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    world(&mut command, home, server_port);
    let mut device = command
        .args(["device", "serve", "--json", "-q", "--app", app])
        .args(pace)
        .args(["--port", &(console + 1).to_string(), "--console", &console.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("retap starts");
    let mut line = String::new();
    BufReader::new(device.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let said: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(said["announced"], true, "{said}");
    (device, said["serial"].as_str().expect("a text").to_owned())
}

fn start_server(home: &Path, port: u16) -> Child {
    let mut command = Command::new("adb");
    world(&mut command, home, port);
    let log = fs::File::create(home.join("adb-server.log")).expect("a file");
    let server = command
        .args(["-P", &port.to_string(), "server", "nodaemon"])
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("an adb server");
    let began = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(began.elapsed() < PATIENCE, "waited too long for the adb server");
        thread::sleep(Duration::from_millis(20));
    }
    server
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("it has an address").port()
}

/// The port of a console: even and free, as is the next one, which is the daemon's.
fn free_console() -> u16 {
    let free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    let console = || Some(free_port() & !1).filter(|port| free(*port) && free(*port + 1));
    (0..1000).find_map(|_| console()).expect("there are free ports")
}
