//! The server's side of the protocol.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use retap_adb::client::{Address, Client};

use super::phone::{Phone, Reply};
use super::sh;

/// What is wrong with the phone or the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
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

impl Fault {
    fn of(number: u8) -> Self {
        [Self::None, Self::Offline, Self::Unauthorized, Self::Hanging, Self::Dropping, Self::Absent]
            [usize::from(number)]
    }
}

#[derive(Debug)]
struct Shared {
    phone: Mutex<Phone>,
    fault: AtomicU8,
    stop: AtomicBool,
    serial: Mutex<String>,
    features: Mutex<String>,
    /// Services that were opened and never answered.
    hanging: Mutex<Vec<String>>,
    /// Lines of the log that were sent.
    logged: Mutex<Vec<String>>,
}

/// A server on a port of its own. Its threads end with it.
#[derive(Debug)]
pub(crate) struct FakeServer {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

impl FakeServer {
    pub(crate) fn start(serial: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let shared = Arc::new(Shared {
            phone: Mutex::default(),
            fault: AtomicU8::new(0),
            stop: AtomicBool::new(false),
            serial: Mutex::new(serial.to_owned()),
            features: Mutex::new("shell_v2,cmd,stat_v2,ls_v2".to_owned()),
            hanging: Mutex::default(),
            logged: Mutex::default(),
        });
        let port = listener.local_addr().unwrap().port();
        let theirs = shared.clone();
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                if theirs.stop.load(Ordering::SeqCst) {
                    return;
                }
                // Packets are small and answered at once, as with the real server.
                socket.set_nodelay(true).unwrap();
                let shared = theirs.clone();
                std::thread::spawn(move || drop(Connection { socket, shared }.serve()));
            }
        });
        Self { port, shared }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(Address::local_port(self.port))
    }

    pub(crate) fn phone(&self) -> MutexGuard<'_, Phone> {
        self.shared.phone.lock().unwrap()
    }

    pub(crate) fn set(&self, fault: Fault) {
        self.shared.fault.store(fault as u8, Ordering::SeqCst);
    }

    pub(crate) fn set_features(&self, features: &str) {
        features.clone_into(&mut self.shared.features.lock().unwrap());
    }

    /// Whether somebody has opened this service and got no answer.
    pub(crate) fn hangs(&self, service: &str) -> bool {
        self.shared.hanging.lock().unwrap().iter().any(|hanging| hanging == service)
    }

    /// Whether a line of the log with these words was sent to somebody who reads it.
    pub(crate) fn has_logged(&self, words: &str) -> bool {
        self.shared.logged.lock().unwrap().iter().any(|line| line.contains(words))
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

struct Connection {
    socket: TcpStream,
    shared: Arc<Shared>,
}

impl Connection {
    fn serve(mut self) -> io::Result<()> {
        loop {
            let Ok(request) = self.request() else { return Ok(()) };
            if !self.answer(&request)? {
                return Ok(());
            }
        }
    }

    fn fault(&self) -> Fault {
        Fault::of(self.shared.fault.load(Ordering::SeqCst))
    }

    fn phone(&self) -> MutexGuard<'_, Phone> {
        self.shared.phone.lock().unwrap()
    }

    fn request(&mut self) -> io::Result<String> {
        let length = self.take(4)?;
        let length =
            usize::from_str_radix(&String::from_utf8_lossy(&length), 16).map_err(io::Error::other)?;
        Ok(String::from_utf8(self.take(length)?).unwrap())
    }

    fn take(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.socket.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn okay(&mut self, text: &str) -> io::Result<()> {
        self.socket.write_all(b"OKAY")?;
        self.text(text)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.socket.write_all(format!("{:04x}{text}", text.len()).as_bytes())
    }

    fn fail(&mut self, why: &str) -> io::Result<bool> {
        self.socket.write_all(format!("FAIL{:04x}{why}", why.len()).as_bytes())?;
        Ok(false)
    }

    fn list(&self) -> String {
        let serial = self.shared.serial.lock().unwrap().clone();
        match self.fault() {
            Fault::Absent => String::new(),
            Fault::Offline => format!("{serial} offline transport_id:1\n"),
            Fault::Unauthorized => format!("{serial} unauthorized transport_id:1\n"),
            _ => {
                format!("{serial}          device product:fake model:Fake_Phone device:fake transport_id:1\n")
            }
        }
    }

    /// Answers; `false` when the connection is done.
    fn answer(&mut self, request: &str) -> io::Result<bool> {
        let serial = self.shared.serial.lock().unwrap().clone();
        if request == "host:version" {
            self.okay("0029")?;
            return Ok(false);
        }
        if let "host:devices-l" = request {
            let list = self.list();
            self.okay(&list)?;
            return Ok(false);
        }
        if request == "host:track-devices-l" {
            self.socket.write_all(b"OKAY")?;
            return self.track().map(|()| false);
        }
        if self.fault() == Fault::Dropping {
            return Ok(false);
        }
        let state = match self.fault() {
            Fault::Offline => Some("device offline".to_owned()),
            Fault::Unauthorized => {
                Some("device unauthorized.\nThis adb server's keys are not set".to_owned())
            }
            Fault::Absent => Some(format!("device '{serial}' not found")),
            _ => None,
        };
        if let Some(why) = state {
            return self.fail(&why);
        }
        if request == format!("host:transport:{serial}") {
            self.socket.write_all(b"OKAY")?;
            return Ok(true);
        }
        if let Some(question) = request.strip_prefix(&format!("host-serial:{serial}:")) {
            return self.question(question).map(|()| false);
        }
        if request.starts_with("host") {
            return self.fail(&format!("device '{}' not found", request.rsplit(':').next().unwrap()));
        }
        self.socket.write_all(b"OKAY")?;
        if self.fault() == Fault::Hanging {
            self.shared.hanging.lock().unwrap().push(request.to_owned());
            return self.hang().map(|()| false);
        }
        self.service(request).map(|()| false)
    }

    fn question(&mut self, question: &str) -> io::Result<()> {
        match question {
            "features" => {
                let features = self.shared.features.lock().unwrap().clone();
                self.okay(&features)
            }
            "get-state" => self.okay("device"),
            "reconnect" => {
                self.phone().history.push("reconnect".to_owned());
                self.okay("reconnecting S1 [device]\n")
            }
            "list-forward" => self.okay("S1 tcp:6100 tcp:9008\nother tcp:1 tcp:2\n"),
            forward if forward.starts_with("forward:tcp:0;tcp:1") => {
                self.socket.write_all(b"OKAYOKAY")?;
                self.text("6100")
            }
            "killforward:tcp:6100" => self.socket.write_all(b"OKAYOKAY"),
            other => self.fail(&format!("cannot do {other}")).map(drop),
        }
    }

    fn hang(&mut self) -> io::Result<()> {
        let mut buffer = [0; 1024];
        loop {
            if self.socket.read(&mut buffer)? == 0 {
                return Ok(());
            }
        }
    }

    fn track(&mut self) -> io::Result<()> {
        let mut told = None;
        while !self.shared.stop.load(Ordering::SeqCst) {
            let list = self.list();
            if told.as_ref() != Some(&list) {
                self.text(&list)?;
                told = Some(list);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    fn service(&mut self, service: &str) -> io::Result<()> {
        if let Some(command) = service.strip_prefix("shell,v2,raw:") {
            return if command == "sh" { self.interactive() } else { self.shell_v2(command) };
        }
        if service == "sync:" {
            return self.sync();
        }
        let Some(command) = service.strip_prefix("exec:") else { return Ok(()) };
        if command == "sh" {
            return self.plain_interactive();
        }
        if command.starts_with("logcat") {
            return self.logcat(command);
        }
        if let Some((_, size)) = command.split_once(" -S ") {
            let file = self.take(size.parse().unwrap())?;
            let too_old = file.ends_with(b"old") && !command.contains("--bypass-low-target-sdk-block");
            let good = file.starts_with(b"PK") && !too_old;
            self.phone().installed |= good;
            return self.socket.write_all(match (good, too_old) {
                (true, _) => b"Success\n",
                (_, true) => b"Failure [INSTALL_FAILED_DEPRECATED_SDK_VERSION: must target at least 23]\n",
                _ => b"Failure [INSTALL_PARSE_FAILED_NOT_APK]\n",
            });
        }
        let reply = sh::run(&mut self.phone(), command);
        self.socket.write_all(&[reply.out, reply.err].concat())
    }

    fn packet(&mut self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        let mut packet = vec![kind];
        packet.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        packet.extend(bytes);
        self.socket.write_all(&packet)
    }

    fn output(&mut self, reply: &Reply) -> io::Result<()> {
        // In small pieces, as real devices do, errors last.
        for chunk in reply.out.chunks(1000) {
            self.packet(1, chunk)?;
        }
        if reply.err.is_empty() { Ok(()) } else { self.packet(2, &reply.err) }
    }

    fn shell_v2(&mut self, command: &str) -> io::Result<()> {
        let input = if command == "cat" { self.stdin()? } else { Vec::new() };
        let reply = if command == "cat" {
            Reply { out: input, ..Reply::default() }
        } else {
            sh::run(&mut self.phone(), command)
        };
        self.output(&reply)?;
        self.packet(3, &[reply.status])
    }

    fn stdin(&mut self) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let head = self.take(5)?;
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
            let bytes = self.take(length as usize)?;
            if head[0] == 4 {
                return Ok(all);
            }
            all.extend(bytes);
        }
    }

    /// A shell that stays open.
    fn interactive(&mut self) -> io::Result<()> {
        loop {
            let head = self.take(5)?;
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
            let line = String::from_utf8(self.take(length as usize)?).unwrap();
            match self.fault() {
                Fault::Hanging => return self.hang(),
                Fault::None => {}
                _ => return Ok(()),
            }
            let reply = sh::run(&mut self.phone(), line.trim_end());
            self.output(&reply)?;
        }
    }

    /// The same without packets.
    fn plain_interactive(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.extend(self.take(1)?);
            if line.ends_with(b"\n") {
                let reply = sh::run(&mut self.phone(), String::from_utf8_lossy(&line).trim_end());
                self.socket.write_all(&[reply.out, reply.err].concat())?;
                line.clear();
            }
        }
    }

    /// From the last line (`-T 1`), or from a time on.
    fn logcat(&mut self, command: &str) -> io::Result<()> {
        let from = command.split_once(" -T ").unwrap().1.trim_matches('\'').to_owned();
        let (log, last) = {
            let phone = self.phone();
            (phone.log.clone(), phone.last_line.unwrap_or(phone.log.len().saturating_sub(1)))
        };
        let newer = log.iter().position(|line| line.as_str() >= from.as_str());
        let mut at = if from == "1" { last } else { newer.unwrap_or(log.len()) };
        while !self.shared.stop.load(Ordering::SeqCst) && self.fault() == Fault::None {
            let new: Vec<String> = self.phone().log.get(at..).unwrap_or_default().to_vec();
            at += new.len();
            for line in new.into_iter().filter(|line| from == "1" || *line >= from) {
                self.socket.write_all(format!("{line}\n").as_bytes())?;
                self.shared.logged.lock().unwrap().push(line);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        loop {
            let head = self.take(8)?;
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            let argument = String::from_utf8(self.take(length as usize)?).unwrap();
            let file = self.phone().files.get(&argument).cloned();
            match &head[..4] {
                b"STAT" => {
                    let (mode, size) =
                        file.map_or((0, 0), |bytes| (0o100_644_u32, u32::try_from(bytes.len()).unwrap()));
                    self.numbers(*b"STAT", &[mode, size, 7])?;
                }
                b"STA2" => self.stat2(*b"STA2", file.as_deref())?,
                b"LIS2" => {
                    let files = self.phone().files.clone();
                    for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with(&argument)) {
                        let name = path.rsplit('/').next().unwrap();
                        self.stat2(*b"DNT2", Some(bytes))?;
                        self.socket.write_all(&u32::try_from(name.len()).unwrap().to_le_bytes())?;
                        self.socket.write_all(name.as_bytes())?;
                    }
                    self.numbers(*b"DONE", &[0; 18])?;
                }
                b"LIST" => self.numbers(*b"DONE", &[0; 4])?,
                b"RECV" => match file {
                    Some(bytes) => {
                        for chunk in bytes.chunks(60_000) {
                            self.numbers(*b"DATA", &[u32::try_from(chunk.len()).unwrap()])?;
                            self.socket.write_all(chunk)?;
                        }
                        self.numbers(*b"DONE", &[0])?;
                    }
                    None => self.sync_fail("open failed: No such file or directory")?,
                },
                b"SEND" => self.receive(&argument)?,
                other => panic!("sync {other:?}"),
            }
        }
    }

    fn receive(&mut self, argument: &str) -> io::Result<()> {
        let path = argument.rsplit_once(',').unwrap().0;
        let mut bytes = Vec::new();
        loop {
            let head = self.take(8)?;
            let number = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            if &head[..4] == b"DONE" {
                break;
            }
            bytes.extend(self.take(number as usize)?);
        }
        if path.starts_with("/system") {
            return self.sync_fail("couldn't create file: Read-only file system");
        }
        self.phone().files.insert(path.to_owned(), bytes);
        self.numbers(*b"OKAY", &[0])
    }

    fn sync_fail(&mut self, why: &str) -> io::Result<()> {
        self.numbers(*b"FAIL", &[u32::try_from(why.len()).unwrap()])?;
        self.socket.write_all(why.as_bytes())
    }

    fn numbers(&mut self, id: [u8; 4], numbers: &[u32]) -> io::Result<()> {
        let mut bytes = id.to_vec();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.socket.write_all(&bytes)
    }

    fn stat2(&mut self, id: [u8; 4], file: Option<&[u8]>) -> io::Result<()> {
        let mut bytes = id.to_vec();
        bytes.extend(u32::from(file.is_none()).wrapping_mul(2).to_le_bytes());
        bytes.extend([0; 16]);
        bytes.extend(0o100_600_u32.to_le_bytes());
        bytes.extend([0; 12]);
        bytes.extend((file.map_or(0, <[u8]>::len) as u64).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(9_i64.to_le_bytes());
        bytes.extend([0; 8]);
        self.socket.write_all(&bytes)
    }
}
