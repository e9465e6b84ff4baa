//! `retap device serve`: the virtual device, until Ctrl-C.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use retap_adb::client::{Address, Environment};
use retap_phone::{Android, Phone, PhoneSettings, Server, Speed, announce};
use retap_sim::SimDevice;
use retap_trace::Seed;
use serde::Serialize;

use crate::args::ServeArgs;
use crate::commands::Context;
use crate::devices;
use crate::exit::Exit;
use crate::output::strong;

/// How often somebody looks whether it is over.
const GLANCE: Duration = Duration::from_millis(50);

/// What programs are told as soon as the device listens.
#[derive(Serialize)]
struct Serving<'a> {
    command: &'static str,
    status: &'static str,
    app: &'a str,
    package: String,
    port: u16,
    console: Option<u16>,
    /// What adb calls it.
    serial: String,
    /// Whether an adb server knows of it already.
    announced: bool,
}

pub(super) fn run(args: &ServeArgs, context: &Context) -> anyhow::Result<Exit> {
    let app = match args.app.strip_prefix("sim:") {
        Some(_) => args.app.clone(),
        None => format!("sim:{}", args.app),
    };
    let (spec, program) = devices::simulator(&app)?;
    let settings = PhoneSettings {
        android: android(&args.android)?,
        speed: if args.fast { Speed::Fast } else { Speed::Times(1.0) },
        seed: Seed(context.seed()),
        auth: args.auth,
        adb_server: args.console.and_then(|_| adb_server()),
        ..PhoneSettings::default()
    };
    if let Some(console) = args.console {
        ensure!(
            console.checked_add(1) == Some(args.port),
            "adb looks for an emulator's console one port below its own: write --console {} --port {}",
            args.port.saturating_sub(1),
            args.port
        );
    }
    let package = program.app().package.to_string();
    let phone = Phone::new(settings, SimDevice::running(&spec, program));
    let adb = listen((args.listen, args.port).into())?;
    let port = adb.local_addr()?.port();
    let console = args.console.map(|port| listen((args.listen, port).into())).transpose()?;
    let server = Server::start(&phone, adb, console)?;
    let announced = phone.settings().adb_server.is_some_and(|server| announce(server, port).is_ok());
    let serial = match args.console {
        Some(console) => format!("emulator-{console}"),
        None => format!("127.0.0.1:{port}"),
    };
    let found = if announced {
        Found::Already
    } else if phone.settings().adb_server.is_some() {
        Found::Later
    } else {
        Found::ByHand
    };
    say(context, &serial, &package, port, found);
    context.output.result(&Serving {
        command: "serve",
        status: "serving",
        app: &app,
        package,
        port,
        console: args.console,
        serial,
        announced,
    })?;
    while !context.interrupt.stop.asked() && !phone.is_stopped() {
        thread::sleep(GLANCE);
    }
    server.stop();
    Ok(Exit::Done)
}

/// How an adb server gets to know the device.
#[derive(Debug, Clone, Copy)]
enum Found {
    Already,
    /// No server runs; one that is started is told.
    Later,
    ByHand,
}

fn say(context: &Context, serial: &str, package: &str, port: u16, found: Found) {
    let output = context.output;
    output.say(format!("{} listens on port {port}; end it with Ctrl-C", strong(serial)));
    match found {
        Found::Already => {}
        Found::Later => output.say("  no adb server runs yet; one that is started finds it by itself"),
        Found::ByHand => output.say(format!("  adb connect 127.0.0.1:{port}")),
    }
    output.say(format!("  retap explore --device 'adb:{serial}?app={package}'"));
}

/// By what people call it, or by its API level; the two do not overlap.
fn android(text: &str) -> anyhow::Result<Android> {
    let number = text.trim().parse::<u32>().ok();
    let api = match number {
        Some(release @ 9..=11) => Some(release + 19),
        Some(12) => Some(31),
        Some(release @ 13..=15) => Some(release + 20),
        other => other,
    };
    match api.and_then(Android::of_api) {
        Some(android) => Ok(android),
        None => bail!("--android takes a version from 9 to 15 or an API level from 28 to 35, not '{text}'"),
    }
}

fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address)
        .with_context(|| format!("{address} cannot be had; choose another with --port and --console"))
}

/// Where an adb server runs, or would run. It is told of the emulator whenever it has lost it.
fn adb_server() -> Option<SocketAddr> {
    let Ok(Address::Tcp { host, port }) = Environment::read().address() else { return None };
    (host.as_str(), port).to_socket_addrs().ok()?.next()
}
