//! How fast is a device behind real adb, in our hands and in those of adbutils?
//!
//! The device is the virtual one, without waits of its own, so what is measured is the way to it: client, adb server,
//! daemon, shell. Both do the same taps, and the same looks: the GUI tree, and what is in front.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use retap_adb::client::{Address, Client};
use retap_adb::{AdbDevice, AdbOptions};
use retap_device::{Device, Look};
use retap_phone::{Phone, PhoneSettings, Server, Speed, announce};
use retap_sim::SimDevice;
use retap_trace::{Event, Micros, Seed};
use serde::{Deserialize, Serialize};

use crate::table;

#[derive(Debug, Args)]
pub(crate) struct AdbArgs {
    /// Events of each measurement
    #[arg(long, default_value_t = 1000)]
    events: u32,
    /// Looks of each measurement
    #[arg(long, default_value_t = 200)]
    looks: u32,
    /// A Python that has adbutils [default: a new environment, filled with pip]
    #[arg(long)]
    python: Option<PathBuf>,
}

/// What one client managed in a second.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Rates {
    events_per_second: f64,
    looks_per_second: f64,
}

#[derive(Debug, Serialize)]
struct AdbResult {
    bench: &'static str,
    adb: String,
    events: u32,
    looks: u32,
    retap: Rates,
    /// None where adbutils could not be had.
    adbutils: Option<Rates>,
}

const ADBUTILS: &str = "adbutils==2.12.0";
const APP: &str = "org.retap.notes";
const WITHIN: Micros = Micros::from_secs(60);
/// A tap on the screen of the notes app that leads nowhere.
const TAP: (i32, i32) = (540, 1700);

/// One that opens the editor.
const NEW_NOTE: (i32, i32) = (900, 136);

pub(crate) fn run(args: &AdbArgs) -> anyhow::Result<()> {
    let lab = AdbLab::open()?;
    let retap = lab.ours(args)?;
    let adbutils = match lab.python(args.python.as_deref()) {
        Ok(python) => Some(lab.theirs(&python, args)?),
        Err(error) => {
            table::say(&format!("skipped: adbutils ({error:#})"));
            None
        }
    };
    let row = |what: &str, ours: f64, theirs: Option<f64>, goal: &str| {
        let theirs_text = theirs.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}"));
        let ratio = theirs.map_or_else(|| "-".to_owned(), |rate| format!("{:.1}x", ours / rate));
        vec![what.to_owned(), format!("{ours:.0}"), theirs_text, ratio, goal.to_owned()]
    };
    let (events, looks) =
        (adbutils.map(|rates| rates.events_per_second), adbutils.map(|rates| rates.looks_per_second));
    table::print(
        &["virtual device through real adb", "retap", "adbutils", "ratio", "goal"],
        &[
            row("events/s", retap.events_per_second, events, "2x"),
            row("looks/s, tree and activity", retap.looks_per_second, looks, ""),
        ],
    );
    let (events, looks) = (args.events, args.looks);
    table::json(&AdbResult { bench: "adb", adb: lab.version.clone(), events, looks, retap, adbutils })
}

/// A phone, and an adb server of its own that knows it. Both end with the lab.
pub(crate) struct AdbLab {
    phone: Option<Server>,
    adb: Child,
    version: String,
    server_port: u16,
    serial: String,
    folder: PathBuf,
}

impl AdbLab {
    pub(crate) fn open() -> anyhow::Result<Self> {
        let said =
            Command::new("adb").arg("version").output().context("adb is needed (Debian: apt install adb)")?;
        let version = String::from_utf8_lossy(&said.stdout).lines().take(2).collect::<Vec<_>>().join(", ");
        let folder = std::env::temp_dir().join(format!("retap-bench-adb-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let (console, daemon) = port_pair()?;
        let (console_port, port) = (console.local_addr()?.port(), daemon.local_addr()?.port());
        let settings = PhoneSettings { speed: Speed::Fast, ..PhoneSettings::default() };
        let phone = Phone::new(settings, SimDevice::open("sim:notes", &|_| Err(String::new()))?);
        let phone = Some(Server::start(&phone, daemon, Some(console))?);
        let server_port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let adb = Command::new("adb")
            .args(["-P", &server_port.to_string(), "server", "nodaemon"])
            .env("HOME", &folder)
            .env("ADB_MDNS", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let serial = format!("emulator-{console_port}");
        let lab = Self { phone, adb, version, server_port, serial, folder };
        until(|| TcpStream::connect((Ipv4Addr::LOCALHOST, server_port)).is_ok())?;
        announce((Ipv4Addr::LOCALHOST, server_port).into(), port)?;
        until(|| lab.open_device().is_ok())?;
        Ok(lab)
    }

    pub(crate) fn open_device(&self) -> anyhow::Result<AdbDevice> {
        let client = Client::new(Address::Tcp { host: "127.0.0.1".to_owned(), port: self.server_port });
        let spec = format!("adb:{}?app={APP}", self.serial).parse()?;
        Ok(AdbDevice::open(&client, &spec, &AdbOptions::default(), Duration::from_mins(1))?)
    }

    fn ours(&self, args: &AdbArgs) -> anyhow::Result<Rates> {
        let mut device = self.open_device()?;
        device.reset(Seed(1), WITHIN)?;
        device.perform(&Event::Launch, WITHIN)?;
        let tap = Event::tap(TAP.0, TAP.1);
        let events_per_second = rate(args.events, || Ok(device.perform(&tap, WITHIN)?))?;
        // Whether taps arrive is told by one that leads somewhere.
        device.perform(&Event::tap(NEW_NOTE.0, NEW_NOTE.1), WITHIN)?;
        let front = device.observe(Look::Activity, WITHIN)?.activity;
        ensure!(front.ends_with("EditorActivity"), "taps do not arrive: {front} is in front");
        let looks_per_second = rate(args.looks, || {
            let seen = device.observe(Look::Tree, WITHIN)?;
            ensure!(&*seen.package == APP, "{} is in front", seen.package);
            Ok(())
        })?;
        Ok(Rates { events_per_second, looks_per_second })
    }

    /// The Python with adbutils.
    fn python(&self, given: Option<&Path>) -> anyhow::Result<PathBuf> {
        if let Some(python) = given {
            return Ok(python.to_owned());
        }
        let folder = self.folder.join("venv");
        let python = folder.join("bin/python");
        quietly(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        quietly(Command::new(&python).args(["-m", "pip", "install", "--quiet", ADBUTILS]))?;
        Ok(python)
    }

    fn theirs(&self, python: &Path, args: &AdbArgs) -> anyhow::Result<Rates> {
        let script = self.folder.join("bench.py");
        fs::write(&script, include_str!("adb.py"))?;
        let said = Command::new(python)
            .arg(&script)
            .args([self.server_port.to_string(), self.serial.clone(), APP.to_owned()])
            .args([args.events.to_string(), args.looks.to_string(), TAP.0.to_string(), TAP.1.to_string()])
            .args([NEW_NOTE.0.to_string(), NEW_NOTE.1.to_string()])
            .output()?;
        ensure!(said.status.success(), "adbutils failed: {}", String::from_utf8_lossy(&said.stderr));
        Ok(serde_json::from_slice(&said.stdout)?)
    }
}

impl Drop for AdbLab {
    fn drop(&mut self) {
        if let Some(phone) = self.phone.take() {
            phone.stop();
        }
        let _ = self.adb.kill();
        let _ = self.adb.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn rate(times: u32, mut act: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let began = Instant::now();
    for _ in 0..times {
        act()?;
    }
    Ok(f64::from(times) / began.elapsed().as_secs_f64())
}

fn quietly(command: &mut Command) -> anyhow::Result<()> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

fn until(holds: impl Fn() -> bool) -> anyhow::Result<()> {
    let began = Instant::now();
    while !holds() {
        if began.elapsed() > Duration::from_secs(30) {
            bail!("the adb server or the device does not come up");
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Two free ports, one above the other: the console's and the daemon's.
fn port_pair() -> anyhow::Result<(TcpListener, TcpListener)> {
    let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok();
    let pair = || {
        let free = bind(0)?.local_addr().ok()?.port() & !1;
        Some((bind(free)?, bind(free.checked_add(1)?)?))
    };
    (0..1000).find_map(|_| pair()).context("there are no free ports")
}
