//! Serves a virtual phone: `serve [APP] [--listen 127.0.0.1] [--port 5555] [--console 5554] [--api 34] [--speed fast|1x] [--server HOST:PORT]`.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, TcpListener};

use retap_phone::{Phone, PhoneSettings, Server};
use retap_sim::SimDevice;

#[expect(clippy::print_stderr, reason = "an example talks to its user")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = PhoneSettings::default();
    let (mut app, mut port, mut console) = ("sim:notes".to_owned(), 5555_u16, None);
    let mut listen = IpAddr::from(Ipv4Addr::LOCALHOST);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match &*arg {
            "--listen" => listen = value()?.parse()?,
            "--port" => port = value()?.parse()?,
            "--console" => console = Some(value()?.parse::<u16>()?),
            "--api" => settings.android = value()?.parse()?,
            "--speed" => settings.speed = value()?.parse()?,
            "--auth" => settings.auth = true,
            "--token" => settings.console_token = Some(value()?.into()),
            "--server" => settings.adb_server = Some(value()?.parse()?),
            name if name.contains(':') => name.clone_into(&mut app),
            name => app = format!("sim:{name}"),
        }
    }
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let phone = Phone::new(settings, SimDevice::open(&app, &read)?);
    let adb = TcpListener::bind((listen, port))?;
    let console = console.map(|port| TcpListener::bind((listen, port))).transpose()?;
    eprintln!("{app} on {}", adb.local_addr()?);
    Server::start(&phone, adb, console)?.wait();
    Ok(())
}
