//! Ports of the phone that a host can connect to.

use super::ServiceJob;
use crate::phone::Phone;
use crate::transport::HostStream;
use crate::uiautomator;

/// What listens on a port; none when nothing does.
pub(super) fn find(phone: &Phone, address: &str) -> Option<ServiceJob> {
    // `tcp:7`, `tcp:localhost:7`: no other machine can be reached.
    let (host, port) = address.rsplit_once(':').unwrap_or(("localhost", address));
    let port: u16 = port.parse().ok()?;
    if !["localhost", "127.0.0.1"].contains(&host) {
        return None;
    }
    if phone.settings().echo_ports.contains(&port) {
        return Some(Box::new(echo));
    }
    let automates = phone.with(|state| state.world.automators.contains(&port));
    let phone = phone.clone();
    automates.then(|| -> ServiceJob { Box::new(move |stream| uiautomator::serve(&phone, stream)) })
}

/// Everything that is sent comes back.
fn echo(stream: &HostStream) {
    while let Some(data) = stream.read() {
        if stream.write(&data).is_err() {
            return;
        }
    }
}
