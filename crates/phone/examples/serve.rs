//! A virtual phone as the only process of a virtual machine: `serve ADDRESS:PORT`. `scripts/vm` makes such a machine.

use std::error::Error;
use std::net::TcpListener;

use retap_phone::{Phone, PhoneSettings, Server, Speed};
use retap_sim::SimDevice;

#[expect(clippy::print_stderr, reason = "an example talks to its user")]
fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("serve ADDRESS:PORT")?;
    let settings = PhoneSettings { speed: Speed::Fast, ..PhoneSettings::default() };
    let device = SimDevice::open("sim:notes", &|name| Err(format!("there is no {name}")))?;
    let adb = TcpListener::bind(&address)?;
    eprintln!("sim:notes on {}", adb.local_addr()?);
    Server::start(&Phone::new(settings, device), adb, None)?.wait();
    Ok(())
}
