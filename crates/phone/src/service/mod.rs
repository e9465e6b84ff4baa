//! What a host can ask of the daemon.

mod forward;
mod frames;
mod port;
mod reboot;
mod shell;
mod sync;
#[cfg(test)]
mod tests;

use crate::phone::Phone;
use crate::transport::HostStream;

/// A service at work on a stream; when it returns, the stream is closed.
pub(crate) type ServiceJob = Box<dyn FnOnce(&HostStream) + Send>;

/// The service of that name; none when the phone refuses it.
pub(crate) fn find(phone: &Phone, name: &str) -> Option<ServiceJob> {
    if !phone.knock() {
        return None;
    }
    let phone = phone.clone();
    let (service, rest) = name.split_once(':').unwrap_or((name, ""));
    let rest = rest.to_owned();
    Some(match service {
        "exec" => Box::new(move |stream| shell::execute(&phone, &rest, stream)),
        "sync" => Box::new(move |stream| sync::serve(&phone, stream)),
        "tcp" => return port::find(&phone, &rest),
        "reverse" => Box::new(move |stream| forward::answer(&rest, stream)),
        "reboot" => Box::new(move |stream| reboot::reboot(&phone, stream)),
        _ if service == "shell" || service.starts_with("shell,") => {
            let request = shell::Request::new(service, &rest);
            Box::new(move |stream| shell::serve(&phone, &request, stream))
        }
        _ => return None,
    })
}
