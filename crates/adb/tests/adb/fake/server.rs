//! What an adb server says to its clients. It knows nothing of Android: services are the phone's.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Condvar, Mutex, MutexGuard};

use retap_phone::Phone;

use super::line::Line;

/// What is wrong with the server, or with its way to the phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// The phone cannot be reached.
    Offline,
    /// The phone does not trust the computer.
    Unauthorized,
    /// Services are opened and never answer.
    Hanging,
    /// Every connection is closed after the request.
    Dropping,
    /// The phone is not there at all.
    Absent,
}

/// What all connections share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) phone: Phone,
    pub(super) serial: String,
    pub(super) features: String,
    pub(super) fault: Fault,
    pub(super) stopped: bool,
    /// The commands that were sent to the phone, for tests to look at.
    pub(super) history: Vec<String>,
    /// Clients that talk to a service.
    pub(super) talking: Vec<TcpStream>,
}

impl Shared {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    fn list(&self) -> String {
        let serial = &self.serial;
        match self.fault {
            Fault::Absent => String::new(),
            Fault::Offline => format!("{serial} offline transport_id:1\n"),
            Fault::Unauthorized => format!("{serial} unauthorized transport_id:1\n"),
            _ => {
                format!("{serial}          device product:fake model:Fake_Phone device:fake transport_id:1\n")
            }
        }
    }

    /// Why the phone cannot be had.
    fn refusal(&self) -> Option<String> {
        match self.fault {
            Fault::Offline => Some("device offline".to_owned()),
            Fault::Unauthorized => {
                Some("device unauthorized.\nThis adb server's keys are not set".to_owned())
            }
            Fault::Absent => Some(format!("device '{}' not found", self.serial)),
            _ => None,
        }
    }

    /// Takes the commands out of what goes to a shell; those that only mark its output are left out.
    fn note(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        // The head of a packet ends with zeros.
        let commands = text.split(['\n', ';']).filter_map(|command| command.rsplit('\0').next());
        let marks = |command: &str| command.is_empty() || command == "sh" || command.starts_with("echo \"");
        self.history.extend(commands.map(str::trim).filter(|command| !marks(command)).map(str::to_owned));
    }
}

/// Answers a client until it is done.
pub(super) fn serve(mut socket: TcpStream, shared: &Shared) -> io::Result<()> {
    // Packets are small and answered at once, as with the real server.
    socket.set_nodelay(true)?;
    loop {
        let request = request(&socket)?;
        let state = shared.state();
        let (transport, about) =
            (format!("host:transport:{}", state.serial), format!("host-serial:{}:", state.serial));
        match (request.as_str(), state.refusal()) {
            ("host:version", _) => return okay(&socket, &text("0029")),
            ("host:devices-l", _) => return okay(&socket, &text(&state.list())),
            ("host:track-devices-l", _) => return track(&socket, state, &shared.changed),
            _ if state.fault == Fault::Dropping => return Ok(()),
            (_, Some(why)) => return fail(&socket, &why),
            (request, None) if request == transport => socket.write_all(b"OKAY")?,
            (request, None) => match request.strip_prefix(&about) {
                Some(question) => return answer(&socket, state, question),
                None if request.starts_with("host") => {
                    return fail(&socket, &format!("device '{request}' not found"));
                }
                None => {
                    drop(state);
                    return open(&socket, shared, request);
                }
            },
        }
    }
}

fn request(mut socket: &TcpStream) -> io::Result<String> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let length = u16::from_str_radix(&String::from_utf8_lossy(&length), 16).map_err(io::Error::other)?;
    let mut request = vec![0; length.into()];
    socket.read_exact(&mut request)?;
    String::from_utf8(request).map_err(io::Error::other)
}

fn text(text: &str) -> String {
    format!("{:04x}{text}", text.len())
}

fn okay(mut socket: &TcpStream, said: &str) -> io::Result<()> {
    socket.write_all(format!("OKAY{said}").as_bytes())
}

fn fail(mut socket: &TcpStream, why: &str) -> io::Result<()> {
    socket.write_all(format!("FAIL{}", text(why)).as_bytes())
}

/// What the server says of the phone by itself.
fn answer(socket: &TcpStream, mut state: MutexGuard<'_, State>, question: &str) -> io::Result<()> {
    let said = match question {
        "features" => text(&state.features),
        "get-state" => text("device"),
        "reconnect" => {
            state.history.push("reconnect".to_owned());
            text("reconnecting S1 [device]\n")
        }
        "list-forward" => text("S1 tcp:6100 tcp:9008\nother tcp:1 tcp:2\n"),
        "forward:tcp:0;tcp:1" => format!("OKAY{}", text("6100")),
        "killforward:tcp:6100" => "OKAY".to_owned(),
        other => return fail(socket, &format!("cannot do {other}")),
    };
    okay(socket, &said)
}

fn track(mut socket: &TcpStream, mut state: MutexGuard<'_, State>, changed: &Condvar) -> io::Result<()> {
    okay(socket, "")?;
    let mut told = None;
    while !state.stopped {
        let list = state.list();
        if told.as_ref() != Some(&list) {
            socket.write_all(text(&list).as_bytes())?;
            told = Some(list);
        }
        state = changed.wait(state).unwrap();
    }
    Ok(())
}

/// Opens a service of the phone, over a line of its own.
fn open(mut socket: &TcpStream, shared: &Shared, service: &str) -> io::Result<()> {
    let (_, command) = service.split_once(':').unwrap_or_default();
    let mut state = shared.state();
    state.note(command.as_bytes());
    if state.fault == Fault::Hanging {
        drop(state);
        okay(socket, "")?;
        return io::copy(&mut socket, &mut io::sink()).map(drop);
    }
    state.talking.push(socket.try_clone()?);
    let phone = state.phone.clone();
    drop(state);
    let Some(line) = Line::open(phone, service)? else { return fail(socket, "closed") };
    okay(socket, "")?;
    line.carry(socket, |bytes| {
        let mut state = shared.state();
        if command == "sh" {
            state.note(bytes);
        }
        state.fault != Fault::Hanging
    });
    Ok(())
}
